# From the user's data to a numeric matrix and back again for new data. A numeric matrix takes a path
# without copies; data frames, formulas and recipes go through hardhat, then through an encoder that
# turns factors, characters and logicals into indicator columns.

mold_matrix <- function(x, na_action, call) {
  x <- as_numeric_matrix(x, "x", call)
  if (nrow(x) == 0L || ncol(x) == 0L) {
    abort_argument("x", "{.arg x} must have rows and columns, not {nrow(x)} x {ncol(x)}.", call)
  }
  fill <- if (na_action == "impute") apply(x, 2L, stats::median, na.rm = TRUE)
  # Names that repeat or lack say nothing: such columns go by position.
  names <- colnames(x)
  if (anyDuplicated(names) || anyNA(names) || !all(nzchar(names))) names <- NULL
  preprocessor <- list(kind = "matrix", names = names, columns = ncol(x), fill = fill)
  list(x = handle_missing(x, na_action, fill, "x", call), preprocessor = preprocessor)
}

mold_frame <- function(predictors, blueprint, na_action, call) {
  predictors <- as.data.frame(predictors)
  if (nrow(predictors) == 0L || ncol(predictors) == 0L) {
    abort_argument("x", "{.arg x} must have rows and columns, not {nrow(predictors)} x {ncol(predictors)}.", call)
  }
  encoder <- fit_encoder(predictors, call)
  x <- encode(encoder, predictors, "x", call)
  fill <- if (na_action == "impute") encoded_fill(encoder)
  list(x = handle_missing(x, na_action, fill, "x", call),
       preprocessor = list(kind = "frame", blueprint = blueprint, encoder = encoder, fill = fill))
}

# Numbers are doubles and classes are factors, whatever they came as.
plain_columns <- function(data, keep = character()) {
  change <- setdiff(names(data), keep)
  data[change] <- lapply(data[change], function(column) {
    if (is_numeric_or_logical(column) && is.null(dim(column))) return(as.double(column))
    if (is.character(column)) factor(column) else column
  })
  data
}

# Applies the preprocessing of a fit to new data: a matrix with one row a row given.
forge_new_data <- function(object, new_data, arg = "new_data", call = caller_env()) {
  preprocessor <- object$preprocessor
  na_action <- object$spec$na_action
  x <- if (preprocessor$kind == "matrix") {
    forge_matrix(preprocessor, new_data, arg, call)
  } else {
    forge_frame(preprocessor, new_data, na_action, arg, call)
  }
  if (na_action == "omit") {
    # Rows that cannot be predicted keep their place; predict() gives them NA.
    check_not_infinite(x, arg, call)
    return(x)
  }
  handle_missing(x, na_action, preprocessor$fill, arg, call)
}

forge_matrix <- function(preprocessor, new_data, arg, call) {
  x <- if (is.null(dim(new_data)) && is.numeric(new_data) && preprocessor$columns > 1L) {
    matrix(new_data, nrow = 1L, dimnames = list(NULL, names(new_data)))
  } else {
    as_numeric_matrix(select_named(new_data, preprocessor$names), arg, call)
  }
  if (!is.null(preprocessor$names) && !is.null(colnames(x))) {
    check_columns_present(preprocessor$names, colnames(x), arg, call)
    return(x[, preprocessor$names, drop = FALSE])
  }
  if (ncol(x) != preprocessor$columns) {
    abort_argument(arg, "{.arg {arg}} must have {preprocessor$columns} columns, not {ncol(x)}.", call)
  }
  x
}

# Extra columns of a data frame may be of any type; only the known ones are looked at.
select_named <- function(new_data, names) {
  if (!is.data.frame(new_data) || is.null(names) || !all(names %in% names(new_data))) return(new_data)
  new_data[, names, drop = FALSE]
}

forge_frame <- function(preprocessor, new_data, na_action, arg, call) {
  if (is.matrix(new_data) && !is.null(colnames(new_data))) new_data <- as.data.frame(new_data)
  if (!is.data.frame(new_data)) {
    abort_argument(arg, "{.arg {arg}} must be a data frame, not {.obj_type_friendly {new_data}}.", call)
  }
  known <- preprocessor$blueprint$ptypes$predictors
  check_columns_present(names(known), names(new_data), arg, call)
  new_data <- check_levels(new_data, known, na_action, arg, call)
  forged <- tryCatch(
    hardhat::forge(new_data, preprocessor$blueprint)$predictors,
    error = function(e) {
      text <- conditionMessage(e)
      abort_argument(arg, "{.arg {arg}} does not fit the training data: {text}", call)
    }
  )
  encode(preprocessor$encoder, as.data.frame(forged), arg, call, unseen = na_action == "impute")
}

check_columns_present <- function(required, present, arg, call) {
  missing <- setdiff(required, present)
  if (length(missing) > 0L) {
    abort_argument(
      arg, "{.arg {arg}} lacks {cli::qty(length(missing))}column{?s} {.val {missing}} of the training data.", call
    )
  }
}

# Columns as in training. Factor levels that it did not see: an error, or missing where missing
# values are imputed.
check_levels <- function(new_data, known, na_action, arg, call) {
  for (name in names(known)) {
    column <- new_data[[name]]
    if (!is.factor(known[[name]])) {
      if (is_numeric_or_logical(column)) new_data[[name]] <- as.double(column)
      next
    }
    values <- as.character(column)
    unseen <- setdiff(values[!is.na(values)], levels(known[[name]]))
    if (length(unseen) > 0L && na_action != "impute") abort_unseen(name, unseen, arg, call)
    new_data[[name]] <- factor(values, levels(known[[name]]), ordered = is.ordered(known[[name]]))
  }
  new_data
}

abort_unseen <- function(name, unseen, arg, call) {
  abort_argument(
    arg,
    c(paste("{.arg {arg}} has {cli::qty(length(unseen))}level{?s} {.val {unseen}} in column {.val {name}} that the",
            "training data did not have."),
      i = "{.code na_action = \"impute\"} replaces them by the most frequent level."),
    call
  )
}

fit_encoder <- function(data, call) {
  known <- vapply(data, function(column) {
    is_numeric_or_logical(column) || is.factor(column) || is.character(column)
  }, logical(1))
  if (!all(known)) {
    columns <- names(data)[!known]
    abort_argument(
      "x",
      paste("{cli::qty(length(columns))}Column{?s} {.val {columns}} of {.arg x} must be numeric, factor, character",
            "or logical."),
      call
    )
  }
  empty <- vapply(data, function(column) !is.numeric(column) && all(is.na(column)), logical(1))
  if (any(empty)) {
    columns <- names(data)[empty]
    abort_argument(
      "x", "{.arg x} has only missing values in {cli::qty(length(columns))}column{?s} {.val {columns}}.", call
    )
  }
  lapply(data, function(column) {
    if (is_numeric_or_logical(column)) return(list(fill = stats::median(as.double(column), na.rm = TRUE)))
    levels <- if (is.factor(column)) levels(column) else sort(unique(column[!is.na(column)]))
    counts <- tabulate(match(as.character(column), levels), length(levels))
    list(levels = levels, fill = if (length(levels)) levels[which.max(counts)])
  })
}

# Numbers as they are; two levels as one indicator of the second, more levels as one each.
encode <- function(encoder, data, arg, call, unseen = FALSE) {
  parts <- lapply(names(encoder), function(name) {
    rule <- encoder[[name]]
    column <- data[[name]]
    if (is.null(rule$levels)) return(matrix(as.double(column), dimnames = list(NULL, name)))
    values <- as.character(column)
    strange <- setdiff(values[!is.na(values)], rule$levels)
    if (length(strange) > 0L && !unseen) abort_unseen(name, strange, arg, call)
    indicator_columns(match(values, rule$levels), rule$levels, name)
  })
  do.call(cbind, parts)
}

indicator_columns <- function(index, levels, name) {
  shown <- if (length(levels) == 2L) 2L else seq_along(levels)
  columns <- outer(index, shown, `==`) + 0
  colnames(columns) <- paste0(name, "_", levels[shown])
  columns
}

encoded_width <- function(rule) {
  count <- length(rule$levels)
  if (is.null(rule$levels) || count == 2L) 1 else count
}

encoded_fill <- function(encoder) {
  unlist(lapply(names(encoder), function(name) {
    rule <- encoder[[name]]
    if (is.null(rule$levels)) return(rule$fill)
    indicator_columns(match(rule$fill, rule$levels), rule$levels, name)[1L, ]
  }))
}

check_not_infinite <- function(x, arg, call) {
  if (any(is.infinite(x))) {
    columns <- paste(which(colSums(is.infinite(x)) > 0))
    if (!is.null(colnames(x))) columns <- colnames(x)[as.integer(columns)]
    message <- "{.arg {arg}} has infinite values in {cli::qty(length(columns))}column{?s} {.val {columns}}."
    abort_argument(arg, message, call)
  }
}

# For training "omit" marks the rows to drop in an attribute; the caller drops them with y.
handle_missing <- function(x, na_action, fill, arg, call) {
  if (is.finite(sum(x))) return(x)
  if (na_action == "fail") {
    check_finite(x, arg, call)
    return(x)
  }
  check_not_infinite(x, arg, call)
  if (na_action == "omit") return(x)
  empty <- which(is.na(fill))
  if (length(empty) > 0L) {
    columns <- if (is.null(colnames(x))) paste(empty) else colnames(x)[empty]
    message <- "{.arg {arg}} has only missing values in {cli::qty(length(columns))}column{?s} {.val {columns}}."
    abort_argument(arg, message, call)
  }
  holes <- which(is.na(x), arr.ind = TRUE)
  x[holes] <- fill[holes[, 2L]]
  x
}
