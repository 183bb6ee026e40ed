x <- small_x()

test_that("classes with awkward names keep them in augment", {
  y <- factor(rep(c("a b", "1"), 20), c("a b", "1"))
  fit <- cawi_rvfl(x, y, hidden = 5, seed = 1)
  expect_true(all(c(".pred_a b", ".pred_1") %in% names(augment(fit, data.frame(x)))))
  expect_identical(nrow(augment(fit, x[1, , drop = FALSE])), 1L)
})

test_that("glance has a penalty where there is one", {
  x <- small_x()
  y <- cbind(a = x[, 1], b = sin(9 * x[, 2]))
  expect_identical(glance(cawi_rvfl(x, y[, 1], hidden = 5, lambda = 2, seed = 1))$lambda, 2)
  several <- cawi_rvfl(x, y, hidden = 5, lambda = matrix(c(1, 2), 1), seed = 1)
  expect_identical(glance(several)$lambda, NA_real_)
  expect_identical(several$lambda, c(1, 2))
})

test_that("a matrix of a strange class stands beside its predictions", {
  # It loads dplyr, which has methods for that class.
  skip_if_not_installed("recipes")
  x <- small_x()
  fit <- cawi_elm(x, small_y("regression"), hidden = 3, seed = 1)
  strange <- structure(x, class = c("grouped_df", "matrix", "array"))
  expect_identical(augment(fit, strange), augment(fit, x))
})

test_that("predictions do not stand beside columns of their names", {
  few <- cawi_rvfl(Species ~ Sepal.Width, iris, hidden = 3, seed = 1)
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, seed = 1)
  expect_error(augment(fit, augment(few, iris)), ".pred_class", class = "cawi_error_new_data")
  number <- cawi_rvfl(mpg ~ wt, mtcars, hidden = 3, seed = 1)
  expect_error(augment(number, augment(number, mtcars)), class = "cawi_error_new_data")
  y <- factor(rep(c("class", "other"), 16))
  expect_error(augment(cawi_elm(mtcars[2:4], y, hidden = 3, seed = 1), mtcars[2:4]),
               class = "cawi_error_new_data")
  # Names that the data have twice are the user's own.
  doubled <- cbind(mtcars, extra = 1, extra = 2)
  expect_identical(ncol(augment(number, doubled)), ncol(doubled) + 1L)
})
