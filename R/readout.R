# The output layer: choice of lambda by exact leave-one-out, one solve, and what later steps need of
# it (statistics for exact updates, leave-one-out scores for calibration).

# Rows whose leave-one-out scores are computed when lambda is given.
calibration_rows <- 500L

fit_readout <- function(x, network, columns, targets, lambda, threads, call) {
  width <- if (is.null(columns)) network_columns(network) else length(columns)
  statistics <- if (width < nrow(x)) {
    c(kind = "gram", gram_cpp(x, network, columns, targets, threads))
  } else {
    row_statistics(x, network, columns, targets, threads)
  }
  finish_readout(x, network, columns, targets, statistics, lambda, threads, call)
}

# More columns than rows: the weighted rows of A and Y say all that the Gram matrix would.
row_statistics <- function(x, network, columns, targets, threads) {
  a <- features_cpp(x, network, columns, threads)
  y <- target_matrix(targets)
  if (!is.null(targets$weights)) {
    a <- a * sqrt(targets$weights)
    y <- y * sqrt(targets$weights)
  }
  list(kind = "rows", aa = a, ay = y)
}

finish_readout <- function(x, network, columns, targets, statistics, lambda, threads, call) {
  dual <- statistics$kind == "rows"
  loo <- NULL
  if (dual || length(lambda) > 1L) {
    loo <- rethrow_core_errors(
      ridge_path_cpp(x, network, columns, targets, statistics$aa, statistics$ay, dual, lambda,
                     threads), call
    )
    loo$rows <- seq_len(nrow(x))
    loo$weight <- if (is.null(targets$weights)) nrow(x) else sum(targets$weights)
    lambda_path <- lambda
    lambda <- lambda[loo$best]
  }
  solution <- solve_readout(statistics, lambda, call)
  if (is.null(loo)) {
    lambda_path <- lambda
    loo <- sampled_loo(x, network, columns, targets, statistics, solution, lambda, threads)
  }
  list(columns = columns, coefficients = solution, lambda = lambda, lambda_path = lambda_path,
       statistics = statistics, loo = loo)
}

solve_readout <- function(statistics, lambda, call) {
  solver <- if (statistics$kind == "rows") solve_dual_cpp else solve_primal_cpp
  solved <- rethrow_core_errors(solver(statistics$aa, statistics$ay, lambda), call)
  if (solved$singular) {
    warn_topic(
      "singular",
      "The problem is singular at {.code lambda = {lambda}}: using the solution of least norm.", call
    )
  }
  solved$coefficients
}

# Leave-one-out at a given lambda on a sample of rows; NULL where the problem is singular.
sampled_loo <- function(x, network, columns, targets, statistics, coefficients, lambda, threads) {
  rows <- seq_len(nrow(x))
  if (nrow(x) > calibration_rows) rows <- sort(permutation_cpp(0, nrow(x))[seq_len(calibration_rows)])
  part <- subset_targets(targets, rows)
  scores <- tryCatch(
    left_out_scores_cpp(x[rows, , drop = FALSE], network, columns, part, statistics$aa,
                        statistics$ay, coefficients, lambda, threads),
    `cawi::DomainError` = function(e) NULL
  )
  if (is.null(scores)) return(NULL)
  weight <- if (is.null(part$weights)) rep(1, length(rows)) else part$weights
  correct <- if (targets$task == "classification") {
    sum(weight * (max.col(scores, "first") == part$classes))
  } else {
    NA_real_
  }
  list(squared_error = sum(weight * (target_matrix(part) - scores)^2), correct = correct,
       freedom = NULL, spectrum = NULL, best = 1L, scores = scores, rows = rows,
       weight = sum(weight))
}
