# Sets of rsample and metrics of yardstick themselves; test-tune-rsample.R has what needs neither.

grid <- function() cawi_grid(hidden = 5, lambda = c(0.1, 1))

test_that("the sets of rsample are understood", {
  skip_without_tidymodels()
  set.seed(3)
  sets <- list(
    rsample::vfold_cv(mtcars, 3, repeats = 2), rsample::bootstraps(mtcars, 3),
    rsample::mc_cv(mtcars, times = 2), rsample::group_vfold_cv(mtcars, cyl),
    rsample::rolling_origin(mtcars, initial = 20, assess = 6, skip = 5)
  )
  for (set in sets) {
    tuned <- cawi_tune(mpg ~ ., mtcars, grid = grid(), resampling = set, seed = 1)
    expect_identical(nrow(tuned$parts), 2L * nrow(set))
    split <- set$splits[[nrow(set)]]
    fit <- cawi_rvfl(mpg ~ ., rsample::analysis(split), hidden = 5, lambda = 1, seed = 1)
    fresh <- rsample::assessment(split)
    error <- sqrt(mean((predict(fit, fresh) - fresh$mpg)^2))
    expect_equal(utils::tail(tuned$parts$mean, 1), error)
  }
})

test_that("the metrics of yardstick judge a grid as yardstick does", {
  skip_without_tidymodels()
  fold <- cawi_folds(mtcars$mpg, 3, seed = 1)
  tuned <- cawi_tune(mpg ~ ., mtcars, grid = grid(), resampling = fold, metric = yardstick::mae,
                     seed = 1)
  expect_identical(tuned$metric, "mae")
  expect_false(tuned$maximize)
  out <- fold[, 1] == 3
  fit <- cawi_rvfl(mpg ~ ., mtcars[!out, ], hidden = 5, lambda = 1, seed = 1)
  error <- yardstick::mae_vec(mtcars$mpg[out], predict(fit, mtcars[out, ]))
  expect_equal(utils::tail(tuned$parts$mean, 1), error)

  fold <- cawi_folds(iris$Species, 3, seed = 1)
  own <- cawi_tune(Species ~ ., iris, grid = grid(), resampling = fold, seed = 1)
  for (metric in c("accuracy", "roc_auc", "mn_log_loss")) {
    metric_of <- getExportedValue("yardstick", metric)
    tuned <- cawi_tune(Species ~ ., iris, grid = grid(), resampling = fold, metric = metric_of,
                       seed = 1)
    expect_identical(tuned$metric, metric)
    if (metric == "accuracy") expect_equal(tuned$results$mean, own$results$mean)
  }
  named <- cawi_tune(Species ~ ., iris, grid = grid(), resampling = fold, metric = "log_loss",
                     seed = 1)
  expect_equal(tuned$results$mean, named$results$mean)
  two <- droplevels(iris[51:150, ])
  area <- cawi_tune(Species ~ ., two, grid = grid(), metric = yardstick::roc_auc, seed = 1)
  expect_gt(area$results$mean[1], 0.9)
})

test_that("metrics that cannot judge the grid are refused", {
  skip_without_tidymodels()
  tune <- function(...) cawi_tune(mpg ~ ., mtcars, grid = grid(), ...)
  expect_error(tune(metric = yardstick::accuracy), class = "cawi_error_metric")
  expect_error(tune(metric = yardstick::metric_set(yardstick::rmse)), class = "cawi_error_metric")
  expect_error(tune(metric = yardstick::mpe), class = "cawi_error_metric")
  expect_error(tune(metric = yardstick::mae, maximize = TRUE), class = "cawi_error_maximize")
})
