# From the losses of the parts to one combination.

# Means over the parts. A single part has the standard error of its rows. All sums at once: to find
# the combinations takes longer than to add.
combine_parts <- function(table, parts, unit, metric) {
  sums <- function(...) unname(rowsum(cbind(...), parts$combination))
  total <- sums(1, parts$mean, parts$columns, parts$squared)
  count <- total[, 1L]
  mean <- total[, 2L] / count
  table$combination <- seq_len(nrow(table))
  table$columns <- as.integer(total[, 3L] / count)
  table$metric <- metric
  table$mean <- mean
  table$se <- if (max(count) == 1) {
    parts$se[order(parts$combination)]
  } else {
    gap <- sums((parts$mean - mean[parts$combination])^2)[, 1L] / count
    sqrt(pmax(gap, 0) * count / pmax(count - 1, 1)) / sqrt(count)
  }
  table$rmse <- sqrt(total[, 4L] / count) * unit
  table
}

# Best first by the metric, squared error, fewer columns, larger penalty.
choose_best <- function(results, metric, one_se, call) {
  loss <- if (metric$maximize) -results$mean else results$mean
  order <- order(loss, results$rmse, results$columns, -results$lambda)
  best <- order[1L]
  if (is.na(loss[best])) {
    abort_argument("grid", "No combination of {.arg grid} has a figure: all are NaN.", call)
  }
  if (!one_se || is.na(results$se[best])) return(best)
  near <- which(loss <= loss[best] + results$se[best])
  near[order(results$columns[near], -results$lambda[near], loss[near])][1L]
}

# Several numeric outputs have a penalty each: the combination, penalties apart, with the least mean
# of the outputs' least errors. NULL where there is one output, or where a function judges all
# outputs together.
output_penalties <- function(problem, parts) {
  columns <- grep("^output_", names(parts))
  if (length(columns) == 0L || !is.null(problem$metric$compute)) return(NULL)
  count <- as.vector(rowsum(rep(1, nrow(parts)), parts$combination))
  errors <- rowsum(as.matrix(parts[columns]), parts$combination) / count
  lambdas <- problem$grid$lambda
  groups <- split(seq_len(nrow(errors)), (seq_len(nrow(errors)) - 1L) %/% length(lambdas))
  least_of <- function(group) mean(apply(errors[group, , drop = FALSE], 2L, min))
  group <- groups[[which.min(vapply(groups, least_of, numeric(1)))]]
  own <- errors[group, , drop = FALSE]
  # The combination that is nearest: the one with the best common penalty.
  list(combination = group[last_least(rowMeans(own))],
       lambda = matrix(lambdas[apply(own, 2L, last_least)], 1L))
}

# The chosen combination as arguments that the model takes.
chosen_arguments <- function(problem, combination, lambda) {
  grid <- unclass(problem$grid)
  place <- arrayInd(combination, lengths(grid))
  values <- lapply(seq_along(grid), function(axis) grid[[axis]][[place[axis]]])
  values <- stats::setNames(values, names(grid))
  arguments <- utils::modifyList(problem$fixed, values, keep.null = TRUE)
  if (!is.null(lambda)) arguments$lambda <- lambda
  arguments
}

# The model of the choice, on all usable rows as they were molded for the search.
fit_chosen <- function(problem, chosen, run) {
  # A NULL that was chosen is a value: inputs = NULL is all features.
  arguments <- c(chosen, Filter(Negate(is.null), run[c("seed", "threads")]))
  given <- complete_arguments(problem$model, arguments, run$call)
  given["keep_data"] <- problem["keep_data"]
  spec <- new_spec(problem$model, given, run$call)
  data <- problem$data
  # The units of a response depend on the intercept, which may have been tried, too.
  if (spec$intercept != problem$intercept) {
    data$targets <- scaled_targets(data$targets, spec$intercept)
  }
  fit_usable(data, spec, given, run$call)
}
