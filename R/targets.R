# The response as the core takes it: classes or a numeric matrix, with case weights.
new_targets <- function(y, rows, weights = NULL, levels = NULL, arg = "y", call = caller_env()) {
  if (is.logical(y) && is.null(dim(y))) y <- factor(y, c(FALSE, TRUE))
  if (is.character(y) && is.null(dim(y))) y <- factor(y)
  if (is.data.frame(y) && ncol(y) == 1L) return(new_targets(y[[1L]], rows, weights, levels, arg, call))
  targets <- if (is.factor(y)) class_targets(y, levels, call, arg) else numeric_targets(y, call, arg)
  if (targets$rows != rows) {
    abort_argument(arg, "{.arg {arg}} must have one value a row of the features: {rows}, not {targets$rows}.", call)
  }
  targets$weights <- weights
  targets
}

class_targets <- function(y, levels, call, arg = "y") {
  if (anyNA(as.character(y))) abort_argument(arg, "{.arg {arg}} must not have missing values.", call)
  if (is.null(levels)) {
    levels <- levels(y)[levels(y) %in% y]
    if (length(levels) < 2L) {
      abort_argument(arg, "{.arg {arg}} must have at least two classes, not {length(levels)}.", call)
    }
  }
  list(classes = match(as.character(y), levels), values = NULL, outputs = length(levels),
       levels = levels, names = levels, rows = length(y), task = "classification")
}

numeric_targets <- function(y, call, arg = "y") {
  if (is.null(y)) abort_argument(arg, "{.arg {arg}} is missing.", call)
  y <- as_numeric_matrix(y, arg, call)
  if (ncol(y) == 0L) abort_argument(arg, "{.arg {arg}} must have a column.", call)
  check_finite(y, arg, call)
  list(classes = NULL, values = unname(y), outputs = ncol(y), levels = NULL, names = colnames(y),
       rows = nrow(y), task = "regression")
}

subset_targets <- function(targets, rows) {
  targets$rows <- length(rows)
  targets$classes <- targets$classes[rows]
  if (!is.null(targets$values)) targets$values <- targets$values[rows, , drop = FALSE]
  targets$weights <- targets$weights[rows]
  targets
}

# Y as a matrix, for small problems.
target_matrix <- function(targets) {
  if (is.null(targets$classes)) return(targets$values)
  y <- matrix(0, targets$rows, targets$outputs)
  y[cbind(seq_len(targets$rows), targets$classes)] <- 1
  y
}

check_weights <- function(weights, rows, call, arg = "weights") {
  if (is.null(weights)) return(NULL)
  ok <- is.numeric(weights) && length(weights) == rows && all(is.finite(weights)) &&
    all(weights >= 0) && any(weights > 0)
  if (!ok) {
    abort_argument(
      arg, "{.arg {arg}} must be one non-negative number a row of the features ({rows}), not all zero.",
      call
    )
  }
  as.double(weights)
}
