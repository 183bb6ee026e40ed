# Ridge regression on a kernel of the rows: against the bordered system, refits row by row and the
# same fit through landmarks.

kernel_of <- function(kind = "laplace", d = 4, inputs = NULL) {
  list(kind = kind, metric = rep(0.5, d), inputs = inputs)
}

rows <- function(m = 30) small_x(m)

fit_kernel <- function(targets, lambdas, ..., kernel = kernel_of(), z = rows()) {
  own <- utils::modifyList(list(direct = FALSE, intercept = TRUE, judged = integer(),
                                given = FALSE, threads = 1), list(...))
  judge <- list(lambdas = lambdas, rows = own$judged, given = own$given)
  cawi:::kernel_fit_cpp(kernel, z, own$direct, own$intercept, targets, judge, own$threads)
}

# The kernel with direct links and, where it has a penalty, the intercept.
whole_kernel <- function(a, b, direct, penalized_ones, kernel = kernel_of()) {
  cawi:::kernel_cpp(kernel, a, b) + direct * tcrossprod(a, b) + penalized_ones
}

# Coefficients of the rows and intercepts by the bordered system, which knows of no centers.
bordered <- function(k, y, lambda, case_weights, free) {
  system <- k + diag(lambda / case_weights, nrow(k))
  if (!free) return(rbind(solve(system, y), 0))
  solve(rbind(cbind(system, 1), c(rep(1, nrow(k)), 0)), rbind(y, 0))
}

refitted_kernel <- function(k, y, lambda, case_weights = rep(1, nrow(k)), free) {
  t(vapply(seq_len(nrow(k)), function(i) {
    b <- bordered(k[-i, -i], y[-i, , drop = FALSE], lambda, case_weights[-i], free)
    drop(c(k[i, -i], 1) %*% b)
  }, numeric(ncol(y))))
}

as_columns <- function(scores, y) matrix(scores, nrow(y), ncol(y))

test_that("two rows by hand", {
  # exp(-d^2 / 2) / 2 is a quarter.
  z <- matrix(c(0, sqrt(2 * log(2))))
  gaussian <- list(kind = "gaussian", metric = 1)
  y <- c(3, -1)
  targets <- core_targets(y, intercept = FALSE)
  scale <- targets$sd
  for (given in c(FALSE, TRUE)) {
    fit <- fit_kernel(targets, 0.5, kernel = gaussian, z = z, intercept = FALSE, given = given)
    # A fit of one row gives k(x, z) y / (1/2 + lambda).
    expect_equal(fit$scores[, 1] * scale, c(-1, 3) / 4)
    expect_equal(fit$squared_error * scale^2, matrix((3 + 1 / 4)^2 + (1 + 3 / 4)^2))
    # (1 1/4; 1/4 1)^-1 (3, -1)' = (16 / 15) (13 / 4, -7 / 4)'.
    expect_equal(fit$coefficients[, 1] * scale, c(13, -7) * 4 / 15)
    # With a free intercept a row is predicted by the other one.
    free <- core_targets(y)
    fit <- fit_kernel(free, 0.5, kernel = gaussian, z = z, given = given)
    expect_equal(fit$scores[, 1] * free$sd + free$center, c(-1, 3))
    # The differences to the mean, 2 and -2, shrink by (1/2 - 1/4) / (1/2 - 1/4 + lambda).
    expect_equal(drop(cawi:::kernel_cpp(gaussian, z, z) %*% fit$coefficients[1:2, ] +
                        fit$coefficients[3, ]) * free$sd, c(2, -2) / 3)
  }
})

test_that("fits and leave-one-out are those of refits", {
  lambdas <- c(0.03, 0.3, 3)
  new <- small_x(9, start = 9)
  for (task in tasks) {
    y <- small_y(task, rows())
    for (case_weights in list(NULL, rep(c(1, 2.5, 0.5), 10))) {
      w <- if (is.null(case_weights)) rep(1, 30) else case_weights
      for (direct in c(FALSE, TRUE)) {
        for (intercept in c(FALSE, TRUE)) {
          targets <- core_targets(y, intercept, case_weights)
          values <- core_values(targets)
          classes <- task == "classification"
          free <- intercept && !classes
          ones <- intercept && classes
          k <- whole_kernel(rows(), rows(), direct, ones)
          left_out <- lapply(lambdas, function(l) refitted_kernel(k, values, l, w, free))
          left_out <- lapply(left_out, as_columns, values)
          errors <- do.call(rbind, lapply(left_out, function(s) colSums(w * (values - s)^2)))
          if (classes) errors <- matrix(rowSums(errors))
          fit <- fit_kernel(targets, lambdas, direct = direct, intercept = intercept)
          expect_equal(fit$squared_error, errors, tolerance = 1e-8)
          best <- apply(errors, 2, which.min)
          expect_equal(fit$best, best)
          penalty <- rep_len(best, ncol(values))
          for (k_out in seq_len(ncol(values))) {
            expect_equal(fit$scores[, k_out], left_out[[penalty[k_out]]][, k_out],
                         tolerance = 1e-7)
            b <- bordered(k, values[, k_out, drop = FALSE], lambdas[penalty[k_out]], w, free)
            wanted <- cbind(whole_kernel(new, rows(), direct, ones), 1) %*% b
            seen <- cbind(if (direct) new, cawi:::kernel_cpp(kernel_of(), new, rows()),
                          if (intercept) 1)
            expect_equal(drop(seen %*% fit$coefficients[, k_out]), drop(wanted), tolerance = 1e-7)
          }
          # The same by a Cholesky factor, at one penalty or one per output.
          given <- lambdas[if (classes) best else penalty]
          again <- fit_kernel(targets, given, direct = direct, intercept = intercept, given = TRUE)
          expect_equal(again$scores, fit$scores, tolerance = 1e-8)
          expect_equal(again$coefficients, fit$coefficients, tolerance = 1e-7)
          expect_equal(drop(again$squared_error), errors[cbind(best, seq_along(best))],
                       tolerance = 1e-8)
        }
      }
    }
  }
})

test_that("nodes that read some of the inputs, and the other kernels, are fitted alike", {
  y <- small_y("regression", rows())
  targets <- core_targets(y)
  values <- core_values(targets)
  for (kernel in list(kernel_of("gaussian", inputs = 2L), kernel_of("sinc", inputs = 1L),
                      kernel_of("laplace", inputs = 3L), kernel_of("exponential"),
                      kernel_of("radbas"), kernel_of("relu"))) {
    k <- whole_kernel(rows(), rows(), TRUE, FALSE, kernel)
    for (given in c(FALSE, TRUE)) {
      fit <- fit_kernel(targets, 0.2, kernel = kernel, direct = TRUE, given = given)
      expect_equal(fit$scores, as_columns(refitted_kernel(k, values, 0.2, free = TRUE), values),
                   tolerance = 1e-7)
    }
  }
})

test_that("it is the model with hidden = Inf", {
  new <- small_x(12, start = 9)
  for (task in tasks) {
    y <- small_y(task, rows())
    for (direct in c(TRUE, FALSE)) {
      model <- cawi_rvfl(rows(), y, hidden = Inf, activation = "sine", bias = "phase",
                         marginal = "cauchy", scale = 0.5, lambda = c(0.01, 0.1, 1), seed = 1,
                         inputs = 2, direct = direct)
      z <- function(x) cawi:::layer_input_cpp(x, model$network, 0L)
      targets <- core_targets(y)
      kernel <- model$network$layers[[1]]$kernel
      fit <- fit_kernel(targets, c(0.01, 0.1, 1), kernel = kernel, z = z(rows()), direct = direct)
      expect_equal(unname(c(0.01, 0.1, 1)[fit$best]), unname(model$lambda))
      seen <- cbind(if (direct) z(new), cawi:::kernel_cpp(kernel, z(new), z(rows())), 1)
      in_units <- function(scores) {
        if (task == "classification") return(scores)
        sweep(sweep(scores, 2, targets$sd, `*`), 2, targets$center, `+`)
      }
      expect_lt(relative_gap(in_units(seen %*% fit$coefficients),
                             as.matrix(predict(model, new, type = "score"))), 1e-8)
      expect_lt(relative_gap(in_units(fit$scores), model$readouts[[1]]$loo$scores), 1e-8)
    }
  }
})

test_that("case weights count rows", {
  twice <- rep(1:30, rep(1:2, 15))
  new <- small_x(9, start = 9)
  for (task in c("regression", "classification")) {
    y <- small_y(task, rows())
    counted <- core_targets(y, TRUE, rep(1:2, 15) + 0)
    doubled <- core_targets(y[twice])
    scores <- function(targets, z, given) {
      fit <- fit_kernel(targets, 0.2, z = z, direct = TRUE, given = given)
      cbind(new, cawi:::kernel_cpp(kernel_of(), new, z), 1) %*% fit$coefficients
    }
    for (given in c(FALSE, TRUE)) {
      expect_equal(scores(counted, rows(), given), scores(doubled, rows()[twice, ], given),
                   tolerance = 1e-8)
    }
  }
})

test_that("some rows may judge", {
  lambdas <- 10^(-4:2)
  y <- small_y("outputs", rows())
  judged <- c(2L, 3L, 11L, 29L)
  for (case_weights in list(NULL, rep(c(1, 3), 15))) {
    targets <- core_targets(y, TRUE, case_weights)
    w <- if (is.null(case_weights)) rep(1, 30) else case_weights
    values <- core_values(targets)
    each <- lapply(lambdas, function(l) fit_kernel(targets, l)$scores)
    errors <- t(vapply(each, function(s) {
      colSums((w * (values - s)^2)[judged, ])
    }, numeric(3)))
    fit <- fit_kernel(targets, lambdas, judged = judged)
    expect_equal(fit$squared_error, errors, tolerance = 1e-9)
    best <- apply(errors, 2, which.min)
    expect_equal(fit$best, best)
    # The scores are those of all rows.
    for (k in 1:3) expect_equal(fit$scores[, k], each[[best[k]]][, k], tolerance = 1e-9)
  }
  everyone <- fit_kernel(targets, lambdas, judged = 1:30)
  expect_equal(everyone, fit_kernel(targets, lambdas), tolerance = 1e-12)
  classes <- core_targets(small_y("classification", rows()))
  expect_identical(dim(fit_kernel(classes, lambdas, judged = judged)$squared_error), c(7L, 1L))
})

test_that("rows that are all alike are predicted by the mean of the others", {
  y <- small_y("regression", rows())
  w <- rep(c(1, 2), 15)
  for (case_weights in list(NULL, w)) {
    targets <- core_targets(y, TRUE, case_weights)
    own <- if (is.null(case_weights)) rep(1, 30) else w
    wanted <- (sum(own * y) - own * y) / (sum(own) - own)
    for (given in c(FALSE, TRUE)) {
      fit <- fit_kernel(targets, 0.5, z = matrix(0, 30, 4), given = given)
      expect_equal(fit$scores[, 1] * targets$sd + targets$center, wanted, tolerance = 1e-10)
    }
  }
})

test_that("results do not depend on threads", {
  z <- small_x(300)
  for (task in tasks) {
    targets <- core_targets(small_y(task, z))
    for (given in c(FALSE, TRUE)) {
      lambdas <- if (given) 0.1 else c(0.01, 0.1, 1)
      one <- fit_kernel(targets, lambdas, z = z, direct = TRUE, given = given, threads = 1)
      expect_identical(fit_kernel(targets, lambdas, z = z, direct = TRUE, given = given,
                                  threads = 2), one)
    }
  }
})

test_that("penalties that do not fit and singular kernels are errors", {
  targets <- core_targets(small_y("outputs", rows()))
  expect_error(fit_kernel(targets, c(1, 2), given = TRUE), "one penalty per output",
               class = "cawi::DomainError")
  alike <- rows()[rep(1:15, 2), ]
  expect_error(fit_kernel(targets, 0, z = alike, given = TRUE), "singular",
               class = "cawi::DomainError")
  expect_error(fit_kernel(targets, 1, kernel = kernel_of("relu", inputs = 2L)), "no product",
               class = "cawi::DomainError")
})
