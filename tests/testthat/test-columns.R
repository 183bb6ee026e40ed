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
