archimedean <- c("clayton", "frank", "gumbel")
elliptical <- c("gaussian", "t")

# The likelihood by the density at pseudo-observations, without the tables over ranks.
density_likelihood <- function(x, family, dim = ncol(x), ...) {
  sum(cawi_density(cawi_copula_from(family, dim = dim, ...), cawi_pseudo_obs(x), log = TRUE))
}

test_that("a fit worked by hand", {
  # tau = 2/3: theta = 2 tau / (1 - tau), 1 / (1 - tau), R = sin(pi / 3)
  x <- cbind(1:4, c(1, 3, 2, 4))
  expect_equal(coef(cawi_copula(x, "clayton")), c(theta = 4))
  expect_equal(coef(cawi_copula(x, "gumbel")), c(theta = 3))
  expect_equal(cawi_copula(x, "gaussian")$cor[1, 2], sqrt(0.75))
  # Pseudo-observations k / 5, Clayton with theta = 4, d = 2.
  u <- cbind(1:4, c(1, 3, 2, 4)) / 5
  by_hand <- sum(log(5) - 5 * rowSums(log(u)) - 2.25 * log(rowSums(u^-4) - 1))
  expect_equal(as.numeric(logLik(cawi_copula(x, "clayton"))), by_hand)
})

test_that("theta comes from the mean tau, not from the mean of thetas", {
  x <- factor_data(200, 4)
  x[, 4] <- x[, 4] + x[, 1]
  tau <- cawi_kendall(x)
  tau <- tau[lower.tri(tau)]
  expect_equal(cawi_copula(x, "clayton")$theta, 2 * mean(tau) / (1 - mean(tau)))
  expect_equal(cawi_copula(x, "gumbel")$theta, 1 / (1 - mean(tau)))
  expect_equal(slow_family_tau("frank", cawi_copula(x, "frank")$theta), mean(tau),
               tolerance = 1e-10)
  expect_false(isTRUE(all.equal(mean(2 * tau / (1 - tau)), cawi_copula(x, "clayton")$theta)))
})

test_that("the correlation matrix is sin(pi tau / 2) where that is positive definite", {
  x <- factor_data(200, 5) %*% diag(c(1, -1, 1, 1, -1))
  for (family in elliptical) {
    fit <- cawi_copula(x, family)
    expect_equal(fit$cor, sin(pi / 2 * cawi_kendall(x)), tolerance = 1e-14)
  }
})

test_that("the correlation matrix is the nearest one elsewhere", {
  x <- factor_data(10, 20)
  r <- sin(pi / 2 * cawi_kendall(x))
  expect_lt(min(eigen(r, only.values = TRUE)$values), 0)
  expect_equal(cawi_copula(x, "gaussian")$cor, cawi_nearest_cor(r), tolerance = 1e-12)
})

copula_sources <- peers_of("copula-peers", "copula", copula_peers)
for (source in names(copula_sources)) {
  test_that(paste("inversion of tau equals the copula package:", source), {
    peers <- copula_sources[[source]]()
    for (d in c(2, 3)) {
      x <- peer_fit_data(d)
      theta <- vapply(archimedean, function(family) cawi_copula(x, family)$theta, numeric(1))
      expect_equal(theta, peers$mean_tau_theta[[d - 1]], tolerance = 1e-6)
    }
  })

  test_that(paste("the degrees of freedom equal fitCopula(method = \"itau.mpl\"):", source), {
    for (peer in copula_sources[[source]]()$itau_t) {
      fit <- cawi_copula(peer_fit_data(peer$d), "t")
      pairs <- peer$d * (peer$d - 1) / 2
      # copula lists the pairs as the columns of the lower triangle, as coef() does.
      expect_equal(unname(coef(fit)[seq_len(pairs)]), peer$estimate[seq_len(pairs)],
                   tolerance = 1e-8)
      expect_equal(fit$df, peer$estimate[pairs + 1], tolerance = 1e-3)
    }
  })

  test_that(paste("maximum pseudo-likelihood is no lower than fitCopula's:", source), {
    for (peer in copula_sources[[source]]()$mpl) {
      fit <- cawi_copula(peer_fit_data(peer$d), peer$family, method = "mpl")
      label <- paste(peer$family, "in dimension", peer$d)
      expect_gt(as.numeric(logLik(fit)), peer$loglik - 1e-4, label = label)
      # The likelihoods agree, so the estimates do up to the flatness at the maximum.
      expect_equal(as.numeric(logLik(fit)), peer$loglik, tolerance = 1e-4, info = label)
      pairs <- seq_len(length(peer$estimate) - (peer$family == "t"))
      expect_equal(unname(coef(fit))[pairs], peer$estimate[pairs], tolerance = 5e-3, info = label)
      if (peer$family == "t") {
        expect_equal(fit$df, peer$estimate[-pairs], tolerance = 0.05, info = label)
      }
    }
  })
}

test_that("the likelihood is the sum of log-densities at pseudo-observations", {
  for (x in list(heavy_data(150, 3), round(heavy_data(150, 3) / 1e9),
                 tied_data(150)[, c(1, 6, 7)])) {
    for (family in elliptical) {
      fit <- cawi_copula(x, family)
      expect_equal(as.numeric(logLik(fit)),
                   density_likelihood(x, family, cor = fit$cor, df = fit$df),
                   tolerance = 1e-10)
    }
    for (family in archimedean) {
      fit <- suppressWarnings(cawi_copula(x, family), classes = "cawi_warning_independence")
      if (fit$family == "independence") next
      expect_equal(as.numeric(logLik(fit)), density_likelihood(x, family, theta = fit$theta),
                   tolerance = 1e-10)
    }
  }
})

test_that("the degrees of freedom maximize the profile likelihood", {
  x <- heavy_data(400, 4, df = 3)
  fit <- cawi_copula(x, "t")
  at <- function(df) density_likelihood(x, "t", cor = fit$cor, df = df)
  best <- at(fit$df)
  expect_equal(as.numeric(logLik(fit)), best)
  for (df in fit$df * c(0.9, 0.99, 1.01, 1.1)) expect_lt(at(df), best)
  whole <- stats::optimize(function(s) at(1 / s), c(1e-6, 0.4999), maximum = TRUE, tol = 1e-8)
  expect_equal(fit$df, 1 / whole$maximum, tolerance = 1e-3)
})

test_that("data without heavy tails give a t copula at or near the Gaussian limit", {
  # Uniform noise has lighter tails than any t distribution.
  x <- matrix(lehmer(1500, 21), 500) + lehmer(500, 22)
  fit <- cawi_copula(x, "t")
  expect_gt(fit$df, 50)
  expect_gte(as.numeric(logLik(fit)), as.numeric(logLik(cawi_copula(x, "gaussian"))))
})

test_that("maximum pseudo-likelihood beats inversion and is stationary", {
  x <- heavy_data(300, 3)
  for (family in c(elliptical, archimedean)) {
    fit <- cawi_copula(x, family, method = "mpl")
    expect_gte(as.numeric(logLik(fit)), as.numeric(logLik(cawi_copula(x, family))))
    best <- as.numeric(logLik(fit))
    if (family %in% archimedean) {
      for (theta in fit$theta * c(0.99, 1.01)) {
        expect_lt(density_likelihood(x, family, theta = theta), best)
      }
    } else {
      for (pair in list(c(1, 2), c(1, 3), c(2, 3))) {
        for (step in c(-0.01, 0.01)) {
          r <- fit$cor
          r[pair[1], pair[2]] <- r[pair[2], pair[1]] <- r[pair[1], pair[2]] + step
          expect_lt(density_likelihood(x, family, cor = r, df = fit$df), best)
        }
      }
    }
  }
})

test_that("estimates find the parameters of a large sample", {
  r <- mixed_correlation(4)
  u <- simulate(cawi_copula_from("t", cor = r, df = 5), 20000, seed = 31)
  for (method in c("itau", "mpl")) {
    fit <- cawi_copula(u, "t", method)
    # A correlation has standard error near 1 / sqrt(n); df near 0.15 at this size.
    expect_lt(max(abs(fit$cor - r)), 5 / sqrt(20000))
    expect_lt(abs(fit$df - 5), 0.75)
  }
  for (family in archimedean) {
    truth <- cawi_copula_from(family, dim = 4, tau = 0.4)
    u <- simulate(truth, 20000, seed = 32)
    for (method in c("itau", "mpl")) {
      expect_equal(cawi_copula(u, family, method)$theta, truth$theta, tolerance = 0.04)
    }
  }
})

test_that("comonotone data get the largest tau that families allow", {
  x <- cbind(1:50, 1:50, 1:50)
  for (family in archimedean) {
    expect_equal(slow_family_tau(family, cawi_copula(x, family)$theta), 0.999, tolerance = 1e-9)
    expect_true(is.finite(logLik(cawi_copula(x, family))))
    expect_true(is.finite(logLik(cawi_copula(x, family, method = "mpl"))))
  }
  for (family in elliptical) {
    fit <- cawi_copula(x, family)
    expect_true(is.finite(logLik(fit)))
    expect_gt(min(fit$cor), 0.9999)
  }
})
