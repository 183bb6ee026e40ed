gumbel <- cawi_copula_from("gumbel", dim = 2, theta = 2)
student <- cawi_copula_from("t", dim = 2, cor = 0.5, df = 4)
fitted <- cawi_copula(iris[, 1:4], "gaussian")

damaged <- function(copula, ...) {
  changes <- list(...)
  copula[names(changes)] <- changes
  copula
}

test_that("sound copulas come back as they are", {
  for (copula in list(gumbel, student, fitted, cawi_copula(iris[, 1:4]))) {
    expect_identical(check_copula(copula), copula)
    expect_null(copula_problem(unclass(copula)))
  }
})

test_that("each damage is told", {
  problem <- function(...) copula_problem(unclass(damaged(...)))
  expect_identical(copula_problem(1), "it is no list")
  expect_identical(problem(gumbel, family = "joe"), "its family is unknown")
  expect_identical(problem(gumbel, dim = 1.5), "its dimension is not a positive whole number")
  for (theta in list(0.9, Inf, NaN, "2", c(2, 3))) {
    expect_identical(problem(gumbel, theta = theta), "theta is out of range")
  }
  for (cor in list(1, matrix(2, 2, 2), matrix(c(1, 0.5, 0.4, 1), 2), diag(3))) {
    expect_identical(problem(student, cor = cor), "cor is not a correlation matrix")
  }
  expect_identical(problem(student, df = 0.01), "df is out of range")
  expect_identical(problem(gumbel, flipped = TRUE), "flipped does not fit its dimension")
  expect_identical(problem(fitted, tau = diag(3)), "tau is not a matrix of its dimension")
  expect_identical(problem(fitted, names = "a"), "names do not fit its dimension")
  expect_identical(problem(fitted, method = "guess"), "its method is unknown")
  expect_identical(problem(fitted, requested = "joe"), "requested is no family")
  expect_identical(problem(fitted, nobs = 0), "nobs is not a number of rows")
  expect_identical(problem(fitted, loglik = NA_real_), "loglik is not a number")
  for (active in list(9L, -1L, NA, "4")) {
    expect_identical(problem(fitted, active = active), "active is not a number of columns")
  }
  expect_identical(problem(fitted, selection = data.frame(family = "joe", parameters = 1)),
                   "selection is no table of families")
})

test_that("parameters of another family are told", {
  expect_identical(foreign_terms("gumbel", list(theta = 2, cor = NULL)), character())
  expect_identical(foreign_terms("gumbel", list(cor = diag(2), df = 3)), c("cor", "df"))
  expect_identical(foreign_terms("gaussian", list(cor = diag(2), df = 3)), "df")
  expect_identical(foreign_terms("independence", list(theta = 1)), "theta")
  expect_identical(copula_problem(unclass(damaged(gumbel, df = 4))),
                   "df is no parameter of its family")
})

test_that("errors name the argument", {
  expect_error(check_copula(1, "init"), class = "cawi_error_init")
  expect_error(check_copula(damaged(gumbel, theta = 0)), "theta is out of range",
               class = "cawi_error_copula")
  expect_error(check_correlation(matrix(c(2, 0, 0, 1), 2), "cor"), class = "cawi_error_cor")
  expect_error(check_correlation(matrix(c(1, 2, 2, 1), 2), "cor"), class = "cawi_error_cor")
})

test_that("the smallest eigenvalue is zero where all are positive", {
  expect_identical(smallest_eigenvalue(diag(3)), 0)
  expect_equal(smallest_eigenvalue(matrix(c(1, 2, 2, 1), 2)), -1)
})

test_that("a correlation matrix is told from others", {
  r <- matrix(c(1, 0.5, 0.2, 0.5, 1, -0.3, 0.2, -0.3, 1), 3)
  changed <- function(i, j, value) replace(r, cbind(i, j), value)
  expect_true(is_correlation(r, 3))
  expect_true(is_correlation(changed(1, 2, 0.5 + 1e-14), 3))
  expect_true(is_correlation(matrix(1, 3, 3), 3))
  expect_false(is_correlation(r, 2))
  expect_false(is_correlation(r[, 1:2], 3))
  expect_false(is_correlation(changed(1, 2, 0.4), 3))
  expect_false(is_correlation(changed(2, 2, 0.99), 3))
  for (value in list(NaN, NA, Inf, 1.1)) {
    expect_false(is_correlation(changed(c(1, 2), c(2, 1), value), 3))
  }
  indefinite <- matrix(-0.6, 3, 3)
  diag(indefinite) <- 1
  expect_false(is_correlation(indefinite, 3))
})

test_that("parts whose names only begin like those of a copula are not taken for them", {
  copula <- cawi_copula_from("frank", 2, theta = 3)
  for (part in c("family", "dim", "theta")) {
    edited <- copula
    names(edited)[names(edited) == part] <- paste0(part, "_old")
    expect_error(simulate(edited, 2, seed = 1), "damaged", class = "cawi_error_object")
    expect_error(cawi_weights(edited, 2), "damaged", class = "cawi_error_copula")
  }
})

test_that("the part that a copula has lost is named", {
  copula <- cawi_copula_from("clayton", dim = 2, theta = 2)
  copula$theta <- NULL
  expect_error(simulate(copula, 3), "it has no part called theta", class = "cawi_error_object")
})

test_that("a dimension in an array is refused", {
  # It failed where it was compared with the dimensions of tau.
  copula <- cawi_copula(cbind(1:20, c(2, 1, 3:20)), "clayton")
  copula$dim <- array(2L, 1)
  expect_error(coef(copula), class = "cawi_error_object")
  copula$dim <- array(1, 1)
  expect_error(generics::tidy(copula), class = "cawi_error")
})

test_that("a dimension with a name is refused", {
  frank <- cawi_copula_from("frank", dim = 2, theta = 2)
  frank$dim <- stats::setNames(2, NA)
  expect_error(generics::glance(frank), class = "cawi_error")
})
