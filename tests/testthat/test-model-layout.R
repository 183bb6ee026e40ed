test_that("switches of the readout", {
  x <- small_x()
  y <- small_y("regression", x)
  columns <- function(...) {
    ncol(cawi_features(cawi_rvfl(x, y, hidden = 7, lambda = 1, seed = 1, ...), x))
  }
  expect_identical(columns(), 12L)
  expect_identical(columns(direct = FALSE), 8L)
  expect_identical(columns(intercept = FALSE), 11L)
  expect_identical(columns(direct = FALSE, intercept = FALSE), 7L)
  raw <- cawi_rvfl(x, y, hidden = 7, standardize = FALSE, lambda = 1, seed = 1)
  expect_equal(cawi_features(raw, x)[, 1:4], x)
  expect_lt(
    max(abs(unname(cawi_features(raw, x)) - plain_features(raw, x, standardize = FALSE)$all)), 1e-12
  )
  elm <- cawi_elm(x, y, hidden = 7, direct = TRUE, lambda = 1, seed = 1)
  rvfl <- cawi_rvfl(x, y, hidden = 7, lambda = 1, seed = 1)
  expect_identical(coef(elm), coef(rvfl))
})

test_that("labels of the features", {
  x <- small_x()
  fit <- cawi_drvfl(x, small_y("regression", x), hidden = c(2, 1), lambda = 1, seed = 1)
  labels <- c("north", "east", "south", "west", "h1_1", "h1_2", "h2_1", "(Intercept)")
  expect_identical(colnames(cawi_features(fit, x)), labels)
  expect_identical(rownames(coef(fit)), labels)
  bare <- cawi_rvfl(unname(x), small_y("regression", x), hidden = 1, lambda = 1, seed = 1)
  expect_identical(colnames(cawi_features(bare, x)),
                   c("x1", "x2", "x3", "x4", "h1_1", "(Intercept)"))
})
