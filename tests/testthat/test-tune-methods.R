x <- small_x()
classes <- small_y("classification", x)
numbers <- small_y("regression", x)
grid <- cawi_grid(hidden = c(5, 9), activation = c("sigmoid", "radbas"), lambda = c(0.1, 1))

by_loo <- cawi_tune(x, classes, "rvfl", grid, seed = 1)
by_folds <- cawi_tune(x, numbers, "rvfl", grid, resampling = 3, repeats = 2,
                      one_se = TRUE, seed = 1)
by_function <- cawi_tune(x, numbers, "elm", grid,
                         metric = function(truth, value) mean(abs(truth - value)),
                         maximize = FALSE, seed = 1)
only_one <- cawi_tune(x, numbers, "elm", cawi_grid(hidden = 4, lambda = 1), seed = 1)
deep <- cawi_tune(x, classes, "drvfl", cawi_grid(hidden = list(5, c(5, 4)), lambda = c(0.1, 1)),
                  metric = "brier", resampling = rep_len(1:4, 40), seed = 1)

test_that("print says what was tried, how, and what was chosen", {
  expect_output(print(by_loo),
                "<cawi_tuned> Random vector functional link, 8 combinations by exact leave-one-out")
  expect_output(print(by_loo), "chosen: lambda [0-9.]+, hidden [0-9]+, activation (sigmoid|radbas)")
  expect_output(print(by_loo), "accuracy 0\\.[0-9]+ \\(se 0\\.[0-9]+\\)")
  expect_output(print(by_loo), "Best combinations:")
  expect_output(print(by_folds), "3 stratified folds, repeated 2 times")
  expect_output(print(by_folds), "RMSE .*the simplest within one standard error")
  expect_output(print(deep), "4 given folds")
  expect_output(print(deep), "chosen: lambda [0-9.]+, hidden [0-9+]+")
  expect_output(print(deep), "Brier score")
  expect_output(print(by_function), "metric [0-9.]+")
  expect_output(print(only_one), "chosen: the only one")
  expect_false(any(grepl("Best combinations", capture.output(print(only_one)))))
  expect_false(any(grepl("Best combinations", capture.output(print(by_loo, n = 0)))))
  lines <- function(n) length(capture.output(print(by_loo, n = n)))
  expect_identical(lines(7) - lines(5), 2L)
  capture.output(shown <- withVisible(print(by_loo)))
  expect_identical(shown, list(value = by_loo, visible = FALSE))
})

test_that("what is said to be chosen is what was chosen", {
  for (tuned in list(by_loo, by_folds, deep)) {
    said <- grep("chosen:", capture.output(print(tuned)), value = TRUE)
    expect_match(said, paste("hidden", tuned$chosen$hidden), fixed = TRUE)
    expect_match(said, paste("lambda", tuned$chosen$lambda), fixed = TRUE)
    expect_identical(paste(tuned$fit$spec$hidden, collapse = "+"),
                     as.character(tuned$chosen$hidden))
    expect_identical(unique(unlist(readout_lambdas(tuned$fit))), tuned$best$lambda)
  }
})

test_that("summary and tidy list all combinations, best first, with the columns of the results", {
  table <- summary(by_loo)
  expect_identical(tidy(by_loo), table)
  expect_identical(nrow(table), 8L)
  expect_named(table, names(by_loo$results))
  expect_identical(unique(table$metric), "accuracy")
  expect_false(is.unsorted(-table$mean))
  expect_equal(table$mean[1], by_loo$chosen$mean)
  expect_equal(sort(table$rmse), sort(by_loo$results$rmse))
  expect_identical(anyDuplicated(names(table)), 0L)
  expect_false(is.unsorted(summary(by_folds)$mean))
  expect_identical(anyDuplicated(names(summary(by_folds))), 0L)
  expect_false(is.unsorted(summary(deep)$mean))
  expect_false(is.unsorted(summary(by_function)$mean))
  # Squared errors beside a function of the user's.
  expect_equal(sort(summary(by_function)$rmse), sort(by_function$results$rmse))
})

test_that("glance is one row", {
  expect_identical(nrow(glance(by_folds)), 1L)
  row <- glance(by_loo)
  expect_identical(row$combinations, 8L)
  expect_identical(row$metric, "accuracy")
  expect_identical(c(row$mean, row$se), c(by_loo$chosen$mean, by_loo$chosen$se))
  expect_identical(row$resampling, "exact leave-one-out")
})

test_that("predictions are those of the chosen model", {
  expect_identical(predict(by_loo, x), predict(by_loo$fit, x))
  expect_identical(predict(by_loo, x, type = "prob"), predict(by_loo$fit, x, type = "prob"))
  expect_identical(predict(by_loo, as.data.frame(x), type = "score", threads = 1),
                   predict(by_loo$fit, x, type = "score"))
  expect_type(predict(by_folds, x), "double")
  expect_gt(mean(predict(by_loo, x) == classes), 0.6)
})

test_that("a tuned model can be updated and looked at like any other", {
  expect_s3_class(by_loo$fit, "cawi_rvfl")
  more <- update(by_loo$fit, new_x = x, new_y = classes)
  expect_identical(more$nobs, 80)
  expect_output(print(by_loo$fit), "cawi_rvfl")
})

test_that("formulas give models that take data frames", {
  tuned <- cawi_tune(Species ~ ., iris, "rvfl", cawi_grid(hidden = c(5, 9), lambda = 1),
                     resampling = 3, seed = 1)
  expect_identical(levels(predict(tuned, iris[1:3, ])), levels(iris$Species))
  expect_gt(tuned$chosen$mean, 0.8)
})

damaged <- `[[<-`(by_loo, "fit", NULL)

test_argument_errors(alist(
  new_data = predict(by_loo),
  new_data = predict(by_loo, x[, 1:2]),
  new_data = predict(by_loo, "a"),
  type = predict(by_loo, x, type = "numeric"),
  type = predict(by_folds, x, type = "prob"),
  threads = predict(by_loo, x, threads = 0),
  object = predict(damaged, x),
  object = predict(`[[<-`(by_loo, "fit", 1), x),
  object = predict(`[[<-`(by_loo, "fit", `[[<-`(by_loo$fit, "network", NULL)), x),
  object = predict(structure(1, class = "cawi_tuned"), x)
))

test_that("residuals, fitted values and coefficients are those of the chosen model", {
  x <- small_x()
  tuned <- cawi_tune(x, x[, 1], grid = cawi_grid(hidden = 3, lambda = 1:2), seed = 1)
  expect_identical(residuals(tuned), residuals(tuned$fit))
  expect_identical(fitted(tuned), fitted(tuned$fit))
  expect_identical(coef(tuned), coef(tuned$fit))
  expect_false(is.null(residuals(tuned)))
})
