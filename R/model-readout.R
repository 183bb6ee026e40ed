# The output layer: choice of lambda by exact leave-one-out, one solve, and what later steps need of
# it (statistics for exact updates, leave-one-out scores for calibration).

# Rows whose leave-one-out scores are computed when lambda is given.
calibration_rows <- 500L

fit_readouts <- function(x, network, targets, lambda, run) {
  views <- readout_views(network, targets$task)
  rethrow_core_errors(naming_columns({
    statistics <- readout_statistics(x, network, views, targets, run$threads)
    finish_readouts(x, network, views, targets, statistics, lambda, run)
  }, all_labels(network, colnames(x))),
  # Looked at only if something fails.
  run$call, fit_bytes(x, views, targets$outputs))
}

# The sums that the solutions need, one list per readout. With more columns than rows the weighted
# rows of A and Y say all that the Gram matrix would.
readout_statistics <- function(x, network, views, targets, threads) {
  statistics <- statistics_cpp(x, network, targets, TRUE, threads)
  Map(function(part, view) c(part, ones = view$ones), statistics, views)
}

finish_readouts <- function(x, network, views, targets, statistics, lambda, run) {
  path <- lambda_path(lambda, targets, run$call)
  given <- path$lambda
  primal <- all(vapply(statistics, function(part) part$kind == "gram", logical(1)))
  loo <- if (is.null(given) || !primal) {
    ridge_paths_cpp(x, network, targets, statistics, path$values, as.double(given), run$threads)
  }
  lambdas <- if (is.null(given)) {
    lapply(loo, function(part) path$values[part$best])
  } else {
    rep(list(given), length(statistics))
  }
  known <- if (is.null(loo)) list(NULL) else lapply(loo, function(part) part$readout)
  solutions <- Map(function(part, lambda, known) solve_readout(part, lambda, run, known),
                   statistics, lambdas, known)
  loo <- if (is.null(loo)) {
    sampled_loo(x, network, targets, statistics, solutions, lambdas, run$threads)
  } else {
    lapply(loo, path_errors, targets)
  }
  lapply(seq_along(views), function(r) {
    coefficients <- in_response_units(solutions[[r]], targets, views[[r]]$ones)
    list(columns = views[[r]]$columns, coefficients = coefficients,
         lambda = lambdas[[r]], lambda_path = path$values, statistics = statistics[[r]],
         loo = loo[[r]])
  })
}

# Errors along the path in the units of the response: of each numeric output, or of all classes
# together.
path_errors <- function(loo, targets, rows = seq_len(targets$rows),
                        weight = total_weight(targets)) {
  classes <- targets$task == "classification"
  error <- loo$squared_error
  if (classes) error <- matrix(rowSums(error) / targets$outputs)
  sd <- if (is.null(targets$sd)) 1 else targets$sd
  loo$rmse <- sweep(sqrt(error / weight), 2L, sd, `*`)
  loo$squared_error <- if (classes) rowSums(loo$squared_error) else drop(loo$rmse^2 * weight)
  if (!is.null(loo$scores)) loo$scores <- as_response(loo$scores, targets)
  loo$rows <- rows
  loo$weight <- weight
  # The model has it in its own units.
  loo$readout <- NULL
  loo
}

# `values` are tried; `lambda` is given where nothing is to be chosen: one number, or one row of a
# number per output.
lambda_path <- function(lambda, targets, call) {
  if (!is.matrix(lambda)) {
    given <- if (length(lambda) == 1L) lambda_of(lambda, targets)
    return(list(values = lambda, lambda = given))
  }
  if (targets$task != "regression") {
    message <- paste("{.arg lambda} with one row is for several numeric outputs;",
                     "classes share one penalty.")
    abort_argument("lambda", message, call)
  }
  if (ncol(lambda) != targets$outputs) {
    message <- paste("{.arg lambda} with one row must have one penalty per numeric output",
                     "({targets$outputs}), not {ncol(lambda)}.")
    abort_argument("lambda", message, call)
  }
  list(values = sort(unique(as.vector(lambda))), lambda = as.vector(lambda))
}

# Numbers have a penalty per output.
lambda_of <- function(lambda, targets) {
  if (targets$task == "regression") rep(lambda, targets$outputs) else lambda
}

# `solved` is the solution where a path of penalties has found it on its way.
solve_readout <- function(statistics, lambda, run, solved = NULL) {
  if (is.null(solved)) {
    solved <- rethrow_core_errors(solve_readout_cpp(statistics, lambda, run$threads), run$call)
  }
  if (solved$singular) {
    message <- paste("The problem is singular at {.code lambda = {lambda}}:",
                     "using the solution of least norm.")
    warn_topic("singular", message, run$call)
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

# Leave-one-out at a given lambda on a sample of rows, one list per readout; NULL each where a
# problem is singular. `coefficients` are in the units of the core.
sampled_loo <- function(x, network, targets, statistics, coefficients, lambda, threads) {
  sample <- loo_sample(nrow(x), targets$case_weights)
  part <- subset_targets(targets, sample$rows)
  scores <- tryCatch(
    left_out_scores_cpp(x[sample$rows, , drop = FALSE], network, part, statistics, coefficients,
                        lambda, threads),
    `cawi::DomainError` = function(e) NULL
  )
  if (is.null(scores)) return(vector("list", length(statistics)))
  errors <- function(scores, lambda) sampled_errors(scores, lambda, targets, part, sample)
  Map(errors, scores, lambda)
}

# `part` are the targets of the sampled rows.
sampled_errors <- function(scores, lambda, targets, part, sample) {
  weight <- if (is.null(sample$counts)) row_weights(part) else sample$counts
  error <- colSums(weight * (target_matrix(part) - scores)^2)
  loo <- list(squared_error = matrix(error, 1L), best = rep(1L, length(lambda)), scores = scores,
              counts = sample$counts)
  if (targets$task == "classification") {
    loo$correct <- sum(weight * (max.col(scores, "first") == part$classes))
  }
  path_errors(loo, targets, sample$rows, sum(weight))
}

# All rows, with their case weights to be used as they are, or some of them with the number of times
# that each was drawn.
loo_sample <- function(rows, case_weights) {
  if (rows <= calibration_rows) return(list(rows = seq_len(rows), counts = NULL))
  drawn <- row_sample(rows, calibration_rows, case_weights)
  counts <- if (!is.null(case_weights)) tabulate(match(drawn, unique(drawn))) + 0
  list(rows = unique(drawn), counts = counts)
}
