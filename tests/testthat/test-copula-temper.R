# A copula between independence and itself.

correlation <- function() {
  cor <- matrix(c(1, 0.6, 0.3, 0.6, 1, -0.2, 0.3, -0.2, 1), 3)
  dimnames(cor) <- list(letters[1:3], letters[1:3])
  cor
}

test_that("zero is independence, one the copula itself", {
  copulas <- list(
    cawi_copula_from("gaussian", cor = correlation()),
    cawi_copula_from("t", cor = correlation(), df = 4),
    cawi_copula_from("clayton", dim = 3, theta = 2), cawi_copula_from("frank", dim = 3, theta = 4),
    cawi_copula_from("gumbel", dim = 3, theta = 1.5), cawi_copula_from("independence", dim = 3)
  )
  for (copula in copulas) {
    expect_identical(temper_copula(copula, 1), copula)
    none <- temper_copula(copula, 0)
    expect_identical(none$family, "independence")
    expect_identical(none$dim, 3L)
    half <- temper_copula(copula, 0.5)
    expect_identical(half$family, copula$family)
    expect_null(copula_problem(unclass(half)))
  }
})

test_that("elliptical families take powers of the correlation matrix", {
  # Of [1 r; r 1] with eigenvalues 1 + r and 1 - r: the correlation of the power is
  # (p - q) / (p + q), p and q the powers of the eigenvalues.
  r <- 0.6
  for (strength in c(-1, -0.5, 0.25, 0.5)) {
    p <- (1 + r)^strength
    q <- (1 - r)^strength
    got <- temper_copula(cawi_copula_from("gaussian", 2, cor = r), strength)
    expect_equal(got$cor[1, 2], (p - q) / (p + q), tolerance = 1e-14)
  }
  # Minus one is the inverse, whose correlations are the negative partial ones.
  inverse <- temper_copula(cawi_copula_from("gaussian", cor = correlation()), -1)
  expect_equal(inverse$cor, stats::cov2cor(solve(correlation())), tolerance = 1e-12)
  # Two halves make a whole where nothing is floored and the diagonal is constant.
  equal <- matrix(0.4, 3, 3) + diag(0.6, 3)
  half <- temper_copula(cawi_copula_from("gaussian", cor = equal), 0.5)
  again <- half$cor %*% half$cor
  expect_equal(stats::cov2cor(again), equal, tolerance = 1e-12)
})

test_that("tails become normal as the dependence vanishes", {
  t <- cawi_copula_from("t", cor = correlation(), df = 4)
  expect_equal(temper_copula(t, 0.5)$df, 8)
  expect_equal(temper_copula(t, -0.25)$df, 16)
})

test_that("singular matrices are floored", {
  double <- matrix(1, 2, 2)
  turned <- temper_copula(cawi_copula_from("gaussian", cor = double), -1)
  # Eigenvalues 2 and 0, floored at 1e-3.
  expect_equal(turned$cor[1, 2], (1 / 2 - 1e3) / (1 / 2 + 1e3), tolerance = 1e-12)
  expect_null(copula_problem(unclass(turned)))
})

test_that("Archimedean families have a part of their tau", {
  for (family in c("clayton", "frank", "gumbel")) {
    copula <- cawi_copula_from(family, dim = 4, tau = 0.6)
    quarter <- temper_copula(copula, 0.25)
    expect_equal(tau_from_theta_cpp(family, quarter$theta), 0.15, tolerance = 1e-8)
  }
  flipped <- cawi_copula(cbind(iris[, 1], -iris[, 3], iris[, 4]), "clayton", reflect = TRUE)
  expect_identical(temper_copula(flipped, 0.5)$flipped, flipped$flipped)
})

test_that("draws have the dependence of the strength", {
  copula <- cawi_copula_from("gaussian", 2, cor = 0.8)
  w <- cawi_weights(copula, 20000, marginal = "normal", strength = 0.5, seed = 1)
  p <- sqrt(1.8)
  q <- sqrt(0.2)
  expect_equal(stats::cor(t(w))[1, 2], (p - q) / (p + q), tolerance = 0.04)
  expect_identical(cawi_weights(copula, 5, strength = 0, seed = 1),
                   cawi_weights(cawi_copula_from("independence", 2), 5, seed = 1))
})

test_argument_errors(alist(
  strength = temper_copula(cawi_copula_from("clayton", 2, theta = 1), -0.5),
  strength = temper_copula(cawi_copula_from("gaussian", 2, cor = 0.5), 1.5),
  strength = cawi_weights(cawi_copula_from("gumbel", 2, theta = 2), 3, strength = -0.1),
  strength = cawi_weights(cawi_copula_from("gaussian", 2, cor = 0.5), 3, strength = NA),
  strength = cawi_weights(cawi_copula_from("gaussian", 2, cor = 0.5), 3, strength = 2),
  strength = cawi_weights(cawi_copula_from("gaussian", 2, cor = 0.5), 3, strength = "auto")
))
