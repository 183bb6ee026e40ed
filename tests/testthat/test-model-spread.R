# The expected mean square of pre-activations, beside many draws.
drawn_square <- function(x, copula, marginal, inputs = NULL, relevance = 1, draws = 40000L) {
  w <- relevance * weights_cpp(copula, draws, marginal, 1, 5, 1L)
  if (!is.null(inputs)) w <- keep_inputs_cpp(w, inputs, 7)
  mean((x %*% w)^2)
}

source_of <- function(copula, marginal, inputs = NULL, relevance = NULL) {
  list(copula = copula, marginal = marginal, inputs = inputs, relevance = relevance)
}

correlated_rows <- function() {
  set.seed(4)
  x <- matrix(rnorm(60 * 4), 60) + rnorm(60)
  x[, 3L] <- -x[, 3L]
  scale(x)
}

test_that("two inputs by hand", {
  x <- matrix(c(1, 2), 1L)
  cor <- matrix(c(1, 0.5, 0.5, 1), 2L)
  # 1 + 4 + 2 * 0.5 * 2, and with uniform weights 6 / pi asin(1 / 4) in place of 0.5
  expect_equal(mean_square_cpp(x, cor, FALSE), 7)
  expect_equal(mean_square_cpp(x, cor, TRUE), 5 + 4 * 6 / pi * asin(0.25))
  expect_equal(mean_square_cpp(x, matrix(0.5), FALSE), 7)
  expect_equal(mean_square_cpp(x, matrix(0.5), TRUE), 5 + 4 * 6 / pi * asin(0.25))
  expect_equal(mean_square_cpp(x, matrix(0), FALSE), 5)
  expect_error(mean_square_cpp(x, diag(3), FALSE))
})

for (marginal in c("uniform", "normal")) {
  test_that(paste("the expected spread is that of draws: Gaussian and independent,", marginal), {
    x <- correlated_rows()
    gaussian <- cawi_copula(x, "gaussian")
    for (copula in list(gaussian, new_cawi_copula("independence", 4L))) {
      for (inputs in list(NULL, 1L, 2L, 3L)) {
        expected <- expected_spread(x, source_of(copula, marginal, inputs))
        expect_equal(expected^2, drawn_square(x, copula, marginal, inputs), tolerance = 0.02)
      }
      relevance <- c(2, 0.5, 1, 0)
      expected <- expected_spread(x, source_of(copula, marginal, relevance = relevance))
      expect_equal(expected^2, drawn_square(x, copula, marginal, relevance = relevance),
                   tolerance = 0.02)
    }
  })

  test_that(paste("for the other families it is right to a few percent,", marginal), {
    x <- correlated_rows()
    for (family in c("t", "clayton", "frank", "gumbel")) {
      copula <- suppressWarnings(cawi_copula(x, family))
      expected <- expected_spread(x, source_of(copula, marginal))
      expect_equal(expected, sqrt(drawn_square(x, copula, marginal)), tolerance = 0.03,
                   info = family)
    }
    few <- cawi_copula_from("t", cor = cawi_copula(x, "gaussian")$cor, df = 2)
    expect_equal(expected_spread(x, source_of(few, marginal)),
                 sqrt(drawn_square(x, few, marginal)), tolerance = 0.05)
  })
}

test_that("weights of a Gaussian copula have the default spread, as i.i.d. ones have", {
  x <- correlated_rows()
  y <- x[, 1L]
  for (marginal in c("uniform", "normal")) {
    fit <- cawi_rvfl(x, y, hidden = 5, init = "gaussian", marginal = marginal, inputs = NULL,
                     seed = 1)
    layer <- fit$network$layers[[1L]]
    z <- layer_input_cpp(x, fit$network, 0L)
    square <- layer$factor^2 * drawn_square(z, layer$copula, marginal)
    expect_equal(square, 1, tolerance = 0.02)
    plain <- cawi_rvfl(x, y, hidden = 5, marginal = marginal, inputs = NULL, seed = 1)
    variance <- if (marginal == "uniform") 1 / 3 else 1
    factor <- plain$network$layers[[1L]]$factor
    expect_equal(factor^2 * variance * mean(rowSums(z^2)), 1)
    other <- cawi_rvfl(x, y, hidden = 5, init = "gaussian", marginal = marginal, inputs = NULL,
                       seed = 2)
    expect_identical(other$network$layers[[1L]]$factor, layer$factor)
  }
})
