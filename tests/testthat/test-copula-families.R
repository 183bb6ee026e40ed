# One suite of properties over all families. Seeds are fixed; thresholds are those of honest tests:
# four standard errors, or a p-value of 1e-4.
draws <- 20000

for (case in whole_range) {
  test_that(paste("margins are uniform and inside the unit interval:", case$label), {
    u <- simulate(make_copula(case), draws, seed = 11)
    expect_true(all(u > 0 & u < 1))
    # Ties can only come from rounding next to the ends.
    for (j in 1:2) {
      expect_gt(suppressWarnings(stats::ks.test(u[, j], "punif"))$p.value, 1e-4)
    }
  })

  test_that(paste("tau of draws is that of the copula:", case$label), {
    sample <- mean_tau_with_error(simulate(make_copula(case), draws, seed = 12))
    expect_lt(abs(sample$tau - case_tau(case)), 4 * sample$error)
  })

  if (case_tau(case) >= 0) {
    test_that(paste("tau of draws in five dimensions is that of the copula:", case$label), {
      sample <- mean_tau_with_error(simulate(make_copula(case, dim = 5), draws, seed = 13))
      expect_lt(abs(sample$tau - case_tau(case)), 4 * sample$error)
    })
  }
}

for (case in moderate) {
  test_that(paste("the density integrates to one:", case$label), {
    copula <- make_copula(case)
    expect_equal(integrate_density(copula), 1, tolerance = 1e-5)
    # So does each slice: the margins are uniform.
    z <- seq(-8, 8, by = 0.01)
    for (fixed in c(0.05, 0.5, 0.9)) {
      slice <- cawi_density(copula, cbind(fixed, stats::pnorm(z))) * stats::dnorm(z)
      expect_equal(sum(slice) * 0.01, 1, tolerance = 1e-6)
    }
  })

  test_that(paste("draws follow the density, by its mean log:", case$label), {
    copula <- make_copula(case)
    value <- cawi_density(copula, simulate(copula, draws, seed = 14), log = TRUE)
    expected <- integrate_density(copula, function(c) ifelse(c > 0, c * log(c), 0))
    expect_lte(abs(mean(value) - expected), 4 * stats::sd(value) / sqrt(draws) + 1e-5)
  })
}

# The mean of c0 / c over draws of c is one whatever the dimension.
ratio_pairs <- list(
  list(family_case("gaussian", cor = 0.5), family_case("gaussian", cor = 0.4)),
  list(family_case("t", cor = 0.5, df = 4), family_case("t", cor = 0.45, df = 5)),
  list(family_case("clayton", theta = 1.2), family_case("clayton", theta = 1)),
  list(family_case("frank", theta = 4), family_case("frank", theta = 3.5)),
  list(family_case("gumbel", theta = 1.6), family_case("gumbel", theta = 1.5))
)
for (pair in ratio_pairs) {
  test_that(paste("draws follow the density in five dimensions:", pair[[1]]$label), {
    copula <- make_copula(pair[[1]], dim = 5)
    u <- simulate(copula, draws, seed = 15)
    ratio <- exp(cawi_density(make_copula(pair[[2]], dim = 5), u, log = TRUE) -
                   cawi_density(copula, u, log = TRUE))
    expect_lt(abs(mean(ratio) - 1), 4 * stats::sd(ratio) / sqrt(draws))
    # The ratio must vary for its mean to say something.
    expect_gt(stats::sd(ratio), 0.05)
  })
}

# The largest coordinate of a draw has the distribution function C(t, ..., t) = psi(d psi^-1(t)).
diagonals <- list(
  clayton = function(t, theta, d) (d * t^-theta - d + 1)^(-1 / theta),
  frank = function(t, theta, d) {
    -log1p((expm1(-theta * t) / expm1(-theta))^d * expm1(-theta)) / theta
  },
  gumbel = function(t, theta, d) t^(d^(1 / theta))
)
for (family in names(diagonals)) {
  test_that(paste("the largest of five coordinates follows the diagonal of", family), {
    for (tau in c(0.1, 0.4, 0.8)) {
      copula <- cawi_copula_from(family, dim = 5, tau = tau)
      largest <- apply(simulate(copula, draws, seed = 16), 1, max)
      p <- stats::ks.test(diagonals[[family]](largest, copula$theta, 5), "punif")$p.value
      expect_gt(p, 1e-4)
    }
  })
}

test_that("quadratic forms of Gaussian and t draws have chi-squared and F distributions", {
  r <- mixed_correlation(5)
  form <- function(z) rowSums((z %*% solve(r)) * z)
  z <- stats::qnorm(simulate(cawi_copula_from("gaussian", cor = r), draws, seed = 17))
  expect_gt(stats::ks.test(form(z), "pchisq", df = 5)$p.value, 1e-4)
  for (df in c(1, 4, 30)) {
    z <- stats::qt(simulate(cawi_copula_from("t", cor = r, df = df), draws, seed = 18), df)
    expect_gt(stats::ks.test(form(z) / 5, "pf", df1 = 5, df2 = df)$p.value, 1e-4)
  }
})

test_that("every pair of an elliptical copula has its own tau", {
  r <- mixed_correlation(5)
  for (df in c(3, Inf)) {
    u <- simulate(cawi_copula_from("t", cor = r, df = df), draws, seed = 19)
    # A standard error of tau is at most sqrt(4 / 9 n) times about 1.5; ten pairs are looked at.
    expect_lt(max(abs(cawi_kendall(u) - 2 / pi * asin(r))), 5 * sqrt(4 / (9 * draws)))
  }
})

test_that("draws have the distribution of the copula package's draws", {
  skip_if_not_installed("copula")
  set.seed(20)
  r <- mixed_correlation(4)
  peers <- list(
    clayton = peer_copula("clayton", 4, 2), frank = peer_copula("frank", 4, 5),
    gumbel = peer_copula("gumbel", 4, 2), gaussian = peer_copula("gaussian", 4, cor = r),
    t = peer_copula("t", 4, cor = r, df = 3)
  )
  ours <- list(
    clayton = cawi_copula_from("clayton", 4, theta = 2),
    frank = cawi_copula_from("frank", 4, theta = 5),
    gumbel = cawi_copula_from("gumbel", 4, theta = 2),
    gaussian = cawi_copula_from("gaussian", cor = r),
    t = cawi_copula_from("t", cor = r, df = 3)
  )
  for (family in names(peers)) {
    a <- copula::rCopula(10000, peers[[family]])
    b <- simulate(ours[[family]], 10000, seed = 21)
    for (statistic in list(max, min, sum, prod)) {
      p <- stats::ks.test(apply(a, 1, statistic), apply(b, 1, statistic))$p.value
      expect_gt(p, 1e-4, label = paste("the p-value of", family))
    }
  }
})

# ---- ends of the parameter ranges ----

test_that("the lowest theta is the independence copula", {
  for (case in list(family_case("clayton", theta = 0), family_case("frank", theta = 0),
                    family_case("gumbel", theta = 1))) {
    copula <- make_copula(case, dim = 4)
    u <- simulate(copula, draws, seed = 22)
    expect_identical(cawi_density(copula, u), rep(1, draws))
    sample <- mean_tau_with_error(u)
    expect_lt(abs(sample$tau), 4 * sample$error)
    expect_identical(copula$family, case$family)
    expect_identical(coef(cawi_copula_from(case$family, dim = 4, tau = 0)),
                     c(theta = case$parameters$theta))
  }
})

test_that("df = Inf is the Gaussian copula", {
  r <- mixed_correlation(4)
  t <- cawi_copula_from("t", cor = r, df = Inf)
  gaussian <- cawi_copula_from("gaussian", cor = r)
  u <- simulate(gaussian, 500, seed = 23)
  expect_identical(simulate(t, 500, seed = 23), u)
  expect_identical(cawi_density(t, u), cawi_density(gaussian, u))
})

test_that("uncorrelated Gaussian is independence, uncorrelated t is not", {
  u <- peer_points(3)
  expect_equal(cawi_density(cawi_copula_from("gaussian", cor = diag(3)), u), rep(1, nrow(u)))
  expect_gt(max(abs(cawi_density(cawi_copula_from("t", cor = diag(3), df = 3), u) - 1)), 0.1)
})

test_that("in one dimension every copula is the uniform distribution", {
  for (case in one_of_each) {
    case$parameters$cor <- if (!is.null(case$parameters$cor)) matrix(1)
    copula <- make_copula(case, dim = 1)
    u <- simulate(copula, draws, seed = 24)
    expect_identical(dim(u), c(as.integer(draws), 1L))
    expect_gt(stats::ks.test(u[, 1], "punif")$p.value, 1e-4)
    expect_equal(cawi_density(copula, cbind(c(0.01, 0.4, 0.999))), rep(1, 3))
  }
})

test_that("the largest parameters still draw and still have a density", {
  for (case in list(family_case("clayton", theta = 1e6), family_case("frank", theta = 1e6),
                    family_case("gumbel", theta = 1e6))) {
    copula <- make_copula(case, dim = 3)
    u <- simulate(copula, 2000, seed = 25)
    expect_true(all(u > 0 & u < 1))
    expect_lt(max(abs(u[, 1] - u[, 2])), 0.01)
    expect_false(anyNA(cawi_density(copula, u, log = TRUE)))
  }
})

# ---- the table ----

test_that("every family has a whole row", {
  for (family in family_names) {
    row <- families[[family]]
    expect_true(row$kind %in% c("independence", "elliptical", "archimedean"))
    expect_true(is_string(row$label))
    expect_true(all(row$terms %in% c("theta", "cor", "df")))
    expect_identical(length(row$tau), 2L)
    expect_lte(row$tau[1], row$tau[2])
    expect_true(family == "independence" || row$nested %in% family_names)
    expect_identical(is.null(row$independence), row$kind != "archimedean")
  }
  expect_identical(init_families, c("gaussian", "t", "clayton", "frank", "gumbel"))
  expect_identical(distribution_names, c("iid", init_families))
  expect_identical(Filter(function(family) families[[family]]$has_df, family_names), "t")
})

test_that("the table counts the parameters that coef() has", {
  for (d in c(1, 2, 5)) {
    for (case in one_of_each) {
      copula <- make_copula(case, dim = d)
      expect_identical(parameter_count(case$family, d), as.double(length(coef(copula))))
    }
  }
})

test_that("the core has the families of the table, with the same ranges", {
  core <- family_table_cpp()
  expect_identical(core$family, Filter(function(f) family_is(f, "archimedean"), family_names))
  for (k in seq_along(core$family)) {
    row <- families[[core$family[k]]]
    expect_identical(c(row$independence, row$tau[2]), c(core$independence[k], core$largest_tau[k]))
  }
  for (family in Filter(function(family) family_is(family, "archimedean"), family_names)) {
    largest <- families[[family]]$tau[2]
    expect_gt(theta_from_tau_cpp(family, largest), families[[family]]$independence)
    expect_error(theta_from_tau_cpp(family, largest + 1e-6), class = "cawi::DomainError")
    expect_identical(cawi_copula_from(family, 2, tau = 0)$theta, families[[family]]$independence)
    expect_error(cawi_copula_from(family, 2, tau = largest + 1e-6), class = "cawi_error_tau")
  }
})

test_that("help pages show names in quotes", {
  expect_identical(quoted_names(c("a", "b")), "`\"a\"`, `\"b\"`")
})

test_that("tau of frank's family has no step where its series ends", {
  for (theta in c(0.5, 0.9, 0.99, 0.999999, 1, 1.01, 1.5)) {
    expect_equal(tau_from_theta_cpp("frank", theta), slow_family_tau("frank", theta),
                 tolerance = 1e-11)
  }
  near <- tau_from_theta_cpp("frank", 1 - 1e-12) - tau_from_theta_cpp("frank", 1)
  expect_lt(abs(near), 2e-13)
})
