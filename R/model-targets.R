# The response as the core takes it: classes or a numeric matrix, with case weights. Numbers stay in
# their own units here; `center` and `sd` say in which ones the core works, so that neither the
# origin nor the unit of the response matters. An offset is taken from the numbers, and given back
# where they are shown.

# `data` has y and, where there are any, the case weights and the offset of its rows.
new_targets <- function(data, rows, call, levels = NULL, arg = "y") {
  y <- data$y
  if (is.data.frame(y) && ncol(y) == 1L) y <- y[[1L]]
  y <- typed_response(y, arg, call)
  check_response_rows(y, rows, arg, call)
  targets <- if (is.factor(y)) {
    class_targets(y, levels, call, arg)
  } else {
    numeric_targets(y, call, arg)
  }
  targets$case_weights <- data$case_weights
  if (!is.null(data$offset)) targets <- less_offset(targets, data$offset, call)
  targets
}

check_response_rows <- function(y, rows, arg, call) {
  if (NROW(y) == rows) return(invisible())
  message <- "{.arg {arg}} must have one value per row of the features: {rows}, not {NROW(y)}."
  abort_argument(arg, message, call)
}

# Text and TRUE/FALSE are classes; their order does not depend on the locale.
typed_response <- function(y, arg, call) {
  if (is.null(y)) abort_argument(arg, "{.arg {arg}} is missing.", call)
  if (is.factor(y)) return(y)
  if (is.null(dim(y)) && is.logical(y)) return(factor(y, c(FALSE, TRUE)))
  if (is.null(dim(y)) && is.character(y)) {
    return(factor(enc2utf8(as.vector(y)), text_levels(y, arg, arg, call)))
  }
  if (inherits(y, "formula")) {
    message <- "{.arg {arg}} is a formula; with one the call is {.code cawi_rvfl(formula, data)}."
    abort_argument(arg, message, call)
  }
  # A class gives numbers a meaning of its own: survival times, days, amounts of time.
  plain <- c("integer64", "AsIs", "ts", "table", "noquote")
  known <- is.data.frame(y) || !is.object(y) || inherits(y, plain)
  if (!known || !(is.data.frame(y) || is_numeric_or_logical(y))) {
    message <- paste("{.arg {arg}} must be numbers or classes (factor, character, logical),",
                     "not {.obj_type_friendly {y}}.")
    either <- is.object(y) && is.numeric(unclass(y))
    hint <- if (either) "{.fn as.numeric} or {.fn factor} says which."
    abort_argument(arg, c(message, i = hint), call)
  }
  y
}

class_targets <- function(y, levels, call, arg = "y") {
  if (anyNA(as.character(y))) {
    abort_argument(arg, "{.arg {arg}} must not have missing values.", call)
  }
  all <- levels(y)
  if (is.null(levels)) {
    levels <- all[tabulate(y, length(all)) > 0L]
    if (length(levels) < 2L) {
      abort_argument(
        arg, "{.arg {arg}} must have at least two classes, not {length(levels)}.", call
      )
    }
  }
  check_indicators(length(levels), length(y), call, arg)
  list(classes = match(as.character(y), levels), values = NULL, outputs = length(levels),
       levels = levels, names = levels, rows = length(y), task = "classification",
       outcome = list(levels = all, ordered = is.ordered(y)))
}

numeric_targets <- function(y, call, arg = "y") {
  y <- as_numeric_matrix(y, arg, call)
  if (ncol(y) == 0L) abort_argument(arg, "{.arg {arg}} must have a column.", call)
  check_finite(y, arg, call)
  list(classes = NULL, values = unname(y), outputs = ncol(y), levels = NULL,
       names = output_names(y), rows = nrow(y), task = "regression", center = numeric(ncol(y)),
       sd = rep(1, ncol(y)))
}

# Several outputs always have names; a single one may have none.
output_names <- function(y) {
  names <- colnames(y)
  if (all_usable(names)) return(names)
  if (ncol(y) > 1L) paste0("y", seq_len(ncol(y)))
}

less_offset <- function(targets, offset, call) {
  if (targets$task != "regression" || targets$outputs > 1L) {
    message <- "An offset needs one numeric response; {.fn offset} is not for classes."
    abort_argument("offset", message, call)
  }
  targets$values <- targets$values - offset
  targets$offset <- offset
  check_finite(targets$values, "offset", call)
  targets
}

# The units that the core works in. Without an intercept zero must stay zero.
scaled_targets <- function(targets, intercept) {
  if (targets$task != "regression") return(targets)
  moments <- column_moments_cpp(targets$values, targets$case_weights, 1L)
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

row_weights <- function(targets) {
  if (is.null(targets$case_weights)) rep(1, targets$rows) else targets$case_weights
}

total_weight <- function(targets) {
  if (is.null(targets$case_weights)) targets$rows else sum(targets$case_weights)
}

subset_targets <- function(targets, rows) {
  targets$rows <- length(rows)
  targets$classes <- targets$classes[rows]
  if (!is.null(targets$values)) targets$values <- targets$values[rows, , drop = FALSE]
  targets$case_weights <- targets$case_weights[rows]
  targets$offset <- targets$offset[rows]
  targets$groups <- NULL
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

# Rows of an input (NULL: all) that a model can learn from, as a matrix and targets in the units of
# the core. Rows without weight are out; so are rows with a missing value, also of the response,
# under na_action = "omit".
usable_data <- function(input, na_action, intercept, call, rows = NULL) {
  molded <- input$mold(na_action, rows)
  if (is.null(rows)) molded$preprocessor$seen <- seen_data(input, na_action)
  kept <- usable_rows(molded, na_action, call)
  # A response of another length stays whole: its rows cannot be told, and new_targets() refuses it.
  rows <- nrow(molded$x)
  if (length(kept) < rows && NROW(molded$y) == rows) molded <- subset_molded(molded, kept)
  check_two_weights(molded$case_weights, call)
  check_two_rows(molded$x, "x", call)
  targets <- scaled_targets(new_targets(molded, nrow(molded$x), call), intercept)
  list(x = molded$x, targets = targets, preprocessor = molded$preprocessor, ids = molded$ids)
}

# What the data were like before rows were left out and holes filled: their rows, and the missing
# values of the columns that have some.
seen_data <- function(input, na_action) {
  missing <- if (na_action != "fail" && is.function(input$missing)) input$missing()
  list(rows = input$rows, missing = missing[missing > 0L])
}

usable_rows <- function(molded, na_action, call) {
  usable <- learnable_rows(molded, na_action)
  if (length(usable) == 0L) {
    weighted <- !is.null(molded$case_weights)
    text <- if (weighted) "has no complete row with positive weight" else "has no complete row"
    abort_argument("x", "{.arg x} {text}.", call)
  }
  usable
}

learnable_rows <- function(molded, na_action) {
  rows <- nrow(molded$x)
  usable <- if (all_finite(molded$x)) rep(TRUE, rows) else !incomplete_rows(molded$x)
  if (na_action == "omit") usable <- usable & !missing_response(molded$y, rows, molded$offset)
  if (!is.null(molded$case_weights)) usable <- usable & molded$case_weights > 0
  which(usable)
}

# A response of another length, or a formal object, is for new_targets() to refuse.
missing_response <- function(y, rows, offset) {
  lacks <- if (isS4(y) || NROW(y) != rows) {
    rep(FALSE, rows)
  } else if (length(dim(y)) < 2L) {
    as.vector(is.na(y))
  } else {
    rowSums(is.na(y)) > 0
  }
  if (is.null(offset)) lacks else lacks | is.na(offset)
}

subset_molded <- function(molded, rows) {
  molded$x <- molded$x[rows, , drop = FALSE]
  molded$y <- response_rows(molded$y, rows)
  molded$case_weights <- molded$case_weights[rows]
  molded$offset <- molded$offset[rows]
  molded$ids <- molded$ids[rows]
  molded
}

# Errors are computed in standard deviations of the response. A single one is shown in its own
# units; several have no unit in common.
error_unit <- function(targets) {
  if (targets$task == "regression" && targets$outputs == 1L) targets$sd else 1
}
