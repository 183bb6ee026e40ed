# Columns to numbers. A rule says what a column was in training: its kind, its levels or units, and
# what stands in for a missing value. New columns are first brought to that kind, or refused, and
# then coded.

# What is remembered of a column. With `levels = FALSE` text stays text, whatever its values.
learn_rule <- function(column, name, arg, call, levels = TRUE) {
  kind <- column_kind(column)
  if (kind == "other") abort_kind(name, column, arg, call)
  rule <- list(name = name, kind = kind)
  if (kind == "factor") {
    rule$levels <- levels(column)
    rule$ordered <- is.ordered(column)
  }
  if (kind == "text" && levels) rule$levels <- text_levels(column, name, arg, call)
  if (!is.null(rule$levels)) {
    check_indicators(length(rule$levels), length(column), call, arg, column = name)
  }
  if (kind == "number") {
    rule$integer <- is.integer(column)
    rule$denormal <- has_denormal(column)
  }
  if (kind == "span") rule$units <- units(column)
  if (kind == "matrix") {
    rule$columns <- ncol(column)
    rule$names <- colnames(column)
  }
  rule
}

# The values of text in an order that no locale changes. Bytes that are no text have no order.
text_levels <- function(text, name, arg, call) {
  values <- unique(as.vector(text))
  if (!all(validEnc(values))) {
    abort_argument(
      arg, "Column {.val {name}} of {.arg {arg}} has text that its encoding does not allow.", call
    )
  }
  sort(enc2utf8(values), method = "radix")
}

abort_kind <- function(name, column, arg, call) {
  abort_argument(
    arg,
    paste("Column {.val {name}} of {.arg {arg}} must be numbers, factor, text, logical, dates or",
          "times, not {.obj_type_friendly {column}}."),
    call
  )
}

# Levels and values that a model can be fitted with.
check_known_values <- function(rule, column, arg, call) {
  named <- rule$kind %in% c("factor", "text", "logical")
  if (!named || !all(is.na(column))) return(invisible())
  # NA may be a level of its own.
  if (rule$kind == "factor" && anyNA(rule$levels)) return(invisible())
  name <- rule$name
  abort_argument(arg, "{.arg {arg}} has only missing values in column {.val {name}}.", call)
}

# The column as it was in training, or an error that names it. Values that no level matches are
# missing where missing values are imputed: but for text and factors alone, since a value of another
# type is a mistake.
conform_column <- function(rule, column, impute, arg, call) {
  column <- plain_column(column)
  kind <- column_kind(column)
  if (kind == "other") abort_kind(rule$name, column, arg, call)
  if (kind != "matrix" && rule$kind != "matrix" && kind != rule$kind && all(is.na(column))) {
    return(missing_column(rule, length(column)))
  }
  switch(rule$kind,
    number = conform_number(rule, column, kind, arg, call),
    logical = conform_logical(rule, column, kind, arg, call),
    factor = , text = conform_levels(rule, column, kind, impute, arg, call),
    matrix = conform_matrix(rule, column, kind, arg, call),
    span = {
      if (kind != "span") abort_changed(rule, kind, arg, call)
      units(column) <- rule$units
      column
    },
    if (kind == rule$kind) column else abort_changed(rule, kind, arg, call)
  )
}

missing_column <- function(rule, rows) {
  empty <- rep(NA, rows)
  switch(rule$kind,
    logical = empty,
    factor = factor(empty, rule$levels, ordered = rule$ordered, exclude = NULL),
    text = as.character(empty),
    date = as.Date(empty),
    time = as.POSIXct(as.double(empty), origin = "1970-01-01", tz = "UTC"),
    span = as.difftime(as.double(empty), units = rule$units),
    as.double(empty)
  )
}

abort_changed <- function(rule, kind, arg, call) {
  name <- rule$name
  was <- kind_names[[rule$kind]]
  is <- kind_names[[kind]]
  abort_argument(
    arg, "Column {.val {name}} of {.arg {arg}} was {was} in training and is {is} now.", call
  )
}

# Whole numbers stay whole: steps of recipes may ask for the type of training.
conform_number <- function(rule, column, kind, arg, call) {
  if (!kind %in% c("number", "logical")) abort_changed(rule, kind, arg, call)
  if (is.integer(column) && rule$integer) return(column)
  column <- as.double(column)
  if (!isTRUE(rule$denormal) && has_denormal(column)) abort_denormal(rule$name, arg, call)
  whole <- rule$integer && all(column == round(column) & abs(column) < 2^31, na.rm = TRUE)
  if (whole) as.integer(column) else column
}

conform_logical <- function(rule, column, kind, arg, call) {
  if (kind == "logical") return(column)
  if (!kind %in% c("number", "text", "factor")) abort_changed(rule, kind, arg, call)
  values <- if (kind == "number") {
    match(column, c(0, 1))
  } else {
    match(as.character(column), c("FALSE", "TRUE"))
  }
  if (any(is.na(values) & !is.na(column))) abort_changed(rule, kind, arg, call)
  values == 2L
}

conform_levels <- function(rule, column, kind, impute, arg, call) {
  same <- kind %in% c("factor", "text")
  if (!kind %in% c("factor", "text", "number", "logical")) abort_changed(rule, kind, arg, call)
  values <- as.character(column)
  if (is.null(rule$levels)) return(if (same) values else abort_changed(rule, kind, arg, call))
  index <- match(values, rule$levels)
  strange <- unique(values[is.na(index) & !is.na(values)])
  if (length(strange) > 0L && !same) abort_changed(rule, kind, arg, call)
  if (length(strange) > 0L && !impute) abort_unseen(rule$name, strange, arg, call)
  if (rule$kind == "text") return(rule$levels[index])
  structure(index, levels = rule$levels, class = c(if (rule$ordered) "ordered", "factor"))
}

conform_matrix <- function(rule, column, kind, arg, call) {
  if (kind != "matrix") abort_changed(rule, kind, arg, call)
  name <- rule$name
  if (all_usable(rule$names) && !is.null(colnames(column))) {
    lost <- setdiff(rule$names, colnames(column))
    if (length(lost) == 0L) return(column[, match(rule$names, colnames(column)), drop = FALSE])
    abort_argument(
      arg, "Column {.val {name}} of {.arg {arg}} lacks {.val {lost}} of the training data.", call
    )
  }
  if (ncol(column) != rule$columns) {
    abort_argument(
      arg,
      paste("Column {.val {name}} of {.arg {arg}} must be a matrix of {rule$columns} columns,",
            "not {ncol(column)}."),
      call
    )
  }
  column
}

abort_unseen <- function(name, unseen, arg, call) {
  abort_argument(
    arg,
    c(paste("{.arg {arg}} has {cli::qty(length(unseen))}level{?s} {.val {unseen}} in column",
            "{.val {name}} that the training data did not have."),
      i = "{.code na_action = \"impute\"} replaces them by the most frequent level."),
    call
  )
}

# Numbers, a matrix of them, or places among the levels.
column_codes <- function(rule, column, arg, call) {
  if (rule$kind %in% c("factor", "text")) return(match(as.character(column), rule$levels))
  # A class of numbers may refuse to be plain numbers.
  values <- tryCatch(as.double(column),
                     error = function(e) abort_kind(rule$name, column, arg, call))
  if (rule$kind != "matrix") values else matrix(values, nrow(column))
}

# A missing value is told by the column that the user knows, not by its indicators.
check_no_holes <- function(rule, codes, na_action, arg, call) {
  if (na_action != "fail" || !rule$kind %in% c("factor", "text") || !anyNA(codes)) {
    return(invisible())
  }
  name <- rule$name
  message <- "{.arg {arg}} has missing values in column {.val {name}}."
  hint <- if (startsWith(name, "cut(")) {
    "A value outside the breaks of the training data has no level."
  }
  abort_argument(arg, c(message, i = hint), call)
}

# What stands in for a missing value: medians, or the most frequent level. A row of weight two is
# two rows.
with_fill <- function(rule, codes, case_weights) {
  rule$fill <- if (rule$kind %in% c("factor", "text")) {
    frequent_level(codes, case_weights)
  } else if (rule$kind == "matrix") {
    apply(codes, 2L, weighted_median, case_weights)
  } else {
    weighted_median(codes, case_weights)
  }
  rule
}

frequent_level <- function(codes, case_weights) {
  if (is.null(case_weights)) case_weights <- rep(1, length(codes))
  known <- !is.na(codes) & case_weights > 0
  if (!any(known)) return(NA_integer_)
  totals <- rowsum(case_weights[known], codes[known], reorder = TRUE)
  as.integer(rownames(totals)[which.max(totals)])
}

weighted_median <- function(x, case_weights = NULL) {
  if (is.null(case_weights)) return(stats::median(x, na.rm = TRUE))
  known <- !is.na(x) & case_weights > 0
  if (!any(known)) return(NA_real_)
  order <- order(x[known])
  x <- x[known][order]
  passed <- cumsum(case_weights[known][order])
  half <- passed[length(passed)] / 2
  middle <- which(passed >= half)[1L]
  if (passed[middle] == half) (x[middle] + x[middle + 1L]) / 2 else x[middle]
}

fill_codes <- function(rule, codes, arg, call) {
  if (!anyNA(codes)) return(codes)
  name <- rule$name
  if (anyNA(rule$fill) && (rule$kind != "matrix" || anyNA(codes[, is.na(rule$fill)]))) {
    abort_argument(arg, "{.arg {arg}} has only missing values in column {.val {name}}.", call)
  }
  if (rule$kind != "matrix") return(replace(codes, is.na(codes), rule$fill))
  holes <- which(is.na(codes), arr.ind = TRUE)
  codes[holes] <- rule$fill[holes[, 2L]]
  codes
}

# What the columns of the data were in training, before any formula or recipe reads them.
raw_rules <- function(columns, arg, call) {
  Map(function(column, name) learn_rule(column, name, arg, call, levels = FALSE),
      columns, names(columns))
}

conform_columns <- function(rules, columns, na_action, arg, call) {
  Map(function(rule, column) conform_column(rule, column, na_action == "impute", arg, call),
      rules, columns)
}

# Rules and codes of training columns.
learn_columns <- function(columns, labels, na_action, case_weights, arg, call) {
  parts <- lapply(seq_along(columns), function(i) {
    rule <- learn_rule(columns[[i]], labels[i], arg, call)
    check_known_values(rule, columns[[i]], arg, call)
    codes <- column_codes(rule, columns[[i]], arg, call)
    check_no_holes(rule, codes, na_action, arg, call)
    if (na_action != "impute") return(list(rule = rule, codes = codes))
    rule <- with_fill(rule, codes, case_weights)
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
