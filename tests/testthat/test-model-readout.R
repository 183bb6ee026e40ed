solve_sums <- function(aa, ay, lambda, ones) {
  solve_readout_cpp(list(kind = "gram", aa = aa, ay = ay, ones = ones), lambda, 1L)
}
solve_rows <- function(a, y, lambda, ones) {
  solve_readout_cpp(list(kind = "rows", aa = a, ay = y, ones = ones), lambda, 1L)
}

shapes <- list("rows > columns" = narrow, "rows < columns" = wide)

for (model in model_names) for (task in tasks) for (shape in names(shapes)) {
  test_that(paste("coefficients are the ridge solution on A:", model, task, shape), {
    x <- small_x()
    y <- small_y(task, x)
    for (lambda in c(0.5, 1e-3)) {
      fit <- fit_named(model, x, y, lambda = lambda, seed = 5, shape = shapes[[shape]][[model]])
      dual <- fit$readouts[[1]]$statistics$kind == "rows"
      expect_identical(dual, shape == "rows < columns")
      a <- plain_features(fit, x)
      expect_lt(max(abs(unname(cawi_features(fit, x)) - a$all)), 1e-12)
      expect_ridge(fit, a$readouts, indicators(y))
    }
  })
}

for (model in model_names) {
  test_that(paste("leave-one-out scores equal refits without the row:", model), {
    x <- small_x(26)
    tasks <- c("classification", "outputs")
    lambdas <- list(0.1, 10^(-3:2))
    cases <- list(NULL, rep_len(c(1, 2.5, 0.25), nrow(x)))
    for (task in tasks) for (shape in shapes) for (lambda in lambdas) for (weights in cases) {
      y <- small_y(task, x)
      fit <- fit_named(model, x, y, lambda = lambda, case_weights = weights, seed = 2,
                       shape = shape[[model]])
      case <- if (is.null(weights)) rep(1, nrow(x)) else weights
      a <- plain_features(fit, x, w = case)$readouts
      wanted <- lapply(seq_along(a), function(k) {
        refitted_scores(a[[k]], indicators(y), readout_lambdas(fit)[[k]], case)
      })
      for (k in seq_along(a)) {
        loo <- fit$readouts[[k]]$loo
        expect_lt(relative_gap(loo$scores, wanted[[k]]), 1e-8)
        errors <- if (task == "classification") loo$squared_error[loo$best] else
          matrix(loo$squared_error, ncol = 3)[cbind(loo$best, 1:3)]
        wanted_errors <- colSums(case * (wanted[[k]] - indicators(y))^2)
        expect_equal(errors, if (task == "classification") sum(wanted_errors) else wanted_errors,
                     tolerance = 1e-8)
        if (task == "classification") {
          hit <- max.col(wanted[[k]], "first") == as.integer(y)
          expect_equal(loo$correct[loo$best], sum(case * hit))
        }
      }
      expect_lt(relative_gap(loo_scores(fit), Reduce(`+`, wanted) / length(wanted)), 1e-8)
    }
  })
}

path <- c(0.003, 0.1, 1, 20)

for (shape in names(shapes)) {
  test_that(paste("the path has the errors of single fits and takes the best:", shape), {
    x <- small_x()
    for (task in tasks) {
      y <- small_y(task, x)
      fit <- cawi_rvfl(x, y, hidden = shapes[[shape]]$rvfl$hidden, lambda = rev(path), seed = 4)
      readout <- fit$readouts[[1]]
      expect_identical(readout$lambda_path, path)
      singles <- lapply(path, function(lambda) {
        cawi_rvfl(x, y, hidden = shapes[[shape]]$rvfl$hidden, lambda = lambda, seed = 4)
      })
      # One row per output.
      errors <- sapply(singles, function(single) single$readouts[[1]]$loo$squared_error)
      errors <- if (is.matrix(errors)) errors else t(errors)
      expect_equal(t(matrix(readout$loo$squared_error, length(path))), errors, tolerance = 1e-8)
      best <- apply(errors, 1, which.min)
      expect_identical(readout$lambda, path[best])
      for (k in seq_along(best)) {
        outputs <- if (task == "classification") 1:3 else k
        expect_lt(relative_gap(coef(fit)[, outputs], coef(singles[[best[k]]])[, outputs]), 1e-8)
      }
    }
  })

  test_that(paste("effective degrees of freedom are the trace of the hat matrix:", shape), {
    x <- small_x()
    fit <- cawi_rvfl(x, small_y("regression", x), hidden = shapes[[shape]]$rvfl$hidden,
                     lambda = path, seed = 4)
    a <- plain_features(fit, x)$all
    a <- scale(a[, -ncol(a)], scale = FALSE)
    wanted <- vapply(path, function(lambda) {
      1 + sum(diag(a %*% solve(crossprod(a) + diag(lambda, ncol(a)), t(a))))
    }, numeric(1))
    expect_equal(fit$readouts[[1]]$loo$freedom, wanted, tolerance = 1e-8)
    expect_equal(summary(fit)$freedom, wanted[path == fit$readouts[[1]]$lambda], tolerance = 1e-8)
  })
}

test_that("without lambda the whole path from 1e-6 to 1e6 is tried", {
  x <- small_x()
  fit <- cawi_elm(x, small_y("regression", x), hidden = 9, seed = 1)
  expect_equal(fit$readouts[[1]]$lambda_path, 10^(-6:6))
  a <- plain_features(fit, x)$all
  errors <- vapply(10^(-6:6), function(lambda) {
    sum((refitted_scores(a, small_y("regression", x), lambda) - small_y("regression", x))^2)
  }, numeric(1))
  expect_equal(fit$readouts[[1]]$loo$squared_error, errors, tolerance = 1e-6)
})

test_that("small penalties keep leave-one-out exact where the fit almost interpolates", {
  x <- small_x()
  y <- small_y("regression", x)
  fit <- cawi_rvfl(x, y, hidden = 60, lambda = c(1e-6, 1e-5), seed = 1)
  a <- plain_features(fit, x)$all
  # By orthogonal factors of the rows below each other, which square nothing.
  penalty <- diag(c(rep(1, ncol(a) - 1), 0))
  errors <- vapply(c(1e-6, 1e-5), function(lambda) {
    sum(vapply(1:40, function(i) {
      b <- qr.coef(qr(rbind(a[-i, ], sqrt(lambda) * penalty), LAPACK = TRUE),
                   c(y[-i], numeric(ncol(a))))
      (y[i] - sum(a[i, ] * b))^2
    }, numeric(1)))
  }, numeric(1))
  expect_equal(fit$readouts[[1]]$loo$squared_error, errors, tolerance = 1e-5)
})

test_that("primal and dual solve the same problem", {
  for (rows in c(5, 20, 60)) {
    a <- matrix(bell(rows * 20, rows), rows) / 2147483647
    y <- matrix(bell(rows * 3, rows + 1), rows) / 2147483647
    for (lambda in c(1e-3, 1, 1e3)) {
      primal <- solve_sums(crossprod(a), crossprod(a, y), lambda, 0L)
      dual <- solve_rows(a, y, lambda, 0L)
      expect_false(primal$singular || dual$singular)
      expect_lt(relative_gap(primal$coefficients, dual$coefficients), 1e-8)
      expect_lt(relative_gap(primal$coefficients, plain_ridge(a, y, lambda)), 1e-8)
    }
  }
})

test_that("an intercept without penalty worked by hand", {
  # Centered: x = (-1, 0, 1), y = (-2, -1, 3): slope 5 / (2 + 3) = 1, intercept 4 - 1 * 2.
  a <- cbind(c(1, 2, 3), 1)
  y <- matrix(c(2, 3, 7))
  expect_equal(solve_sums(crossprod(a), crossprod(a, y), 3, 2L)$coefficients, matrix(c(1, 2)))
  expect_equal(solve_rows(a, y, 3, 2L)$coefficients, matrix(c(1, 2)))
  # A penalty per output.
  both <- cbind(y, 10 * y)
  expect_equal(solve_sums(crossprod(a), crossprod(a, both), c(3, 8), 2L)$coefficients,
               cbind(c(1, 2), c(5, 30)))
  expect_equal(solve_rows(a, both, c(3, 8), 2L)$coefficients, cbind(c(1, 2), c(5, 30)))
})

test_that("a problem worked by hand", {
  # A'A = diag(2, 8), A'y = (2, 4): coefficients 2/(2+2) and 4/(8+2).
  a <- rbind(c(1, 0), c(1, 0), c(0, 2), c(0, 2))
  y <- matrix(c(1, 1, 2, 0))
  expect_equal(solve_sums(crossprod(a), crossprod(a, y), 2, 0L)$coefficients,
               matrix(c(0.5, 0.4)))
  expect_equal(solve_rows(a, y, 2, 0L)$coefficients, matrix(c(0.5, 0.4)))
})

for (shape in names(shapes)) {
  test_that(paste("whole case weights equal repeated rows:", shape), {
    x <- small_x()
    times <- rep_len(c(1, 3, 2), nrow(x))
    again <- rep(seq_len(nrow(x)), times)
    for (model in model_names) for (task in tasks) {
      y <- small_y(task, x)
      repeated_y <- if (is.matrix(y)) y[again, ] else y[again]
      # Repeated rows change the standard deviations, so both go without them.
      arguments <- list(lambda = 0.3, seed = 3, standardize = FALSE,
                        shape = shapes[[shape]][[model]])
      weighted <- do.call(fit_named, c(list(model, x, y, case_weights = times), arguments))
      repeated <- do.call(fit_named, c(list(model, x[again, ], repeated_y), arguments))
      for (k in seq_along(weighted$readouts)) {
        expect_lt(
          relative_gap(readout_coefficients(weighted)[[k]], readout_coefficients(repeated)[[k]]),
          1e-8
        )
      }
    }
  })

  test_that(paste("rows of weight zero are not there:", shape), {
    x <- small_x()
    w <- rep_len(c(1, 0, 2, 1), nrow(x))
    for (task in tasks) {
      y <- small_y(task, x)
      weighted <- cawi_rvfl(x, y, hidden = shapes[[shape]]$rvfl$hidden, case_weights = w, seed = 3)
      rest <- cawi_rvfl(x[w > 0, ], if (is.matrix(y)) y[w > 0, ] else y[w > 0],
                        case_weights = w[w > 0], hidden = shapes[[shape]]$rvfl$hidden, seed = 3)
      parts <- c("network", "readouts", "levels", "temperature", "nobs")
      expect_identical(weighted[parts], rest[parts])
    }
  })
}

test_that("equal weights of any size only rescale the penalty", {
  x <- small_x()
  y <- small_y("classification", x)
  one <- cawi_rvfl(x, y, hidden = 9, lambda = 0.5, seed = 1)
  ten <- cawi_rvfl(x, y, hidden = 9, lambda = 5, case_weights = rep(10, 40), seed = 1)
  expect_lt(relative_gap(coef(ten), coef(one)), 1e-8)
  # Weights whose sum is below one, with fewer columns than rows and with more.
  for (hidden in c(9, 60)) {
    fit <- function(w) {
      cawi_rvfl(x, small_y("regression", x), hidden = hidden, lambda = w, case_weights = rep(w, 40),
                seed = 1)
    }
    expect_lt(relative_gap(coef(fit(1e-3)), coef(fit(1))), 1e-8)
  }
})

# Two equal columns and one that is their sum, so that A lacks rank in its columns; two equal rows,
# so that it lacks rank in its rows.
singular_x <- function(m) {
  x <- small_x(m)[, 1:2]
  x <- cbind(x, twin = x[, 1], sum = x[, 1] + x[, 2])
  x[2, ] <- x[1, ]
  x
}

for (shape in names(shapes)) for (model in model_names) {
  test_that(paste(
    "lambda = 0 on a singular problem gives the least-norm solution:", model, shape
  ), {
    x <- singular_x(if (shape == "rows < columns") 12 else 100)
    for (task in tasks) {
      y <- small_y(task, x)
      topics <- character()
      fit <- withCallingHandlers(
        fit_named(model, x, y, lambda = 0, seed = 2, direct = TRUE,
                  shape = shapes[[shape]][[model]]),
        warning = function(w) {
          topics <<- c(topics, class(w)[1])
          tryInvokeRestart("muffleWarning")
        }
      )
      expect_identical(unique(topics), "cawi_warning_singular")
      a <- seen_features(fit, x)
      for (k in seq_along(a)) {
        found <- readout_coefficients(fit)[[k]]
        wanted <- plain_ridge(a[[k]], indicators(y), 0)
        expect_true(all(is.finite(found)))
        # The same fitted values, and no more norm of what has a penalty.
        expect_lt(relative_gap(a[[k]] %*% found, a[[k]] %*% wanted), 1e-5)
        penalized <- if (has_free_ones(a[[k]], indicators(y))) {
          -ncol(a[[k]])
        } else {
          seq_len(ncol(a[[k]]))
        }
        expect_lt(sum(found[penalized, ]^2), sum(wanted[penalized, ]^2) * (1 + 1e-5))
      }
    }
  })
}

test_that("least norm without the help of standardization, worked by hand", {
  # Column 2 repeats column 1, so the coefficient 1 is shared by both.
  a <- cbind(c(1, 2, 3), c(1, 2, 3))
  y <- matrix(c(1, 2, 3))
  solved <- solve_sums(crossprod(a), crossprod(a, y), 0, 0L)
  expect_true(solved$singular)
  expect_equal(solved$coefficients, matrix(c(0.5, 0.5)))
  solved <- solve_rows(t(a), matrix(c(7, 7)), 0, 0L)
  expect_true(solved$singular)
  expect_equal(solved$coefficients, matrix(c(0.5, 1, 1.5)))
})

test_that("lambda = 0 on a regular problem is least squares, without a warning", {
  x <- small_x()
  y <- small_y("regression", x)
  expect_silent(fit <- cawi_elm(x, y, hidden = 5, scale = 2, lambda = 0, seed = 1))
  a <- plain_features(fit, x)$all
  expect_equal(unname(coef(fit)[, 1]), unname(stats::lm.fit(a, y)$coefficients), tolerance = 1e-6)
  expect_equal(unname(loo_scores(fit)), refitted_scores(a, y, 0), tolerance = 1e-6)
})

test_that("leave-one-out never mistakes interpolation for a perfect fit", {
  x <- small_x(20)
  y <- small_y("regression", x)
  fit <- suppressWarnings(cawi_rvfl(x, y, hidden = 100, lambda = c(0, 1), seed = 1))
  a <- plain_features(fit, x)$all
  wanted <- vapply(c(0, 1), function(lambda) sum((refitted_scores(a, y, lambda) - y)^2), numeric(1))
  expect_equal(fit$readouts[[1]]$loo$squared_error, wanted, tolerance = 1e-4)
})

test_that("leave-one-out of a singular problem without penalty is absent with few columns", {
  x <- singular_x(60)
  fit <- suppressWarnings(cawi_rvfl(x, small_y("regression", x), hidden = 5, lambda = 0, seed = 1))
  expect_null(loo_scores(fit))
  expect_null(fit$loo)
  expect_true(is.na(glance(fit)$mean))
})

test_that("leave-one-out of a singular problem without penalty is right with many columns", {
  x <- singular_x(12)
  y <- small_y("regression", x)
  fit <- suppressWarnings(cawi_rvfl(x, y, hidden = 60, lambda = 0, seed = 1))
  a <- plain_features(fit, x)$all
  expect_lt(qr(scale(a[, -ncol(a)], scale = FALSE))$rank, 11)
  expect_lt(relative_gap(loo_scores(fit), refitted_scores(a, y, 0)), 1e-6)
})

test_that("with a given lambda leave-one-out looks at a sample of many rows", {
  x <- small_x(2100)
  y <- small_y("classification", x)
  fit <- cawi_rvfl(x, y, hidden = 9, lambda = 0.5, seed = 1)
  loo <- fit$readouts[[1]]$loo
  expect_identical(length(loo$rows), calibration_rows)
  expect_false(anyDuplicated(loo$rows) > 0)
  a <- plain_features(fit, x)$all
  some <- c(1, 250, 500)
  for (i in some) {
    row <- loo$rows[i]
    wanted <- a[row, ] %*% plain_ridge(a[-row, ], indicators(y)[-row, ], 0.5)
    expect_equal(loo$scores[i, ], as.vector(wanted), tolerance = 1e-8)
  }
})

test_that("blocks of rows add up: more rows than a block, one row more or less", {
  for (m in c(511, 512, 513, 1025)) {
    x <- small_x(m)
    y <- small_y("outputs", x)
    for (lambda in list(0.2, c(0.2, 0.2001))) {
      fit <- cawi_rvfl(x, y, hidden = 9, lambda = lambda, seed = 1)
      expect_ridge(fit, plain_features(fit, x)$readouts, indicators(y))
    }
  }
})

test_that("a column that does not vary in training has no part in numeric outputs", {
  # Layers of few inputs: the means of the nodes are large beside what the columns share.
  set.seed(313)
  x <- cbind(3, matrix(rnorm(130 * 3), 130))
  y <- cbind(x[, 2] + rnorm(130), rnorm(130))
  layer <- list(weights = matrix(rnorm(160), 4), bias = 20 + rnorm(40), activation = "relu")
  network <- list(layers = list(layer), center = rep(0.1, 4), sd = rep(1.3, 4),
                  wiring = "stacked", direct = TRUE, intercept = TRUE)
  statistics <- statistics_cpp(x, network, list(outputs = 2L, values = y), TRUE, 1L)[[1L]]
  for (lambda in c(0, 1e-6, 1)) {
    solved <- solve_readout_cpp(c(statistics, ones = 45L), rep(lambda, 2), 1L)
    expect_lt(max(abs(solved$coefficients[1L, ])), 1e-9)
  }
})

test_that("the path knows the readout of a dual problem, and whether it is singular", {
  x <- small_x()
  twice <- rbind(x, x[1:5, ])
  for (task in tasks) for (rows in list(x, twice)) for (lambda in c(0, 1e-3, 1)) {
    y <- small_y(task, rows)
    fit <- cawi_rvfl(rows, y, hidden = 60, lambda = 1, case_weights = 1 + rows[, 1]^2, seed = 4)
    statistics <- fit$readouts[[1]]$statistics
    targets <- fit$data$targets
    path <- ridge_paths_cpp(fit$data$x, fit$network, targets, list(statistics), c(lambda, 2),
                            lambda, 1L)[[1]]
    wanted <- solve_readout_cpp(statistics, lambda, 1L)
    expect_identical(path$readout$singular, wanted$singular)
    expect_identical(path$readout$singular, lambda == 0 && nrow(rows) > 40)
    expect_lt(relative_gap(path$readout$coefficients, wanted$coefficients),
              if (lambda == 0) 1e-6 else 1e-10)
    expect_null(fit$readouts[[1]]$loo$readout)
  }
})

# Rounding leaves next to nothing in the null space, which a penalty below it would divide.
test_that("penalties that rounding hides are none: the limit stays where it is", {
  x <- as.matrix(iris[1:24, 1:3])
  y <- iris$Petal.Width[1:24]
  fits <- function(x, hidden, lambda) {
    suppressWarnings(cawi_rvfl(x, y, hidden = hidden, lambda = lambda, seed = 1))
  }
  dependent <- cbind(x, d = x[, 1] + x[, 2])
  repeated <- x[rep(1:12, 2), ]
  for (lambda in c(1e-20, 1e-30, 1e-100, 1e-294, 1e-310)) {
    # More rows than columns: leave-one-out errors along a path.
    limit <- fits(dependent, 3, c(0, 1))$readouts[[1L]]$loo$rmse
    expect_equal(fits(dependent, 3, c(lambda, 1))$readouts[[1L]]$loo$rmse, limit, tolerance = 1e-6)
    # More columns than rows, of which some repeat: coefficients too.
    limit <- fits(repeated, 40, 0)
    fit <- fits(repeated, 40, lambda)
    expect_equal(coef(fit), coef(limit), tolerance = 1e-6)
    expect_length(predict(fit, repeated), 24)
  }
})
