all_families <- c("independence", "gaussian", "t", "clayton", "frank", "gumbel")

test_that("a fit holds its family, sample tau, likelihood and names", {
  for (family in all_families) {
    # Petals and sepal length of one species: positive dependence, ties.
    x <- iris[1:50, c(1, 3, 4)]
    fit <- cawi_copula(x, family)
    expect_s3_class(fit, "cawi_copula", exact = TRUE)
    expect_identical(fit$family, family)
    expect_identical(fit$requested, family)
    expect_identical(fit$dim, 3L)
    expect_identical(fit$nobs, 50L)
    expect_identical(fit$method, "itau")
    expect_identical(fit$names, names(x))
    expect_identical(fit$tau, cawi_kendall(x))
    expect_null(fit$selection)
    expect_null(fit$flipped)
    expect_true(is.finite(fit$loglik))
  }
})

test_that("a t copula is never less likely than the Gaussian one, which is among them", {
  # Four rows say little: from fit to fit the search came to degrees of freedom near two.
  u <- cawi_pseudo_obs(cbind(c(3, 2, 1, 4), c(2, 3, 1, 4), c(8, 5, 2, 5), c(3, 4, 1, 2)))
  start <- shrunk_correlation_cpp(u, correlation_from_tau_cpp(cawi_kendall(u)))
  gaussian <- fit_gaussian_by_likelihood_cpp(u, start, 1L)
  expect_gte(fit_t_by_likelihood_cpp(u, start, 1L)$loglik, gaussian$loglik)
})

test_that("only ranks matter", {
  x <- heavy_data(100, 3)
  for (family in all_families[-1]) {
    for (method in c("itau", "mpl")) {
      fit <- cawi_copula(x, family, method)
      expect_identical(cawi_copula(x^3, family, method), fit)
      expect_identical(cawi_copula(cawi_pseudo_obs(x), family, method), fit)
    }
  }
})

test_that("the number of threads does not change a fit", {
  x <- heavy_data(1000, 4)
  for (family in c("auto", all_families[-1])) {
    for (method in c("itau", "mpl")) {
      one <- cawi_copula(x, family, method, threads = 1)
      expect_identical(cawi_copula(x, family, method, threads = 2), one)
      expect_identical(cawi_copula(x, family, method, threads = 4), one)
    }
  }
})

test_that("a fit does not touch R's generator", {
  x <- heavy_data(100, 3)
  expect_generator_untouched(for (family in c("auto", all_families)) cawi_copula(x, family))
})

test_that("auto chooses by cawi_select(), keeps the table and passes options on", {
  x <- simulate(cawi_copula_from("clayton", dim = 3, theta = 2), 500, seed = 1)
  fit <- cawi_copula(x)
  expect_identical(fit$requested, "auto")
  expect_identical(fit$family, "clayton")
  expect_identical(fit$selection, cawi_select(x))
  expect_identical(coef(fit), coef(cawi_copula(x, "clayton")))
  few <- cawi_copula(x, families = c("gaussian", "frank"), criterion = "bic")
  expect_setequal(few$selection$family, c("gaussian", "frank"))
  expect_true("bic" %in% names(few$selection))
})

# ---- degenerate data ----

expect_usable <- function(fit) {
  u <- simulate(fit, 200, seed = 1)
  expect_identical(dim(u), c(200L, fit$dim))
  expect_true(all(u > 0 & u < 1))
}

for (family in c("auto", all_families)) {
  test_that(paste("duplicate columns can be fitted and sampled:", family), {
    x <- factor_data(60, 3)[, c(1, 2, 3, 1, 2)]
    fit <- cawi_copula(x, family)
    expect_usable(fit)
    if (fit$family %in% c("gaussian", "t")) {
      u <- simulate(fit, 200, seed = 1)
      expect_equal(u[, 1], u[, 4], tolerance = 1e-2)
    }
  })

  test_that(paste("more columns than rows can be fitted and sampled:", family), {
    expect_usable(cawi_copula(factor_data(8, 30), family))
  })

  test_that(paste("one column and two rows can be fitted and sampled:", family), {
    expect_usable(suppressWarnings(cawi_copula(factor_data(20, 1), family),
                                   classes = "cawi_warning"))
    if (family != "auto") {
      fit <- suppressWarnings(cawi_copula(rbind(1:3, c(2, 1, 4)), family), classes = "cawi_warning")
      expect_usable(fit)
    }
  })

  test_that(paste("a constant column is left out with a warning:", family), {
    x <- simulate(cawi_copula_from("clayton", dim = 3, theta = 1), 200, seed = 2)
    with_constant <- cbind(x, 7)
    warnings <- testthat::capture_warnings(fit <- cawi_copula(with_constant, family))
    expect_match(warnings, "\"4\"", fixed = TRUE, all = FALSE)
    expect_warning(
      suppressWarnings(cawi_copula(with_constant, family), classes = "cawi_warning_independence"),
      class = "cawi_warning_constant"
    )
    expect_usable(fit)
    alone <- cawi_copula(x, fit$family)
    expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(alone)))
    if (fit$family %in% c("clayton", "frank", "gumbel")) expect_equal(fit$theta, alone$theta)
    if (fit$family %in% c("gaussian", "t")) {
      expect_equal(fit$cor[1:3, 1:3], alone$cor)
      expect_identical(fit$cor[4, ], c(0, 0, 0, 1))
    }
  })

  test_that(paste("constant columns alone are independent:", family), {
    fit <- suppressWarnings(cawi_copula(matrix(3, 20, 2), family), classes = "cawi_warning")
    expect_usable(fit)
    expect_identical(fit$loglik, 0)
  })
}

test_that("mpl with an elliptical family needs more rows than columns", {
  x <- factor_data(8, 8)
  for (family in c("gaussian", "t")) {
    expect_error(cawi_copula(x, family, method = "mpl"), class = "cawi_error_method")
    expect_s3_class(cawi_copula(x, family, method = "itau"), "cawi_copula")
  }
})

# ---- negative dependence ----

negative <- function() {
  x <- factor_data(300, 2)
  cbind(a = x[, 1], b = -x[, 2])
}

for (family in c("clayton", "frank", "gumbel")) {
  test_that(paste("a mean tau below zero gives independence with a warning:", family), {
    for (method in c("itau", "mpl")) {
      warning <- expect_warning(fit <- cawi_copula(negative(), family, method),
                                class = "cawi_warning_independence")
      expect_s3_class(warning, "cawi_warning")
      expect_match(conditionMessage(warning), "reflect", fixed = TRUE)
      expect_identical(fit$family, "independence")
      expect_identical(fit$requested, family)
      expect_identical(fit$loglik, 0)
      expect_length(coef(fit), 0)
    }
  })

  test_that(paste("a mean tau of zero gives independence with a warning:", family), {
    x <- cbind(c(1, 2, 3, 4), c(2, 4, 1, 3))
    expect_identical(cawi_kendall(x)[1, 2], 0)
    expect_warning(fit <- cawi_copula(x, family), class = "cawi_warning_independence")
    expect_identical(fit$family, "independence")
  })

  test_that(paste("reflection recovers theta on flipped features:", family), {
    plain <- cawi_copula_from(family, dim = 5, tau = 0.5)
    u <- simulate(plain, 2000, seed = 3)
    flipped <- c(FALSE, TRUE, FALSE, FALSE, TRUE)
    x <- u
    x[, flipped] <- 1 - x[, flipped]
    for (method in c("itau", "mpl")) {
      fit <- cawi_copula(x, family, method, reflect = TRUE)
      expect_identical(fit$family, family)
      expect_identical(fit$flipped, flipped)
      # The search for a maximum stops at half the digits.
      expect_equal(fit$theta, cawi_copula(u, family, method)$theta, tolerance = 1e-6)
      expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(cawi_copula(u, family, method))))
    }
    # Draws have the signs of the data: within 5 standard errors, at most sqrt(4 / (9 n)) each.
    draws <- simulate(fit, 20000, seed = 4)
    signs <- ifelse(flipped, -1, 1)
    expected <- slow_family_tau(family, fit$theta) * outer(signs, signs)
    diag(expected) <- 1
    expect_lt(max(abs(cawi_kendall(draws) - expected)), 5 * sqrt(4 / (9 * 20000)))
    # The density is that of the plain copula at the flipped point.
    points <- peer_points(5)
    turned <- points
    turned[, flipped] <- 1 - turned[, flipped]
    expect_equal(cawi_density(fit, points, log = TRUE),
                 cawi_density(cawi_copula_from(family, 5, theta = fit$theta), turned, log = TRUE),
                 tolerance = 1e-10)
  })

  test_that(paste("reflection changes nothing under positive dependence:", family), {
    x <- factor_data(200, 4)
    expect_identical(cawi_copula(x, family, reflect = TRUE), cawi_copula(x, family))
  })
}

test_that("the density of a reflected copula integrates to one", {
  fit <- cawi_copula(negative(), "clayton", reflect = TRUE)
  expect_identical(sum(fit$flipped), 1L)
  expect_equal(integrate_density(fit), 1, tolerance = 1e-5)
})

test_that("flips follow the feature, not the order of the columns", {
  u <- simulate(cawi_copula_from("clayton", dim = 5, tau = 0.5), 300, seed = 5)
  u[, c(2, 5)] <- 1 - u[, c(2, 5)]
  order <- c(5, 3, 1, 2, 4)
  expect_identical(cawi_copula(u[, order], "clayton", reflect = TRUE)$flipped,
                   cawi_copula(u, "clayton", reflect = TRUE)$flipped[order])
})

test_that("as many flipped as unflipped features: samples of one distribution are flipped alike", {
  # The sign of an eigenvector is arbitrary, but Clayton and its mirror image are different copulas.
  truth <- cawi_copula_from("clayton", dim = 4, theta = 4)
  flips <- lapply(1:10, function(seed) {
    x <- simulate(truth, 300, seed = seed)
    x[, 3:4] <- 1 - x[, 3:4]
    cawi_copula(x, "clayton", reflect = TRUE)$flipped
  })
  expect_length(unique(flips), 1)
})

test_that("reflection is part of the choice of a family", {
  u <- simulate(cawi_copula_from("gumbel", dim = 4, tau = 0.5), 800, seed = 7)
  u[, 2] <- 1 - u[, 2]
  fit <- cawi_copula(u, reflect = TRUE)
  expect_identical(fit$family, "gumbel")
  expect_identical(fit$flipped, c(FALSE, TRUE, FALSE, FALSE))
})

test_that("likelihood = FALSE gives the same parameters", {
  x <- heavy_data(100, 3)
  for (family in all_families[-1]) {
    fit <- cawi_copula(x, family, likelihood = FALSE)
    expect_identical(coef(fit), coef(cawi_copula(x, family)))
  }
  expect_error(logLik(cawi_copula(x, "clayton", likelihood = FALSE)), class = "cawi_error_object")
})

test_argument_errors(alist(
  x = cawi_copula(matrix(1:3, 1), "gaussian"),
  x = cawi_copula(matrix(1:6, 3)),
  family = cawi_copula(iris[, 1:4], "joe"),
  family = cawi_copula(iris[, 1:4], c("t", "frank")),
  family = cawi_copula(iris[, 1:4], NULL),
  family = cawi_copula(iris[, 1:4], NA),
  family = cawi_copula(iris[, 1:4], t),
  method = cawi_copula(iris[, 1:4], "frank", method = "ml"),
  method = cawi_copula(iris[, 1:4], "frank", method = NULL),
  reflect = cawi_copula(iris[, 1:4], "frank", reflect = NA),
  reflect = cawi_copula(iris[, 1:4], "frank", reflect = c(TRUE, FALSE)),
  likelihood = cawi_copula(iris[, 1:4], "frank", likelihood = "yes"),
  threads = cawi_copula(iris[, 1:4], "frank", threads = 0),
  criterion = cawi_copula(iris[, 1:4], criterion = "loo")
))

test_that("messages of fits", {
  local_reproducible_output()
  expect_snapshot(show_error(cawi_copula(iris, "gaussian")))
  expect_snapshot(show_error(cawi_copula(factor_data(5, 5), "gaussian", method = "mpl")))
  expect_snapshot({
    warning <- tryCatch(cawi_copula(negative(), "clayton"), warning = identity)
    cat(conditionMessage(warning))
  })
})

test_that("the likelihood is the largest one to seven digits", {
  x <- iris[, 3:4]
  u <- cawi_pseudo_obs(x)
  for (family in c("clayton", "frank", "gumbel")) {
    theta <- cawi_copula(x, family, method = "mpl")$theta
    value <- function(theta) {
      sum(cawi_density(cawi_copula_from(family, dim = 2, theta = theta), u, log = TRUE))
    }
    # The top of the parabola through three points, from differences that rounding leaves alone.
    step <- theta * 1e-3
    around <- vapply(theta + step * (-1:1), value, 0)
    top <- theta + step * (around[1] - around[3]) / (2 * (around[1] - 2 * around[2] + around[3]))
    expect_equal(theta, top, tolerance = 1e-6)
  }
})
