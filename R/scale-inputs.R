# A source in the place of data, in the arguments of a call.

# What is asked of a source: a formula or a recipe, an expression of case weights, whether the
# formula takes the intercept away, and the source. NULL where the data are no source.
called_source <- function(frame) {
  given <- Filter(function(name) !is_missing(name, frame), c("x", "y", "formula", "data"))
  values <- lapply(stats::setNames(given, given), function(name) frame[[name]])
  at <- names(Filter(is_source, values))
  if (length(at) == 0L) return(NULL)
  if (length(at) > 1L) abort_argument("x", "There can be one {.cls cawi_source}.", frame)
  check_whole_source(values[[at]], at, frame)
  other <- values[setdiff(given, at)]
  x <- if (at == "x" && "y" %in% names(other)) {
    named_response(other$y, frame)
  } else if (length(other) == 1L) {
    other[[1L]]
  }
  if (!inherits(x, c("formula", "recipe"))) {
    message <- paste("Rows of a {.cls cawi_source} need a formula, a recipe, or the names of the",
                     "columns of the response as {.arg y}.")
    abort_argument("x", message, frame)
  }
  if (inherits(x, "recipe")) check_recipe(x, frame)
  quosure <- eval(quote(rlang::enquo(case_weights)), frame)
  list(x = x, case_weights = weights_expression(quosure, frame), source = values[[at]],
       intercept = if (inherits(x, "formula")) formula_intercept(x) else NA)
}

# All other columns are features.
named_response <- function(y, call) {
  if (!is.character(y) || length(y) == 0L || anyNA(y)) {
    message <- "{.arg y} must be names of columns of the source, not {.obj_type_friendly {y}}."
    abort_argument("y", message, call)
  }
  names <- lapply(y, as.name)
  response <- if (length(names) == 1L) names[[1L]] else as.call(c(quote(cbind), names))
  stats::as.formula(call("~", response, quote(.)), env = baseenv())
}

# Workers evaluate it in the columns of a chunk, far from where the call was made.
weights_expression <- function(quosure, call) {
  expression <- rlang::quo_get_expr(quosure)
  if (is.null(expression)) return(NULL)
  if (!is.language(expression)) {
    message <- "Case weights of a {.cls cawi_source} must be a column of it."
    abort_argument("case_weights", message, call)
  }
  expression
}

# The dot, whose columns are not known yet, has no say in it.
formula_intercept <- function(formula) {
  named <- do.call(substitute, list(formula, list(. = as.name(".cawi_dot"))))
  kept <- tryCatch(attr(stats::terms(stats::as.formula(named)), "intercept"),
                   error = function(e) 1L)
  if (kept == 0L) FALSE else NA
}
