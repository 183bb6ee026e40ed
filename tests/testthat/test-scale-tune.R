frame <- mixed_frame()
source <- cawi_source(frame, chunk = 20, folds = 4)

test_that("one fit tunes all penalties, with errors of every fold", {
  tuned <- cawi_tune(number ~ north + east, source, "elm", cawi_grid(lambda = 10^(-3:3)),
                     hidden = 9, seed = 1)
  fit <- cawi_elm(number ~ north + east, source, hidden = 9, seed = 1, lambda = 10^(-3:3))
  expect_identical(tuned$fit$lambda, fit$lambda)
  expect_identical(tuned$chosen$lambda, fit$lambda)
  expect_equal(tuned$results$rmse, as.vector(fit$readouts[[1]]$loo$rmse))
  expect_identical(nrow(tuned$parts), 28L)
  # The errors of the folds, weighted by their rows, are the error of all.
  fold <- fold_numbers(1, 1L, 0:89, 4L)
  part <- tuned$parts[tuned$parts$combination == 3, ]
  expect_equal(sqrt(sum(part$mean^2 * as.vector(table(fold)) / 90)), tuned$results$rmse[3])
  expect_equal(predict(tuned, frame), predict(fit, frame))
  expect_output(print(tuned), "4 folds of a source")
  expect_identical(generics::glance(tuned)$combinations, 7L)
})

test_that("the default is the path of penalties", {
  tuned <- cawi_tune(class ~ north + east, source, hidden = 5, seed = 1)
  expect_identical(nrow(tuned$results), 13L)
  expect_equal(rowSums(predict(tuned, frame, type = "prob")), rep(1, 90))
  outputs <- cawi_tune(cbind(number, second) ~ north, source, hidden = 5, seed = 1)
  expect_length(outputs$fit$lambda, 2)
  third <- cawi_tune(number ~ north, cawi_source(frame, loo = TRUE), hidden = 5, seed = 1)
  expect_identical(third$resampling, "exact leave-one-out")
})

test_that("what sums cannot tell is refused", {
  tune <- function(...) cawi_tune(class ~ north, source, seed = 1, ...)
  expect_error(tune(grid = cawi_grid(hidden = c(3, 4))), class = "cawi_error_grid")
  expect_error(tune(metric = "accuracy"), class = "cawi_error_metric")
  expect_error(tune(one_se = TRUE), class = "cawi_error_one_se")
  expect_error(tune(resampling = 5), class = "cawi_error_resampling")
})
