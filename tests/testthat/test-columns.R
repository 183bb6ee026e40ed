test_that("infinite values are never left out or filled in", {
  x <- cbind(a = c(1, NA, 3), b = c(1, 2, Inf))
  for (na_action in c("fail", "omit", "impute")) {
    expect_error(handle_missing(x, na_action, c(2, 2), "x", NULL), "\"b\"",
                 class = "cawi_error_x")
  }
  x[3, 2] <- 9
  expect_identical(handle_missing(x, "omit", c(2, 2), "x", NULL), x)
  expect_identical(handle_missing(x, "impute", c(2, 2), "x", NULL)[2, 1], c(a = 2))
})

test_that("a response that is a data frame of another class is one like any other", {
  skip_if_not_installed("dplyr")
  grouped <- getExportedValue("dplyr", "grouped_df")
  y <- grouped(data.frame(p = c(1, 2, 4, 3), q = c(2, 1, 3, 5)), "p")
  plain <- plain_response(y)
  expect_identical(class(plain), "data.frame")
  names(y) <- c(NA, "q")
  expect_error(cawi_elm(data.frame(a = 1), y, hidden = 2), class = "cawi_error")
  expect_identical(plain_response(y)[[2L]], c(2, 1, 3, 5))
})

test_that("a name that is too long for R is none", {
  data <- stats::setNames(mtcars[1:3], c("mpg", strrep("x", 10001), "z"))
  fit <- cawi_rvfl(mpg ~ z, data, hidden = 3, seed = 1)
  expect_identical(predict(fit, data), predict(fit, data[c(1, 3)]))
  expect_error(cawi_rvfl(mpg ~ ., data, hidden = 3, seed = 1), class = "cawi_error_data")
  expect_error(cawi_tune(mpg ~ ., data, grid = cawi_grid(hidden = 3), seed = 1),
               class = "cawi_error_data")
})
