# Columns of the user's tables as every room reads them: their kinds, their rows, their names.

# The kinds of column that have numbers; "other" has none.
column_kind <- function(column) {
  # An S4 object may keep its values anywhere, and a class of vctrs may refuse to be compared with
  # numbers.
  if (isS4(column) || inherits(column, "vctrs_vctr")) return("other")
  if (inherits(column, "integer64")) return(if (length(dim(column)) == 2L) "matrix" else "number")
  if (is.factor(column)) return("factor")
  if (inherits(column, "Date")) return("date")
  if (inherits(column, "POSIXt")) return("time")
  if (inherits(column, "difftime")) return("span")
  plain <- is.numeric(column) || is.logical(column)
  if (length(dim(column)) == 2L) return(if (plain && !is.data.frame(column)) "matrix" else "other")
  if (length(dim(column)) > 2L) return("other")
  if (is.logical(column)) return("logical")
  if (is.character(column)) return("text")
  if (is.numeric(column)) "number" else "other"
}

kind_names <- c(
  number = "numbers", matrix = "a matrix of numbers", logical = "TRUE and FALSE",
  factor = "a factor", text = "text", date = "dates", time = "times", span = "time spans"
)

# Classes whose parts cannot be taken by [ alone become plain before any rows are taken: without the
# package bit64, rows of a 64-bit integer would be read as the doubles that share their bits.
plain_column <- function(column) {
  if (inherits(column, "integer64")) return(read_integer64(column))
  if (inherits(column, "POSIXlt")) return(as.POSIXct(column))
  if (inherits(column, "AsIs")) class(column) <- setdiff(class(column), "AsIs")
  # scale() and tapply() give columns of one column.
  single <- length(dim(column)) == 1L || (length(dim(column)) == 2L && ncol(column) == 1L)
  if (single && is.atomic(column)) as.vector(column) else column
}

read_integer64 <- function(x) {
  result <- integer64_cpp(unclass(x))
  dim(result) <- dim(x)
  dimnames(result) <- dimnames(x)
  names(result) <- names(x)
  result
}

# A data frame as a list of plain columns, whatever their names are.
plain_columns <- function(data) {
  columns <- lapply(seq_along(data), function(i) plain_column(.subset2(data, i)))
  stats::setNames(columns, names(data))
}

# Numbers of missing values of columns; a row of a matrix counts once.
missing_values <- function(columns) {
  vapply(columns, function(column) {
    holes <- is.na(column)
    if (is.matrix(holes)) sum(rowSums(holes) > 0) else sum(holes)
  }, numeric(1))
}

column_rows <- function(columns, rows) {
  if (is.null(rows)) return(columns)
  lapply(columns, function(column) {
    if (length(dim(column)) == 2L) column[rows, , drop = FALSE] else column[rows]
  })
}

# The columns of these names, plain, as a list.
named_columns <- function(data, names, arg, call) {
  check_columns_present(names, names(data), arg, call)
  columns <- lapply(match(names, names(data)), function(i) .subset2(data, i))
  plain_columns(stats::setNames(columns, names))
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

matrix_frame <- function(x) {
  if (inherits(x, "integer64")) x <- read_integer64(x)
  columns <- lapply(seq_len(ncol(x)), function(j) as.vector(x[, j]))
  structure(stats::setNames(columns, colnames(x)), row.names = .set_row_names(nrow(x)),
            class = "data.frame")
}

response_rows <- function(y, rows) {
  if (is.null(rows)) return(y)
  if (length(dim(y)) == 2L) y[rows, , drop = FALSE] else y[rows]
}

columns_frame <- function(columns) {
  structure(columns, row.names = .set_row_names(NROW(columns[[1L]])), class = "data.frame")
}

# Names that tell a column from every other. R has no symbols of more than 10,000 bytes.
usable_names <- function(names) {
  !is.na(names) & nzchar(names) & nchar(names, "bytes") <= 10000L & !duplicated(names) &
    !duplicated(names, fromLast = TRUE)
}

all_usable <- function(names) !is.null(names) && all(usable_names(names))

# A data frame whose columns are as long as it says.
is_plain_frame <- function(x) {
  is.data.frame(x) && is.list(x) &&
    all(vapply(unclass(x), NROW, 0L) == length(attr(x, "row.names")))
}

check_even_frame <- function(x, arg, call) {
  if (is_plain_frame(x)) return(invisible())
  abort_argument(arg, "{.arg {arg}} is no sound data frame: its columns differ in length.", call)
}

# One with rows and these columns.
is_sound_frame <- function(x, columns) {
  is_plain_frame(x) && nrow(x) > 0L && all(columns %in% names(x)) &&
    all(vapply(unclass(x)[columns], function(v) is.null(dim(v)), logical(1)))
}

# These columns have numbers in every row.
is_number_frame <- function(x, columns) {
  is_sound_frame(x, columns) &&
    all(vapply(unclass(x)[columns], function(v) is.numeric(v) && !anyNA(v), logical(1)))
}

# Numbers so small that no data have them: 64-bit integers that lost their class look like that.
has_denormal <- function(x) {
  x <- stored_values(x)
  is.double(x) && any_subnormal_cpp(x)
}

is_denormal <- function(values) values != 0 & abs(values) < .Machine$double.xmin

abort_denormal <- function(name, arg, call) {
  message <- paste("Column {.val {name}} of {.arg {arg}} has numbers below the range",
                   "that the training data had.")
  hint <- "Are they 64-bit integers that lost their class? The package bit64 keeps it."
  abort_argument(arg, c(message, i = hint), call)
}

# Text becomes classes in the same order everywhere.
plain_response <- function(y) {
  # A class of data frame may have an assignment of its own, which not all names pass.
  if (is.data.frame(y)) {
    columns <- lapply(seq_along(y), function(i) plain_response(.subset2(y, i)))
    return(structure(stats::setNames(columns, names(y)), row.names = attr(y, "row.names"),
                     class = "data.frame"))
  }
  if (is.object(y)) y <- plain_column(y)
  if (!is.character(y) || !is.null(dim(y)) || !all(validEnc(y))) return(y)
  y <- enc2utf8(y)
  factor(y, sort(unique(y), method = "radix"))
}

# "omit" leaves the holes where they are: the caller drops such rows, or predicts NA for them.
handle_missing <- function(x, na_action, fill, arg, call) {
  if (all_finite(x)) return(x)
  if (na_action == "fail") {
    check_finite(x, arg, call)
    return(x)
  }
  check_not_infinite(x, arg, call)
  if (na_action == "omit" || !anyNA(stored_values(x))) return(x)
  empty <- which(is.na(fill))
  if (length(empty) > 0L) {
    columns <- if (is.null(colnames(x))) paste(empty) else colnames(x)[empty]
    message <- paste("{.arg {arg}} has only missing values in",
                     "{cli::qty(length(columns))}column{?s} {.val {columns}}.")
    abort_argument(arg, message, call)
  }
  fill_holes(x, fill)
}

check_not_infinite <- function(x, arg, call) {
  if (any(is.infinite(stored_values(x)))) {
    columns <- paste(columns_with(x, is.infinite))
    if (!is.null(colnames(x))) columns <- colnames(x)[as.integer(columns)]
    message <- paste("{.arg {arg}} has infinite values in {cli::qty(length(columns))}column{?s}",
                     "{.val {columns}}.")
    abort_argument(arg, message, call)
  }
}

some_of_rows <- function(values, rows) if (is.null(rows)) values else values[rows]

# What mold() and forge() give where every row of the data is a row of the matrix.
with_rows <- function(molded, input, rows) {
  list(
    x = molded$x, y = response_rows(input$y, rows),
    case_weights = some_of_rows(input$case_weights, rows), offset = molded$offset,
    ids = if (is.null(rows)) seq_len(input$rows) else rows, preprocessor = molded$preprocessor
  )
}

# Row and column names, or none at all.
with_names <- function(m, rows, columns = rows) {
  if (!is.null(rows) || !is.null(columns)) dimnames(m) <- list(rows, columns)
  m
}

constant_columns <- function(x) {
  # Three rows rule out nearly every column before a whole one is read.
  constant <- x[1L, ] == x[nrow(x), ] & x[1L, ] == x[(nrow(x) + 1L) %/% 2L, ]
  constant[constant] <- vapply(which(constant), function(j) all(x[, j] == x[1L, j]), logical(1))
  names(constant) <- column_labels(x)
  constant
}

# Names of the columns, numbers where they have none.
column_labels <- function(x) {
  numbers <- paste(seq_len(ncol(x)))
  if (is.null(colnames(x))) return(numbers)
  ifelse(is.na(colnames(x)) | !nzchar(colnames(x)), numbers, colnames(x))
}

# At most `most` of the numbers from one to `count`.
evenly <- function(count, most) {
  if (count > most) round(seq(1, count, length.out = most)) else seq_len(count)
}
