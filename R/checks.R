# Checks of type, shape and finiteness. Each returns its argument in the form the core wants, or
# stops with a classed error that names the argument, what was expected and what came.

check_matrix <- function(x, arg = "x", call = caller_env(), finite = TRUE) {
  x <- as_numeric_matrix(x, arg, call)
  if (nrow(x) == 0L || ncol(x) == 0L) {
    abort_argument(arg, "{.arg {arg}} must have rows and columns, not {nrow(x)} x {ncol(x)}.", call)
  }
  if (finite) check_finite(x, arg, call)
  x
}

as_numeric_matrix <- function(x, arg, call) {
  if (is.data.frame(x)) {
    wrong <- !vapply(x, is_numeric_or_logical, logical(1))
    if (any(wrong)) {
      columns <- names(x)[wrong]
      abort_argument(
        arg, "{.arg {arg}} must be numeric; {cli::qty(length(columns))}column{?s} {.val {columns}} {?is/are} not.",
        call
      )
    }
    x <- as.matrix(x)
  }
  if (!is_numeric_or_logical(x)) {
    abort_argument(arg, "{.arg {arg}} must be a numeric matrix or data frame, not {.obj_type_friendly {x}}.", call)
  }
  if (length(dim(x)) > 2L) {
    abort_argument(arg, "{.arg {arg}} must have two dimensions, not {length(dim(x))}.", call)
  }
  if (!is.matrix(x)) x <- matrix(x, ncol = 1L)
  if (!is.double(x)) storage.mode(x) <- "double"
  x
}

is_numeric_or_logical <- function(x) (is.numeric(x) || is.logical(x)) && !is.factor(x)

check_finite <- function(x, arg, call) {
  # A finite sum proves finite data in one pass without a copy.
  if (is.finite(sum(x))) return(invisible(x))
  bad <- which(colSums(!is.finite(x)) > 0)
  if (length(bad) == 0L) return(invisible(x))
  columns <- if (is.null(colnames(x))) paste(bad) else dQuote(colnames(x)[bad], FALSE)
  abort_argument(
    arg,
    paste("{.arg {arg}} must be finite; {cli::qty(length(columns))}column{?s} {columns}",
          "ha{?s/ve} NA, NaN or infinite values."),
    call
  )
}

# A value of any type in a message: short vectors as they are, the rest by what they are.
shown <- function(x) {
  if (is.atomic(x) && length(x) %in% 1:5) {
    cli::format_inline("{.val {x}}")
  } else {
    cli::format_inline("{.obj_type_friendly {x}}")
  }
}

# Results beyond this many numbers are a slip of the keyboard, not a wish.
check_result_size <- function(rows, columns, arg, call = caller_env()) {
  if (rows * columns > 1e11) {
    gigabytes <- round(rows * columns * 8 / 2^30)
    abort_argument(arg, "{.arg {arg}} = {rows} would need {gigabytes} GB of memory.", call)
  }
}

check_number <- function(x, arg, call = caller_env(), min = -Inf, max = Inf, open = FALSE) {
  ok <- is.numeric(x) && length(x) == 1L && !is.na(x) &&
    (if (open) x > min else x >= min) && x <= max
  if (!ok) {
    range <- paste0(if (open) "above " else "at least ", min,
                    if (is.finite(max)) paste0(" and at most ", max))
    if (is.infinite(min)) range <- "finite"
    abort_argument(arg, "{.arg {arg}} must be one number, {range}, not {shown(x)}.", call)
  }
  as.double(x)
}

check_count <- function(x, arg, call = caller_env(), min = 1, max = .Machine$integer.max) {
  ok <- is.numeric(x) && length(x) == 1L && is.finite(x) && x == round(x) && x >= min && x <= max
  if (!ok) {
    abort_argument(
      arg, "{.arg {arg}} must be one whole number from {min} to {max}, not {shown(x)}.", call
    )
  }
  as.double(x)
}

check_flag <- function(x, arg, call = caller_env()) {
  if (!is.logical(x) || length(x) != 1L || is.na(x)) {
    abort_argument(arg, "{.arg {arg}} must be TRUE or FALSE, not {shown(x)}.", call)
  }
  x
}

# Like match.arg(), with a classed error; the first choice is the default.
check_choice <- function(x, choices, arg, call = caller_env()) {
  if (identical(x, choices)) return(choices[1L])
  if (!is.character(x) || length(x) != 1L || !x %in% choices) {
    abort_argument(arg, "{.arg {arg}} must be one of {.val {choices}}, not {shown(x)}.", call)
  }
  x
}

# An edited or damaged copula is caught here, before any C++ runs.
check_copula <- function(x, arg = "copula", call = caller_env()) {
  if (!inherits(x, "cawi_copula")) {
    abort_argument(arg, "{.arg {arg}} must be a {.cls cawi_copula}, not {.obj_type_friendly {x}}.", call)
  }
  problem <- copula_problem(unclass(x))
  if (!is.null(problem)) abort_argument(arg, "{.arg {arg}} is damaged: {problem}.", call)
  x
}

copula_problem <- function(x) {
  is_number <- function(value) is.numeric(value) && length(value) == 1L && !is.na(value)
  if (!is.character(x$family) || length(x$family) != 1L || !x$family %in% family_names) {
    return("its family is unknown")
  }
  if (!is_number(x$dim) || x$dim < 1) return("its dimension is not a positive number")
  kind <- families[[x$family]]$kind
  if (kind == "archimedean") {
    lowest <- families[[x$family]]$independence
    if (!is_number(x$theta) || !is.finite(x$theta) || x$theta < lowest) return("theta is out of range")
  }
  if (kind == "elliptical" && !is_correlation(x$cor, x$dim)) return("cor is not a correlation matrix")
  if (x$family == "t" && (!is_number(x$df) || x$df < smallest_df)) return("df is out of range")
  if (!is.null(x$flipped) && (!is.logical(x$flipped) || length(x$flipped) != x$dim || anyNA(x$flipped))) {
    return("flipped does not fit its dimension")
  }
  NULL
}

is_correlation <- function(r, dim) {
  is.double(r) && is.matrix(r) && nrow(r) == dim && ncol(r) == dim && all(is.finite(r)) &&
    all(diag(r) == 1) && max(abs(r)) <= 1 + 1e-12 && max(abs(r - t(r))) <= 1e-12
}

# Below it t quantiles of ordinary probabilities leave the range of a double.
smallest_df <- 0.05

# Arguments that are passed on must be known.
check_dots <- function(dots, known, call = caller_env()) {
  if (length(dots) == 0L) return(invisible())
  unknown <- setdiff(if (is.null(names(dots))) "" else names(dots), known)
  if (length(unknown) > 0L) {
    abort_argument("dots", "Unknown or unnamed arguments: {.arg {unknown}}.", call)
  }
}

# Argument, environment variable, option, then at most two.
resolve_threads <- function(threads = NULL, call = caller_env()) {
  if (!is.null(threads)) return(as.integer(check_count(threads, "threads", call, max = 1024)))
  variable <- Sys.getenv("CAWI_NUM_THREADS")
  if (nzchar(variable)) {
    value <- suppressWarnings(as.numeric(variable))
    if (is.na(value)) value <- variable
    return(as.integer(check_count(value, "CAWI_NUM_THREADS", call, max = 1024)))
  }
  option <- getOption("cawi.threads")
  if (!is.null(option)) return(as.integer(check_count(option, "cawi.threads", call, max = 1024)))
  min(2L, RcppParallel::defaultNumThreads())
}

# The seed of the core's streams: the user's own, or one drawn from R's generator.
resolve_seed <- function(seed = NULL, call = caller_env()) {
  if (!is.null(seed)) return(check_count(seed, "seed", call, min = 0, max = 2^53 - 1))
  halves <- floor(stats::runif(2) * 2^26)
  halves[1L] * 2^26 + halves[2L]
}
