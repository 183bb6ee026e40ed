spec_of <- function(...) cawi_drvfl(small_x(), small_y("regression"), hidden = c(3, 4), seed = 1, ...)$spec

test_that("arguments arrive in the specification", {
  spec <- spec_of(activation = c("relu", "sine"), init = "frank", marginal = "normal", scale = 2,
                  lambda = c(1, 0.1, 1), direct = FALSE, intercept = FALSE, standardize = FALSE,
                  align = "first", na_action = "omit")
  expect_identical(spec$hidden, 3:4)
  expect_identical(spec$activation, c("relu", "sine"))
  expect_identical(spec$init, "frank")
  expect_identical(spec$marginal, "normal")
  expect_identical(spec$scale, 2)
  expect_identical(spec$lambda, c(0.1, 1))
  expect_false(spec$direct || spec$intercept || spec$standardize)
  expect_identical(spec$align, "first")
  expect_identical(spec$na_action, "omit")
})

test_that("one activation serves all layers, and NULL is the whole path", {
  spec <- spec_of(activation = "tribas", lambda = NULL)
  expect_identical(spec$activation, c("tribas", "tribas"))
  expect_equal(spec$lambda, 10^(-6:6))
})

test_that("independence is another name of iid", {
  expect_identical(coef(cawi_rvfl(small_x(), small_y("regression"), hidden = 3, init = "independence", seed = 1)),
                   coef(cawi_rvfl(small_x(), small_y("regression"), hidden = 3, init = "iid", seed = 1)))
})

test_that("the vocabularies", {
  expect_setequal(activation_names, c("sigmoid", "sine", "tribas", "radbas", "tansig", "relu", "selu"))
  expect_setequal(init_names, c("auto", "iid", "gaussian", "t", "clayton", "frank", "gumbel"))
})
