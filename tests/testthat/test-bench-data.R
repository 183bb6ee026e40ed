two <- c("iid", "gaussian")
few <- cawi_grid(hidden = c(3, 9), activation = "sigmoid", lambda = 10^(-1:1))
flowers <- list(x = as.matrix(iris[, 1:4]), y = iris$Species)
bench <- function(sets, ..., init = two, grid = few) {
  cawi_benchmark(sets, init = init, grid = grid, ...)
}

test_that("x and y that do not fit are refused before anything runs, and the set is named", {
  for (protocol in c("nested", "paper", "equal")) {
    broken <- list(
      short = list(x = flowers$x, y = flowers$y[-1]),
      long = list(x = flowers$x[-1, ], y = flowers$y),
      missing = list(x = flowers$x, y = replace(flowers$y, 3, NA)),
      one = list(x = flowers$x, y = rep("a", 150)),
      infinite = list(x = replace(flowers$x, 5, Inf), y = flowers$y),
      frame = list(x = flowers$x, y = iris["Species"]),
      tiny = list(x = flowers$x[1:3, ], y = c("a", "b", "a"))
    )
    for (name in names(broken)) {
      error <- expect_error(bench(broken[name], protocol = protocol), class = "cawi_error_datasets")
      expect_match(conditionMessage(error), name, fixed = TRUE)
      expect_s3_class(error$parent, "cawi_error")
    }
  }
})

test_that("sets and seeds are run once", {
  expect_error(bench(list(a = flowers, a = flowers)), class = "cawi_error_datasets")
  expect_error(bench(list(a = flowers), seeds = NULL), class = "cawi_error_seeds")
  once <- bench(list(a = flowers), seeds = c(3, 3))
  expect_identical(nrow(once), 10L)
  expect_error(cawi_benchmark(), class = "cawi_error_datasets")
  expect_error(bench(list(flowers)), class = "cawi_error_datasets")
  expect_error(bench("iris", protocol = "paper", models = "bls"), class = "cawi_error_models")
})

test_that("one set may be given alone", {
  expect_identical(unique(bench(flowers)$set), "data")
  expect_identical(unique(bench(cawi_read_dataset("iris"))$set), "iris")
})

test_that("the protocols of the public code take grids with their three axes only", {
  for (grid in list(cawi_grid(hidden = 3, activation = "relu", lambda = 1, scale = c(0.1, 1)),
                    cawi_grid(activation = "relu", lambda = 1))) {
    expect_error(bench(flowers, protocol = "paper", grid = grid), class = "cawi_error_grid")
  }
  expect_error(bench(flowers, grid = list(hidden = 3)), class = "cawi_error_grid")
})

test_that("the family that weights come from is told, also where it is not the one asked for", {
  # Rows that sum to zero: features move against each other.
  b <- bench(flowers, init = c("iid", "gaussian", "clayton"), protocol = "paper")
  folds <- b[b$fold > 0, ]
  expect_identical(unique(folds$family[folds$init == "iid"]), "independence")
  expect_identical(unique(folds$family[folds$init == "gaussian"]), "gaussian")
  copula <- suppressWarnings(cawi_copula(standardize_rows(flowers$x)[31:150, ], "clayton"))
  expect_identical(folds$family[folds$init == "clayton" & folds$fold == 1], copula$family)
  expect_identical(unique(bench(flowers, init = "t")$family), "t")
})

test_that("benchmarks of several protocols are printed apart and not pooled", {
  both <- rbind(bench(flowers), bench(flowers, protocol = "paper"))
  expect_output(print(both), "protocol nested.*protocol paper")
  expect_error(summary(both), class = "cawi_error_x")
  expect_error(plot(both), class = "cawi_error_x")
})

test_that("few sets or one distribution cannot be compared or drawn", {
  expect_error(summary(bench(flowers)), class = "cawi_error_object")
  expect_error(plot(bench(flowers, init = "iid")), class = "cawi_error_x")
})

# cawi_grid() refuses such values; a grid may be edited later.
edited_grid <- function(axis, value) {
  grid <- cawi_grid(hidden = 3, activation = "relu", lambda = 1)
  grid[[axis]] <- value
  grid
}

test_that("hidden nodes and activations that are none are refused by every protocol", {
  for (protocol in c("nested", "paper", "equal")) {
    for (hidden in list(NA_real_, c(5, NA), 2.5, 0, c(5, -3), Inf)) {
      grid <- edited_grid("hidden", hidden)
      expect_error(bench(flowers, protocol = protocol, grid = grid, nested_above = 10),
                   class = "cawi_error")
    }
    for (activation in list("foo", 1)) {
      grid <- edited_grid("activation", activation)
      expect_error(bench(flowers, protocol = protocol, grid = grid), class = "cawi_error")
    }
  }
  targets <- targets_of(flowers$y)
  expect_error(nests_losses(flowers$x, targets, list(), list(), 1, new_judge(targets), 1L),
               "no networks", class = "cawi::DomainError")
  expect_error(bench(flowers, threads = 0), class = "cawi_error_threads")
})

test_that("nested grids may leave anything out, and the record tells what the model had", {
  b <- bench(flowers, init = "iid", grid = cawi_grid(lambda = c(1, 10)))
  expect_identical(unique(b$hidden), as.character(cawi_rvfl(flowers$x, flowers$y)$spec$hidden))
  b <- bench(flowers, init = "iid", models = "bls",
             grid = cawi_grid(windows = 2, nodes = 3, lambda = 1))
  expect_false(anyNA(as.data.frame(b)))
  b <- bench(flowers, init = "iid", models = "drvfl",
             grid = cawi_grid(hidden = list(c(4, 3)), lambda = 1))
  expect_identical(unique(b$hidden), "4+3")
})

test_that("a class that a fold would take away is told beforehand", {
  alone <- list(x = flowers$x[1:10, ], y = c("a", "b", rep("a", 8)))
  expect_error(bench(list(alone = alone)), class = "cawi_error_datasets")
  expect_identical(nrow(bench(list(alone = alone), protocol = "paper", init = "iid")), 6L)
})

test_that("some columns of a benchmark, or none of its folds, print as a data frame", {
  b <- bench(flowers, protocol = "paper", init = "iid")
  expect_output(print(b[, c("set", "accuracy")]), "set +accuracy")
  expect_output(print(b[0, ]), "0 rows")
  expect_output(print(b[b$fold == 0, ]), "tried")
  expect_output(print(b[NA_integer_, ]), "NA")
})

test_that("pictures ask for no more than they show", {
  b <- bench(flowers, protocol = "equal", draws = 2, init = "iid")
  lines <- drawn_lines(recorded(expect_silent(plot(b, "draws"))))
  expect_identical(lines$x, c(1, 2))
  expect_equal(lines$y, 100 * b$accuracy[b$fold == 0])
  sets <- list(a = flowers, b = list(x = flowers$x[, 1:2], y = flowers$y),
               c = list(x = flowers$x[, 3:4], y = flowers$y))
  pair <- bench(sets, init = c("gaussian", "t"))
  names <- drawn_text(recorded(expect_silent(plot(pair, "ranks"))))$text
  for (init in c("gaussian", "t")) expect_true(any(startsWith(names, paste0(" ", init, " ("))))
  expect_error(plot(pair, "gain"), class = "cawi_error_baseline")
  # Paths are means over the same sets for all distributions.
  e <- bench(sets[1:2], protocol = "equal", draws = 2)
  part <- e[e$init == "iid" | e$set == "a", ]
  picture <- benchmark_picture(part, "draws", NULL, "iid")
  expect_identical(picture$title, "RVFL, protocol equal, 1 set")
  last <- function(set) {
    100 * e$accuracy[e$set == set & e$init == "iid" & e$fold == 0 & e$tried == 2]
  }
  expect_equal(picture$data$accuracy[picture$data$init == "iid" & picture$data$tried == 2],
               last("a"))
  expect_error(plot(e[(e$init == "iid") == (e$set == "a"), ], "draws"), class = "cawi_error_x")
})

test_that("numbers are no classes unless they are said to be", {
  error <- expect_error(bench(list(a = list(x = flowers$x, y = as.integer(flowers$y)))),
                        class = "cawi_error_datasets")
  expect_s3_class(error$parent, "cawi_error_y")
  expect_match(conditionMessage(error), "factor(y)", fixed = TRUE)
  same <- function(y) {
    found <- as.data.frame(bench(list(a = list(x = flowers$x[51:150, ], y = y))))
    found[names(found) != "seconds"]
  }
  y <- as.character(flowers$y)[51:150]
  wanted <- same(y)
  expect_identical(same(flowers$y[51:150]), wanted)
  expect_identical(same(y == "virginica"), wanted)
})

test_that("the nested protocol takes the class of the largest raw score", {
  found <- bench(list(a = flowers), init = "gaussian", seeds = 7)
  fold <- cawi_folds(flowers$y, 5, seed = 7)[, 1]
  accuracy <- vapply(1:5, function(k) {
    tuned <- cawi_tune(flowers$x[fold != k, ], flowers$y[fold != k], "rvfl", few, init = "gaussian",
                       seed = 7)
    score <- predict(tuned, flowers$x[fold == k, ], type = "score")
    mean(colnames(score)[max.col(score, "first")] == flowers$y[fold == k])
  }, 0)
  expect_identical(found$accuracy, accuracy)
})

test_that("names of sets are text without carriage returns", {
  set <- list(x = as.matrix(iris[, 1:2]), y = iris$Species)
  for (name in c("a\rb", rawToChar(as.raw(c(0x61, 0xff))))) {
    expect_error(cawi_benchmark(stats::setNames(list(set), name), init = "iid"),
                 class = "cawi_error_datasets")
  }
})
