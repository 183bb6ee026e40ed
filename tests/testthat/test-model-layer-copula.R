# Rows of dependent features, more than are compared pair by pair.
many_x <- function(m, d = 4, start = 3) factor_data(m, d, start = start) / 2147483647

deep_layers <- function(x, init, ..., hidden = c(30, 25), seed = 5) {
  fit <- cawi_drvfl(x, x[, 1] * x[, 2], hidden = hidden, init = init, lambda = 1, seed = seed, ...)
  fit$network$layers
}

test_that("the error of a hidden layer's copula is a fraction of the noise of its draws", {
  x <- many_x(5000, 6)
  layers <- deep_layers(x, "gaussian", hidden = c(120, 120))
  network <- list(center = colMeans(x), sd = apply(x, 2, sample_sd), layers = layers,
                  wiring = "stacked", direct = TRUE, intercept = TRUE)
  input <- layer_input_cpp(x, network, 1L)
  exact <- cawi_copula(input, "gaussian", method = "itau")$cor
  found <- layers[[2]]$copula
  expect_identical(found$nobs, 2000L)
  error <- sqrt(mean((found$cor - exact)[lower.tri(exact)]^2))
  drawn <- stats::cor(stats::qnorm(simulate(found, 120, seed = 1)))
  noise <- sqrt(mean((drawn - found$cor)[lower.tri(exact)]^2))
  expect_lt(error, noise / 3)
  for (init in c("clayton", "frank", "gumbel")) {
    layer <- deep_layers(x, init, hidden = c(120, 120), activation = "tansig")
    network$layers <- layer
    exact <- mean(cawi_kendall(layer_input_cpp(x, network, 1L))[lower.tri(diag(120))])
    found <- layer[[2]]$copula
    tau <- if (found$family == "independence") 0 else tau_from_theta_cpp(init, found$theta)
    # The noise of a mean over 120 draws.
    expect_lt(abs(tau - max(exact, 0)), 2 / 3 / sqrt(120) / 3)
  }
})

test_that("a hidden layer reads ten rows per input, at least 2,000, and the first layer all", {
  x <- many_x(4000)
  nobs <- function(hidden) {
    vapply(deep_layers(x, "gaussian", hidden = hidden), function(l) l$copula$nobs, 1L)
  }
  expect_identical(nobs(c(10, 5)), c(4000L, 2000L))
  expect_identical(nobs(c(230, 5)), c(4000L, 2300L))
  expect_identical(nobs(c(500, 5)), c(4000L, 4000L))
})

for (init in c("gaussian", "t", "clayton", "frank", "gumbel")) {
  test_that(paste("the order of many rows, and rows twice for a weight of two, change nothing:",
                  init), {
    x <- many_x(700)
    weights <- rep(c(1, 2, 1, 3, 1), 140)
    plain <- deep_layers(x, init, case_weights = weights)
    twice <- deep_layers(x[rev(rep(seq_len(700), weights)), ], init)
    for (layer in 1:2) {
      expect_equal(twice[[layer]]$weights, plain[[layer]]$weights, tolerance = 1e-8)
    }
    expect_identical(plain[[2]]$copula$family, twice[[2]]$copula$family)
  })

  test_that(paste("hidden layers do not depend on threads, nor on their own width:", init), {
    x <- many_x(2600)
    one <- deep_layers(x, init, threads = 1)
    expect_identical(deep_layers(x, init, threads = 4), one)
    wide <- deep_layers(x, init, hidden = c(30, 90))
    expect_identical(wide[[2]]$copula, one[[2]]$copula)
    expect_identical(wide[[2]]$weights[, 1:25], one[[2]]$weights)
    # Other seeds look at other rows.
    other <- deep_layers(x, init, seed = 6)
    same <- identical(other[[2]]$copula, one[[2]]$copula)
    expect_identical(same, one[[2]]$copula$family == "independence")
    expect_identical(other[[1]]$copula, one[[1]]$copula)
  })
}

test_that("degrees of freedom of a hidden layer are those of some of its columns", {
  set.seed(1)
  cor <- 0.5^abs(outer(1:40, 1:40, `-`))
  u <- simulate(cawi_copula_from("t", 40, cor = cor, df = 4), 1500, seed = 2)
  copula <- fit_hidden_copula(u, "t", 1L)
  expect_lt(abs(copula$df - 4), 1.5)
  # The same search, but for the steps in which it looks.
  for (df in c(2.5, 4, 7, 15)) {
    u <- simulate(cawi_copula_from("t", 12, tau = 0.3, df = df), 200, seed = 3)
    r <- correlation_from_tau_cpp(cawi_kendall(u))
    exact <- fit_df_cpp(cawi_pseudo_obs(u), r, 24L, 1L)$df
    expect_lt(abs(1 / rough_df_cpp(u, r, 1L) - 1 / exact), 0.01)
  }
  normal <- simulate(cawi_copula_from("gaussian", 40, cor = cor), 1500, seed = 2)
  expect_gt(fit_hidden_copula(normal, "t", 1L)$df, 20)
})

test_that("constant nodes and single rows leave hidden layers that can be drawn", {
  x <- many_x(300)
  # Relu nodes that never fire are constant.
  for (init in c("gaussian", "t", "clayton")) {
    layers <- deep_layers(x, init, activation = "relu", scale = 50)
    expect_true(all(is.finite(layers[[2]]$weights)))
    layers <- suppressWarnings(deep_layers(0 * x, init))
    expect_true(all(is.finite(layers[[2]]$weights)))
  }
})
