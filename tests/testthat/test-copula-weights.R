nodes <- 20000

test_that("weights are draws through the quantile function of the marginal", {
  copula <- cawi_copula_from("clayton", dim = 3, theta = 2)
  u <- t(simulate(copula, 50, seed = 9))
  expect_identical(cawi_weights(copula, 50, seed = 9), 2 * u - 1)
  expect_equal(cawi_weights(copula, 50, "normal", seed = 9), stats::qnorm(u), tolerance = 1e-12)
})

for (case in one_of_each) {
  test_that(paste("the copula of the rows of t(W) is the one given:", case$label), {
    for (marginal in c("uniform", "normal")) {
      w <- cawi_weights(make_copula(case, dim = 4), nodes, marginal, seed = 1)
      sample <- mean_tau_with_error(t(w))
      expect_lt(abs(sample$tau - case_tau(case)), 4 * sample$error)
    }
  })

  test_that(paste("single weights have exactly the marginal distribution:", case$label), {
    uniform <- cawi_weights(make_copula(case, dim = 4), nodes, seed = 2)
    normal <- cawi_weights(make_copula(case, dim = 4), nodes, "normal", seed = 3)
    expect_true(all(abs(uniform) <= 1))
    expect_true(all(is.finite(normal)))
    for (j in 1:4) {
      expect_gt(stats::ks.test(uniform[j, ], "punif", -1, 1)$p.value, 1e-4)
      expect_gt(stats::ks.test(normal[j, ], "pnorm")$p.value, 1e-4)
    }
  })
}

test_that("weights follow the dependence of the data", {
  x <- factor_data(500, 4) %*% diag(c(1, -1, 1, 1))
  w <- cawi_weights(cawi_copula(x, "gaussian"), nodes, seed = 4)
  # Standard errors of tau are at most about sqrt(4 / (9 n)); six pairs are looked at.
  expect_lt(max(abs(cawi_kendall(t(w)) - cawi_kendall(x))), 5 * sqrt(4 / (9 * nodes)))
  reflected <- cawi_weights(cawi_copula(x, "clayton", reflect = TRUE), nodes, seed = 4)
  expect_identical(sign(cawi_kendall(t(reflected))), sign(cawi_kendall(x)))
})

test_that("scale multiplies", {
  copula <- cawi_copula_from("gumbel", dim = 3, theta = 2)
  for (marginal in c("uniform", "normal")) {
    expect_equal(cawi_weights(copula, 20, marginal, scale = 0.125, seed = 5),
                 cawi_weights(copula, 20, marginal, seed = 5) / 8)
  }
})

test_that("rows are features, columns are nodes, fewer nodes are the first ones", {
  fit <- cawi_copula(iris[, 1:4], "t")
  wide <- cawi_weights(fit, 600, seed = 6)
  expect_identical(dim(wide), c(4L, 600L))
  expect_identical(rownames(wide), names(iris)[1:4])
  for (hidden in c(1, 255, 256, 257)) {
    expect_identical(cawi_weights(fit, hidden, seed = 6), wide[, seq_len(hidden), drop = FALSE])
  }
})

test_that("threads do not change weights, seeds do, set.seed() governs", {
  copula <- cawi_copula_from("frank", dim = 5, theta = 3)
  one <- cawi_weights(copula, 1000, seed = 7, threads = 1)
  expect_identical(cawi_weights(copula, 1000, seed = 7, threads = 2), one)
  expect_identical(cawi_weights(copula, 1000, seed = 7, threads = 4), one)
  expect_false(identical(cawi_weights(copula, 1000, seed = 8), one))
  expect_generator_untouched(cawi_weights(copula, 10, seed = 7))
  set.seed(1)
  first <- cawi_weights(copula, 10)
  set.seed(1)
  expect_identical(cawi_weights(copula, 10), first)
  expect_false(identical(cawi_weights(copula, 10), first))
})

clayton <- cawi_copula_from("clayton", dim = 2, theta = 2)
enormous <- cawi_copula_from("independence", dim = 1e6)

test_argument_errors(alist(
  copula = cawi_weights("clayton", 5),
  copula = cawi_weights(NULL, 5),
  copula = cawi_weights(unclass(clayton), 5),
  hidden = cawi_weights(clayton, 0),
  hidden = cawi_weights(clayton, -1),
  hidden = cawi_weights(clayton, 1.5),
  hidden = cawi_weights(clayton, NA),
  hidden = cawi_weights(clayton, Inf),
  hidden = cawi_weights(clayton, 1e10),
  hidden = cawi_weights(clayton, "many"),
  hidden = cawi_weights(clayton, c(5, 6)),
  hidden = cawi_weights(clayton, NULL),
  hidden = cawi_weights(enormous, 2e9),
  marginal = cawi_weights(clayton, 5, "laplace"),
  marginal = cawi_weights(clayton, 5, NA),
  marginal = cawi_weights(clayton, 5, 1),
  scale = cawi_weights(clayton, 5, scale = 0),
  scale = cawi_weights(clayton, 5, scale = -1),
  scale = cawi_weights(clayton, 5, scale = Inf),
  scale = cawi_weights(clayton, 5, scale = NA),
  scale = cawi_weights(clayton, 5, scale = "auto"),
  scale = cawi_weights(clayton, 5, scale = c(1, 2)),
  seed = cawi_weights(clayton, 5, seed = -1),
  threads = cawi_weights(clayton, 5, threads = 0)
))

test_that("inputs are kept at random, each column by itself", {
  w <- matrix(bell(6 * 500, 3), 6)
  for (inputs in 1:5) {
    kept <- keep_inputs_cpp(w, inputs, 9)
    expect_true(all(colSums(kept != 0) == inputs))
    expect_identical(kept[kept != 0], w[kept != 0])
    # Columns depend on the seed and their number alone.
    expect_identical(keep_inputs_cpp(w[, 1:100], inputs, 9), kept[, 1:100])
    expect_identical(keep_inputs_cpp(w, inputs, 9), kept)
    expect_false(identical(keep_inputs_cpp(w, inputs, 10), kept))
    # Every feature, and for two inputs every pair, is as likely as the others.
    expect_gt(stats::chisq.test(rowSums(kept != 0))$p.value, 1e-4)
  }
  pairs <- apply(keep_inputs_cpp(w, 2, 9) != 0, 2,
                 function(read) paste(which(read), collapse = " "))
  expect_identical(length(unique(pairs)), 15L)
  expect_gt(stats::chisq.test(table(pairs))$p.value, 1e-4)
  # The matrix that was given stays as it is, and more inputs than rows are all of them.
  expect_identical(w, matrix(bell(6 * 500, 3), 6))
  expect_identical(keep_inputs_cpp(w, 6, 9), w)
  expect_identical(keep_inputs_cpp(w, 60, 9), w)
})
