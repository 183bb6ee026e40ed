#' Kendall's tau for all pairs of columns
#'
#' Tau-b, corrected for ties, in O(m log m) per pair: columns are ranked once, and discordant pairs
#' are counted on integer ranks with vector instructions, several pairs of columns at a time on
#' several threads. Columns with few levels use a contingency table.
#'
#' @inheritParams cawi_pseudo_obs
#' @param y Optional second matrix with as many rows: tau between the columns of `x` and of `y`.
#' @return The matrix of tau-b with the column names of the data. A constant column has no tau: its
#'   entries are 0 off the diagonal, with a warning of class `cawi_warning_constant`.
#' @seealso [stats::cor()] with `method = "kendall"` gives the same numbers in O(m^2) per pair.
#' @references
#' Kendall, M. G. (1938). A new measure of rank correlation. *Biometrika* 30, 81-93.
#'
#' Knight, W. R. (1966). A computer method for calculating Kendall's tau with ungrouped data.
#' *Journal of the American Statistical Association* 61, 436-439.
#' @examples
#' cawi_kendall(iris[, 1:4])
#' cawi_kendall(iris[, 1:2], iris[, 3:4])
#' @export
cawi_kendall <- function(x, y = NULL, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
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

warn_constant <- function(constant, call = caller_env()) {
  if (!any(constant)) return(invisible())
  columns <- names(constant)[constant]
  warn_topic(
    "constant",
    paste("{cli::qty(length(columns))}Column{?s} {.val {columns}} {?is/are} constant",
          "and ha{?s/ve} no dependence; tau is set to 0."),
    call
  )
}
