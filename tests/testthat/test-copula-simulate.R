test_that("draws are a matrix of the size asked for, with the names of the features", {
  for (case in one_of_each) {
    copula <- make_copula(case, dim = 3)
    expect_identical(dim(simulate(copula, 7, seed = 1)), c(7L, 3L))
    expect_identical(dim(simulate(copula, 0, seed = 1)), c(0L, 3L))
    expect_identical(dim(simulate(copula)), c(1L, 3L))
    expect_null(dimnames(simulate(copula, 2)))
  }
  fit <- cawi_copula(iris[, 1:4], "gaussian")
  expect_identical(colnames(simulate(fit, 2)), names(iris)[1:4])
})

test_that("the first rows of a longer sample are the shorter one", {
  # 256 rows make a block of work
  for (case in one_of_each) {
    copula <- make_copula(case, dim = 3)
    long <- simulate(copula, 1000, seed = 4)
    for (n in c(1, 255, 256, 257, 999)) {
      expect_identical(simulate(copula, n, seed = 4), long[seq_len(n), , drop = FALSE])
    }
  }
})

test_that("a draw of many dimensions does not depend on the length of the sample", {
  cor <- 0.5^abs(outer(1:37, 1:37, "-"))
  for (copula in list(cawi_copula_from("gaussian", cor = cor),
                      cawi_copula_from("t", cor = cor, df = 3),
                      cawi_copula_from("gaussian", cor = matrix(1, 37, 37)))) {
    long <- simulate(copula, 1000, seed = 4)
    for (n in c(1, 7, 8, 9, 100)) {
      expect_identical(simulate(copula, n, seed = 4), long[seq_len(n), , drop = FALSE])
    }
  }
})

test_that("normal draws are the factor of the correlation matrix times those of independence", {
  for (dim in c(1, 2, 5, 6, 7, 8, 13, 60)) {
    cor <- 0.7^abs(outer(seq_len(dim), seq_len(dim), "-"))
    normal_draws <- function(cor) {
      stats::qnorm(simulate(cawi_copula_from("gaussian", cor = cor), 21, seed = 3))
    }
    independent <- normal_draws(diag(dim))
    draws <- normal_draws(cor)
    expect_equal(draws, independent %*% chol(cor), tolerance = 1e-12)
    expect_equal(independent[2, ], stream_normals_cpp(3, 1, dim, TRUE), tolerance = 1e-12)
  }
})

test_that("the number of threads does not change the draws", {
  for (case in one_of_each) {
    copula <- make_copula(case, dim = 4)
    one <- simulate(copula, 2000, seed = 5, threads = 1)
    expect_identical(simulate(copula, 2000, seed = 5, threads = 2), one)
    expect_identical(simulate(copula, 2000, seed = 5, threads = 4), one)
  }
})

test_that("a seed gives the same draws and leaves R's generator alone", {
  copula <- cawi_copula_from("frank", dim = 3, theta = 5)
  expect_identical(simulate(copula, 10, seed = 1), simulate(copula, 10, seed = 1))
  expect_generator_untouched(simulate(copula, 10, seed = 1))
  # The largest seed counts to its last digit.
  expect_false(identical(simulate(copula, 10, seed = 2^53 - 1),
                         simulate(copula, 10, seed = 2^53 - 2)))
})

test_that("a seed does not start R's generator", {
  state <- generator_state()
  if (!is.null(state)) rm(".Random.seed", envir = globalenv())
  simulate(cawi_copula_from("frank", dim = 3, theta = 5), 10, seed = 1)
  expect_null(generator_state())
  if (!is.null(state)) assign(".Random.seed", state, envir = globalenv())
})

test_that("set.seed() governs draws without a seed", {
  copula <- cawi_copula_from("gumbel", dim = 3, theta = 2)
  set.seed(8)
  first <- simulate(copula, 10)
  second <- simulate(copula, 10)
  set.seed(8)
  expect_identical(simulate(copula, 10), first)
  expect_identical(simulate(copula, 10), second)
  expect_false(identical(first, second))
})

test_that("draws of clayton's family go over smoothly to those of a weak dependence", {
  # At theta = 1 / 100 the sum of logs takes another way.
  draws <- function(theta) simulate(cawi_copula_from("clayton", 3, theta = theta), 7, seed = 2)
  expect_lt(max(abs(draws(1 / 99.9999) - draws(1 / 100.0001))), 1e-5)
})

test_that("different seeds give unrelated draws", {
  copula <- cawi_copula_from("independence", dim = 1)
  seeds <- vapply(0:19, function(seed) simulate(copula, 2000, seed = seed)[, 1], numeric(2000))
  tau <- cawi_kendall(seeds)
  # Independent columns: tau has standard deviation sqrt(2 (2n + 5) / (9 n (n - 1))).
  error <- sqrt(2 * 4005 / (9 * 2000 * 1999))
  expect_lt(max(abs(tau[lower.tri(tau)])), 4.5 * error)
})

test_that("consecutive draws are independent of each other", {
  u <- simulate(cawi_copula_from("clayton", dim = 2, theta = 5), 20001, seed = 6)
  # sqrt(4 / (9 n)) is the standard deviation of tau under independence
  expect_lt(abs(cawi_kendall(u[-1, 1], u[-20001, 1])[1, 1]), 4 * sqrt(4 / (9 * 20000)))
  expect_lt(abs(cawi_kendall(u[-1, 1], u[-20001, 2])[1, 1]), 4 * sqrt(4 / (9 * 20000)))
})

test_that("a singular correlation matrix can be sampled", {
  same <- simulate(cawi_copula_from("gaussian", dim = 2, cor = 1), 100, seed = 1)
  expect_equal(same[, 1], same[, 2], tolerance = 1e-7)
  opposite <- simulate(cawi_copula_from("t", dim = 2, cor = -1, df = 3), 100, seed = 1)
  expect_equal(opposite[, 1], 1 - opposite[, 2], tolerance = 1e-7)
  # Rank one and rank two in more dimensions.
  loading <- cbind(c(1, 0.6, 0, -1), c(0, 0.8, 1, 0))
  u <- simulate(cawi_copula_from("gaussian", cor = tcrossprod(loading)), 5000, seed = 2)
  expect_equal(u[, 1], 1 - u[, 4], tolerance = 1e-7)
  for (j in 1:4) expect_gt(stats::ks.test(u[, j], "punif")$p.value, 1e-4)
  z <- stats::qnorm(u)
  expect_equal(z[, 2], 0.6 * z[, 1] + 0.8 * z[, 3], tolerance = 1e-6)
})

test_that("many dimensions", {
  for (family in c("gaussian", "clayton", "frank", "gumbel")) {
    u <- simulate(cawi_copula_from(family, dim = 263, tau = 0.4), 50, seed = 3)
    expect_identical(dim(u), c(50L, 263L))
    expect_true(all(u > 0 & u < 1))
  }
})

copula_pair <- cawi_copula_from("clayton", dim = 2, theta = 2)
enormous <- cawi_copula_from("independence", dim = 1e6)

test_argument_errors(alist(
  nsim = simulate(copula_pair, -1),
  nsim = simulate(copula_pair, 1.5),
  nsim = simulate(copula_pair, NA),
  nsim = simulate(copula_pair, NaN),
  nsim = simulate(copula_pair, Inf),
  nsim = simulate(copula_pair, "ten"),
  nsim = simulate(copula_pair, NULL),
  nsim = simulate(copula_pair, c(1, 2)),
  nsim = simulate(copula_pair, list(1)),
  nsim = simulate(copula_pair, sum),
  nsim = simulate(copula_pair, TRUE),
  nsim = simulate(copula_pair, 1e10),
  nsim = simulate(enormous, 2e9),
  threads = simulate(copula_pair, 2, threads = 0)
))

test_that("draws that no machine can hold say how much they need", {
  copula <- cawi_copula_from("clayton", dim = 20, theta = 1)
  expect_error(simulate(copula, 2e9), "298 GB", class = "cawi_error_memory")
})

test_that("near independence, too, the first rows of a longer sample are the shorter one", {
  for (copula in list(cawi_copula_from("clayton", dim = 2, theta = 0.005),
                      cawi_copula_from("frank", dim = 2, theta = 0.05),
                      cawi_copula_from("gumbel", dim = 2, theta = 1.001))) {
    long <- simulate(copula, 40, seed = 4)
    for (n in c(1, 7, 8, 9)) expect_identical(simulate(copula, n, seed = 4), long[seq_len(n), ,
                                                                                 drop = FALSE])
  }
})
