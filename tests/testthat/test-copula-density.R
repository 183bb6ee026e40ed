at <- function(family, u, ..., dim = length(u)) {
  cawi_density(cawi_copula_from(family, dim = dim, ...), u)
}

test_that("values worked by hand", {
  half <- c(0.5, 0.5)
  expect_identical(at("independence", half), 1)
  # (1 + theta) (uv)^(-theta-1) (u^-theta + v^-theta - 1)^(-2-1/theta)
  expect_equal(at("clayton", half, theta = 2), 3 * 64 * 7^-2.5)
  # 2 * 3 * (1/8)^-2 * (2 + 2 + 2 - 2)^-4
  expect_equal(at("clayton", rep(0.5, 3), theta = 1), 1.5)
  # exp(-theta / 2) = 1/2: theta (3/4) (1/4) / (3/4 - 1/4)^2
  expect_equal(at("frank", half, theta = 2 * log(2)), 1.5 * log(2))
  # -log u = 1 for both: exp(2 - sqrt(2)) (1 + 1 / sqrt(2)) / 2
  expect_equal(at("gumbel", exp(c(-1, -1)), theta = 2), exp(2 - sqrt(2)) * (1 + sqrt(0.5)) / 2)
  # 1 / sqrt(1 - 0.36), and for t times Gamma(2) Gamma(1) / Gamma(3/2)^2 = 4 / pi
  expect_equal(at("gaussian", half, cor = 0.6), 1.25)
  expect_equal(at("t", half, cor = 0.6, df = 2), 5 / pi)
  # qnorm(pnorm(1)) = 1: exp(-(1 - 2 rho + 1) / (2 (1 - rho^2)) + 1) / sqrt(1 - rho^2)
  expect_equal(at("gaussian", stats::pnorm(c(1, 1)), cor = 0.6), 1.25 * exp(1 - 1 / 1.6))
})

copula_sources <- peers_of("copula-peers", "copula", copula_peers)
for (source in names(copula_sources)) {
  test_that(paste("densities equal those of the copula package at d = 2, 5, 20:", source), {
    cases <- copula_sources[[source]]()$density
    expect_length(cases, length(peer_dims) * (3 * 3 + 3))
    for (case in cases) {
      cor <- if (is.null(case$theta)) peer_correlation(case$d)
      copula <- cawi_copula_from(case$family, case$d, theta = case$theta, cor = cor, df = case$df)
      value <- cawi_density(copula, peer_points(case$d), log = TRUE)
      expect_lt(max(abs(value - case$log_density) / pmax(1, abs(case$log_density))), 1e-10)
    }
  })
}

high_precision <- readRDS(test_path("fixtures", "density.rds"))
for (d in c(2, 5, 20, 100, 263)) {
  test_that(paste("densities equal a computation in high precision at d =", d), {
    cases <- Filter(function(case) case$d == d, high_precision$cases)
    expect_length(cases, 13)
    for (case in cases) {
      cor <- if (is.null(case$theta)) high_precision$cor[[as.character(d)]]
      copula <- cawi_copula_from(case$family, d, theta = case$theta, cor = cor, df = case$df)
      value <- cawi_density(copula, case$u, log = TRUE)
      error <- max(abs(value - case$log_density) / pmax(1, abs(case$log_density)))
      expect_lt(error, 1e-10, label = paste("the error of", case$family, case$theta, case$df))
    }
  })
}

test_that("the density is zero outside the open cube", {
  outside <- rbind(c(0, 0.5), c(0.5, 1), c(-0.1, 0.5), c(0.5, 1.1), c(0, 0), c(1, 1),
                   c(-1e300, 1e300))
  for (case in one_of_each) {
    expect_identical(cawi_density(make_copula(case), outside), rep(0, nrow(outside)))
    expect_identical(cawi_density(make_copula(case), outside, log = TRUE), rep(-Inf, nrow(outside)))
  }
})

test_that("the density is never NaN inside the cube, up to its corners", {
  ends <- c(.Machine$double.xmin, 1e-300, 1e-17, 1e-5, 0.5, 1 - 1e-5, 1 - 2^-53)
  corners <- as.matrix(expand.grid(ends, ends))
  for (case in whole_range) {
    value <- cawi_density(make_copula(case), corners, log = TRUE)
    expect_false(anyNA(value), label = paste("NaN of", case$label))
    expect_true(all(value < Inf), label = paste("finiteness of", case$label))
  }
})

test_that("the far tail of a t density is homogeneous", {
  # Both quantiles are powers of u there: c(k u, k v) = c(u, v) / k.
  tails <- list(c(df = 4, from = 1e-100, to = 1e-300), c(df = 2.8, from = 1e-100, to = 1e-200),
                c(df = 4, from = 1e-100, to = 1e-245), c(df = 1, from = 1e-100, to = 1e-300),
                c(df = 0.5, from = 1e-50, to = 1e-140), c(df = 0.05, from = 1e-6, to = 1e-12))
  for (tail in tails) {
    copula <- cawi_copula_from("t", dim = 2, cor = 0.5, df = tail[["df"]])
    at <- function(u) cawi_density(copula, c(u, 2 * u), log = TRUE)
    expect_equal(at(tail[["to"]]) - at(tail[["from"]]), log(tail[["from"]] / tail[["to"]]),
                 tolerance = 1e-8, info = paste("df =", tail[["df"]]))
  }
})

test_that("the density of a draw is never NaN", {
  for (case in whole_range) {
    copula <- make_copula(case)
    expect_false(anyNA(cawi_density(copula, simulate(copula, 500, seed = 1), log = TRUE)),
                 label = case$label)
  }
})

test_that("exchangeable families ignore the order of coordinates", {
  u <- peer_points(5)
  for (family in c("clayton", "frank", "gumbel")) {
    copula <- cawi_copula_from(family, dim = 5, tau = 0.5)
    expect_equal(cawi_density(copula, u[, 5:1], log = TRUE), cawi_density(copula, u, log = TRUE),
                 tolerance = 1e-12)
  }
})

test_that("elliptical and Frank densities are symmetric about the center", {
  u <- peer_points(2)
  for (case in moderate) {
    if (case$family %in% c("clayton", "gumbel")) next
    copula <- make_copula(case)
    expect_equal(cawi_density(copula, 1 - u, log = TRUE), cawi_density(copula, u, log = TRUE),
                 tolerance = 1e-9, info = case$label)
  }
})

test_that("near independence the log-density follows its first derivative", {
  u <- peer_points(2)
  l <- log(u)
  # d log c / d theta at independence, by hand
  expect_equal(cawi_density(cawi_copula_from("clayton", 2, theta = 1e-6), u, log = TRUE) / 1e-6,
               (1 + l[, 1]) * (1 + l[, 2]), tolerance = 1e-4)
  expect_equal(cawi_density(cawi_copula_from("frank", 2, theta = 1e-6), u, log = TRUE) / 1e-6,
               2 * (u[, 1] - 0.5) * (u[, 2] - 0.5), tolerance = 1e-4)
})

test_that("a large number of degrees of freedom is nearly Gaussian", {
  r <- mixed_correlation(5)
  u <- peer_points(5)
  gaussian <- cawi_density(cawi_copula_from("gaussian", cor = r), u, log = TRUE)
  expect_identical(cawi_density(cawi_copula_from("t", cor = r, df = Inf), u, log = TRUE), gaussian)
  for (df in c(1e6, 1e9, 1e12)) {
    t <- cawi_density(cawi_copula_from("t", cor = r, df = df), u, log = TRUE)
    expect_equal(t, gaussian, tolerance = 100 / df + 1e-8)
  }
})

test_that("log, vectors, data frames and threads agree", {
  copula <- cawi_copula_from("gumbel", dim = 3, theta = 2)
  u <- simulate(copula, 1000, seed = 2)
  value <- cawi_density(copula, u)
  expect_equal(log(value), cawi_density(copula, u, log = TRUE))
  expect_identical(cawi_density(copula, u[7, ]), value[7])
  expect_identical(cawi_density(copula, as.data.frame(u)), value)
  for (threads in c(1, 2, 4)) expect_identical(cawi_density(copula, u, threads = threads), value)
  expect_length(cawi_density(copula, u[1, , drop = FALSE]), 1)
})

test_that("densities are numbers down to the smallest probabilities", {
  tiny <- c(1e-290, 1e-300, 1e-308, 1e-310, 1e-316, 5e-324)
  u <- cbind(tiny, rep(c(0.5, 0.9), each = 3))
  for (df in c(2.1, 2.5, 5.01, 30, 36, 100, 192, 1000)) {
    copula <- cawi_copula_from("t", dim = 2, cor = 0.5, df = df)
    value <- cawi_density(copula, u, log = TRUE)
    expect_true(all(is.finite(value)))
    # Far out F(x) = c |x|^-df, so that x and y have the density c(u, v) = u^(1 / df) times a
    # constant for a fixed v.
    if (df < 10) expect_equal(diff(value[1:2]), diff(log(tiny[1:2])) / df, tolerance = 1e-6)
  }
  frank <- cawi_copula_from("frank", dim = 3, theta = 1e-5)
  expect_equal(cawi_density(frank, cbind(tiny, 0.3, 5e-324)), rep(1, 6), tolerance = 1e-4)
})

clayton <- cawi_copula_from("clayton", dim = 2, theta = 2)

test_argument_errors(alist(
  copula = cawi_density("clayton", c(0.5, 0.5)),
  copula = cawi_density(list(family = "clayton"), c(0.5, 0.5)),
  copula = cawi_density(cawi_copula_from("t", dim = 2, cor = -1, df = 3), c(0.5, 0.5)),
  u = cawi_density(clayton, c(0.5, 0.5, 0.5)),
  u = cawi_density(clayton, matrix(0.5, 2, 3)),
  u = cawi_density(clayton, 0.5),
  u = cawi_density(clayton, c(0.5, NA)),
  u = cawi_density(clayton, c("a", "b")),
  log = cawi_density(clayton, c(0.5, 0.5), log = NA),
  log = cawi_density(clayton, c(0.5, 0.5), log = "yes"),
  log = cawi_density(clayton, c(0.5, 0.5), log = 1),
  threads = cawi_density(clayton, c(0.5, 0.5), threads = 0)
))

test_that("rows outside the cube are no cause for a warning where one row is inside", {
  copula <- cawi_copula_from("clayton", dim = 2, theta = 1)
  u <- rbind(c(0.5, 0.5), c(0, 0.5), c(0.5, 1))
  expect_warning(value <- cawi_density(copula, u), NA)
  expect_identical(value[2:3], c(0, 0))
  expect_warning(cawi_density(copula, u[2:3, ]), class = "cawi_warning_outside")
})

test_that("steep Archimedean densities keep their digits on the diagonal", {
  # By hand, with all features at v; the powers of v in the general forms cancel.
  theta <- 1e6
  density <- function(family, v, dim) {
    cawi_density(cawi_copula_from(family, dim, theta = theta), rep(v, dim), log = TRUE)
  }
  for (v in c(1e-5, 0.3, 0.75)) {
    clayton <- sum(log1p(1:99 * theta)) - 99 * log(v) - (100 + 1 / theta) * log(100)
    expect_equal(density("clayton", v, 100), clayton, tolerance = 1e-13)
    g <- -log(v)
    x <- 2^(1 / theta) * g
    gumbel <- 2 * (log(theta) - log(2) - log(g) + g) - x +
      log((1 - 1 / theta) * x / theta + (x / theta)^2)
    expect_equal(density("gumbel", v, 2), gumbel, tolerance = 1e-13)
  }
  expect_equal(density("frank", 0.3, 2), log(theta / 4), tolerance = 1e-13)
})

test_that("rows at the sides of the cube are outside of it", {
  copula <- cawi_copula_from("clayton", dim = 2, theta = 2)
  for (u in list(c(1, 0.5), c(0.5, 0), c(1, 1))) {
    expect_warning(expect_identical(cawi_density(copula, u), 0), class = "cawi_warning_outside")
  }
  expect_silent(cawi_density(copula, rbind(c(1, 0.5), c(0.4, 0.5))))
})

test_that("densities of t copulas with many degrees of freedom are those of dt() and qt()", {
  u <- rbind(c(0.5, 0.5), c(0.2, 0.9), c(0.001, 0.01))
  rho <- 0.6
  for (df in c(98, 99.9, 100.1, 250, 1e4)) {
    x <- stats::qt(u, df)
    square <- (x[, 1]^2 - 2 * rho * x[, 1] * x[, 2] + x[, 2]^2) / (1 - rho^2)
    # Of two dimensions: the gamma functions leave nu / 2.
    joint <- -log(2 * pi) - log(1 - rho^2) / 2 - (df + 2) / 2 * log1p(square / df)
    found <- cawi_density(cawi_copula_from("t", dim = 2, cor = rho, df = df), u, log = TRUE)
    expect_equal(found, joint - rowSums(stats::dt(x, df, log = TRUE)), tolerance = 1e-11)
  }
})

test_that("the constant of a t density has all digits at any even number of degrees of freedom", {
  # Worked by hand: at u = 1/2 quantiles are zero, and Gamma(n + 1/2) / Gamma(n) is a product.
  for (df in c(4, 20, 58, 78, 98, 120)) {
    n <- df / 2
    step <- log(pi) / 2 - log(2) + sum(log1p(0.5 / seq_len(n - 1)))
    copula <- cawi_copula_from("t", 2, cor = 0.5, df = df)
    wanted <- log(n) - 2 * step - log(0.75) / 2
    expect_lt(abs(cawi_density(copula, cbind(0.5, 0.5), log = TRUE) - wanted), 2e-15)
  }
})
