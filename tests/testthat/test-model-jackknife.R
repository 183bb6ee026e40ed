x <- small_x()
y <- small_y("regression", x)
fresh <- x[1:7, ] * 0.7 + 0.1

# What one readout predicts for fresh rows without each training row, by solving again.
ridge_without <- function(a, fresh, y, lambda, w, ones) {
  penalty <- diag(lambda, ncol(a))
  if (ones > 0L) penalty[ones, ones] <- 0
  vapply(seq_len(nrow(a)), function(i) {
    part <- a[-i, , drop = FALSE]
    drop(fresh %*% solve(crossprod(part, w[-i] * part) + penalty, crossprod(part, w[-i] * y[-i])))
  }, numeric(nrow(fresh)))
}

# The same for a kernel with a free intercept.
kernel_without <- function(k, fresh, y, lambda, w) {
  vapply(seq_along(y), function(i) {
    system <- rbind(cbind(k[-i, -i] + diag(lambda / w[-i]), 1), c(rep(1, length(y) - 1), 0))
    drop(cbind(fresh[, -i], 1) %*% solve(system, c(y[-i], 0)))
  }, numeric(nrow(fresh)))
}

member_without <- function(member, y, w) {
  layer <- if (length(member$network$layers) > 0L) member$network$layers[[1L]]
  if (!is.null(layer$kernel) && is.null(layer$root)) {
    z <- layer_input_cpp(x, member$network, 0L)
    new <- layer_input_cpp(fresh, member$network, 0L)
    direct <- member$network$direct
    k <- kernel_cpp(layer$kernel, z, z) + direct * tcrossprod(z)
    fresh_k <- kernel_cpp(layer$kernel, new, z) + direct * tcrossprod(new, z)
    return(kernel_without(k, fresh_k, y, member$lambda, w))
  }
  views <- readout_views(member$network, member$task)
  a <- features_cpp(x, member$network, 1L)
  new <- features_cpp(fresh, member$network, 1L)
  parts <- Map(function(view, readout) {
    seen <- if (is.null(view$columns)) seq_len(ncol(a)) else view$columns
    ridge_without(a[, seen], new[, seen], y, readout$lambda, w, view$ones)
  }, views, member$readouts)
  Reduce(`+`, parts) / length(parts)
}

predicted_without <- function(fit, y, w = rep(1, length(y))) {
  if (!inherits(fit, "cawi_auto")) return(member_without(fit, y, w))
  Reduce(`+`, Map(function(member, share) share * member_without(member, y, w), fit$members,
                  fit$share))
}

found_without <- function(fit, output = 1L) {
  jackknife <- new_jackknife(fit, fit$data, 1L, NULL)
  part_scores(fit, fresh, 1L)[, output] - left_out_shift(jackknife, fresh, output, 1L)
}

test_that("predictions without each row are those of solving again", {
  w <- rep_len(c(1, 3, 0.5), 40)
  fits <- list(
    cawi_rvfl(x, y, hidden = 5, seed = 1), cawi_elm(x, y, hidden = 5, seed = 1),
    cawi_rvfl(x, y, hidden = 60, lambda = 0.1, seed = 1),
    cawi_rvfl(x, y, hidden = 5, intercept = FALSE, seed = 1),
    cawi_drvfl(x, y, hidden = c(5, 4), seed = 1), cawi_edrvfl(x, y, hidden = c(5, 60), seed = 1),
    cawi_bls(x, y, windows = 2, nodes = 3, enhancement = 5, seed = 1),
    cawi_rvfl(x, y, hidden = Inf, activation = "sine", bias = "phase", marginal = "cauchy",
              lambda = 0.1, seed = 1)
  )
  for (fit in fits) expect_equal(found_without(fit), predicted_without(fit, y), tolerance = 1e-6)
  for (hidden in c(5, 60)) {
    fit <- cawi_rvfl(x, y, hidden = hidden, lambda = 0.3, case_weights = w, seed = 1)
    expect_equal(found_without(fit), predicted_without(fit, y, w), tolerance = 1e-6)
  }
})

test_that("members of an automatic model are averaged", {
  for (weights in list(NULL, rep_len(c(1, 3, 0.5), 40))) {
    fit <- suppressWarnings(cawi_auto(x, y, case_weights = weights, seed = 1))
    w <- if (is.null(weights)) rep(1, 40) else weights
    expect_equal(found_without(fit), predicted_without(fit, y, w), tolerance = 1e-6)
  }
})

test_that("outputs with penalties of their own, and classes, are left out alike", {
  both <- cbind(a = y, b = y^2)
  fit <- cawi_rvfl(x, both, hidden = 5, lambda = matrix(c(0.1, 2), 1), seed = 1)
  for (k in 1:2) {
    alone <- cawi_rvfl(x, both[, k], hidden = 5, lambda = c(0.1, 2)[k], seed = 1)
    expect_equal(found_without(fit, k), found_without(alone), tolerance = 1e-8)
  }
  classes <- small_y("classification", x)
  fit <- cawi_rvfl(x, classes, hidden = 5, lambda = c(0.1, 0.2), seed = 1)
  jackknife <- new_jackknife(fit, fit$data, 1L, NULL)
  scores <- part_scores(fit, x, 1L) - own_shift(jackknife, x, 1L)
  expect_equal(scores, fit$readouts[[1]]$loo$scores, tolerance = 1e-8)
})

test_that("a mean without a row, by hand", {
  # Without nodes that vary and with a large penalty the prediction is the mean of the others.
  z <- cbind(c(1, 2, 3, 4))
  fit <- cawi_rvfl(z, c(1, 3, 5, 11), hidden = 1, lambda = 1e12, seed = 1)
  jackknife <- new_jackknife(fit, fit$data, 1L, NULL)
  without <- 5 - left_out_shift(jackknife, z[1, , drop = FALSE], 1L, 1L)
  expect_equal(without, rbind(c(19, 17, 15, 9) / 3), tolerance = 1e-6)
})

test_that("many rows are left out by a sample, which case weights draw", {
  targets <- list(rows = 5000L, case_weights = NULL)
  sample <- jackknife_sample(targets)
  expect_length(sample$kept, 2000L)
  expect_identical(unique(sample$weight), 1)
  targets$case_weights <- rep(c(1, 9), each = 2500)
  sample <- jackknife_sample(targets)
  expect_equal(sum(sample$weight), 2000)
  expect_equal(sum(sample$weight[sample$kept > 2500]) / 2000, 0.9, tolerance = 0.02)
})

test_that("as many rows as the sample may have are all there, with their own weights", {
  for (weight in list(rep_len(c(0.5, 3), jackknife_rows), NULL)) {
    targets <- list(rows = jackknife_rows, case_weights = weight)
    sample <- jackknife_sample(targets)
    expect_equal(sample$kept, seq_len(jackknife_rows))
    expect_equal(sample$weight, weight %||% rep(1, jackknife_rows))
  }
  more <- list(rows = 3 * jackknife_rows, case_weights = rep_len(c(0, 1, 5), 3 * jackknife_rows))
  sample <- jackknife_sample(more)
  expect_true(all(more$case_weights[sample$kept] > 0))
  expect_identical(sum(sample$weight), as.double(jackknife_rows))
})
