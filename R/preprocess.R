# From the user's data to a numeric matrix, and back again for new data. A numeric matrix takes a
# path without copies; data frames, formulas and recipes have a rule per column or variable.

# Text is sorted, numbers are written and contrasts are chosen the same way in every session.
plainly <- function(code) {
  plain <- list(
    contrasts = c(unordered = "contr.treatment", ordered = "contr.poly"), na.action = "na.omit",
    OutDec = ".", digits = 7L, scipen = 0L
  )
  # Newer versions of R warn of any mention of it.
  if (isTRUE(getOption("stringsAsFactors"))) plain$stringsAsFactors <- FALSE
  old <- suppressWarnings(options(plain))
  locales <- vapply(c(LC_COLLATE = "LC_COLLATE", LC_TIME = "LC_TIME"), Sys.getlocale, "")
  locales <- locales[locales != "C"]
  on.exit({
    suppressWarnings(options(old))
    for (category in names(locales)) Sys.setlocale(category, locales[[category]])
  })
  for (category in names(locales)) Sys.setlocale(category, "C")
  force(code)
}

mold_or_abort <- function(expr, arg, call) {
  tryCatch(expr, error = function(e) {
    if (inherits(e, "cawi_error")) stop(e)
    text <- conditionMessage(e)
    abort_argument(arg, "{.arg {arg}} does not fit {.arg data}: {text}", call)
  })
}

# Text becomes classes in the same order everywhere.
plain_response <- function(y) {
  if (is.data.frame(y)) {
    y[] <- lapply(y, plain_response)
    return(y)
  }
  if (is.object(y)) y <- plain_column(y)
  if (!is.character(y) || !is.null(dim(y)) || !all(validEnc(y))) return(y)
  y <- enc2utf8(y)
  factor(y, sort(unique(y), method = "radix"))
}

response_rows <- function(y, rows) {
  if (is.null(rows)) return(y)
  if (length(dim(y)) == 2L) y[rows, , drop = FALSE] else y[rows]
}

# Case weights are one per row of the data; `rows` are those that the matrix has.
weight_rows <- function(weights, count, rows, call) {
  weights <- check_weights(weights, count, call)
  if (is.null(rows)) weights else weights[rows]
}

# What mold() and forge() give where every row of the data is a row of the matrix.
with_rows <- function(molded, y, rows, count, weights = NULL) {
  list(x = molded$x, y = response_rows(y, rows), weights = weights, offset = molded$offset,
       ids = if (is.null(rows)) seq_len(count) else rows, preprocessor = molded$preprocessor)
}

check_shape <- function(rows, columns, arg, call) {
  if (rows == 0L || columns == 0L) {
    abort_argument(arg, "{.arg {arg}} must have rows and columns, not {rows} x {columns}.", call)
  }
}

mold_matrix <- function(x, na_action, weights, call) {
  x <- as_numeric_matrix(x, "x", call)
  check_shape(nrow(x), ncol(x), "x", call)
  fill <- if (na_action == "impute") apply(x, 2L, weighted_median, weights)
  # Names that repeat or lack say nothing: such columns go by position.
  names <- if (all_usable(colnames(x))) colnames(x)
  preprocessor <- list(kind = "matrix", names = names, columns = ncol(x), fill = fill, denormal = has_denormal(x))
  list(x = handle_missing(x, na_action, fill, "x", call), preprocessor = preprocessor)
}

all_usable <- function(names) !is.null(names) && all(usable_names(names))

# Rules and codes of training columns.
learn_columns <- function(columns, labels, na_action, weights, arg, call) {
  parts <- lapply(seq_along(columns), function(i) {
    rule <- learn_rule(columns[[i]], labels[i], arg, call)
    check_known_values(rule, columns[[i]], arg, call)
    codes <- column_codes(rule, columns[[i]], arg, call)
    check_no_holes(rule, codes, na_action, arg, call)
    if (na_action != "impute") return(list(rule = rule, codes = codes))
    rule <- with_fill(rule, codes, weights)
    list(rule = rule, codes = fill_codes(rule, codes, arg, call))
  })
  list(rules = lapply(parts, function(part) part$rule),
       codes = lapply(parts, function(part) part$codes))
}

# Codes of other columns by the rules of training.
read_columns <- function(rules, columns, na_action, arg, call) {
  lapply(seq_along(rules), function(i) {
    rule <- rules[[i]]
    column <- conform_column(rule, columns[[i]], na_action == "impute", arg, call)
    codes <- column_codes(rule, column, arg, call)
    check_no_holes(rule, codes, na_action, arg, call)
    if (na_action == "impute") fill_codes(rule, codes, arg, call) else codes
  })
}

columns_matrix <- function(rules, codes) do.call(cbind, Map(code_matrix, rules, codes))

mold_frame <- function(columns, names, na_action, weights, call) {
  # Columns without names of their own go by position, and are labelled by it.
  labels <- if (is.null(names)) rep(NA_character_, length(columns)) else names
  labels[is.na(labels) | !nzchar(labels)] <- paste0("x", which(is.na(labels) | !nzchar(labels)))
  learned <- learn_columns(columns, labels, na_action, weights, "x", call)
  x <- handle_missing(columns_matrix(learned$rules, learned$codes), na_action, NULL, "x", call)
  preprocessor <- list(kind = "frame", names = if (all_usable(names)) names,
                       rules = learned$rules, width = ncol(x))
  list(x = x, preprocessor = preprocessor)
}

# Applies the preprocessing of a fit to new data: `x` and `offset` have one row per row given, in
# order.
forge_new_data <- function(object, new_data, arg = "new_data", call = caller_env()) {
  preprocessor <- object$preprocessor
  na_action <- object$spec$na_action
  plainly(switch(preprocessor$kind,
    matrix = {
      x <- forge_matrix(preprocessor, new_data, arg, call)
      list(x = handle_missing(x, na_action, preprocessor$fill, arg, call), offset = NULL)
    },
    frame = list(x = forge_frame(preprocessor, new_data, na_action, arg, call), offset = NULL),
    formula = {
      data <- as_new_frame(new_data, arg, call)
      columns <- named_columns(data, names(preprocessor$columns), arg, call)
      forge_formula(preprocessor, columns, nrow(data), na_action, arg, call)
    },
    recipe = {
      data <- as_new_frame(new_data, arg, call)
      list(x = predict_recipe(preprocessor, data, na_action, arg, call), offset = NULL)
    }
  ))
}

forge_matrix <- function(preprocessor, new_data, arg, call) {
  if (is.data.frame(new_data)) check_even_frame(new_data, arg, call)
  x <- named_matrix(preprocessor, new_data, arg, call)
  if (!isTRUE(preprocessor$denormal) && has_denormal(x)) {
    place <- which(apply(x, 2L, has_denormal))[1L]
    abort_denormal(if (is.null(colnames(x))) paste(place) else colnames(x)[place], arg, call)
  }
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

# Extra columns of a data frame may be of any type; only the known ones are looked at.
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

matrix_frame <- function(x) {
  if (inherits(x, "integer64")) x <- read_integer64(x)
  columns <- lapply(seq_len(ncol(x)), function(j) as.vector(x[, j]))
  structure(stats::setNames(columns, colnames(x)), row.names = .set_row_names(nrow(x)),
            class = "data.frame")
}

# The columns of these names, plain, as a list.
named_columns <- function(data, names, arg, call) {
  check_columns_present(names, names(data), arg, call)
  columns <- lapply(match(names, names(data)), function(i) .subset2(data, i))
  plain_columns(stats::setNames(columns, names))
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

check_columns_present <- function(required, present, arg, call) {
  missing <- setdiff(required, present)
  if (length(missing) > 0L) {
    abort_argument(
      arg,
      paste("{.arg {arg}} lacks {cli::qty(length(missing))}column{?s} {.val {missing}} of the",
            "training data."),
      call
    )
  }
  twice <- intersect(required, present[duplicated(present)])
  if (length(twice) > 0L) {
    abort_argument(
      arg, "{.arg {arg}} has more than one column {.val {twice}}.", call
    )
  }
}

check_not_infinite <- function(x, arg, call) {
  if (any(is.infinite(x))) {
    columns <- paste(which(colSums(is.infinite(x)) > 0))
    if (!is.null(colnames(x))) columns <- colnames(x)[as.integer(columns)]
    message <- paste("{.arg {arg}} has infinite values in {cli::qty(length(columns))}column{?s}",
                     "{.val {columns}}.")
    abort_argument(arg, message, call)
  }
}

# "omit" leaves the holes where they are: the caller drops such rows, or predicts NA for them.
handle_missing <- function(x, na_action, fill, arg, call) {
  if (is.finite(sum(x))) return(x)
  if (na_action == "fail") {
    check_finite(x, arg, call)
    return(x)
  }
  check_not_infinite(x, arg, call)
  if (na_action == "omit" || !anyNA(x)) return(x)
  empty <- which(is.na(fill))
  if (length(empty) > 0L) {
    columns <- if (is.null(colnames(x))) paste(empty) else colnames(x)[empty]
    message <- paste("{.arg {arg}} has only missing values in",
                     "{cli::qty(length(columns))}column{?s} {.val {columns}}.")
    abort_argument(arg, message, call)
  }
  holes <- which(is.na(x), arr.ind = TRUE)
  x[holes] <- fill[holes[, 2L]]
  x
}
