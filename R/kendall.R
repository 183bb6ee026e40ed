#' Kendall's tau for all pairs of columns
#'
#' Tau-b, corrected for ties, in O(m log m) a pair: columns are ranked once, and discordant pairs are
#' counted on integer ranks with vector instructions, several pairs of columns at a time on several
#' threads. Columns with few levels use a contingency table.
#'
#' @inheritParams cawi_pseudo_obs
#' @param y Optional second matrix with as many rows: tau between the columns of `x` and of `y`.
#' @return The matrix of tau-b with the column names of the data. A constant column has no tau: its
#'   entries are 0 off the diagonal, with a warning of class `cawi_warning_constant`.
#' @seealso [stats::cor()] with `method = "kendall"` gives the same numbers in O(m^2) a pair.
#' @examples
#' cawi_kendall(iris[, 1:4])
#' cawi_kendall(iris[, 1:2], iris[, 3:4])
#' @export
cawi_kendall <- function(x, y = NULL, threads = NULL, ...) {
  check_dots(list(...))
  x <- check_matrix(x)
  check_two_rows(x, "x")
  threads <- resolve_threads(threads)
  call <- environment()
  if (is.null(y)) {
    check_memory(kendall_bytes(x))
    warn_constant(constant_columns(x))
    tau <- rethrow_core_errors(kendall_cpp(x, threads), call, kendall_bytes(x))
    return(with_names(tau, colnames(x)))
  }
  y <- check_matrix(y, "y")
  if (nrow(y) != nrow(x)) {
    abort_argument("y", "{.arg y} must have the {nrow(x)} rows of {.arg x}, not {nrow(y)}.", call)
  }
  needed <- 16 * as.numeric(ncol(x)) * ncol(y)
  check_memory(needed)
  warn_constant(c(constant_columns(x), constant_columns(y)))
  tau <- rethrow_core_errors(kendall_cross_cpp(x, y, threads), call, needed)
  with_names(tau, colnames(x), colnames(y))
}

# The result in the core and in R, and the list of pairs.
kendall_bytes <- function(x) 20 * as.numeric(ncol(x))^2

# Row and column names, or none at all.
with_names <- function(m, rows, columns = rows) {
  if (!is.null(rows) || !is.null(columns)) dimnames(m) <- list(rows, columns)
  m
}

check_two_rows <- function(x, arg, call = caller_env()) {
  if (nrow(x) < 2L) {
    abort_argument(arg, "{.arg {arg}} must have at least two rows, not {nrow(x)}.", call)
  }
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

warn_constant <- function(constant, call = caller_env()) {
  if (!any(constant)) return(invisible())
  columns <- names(constant)[constant]
  warn_topic(
    "constant",
    paste("{cli::qty(length(columns))}Column{?s} {.val {columns}} {?is/are} constant and ha{?s/ve} no dependence;",
          "tau is set to 0."),
    call
  )
}
