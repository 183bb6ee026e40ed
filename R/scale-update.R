# Rows of a source that a model learns or forgets: one pass, one solve.

# `sign` is -1 for rows to forget.
change_source <- function(object, rows, sign, run, new_classes = FALSE) {
  check_whole_source(rows$x, rows$args$x, run$call)
  asked <- list(case_weights = rows$case_weights,
                y = response_names(object, rows$y, rows$x, run$call))
  learner <- new_learner(without_readouts(object), asked, 1L, object$seed)
  learner$new_classes <- new_classes
  added <- source_statistics(learner, rows$x, NULL, run)
  if (sign < 0 && added$rows >= object$nobs) {
    message <- "{.arg forget_x} has {added$rows} rows, and the model has seen {object$nobs}."
    abort_argument("forget_x", message, run$call)
  }
  object <- add_classes(object, union(object$levels, added$levels))
  added <- with_levels(added, object$levels)
  object$readouts <- changed_sums(object$readouts, total_sums(added), sign)
  object$nobs <- object$nobs + sign * added$rows
  object["data"] <- list(NULL)
  object
}

# Sums of readouts after rows were learned (sign 1) or forgotten (sign -1).
changed_sums <- function(readouts, changes, sign) {
  Map(function(readout, change) {
    statistics <- as_gram(readout$statistics)
    statistics$loss <- added_loss(statistics, change)
    statistics$aa <- statistics$aa + sign * change$aa
    statistics$ay <- statistics$ay + sign * change$ay
    readout$statistics <- statistics
    readout
  }, readouts, changes)
}
