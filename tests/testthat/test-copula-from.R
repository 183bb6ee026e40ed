test_that("the object holds what was given", {
  copula <- cawi_copula_from("t", dim = 3, cor = 0.5, df = 4)
  expect_s3_class(copula, "cawi_copula", exact = TRUE)
  expect_identical(copula$family, "t")
  expect_identical(copula$dim, 3L)
  expect_identical(copula$df, 4)
  expect_identical(copula$cor, matrix(c(1, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1), 3))
  expect_identical(copula$method, "given")
  expect_null(copula$loglik)
})

test_that("the dimension and the names come from the matrix", {
  r <- mixed_correlation(3)
  dimnames(r) <- list(c("a", "b", "c"), c("a", "b", "c"))
  copula <- cawi_copula_from("gaussian", cor = r)
  expect_identical(copula$dim, 3L)
  expect_identical(copula$names, c("a", "b", "c"))
  expect_identical(copula$cor, r)
})

test_that("tau gives the parameter, by hand", {
  theta <- function(family, tau) cawi_copula_from(family, dim = 2, tau = tau)$theta
  expect_equal(theta("clayton", 0.5), 2)
  expect_equal(theta("gumbel", 0.75), 4)
  expect_equal(cawi_copula_from("gaussian", dim = 2, tau = 1 / 3)$cor[1, 2], 0.5)
  expect_equal(cawi_copula_from("t", dim = 2, tau = -1 / 3, df = 3)$cor[1, 2], -0.5)
  # tau = theta / 9 - theta^3 / 900 + ...
  expect_equal(theta("frank", 1e-6), 9e-6, tolerance = 1e-10)
})

test_that("theta and tau are each other's inverse over the whole range", {
  taus <- c(1e-8, 1e-4, 0.01, 0.1, 0.11, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999)
  for (family in c("clayton", "frank", "gumbel")) {
    theta <- vapply(taus, function(tau) cawi_copula_from(family, dim = 2, tau = tau)$theta,
                    numeric(1))
    expect_true(all(diff(theta) > 0))
    back <- vapply(theta, slow_family_tau, numeric(1), family = family)
    expect_equal(back[taus >= 0.01], taus[taus >= 0.01], tolerance = 1e-10)
    # summary() reports the package's own tau(theta), which near zero the integral cannot check.
    own <- vapply(theta, function(p) {
      summary(cawi_copula_from(family, dim = 2, theta = p))$tau["model", "mean"]
    }, numeric(1))
    expect_equal(own, taus, tolerance = 1e-10, info = family)
  }
})

copula_sources <- peers_of("copula-peers", "copula", copula_peers)
for (source in names(copula_sources)) {
  test_that(paste("theta(tau) and tau(theta) equal those of the copula package:", source), {
    peers <- copula_sources[[source]]()
    for (family in names(peer_thetas)) {
      theta <- vapply(peer_taus, function(tau) cawi_copula_from(family, dim = 2, tau = tau)$theta,
                      0)
      # copula finds Frank's theta by a root search with this tolerance.
      expect_equal(theta, peers$theta[[family]], tolerance = 1e-6, info = family)
      tau <- vapply(peer_thetas[[family]], function(theta) {
        summary(cawi_copula_from(family, dim = 2, theta = theta))$tau["model", "mean"]
      }, 0)
      expect_equal(tau, peers$tau[[family]], tolerance = 1e-9, info = family)
    }
  })
}

test_argument_errors(alist(
  family = cawi_copula_from("joe", dim = 2),
  family = cawi_copula_from("Clayton", dim = 2, theta = 1),
  family = cawi_copula_from("auto", dim = 2),
  family = cawi_copula_from(NULL, dim = 2),
  family = cawi_copula_from(NA, dim = 2),
  family = cawi_copula_from(1, dim = 2),
  family = cawi_copula_from(c("t", "frank"), dim = 2),
  # Without quotes this is the function of that name.
  family = cawi_copula_from(t, dim = 2, cor = 0.5, df = 3),
  dim = cawi_copula_from("clayton", theta = 1),
  dim = cawi_copula_from("clayton", dim = 0, theta = 1),
  dim = cawi_copula_from("clayton", dim = -2, theta = 1),
  dim = cawi_copula_from("clayton", dim = 2.5, theta = 1),
  dim = cawi_copula_from("clayton", dim = NA, theta = 1),
  dim = cawi_copula_from("clayton", dim = Inf, theta = 1),
  dim = cawi_copula_from("clayton", dim = 1e10, theta = 1),
  dim = cawi_copula_from("clayton", dim = "two", theta = 1),
  dim = cawi_copula_from("clayton", dim = c(2, 3), theta = 1),
  theta = cawi_copula_from("clayton", dim = 2),
  theta = cawi_copula_from("clayton", dim = 2, theta = -1e-3),
  theta = cawi_copula_from("frank", dim = 2, theta = -1),
  theta = cawi_copula_from("gumbel", dim = 2, theta = 0.999),
  theta = cawi_copula_from("frank", dim = 2, theta = Inf),
  theta = cawi_copula_from("frank", dim = 2, theta = 1e7),
  theta = cawi_copula_from("frank", dim = 2, theta = NA),
  theta = cawi_copula_from("frank", dim = 2, theta = NaN),
  theta = cawi_copula_from("frank", dim = 2, theta = "strong"),
  theta = cawi_copula_from("frank", dim = 2, theta = c(1, 2)),
  theta = cawi_copula_from("frank", dim = 2, theta = numeric()),
  theta = cawi_copula_from("frank", dim = 2, theta = list(1)),
  theta = cawi_copula_from("frank", dim = 2, theta = exp),
  theta = cawi_copula_from("gaussian", dim = 2, theta = 1),
  theta = cawi_copula_from("independence", dim = 2, theta = 1),
  cor = cawi_copula_from("gaussian", dim = 2),
  cor = cawi_copula_from("gaussian", dim = 2, cor = 1.1),
  cor = cawi_copula_from("gaussian", dim = 2, cor = NA),
  cor = cawi_copula_from("gaussian", dim = 2, cor = "high"),
  cor = cawi_copula_from("gaussian", dim = 3, cor = -0.6),
  cor = cawi_copula_from("gaussian", dim = 3, cor = diag(2)),
  cor = cawi_copula_from("gaussian", dim = 2, cor = matrix(0.5, 2, 3)),
  cor = cawi_copula_from("gaussian", dim = 2, cor = matrix(c(1, 0.5, 0.4, 1), 2)),
  cor = cawi_copula_from("gaussian", dim = 2, cor = matrix(c(2, 0.5, 0.5, 2), 2)),
  cor = cawi_copula_from("gaussian", dim = 2, cor = matrix(c(1, 2, 2, 1), 2)),
  cor = cawi_copula_from("gaussian", dim = 2, cor = matrix(c(1, NA, NA, 1), 2)),
  cor = cawi_copula_from("clayton", dim = 2, cor = 0.5),
  df = cawi_copula_from("t", dim = 2, cor = 0.5),
  df = cawi_copula_from("t", dim = 2, cor = 0.5, df = 0),
  df = cawi_copula_from("t", dim = 2, cor = 0.5, df = -1),
  df = cawi_copula_from("t", dim = 2, cor = 0.5, df = NA),
  df = cawi_copula_from("t", dim = 2, cor = 0.5, df = "few"),
  df = cawi_copula_from("t", dim = 2, cor = 0.5, df = c(3, 4)),
  df = cawi_copula_from("gaussian", dim = 2, cor = 0.5, df = 4),
  df = cawi_copula_from("clayton", dim = 2, theta = 1, df = 4),
  tau = cawi_copula_from("clayton", dim = 2, tau = -0.1),
  tau = cawi_copula_from("clayton", dim = 2, tau = 1),
  tau = cawi_copula_from("gaussian", dim = 2, tau = 1.1),
  tau = cawi_copula_from("frank", dim = 2, tau = NA),
  tau = cawi_copula_from("frank", dim = 2, tau = "strong"),
  tau = cawi_copula_from("independence", dim = 2, tau = 0.5),
  tau = cawi_copula_from("frank", dim = 2, tau = 0.5, theta = 2),
  tau = cawi_copula_from("gaussian", dim = 2, tau = 0.5, cor = 0.2)
))

test_that("messages about parameters", {
  local_reproducible_output()
  expect_snapshot(show_error(cawi_copula_from("joe", dim = 2)))
  expect_snapshot(show_error(cawi_copula_from("gumbel", dim = 2, theta = 0.5)))
  expect_snapshot(show_error(cawi_copula_from("clayton", dim = 2, cor = 0.5)))
  expect_snapshot(show_error(cawi_copula_from("t", dim = 2, cor = 0.5)))
})
