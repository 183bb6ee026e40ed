# A copula between independence and itself: `strength` says how far it is followed.

# Zero is independence and one the copula itself. The kinds of families have their own way between
# them, and beyond: negative strengths of elliptical families turn the dependence round.
temper_copula <- function(copula, strength, call = caller_env()) {
  check_strength_range(strength, copula$family, call)
  if (strength == 1) return(copula)
  row <- families[[copula$family]]
  if (row$kind == "independence") return(copula)
  parameters <- if (strength != 0) row$temper(copula, strength)
  family <- if (is.null(parameters)) "independence" else copula$family
  tempered <- new_cawi_copula(family, copula$dim, parameters, names = copula$names)
  tempered[c("nobs", "method", "requested")] <- copula[c("nobs", "method", "requested")]
  tempered
}

# Eigenvalues below this would make directions of next to no variance, turned round, the only ones.
least_eigenvalue <- 1e-3

# The power of the correlation matrix; 1/df goes to zero with the strength, so that tails become
# normal as the dependence vanishes.
temper_elliptical <- function(copula, strength) {
  system <- eigen(copula$cor, symmetric = TRUE)
  powers <- pmax(system$values, least_eigenvalue)^strength
  cor <- stats::cov2cor(system$vectors %*% (powers * t(system$vectors)))
  # Rounding leaves the two triangles apart.
  cor <- (cor + t(cor)) / 2
  diag(cor) <- 1
  list(cor = cor, df = if (!is.null(copula$df)) copula$df / abs(strength))
}

# NULL where next to nothing is left of the dependence.
temper_archimedean <- function(copula, strength) {
  tau <- strength * tau_from_theta_cpp(copula$family, copula$theta)
  if (tau > 0) list(theta = theta_from_tau_cpp(copula$family, tau), flipped = copula$flipped)
}
