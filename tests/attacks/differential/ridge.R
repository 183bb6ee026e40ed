# Ridge regression by QR of the augmented rows, which loses half the digits that normal equations
# lose, and leave-one-out by refits.

# A random problem: rows of A from a random network, a response of some kind, case weights.
any_ridge <- function(most = 14L, outputs = whole_between(1L, 3L), wide = chance(0.3)) {
  x <- any_rows(most)
  network <- any_network(x, names(slow_activations), most = if (wide) 12L else 4L)
  classes <- chance(0.4) && nrow(x) >= 3L
  w <- any_weights(nrow(x))
  targets <- if (classes) {
    count <- whole_between(2L, 3L)
    numbers <- c(seq_len(count), sample.int(count, nrow(x) - count, TRUE))
    list(classes = as.integer(numbers), values = NULL, outputs = count, task = "classification")
  } else {
    list(classes = NULL, values = normal_matrix(nrow(x), outputs), outputs = outputs,
         task = "regression", center = numeric(outputs), sd = rep(1, outputs))
  }
  targets$case_weights <- w
  targets$rows <- nrow(x)
  views <- readout_views(network, targets$task)
  y <- if (classes) diag(targets$outputs)[targets$classes, , drop = FALSE] else targets$values
  list(x = x, network = network, targets = targets, views = views, y = y,
       weight = if (is.null(w)) rep(1, nrow(x)) else w, a = slow_readouts(x, network),
       center = !classes && network$intercept)
}

any_lambda <- function() log_between(1e-3, 1e3)

centered_rows <- function(a, weight, center) {
  if (!center) return(a)
  own <- a[, -ncol(a), drop = FALSE]
  t(t(own) - colSums(weight * own) / sum(weight))
}

# Coefficients with one penalty. The ones, where they have none, are the last column.
qr_ridge <- function(a, y, weight, lambda, center) {
  y <- as.matrix(y)
  rows <- centered_rows(a, weight, center)
  y_mean <- if (center) colSums(weight * y) / sum(weight) else numeric(ncol(y))
  left <- rbind(sqrt(weight) * rows, diag(sqrt(lambda), ncol(rows)))
  right <- rbind(sqrt(weight) * t(t(y) - y_mean), matrix(0, ncol(rows), ncol(y)))
  b <- qr.coef(qr(left, LAPACK = TRUE), right)
  b <- matrix(b, ncol(rows))
  if (!center) return(b)
  means <- colSums(weight * a[, -ncol(a), drop = FALSE]) / sum(weight)
  rbind(b, y_mean - drop(means %*% b))
}

# How far normal equations magnify rounding. Sums are centered after they are taken, so that their
# rounding is that of the rows as they are.
condition <- function(a, weight, lambda, center) {
  values <- svd(sqrt(weight) * centered_rows(a, weight, center), 0L, 0L)$d
  least <- if (length(values) < ncol(a) - center) 0 else min(values)
  (sum(weight * a^2) + lambda) / (least^2 + lambda)
}

# A column whose variance is below 1e-13 of its square is taken for constant, which coefficients
# tell, and rows that have another value there.
nearly_flat <- function(a, weight) {
  rows <- centered_rows(a, weight, TRUE)
  share <- colSums(rows^2) / pmax(colSums(a[, -ncol(a), drop = FALSE]^2), 1e-300)
  any(share > 1e-31 & share < 1e-12)
}

# Rows that are left out have a part of the error of the whole, over one less their leverage.
refits_without <- function(a, y, weight, lambda, center, groups = seq_len(nrow(a))) {
  scores <- matrix(0, nrow(a), ncol(y))
  for (g in unique(groups)) {
    out <- groups == g
    b <- qr_ridge(a[!out, , drop = FALSE], y[!out, , drop = FALSE], weight[!out], lambda, center)
    scores[out, ] <- a[out, , drop = FALSE] %*% b
  }
  scores
}

largest_leverage <- function(a, weight, lambda, center) {
  rows <- sqrt(weight) * centered_rows(a, weight, center)
  h <- rowSums((rows %*% solve(crossprod(rows) + diag(lambda, ncol(rows)))) * rows)
  if (center) h <- h + weight / sum(weight)
  max(h)
}

# In units of the condition and, for rows left out, of 1 / (1 - leverage).
loo_unit <- function(a, y, weight, lambda, center) {
  rest <- 1 - largest_leverage(a, weight, lambda, center)
  condition(a, weight, lambda, center) * max(abs(y), 1) / max(rest, 1e-12)
}

statistics_of <- function(p, wide) {
  known <- statistics_cpp(p$x, p$network, p$targets, wide, 1L)
  Map(function(part, view) c(part, ones = view$ones), known, p$views)
}

# The error of every readout, the worst of them.
over_readouts <- function(p, error) {
  max(vapply(seq_along(p$a), function(r) {
    if (p$center && nearly_flat(p$a[[r]], p$weight)) 0 else error(r, p$a[[r]])
  }, numeric(1)))
}

ridge_why <- "in units of the condition of the normal equations"
loo_why <- "in units of the condition and of one over one less the largest leverage"

solve_error <- function(p, wide) {
  lambda <- any_lambda()
  known <- statistics_of(p, wide)
  over_readouts(p, function(r, a) {
    found <- solve_readout_cpp(known[[r]], lambda, 1L)$coefficients
    wanted <- qr_ridge(a, p$y, p$weight, lambda, p$center)
    gap(found, wanted, condition(a, p$weight, lambda, p$center) * max(abs(wanted), abs(p$y)))
  })
}

ridge_routines <- list(
  solve_primal = routine(
    "QR of the augmented rows", 2e-15, ridge_why, function() solve_error(any_ridge(), FALSE)
  ),
  solve_dual = routine(
    "QR of the augmented rows", 2e-15, ridge_why,
    function() solve_error(any_ridge(10L, wide = TRUE), TRUE)
  ),
  solve_positive = routine(
    "solve()", 2e-15, ridge_why,
    function() {
      n <- whole_between(1L, 8L)
      s <- tcrossprod(normal_matrix(n, n + 2L)) + diag(log_between(1e-4, 1), n)
      b <- normal_matrix(n, whole_between(1L, 4L))
      wanted <- solve(s, b)
      gap(solve_positive_cpp(s, b, 1L), wanted, kappa(s, exact = TRUE) * max(abs(wanted)))
    }
  ),
  path_fits = routine(
    "QR of the augmented rows, and refits", 5e-14, loo_why,
    function() {
      p <- any_ridge(7L)
      lambdas <- c(any_lambda(), any_lambda())
      known <- statistics_of(p, TRUE)
      fits <- path_fits_cpp(p$x, p$network, p$targets, known, lambdas, 1L)
      over_readouts(p, function(r, a) {
        max(vapply(seq_along(lambdas), function(l) {
          own <- (l - 1L) * ncol(p$y) + seq_len(ncol(p$y))
          unit <- loo_unit(a, p$y, p$weight, lambdas[l], p$center)
          wanted <- qr_ridge(a, p$y, p$weight, lambdas[l], p$center)
          max(gap(fits[[r]]$coefficients[, own], wanted, unit),
              gap(fits[[r]]$scores[, , l],
                  refits_without(a, p$y, p$weight, lambdas[l], p$center), unit))
        }, numeric(1)))
      })
    }
  ),
  leave_one_out = routine(
    "refits without each row", 5e-14, loo_why,
    function() {
      p <- any_ridge(10L)
      lambda <- any_lambda()
      given <- if (p$targets$task == "regression") rep(lambda, ncol(p$y)) else lambda
      known <- statistics_of(p, TRUE)
      paths <- ridge_paths_cpp(p$x, p$network, p$targets, known, c(lambda, 2 * lambda), given, 1L)
      over_readouts(p, function(r, a) {
        scores <- refits_without(a, p$y, p$weight, lambda, p$center)
        unit <- loo_unit(a, p$y, p$weight, lambda, p$center)
        error <- colSums(p$weight * (p$y - scores)^2)
        hits <- sum(p$weight * (max.col(scores, "first") == p$targets$classes))
        if (p$targets$task == "classification") error <- sum(error)
        ties <- apply(scores, 1L, function(s) min(diff(sort(c(s, Inf)))))
        max(gap(paths[[r]]$scores, scores, unit),
            gap(paths[[r]]$squared_error[1L, ], error, unit * max(error, 1) * sum(p$weight)),
            if (p$targets$task == "classification" && min(ties) > 1e-9) {
              gap(paths[[r]]$correct[1L], hits, sum(p$weight))
            })
      })
    }
  ),
  leave_one_out_choice = routine(
    "the least error of the path, the largest lambda among equals", 0, "a comparison",
    function() {
      p <- any_ridge(10L)
      lambdas <- 10^(-3:3)
      known <- statistics_of(p, TRUE)
      paths <- ridge_paths_cpp(p$x, p$network, p$targets, known, lambdas, numeric(), 1L)
      holds(vapply(paths, function(path) {
        errors <- path$squared_error
        if (p$targets$task == "classification") errors <- matrix(rowSums(errors))
        best <- apply(errors, 2L, function(e) max(which(e == min(e))))
        identical(as.integer(path$best), as.integer(best))
      }, logical(1)))
    }
  ),
  freedom = routine(
    "the trace of the hat matrix", 1e-14, ridge_why,
    function() {
      p <- any_ridge(10L)
      lambdas <- c(any_lambda(), any_lambda())
      known <- statistics_of(p, TRUE)
      paths <- ridge_paths_cpp(p$x, p$network, p$targets, known, lambdas, numeric(), 1L)
      over_readouts(p, function(r, a) {
        max(vapply(1:2, function(l) {
          values <- svd(sqrt(p$weight) * centered_rows(a, p$weight, p$center), 0L, 0L)$d^2
          wanted <- sum(values / (values + lambdas[l])) + p$center
          gap(paths[[r]]$freedom[l], wanted, condition(a, p$weight, lambdas[l], p$center))
        }, numeric(1)))
      })
    }
  ),
  sampled_leave_one_out = routine(
    "refits without each row", 5e-14, loo_why,
    function() {
      p <- any_ridge(10L, wide = FALSE)
      lambda <- any_lambda()
      known <- statistics_of(p, FALSE)
      solved <- lapply(known, function(k) solve_readout_cpp(k, lambda, 1L)$coefficients)
      some <- sort(sample.int(nrow(p$x), whole_between(1L, nrow(p$x))))
      part <- subset_targets(p$targets, some)
      scores <- left_out_scores_cpp(p$x[some, , drop = FALSE], p$network, part, known, solved,
                                    rep(list(lambda), length(known)), 1L)
      over_readouts(p, function(r, a) {
        wanted <- refits_without(a, p$y, p$weight, lambda, p$center)[some, ]
        gap(scores[[r]], wanted, loo_unit(a, p$y, p$weight, lambda, p$center))
      })
    }
  ),
  exact_fits = routine(
    "QR of the augmented rows, and refits", 5e-14, loo_why,
    function() {
      p <- any_ridge(10L)
      lambda <- any_lambda()
      fits <- exact_fits_cpp(p$x, p$network, p$targets, lambda_of(lambda, p$targets), 1L)
      over_readouts(p, function(r, a) {
        unit <- loo_unit(a, p$y, p$weight, lambda, p$center)
        max(gap(fits[[r]]$coefficients, qr_ridge(a, p$y, p$weight, lambda, p$center), unit),
            gap(fits[[r]]$scores, refits_without(a, p$y, p$weight, lambda, p$center), unit))
      })
    }
  ),
  penalty_per_output = routine(
    "QR for each output", 2e-15, ridge_why,
    function() {
      p <- any_ridge(10L)
      if (p$targets$task != "regression") return(0)
      lambda <- replicate(ncol(p$y), any_lambda())
      known <- statistics_of(p, TRUE)
      over_readouts(p, function(r, a) {
        found <- solve_readout_cpp(known[[r]], lambda, 1L)$coefficients
        max(vapply(seq_along(lambda), function(k) {
          wanted <- qr_ridge(a, p$y[, k], p$weight, lambda[k], p$center)
          gap(found[, k], wanted, condition(a, p$weight, lambda[k], p$center) *
                max(abs(wanted), abs(p$y)))
        }, numeric(1)))
      })
    }
  ),
  border = routine(
    "A'A of the whole", 4e-15, "sums of at most 14 products, in units of their sizes",
    function() {
      p <- any_ridge()
      r <- whole_between(1L, length(p$a))
      a <- p$a[[r]]
      fresh <- sort(sample.int(ncol(a), whole_between(1L, ncol(a))))
      found <- border_cpp(p$x, p$network, r, fresh, p$targets, 1L)
      max(gap(found$an, crossprod(a, p$weight * a[, fresh]),
              sum(p$weight) * max(a^2, 1)),
          gap(found$ny, crossprod(a[, fresh], p$weight * p$y),
              sum(p$weight) * max(abs(a), 1) * max(abs(p$y), 1)))
    }
  ),
  sums_merged = routine(
    "sums over all rows", 4e-15, "sums of at most 14 products, in units of their sizes",
    function() {
      p <- any_ridge()
      folds <- whole_between(1L, 3L)
      fold <- sample.int(folds, nrow(p$x), TRUE)
      ones <- vapply(p$views, function(view) as.integer(view$ones), integer(1))
      sums <- fold_sums_cpp(p$x, p$network, p$targets, fold, folds, ones, 1L)
      over_readouts(p, function(r, a) {
        merged <- Reduce(function(one, other) merge_sums_cpp(one, other, 1), sums[[r]])
        max(gap(merged$aa, crossprod(a, p$weight * a), sum(p$weight) * max(a^2, 1)),
            gap(merged$ay, crossprod(a, p$weight * p$y),
                sum(p$weight) * max(abs(a), 1) * max(abs(p$y), 1)),
            gap(merged$yy, colSums(p$weight * p$y^2), sum(p$weight) * max(p$y^2, 1)),
            gap(merged$weight, sum(p$weight)), gap(merged$rows, nrow(p$x)))
      })
    }
  ),
  fold_losses = routine(
    "fits without each fold", 1e-13,
    "in units of the condition: errors are differences of sums, good to the digits of y'y",
    function() {
      p <- any_ridge(14L)
      folds <- 2L
      fold <- rep_len(sample.int(folds), nrow(p$x))
      ones <- vapply(p$views, function(view) as.integer(view$ones), integer(1))
      sums <- fold_sums_cpp(p$x, p$network, p$targets, fold, folds, ones, 1L)
      lambdas <- c(any_lambda(), any_lambda())
      over_readouts(p, function(r, a) {
        if (p$center && nearly_flat(a[fold == 1L, , drop = FALSE], p$weight[fold == 1L])) return(0)
        all <- merge_sums_cpp(sums[[r]][[1L]], sums[[r]][[2L]], 1)
        found <- held_out_losses_cpp(all, sums[[r]][[2L]], lambdas, 1L)
        out <- fold == 2L
        max(vapply(1:2, function(l) {
          b <- qr_ridge(a[!out, , drop = FALSE], p$y[!out, , drop = FALSE], p$weight[!out],
                        lambdas[l], p$center)
          scores <- a[out, , drop = FALSE] %*% b
          wanted <- colSums(p$weight[out] * (p$y[out, , drop = FALSE] - scores)^2)
          # Sums without a fold are differences: they have the rounding of all rows.
          least <- condition(a[!out, , drop = FALSE], p$weight[!out], lambdas[l], p$center)
          train <- max(sum((p$weight * a^2)[!out, ]), 1e-3)
          unit <- least * max(1, sum(p$weight * a^2) / train) *
            sum(p$weight) * max(1, scores^2, p$y^2, a^2)
          gap(found$squared_error[l, ], wanted, unit)
        }, numeric(1)), gap(found$weight, sum(p$weight[out])))
      })
    }
  )
)
