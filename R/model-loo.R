# Leave-one-out figures of a model: those of its scores, for an ensemble of the averaged ones.

# The rows whose leave-one-out scores are known: their scores, response and case weights; NULL where
# they were not computed. Where rows were drawn by their case weights, their counts stand for them.
left_out_rows <- function(readouts, targets) {
  parts <- lapply(readouts, function(readout) readout$loo$scores)
  if (any(vapply(parts, is.null, logical(1)))) return(NULL)
  loo <- readouts[[1L]]$loo
  rows <- loo$rows
  given <- if (is.null(loo$counts)) targets$case_weights[rows] else loo$counts
  list(
    scores = Reduce(`+`, parts) / length(parts), classes = targets$classes[rows],
    values = if (!is.null(targets$values)) targets$values[rows, , drop = FALSE], sd = targets$sd,
    case_weights = if (is.null(given)) rep(1, length(rows)) else given,
    sampled = length(rows) < targets$rows
  )
}

# Several outputs have a figure each, in their units, and one for all, in units of their standard
# deviations.
loo_summary <- function(left_out) {
  if (is.null(left_out)) return(NULL)
  scores <- left_out$scores
  weight <- left_out$case_weights
  sd <- left_out$sd
  note <- if (left_out$sampled) sprintf(" (on %d of the rows)", nrow(scores)) else ""
  if (!is.null(left_out$classes)) {
    accuracy <- sum(weight * (max.col(scores, "first") == left_out$classes)) / sum(weight)
    text <- sprintf("accuracy %.4f%s", accuracy, note)
    return(list(value = accuracy, name = "accuracy", text = text))
  }
  gap <- sweep(left_out$values - scores, 2L, sd, `/`)
  rmse <- sqrt(colSums(weight * gap^2) / sum(weight))
  list(value = if (length(rmse) == 1L) rmse * sd else sqrt(mean(rmse^2)), name = "rmse",
       outputs = rmse * sd,
       text = sprintf("RMSE %s%s", number_text(rmse * sd, 4), note))
}
