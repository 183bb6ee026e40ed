#' Grids of model arguments
#'
#' `cawi_grid()` crosses values of model arguments for [cawi_tune()]. `cawi_grid_paper()` is the
#' grid of the paper's experiments.
#'
#' Penalties, and numbers of nodes that are nested in each other, cost nearly nothing: one Gram
#' matrix serves all of them. Every other combination of values is a network of its own.
#'
#' @param ... For `cawi_grid()`: arguments of the models by name, each with the values to try; see
#'   [cawi_models]. Values of `hidden` for deep networks are a list of vectors; for networks of one
#'   layer `Inf` may be among the numbers. Values of several kinds are a list, too, such as
#'   `standardize = list(TRUE, "ranks")`. Not used by `cawi_grid_paper()`.
#' @param model `"elm"`, `"rvfl"`, `"drvfl"`, `"edrvfl"` or `"bls"`.
#' @return A `cawi_grid`; `as.data.frame()` lists its combinations, `lambda` varying fastest.
#' @references
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*. (grid of the experiments)
#' @examples
#' cawi_grid(hidden = c(25, 50, 100), activation = c("sigmoid", "radbas"), spread = c(0.5, 1, 2))
#' cawi_grid_paper("rvfl")
#' @export
cawi_grid <- function(...) {
  axes <- list(...)
  call <- environment()
  if (length(axes) > 0L && (is.null(names(axes)) || any(names(axes) == ""))) {
    abort_argument("dots", "Values in a grid must be named by their argument.", call)
  }
  check_dots(axes, grid_arguments)
  if (anyDuplicated(names(axes))) {
    abort_argument("dots", "An argument comes twice in the grid.", call)
  }
  if (inherits(axes$init, "cawi_copula") || is_given(axes$init)) axes$init <- list(axes$init)
  plain <- function(axis) (is.atomic(axis) || is.list(axis)) && is.null(dim(axis))
  odd <- names(axes)[!vapply(axes, plain, logical(1))]
  if (length(odd) > 0L) {
    abort_argument(odd[1L], "{.arg {odd[1L]}} must be a vector or a list of values.", call)
  }
  axes <- lapply(axes, plain_axis)
  check_scale_axes(axes, call)
  given <- names(axes)
  empty <- names(axes)[lengths(axes) == 0L]
  if (length(empty) > 0L) abort_argument(empty[1L], "{.arg {empty[1L]}} has no values.", call)
  if (is.null(axes$lambda)) axes$lambda <- check_lambda(NULL, call)
  axes$lambda <- check_lambda(axes$lambda, call)
  axes <- lapply(axes, unique)
  check_axes(axes, call)
  structure(axes[c("lambda", setdiff(names(axes), "lambda"))], class = "cawi_grid", given = given)
}

# The values of an axis without a class of their own; a list has them one by one.
plain_axis <- function(axis) {
  if (is.list(axis)) lapply(unclass(axis), plain_value) else plain_value(axis)
}

check_scale_axes <- function(axes, call) {
  if (!is.null(axes$scale) && !is.null(axes$spread)) {
    abort_argument("spread", "{.arg spread} and {.arg scale} say the same thing: give one of them.",
                   call)
  }
  fits <- is.null(axes$scale) || is.numeric(axes$scale) || identical(axes$scale, "auto")
  if (!fits) abort_argument("scale", "{.arg scale} must be numbers, or {.val auto} alone.", call)
  if (is.list(axes$strength) && any(vapply(axes$strength, is.character, logical(1)))) {
    abort_argument("strength", "{.arg strength} must be numbers, or {.val auto} alone.", call)
  }
}

# Values that no model takes. What only some models take is checked where the model is known.
check_axes <- function(axes, call) {
  for (axis in setdiff(names(axes), "lambda")) {
    for (value in as.list(axes[[axis]])) check_axis_value(axis, value, call)
  }
}

check_axis_value <- function(axis, value, call) {
  switch(axis,
    hidden = check_hidden(value, call),
    landmarks = check_landmarks(value, "rvfl", call),
    activation = check_activation(value, length(value), call),
    init = check_init(value, call),
    marginal = check_choice(value, marginal_names, axis, call),
    bias = check_choice(value, bias_names, axis, call),
    align = check_choice(value, alignments, axis, call),
    scale = check_scale(value, NULL, call),
    spread = check_scale(NULL, value, call),
    strength = check_strength(value, NULL, call),
    rounds = check_rounds(value, call),
    inputs = check_inputs(value, call),
    standardize = check_standardize(value, call),
    direct = , intercept = , per_feature = check_flag(value, axis, call),
    check_count(value, axis, call)
  )
}

# All arguments of all models that are values to try.
grid_arguments <- setdiff(
  unique(unlist(lapply(model_names, function(model) names(model_arguments(model))))),
  c("criterion", "case_weights", "na_action", "seed", "threads", "keep_data", "checkpoint")
)

#' @rdname cawi_grid
#' @export
cawi_grid_paper <- function(model = "rvfl", ...) {
  check_dots(rlang::enquos(...))
  model <- check_choice(model, searched_models, "model")
  # Deep networks of the authors' circle: up to ten layers of 100 nodes, penalties in powers of two.
  depths <- lapply(1:10, function(layers) rep(100L, layers))
  switch(models[[model]]$layers,
    one = cawi_grid(lambda = 10^(-6:6), hidden = seq(3L, 203L, by = 20L),
                    activation = activation_names, scale = 1, inputs = NA),
    deep = cawi_grid(lambda = 2^(-12:12), hidden = depths, activation = activation_names,
                     scale = 1, inputs = NA),
    broad = cawi_grid(lambda = 10^(-6:6), nodes = seq(1L, 21L, by = 2L),
                      windows = seq(5L, 50L, by = 5L), enhancement = seq(5L, 105L, by = 10L),
                      activation = "sigmoid", scale = 1, inputs = NA)
  )
}

# The grid with "auto" spelled out. An argument is either in the grid or fixed.
complete_grid <- function(grid, model, fixed, call) {
  if (is.null(grid)) grid <- default_grid(model, fixed)
  if (inherits(grid, "cawi_grid")) check_grid_object(grid, "grid", call)
  if (!inherits(grid, "cawi_grid")) {
    message <- "{.arg grid} must be a {.fn cawi_grid}, not {.obj_type_friendly {grid}}."
    abort_argument("grid", message, call)
  }
  unfit <- setdiff(names(grid), names(model_arguments(model)))
  if (length(unfit) > 0L) {
    message <- "{.arg grid} has {.arg {unfit}}, which the model {.val {model}} does not."
    abort_argument("grid", message, call)
  }
  twice <- intersect(attr(grid, "given"), names(fixed))
  if (length(twice) > 0L) {
    arg <- twice[1L]
    abort_argument(arg, "{.arg {arg}} is in {.arg grid} and fixed: give it once.", call)
  }
  axes <- unclass(grid)
  if (is.matrix(fixed$lambda)) {
    abort_argument("lambda", "{.arg lambda} must be a vector of values to try.", call)
  }
  if (!is.null(fixed$lambda)) axes$lambda <- check_lambda(fixed$lambda, call)
  completed <- automatic_axes(axes, fixed)
  if (identical(completed, unclass(grid))) grid else do.call(cawi_grid, completed)
}

# init = "auto" tries every distribution of the weights, unless the likelihood of the features is to
# choose; scale = "auto" tries spreads.
automatic_axes <- function(axes, fixed) {
  likelihood <- identical(fixed$criterion, "likelihood")
  asked <- identical(fixed$init, "auto") || any(vapply(axes$init, identical, logical(1), "auto"))
  if (asked && !likelihood) {
    given <- Filter(function(init) !is.character(init), axes$init)
    axes$init <- if (length(given) == 0L) auto_inits else unique(c(as.list(auto_inits), given))
  }
  if (identical(axes$strength, "auto") || identical(fixed$strength, "auto")) {
    infinite <- has_infinite(unlist(axes$hidden %||% fixed$hidden))
    axes$strength <- common_strengths(axes$init %||% fixed$init, infinite)
  }
  if (identical(axes$scale, "auto") || identical(fixed$scale, "auto")) {
    axes$scale <- NULL
    if (is.null(axes$spread)) axes$spread <- auto_spreads
  }
  axes
}

# The strengths that all of some distributions of the weights have.
common_strengths <- function(inits, infinite = FALSE) {
  if (is.character(inits)) inits <- as.list(inits)
  if (!is.list(inits) || inherits(inits, "cawi_copula")) inits <- list(inits)
  family <- vapply(inits, function(init) init_family(init %||% "iid"), "")
  family <- intersect(family, c(init_families, "gradient"))
  strengths <- function(family) {
    known <- family_strengths(family)
    if (infinite) limit_strengths(known, family) else known
  }
  Reduce(intersect, lapply(family, strengths), auto_strengths)
}

# What cawi_tune() tries when nothing is said.
default_grid <- function(model, fixed) {
  axes <- list(activation = c("sigmoid", "sine", "radbas", "relu"), spread = auto_spreads)
  counts <- c(25L, 50L, 100L, 200L, 400L)
  axes <- c(axes, switch(models[[model]]$layers,
    one = list(hidden = counts),
    deep = list(hidden = lapply(1:4, function(layers) rep(100L, layers))),
    broad = list(enhancement = counts)
  ))
  # What is fixed is not tried; a fixed scale leaves no spread to try.
  if (!is.null(fixed$scale)) axes$spread <- NULL
  do.call(cawi_grid, axes[setdiff(names(axes), names(fixed))])
}

#' @export
as.data.frame.cawi_grid <- function(x, row.names = NULL, optional = FALSE, ...) {
  # R's own functions that make data frames say these.
  check_dots(rlang::enquos(...), c("stringsAsFactors", "make.names", "cut.names", "col.names"))
  check_grid_object(x)
  check_memory(8 * length(x) * prod(lengths(x)))
  sound(x, "x", {
    index <- expand.grid(lapply(unclass(x), seq_along), KEEP.OUT.ATTRS = FALSE)
    as.data.frame(lapply(names(x), function(axis) shown_values(x[[axis]])[index[[axis]]]),
                  col.names = names(x))
  })
}

is_axis <- function(x) (is.atomic(x) || is.list(x)) && is.null(dim(x)) && length(x) > 0L

# An edited or damaged grid.
check_grid_object <- function(x, arg = "x", call = caller_env()) {
  check_data_only(x, arg, call)
  problem <- grid_problem(x)
  if (!is.null(problem)) abort_argument(arg, "{.arg {arg}} is damaged: {problem}.", call)
}

grid_problem <- function(x) {
  axes <- unclass(x)
  names <- names(axes)
  if (!is.list(axes) || is.null(names) || anyNA(names) || anyDuplicated(names)) {
    "its axes have no names"
  } else if (!all(names %in% grid_arguments)) {
    "it has an axis that no model has"
  } else if (!all(vapply(axes, is_axis, logical(1)))) {
    "an axis has no values"
  } else if (!is.numeric(axes$lambda) || !all(is.finite(axes$lambda)) || any(axes$lambda < 0)) {
    "its penalties are no numbers from 0"
  } else {
    axes_problem(axes)
  }
}

# A sound grid is made of its axes again as it is.
axes_problem <- function(axes) {
  again <- tryCatch(unclass(do.call(cawi_grid, axes)), error = function(e) NULL)
  if (is.null(again)) {
    "an axis has a value that no model takes"
  } else if (!identical(again[names(again)], axes[names(axes)])) {
    "the values of an axis are not distinct, or not in order"
  }
}

# Values of an axis as they stand in a table: numbers of nodes per layer as text.
shown_values <- function(values) {
  if (!is.list(values)) return(values)
  text <- vapply(values, function(value) {
    if (is_given(value)) return("given")
    if (inherits(value, "cawi_copula")) value$family else paste(value, collapse = "+")
  }, character(1))
  # Several of one kind are told apart by their number.
  number <- stats::ave(seq_along(text), text, FUN = seq_along)
  ifelse(number > 1L, paste0(text, " (", number, ")"), text)
}

#' @export
print.cawi_grid <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_grid_object(x)
  cat(sprintf("<cawi_grid> %s combinations\n",
              format(prod(lengths(x)), big.mark = ",", decimal.mark = ".")))
  for (axis in names(x)) {
    values <- shown_values(x[[axis]])
    text <- if (is.numeric(values)) {
      format(signif(values, 3), trim = TRUE, drop0trailing = TRUE)
    } else {
      format(values)
    }
    if (length(text) > 13L) text <- c(text[1:6], "...", text[length(text) - 1:0])
    line <- sprintf("%s: %s", axis, paste(trimws(text), collapse = ", "))
    cat(strwrap(line, indent = 2L, exdent = 4L), sep = "\n")
  }
  invisible(x)
}
