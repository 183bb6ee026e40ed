# The response as the core takes it: classes or a numeric matrix, with case weights. Numbers stay in their own units
# here; `center` and `sd` say in which ones the core works, so that neither the origin nor the unit of the response
# matters. An offset is taken from the numbers, and given back where they are shown.
new_targets <- function(y, rows, weights = NULL, levels = NULL, arg = "y", call = caller_env(), offset = NULL) {
  if (is.data.frame(y) && ncol(y) == 1L) y <- y[[1L]]
  y <- typed_response(y, arg, call)
  if (NROW(y) != rows) {
    abort_argument(arg, "{.arg {arg}} must have one value per row of the features: {rows}, not {NROW(y)}.", call)
  }
  targets <- if (is.factor(y)) class_targets(y, levels, call, arg) else numeric_targets(y, call, arg)
  targets$weights <- weights
  if (!is.null(offset)) targets <- less_offset(targets, offset, call)
  targets
}

# Text and TRUE/FALSE are classes; their order does not depend on the locale.
typed_response <- function(y, arg, call) {
  if (is.null(y)) abort_argument(arg, "{.arg {arg}} is missing.", call)
  if (is.factor(y)) return(y)
  if (is.null(dim(y)) && is.logical(y)) return(factor(y, c(FALSE, TRUE)))
  if (is.null(dim(y)) && is.character(y)) return(factor(enc2utf8(as.vector(y)), text_levels(y, arg, arg, call)))
  if (inherits(y, "formula")) {
    abort_argument(arg, "{.arg {arg}} is a formula; with one the call is {.code cawi_rvfl(formula, data)}.", call)
  }
  # A class gives numbers a meaning of its own: survival times, days, amounts of time.
  known <- is.data.frame(y) || !is.object(y) || inherits(y, c("integer64", "AsIs", "ts", "table", "noquote"))
  if (!known || !(is.data.frame(y) || is_numeric_or_logical(y))) {
    abort_argument(
      arg,
      c("{.arg {arg}} must be numbers or classes (factor, character, logical), not {.obj_type_friendly {y}}.",
        i = if (is.object(y) && is.numeric(unclass(y))) "{.fn as.numeric} or {.fn factor} says which."), call
    )
  }
  y
}

class_targets <- function(y, levels, call, arg = "y") {
  if (anyNA(as.character(y))) abort_argument(arg, "{.arg {arg}} must not have missing values.", call)
  all <- levels(y)
  if (is.null(levels)) {
    levels <- all[tabulate(y, length(all)) > 0L]
    if (length(levels) < 2L) {
      abort_argument(arg, "{.arg {arg}} must have at least two classes, not {length(levels)}.", call)
    }
  }
  check_class_count(length(levels), length(y), arg, call)
  list(classes = match(as.character(y), levels), values = NULL, outputs = length(levels),
       levels = levels, names = levels, rows = length(y), task = "classification",
       outcome = list(levels = all, ordered = is.ordered(y)))
}

# The scores of all rows for all classes must fit into memory; so many classes are most likely names of the rows.
check_class_count <- function(classes, rows, arg, call) {
  if (classes <= 1000 || as.double(classes) * rows <= 2e8) return(invisible())
  size <- bytes_text(8 * as.double(classes) * rows)
  abort_argument(
    arg,
    c("{.arg {arg}} has {classes} classes in {rows} rows; their scores alone would need {size}.",
      i = "Is it a name of the rows, or a number that was read as text?"), call
  )
}

numeric_targets <- function(y, call, arg = "y") {
  y <- as_numeric_matrix(y, arg, call)
  if (ncol(y) == 0L) abort_argument(arg, "{.arg {arg}} must have a column.", call)
  check_finite(y, arg, call)
  names <- colnames(y)
  if (!is.null(names) && (anyNA(names) || !all(nzchar(names)) || anyDuplicated(names))) names <- NULL
  list(classes = NULL, values = unname(y), outputs = ncol(y), levels = NULL, names = names,
       rows = nrow(y), task = "regression", center = numeric(ncol(y)), sd = rep(1, ncol(y)))
}

less_offset <- function(targets, offset, call) {
  if (targets$task != "regression" || targets$outputs > 1L) {
    abort_argument("offset", "An offset needs one numeric response; {.fn offset} is not for classes.", call)
  }
  targets$values <- targets$values - offset
  targets$offset <- offset
  check_finite(targets$values, "offset", call)
  targets
}

# The units that the core works in. Without an intercept zero must stay zero.
scaled_targets <- function(targets, intercept) {
  if (targets$task != "regression") return(targets)
  moments <- column_moments_cpp(targets$values, targets$weights, 1L)
  if (intercept) {
    targets$center <- moments$mean
    targets$sd <- ifelse(moments$sd > 0, moments$sd, 1)
    return(targets)
  }
  largest <- pmax(apply(abs(targets$values), 2L, max), 0)
  largest[largest == 0] <- 1
  weight <- row_weights(targets)
  share <- colSums(weight * sweep(targets$values, 2L, largest, `/`)^2) / sum(weight)
  targets$sd <- largest * sqrt(share)
  targets$sd[targets$sd == 0] <- 1
  targets
}

# Scores and coefficients of the core in the units of the response.
as_response <- function(scores, targets) {
  if (is.null(targets$sd)) return(scores)
  sweep(sweep(scores, 2L, targets$sd, `*`), 2L, targets$center, `+`)
}

row_weights <- function(targets) if (is.null(targets$weights)) rep(1, targets$rows) else targets$weights

total_weight <- function(targets) if (is.null(targets$weights)) targets$rows else sum(targets$weights)

subset_targets <- function(targets, rows) {
  targets$rows <- length(rows)
  targets$classes <- targets$classes[rows]
  if (!is.null(targets$values)) targets$values <- targets$values[rows, , drop = FALSE]
  targets$weights <- targets$weights[rows]
  targets$offset <- targets$offset[rows]
  targets
}

# Y as a matrix in the units of the core, for small problems.
target_matrix <- function(targets) {
  if (is.null(targets$classes)) {
    return(sweep(sweep(targets$values, 2L, targets$center, `-`), 2L, targets$sd, `/`))
  }
  y <- matrix(0, targets$rows, targets$outputs)
  y[cbind(seq_len(targets$rows), targets$classes)] <- 1
  y
}

# The response as the user knows it.
truth_values <- function(targets) {
  if (!is.null(targets$classes)) return(factor(targets$levels[targets$classes], targets$levels))
  values <- targets$values
  if (!is.null(targets$offset)) values <- values + targets$offset
  if (targets$outputs == 1L) values[, 1L] else values
}

check_weights <- function(weights, rows, call, arg = "weights") {
  if (is.null(weights)) return(NULL)
  # hardhat's classes of case weights are numbers.
  if (inherits(weights, "hardhat_case_weights")) weights <- as.double(weights)
  weights <- plain_number(weights)
  ok <- is.numeric(weights) && length(weights) == rows && all(is.finite(weights)) &&
    all(weights >= 0) && any(weights > 0)
  if (!ok) {
    abort_argument(
      arg, "{.arg {arg}} must be one non-negative number per row of the features ({rows}), not all zero.",
      call
    )
  }
  weights <- as.double(weights)
  if (!is.finite(sum(weights))) {
    abort_argument(arg, "The sum of {.arg {arg}} is beyond the range of numbers.", call)
  }
  weights
}
