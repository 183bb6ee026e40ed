# Area under the ROC curve: the probability that a row of a class has a higher probability of it
# than a row of another class, ties counting half. With more than two classes it is the mean over
# pairs of classes of Hand and Till (2001).

# `prob` has one column per level of the truth. NA where there are no two classes.
area_under_curve <- function(truth, prob, weight) {
  classes <- which(tabulate(truth, nlevels(truth)) > 0L)
  if (length(classes) < 2L) return(NA_real_)
  pairs <- utils::combn(classes, 2L)
  areas <- apply(pairs, 2L, function(pair) {
    rows <- which(as.integer(truth) %in% pair)
    own <- as.integer(truth)[rows]
    one_sided <- function(k) rank_area(prob[rows, k], own == k, weight[rows])
    # The two probabilities of two classes have opposite orders.
    if (nlevels(truth) == 2L) return(one_sided(pair[2L]))
    (one_sided(pair[1L]) + one_sided(pair[2L])) / 2
  })
  mean(areas)
}

# Over all pairs of a row that is positive and one that is not, by the products of their weights.
rank_area <- function(score, positive, weight) {
  value <- match(score, sort(unique(score)))
  totals <- rowsum(cbind(weight * positive, weight * !positive), value)
  below <- cumsum(totals[, 2L]) - totals[, 2L]
  sum(totals[, 1L] * (below + totals[, 2L] / 2)) / prod(colSums(totals))
}
