small_sets <- function() {
  list(iris = list(x = as.matrix(iris[, 1:4]), y = iris$Species),
       cars = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$am)),
       gears = list(x = as.matrix(mtcars[, c(1, 3:7)]), y = factor(mtcars$gear)))
}
small_grid <- cawi_grid(hidden = c(3, 9), activation = c("sigmoid", "radbas"), lambda = 10^(-2:1))
run <- function(..., sets = small_sets(), init = c("iid", "gaussian", "t", "clayton")) {
  cawi_benchmark(sets, init = init, grid = small_grid, ...)
}
# Times differ from run to run.
timeless_rows <- function(x) as.data.frame(x)[setdiff(names(x), "seconds")]

test_that("a nested unit is what tuning in the training part and predicting gives", {
  b <- run(sets = small_sets()["iris"], init = "gaussian", seeds = 7)
  fold <- cawi_folds(iris$Species, 5, seed = 7)[, 1]
  for (k in c(1, 4)) {
    train <- fold != k
    tuned <- cawi_tune(iris[train, 1:4], iris$Species[train], "rvfl", small_grid, init = "gaussian",
                       seed = 7)
    expect_equal(b$accuracy[b$fold == k],
                 mean(tuned$fit$levels[max.col(predict(tuned, iris[!train, 1:4], type = "score"),
                                               "first")] ==
                        iris$Species[!train]))
    expect_identical(b$hidden[b$fold == k], as.character(tuned$best$hidden))
  }
})

test_that("rows are standardized across their features, folds are blocks", {
  x <- standardize_rows(rbind(c(1, 2, 3), c(5, 5, 5)))
  expect_equal(x, rbind(c(-1, 0, 1), c(0, 0, 0)))
  # The rule of the public code: test rows ceil((k - 1) m / 5) + 1 to ceil(k m / 5).
  for (m in c(5, 7, 24, 151)) {
    wanted <- unlist(lapply(1:5, function(k) rep(k, ceiling(k * m / 5) - ceiling((k - 1) * m / 5))))
    expect_identical(contiguous_folds(m, 5), as.integer(wanted))
  }
})

test_that("accuracies of the paper's protocol are those of plain R", {
  set <- small_sets()$iris
  unit <- list(model = "rvfl", init = "gaussian", seed = 5)
  arm <- function(together) {
    plan <- list(protocol = "equal", draws = 1, folds = 5, grids = list(rvfl = small_grid),
                 nested_above = if (together) 0 else Inf)
    test_fold_arm(unit, plan, set, 1L)
  }
  for (together in c(TRUE, FALSE)) {
    shared <- arm(together)
    part <- shared$parts[[2]]
    copula <- part_copula(part$x, "gaussian", 1L)
    found <- fold_accuracies(shared, 2, 1, "sigmoid", 1L)
    # Variant 1, the first activation, part 2.
    drawn <- child_seed_cpp(child_seed_cpp(5, 2), 10102)
    for (i in 1:2) {
      hidden <- c(9, 3)[i]
      seed <- if (together) drawn else child_seed_cpp(drawn, i)
      net <- paper_network(part$x, "rvfl", copula, if (together) 9 else hidden, "sigmoid", seed, 1L)
      keep <- seq_len(hidden)
      h <- function(x) {
        1 / (1 + exp(-sweep(x %*% net$layers[[1]]$weights[, keep], 2, net$layers[[1]]$bias[keep],
                            `+`)))
      }
      a <- cbind(part$x, h(part$x), 1)
      new <- cbind(part$fresh$x, h(part$fresh$x), 1)
      y <- diag(3)[part$targets$classes, ]
      for (l in 1:4) {
        beta <- solve(crossprod(a) + 10^(l - 3) * diag(ncol(a)), crossprod(a, y))
        expect_equal(found[l, i],
                     mean(max.col(new %*% beta, "first") == part$fresh$targets$classes))
      }
    }
  }
})

test_that("arms try as many networks as the public code does", {
  copula <- list(cawi_copula_from("t", dim = 3, cor = diag(3), df = 5))
  count <- function(init, protocol = "paper") {
    length(arm_variants(init, list(protocol = protocol, draws = 21), copula))
  }
  tried <- vapply(distribution_names, count, integer(1))
  expect_identical(unname(tried), c(1L, 4L, 21L, 5L, 5L, 5L))
  equal <- vapply(distribution_names, count, integer(1), protocol = "equal")
  expect_identical(unname(equal), rep(21L, 6))
})

test_that("the best over more draws never falls, and the last is the accuracy reported", {
  b <- run(sets = small_sets()["cars"], protocol = "equal", draws = 4, init = c("iid", "gaussian"))
  for (init in c("iid", "gaussian")) {
    path <- b$accuracy[b$fold == 0 & b$init == init]
    expect_length(path, 4)
    expect_false(is.unsorted(path))
    expect_equal(path[4], mean(b$accuracy[b$fold > 0 & b$init == init]))
  }
})

test_that("a finished unit is read, not run again, and other settings are other units", {
  folder <- new_folder()
  first <- run(record = folder, sets = small_sets()["cars"])
  files <- list.files(folder)
  expect_length(files, 4)
  stamp <- file.mtime(file.path(folder, files))
  expect_identical(run(record = folder, sets = small_sets()["cars"]), first)
  expect_identical(file.mtime(file.path(folder, files)), stamp)
  run(record = folder, sets = small_sets()["cars"], seeds = 8, init = "iid")
  expect_length(list.files(folder), 5)
})

test_that("a run that is killed three times gives the table of an unbroken one", {
  skip_on_os("windows")
  folder <- new_folder()
  done <- file.path(folder, "done")
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(cawi)",
    "sets <- list(iris = list(x = as.matrix(iris[, 1:4]), y = iris$Species),",
    "             cars = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$am)),",
    "             gears = list(x = as.matrix(mtcars[, c(1, 3:7)]), y = factor(mtcars$gear)))",
    "grid <- cawi_grid(hidden = c(3, 9), activation = c('sigmoid', 'radbas'), lambda = 10^(-2:1))",
    "b <- cawi_benchmark(sets, init = c('iid', 'gaussian', 't', 'clayton'), grid = grid,",
    sprintf("                    record = '%s')", file.path(folder, "units")),
    sprintf("writeLines('whole', '%s')", done)
  ), script)
  units <- function() length(list.files(file.path(folder, "units"), "csv$"))
  # Killed as soon as it has written one, four and eight units, at whatever it is doing then.
  for (least in c(1, 4, 8)) {
    pid <- start_script(script)
    wait_until(units() >= least || file.exists(done))
    tools::pskill(pid, tools::SIGKILL)
  }
  expect_lte(units(), 12)
  resumed <- run(record = file.path(folder, "units"))
  expect_read_back(timeless_rows(resumed), timeless_rows(run()))
  expect_length(list.files(file.path(folder, "units"), "part$"), 0)
})

test_that("the table is the same for any number of threads", {
  one <- run(sets = small_sets()[2:3], threads = 1)
  expect_identical(timeless_rows(run(sets = small_sets()[2:3], threads = 2)), timeless_rows(one))
})

test_that("summaries compare the distributions, and count the best of all as the paper does", {
  b <- run()
  table <- benchmark_matrix(b)
  expect_identical(dim(table), c(3L, 4L))
  s <- summary(b)
  expect_equal(s$rvfl$pairs$gain, unname(colMeans(table[, -1] - table[, 1])))
  expect_equal(s$rvfl$best$gain, mean(apply(table[, -1], 1, max) - table[, 1]))
  expect_output(print(b), "protocol nested: 3 data sets")
  expect_output(print(s), "Best of all others")
  expect_identical(summary(b, seed = 3)$rvfl$pairs,
                   cawi_compare(table, "iid", rope = 0.1, seed = 3)$pairs)
  expect_generator_untouched(summary(b, seed = 3))
  set.seed(2)
  again <- summary(b)
  set.seed(2)
  expect_identical(summary(b), again)
})

test_that("all distributions of the weights are compared by default", {
  b <- cawi_benchmark(small_sets()["cars"], grid = small_grid)
  expect_identical(unique(b$init), distribution_names)
})

test_that("arms may have arguments and functions of one's own", {
  signs <- function(x, hidden, seed) {
    set.seed(seed)
    matrix(sample(c(-1, 1), ncol(x) * hidden, replace = TRUE), ncol(x))
  }
  arms <- list(iid = "iid", half = list(init = "gaussian", strength = 0.5), signs = signs)
  record <- tempfile("record-")
  b <- run(sets = small_sets()["cars"], init = arms, record = record)
  expect_identical(unique(b$init), c("iid", "half", "signs"))
  plain <- run(sets = small_sets()["cars"], init = "iid")
  expect_read_back(b$accuracy[b$init == "iid"], plain$accuracy)
  # Another function by the same name is another unit; the others are read.
  arms$signs <- function(x, hidden, seed) signs(x, hidden, seed) / 2
  expect_identical(length(list.files(record)), 3L)
  run(sets = small_sets()["cars"], init = arms, record = record)
  expect_identical(length(list.files(record)), 4L)
  expect_silent(on_null_device(plot(b, "gain")))
  expect_error(run(init = list(a = list(strenght = 1))), class = "cawi_error_dots")
  expect_identical(anyDuplicated(init_colors(unique(b$init))), 0L)
})

test_that("the paper's grid has the paper's weights, whatever their spread", {
  expect_identical(cawi_grid_paper("rvfl")$scale, 1)
  tuned <- cawi_tune(iris[, 1:4], iris$Species, "rvfl", cawi_grid_paper("rvfl"), init = "gaussian",
                     seed = 1)
  expect_identical(tuned$fit$network$layers[[1L]]$factor, 1)
})

test_that("pictures of ranks need no random numbers", {
  b <- run()
  expect_generator_untouched(on_null_device(plot(b, "ranks")))
  picture <- benchmark_picture(b, "ranks", NULL, "iid")$comparison
  expect_identical(picture, unclass(cawi_compare(benchmark_matrix(b)))[names(picture)])
})

test_argument_errors(alist(
  datasets = cawi_benchmark(1),
  datasets = cawi_benchmark(list(list(x = 1, y = 2))),
  datasets = cawi_benchmark(list(a = list(x = 1))),
  models = cawi_benchmark(small_sets(), models = "forest"),
  models = cawi_benchmark(small_sets(), models = "bls", protocol = "paper"),
  protocol = cawi_benchmark(small_sets(), protocol = "best"),
  init = cawi_benchmark(small_sets(), init = "joe"),
  init = cawi_benchmark(small_sets(), init = list("iid")),
  init = cawi_benchmark(small_sets(), init = list(a = "iid", a = "t")),
  init = cawi_benchmark(small_sets(), init = list(a = "joe")),
  init = cawi_benchmark(small_sets(), init = list(a = "iid"), protocol = "paper"),
  grid = cawi_benchmark(small_sets(), grid = list(hidden = 3)),
  seeds = cawi_benchmark(small_sets(), seeds = -1),
  folds = cawi_benchmark(small_sets(), folds = 1),
  draws = cawi_benchmark(small_sets(), draws = 0),
  record = cawi_benchmark(small_sets(), record = 5)
))
