fit <- cawi_rvfl(mpg ~ wt, mtcars, hidden = 5, seed = 1)
tuned <- cawi_tune(mpg ~ wt, mtcars, grid = cawi_grid(hidden = 5, lambda = 1), seed = 1)
auto <- cawi_auto(mpg ~ wt, mtcars, hidden = 5, budget = 1, seed = 1)

test_that("covariances and confidence intervals are refused with a reason", {
  for (model in list(fit, tuned, auto)) {
    expect_error(vcov(model), "no covariance", class = "cawi_error_object")
    expect_error(confint(model), "interval", class = "cawi_error_object")
    expect_error(confint(model, "wt", level = 0.9), class = "cawi_error_object")
  }
})
