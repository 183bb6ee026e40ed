inits <- c("iid", "auto", "gaussian", "t", "clayton", "frank", "gumbel")
tiny <- list(elm = list(hidden = 4), rvfl = list(hidden = 4), drvfl = list(hidden = c(3, 3)),
             edrvfl = list(hidden = c(3, 3)), bls = list(windows = 2, nodes = 2, enhancement = 3))

for (model in model_names) for (init in inits) {
  test_that(paste("every activation and task runs, the same for any threads:", model, init), {
    x <- small_x(16)
    for (activation in names(plain_activations)) for (task in c("classification", "regression")) {
      y <- small_y(task, x)
      fits <- lapply(c(1, 2, 4), function(threads) {
        fit_named(model, x, y, init = init, activation = activation, seed = 7, threads = threads,
                  shape = tiny[[model]])
      })
      expect_true(all(is.finite(predict(fits[[1]], x, type = "score"))))
      expect_true(identical(timeless(fits[[2]]), timeless(fits[[1]])))
      expect_true(identical(timeless(fits[[3]]), timeless(fits[[1]])))
    }
  })
}

for (model in model_names) {
  test_that(paste("threads do not change large fits and predictions either:", model), {
    x <- small_x(3000)
    for (task in c("classification", "outputs")) for (init in c("iid", "t")) {
      y <- small_y(task, x)
      fits <- lapply(c(1, 2, 4), function(threads) {
        fit_named(model, x, y, init = init, lambda = c(0.1, 1), seed = 7, threads = threads)
      })
      expect_identical(timeless(fits[[2]]), timeless(fits[[1]]))
      expect_identical(timeless(fits[[3]]), timeless(fits[[1]]))
      one <- predict(fits[[1]], x, type = "score", threads = 1)
      expect_identical(predict(fits[[1]], x, type = "score", threads = 2), one)
      expect_identical(predict(fits[[1]], x, type = "score", threads = 4), one)
      expect_identical(cawi_features(fits[[1]], x, threads = 4), cawi_features(fits[[1]], x, threads = 1))
    }
  })

  test_that(paste("set.seed() governs, seed overrides and leaves the generator alone:", model), {
    x <- small_x()
    y <- small_y("classification", x)
    set.seed(1)
    first <- fit_named(model, x, y)
    second <- fit_named(model, x, y)
    set.seed(1)
    expect_identical(coef(fit_named(model, x, y)), coef(first))
    expect_false(identical(coef(second), coef(first)))
    expect_generator_untouched(seeded <- fit_named(model, x, y, seed = 3))
    expect_identical(coef(fit_named(model, x, y, seed = 3)), coef(seeded))
    expect_false(identical(coef(fit_named(model, x, y, seed = 4)), coef(seeded)))
    expect_generator_untouched(predict(seeded, x, type = "prob"))
    expect_generator_untouched(cawi_diagnose(seeded, draws = 2))
    expect_generator_untouched(update(seeded, new_x = x, new_y = y))
  })

  test_that(paste("sin(2x) is learned to within 0.01:", model), {
    x <- matrix(seq(-3, 3, length.out = 400))
    y <- sin(2 * x[, 1])
    between <- matrix(seq(-2.99, 2.99, length.out = 333))
    shape <- switch(model, elm = , rvfl = list(hidden = 60), drvfl = , edrvfl = list(hidden = c(60, 60)),
                    bls = list(windows = 6, nodes = 10, enhancement = 60))
    rmse <- function(...) {
      fit <- fit_named(model, x, y, ..., seed = 1, shape = shape)
      sqrt(mean((predict(fit, between) - sin(2 * between[, 1]))^2))
    }
    expect_lt(rmse(activation = "radbas"), 0.01)
    expect_lt(rmse(activation = "sigmoid", scale = 5), 0.01)
    expect_lt(rmse(activation = "radbas", init = "gaussian"), 0.01)
  })

  test_that(paste("formula, data frame and matrix give one model:", model), {
    fit_with <- function(...) do.call(paste0("cawi_", model), c(list(...), tiny[[model]], seed = 1))
    matrix_fit <- fit_with(as.matrix(iris[, 1:4]), iris$Species)
    frame_fit <- fit_with(iris[, 1:4], iris$Species)
    formula_fit <- fit_with(Species ~ ., iris)
    expect_equal(frame_fit$readouts, matrix_fit$readouts)
    expect_equal(formula_fit$readouts, matrix_fit$readouts)
    expect_equal(predict(formula_fit, iris, type = "prob"), predict(matrix_fit, as.matrix(iris[, 1:4]), type = "prob"))
    expect_s3_class(matrix_fit, c(paste0("cawi_", model), "cawi_model"), exact = TRUE)
    expect_gt(mean(predict(formula_fit, iris) == iris$Species), 0.75)
  })
}

test_that("a saved model predicts the same in a new session", {
  mixed <- transform(iris, kind = letters[1:3])
  fits <- unlist(lapply(model_names, function(model) list(
    fit_named(model, small_x(), small_y("classification"), init = "t", seed = 1),
    fit_named(model, small_x(), small_y("outputs"), seed = 1),
    do.call(paste0("cawi_", model), c(list(Species ~ ., mixed), tiny[[model]]))
  )), recursive = FALSE)
  data <- rep(list(small_x(), small_x(), mixed[1:9, ]), length(model_names))
  predict_all <- function(fits, data) {
    Map(function(fit, x) list(predict(fit, x), predict(fit, x, type = "score")), fits, data)
  }
  files <- file.path(tempdir(), c("saved.rds", "predicted.rds", "session.R"))
  on.exit(unlink(files))
  saveRDS(list(fits, data), files[1])
  writeLines(c(
    paste0(".libPaths(", paste(deparse(.libPaths()), collapse = ""), ")"),
    "files <- commandArgs(TRUE)",
    "loadNamespace('cawi')",
    "saved <- readRDS(files[1])",
    paste(c("predict_all <- ", deparse(predict_all)), collapse = "\n"),
    "saveRDS(predict_all(saved[[1]], saved[[2]]), files[2])"
  ), files[3])
  status <- system2(file.path(R.home("bin"), "Rscript"), shQuote(c("--vanilla", files[3], files[1:2])),
                    stdout = FALSE, stderr = FALSE)
  expect_identical(status, 0L)
  expect_identical(readRDS(files[2]), predict_all(fits, data))
})

test_that("a model carries a format version", {
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 3)
  expect_identical(fit$format, model_format)
})

test_that("fitting prints nothing", {
  expect_silent(cawi_rvfl(Species ~ ., iris, hidden = 3, init = "auto", seed = 1))
  expect_silent(cawi_bls(mpg ~ ., mtcars, windows = 2, nodes = 2, enhancement = 3, seed = 1))
})

test_that("defaults are those of the documentation", {
  x <- small_x()
  y <- small_y("regression", x)
  expect_identical(cawi_rvfl(x, y)$spec$hidden, 100L)
  expect_identical(cawi_drvfl(x, y)$spec$hidden, c(100L, 100L, 100L))
  expect_identical(cawi_bls(x, y)$spec$hidden, c(100L, 100L))
  bls <- cawi_bls(x, y, windows = 2, nodes = 3, enhancement_windows = 4, enhancement = 5)
  expect_identical(bls$spec$hidden, c(6L, 20L))
})

test_that("training data stay in the model up to a size, or as asked", {
  x <- small_x()
  y <- small_y("regression", x)
  expect_identical(cawi_rvfl(x, y, hidden = 2)$data$x, x)
  expect_null(cawi_rvfl(x, y, hidden = 2, keep_data = FALSE)$data)
  small <- cawi_rvfl(small_x(4000), small_y("regression", small_x(4000)), hidden = 5, lambda = 1, keep_data = FALSE)
  expect_lt(object.size(small), object.size(small_x(4000)))
})
