# hidden = Inf: kernels, landmarks, and everything that a model does.

x <- function(m = 40) small_x(m)
y <- function(task = "regression", m = 40) small_y(task, small_x(m))

indexed <- function(y, rows) if (is.matrix(y)) y[rows, , drop = FALSE] else y[rows]

cor4 <- 0.6^abs(outer(1:4, 1:4, `-`))

# The arguments of every closed form: a name each.
forms <- list(
  gaussian = list(activation = "sine", bias = "phase", marginal = "normal"),
  aligned = list(activation = "sine", bias = "phase", marginal = "normal",
                 init = cawi_copula_from("gaussian", cor = cor4)),
  laplace = list(activation = "sine", bias = "phase", marginal = "cauchy"),
  exponential = list(activation = "sine", bias = "phase", marginal = "cauchy",
                     init = cawi_copula_from("t", cor = cor4, df = 1)),
  sinc = list(activation = "sine", bias = "phase", marginal = "uniform"),
  radbas = list(activation = "radbas", bias = "none", marginal = "normal"),
  relu = list(activation = "relu", bias = "none", marginal = "normal",
              init = cawi_copula_from("gaussian", cor = cor4))
)

# Their kernels in plain R, of two points and the factor on the weights.
plain_kernels <- list(
  gaussian = function(a, b, s) exp(-s^2 * sum((a - b)^2) / 2) / 2,
  aligned = function(a, b, s) exp(-s^2 * sum((a - b) * (cor4 %*% (a - b))) / 2) / 2,
  laplace = function(a, b, s) exp(-s * sum(abs(a - b))) / 2,
  exponential = function(a, b, s) exp(-s * sqrt(sum((a - b) * (cor4 %*% (a - b))))) / 2,
  sinc = function(a, b, s) prod(ifelse(a == b, 1, sin(s * (a - b)) / (s * (a - b)))) / 2,
  radbas = function(a, b, s) {
    1 / sqrt(det(diag(2) + 2 * s^2 * tcrossprod(rbind(a, b))))
  },
  relu = function(a, b, s) {
    product <- function(a, b) s^2 * sum(a * (cor4 %*% b))
    lengths <- sqrt(product(a, a) * product(b, b))
    if (lengths == 0) return(0)
    t <- acos(max(min(product(a, b) / lengths, 1), -1))
    lengths / (2 * pi) * (sin(t) + (pi - t) * cos(t))
  }
)

plain_kernel <- function(form, a, b, s) {
  k <- function(i, j) plain_kernels[[form]](a[i, ], b[j, ], s)
  outer(seq_len(nrow(a)), seq_len(nrow(b)), Vectorize(k))
}

fit_form <- function(form, ..., x = small_x(), y = small_y("regression", x), model = cawi_rvfl) {
  own <- utils::modifyList(c(list(hidden = Inf, scale = 0.5, inputs = NA, seed = 1), forms[[form]]),
                           list(...))
  do.call(model, c(list(x, y), own))
}

standardized <- function(fit, x) unname(scale(x, fit$network$center, fit$network$sd)[, ])

# Kernel ridge; numbers have an intercept without penalty.
plain_kernel_ridge <- function(k, fresh, y, lambda, free) {
  y <- as.matrix(y)
  if (!free) return(fresh %*% solve(k + diag(lambda, nrow(k)), y))
  means <- colMeans(k)
  center <- function(k) sweep(k - rowMeans(k), 2, means) + mean(means)
  alpha <- solve(center(k) + diag(lambda, nrow(k)), sweep(y, 2, colMeans(y)))
  sweep(center(fresh) %*% alpha, 2, colMeans(y), `+`)
}

# How fast networks with more and more nodes come near their limit: the slope of the logarithm of
# the gap between their predictions.
convergence_slope <- function(form, ...) {
  train <- x(25)
  response <- y(m = 25)
  fresh <- small_x(15, start = 9)
  given <- list(form, x = train, y = response, lambda = 0.1, intercept = FALSE, ...)
  limit <- predict(do.call(fit_form, given), fresh)
  counts <- c(200, 1000, 4000, 20000)
  gaps <- vapply(counts, function(count) {
    sqrt(mean(vapply(1:6, function(seed) {
      fit <- do.call(fit_form, c(given, list(hidden = count, seed = seed)))
      shrink <- function(a) {
        a[, -(1:4)] <- a[, -(1:4)] / sqrt(count)
        a
      }
      a <- shrink(cawi_features(fit, train))
      b <- shrink(cawi_features(fit, fresh))
      mean((b %*% crossprod(a, solve(tcrossprod(a) + diag(0.1, 25), response)) - limit)^2)
    }, numeric(1))))
  }, numeric(1))
  stats::coef(stats::lm(log(gaps) ~ log(counts)))[[2L]]
}

for (form in names(forms)) {
  test_that(paste("the kernel of", form, "is the formula, and what nodes give on average"), {
    a <- x(5) - 0.2
    b <- rbind(x(7)[2:4, ], a[2, ], 0)
    fit <- fit_form(form)
    kernel <- fit$network$layers[[1L]]$kernel
    expect_identical(kernel$kind, sub("aligned", "gaussian", form))
    found <- cawi:::kernel_cpp(kernel, a, b)
    expect_lt(max(abs(found - plain_kernel(form, a, b, 0.5))), 1e-14)
    finite <- fit_form(form, hidden = 1e5, lambda = 1, standardize = FALSE)
    layer <- finite$network$layers[[1L]]
    node <- function(z) {
      h <- sweep(z %*% layer$weights, 2, layer$bias, `+`)
      matrix(plain_activations[[layer$activation]](h), nrow(z))
    }
    simulated <- tcrossprod(node(a), node(b)) / 1e5
    size <- sqrt(outer(rowMeans(node(a)^4), rowMeans(node(b)^4)))
    expect_lt(max(abs(simulated - found) / pmax(sqrt(size), 1e-3)), 6 / sqrt(1e5))
  })

  test_that(paste("predictions of", form, "are kernel ridge"), {
    fresh <- small_x(20, start = 9)
    for (model in c(cawi_elm, cawi_rvfl)) {
      for (task in c("regression", "classification")) {
        fit <- fit_form(form, y = y(task), lambda = 0.1, model = model)
        z <- standardized(fit, x())
        new <- standardized(fit, fresh)
        direct <- fit$spec$direct
        free <- task == "regression"
        between <- function(a, b) plain_kernel(form, a, b, 0.5) + direct * tcrossprod(a, b) + !free
        wanted <- plain_kernel_ridge(between(z, z), between(new, z), indicators(y(task)), 0.1, free)
        found <- predict(fit, fresh, type = "score")
        expect_lt(relative_gap(found, wanted), 1e-8)
      }
    }
  })

  test_that(paste("finite networks converge to that of", form), {
    slope <- convergence_slope(form)
    expect_gt(slope, -0.65)
    expect_lt(slope, -0.35)
  })
}

test_that("leave-one-out in the dual equals refits, for all tasks", {
  for (task in tasks) {
    fit <- fit_form("laplace", y = y(task), lambda = c(0.01, 0.1, 1))
    a <- unname(cawi_features(fit, x()))
    expect_gt(ncol(a), nrow(a))
    wanted <- refitted_scores(a, indicators(y(task)), fit$lambda)
    expect_lt(relative_gap(fit$readouts[[1L]]$loo$scores, wanted), 1e-8)
    expect_ridge(fit, list(a), indicators(y(task)))
  }
})

# Nodes that read k of d features: half the mean over all choices of the products of the factors of
# the features.
plain_some <- function(form, a, b, s, k) {
  factors <- list(gaussian = function(d) exp(-d^2 / 2), laplace = function(d) exp(-abs(d)),
                  sinc = function(d) ifelse(d == 0, 1, sin(d) / d))
  value <- function(i, j) {
    f <- factors[[form]](s * (a[i, ] - b[j, ]))
    mean(utils::combn(length(f), k, function(some) prod(f[some]))) / 2
  }
  outer(seq_len(nrow(a)), seq_len(nrow(b)), Vectorize(value))
}

product_forms <- c("gaussian", "laplace", "sinc")

test_that("two of three features by hand", {
  a <- matrix(c(0, 0, 0), 1)
  b <- matrix(c(log(2), log(4), 0), 1)
  # exp(-gap) is 1/2, 1/4 and 1: products of two are 1/8, 1/2 and 1/4, products of one themselves.
  half <- function(inputs) {
    drop(cawi:::kernel_cpp(list(kind = "laplace", metric = rep(1, 3), inputs = inputs), a, b))
  }
  expect_equal(half(1L), (1 / 2 + 1 / 4 + 1) / 3 / 2)
  expect_equal(half(2L), (1 / 8 + 1 / 2 + 1 / 4) / 3 / 2)
  expect_equal(half(3L), 1 / 8 / 2)
})

for (form in product_forms) {
  test_that(paste("the kernel of nodes that read some features is a mean over choices:", form), {
    # Seven features, factors of their own, and numbers of rows that fill no vector of the machine.
    rows <- function(m, start) {
      values <- factor_data(m, 7, start = start) / 2147483647
      values
    }
    a <- rows(13, 3)
    b <- rbind(rows(6, 9), a[4, ], 0)
    metric <- c(0.3, 0.5, 0, 1, 0.7, 2, 0.1)
    units <- function(z) z * rep(metric, each = nrow(z))
    for (k in 1:6) {
      kernel <- list(kind = form, metric = metric, inputs = k)
      wanted <- plain_some(form, units(a), units(b), 1, k)
      expect_lt(max(abs(cawi:::kernel_cpp(kernel, a, b) - wanted)), 1e-14)
    }
    # All features are those that nothing was said about.
    whole <- cawi:::kernel_cpp(list(kind = form, metric = metric), a, b)
    for (k in 7:9) {
      kernel <- list(kind = form, metric = metric, inputs = k)
      expect_identical(cawi:::kernel_cpp(kernel, a, b), whole)
    }
    expect_lt(max(abs(whole - plain_some(form, units(a), units(b), 1, 7))), 1e-14)
    # A row with itself has a half, and no two rows have more.
    itself <- cawi:::kernel_cpp(list(kind = form, metric = metric, inputs = 3L), a, a)
    expect_equal(diag(itself), rep(0.5, 13), tolerance = 1e-14)
    expect_equal(itself, t(itself), tolerance = 1e-14)
    expect_gt(min(eigen(itself, TRUE, TRUE)$values), -1e-14)
  })

  test_that(paste("points far from zero are as alike as their gaps say:", form), {
    z <- c(0, 250, 299, 301, 310, 400, 1000, 1e6) + cbind(0, small_x(8)[, 1:3])
    shifted <- rbind(z[4:8, ], z[4:8, ] + 0.5)
    for (k in 1:3) {
      kernel <- list(kind = form, metric = rep(1, 4), inputs = k)
      for (points in list(z, shifted, -z)) {
        expect_equal(cawi:::kernel_cpp(kernel, points, points),
                     plain_some(form, points, points, 1, k), tolerance = 1e-9)
      }
      # Some points in range, and some beyond.
      expect_equal(cawi:::kernel_cpp(kernel, z[1:3, ], z), plain_some(form, z[1:3, ], z, 1, k),
                   tolerance = 1e-9)
    }
  })

  test_that(paste("predictions of nodes that read some features are kernel ridge:", form), {
    fresh <- small_x(20, start = 9)
    for (k in 1:3) {
      for (task in c("regression", "classification")) {
        fit <- fit_form(form, y = y(task), lambda = 0.1, inputs = k)
        expect_identical(fit$network$layers[[1L]]$kernel$inputs, k)
        z <- standardized(fit, x())
        new <- standardized(fit, fresh)
        free <- task == "regression"
        between <- function(a, b) plain_some(form, a, b, 0.5, k) + tcrossprod(a, b) + !free
        wanted <- plain_kernel_ridge(between(z, z), between(new, z), indicators(y(task)), 0.1, free)
        expect_lt(relative_gap(predict(fit, fresh, type = "score"), wanted), 1e-8)
      }
    }
    # All features, or more than there are, are all features.
    whole <- predict(fit_form(form, lambda = 0.1), fresh)
    for (k in c(4, 100)) {
      fit <- fit_form(form, lambda = 0.1, inputs = k)
      expect_null(fit$network$layers[[1L]]$kernel$inputs)
      expect_identical(predict(fit, fresh), whole)
    }
  })

  test_that(paste("nodes that read one feature add up to an additive model:", form), {
    corner <- function(first, second) rbind(c(first, second, 0.1, -0.2))
    mixed <- function(k) {
      fit <- fit_form(form, lambda = 0.01, inputs = k)
      at <- function(first, second) predict(fit, corner(first, second))
      at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)
    }
    expect_lt(abs(mixed(1)), 1e-10)
    expect_gt(abs(mixed(2)), 1e-4)
  })

  test_that(paste("finite networks that read some features converge to the limit:", form), {
    for (k in 1:2) {
      slope <- convergence_slope(form, inputs = k)
      expect_gt(slope, -0.65)
      expect_lt(slope, -0.35)
    }
  })
}

test_that("leave-one-out of nodes that read some features equals refits", {
  for (task in tasks) {
    fit <- fit_form("laplace", y = y(task), lambda = c(0.01, 0.1, 1), inputs = 2)
    a <- unname(cawi_features(fit, x()))
    wanted <- refitted_scores(a, indicators(y(task)), fit$lambda)
    expect_lt(relative_gap(fit$readouts[[1L]]$loo$scores, wanted), 1e-8)
    expect_ridge(fit, list(a), indicators(y(task)))
    expect_equal(tcrossprod(a[, 5:44]),
                 plain_some("laplace", standardized(fit, x()), standardized(fit, x()), 0.5, 2),
                 tolerance = 1e-10)
  }
})

test_that("nodes that read some features choose, tune, learn rows and survive a file", {
  fresh <- small_x(15, start = 9)
  for (form in product_forms) {
    # A wanted spread is that of finite networks.
    own <- list(form, inputs = 2, spread = 1)
    own["scale"] <- list(NULL)
    limit <- do.call(fit_form, own)$network$layers[[1L]]
    finite <- do.call(fit_form, c(own, hidden = 7))$network$layers[[1L]]
    expect_identical(limit$factor, finite$factor)
    expect_identical(limit$kernel$metric, rep(limit$factor, 4))
    fit <- fit_form(form, x = x()[1:25, ], y = y()[1:25], lambda = 0.1, inputs = 2)
    file <- tempfile(fileext = ".rds")
    saveRDS(fit, file)
    expect_identical(predict(readRDS(file), fresh), predict(fit, fresh))
    unlink(file)
    more <- update(fit, new_x = x()[26:40, ], new_y = y()[26:40])
    expect_identical(length(more$network$layers[[1L]]$bias), 40L)
    z <- standardized(fit, x())
    new <- standardized(fit, fresh)
    between <- function(a, b) plain_some(form, a, b, 0.5, 2) + tcrossprod(a, b)
    wanted <- plain_kernel_ridge(between(z, z), between(new, z), y(), 0.1, TRUE)
    expect_lt(relative_gap(predict(more, fresh), wanted), 1e-7)
    few <- fit_form(form, lambda = 0.1, inputs = 2, landmarks = 12)
    layer <- few$network$layers[[1L]]
    expect_gt(layer$kernel$error, 0)
    among <- plain_some(form, t(layer$weights), t(layer$weights), 0.5, 2)
    expect_equal(crossprod(layer$root), among, tolerance = 1e-10)
  }
  auto <- fit_form("laplace", scale = "auto", inputs = 1)
  expect_identical(nrow(auto$spec$choice), 5L)
  grid <- cawi_grid(inputs = c(NA, 1, 2), lambda = c(0.1, 1))
  own <- c(list(hidden = Inf, scale = 0.5), forms$laplace)
  tuned <- do.call(cawi_tune, c(list(x(), y(), grid = grid, seed = 1), own))
  for (k in list(NA, 1, 2)) {
    alone <- fit_form("laplace", lambda = c(0.1, 1), inputs = k)
    mean <- tuned$results$mean[tuned$results$inputs %in% k]
    lambda <- tuned$results$lambda[tuned$results$inputs %in% k]
    expect_equal(mean[order(lambda)], alone$readouts[[1L]]$loo$rmse[, 1], tolerance = 1e-8)
  }
  big <- small_x(300)
  fits <- lapply(1:2, function(threads) {
    timeless(fit_form("laplace", x = big, y = small_y("classification", big), inputs = 2,
                      threads = threads, lambda = 1))
  })
  expect_identical(fits[[1L]], fits[[2L]])
})

test_that("edited inputs of a kernel are found", {
  edit <- function(fit, inputs) {
    fit$network$layers[[1L]]$kernel["inputs"] <- list(inputs)
    fit
  }
  fit <- fit_form("laplace", inputs = 2)
  for (inputs in list(0L, -1L, 1.5, NA, "2", c(1L, 2L), 4L, 1e10, list(2L))) {
    expect_error(predict(edit(fit, inputs), x()), class = "cawi_error_object")
    expect_error(print(edit(fit, inputs)), class = "cawi_error_x")
  }
  for (form in c("relu", "radbas", "exponential", "aligned")) {
    expect_error(predict(edit(fit_form(form), 2L), x()), class = "cawi_error_object")
  }
  # What predictions do not look at.
  expect_error(print(edit(fit, 1L)), class = "cawi_error_x")
  expect_error(print(edit(fit, NULL)), class = "cawi_error_x")
  expect_error(print(edit(fit_form("laplace"), 2L)), class = "cawi_error_x")
  fit$spec$inputs <- 3L
  expect_error(print(fit), class = "cawi_error_x")
})

test_that("features of landmarks have the kernel as their inner products", {
  fit <- fit_form("sinc", lambda = 1)
  a <- cawi_features(fit, x())[, 5:44]
  expect_equal(tcrossprod(a), plain_kernel("sinc", standardized(fit, x()), standardized(fit, x()),
                                           0.5), tolerance = 1e-10, ignore_attr = TRUE)
  expect_identical(colnames(a)[1:2], c("h1_1", "h1_2"))
})

test_that("the features of a landmark are its column of the root, beside those of other rows", {
  fit <- fit_form("laplace", landmarks = 12, lambda = 1, model = cawi_elm)
  layer <- fit$network$layers[[1L]]
  rows <- rbind(small_x(5, start = 9), x())
  between <- plain_kernel("laplace", standardized(fit, rows), t(layer$weights), 0.5)
  wanted <- t(backsolve(layer$root, t(between), transpose = TRUE))
  found <- unname(cawi_features(fit, rows))[, 1:12]
  expect_equal(found, wanted, tolerance = 1e-12)
  landmarks <- match(do.call(paste, as.data.frame(t(layer$weights))),
                     do.call(paste, as.data.frame(standardized(fit, rows))))
  expect_identical(found[landmarks, ], unname(t(layer$root)))
  # A kernel that is zero has no landmarks.
  flat <- suppressWarnings(fit_form("relu", x = matrix(1, 40, 4), lambda = 1, model = cawi_elm))
  expect_identical(unname(cawi_features(flat, matrix(1, 2, 4)))[, 1], c(0, 0))
})

test_that("factor and copula are those of a finite network with the same arguments", {
  ways <- list(list(spread = 1), list(spread = 2, init = "gaussian"), list(init = "gaussian"))
  for (own in ways) {
    own <- c(own, list(activation = "sine", bias = "phase", marginal = "normal", inputs = NULL,
                       seed = 3))
    infinite <- do.call(cawi_rvfl, c(list(x(), y(), hidden = Inf), own))$network$layers[[1L]]
    finite <- do.call(cawi_rvfl, c(list(x(), y(), hidden = 7), own))$network$layers[[1L]]
    expect_identical(infinite[c("factor", "copula")], finite[c("factor", "copula")])
  }
})

# D R D, the covariance of weights whose metric gradients told.
learned_covariance <- function(layer) {
  cor <- if (is.null(layer$copula$cor)) diag(4) else layer$copula$cor
  layer$factor^2 * layer$relevance * t(layer$relevance * cor)
}

# Points in which a learned covariance is that of the kernel in plain R.
learned_points <- function(form, covariance, z) {
  points <- z %*% t(chol(covariance))
  if (form == "relu") points %*% solve(t(chol(cor4))) else points
}

for (form in c("gaussian", "radbas", "relu")) {
  test_that(paste("predictions with weights from gradients are kernel ridge:", form), {
    fresh <- small_x(20, start = 9)
    for (per_feature in c(FALSE, TRUE)) {
      own <- list(form, init = "gradient", rounds = 2, per_feature = per_feature, lambda = 0.1)
      fit <- do.call(fit_form, own)
      layer <- fit$network$layers[[1L]]
      covariance <- learned_covariance(layer)
      expect_gt(max(abs(covariance - diag(0.25, 4))), 0.01)
      expect_identical(all(covariance[upper.tri(covariance)] == 0), per_feature)
      points <- function(x) learned_points(form, covariance, standardized(fit, x))
      between <- function(a, b) {
        plain_kernel(form, points(a), points(b), 1) +
          tcrossprod(standardized(fit, a), standardized(fit, b))
      }
      wanted <- plain_kernel_ridge(between(x(), x()), between(fresh, x()), y(), 0.1, TRUE)
      expect_lt(relative_gap(predict(fit, fresh), wanted), 1e-8)
      # The metric is that of 400 nodes.
      finite <- do.call(fit_form, c(own, hidden = 400))$network$layers[[1L]]
      expect_identical(layer[c("copula", "relevance", "factor")],
                       finite[c("copula", "relevance", "factor")])
    }
  })
}

test_that("weights from gradients choose, tune, learn rows and survive a file", {
  own <- list("gaussian", y = y("classification"), init = "gradient", strength = "auto")
  fit <- do.call(fit_form, own)
  finite <- do.call(fit_form, c(own, hidden = 400))
  chosen <- c("rounds", "strength", "metric_choice")
  expect_identical(fit$spec[chosen], finite$spec[chosen])
  fit <- fit_form("gaussian", y = y("classification"), init = "gradient", rounds = 1)
  expect_output(print(fit), "gradient, 1 round")
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), x(), type = "prob"), predict(fit, x(), type = "prob"))
  damaged <- fit
  damaged$network$layers[[1L]]$relevance <- rev(fit$network$layers[[1L]]$relevance)
  expect_error(print(damaged), class = "cawi_error_x")
  more <- update(fit, new_x = small_x(5, start = 9), new_y = y("classification")[1:5])
  expect_identical(length(more$network$layers[[1L]]$bias), 45L)
  plain <- fit_form("gaussian", init = "iid", lambda = 1)
  none <- fit_form("gaussian", init = "gradient", rounds = 0, lambda = 1)
  expect_identical(predict(none, x()), predict(plain, x()))
  tuned <- cawi_tune(x(), y(), grid = cawi_grid(hidden = c(5, Inf), lambda = 1, rounds = 0:1),
                     init = "gradient", activation = "sine", bias = "phase", marginal = "normal",
                     spread = 1, resampling = 4, seed = 1)
  expect_true(all(is.finite(tuned$results$mean)))
  expect_identical(length(unique(tuned$results$mean)), 4L)
})

test_that("few landmarks are the Nystrom approximation, in the primal as in the dual", {
  big <- small_x(300)
  response <- small_y("classification", big)
  fit <- fit_form("laplace", x = big, y = response, landmarks = 30, lambda = c(0.1, 1))
  layer <- fit$network$layers[[1L]]
  expect_identical(dim(layer$weights), c(4L, 30L))
  expect_gt(layer$kernel$error, 0)
  z <- standardized(fit, big)
  # Landmarks are training rows.
  expect_true(all(do.call(paste, as.data.frame(t(layer$weights))) %in%
                    do.call(paste, as.data.frame(z))))
  between <- plain_kernel("laplace", z, t(layer$weights), 0.5)
  among <- plain_kernel("laplace", t(layer$weights), t(layer$weights), 0.5)
  reached <- between %*% solve(among, t(between))
  expect_equal(layer$kernel$error, 1 - sum(diag(reached)) / 150, tolerance = 1e-8)
  a <- unname(cawi_features(fit, big))
  expect_equal(tcrossprod(a[, 5:34]), reached, tolerance = 1e-8)
  expect_ridge(fit, list(a), indicators(response))
  k <- tcrossprod(a)
  wanted <- plain_kernel_ridge(k, k, indicators(response), fit$lambda, FALSE)
  expect_lt(relative_gap(predict(fit, big, type = "score"), wanted), 1e-8)
  expect_output(print(fit), "keeps 30 training rows as landmarks, which leave out")
  # More landmarks leave out less, and all of them nothing.
  more <- fit_form("laplace", x = big, y = response, landmarks = 100, lambda = 1)
  expect_lt(more$network$layers[[1L]]$kernel$error, layer$kernel$error)
  all <- fit_form("laplace", x = big, y = response, landmarks = Inf, lambda = 1)
  expect_identical(all$network$layers[[1L]]$kernel$error, 0)
  expect_output(print(all), "keeps 300 training rows as landmarks\n")
})

test_that("equal rows are one landmark, and case weights count rows", {
  twice <- rep(1:40, rep(1:2, 20))
  for (task in tasks) {
    doubled <- fit_form("gaussian", x = x()[twice, ], y = indexed(y(task), twice), lambda = 0.1)
    expect_lte(length(doubled$network$layers[[1L]]$bias), 40L)
    counted <- fit_form("gaussian", y = y(task), lambda = 0.1, case_weights = rep(1:2, 20))
    fresh <- small_x(10, start = 9)
    expect_lt(relative_gap(predict(doubled, fresh, type = "score"),
                           predict(counted, fresh, type = "score")), 1e-8)
  }
})

test_that("results do not depend on threads", {
  big <- small_x(300)
  response <- small_y("classification", big)
  for (landmarks in c(100, Inf)) {
    fits <- lapply(c(1, 2, 4), function(threads) {
      fit <- fit_form("laplace", x = big, y = response, landmarks = landmarks, threads = threads,
                      scale = "auto")
      fit$seconds <- NULL
      fit
    })
    expect_identical(fits[[1L]], fits[[2L]])
    expect_identical(fits[[1L]], fits[[3L]])
    fits[[1L]]$seconds <- c(weights = 0, readout = 0)
    one <- predict(fits[[1L]], big, type = "score", threads = 1)
    expect_identical(predict(fits[[1L]], big, type = "score", threads = 4), one)
  }
})

test_that("a model can be saved and read", {
  fit <- fit_form("relu", y = y("classification"))
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(fit, file)
  again <- readRDS(file)
  expect_identical(predict(again, x(), type = "prob"), predict(fit, x(), type = "prob"))
  expect_equal(rowSums(predict(fit, x(), type = "prob")), rep(1, 40))
})

test_that("spread and strength are chosen by leave-one-out", {
  fit <- cawi_rvfl(x(), y(), hidden = Inf, activation = "sine", bias = "phase",
                   marginal = "normal", init = "gaussian", scale = "auto", strength = "auto",
                   seed = 1)
  expect_identical(nrow(fit$spec$choice), 25L)
  one <- cawi_rvfl(x(), y(), hidden = Inf, activation = "sine", bias = "phase",
                   marginal = "normal", init = "gaussian", spread = fit$spec$spread,
                   strength = fit$spec$strength, seed = 1)
  expect_equal(predict(fit, x()), predict(one, x()), tolerance = 1e-12)
  expect_equal(min(fit$spec$choice$rmse), one$loo$value, tolerance = 1e-8)
})

test_that("tuning compares it with finite networks", {
  grid <- cawi_grid(hidden = c(5, Inf, 10), spread = c(0.5, 1), lambda = c(0.1, 1))
  expect_output(print(grid), "hidden: 5, Inf, 10")
  fixed <- list(activation = "sine", bias = "phase", marginal = "cauchy")
  for (resampling in list("loo", 4)) {
    tuned <- do.call(cawi_tune, c(list(x(), y(), grid = grid, seed = 1, resampling = resampling),
                                  fixed))
    expect_identical(nrow(tuned$results), 12L)
    expect_setequal(tuned$results$hidden, c(5, 10, Inf))
    limit <- tuned$results[tuned$results$hidden == Inf, ]
    expect_true(all(is.finite(limit$mean)))
  }
  alone <- do.call(cawi_rvfl, c(list(x(), y(), hidden = Inf, spread = 0.5, lambda = c(0.1, 1),
                                     seed = 1), fixed))
  loo <- do.call(cawi_tune, c(list(x(), y(), grid = grid, seed = 1), fixed))
  of_limit <- loo$results$hidden == Inf & loo$results$spread == 0.5
  expect_equal(loo$results$mean[of_limit], alone$readouts[[1L]]$loo$rmse[, 1], tolerance = 1e-8)
  kinds <- cawi_tune(x(), y("classification"), hidden = Inf, bias = "none", marginal = "normal",
                     grid = cawi_grid(activation = c("relu", "radbas"), lambda = 1), seed = 1,
                     metric = "log_loss")
  expect_identical(length(unique(kinds$results$mean)), 2L)
  expect_identical(glance(kinds)$hidden, Inf)
})

test_that("held-out folds are judged by models that have not seen them", {
  folds <- rep(1:4, 10)
  own <- list(hidden = Inf, activation = "sine", bias = "phase", marginal = "cauchy", spread = 1)
  tuned <- do.call(cawi_tune, c(list(x(), y(), grid = cawi_grid(lambda = 0.1), seed = 1,
                                     resampling = folds), own))
  held <- vapply(1:4, function(fold) {
    train <- folds != fold
    fit <- do.call(cawi_rvfl, c(list(x()[train, ], y()[train], lambda = 0.1, seed = 1), own))
    sqrt(mean((predict(fit, x()[!train, ]) - y()[!train])^2))
  }, numeric(1))
  expect_equal(tuned$parts$mean, held, tolerance = 1e-8)
})

# A fit from scratch with the standardization of another one.
refit_as <- function(fit, x, y, fresh) {
  z <- function(x) unname(scale(x, fit$network$center, fit$network$sd)[, ])
  s <- fit$network$layers[[1L]]$factor
  kernel <- function(a, b) {
    plain_kernel("laplace", a, b, s) + tcrossprod(a, b) + (fit$task == "classification")
  }
  plain_kernel_ridge(kernel(z(x), z(x)), kernel(z(fresh), z(x)), indicators(y), fit$lambda[1L],
                     fit$task == "regression")
}

test_that("rows are learned and forgotten exactly, with and without the training data", {
  fresh <- small_x(15, start = 9)
  first <- 1:25
  for (task in c("regression", "classification")) {
    for (keep in c(TRUE, FALSE)) {
      all <- y(task)
      fit <- fit_form("laplace", x = x()[first, ], y = indexed(all, first), lambda = 0.1,
                      keep_data = keep)
      expect_output(print(fit), "keeps 25 training rows")
      more <- update(fit, new_x = x()[-first, ], new_y = indexed(all, -first))
      expect_identical(length(more$network$layers[[1L]]$bias), 40L)
      expect_lt(relative_gap(predict(more, fresh, type = "score"),
                             refit_as(fit, x(), all, fresh)), 1e-7)
      # Equal rows add no landmarks.
      again <- update(more, new_x = x()[1:3, ], new_y = indexed(all, 1:3))
      expect_identical(length(again$network$layers[[1L]]$bias), 40L)
      twice <- c(1:40, 1:3)
      expect_lt(relative_gap(predict(again, fresh, type = "score"),
                             refit_as(fit, x()[twice, ], indexed(all, twice), fresh)), 1e-7)
      less <- update(more, forget_x = x()[1:5, ], forget_y = indexed(all, 1:5))
      expect_lt(relative_gap(predict(less, fresh, type = "score"),
                             refit_as(fit, x()[-(1:5), ], indexed(all, -(1:5)), fresh)), 1e-6)
      expect_silent(capture.output(print(less)))
    }
  }
})

test_that("full landmarks stay, and rows are learned through them", {
  fit <- fit_form("laplace", x = x()[1:30, ], y = y()[1:30], lambda = 0.1, landmarks = 12)
  more <- update(fit, new_x = x()[31:40, ], new_y = y()[31:40])
  before <- fit$network$layers[[1L]]
  after <- more$network$layers[[1L]]
  expect_identical(after[c("weights", "root")], before[c("weights", "root")])
  a <- unname(cawi_features(more, x()))
  expect_lt(relative_gap(readout_coefficients(more)[[1L]], plain_ridge(a, y(), 0.1)), 1e-7)
  # The room that is left is used.
  room <- fit_form("laplace", x = x()[1:30, ], y = y()[1:30], lambda = 0.1, landmarks = 33)
  filled <- update(room, new_x = x()[31:40, ], new_y = y()[31:40])
  expect_identical(length(filled$network$layers[[1L]]$bias), 33L)
  expect_gt(filled$network$layers[[1L]]$kernel$error, 0)
  expect_output(print(filled), "leave out")
})

test_that("a model says what it is", {
  fit <- fit_form("laplace", y = y("classification"))
  expect_output(print(fit), "hidden nodes Inf, sine")
  expect_output(print(summary(fit)), "1: Inf nodes, sine")
  expect_identical(glance(fit)$hidden, Inf)
  expect_identical(nrow(coef(fit)), 45L)
  expect_identical(nrow(tidy(fit)), 135L)
  expect_identical(nrow(augment(fit, x())), 40L)
  expect_length(fitted(fit), 40L)
  expect_identical(dim(residuals(fit)), c(40L, 3L))
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  expect_silent(plot(fit))
  expect_silent(plot(fit, type = "loo"))
})

test_that("features that do not vary, a single feature and large units are no trouble", {
  constant <- cbind(x()[, 1:2], 1)
  expect_warning(fit <- fit_form("laplace", x = constant, y = y()), class = "cawi_warning_constant")
  expect_true(all(is.finite(predict(fit, constant))))
  none <- matrix(1, 10, 2)
  expect_warning(fit <- cawi_elm(none, 1:10 + 0, hidden = Inf, activation = "relu", bias = "none",
                                 marginal = "normal", seed = 1), class = "cawi_warning_constant")
  expect_equal(predict(fit, none), rep(5.5, 10))
  one <- cawi_rvfl(x()[, 1, drop = FALSE], y(), hidden = Inf, activation = "sine", bias = "phase",
                   marginal = "normal", init = "gaussian", seed = 1)
  expect_true(all(is.finite(predict(one, x()[, 1, drop = FALSE]))))
  expect_error(fit_form("gaussian", x = x() * 1e200, standardize = FALSE), class = "cawi_error")
})

infinite <- function(..., model = cawi_rvfl) {
  own <- utils::modifyList(list(hidden = Inf, activation = "sine", bias = "phase",
                                marginal = "normal", seed = 1), list(...), keep.null = TRUE)
  do.call(model, c(list(small_x(), small_y("regression")), own))
}

test_argument_errors(alist(
  hidden = cawi_rvfl(small_x(), small_y("regression"), hidden = Inf),
  hidden = infinite(activation = "sigmoid"),
  hidden = infinite(activation = "selu", bias = "none"),
  hidden = infinite(bias = "uniform"),
  hidden = infinite(bias = "data"),
  hidden = infinite(activation = "relu"),
  hidden = infinite(activation = "relu", bias = "none", marginal = "uniform"),
  hidden = infinite(marginal = "uniform", init = "gaussian"),
  hidden = infinite(marginal = "cauchy", init = "gaussian"),
  hidden = infinite(init = "clayton"),
  hidden = infinite(init = "auto"),
  hidden = infinite(init = "gradient", marginal = "cauchy"),
  hidden = infinite(init = "gradient", marginal = "uniform"),
  hidden = infinite(init = "gradient", marginal = "uniform", rounds = 0),
  hidden = infinite(init = "gradient", bias = "uniform"),
  hidden = infinite(init = "gradient", inputs = 2),
  hidden = infinite(init = "t", marginal = "cauchy"),
  hidden = infinite(init = cawi_copula_from("t", cor = cor4, df = 1), marginal = "cauchy",
                    strength = 0.5),
  hidden = infinite(init = matrix(0, 4, 10)),
  hidden = infinite(init = function(x, hidden, seed) diag(4)),
  hidden = infinite(inputs = 2, init = "gaussian"),
  hidden = infinite(inputs = 2, init = cawi_copula_from("t", cor = cor4, df = 1),
                    marginal = "cauchy"),
  hidden = infinite(inputs = 2, activation = "radbas", bias = "none"),
  hidden = infinite(inputs = 2, activation = "relu", bias = "none"),
  hidden = infinite(inputs = 2, bias = "none"),
  inputs = infinite(inputs = 0),
  hidden = cawi_tune(small_x(), small_y("regression"), hidden = Inf, bias = "none",
                     marginal = "normal", activation = "relu",
                     grid = cawi_grid(inputs = c(NA, 2), lambda = 1)),
  hidden = infinite(hidden = c(Inf, Inf)),
  hidden = infinite(hidden = -Inf),
  hidden = infinite(model = cawi_drvfl),
  hidden = infinite(hidden = c(10, Inf), model = cawi_edrvfl),
  hidden = cawi_tune(small_x(), small_y("regression"),
                     grid = cawi_grid(hidden = c(10, Inf), activation = c("sigmoid", "sine"))),
  hidden = update(infinite(), hidden = 10),
  hidden = update(infinite(hidden = 5), hidden = Inf),
  landmarks = infinite(landmarks = 0),
  landmarks = infinite(landmarks = "many"),
  landmarks = infinite(landmarks = 2.5),
  landmarks = infinite(landmarks = NULL),
  landmarks = cawi_grid(landmarks = c(10, -1)),
  fit = cawi_diagnose(infinite())
))

test_that("Broad Learning has no such layers", {
  expect_error(cawi_bls(x(), y(), hidden = Inf), class = "cawi_error")
  expect_error(cawi_bls(x(), y(), enhancement = Inf), class = "cawi_error_enhancement")
})

test_that("the error lists the closed forms", {
  expect_snapshot(show_error(infinite(activation = "sigmoid")))
  expect_snapshot(show_error(infinite(model = cawi_drvfl)))
  expect_snapshot(show_error(infinite(init = cawi_copula_from("t", cor = cor4, df = 3),
                                      marginal = "cauchy")))
})

test_that("a million rows need landmarks", {
  rows <- matrix(0, 1e6, 1)
  rows[, 1] <- seq_len(1e6)
  error <- expect_error(
    cawi_rvfl(rows, rows[, 1], hidden = Inf, landmarks = Inf, activation = "sine", bias = "phase",
              marginal = "normal"),
    class = "cawi_error_memory"
  )
  expect_match(conditionMessage(error), "TB would be needed")
  expect_match(conditionMessage(error), "landmarks = 2000")
})

test_that("edited landmarks are found", {
  fit <- fit_form("relu")
  edit <- function(...) {
    fit$network$layers[[1L]] <- utils::modifyList(fit$network$layers[[1L]], list(...))
    fit
  }
  kernel <- fit$network$layers[[1L]]$kernel
  broken <- list(
    edit(root = diag(3)), edit(root = NULL), edit(root = -fit$network$layers[[1L]]$root),
    edit(kernel = NULL), edit(kernel = list(kind = "cubic")), edit(kernel = list(metric = diag(3))),
    edit(kernel = list(error = 2)), edit(kernel = list(metric = NULL)), edit(bias = numeric(3))
  )
  for (model in broken) {
    expect_error(predict(model, x()), class = "cawi_error_object")
    expect_error(print(model), class = "cawi_error_x")
  }
  # What predictions do not look at.
  expect_error(print(edit(kernel = list(kind = "radbas"))), class = "cawi_error_x")
  expect_error(print(edit(kernel = list(metric = 2 * kernel$metric))), class = "cawi_error_x")
  finite <- cawi_rvfl(x(), y(), hidden = 3, lambda = 1, seed = 1)
  finite$network$layers[[1L]]$root <- diag(3)
  expect_error(predict(finite, x()), class = "cawi_error_object")
})

test_that("the core refuses a metric of another number of features", {
  layer <- list(weights = matrix(0, 4, 0), kernel = list(kind = "laplace", metric = rep(0.7, 3)))
  expect_error(cawi:::landmarks_cpp(layer, x(12), Inf, 1), "does not fit its landmarks",
               class = "cawi::DomainError")
})

test_that("the core chooses landmarks by a pivoted Cholesky factor, at once or in two steps", {
  z <- x(12) - 0.3
  empty <- list(weights = matrix(0, 4, 0), kernel = list(kind = "laplace", metric = rep(0.7, 4)))
  whole <- cawi:::landmarks_cpp(empty, z, Inf, 1)
  expect_setequal(whole$rows, 1:12)
  k <- cawi:::kernel_cpp(empty$kernel, z, z)
  expect_equal(crossprod(whole$root), k[whole$rows, whole$rows], tolerance = 1e-14)
  expect_identical(whole$root[lower.tri(whole$root)], numeric(66))
  # Greedy: what is left of the diagonal never grows.
  expect_true(all(diff(diag(whole$root)) <= 1e-15))
  few <- cawi:::landmarks_cpp(empty, z, 5, 1)
  expect_identical(few$rows, whole$rows[1:5])
  expect_identical(few$root, whole$root[1:5, 1:5])
  first <- cawi:::more_landmarks(empty, z[1:7, ], Inf, 1)
  both <- cawi:::more_landmarks(first, z, Inf, 1)
  expect_identical(dim(both$weights), c(4L, 12L))
  expect_identical(both$root[1:7, 1:7], first$root)
  among <- cawi:::kernel_cpp(empty$kernel, t(both$weights), t(both$weights))
  expect_equal(crossprod(both$root), among, tolerance = 1e-12)
  # Rows that come again add nothing, in one step or in the next.
  expect_length(cawi:::landmarks_cpp(empty, z[c(1:6, 6:1), ], Inf, 1)$rows, 6L)
  expect_length(cawi:::landmarks_cpp(both, z, Inf, 1)$rows, 0L)
  expect_identical(cawi:::landmark_error_cpp(both, z) < 1e-12, TRUE)
  reached <- cawi:::landmark_error_cpp(first, z)
  phi <- backsolve(first$root, cawi:::kernel_cpp(empty$kernel, t(first$weights), z),
                   transpose = TRUE)
  expect_equal(reached, 1 - sum(phi^2) / 6, tolerance = 1e-10)
})

test_that("a metric of features alone is a diagonal covariance, also with relevances", {
  source <- list(factor = 2, copula = cawi_copula_from("independence", dim = 3))
  expect_identical(cawi:::kernel_metric(source), rep(2, 3))
  source$relevance <- c(1, 0, 3)
  expect_identical(cawi:::kernel_metric(source), c(2, 0, 6))
  source$copula <- cawi_copula_from("gaussian", cor = cor4[1:3, 1:3])
  wanted <- diag(c(2, 0, 6)) %*% cor4[1:3, 1:3] %*% diag(c(2, 0, 6))
  expect_equal(tcrossprod(cawi:::kernel_metric(source)), wanted, tolerance = 1e-14)
})

test_that("strengths of a t copula are those that have a limit", {
  fit <- fit_form("exponential", strength = "auto")
  expect_setequal(fit$spec$choice$strength, c(-1, 0, 1))
  expect_error(fit_form("exponential", strength = 0.5), "strength = 0.5",
               class = "cawi_error_hidden")
  grid <- cawi_grid(hidden = Inf, activation = "sine", lambda = 1)
  tuned <- cawi_tune(x(), y(), "rvfl", grid, seed = 1, bias = "phase", marginal = "cauchy",
                     init = forms$exponential$init, strength = "auto")
  expect_setequal(tuned$results$strength, c(-1, 0, 1))
})

test_that("one landmark is one row", {
  expect_output(print(fit_form("gaussian", landmarks = 1)), "keeps 1 training row as")
})

test_that("the kernel of radbas nodes is right far from zero", {
  kernel <- list(kind = "radbas", metric = c(1, 0.5))
  for (size in 10^c(0, 3, 6, 9, 20, 70)) {
    x <- matrix(c(1, 2, -2, 3) * size, 2)
    s <- rowSums(sweep(x, 2, kernel$metric, "*")^2)
    found <- cawi:::kernel_cpp(kernel, x, x)
    expect_true(all(is.finite(found)) && all(found > 0))
    # Rounding of two products, which are equal.
    if (size < 1e4) expect_equal(diag(found), 1 / sqrt(1 + 4 * s), tolerance = 1e-6)
    expect_true(all(diag(found) <= 1 / sqrt(1 + 4 * s) * (1 + 1e-9)))
  }
})
