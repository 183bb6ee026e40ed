# Readouts at known penalties with the leave-one-out scores of all rows, against refits row by row.

rows <- function() small_x(30)

# Networks with fewer columns than rows, and with more.
network_of <- function(model, shape, ...) {
  fit <- fit_named(model, rows(), small_y("regression", rows()), lambda = 1, seed = 1,
                   shape = shape[[model]], ...)
  list(network = fit$network, a = seen_features(fit, rows()))
}

exact <- function(network, targets, lambda, threads = 1) {
  cawi:::exact_fits_cpp(rows(), network, targets, lambda, threads)
}

expect_exact <- function(fits, a, values, lambda, w, free) {
  expect_identical(length(fits), length(a))
  for (r in seq_along(a)) {
    wanted <- plain_ridge(a[[r]], values, lambda, w, free)
    expect_lt(relative_gap(fits[[r]]$coefficients, wanted), 1e-8)
    expect_lt(relative_gap(fits[[r]]$scores, refitted_scores(a[[r]], values, lambda, w, free)),
              1e-7)
  }
}

test_that("three rows by hand", {
  # One feature, no nodes: x = -1, 0, 1, and lambda = 2.
  x <- matrix(c(-1, 0, 1))
  network <- list(center = 0, sd = 1, layers = list(), wiring = "stacked", direct = TRUE,
                  intercept = TRUE)
  targets <- core_targets(c(-3, 0, 3))
  fit <- cawi:::exact_fits_cpp(x, network, targets, 2, 1)[[1]]
  # 6 / (2 + 2), and no intercept.
  expect_equal(fit$coefficients[, 1] * targets$sd, c(1.5, 0))
  # Without the first row, x and y are 1/2 and 3/2 from their means on either side: the slope is
  # 1.5 / (0.5 + 2) = 0.6, and the score 1.5 + 0.6 (-1 - 0.5) = 0.6. Without the second it is 0.
  expect_equal(fit$scores[, 1] * targets$sd, c(0.6, 0, -0.6))
})

for (model in model_names) {
  test_that(paste("coefficients and leave-one-out are those of refits:", model), {
    for (shape in list(narrow, wide)) {
      for (intercept in c(TRUE, FALSE)) {
        known <- network_of(model, shape, intercept = intercept)
        for (task in tasks) {
          for (case_weights in list(NULL, rep(c(1, 2.5, 0.5), 10))) {
            w <- if (is.null(case_weights)) rep(1, 30) else case_weights
            targets <- core_targets(small_y(task, rows()), intercept, case_weights)
            free <- intercept && task != "classification"
            expect_exact(exact(known$network, targets, 0.3), known$a, core_values(targets), 0.3, w,
                         free)
          }
        }
      }
    }
  })
}

test_that("each output may have its own penalty", {
  targets <- core_targets(small_y("outputs", rows()))
  for (shape in list(narrow, wide)) {
    known <- network_of("rvfl", shape)
    lambda <- c(0.1, 10, 0.1)
    fit <- exact(known$network, targets, lambda)
    expect_exact(fit, known$a, core_values(targets), lambda, rep(1, 30), TRUE)
    for (k in 1:3) {
      alone <- exact(known$network, targets, lambda[k])[[1]]
      expect_equal(fit[[1]]$scores[, k], alone$scores[, k], tolerance = 1e-12)
    }
  }
})

test_that("case weights count rows", {
  twice <- rep(1:30, rep(1:2, 15))
  y <- small_y("classification", rows())
  for (shape in list(narrow, wide)) {
    known <- network_of("rvfl", shape)
    counted <- exact(known$network, core_targets(y, TRUE, rep(1:2, 15) + 0), 0.3)
    doubled <- cawi:::exact_fits_cpp(rows()[twice, ], known$network, core_targets(y[twice]), 0.3, 1)
    expect_lt(relative_gap(counted[[1]]$coefficients, doubled[[1]]$coefficients), 1e-8)
  }
})

test_that("it is the model at one penalty, also with infinitely many nodes", {
  for (model in model_names) {
    for (task in tasks) {
      y <- small_y(task, rows())
      fit <- fit_named(model, rows(), y, lambda = 0.3, seed = 1)
      targets <- core_targets(y)
      found <- exact(fit$network, targets, 0.3)
      scores <- lapply(found, function(one) cawi:::as_response(one$scores, targets))
      expect_lt(relative_gap(Reduce(`+`, scores) / length(scores), loo_scores(fit)), 1e-7)
    }
  }
  y <- small_y("regression", rows())
  targets <- core_targets(y)
  for (inputs in list(NULL, 2L)) {
    own <- list(rows(), y, hidden = Inf, activation = "sine", bias = "phase", marginal = "cauchy",
                scale = 0.5, inputs = inputs, lambda = 0.3, seed = 1)
    # Through all rows, in the dual, it is the fit from the kernel alone; through some, in the
    # primal, it is ridge on what they reach.
    fit <- do.call(cawi_rvfl, own)
    found <- exact(fit$network, targets, 0.3)[[1]]
    z <- cawi:::layer_input_cpp(rows(), fit$network, 0L)
    judge <- list(lambdas = 0.3, rows = integer(), given = TRUE)
    alone <- cawi:::kernel_fit_cpp(fit$network$layers[[1]]$kernel, z, TRUE, TRUE, targets, judge, 1)
    expect_lt(relative_gap(found$scores, alone$scores), 1e-8)
    few <- do.call(cawi_rvfl, c(own, landmarks = 8))
    expect_exact(exact(few$network, targets, 0.3), seen_features(few, rows()),
                 core_values(targets), 0.3, rep(1, 30), TRUE)
  }
})

test_that("rows that are all alike are predicted by the mean of the others", {
  y <- small_y("regression", rows())
  for (w in list(rep(1, 30), rep(c(1, 2.5, 0.3), 10))) {
    targets <- core_targets(y, TRUE, w)
    wanted <- (sum(w * y) - w * y) / (sum(w) - w)
    for (shape in list(narrow, wide)) {
      network <- network_of("rvfl", shape)$network
      fit <- cawi:::exact_fits_cpp(matrix(1, 30, 4), network, targets, 0.5, 1)[[1]]
      expect_equal(fit$scores[, 1] * targets$sd + targets$center, wanted, tolerance = 1e-10)
    }
  }
})

test_that("results do not depend on threads", {
  for (model in c("rvfl", "edrvfl")) {
    for (shape in list(narrow, wide)) {
      network <- network_of(model, shape)$network
      for (task in tasks) {
        targets <- core_targets(small_y(task, rows()))
        expect_identical(exact(network, targets, 0.3, threads = 2),
                         exact(network, targets, 0.3, threads = 1))
      }
    }
  }
})

test_that("singular problems and penalties that do not fit are errors", {
  known <- network_of("rvfl", wide)
  targets <- core_targets(small_y("outputs", rows()))
  expect_error(exact(known$network, targets, c(1, 2)), "one penalty per output",
               class = "cawi::DomainError")
  twice <- rows()[rep(1:15, 2), ]
  for (shape in list(narrow, wide)) {
    network <- network_of("rvfl", shape)$network
    network$sd[] <- Inf
    expect_error(cawi:::exact_fits_cpp(twice, network, targets, 0, 1), "singular",
                 class = "cawi::DomainError")
  }
})

test_that("rows that are all alike are left out in the same way from their spectrum", {
  x <- matrix(rep(c(1 / 3, 0.7, 1e-9, 0.99), each = 4), 4)
  network <- list(center = rep(0, 4), sd = rep(1, 4), layers = list(), wiring = "stacked",
                  direct = TRUE, intercept = TRUE)
  w <- c(0.2098, 0.3782, 0.8264, 0.2274)
  targets <- core_targets(c(2.44, 1.08, 0.99, -2.9), case_weights = w)
  root <- sqrt(w)
  y <- (targets$values - targets$center) / targets$sd
  statistics <- list(list(kind = "rows", aa = cbind(x, 1) * root, ay = y * root, ones = 5L))
  exact <- cawi:::exact_fits_cpp(x, network, targets, 0.05, 1)[[1]]$scores
  path <- cawi:::path_fits_cpp(x, network, targets, statistics, 0.05, 1)[[1]]$scores
  # All that is left is the mean of the others.
  others <- vapply(1:4, function(i) stats::weighted.mean(y[-i], w[-i]), 0)
  expect_equal(exact[, 1], others)
  expect_equal(path[, , 1], others)
})
