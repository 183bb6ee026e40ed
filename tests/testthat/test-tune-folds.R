# Every count of a class in a fold is the whole number below or above its fair share.
expect_balanced <- function(fold, strata, folds) {
  for (r in seq_len(ncol(fold))) {
    expect_identical(sort(unique(fold[, r])), seq_len(folds))
    sizes <- tabulate(fold[, r], folds)
    expect_lte(max(sizes) - min(sizes), 1)
    counts <- table(factor(fold[, r], seq_len(folds)), strata)
    expect_true(all(apply(counts, 2, max) - apply(counts, 2, min) <= 1))
  }
}

test_that("classes and fold sizes are balanced to within one row", {
  for (m in c(7, 40, 101)) for (folds in c(2, 3, 5, 7)) {
    y <- c("a", "b", "c", "c", "c", "a", "c")[lehmer(m, m) %% 7 + 1]
    expect_balanced(cawi_folds(y, folds, repeats = 2, seed = 3), y, folds)
  }
  # Rare classes go to different folds.
  rare <- rep(c("common", "rare"), c(95, 5))
  expect_identical(sort(cawi_folds(rare, 5, seed = 1)[rare == "rare", 1]), 1:5)
})

test_that("numbers are spread by the tenths of their ranks", {
  expect_identical(fold_strata((1:20)^3), rep(1:10, each = 2) + 0)
  expect_identical(fold_strata(c(5, 1, 3)), c(10, 4, 7))
  # Equal numbers share a stratum: ranks 2 of 4.
  expect_identical(fold_strata(c(0, 0, 0, 9)), c(5, 5, 5, 10))
  y <- bell(103)
  expect_balanced(cawi_folds(y, 5, repeats = 3, seed = 1), ceiling(10 * rank(y) / 103), 5)
})

test_that("factors, characters, logicals and one-column frames mean the same", {
  y <- rep_len(c(TRUE, FALSE, FALSE), 31)
  wanted <- cawi_folds(y, 4, seed = 2)
  expect_identical(cawi_folds(as.character(y), 4, seed = 2), wanted)
  expect_identical(cawi_folds(factor(y, c("FALSE", "unused", "TRUE")), 4, seed = 2), wanted)
  expect_identical(cawi_folds(data.frame(y = y), 4, seed = 2), wanted)
  number <- small_y("regression")
  expect_identical(cawi_folds(data.frame(number), 4, seed = 2), cawi_folds(number, 4, seed = 2))
})

test_that("the rows of several outputs are only shuffled", {
  fold <- cawi_folds(small_y("outputs"), 3, seed = 1)
  expect_balanced(fold, rep(1, 40), 3)
  expect_identical(fold, cawi_folds(matrix(0, 40, 2), 3, seed = 1))
})

test_that("a matrix of whole numbers, one column a repeat", {
  fold <- cawi_folds(iris$Species, 5, repeats = 3, seed = 1)
  expect_type(fold, "integer")
  expect_identical(dim(fold), c(150L, 3L))
  expect_identical(fold[, 1, drop = FALSE], cawi_folds(iris$Species, 5, seed = 1))
  expect_false(identical(fold[, 1], fold[, 2]) || identical(fold[, 2], fold[, 3]))
  # Shuffled: neither in the order of the rows nor the same for every class.
  expect_false(identical(fold[1:50, 1], rep_len(1:5, 50)))
  expect_false(identical(fold[1:50, 1], fold[51:100, 1]))
})

test_that("as many folds as rows leave out one row each", {
  expect_identical(sort(cawi_folds(1:6, 6, seed = 1)[, 1]), 1:6)
})

test_that("the seed is all that matters, on every machine", {
  y <- rep(c("a", "b"), 6)
  expect_identical(cawi_folds(y, 3, seed = 5), cawi_folds(y, 3, seed = 5))
  expect_false(identical(cawi_folds(y, 3, seed = 5), cawi_folds(y, 3, seed = 6)))
  expect_generator_untouched(cawi_folds(y, 3, seed = 5))
  set.seed(1)
  first <- cawi_folds(y, 3)
  expect_false(identical(cawi_folds(y, 3), first))
  set.seed(1)
  expect_identical(cawi_folds(y, 3), first)
  # Recorded once: a change would give users other folds for their seeds.
  expect_identical(cawi_folds(y, 3, seed = 5)[, 1],
                   c(1L, 1L, 2L, 3L, 3L, 2L, 2L, 3L, 1L, 2L, 3L, 1L))
})

parts_of <- function(resampling, y = small_y("classification"), repeats = 1, seed = 9) {
  resampling_parts(resampling, list(y = y, rows = NROW(y)), repeats,
                   new_run(seed, 1, environment()))
}

test_that("parts hold every row once a repeat", {
  expect_null(parts_of("loo"))
  parts <- parts_of(4, repeats = 3)
  expect_identical(length(parts), 12L)
  expect_identical(vapply(parts, `[[`, 0L, "rep"), rep(1:3, each = 4))
  expect_identical(vapply(parts, `[[`, 0L, "fold"), rep(1:4, 3))
  for (r in 1:3) {
    expect_identical(sort(unlist(lapply(parts[4 * (r - 1) + 1:4], `[[`, "test"))), 1:40)
  }
})

test_that("a number of folds is cawi_folds() with the same seed", {
  wanted <- cawi_folds(small_y("classification"), 4, 2, 9)
  expect_identical(parts_of(4, repeats = 2), parts_of(wanted))
  expect_identical(parts_of(4), parts_of(4))
  expect_false(identical(parts_of(4), parts_of(4, seed = 10)))
})

test_that("given folds are taken as they are, whatever their numbers", {
  fold <- rep_len(c(7, 3), 40)
  parts <- parts_of(fold)
  expect_identical(lapply(parts, `[[`, "test"), list(seq(2L, 40L, 2L), seq(1L, 39L, 2L)))
  expect_identical(vapply(parts, `[[`, 0, "fold"), c(3, 7))
  tests <- function(parts) lapply(parts, `[[`, "test")
  expect_identical(tests(parts_of(factor(rep_len(c("a", "b"), 40)))), rev(tests(parts)))
  expect_identical(tests(parts_of(cbind(fold, rep_len(1:4, 40)))),
                   c(tests(parts), tests(parts_of(rep_len(1:4, 40)))))
})

y <- small_y("classification")

test_argument_errors(alist(
  folds = cawi_folds(y, 1),
  folds = cawi_folds(y, 0),
  folds = cawi_folds(y, -2),
  folds = cawi_folds(y, 2.5),
  folds = cawi_folds(y, 41),
  folds = cawi_folds(y, NA),
  folds = cawi_folds(y, Inf),
  folds = cawi_folds(y, "five"),
  folds = cawi_folds(y, c(2, 3)),
  folds = cawi_folds(y, NULL),
  folds = cawi_folds("one", 2),
  y = cawi_folds(character(), 2),
  y = cawi_folds(),
  y = cawi_folds(NULL),
  y = cawi_folds(list()),
  y = cawi_folds(list(1, 2, 3), 2),
  y = cawi_folds(NA),
  y = cawi_folds(c("a", NA, "b"), 2),
  y = cawi_folds(c(1, NaN, 2), 2),
  y = cawi_folds(sum),
  y = cawi_folds(iris),
  y = cawi_folds(array(1, c(4, 2, 2)), 2),
  y = cawi_folds(matrix("a", 4, 2), 2),
  y = cawi_folds(data.frame()),
  y = cawi_folds(data.frame(a = I(list(1, 2, 3))), 2),
  repeats = cawi_folds(y, 2, repeats = 0),
  repeats = cawi_folds(y, 2, repeats = 1.5),
  repeats = cawi_folds(y, 2, repeats = NA),
  repeats = cawi_folds(y, 2, repeats = "twice"),
  repeats = cawi_folds(y, 2, repeats = 1e9),
  seed = cawi_folds(y, 2, seed = -1),
  seed = cawi_folds(y, 2, seed = "a"),
  resampling = parts_of("boot"),
  resampling = parts_of("LOO"),
  resampling = parts_of(1),
  resampling = parts_of(0),
  resampling = parts_of(41),
  resampling = parts_of(2.5),
  resampling = parts_of(NA),
  resampling = parts_of(NA_real_),
  resampling = parts_of(NULL),
  resampling = parts_of(TRUE),
  resampling = parts_of(list(1:20, 21:40)),
  resampling = parts_of(c("loo", "loo")),
  resampling = parts_of(rep_len(1:2, 39)),
  resampling = parts_of(rep_len(1:2, 41)),
  resampling = parts_of(rep(1, 40)),
  resampling = parts_of(c(NA, rep_len(1:2, 39))),
  resampling = parts_of(cbind(rep_len(1:2, 40), 1)),
  resampling = parts_of(matrix(1, 40, 0)),
  resampling = parts_of(matrix(1:2, 2, 40)),
  resampling = parts_of(rep_len(c("a", "b"), 40)),
  resampling = parts_of(sum)
))

test_that("folds of text depend neither on the language nor on options", {
  y <- rep(c("a", "B", "c", "\u00e9", "Z"), 7)
  wanted <- cawi_folds(y, 4, seed = 2)
  expect_identical(cawi_folds(factor(y, c("B", "Z", "a", "c", "\u00e9")), 4, seed = 2), wanted)
  latin <- iconv(y, "UTF-8", "latin1")
  expect_identical(cawi_folds(latin, 4, seed = 2), wanted)
  old <- options(OutDec = ",", scipen = 50, digits = 3, stringsAsFactors = FALSE)
  on.exit(options(old))
  expect_identical(cawi_folds(y, 4, seed = 2), wanted)
  for (locale in c("C", "en_US.UTF-8", "C.UTF-8")) {
    before <- Sys.getlocale("LC_COLLATE")
    if (suppressWarnings(Sys.setlocale("LC_COLLATE", locale)) != "") {
      expect_identical(cawi_folds(y, 4, seed = 2), wanted)
    }
    Sys.setlocale("LC_COLLATE", before)
  }
})

test_that("no group is in two folds, and folds are about equally large", {
  group <- rep(letters[1:9], c(9, 1, 4, 4, 7, 2, 2, 6, 5))
  fold <- cawi_folds(seq_along(group), 4, repeats = 3, seed = 1, group = group)
  expect_identical(dim(fold), c(40L, 3L))
  for (r in 1:3) {
    expect_true(all(tapply(fold[, r], group, function(f) length(unique(f))) == 1))
    expect_lte(diff(range(tabulate(fold[, r], 4))), 2)
  }
  expect_false(identical(fold[, 1], fold[, 2]))
  expect_identical(cawi_folds(1:40, 4, repeats = 3, seed = 1, group = factor(group)), fold)
  # By hand: sizes 3, 2, 1 in two folds.
  by_hand <- cawi_folds(1:6, 2, seed = 1, group = c(1, 1, 1, 2, 2, 3))
  expect_identical(by_hand[, 1], c(1L, 1L, 1L, 2L, 2L, 2L))
  expect_error(cawi_folds(1:4, 3, group = c(1, 1, 2, 2)), class = "cawi_error_group")
  expect_error(cawi_folds(1:4, 2, group = c(1, NA, 2, 2)), class = "cawi_error_group")
})

test_that("folds in the order of time are later than what is learned from", {
  time <- c(5, 1, 3, 2, 4, 6)
  fold <- cawi_folds(1:6, 2, time = time)
  expect_identical(as.vector(fold), c(2L, 0L, 1L, 0L, 1L, 2L))
  expect_true(attr(fold, "ordered"))
  day <- as.Date("2026-01-01") + time
  expect_identical(cawi_folds(1:6, 2, time = day), fold)
  # Rows of one time stay together.
  tied <- cawi_folds(1:6, 1, time = c(1, 1, 1, 1, 2, 2))
  expect_identical(as.vector(tied), c(0L, 0L, 0L, 0L, 1L, 1L))
  parts <- ordered_parts(fold[, 1])
  expect_identical(parts[[2]][c("test", "train")], list(test = c(1L, 6L), train = 2:5))
  expect_error(cawi_folds(1:6, 2, repeats = 2, time = time), class = "cawi_error_repeats")
  expect_error(cawi_folds(1:6, 2, time = letters[1:6]), class = "cawi_error_time")
  expect_error(cawi_folds(1:6, 2, time = paste(time)), class = "cawi_error_time")
  expect_identical(cawi_folds(1:6, 2, time = factor(time, ordered = TRUE)), fold)
  expect_error(cawi_folds(1:6, 2, time = rep(1:2, 3)), class = "cawi_error_time")
  expect_error(cawi_folds(1:6, 2, time = time, group = 1:6), class = "cawi_error_time")
})

test_that("a tuning over time learns from earlier rows alone", {
  x <- small_x()
  y <- small_y("regression")
  time <- rev(seq_len(40))
  grid <- cawi_grid(hidden = 5, lambda = c(0.1, 1))
  tuned <- cawi_tune(x, y, grid = grid, resampling = 3, time = time, seed = 1)
  expect_identical(range(which(is.na(tuned$folds[, 1]))), c(31L, 40L))
  fit <- cawi_rvfl(x[time <= 20, ], y[time <= 20], hidden = 5, lambda = 1, seed = 1)
  late <- time > 20 & time <= 30
  error <- sqrt(mean((predict(fit, x[late, ]) - y[late])^2))
  expect_equal(tuned$parts$mean[tuned$parts$combination == 2 & tuned$parts$fold == 2], error)
  given <- cawi_tune(x, y, grid = grid, resampling = cawi_folds(y, 3, time = time), seed = 1)
  expect_identical(given$results, tuned$results)
})
