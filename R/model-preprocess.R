# New data through the preprocessing of a fit. A numeric matrix is used as it is, without a copy;
# data frames, formulas and recipes have one rule per column or variable.

# Applies the preprocessing of a fit to new data: `x` and `offset` have one row per row given, in
# order.
forge_new_data <- function(object, new_data, arg = "new_data", call = caller_env()) {
  preprocessor <- object$preprocessor
  na_action <- object$spec$na_action
  forged <- if (preprocessor$kind == "matrix") {
    x <- forge_matrix(preprocessor, new_data, arg, call)
    list(x = handle_missing(x, na_action, preprocessor$fill, arg, call), offset = NULL)
  } else {
    if (is_sparse(new_data)) new_data <- dense_new_data(new_data, arg, call)
    plainly(forge_encoded(preprocessor, new_data, na_action, arg, call))
  }
  # Rules that were edited may give other columns than the network reads, or another order of them.
  encoded <- preprocessor$kind != "matrix"
  expected <- if (encoded) preprocessor$width else preprocessor$columns
  named <- !encoded || nrow(forged$x) == 0L || is.null(object$feature_names) ||
    identical(colnames(forged$x), object$feature_names)
  if (!named || !identical(ncol(forged$x), as.integer(expected))) {
    abort_damaged("object", "its encoding does not fit its layers", object, call)
  }
  forged
}

# Data whose columns have rules, by the preprocessing of a fit.
forge_encoded <- function(preprocessor, new_data, na_action, arg, call) {
  switch(preprocessor$kind,
    frame = list(x = forge_frame(preprocessor, new_data, na_action, arg, call), offset = NULL),
    formula = {
      data <- as_new_frame(new_data, arg, call)
      columns <- named_columns(data, names(preprocessor$columns), arg, call)
      forge_formula(preprocessor, columns, nrow(data), na_action, arg, call)
    },
    recipe = {
      data <- as_new_frame(new_data, arg, call)
      list(x = predict_recipe(preprocessor, data, na_action, arg, call), offset = NULL)
    },
    hardhat = {
      data <- as_new_frame(new_data, arg, call)
      list(x = forge_hardhat(preprocessor, data, na_action, arg, call), offset = NULL)
    }
  )
}

forge_matrix <- function(preprocessor, new_data, arg, call) {
  x <- if (is_sparse(new_data)) {
    forge_sparse(preprocessor, new_data, arg, call)
  } else {
    bare_matrix(preprocessor$names, new_data)
  }
  if (is.null(x)) {
    if (is.data.frame(new_data)) check_even_frame(new_data, arg, call)
    x <- named_matrix(preprocessor, new_data, arg, call)
  }
  if (!isTRUE(preprocessor$denormal) && has_denormal(x)) {
    place <- columns_with(x, is_denormal)[1L]
    abort_denormal(if (is.null(colnames(x))) paste(place) else colnames(x)[place], arg, call)
  }
  x
}

# Columns of a data frame that are plain doubles under distinct names, which need no looking at one
# by one; NULL for any others.
bare_matrix <- function(names, new_data) {
  if (!is.data.frame(new_data) || is.null(names)) return(NULL)
  at <- match(names, names(new_data))
  if (anyNA(at) || anyDuplicated(names(new_data)) > 0L) return(NULL)
  columns <- unclass(new_data)
  rows <- length(attr(columns, "row.names"))
  if (!all(vapply(columns[-at], NROW, 0L) == rows)) return(NULL)
  x <- bare_matrix_cpp(columns[at], rows)
  if (!is.null(x)) colnames(x) <- names
  x
}

named_matrix <- function(preprocessor, new_data, arg, call) {
  x <- if (is.null(dim(new_data)) && is.numeric(new_data) && preprocessor$columns > 1L) {
    if (inherits(new_data, "integer64")) new_data <- read_integer64(new_data)
    matrix(new_data, nrow = 1L, dimnames = list(NULL, names(new_data)))
  } else {
    as_numeric_matrix(select_named(new_data, preprocessor$names, arg, call), arg, call)
  }
  if (!is.null(preprocessor$names) && !is.null(colnames(x))) {
    in_place <- identical(colnames(x), preprocessor$names) && anyDuplicated(colnames(x)) == 0L
    if (in_place) return(x)
    check_columns_present(preprocessor$names, colnames(x), arg, call)
    return(x[, preprocessor$names, drop = FALSE])
  }
  if (ncol(x) != preprocessor$columns) {
    abort_argument(
      arg, "{.arg {arg}} must have {preprocessor$columns} columns, not {ncol(x)}.", call
    )
  }
  x
}

# Further columns of a data frame may be of any type: only the known ones are read.
select_named <- function(new_data, names, arg, call) {
  known <- is.data.frame(new_data) && !is.null(names) && all(names %in% names(new_data))
  if (!known) return(new_data)
  check_columns_present(names, names(new_data), arg, call)
  columns <- lapply(names, function(name) .subset2(new_data, match(name, names(new_data))))
  structure(stats::setNames(columns, names), row.names = attr(new_data, "row.names"),
            class = "data.frame")
}

as_new_frame <- function(new_data, arg, call) {
  if (is.matrix(new_data) && !is.null(colnames(new_data))) new_data <- matrix_frame(new_data)
  if (!is.data.frame(new_data)) {
    abort_argument(
      arg, "{.arg {arg}} must be a data frame, not {.obj_type_friendly {new_data}}.", call
    )
  }
  check_even_frame(new_data, arg, call)
  new_data
}

forge_frame <- function(preprocessor, new_data, na_action, arg, call) {
  if (is.null(preprocessor$names) && is.matrix(new_data)) new_data <- matrix_frame(new_data)
  new_data <- as_new_frame(new_data, arg, call)
  count <- length(preprocessor$rules)
  columns <- if (!is.null(preprocessor$names)) {
    named_columns(new_data, preprocessor$names, arg, call)
  } else if (length(new_data) == count) {
    plain_columns(new_data)
  } else {
    abort_argument(arg, "{.arg {arg}} must have {count} columns, not {length(new_data)}.", call)
  }
  forge_columns(preprocessor, columns, na_action, arg, call)
}

forge_columns <- function(preprocessor, columns, na_action, arg, call) {
  codes <- read_columns(preprocessor$rules, columns, na_action, arg, call)
  handle_missing(columns_matrix(preprocessor$rules, codes), na_action, NULL, arg, call)
}
