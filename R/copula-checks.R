# Copulas as users hand them in: an edited or damaged one is caught here, before any C++ runs.

check_copula <- function(x, arg = "copula", call = caller_env()) {
  check_given(x, arg, call)
  if (!inherits(x, "cawi_copula")) {
    message <- "{.arg {arg}} must be a {.cls cawi_copula}, not {.obj_type_friendly {x}}."
    abort_argument(arg, message, call)
  }
  check_data_only(x, arg, call)
  problem <- copula_problem(unclass(x))
  if (!is.null(problem)) abort_argument(arg, "{.arg {arg}} is damaged: {problem}.", call)
  x
}

copula_problem <- function(x) {
  problem <- parameter_problem(x)
  if (is.null(problem)) origin_problem(x) else problem
}

parameter_problem <- function(x) {
  if (!is.list(x)) return("it is no list")
  if (!is_string(x$family) || !x$family %in% family_names) return("its family is unknown")
  # A number with dimensions cannot be compared with those of a matrix, one with a name would name
  # the rows of tables.
  if (!is_whole(x$dim, 1) || !is.null(attributes(x$dim)) || x$dim > .Machine$integer.max) {
    return("its dimension is not a positive whole number")
  }
  row <- families[[x$family]]
  # `$` is content with the beginning of a name, the core is not.
  lost <- setdiff(c("family", "dim", row$terms), names(x))
  if (length(lost) > 0L) return(paste("it has no part called", lost[1L]))
  if (row$kind == "archimedean" && !(is_figure(x$theta) && x$theta <= largest_theta &&
                                       x$theta >= row$independence)) {
    return("theta is out of range")
  }
  if (row$kind == "elliptical" && !is_correlation(x$cor, x$dim)) {
    return("cor is not a correlation matrix")
  }
  foreign <- foreign_terms(x$family, x)
  if (length(foreign) > 0L) return(paste(foreign[1L], "is no parameter of its family"))
  if (families[[x$family]]$has_df && (!is_figure(x$df) || x$df < smallest_df)) {
    return("df is out of range")
  }
  flags <- is.logical(x$flipped) && length(x$flipped) == x$dim && !anyNA(x$flipped)
  if (!is.null(x$flipped) && !flags) return("flipped does not fit its dimension")
  NULL
}

# Parameters in a list that the family does not have.
foreign_terms <- function(family, parameters) {
  given <- Filter(function(term) !is.null(parameters[[term]]), c("theta", "cor", "df"))
  setdiff(given, families[[family]]$terms)
}

# What a copula tells of its data, beside the parameters.
origin_problem <- function(x) {
  if (!is.null(x$tau) && !is_tau(x$tau, x$dim)) return("tau is not a matrix of its dimension")
  if (!is.null(x$names) && !(is.character(x$names) && length(x$names) == x$dim)) {
    return("names do not fit its dimension")
  }
  if (!is_string(x$method) || !x$method %in% c("given", "itau", "mpl")) {
    return("its method is unknown")
  }
  if (!is_string(x$requested) || !x$requested %in% c("auto", family_names)) {
    return("requested is no family")
  }
  fitted <- x$method != "given"
  if ((fitted || !is.null(x$nobs)) && !is_whole(x$nobs, 1)) return("nobs is not a number of rows")
  if (!is.null(x$loglik) && !(is_figure(x$loglik) && is.finite(x$loglik) && is_whole(x$nobs, 1))) {
    return("loglik is not a number")
  }
  if (!(is_whole(x$active, 0) && x$active <= x$dim)) return("active is not a number of columns")
  if (!is.null(x$selection) && !is_selection(x$selection)) {
    return("selection is no table of families")
  }
  NULL
}

is_tau <- function(tau, dim) {
  is.numeric(tau) && is.matrix(tau) && all(dim(tau) == dim) && all(is.finite(tau)) &&
    max(abs(tau)) <= 1 + 1e-12
}

is_selection <- function(x) {
  figures <- setdiff(names(x), "family")
  is_sound_frame(x, c("family", "parameters")) && is.character(x$family) &&
    all(x$family %in% family_names) && is_number_frame(x, figures)
}

is_correlation <- function(r, dim) {
  is.double(r) && is.matrix(r) && nrow(r) == dim && ncol(r) == dim && is_correlation_cpp(r)
}

check_correlation <- function(r, arg, call = caller_env()) {
  r <- check_symmetric(r, arg, call)
  if (max(abs(diag(r) - 1)) > 1e-8) {
    abort_argument(arg, "{.arg {arg}} must have ones on its diagonal.", call)
  }
  diag(r) <- 1
  lowest <- smallest_eigenvalue(r)
  if (lowest < -1e-8) {
    abort_argument(
      arg,
      c(paste("{.arg {arg}} must be positive semidefinite;",
              "its smallest eigenvalue is {signif(lowest, 3)}."),
        i = "{.fn cawi_nearest_cor} finds the nearest correlation matrix."),
      call
    )
  }
  r
}

# Zero stands for all that is positive: Cholesky settles the ordinary case at a fraction of the
# cost.
smallest_eigenvalue <- function(r) {
  if (!is.null(tryCatch(chol(r), error = function(e) NULL))) return(0)
  min(eigen(r, symmetric = TRUE, only.values = TRUE)$values)
}

# Beyond it densities lose their digits; fits stay far below.
largest_theta <- 1e6

# Below it t quantiles of ordinary probabilities leave the range of a double.
smallest_df <- 0.05
