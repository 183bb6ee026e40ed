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
  statistics$ones <- free_ones(network, width, targets$task)
  finish_readout(x, network, columns, targets, statistics, lambda, threads, call)
}

# The column of the intercept, the last one, where it has no penalty: that of numbers.
free_ones <- function(network, width, task) {
  if (task == "regression" && network$intercept) as.integer(width) else 0L
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
  path <- lambda_path(lambda, targets, call)
  lambda <- path$lambda
  if (dual || is.null(lambda)) {
    loo <- ridge_path_cpp(x, network, columns, targets, statistics$aa, statistics$ay, dual, path$values,
                          as.double(lambda), statistics$ones, threads)
    if (is.null(lambda)) lambda <- path$values[loo$best]
    loo <- path_errors(loo, targets)
  }
  solution <- solve_readout(statistics, lambda, call)
  if (is.null(loo)) loo <- sampled_loo(x, network, columns, targets, statistics, solution, lambda, threads)
  list(columns = columns, coefficients = in_response_units(solution, targets, statistics$ones), lambda = lambda,
       lambda_path = path$values, statistics = statistics, loo = loo)
}

# Errors along the path in the units of the response: of each numeric output, or of all classes together.
path_errors <- function(loo, targets, rows = seq_len(targets$rows), weight = total_weight(targets)) {
  error <- loo$squared_error
  if (targets$task == "classification") error <- matrix(rowSums(error) / targets$outputs)
  sd <- if (is.null(targets$sd)) 1 else targets$sd
  loo$rmse <- sweep(sqrt(error / weight), 2L, sd, `*`)
  loo$squared_error <- if (targets$task == "classification") rowSums(loo$squared_error) else drop(loo$rmse^2 * weight)
  loo$scores <- as_response(loo$scores, targets)
  loo$rows <- rows
  loo$weight <- weight
  loo
}

# `values` are tried; `lambda` is given where nothing is to be chosen: one number, or one row of a number per output.
lambda_path <- function(lambda, targets, call) {
  if (!is.matrix(lambda)) return(list(values = lambda, lambda = if (length(lambda) == 1L) lambda_of(lambda, targets)))
  if (targets$task != "regression" || ncol(lambda) != targets$outputs) {
    abort_argument(
      "lambda",
      if (targets$task == "regression") {
        "{.arg lambda} with one row must have one penalty per numeric output ({targets$outputs}), not {ncol(lambda)}."
      } else {
        "{.arg lambda} with one row is for several numeric outputs; classes share one penalty."
      }, call
    )
  }
  list(values = sort(unique(as.vector(lambda))), lambda = as.vector(lambda))
}

# Numbers have a penalty per output.
lambda_of <- function(lambda, targets) if (targets$task == "regression") rep(lambda, targets$outputs) else lambda

solve_readout <- function(statistics, lambda, call) {
  solver <- if (statistics$kind == "rows") solve_dual_cpp else solve_primal_cpp
  solved <- rethrow_core_errors(solver(statistics$aa, statistics$ay, lambda, statistics$ones), call)
  if (solved$singular) {
    warn_topic(
      "singular",
      "The problem is singular at {.code lambda = {lambda}}: using the solution of least norm.", call
    )
  }
  solved$coefficients
}

# Coefficients that give the response itself.
in_response_units <- function(coefficients, targets, ones) {
  if (is.null(targets$sd)) return(coefficients)
  coefficients <- sweep(coefficients, 2L, targets$sd, `*`)
  if (ones > 0L) coefficients[ones, ] <- coefficients[ones, ] + targets$center
  coefficients
}

# Leave-one-out at a given lambda on a sample of rows; NULL where the problem is singular. `coefficients` are in the
# units of the core.
sampled_loo <- function(x, network, columns, targets, statistics, coefficients, lambda, threads) {
  sample <- loo_sample(nrow(x), targets$weights)
  part <- subset_targets(targets, sample$rows)
  scores <- tryCatch(
    left_out_scores_cpp(x[sample$rows, , drop = FALSE], network, columns, part, statistics$aa,
                        statistics$ay, coefficients, lambda, statistics$ones, threads),
    `cawi::DomainError` = function(e) NULL
  )
  if (is.null(scores)) return(NULL)
  weight <- if (is.null(sample$counts)) row_weights(part) else sample$counts
  error <- colSums(weight * (target_matrix(part) - scores)^2)
  loo <- list(squared_error = matrix(error, 1L), best = rep(1L, length(lambda)), scores = scores, counts = sample$counts)
  if (targets$task == "classification") loo$correct <- sum(weight * (max.col(scores, "first") == part$classes))
  path_errors(loo, targets, sample$rows, sum(weight))
}

# All rows, with their weights to be used as they are, or some of them with the number of times that each was drawn.
loo_sample <- function(rows, weights) {
  if (rows <= calibration_rows) return(list(rows = seq_len(rows), counts = NULL))
  drawn <- row_sample(rows, calibration_rows, weights)
  list(rows = unique(drawn), counts = if (!is.null(weights)) tabulate(match(drawn, unique(drawn))) + 0)
}

# What the sums of a fit take, and the products on the way to them.
readout_bytes <- function(rows, columns, outputs) {
  wide <- columns >= rows
  8 * (if (wide) rows * columns * 2 + 3 * rows^2 else 4 * columns^2) + 8 * columns * outputs
}

check_fit_memory <- function(rows, outputs, spec, inputs, call) {
  columns <- sum(spec$hidden) + inputs + 1
  weights <- 8 * sum(spec$hidden * c(inputs, spec$hidden[-length(spec$hidden)]))
  check_memory(readout_bytes(rows, columns, outputs) + weights, call)
}
