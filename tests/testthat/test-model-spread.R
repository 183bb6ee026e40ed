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

# What stands for the spread of Cauchy weights, over many draws.
drawn_cauchy <- function(x, inputs = NULL, draws = 100000L) {
  w <- weights_cpp(new_cawi_copula("independence", ncol(x)), draws, "cauchy", 1, 5, 1L)
  if (!is.null(inputs)) w <- keep_inputs_cpp(w, inputs, 7)
  stats::median(abs(x %*% w)) / stats::qnorm(0.75)
}

cauchy_source <- function(d, inputs = NULL) {
  source_of(new_cawi_copula("independence", d), "cauchy", inputs)
}

test_that("the spread of independent Cauchy weights by hand", {
  x <- matrix(c(1, -2), 1L)
  # A Cauchy number of size three has the median size three.
  expect_equal(cauchy_spread(x, cauchy_source(2)) * stats::qnorm(0.75), 3)
  # Of sizes one and two: atan(m) + atan(m / 2) is a right angle where m^2 / 2 is one.
  expect_equal(cauchy_spread(x, cauchy_source(2, 1L)) * stats::qnorm(0.75), sqrt(2))
  # More than there are is all.
  expect_identical(cauchy_spread(x, cauchy_source(2, 9L)), cauchy_spread(x, cauchy_source(2)))
  # Nodes that see nothing do not count, and without others there is no spread.
  expect_equal(cauchy_spread(rbind(x, 0, 0), cauchy_source(2)) * stats::qnorm(0.75), 3)
  expect_identical(cauchy_spread(matrix(0, 3, 2), cauchy_source(2)), 0)
  expect_identical(cauchy_spread(matrix(Inf, 3, 2), cauchy_source(2)), Inf)
})

test_that("it is that of many draws", {
  x <- correlated_rows()
  # Rows of very different sizes.
  uneven <- x * exp(seq(-3, 3, length.out = 60))
  for (rows in list(x, uneven)) {
    for (inputs in list(NULL, 1L, 4L)) {
      expect_equal(cauchy_spread(rows, cauchy_source(4, inputs)), drawn_cauchy(rows, inputs),
                   tolerance = 0.01)
    }
    # A hundred choices of some inputs stand for all.
    for (inputs in 2:3) {
      expect_equal(cauchy_spread(rows, cauchy_source(4, inputs)), drawn_cauchy(rows, inputs),
                   tolerance = 0.03)
    }
  }
  # It has the unit of the rows.
  for (inputs in list(NULL, 1L, 2L)) {
    expect_equal(cauchy_spread(1e-6 * x, cauchy_source(4, inputs)),
                 1e-6 * cauchy_spread(x, cauchy_source(4, inputs)), tolerance = 1e-8)
  }
})

test_that("the factor on independent Cauchy weights is the same for all seeds", {
  x <- correlated_rows()
  for (inputs in list(NULL, 1, 2, 4)) {
    for (hidden in list(5, Inf)) {
      factors <- vapply(1:4, function(seed) {
        fit <- cawi_rvfl(x, x[, 1L], hidden = hidden, activation = "sine", bias = "phase",
                         marginal = "cauchy", spread = 2, inputs = inputs, lambda = 1, seed = seed)
        fit$network$layers[[1L]]$factor
      }, numeric(1))
      expect_identical(factors, rep(factors[1L], 4L))
      z <- scale(x, TRUE, apply(x, 2L, sample_sd))
      found <- factors[1L] * drawn_cauchy(z, inputs)
      expect_equal(found, 2, tolerance = if (identical(inputs, 2)) 0.03 else 0.01)
    }
  }
})

test_that("features that are all constant leave the wanted spread as the factor", {
  fit <- suppressWarnings(cawi_rvfl(matrix(1, 20, 2), 1:20 + 0, hidden = 3, marginal = "cauchy",
                                    spread = 2, lambda = 1, seed = 1))
  expect_identical(fit$network$layers[[1L]]$factor, 2)
})

test_that("the spread of draws is a root mean square, or a median where there is no mean", {
  x <- correlated_rows()
  for (marginal in c("normal", "uniform", "cauchy")) {
    source <- utils::modifyList(source_of(new_cawi_copula("independence", ncol(x)), marginal),
                                list(seed = 1, layer = 1L, threads = 1L))
    pre <- x %*% layer_weights(source, 200L, 1)
    expect_equal(drawn_spread(x, source), if (marginal == "cauchy") {
      stats::median(abs(pre)) / stats::qnorm(0.75)
    } else {
      sqrt(mean(pre^2))
    })
  }
})
