# standardize = "ranks": each feature becomes its rank among the training rows, between zero and one,
# before it is centered and divided by its standard deviation. What a feature's values are in units
# of their own no longer matters, and no row is far from all others.

# Values of a feature at which its ranks are kept; between them they are straight lines.
most_knots <- 500L

# One list of values and of their mean ranks per feature; ties share one, and a row with case weight
# two counts twice.
rank_scales <- function(x, case_weights) {
  weights <- if (is.null(case_weights)) rep(1, nrow(x)) else case_weights
  lapply(seq_len(ncol(x)), function(j) rank_scale(x[, j], weights))
}

rank_scale <- function(values, weights) {
  order <- order(values)
  sorted <- values[order]
  last <- c(sorted[-1L] != sorted[-length(sorted)], TRUE)
  below <- cumsum(weights[order])[last]
  total <- below[length(below)]
  known <- sorted[last]
  levels <- (below + c(0, below[-length(below)])) / 2 / total
  # Rows without a case weight are ranked by those that have one.
  kept <- c(TRUE, diff(levels) > 0)
  place <- which(kept)
  if (length(place) > most_knots) {
    wanted <- (seq_len(most_knots) - 0.5) / most_knots
    place <- unique(c(place[1L], place[findInterval(wanted, levels[place], all.inside = TRUE)],
                      place[length(place)]))
  }
  list(values = known[place], levels = levels[place])
}

# What a network knows of ranks fits its features.
sound_ranks <- function(ranks, inputs) {
  if (is.null(ranks)) return(TRUE)
  is.list(ranks) && length(ranks) == inputs && all(vapply(ranks, function(scale) {
    is_finite_vector(scale$values) && is_finite_vector(scale$levels, length(scale$values)) &&
      length(scale$values) > 0L && !is.unsorted(scale$values, strictly = TRUE) &&
      !is.unsorted(scale$levels, strictly = TRUE) && min(scale$levels) >= 0 &&
      max(scale$levels) <= 1
  }, logical(1)))
}

check_standardize <- function(standardize, call = caller_env()) {
  if (identical(standardize, "ranks")) return(standardize)
  if (is.character(standardize)) {
    message <- "{.arg standardize} must be TRUE, FALSE or {.val ranks}, not {shown(standardize)}."
    abort_argument("standardize", message, call)
  }
  check_flag(standardize, "standardize", call)
}
