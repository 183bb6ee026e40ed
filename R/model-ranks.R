# standardize = "ranks": each feature becomes its rank among the training rows, between zero and
# one, before it is centered and divided by its standard deviation. What a feature's values are in
# units of their own no longer matters, and no row is far from all others.

# Values of a feature at which its ranks are kept, beside those of many ties; between them they are
# straight lines.
most_knots <- 500L

# One list of values and of their mean ranks per feature; ties share one, and a row with case weight
# two counts twice.
rank_scales <- function(x, case_weights) {
  if (is.null(case_weights)) case_weights <- rep(1, nrow(x))
  if (is_sparse_rows(x)) return(sparse_rank_scales(x, case_weights))
  lapply(seq_len(ncol(x)), function(j) rank_scale(x[, j], case_weights))
}

rank_scale <- function(values, case_weights) {
  order <- order(values)
  sorted <- values[order]
  last <- c(sorted[-1L] != sorted[-length(sorted)], TRUE)
  below <- cumsum(case_weights[order])[last]
  total <- below[length(below)]
  known <- sorted[last]
  levels <- (below + c(0, below[-length(below)])) / 2 / total
  # Rows whose case weight is nothing beside the sum of all are ranked by the others.
  kept <- c(TRUE, diff(levels) > 0)
  place <- which(kept)
  place <- place[knots(levels[place])]
  list(values = known[place], levels = levels[place])
}

# Numbers of the levels that are kept: the ends, even steps between them, and both sides of a step
# that many ties make, so that no line rounds it off.
knots <- function(levels) {
  count <- length(levels)
  if (count <= most_knots) return(seq_len(count))
  even <- findInterval((seq_len(most_knots) - 0.5) / most_knots, levels, all.inside = TRUE)
  steps <- which(diff(levels) > 1 / most_knots)
  sort(unique(c(1L, even, steps, steps + 1L, count)))
}

# What a network knows of ranks fits its features.
sound_ranks <- function(ranks, inputs) {
  is.list(ranks) && length(ranks) == inputs && all(vapply(ranks, function(scale) {
    is_finite_vector(scale$values) && is_finite_vector(scale$levels, length(scale$values)) &&
      length(scale$values) > 0L && !is.unsorted(scale$values, strictly = TRUE) &&
      !is.unsorted(scale$levels, strictly = TRUE) && min(scale$levels) >= 0 &&
      max(scale$levels) <= 1
  }, logical(1)))
}
