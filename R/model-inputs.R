# The data of a call as an input: a table of features with its response.
#   rows, columns, y   rows of the data, names of the features, response of the rows (with holes)
#   case_weights       one per row, or NULL
#   intercept          FALSE where a formula takes it away, else NA
#   mold(na_action, rows)
#                      learns the preprocessing from these rows (NULL: all): x, y, case weights and
#                      offset of the rows of the matrix, ids (the row of the data that each came
#                      from), and the preprocessor
#   forge(preprocessor, na_action, rows)
#                      the same for other rows, through that preprocessing
# So nothing is learned from rows that are held out.

# `frame` is the call of a function with the arguments x, y, formula, data and case_weights. Case
# weights may be a column of the data, as in lm().
called_input <- function(frame) {
  piped <- !is_missing("formula", frame) && !is_missing("x", frame) && is.data.frame(frame$x) &&
    is_missing("y", frame) && is_missing("data", frame)
  # data |> cawi_rvfl(formula = y ~ .)
  x <- if (piped) frame$formula else called_once(frame, "x", "formula")
  y <- if (piped) frame$x else called_once(frame, "y", "data")
  if (is.null(x)) abort_argument("x", "{.arg x} is missing.", frame)
  if (!is_missing("formula", frame) && !inherits(x, "formula")) {
    abort_argument(
      "formula", "{.arg formula} must be a formula, not {.obj_type_friendly {x}}.", frame
    )
  }
  quosure <- eval(quote(rlang::enquo(case_weights)), frame)
  new_input(x, y, function(columns) masked_value(quosure, columns, frame), frame)
}

# An argument that has two names.
called_once <- function(frame, name, other) {
  if (is_missing(other, frame)) return(if (!is_missing(name, frame)) frame[[name]])
  if (!is_missing(name, frame)) {
    message <- "{.arg {other}} is another name of {.arg {name}}: give one of them."
    hint <- "With {.arg formula} or {.arg data} by name, all other arguments have to be named."
    abort_argument(other, c(message, i = hint), frame)
  }
  frame[[other]]
}

# The value of an expression that may name columns.
masked_value <- function(quosure, columns, call, arg = "case_weights") {
  expression <- rlang::quo_get_expr(quosure)
  # A value that is no code needs no place to be looked up in.
  if (!is.language(expression)) return(expression)
  tryCatch(eval(expression, columns, rlang::quo_get_env(quosure)), error = function(e) {
    text <- conditionMessage(e)
    abort_argument(arg, "{.arg {arg}} cannot be found: {text}", call)
  })
}

# The kind of input by the class of x; for a formula or a recipe y is the data. `weigh` gives the
# case weights from the columns of the data.
new_input <- function(x, y, weigh, call) {
  if (is_sparse(x)) x <- sparse_rows(x, "x", call)
  if (inherits(x, c("formula", "recipe"))) {
    check_data(y, call)
    columns <- if (inherits(x, "formula")) as.list(y)[usable_names(names(y))] else list()
    case_weights <- check_case_weights(weigh(columns), nrow(y), call)
    if (inherits(x, "formula")) return(formula_input(x, y, case_weights, call))
    return(recipe_input(x, y, case_weights, call))
  }
  if (!is.data.frame(x) && !is.matrix(x) && !is_sparse_rows(x)) abort_input(x, call)
  if (is.null(y)) abort_argument("y", "{.arg y} is missing.", call)
  case_weights <- check_case_weights(weigh(list()), nrow(x), call)
  if (is.data.frame(x)) return(frame_input(x, y, case_weights, call))
  matrix_input(x, y, case_weights, call)
}

abort_input <- function(x, call) {
  hint <- if (is.numeric(x) && is.null(dim(x))) "{.code cbind(x)} is a matrix with one feature."
  if (inherits(x, "Matrix")) hint <- "{.fn as.matrix} makes it a matrix."
  message <- paste("{.arg x} must be a formula, data frame, numeric matrix, sparse matrix or",
                   "recipe, not {.obj_type_friendly {x}}.")
  abort_argument("x", c(message, i = hint), call)
}

check_data <- function(data, call) {
  if (is.null(data)) abort_argument("data", "{.arg data} is missing.", call)
  if (!is.data.frame(data)) {
    abort_argument(
      "data", "{.arg data} must be a data frame, not {.obj_type_friendly {data}}.", call
    )
  }
  if (nrow(data) == 0L) abort_argument("data", "{.arg data} must have rows.", call)
  check_even_frame(data, "data", call)
}

matrix_input <- function(x, y, case_weights, call) {
  # Rows that are taken from a 64-bit integer would lose its class.
  if (inherits(x, "integer64")) x <- read_integer64(x)
  pick <- function(rows) if (is.null(rows)) x else x[rows, , drop = FALSE]
  input <- list(y = plain_response(y), rows = nrow(x), columns = colnames(x), intercept = NA,
                case_weights = case_weights)
  input$missing <- function() {
    names <- colnames(x) %||% paste0("x", seq_len(ncol(x)))
    if (is_sparse(x)) x <- sparse_rows(x, "x", call)
    if (all_finite(x)) integer() else stats::setNames(missing_counts(x), names)
  }
  input$mold <- function(na_action, rows = NULL) {
    molded <- mold_matrix(pick(rows), na_action, some_of_rows(case_weights, rows), call)
    with_rows(molded, input, rows)
  }
  input$forge <- function(preprocessor, na_action, rows) {
    part <- as_feature_rows(pick(rows), call)
    with_rows(list(x = handle_missing(part, na_action, preprocessor$fill, "x", call)), input, rows)
  }
  input
}

as_feature_rows <- function(x, call) if (is_sparse_rows(x)) x else as_numeric_matrix(x, "x", call)

mold_matrix <- function(x, na_action, case_weights, call) {
  x <- as_feature_rows(x, call)
  check_shape(nrow(x), ncol(x), "x", call)
  fill <- if (na_action == "impute") {
    if (is_sparse_rows(x)) {
      sparse_medians(x, case_weights)
    } else {
      apply(x, 2L, weighted_median, case_weights)
    }
  }
  # Names that repeat or lack say nothing: such columns go by position.
  names <- if (all_usable(colnames(x))) colnames(x)
  preprocessor <- list(kind = "matrix", names = names, columns = ncol(x), fill = fill,
                       denormal = has_denormal(x))
  list(x = handle_missing(x, na_action, fill, "x", call), preprocessor = preprocessor)
}

frame_input <- function(x, y, case_weights, call) {
  check_shape(nrow(x), length(x), "x", call)
  check_even_frame(x, "x", call)
  is_plain <- function(column) is.numeric(column) && is.null(dim(column)) && !isS4(column)
  plain <- vapply(seq_along(x), function(i) is_plain(.subset2(x, i)), logical(1))
  if (all(plain)) return(matrix_input(as_numeric_matrix(x, "x", call), y, case_weights, call))
  columns <- plain_columns(x)
  input <- list(y = plain_response(y), rows = nrow(x), columns = names(x), intercept = NA,
                case_weights = case_weights)
  input$missing <- function() missing_values(columns)
  input$mold <- function(na_action, rows = NULL) {
    kept <- some_of_rows(case_weights, rows)
    molded <- plainly(mold_frame(column_rows(columns, rows), names(x), na_action, kept, call))
    with_rows(molded, input, rows)
  }
  input$forge <- function(preprocessor, na_action, rows) {
    part <- column_rows(columns, rows)
    forged <- plainly(forge_columns(preprocessor, part, na_action, "x", call))
    with_rows(list(x = forged), input, rows)
  }
  input
}

mold_frame <- function(columns, names, na_action, case_weights, call) {
  # Columns without names of their own go by position, and are labeled by it.
  labels <- if (is.null(names)) rep(NA_character_, length(columns)) else names
  unnamed <- is.na(labels) | !nzchar(labels)
  labels[unnamed] <- paste0("x", which(unnamed))
  learned <- learn_columns(columns, labels, na_action, case_weights, "x", call)
  x <- handle_missing(columns_matrix(learned$rules, learned$codes), na_action, NULL, "x", call)
  preprocessor <- list(kind = "frame", names = if (all_usable(names)) names,
                       rules = learned$rules, width = ncol(x))
  list(x = x, preprocessor = preprocessor)
}

check_shape <- function(rows, columns, arg, call) {
  if (rows == 0L || columns == 0L) {
    abort_argument(arg, "{.arg {arg}} must have rows and columns, not {rows} x {columns}.", call)
  }
}
