# What other packages compute, on inputs that are the same everywhere. The scripts in fixtures/
# record these lists; tests compare with the record always and with the package where it is there.

# Computed once a session, however many tests ask.
live_peers <- new.env()

peers_of <- function(name, package, compute) {
  recorded <- readRDS(test_path("fixtures", paste0(name, ".rds")))
  sources <- list(recorded = function() recorded)
  sources[[package]] <- function() {
    skip_if_not_installed(package)
    if (is.null(live_peers[[name]])) live_peers[[name]] <- compute()
    live_peers[[name]]
  }
  sources
}

# pcaPP ------------------------------------------------------------------------------------------

# Past 65,536 rows the count of pairs exceeds 2^31.
kendall_peer_data <- function() {
  tied_data(70000)[, c("continuous", "half_tied", "dependent", "coarse")]
}

kendall_peers <- function() unname(pcaPP::cor.fk(kendall_peer_data()))

# Matrix -----------------------------------------------------------------------------------------

# Symmetric, unit diagonal, indefinite.
nearest_peer_inputs <- function() {
  pairwise <- function(m, d) {
    r <- sin(pi / 2 * stats::cor(factor_data(m, d), method = "kendall"))
    diag(r) <- 1
    r
  }
  noise <- matrix(lehmer(100, 5) / 2^31 * 2 - 1, 10)
  noise <- (noise + t(noise)) / 2
  diag(noise) <- 1
  far <- matrix(-0.9, 6, 6)
  diag(far) <- 1
  list(
    higham = matrix(c(1, 1, 0, 1, 1, 1, 0, 1, 1), 3),
    more_columns_than_rows = pairwise(12, 30),
    noise = noise,
    far = far
  )
}

nearest_peers <- function() {
  lapply(nearest_peer_inputs(), function(r) {
    nearest <- Matrix::nearPD(r, corr = TRUE, conv.tol = 1e-12, maxit = 10000)
    unname(as.matrix(nearest$mat))
  })
}

# copula -----------------------------------------------------------------------------------------

peer_taus <- c(0.02, 0.2, 0.4, 0.6, 0.8, 0.95)
peer_thetas <- list(clayton = c(0.1, 2, 20), frank = c(0.5, 5, 40), gumbel = c(1.05, 2, 15))
peer_dims <- c(2, 5, 20)

peer_fit_data <- function(d) heavy_data(300, d, df = 4, common = 1)
peer_points <- function(d) matrix(lehmer(6 * d, 11 + d) / 2147483647, 6)
peer_correlation <- function(d) mixed_correlation(d)
peer_dfs <- c(2.5, 8)

# The copula package's object of a family; NA parameters are to be estimated.
peer_copula <- function(family, d, theta = NA_real_, cor = NULL, df = NULL) {
  rho <- if (is.null(cor)) rep(NA_real_, d * (d - 1) / 2) else copula::P2p(cor)
  switch(family,
    clayton = copula::claytonCopula(theta, dim = d),
    frank = copula::frankCopula(theta, dim = d),
    gumbel = copula::gumbelCopula(theta, dim = d),
    gaussian = copula::normalCopula(rho, dim = d, dispstr = "un"),
    t = if (is.null(df)) {
      copula::tCopula(rho, dim = d, dispstr = "un")
    } else {
      copula::tCopula(rho, dim = d, dispstr = "un", df = df)
    }
  )
}

copula_peers <- function() {
  archimedean <- names(peer_thetas)
  fit <- function(family, d, method) {
    u <- copula::pobs(peer_fit_data(d))
    # The default search stops short of the maximum for a bivariate Clayton copula.
    search <- if (family %in% archimedean) {
      "BFGS"
    } else {
      copula::optimMeth(peer_copula(family, d), method, d)
    }
    # The warnings are about standard errors, which are not compared.
    fitted <- suppressWarnings(copula::fitCopula(peer_copula(family, d), u, method = method,
                                                 estimate.variance = FALSE, optim.method = search))
    list(family = family, d = d, estimate = unname(copula::coef(fitted)), loglik = fitted@loglik)
  }
  density <- function(family, d, theta = NULL, df = NULL) {
    cor <- if (is.null(theta)) peer_correlation(d)
    object <- peer_copula(family, d, if (is.null(theta)) NA_real_ else theta, cor, df)
    list(family = family, d = d, theta = theta, df = df,
         log_density = copula::dCopula(peer_points(d), object, log = TRUE))
  }
  over_dims <- function(f) do.call(c, lapply(peer_dims, f))
  list(
    theta = lapply(stats::setNames(archimedean, archimedean), function(family) {
      vapply(peer_taus, function(tau) copula::iTau(peer_copula(family, 2), tau), numeric(1))
    }),
    tau = Map(function(family, thetas) {
      vapply(thetas, function(theta) copula::tau(peer_copula(family, 2, theta)), numeric(1))
    }, archimedean, peer_thetas),
    mean_tau_theta = lapply(c(2, 3), function(d) {
      tau <- copula::corKendall(as.matrix(peer_fit_data(d)))
      vapply(archimedean, function(family) {
        copula::iTau(peer_copula(family, 2), mean(tau[lower.tri(tau)]))
      }, numeric(1))
    }),
    itau_t = lapply(c(2, 3), function(d) fit("t", d, "itau.mpl")),
    mpl = unlist(lapply(c(2, 3), function(d) {
      lapply(c("gaussian", "t", archimedean), fit, d = d, method = "mpl")
    }), recursive = FALSE),
    density = c(
      over_dims(function(d) {
        unlist(Map(function(family, thetas) lapply(thetas, density, family = family, d = d),
                   archimedean, peer_thetas), recursive = FALSE, use.names = FALSE)
      }),
      over_dims(function(d) {
        c(list(density("gaussian", d)), lapply(peer_dfs, function(df) density("t", d, df = df)))
      })
    )
  )
}
