# The four kinds of input of every model lead here, each with the name of the model and the arguments
# of the user.

abort_input <- function(x, call) {
  abort_argument(
    "x",
    c("{.arg x} must be a formula, data frame, numeric matrix or recipe, not {.obj_type_friendly {x}}.",
      i = if (is.numeric(x) && is.null(dim(x))) "{.code cbind(x)} is a matrix with one feature."),
    call
  )
}

# For calls that name it: formula = y ~ ., data = data.
formula_by_name <- function(model, dots, call = caller_env()) {
  if (is.null(dots$formula)) abort_argument("x", "{.arg x} is missing.", call)
  formula <- rlang::eval_tidy(dots$formula)
  if (!inherits(formula, "formula")) {
    abort_argument(
      "formula", "{.arg formula} must be a formula, not {.obj_type_friendly {formula}}.", call
    )
  }
  rest <- dots[setdiff(names(dots), c("formula", "data"))]
  if (any(names(dots) == "")) rest <- c(rest, dots[names(dots) == ""])
  if (is.null(dots$data)) return(model_from_formula(model, formula, , rest, call))
  model_from_formula(model, formula, rlang::eval_tidy(dots$data), rest, call)
}

model_from_matrix <- function(model, x, y, arguments, call = caller_env()) {
  fit_arguments(model, matrix_input(x, y, call), arguments, call)
}
model_from_frame <- function(model, x, y, arguments, call = caller_env()) {
  fit_arguments(model, frame_input(x, y, call), arguments, call)
}
model_from_formula <- function(model, formula, data, dots, call = caller_env()) {
  # A name that is none of the arguments' is told before its value is looked for.
  check_dots(dots, names(model_defaults(model)), call, own = NULL)
  input <- formula_input(formula, data, call)
  fit_arguments(model, input, evaluate_dots(dots, data, call), call)
}
model_from_recipe <- function(model, recipe, data, arguments, call = caller_env()) {
  fit_arguments(model, recipe_input(recipe, data, call), arguments, call)
}

# `x` may be named `formula`, and `y` then `data`, but not both.
check_given_once <- function(dots, x, y, call) {
  if (x && "formula" %in% names(dots)) abort_argument("formula", "{.arg formula} is {.arg x}: give one of them.", call)
  if (y && "data" %in% names(dots)) abort_argument("data", "{.arg data} is {.arg y}: give one of them.", call)
}

# The values of further arguments. Case weights may be a column of the data, as in lm(); any other
# name means what it means where the user wrote it.
evaluate_dots <- function(dots, data, call = caller_env()) {
  masked <- rlang::names2(dots) %in% c("weights", "case_weights")
  columns <- if (is.data.frame(data)) as.list(data)[usable_names(names(data))] else list()
  values <- lapply(seq_along(dots), function(i) {
    expression <- rlang::quo_get_expr(dots[[i]])
    env <- rlang::quo_get_env(dots[[i]])
    if (!masked[i]) return(eval(expression, env))
    arg <- names(dots)[i]
    tryCatch(eval(expression, columns, env), error = function(e) {
      text <- conditionMessage(e)
      abort_argument(arg, "{.arg {arg}} cannot be found: {text}", call)
    })
  })
  stats::setNames(values, names(dots))
}

# An input is a table of features with its response:
#   rows, columns, y   rows of the data, names of the features, response of the rows (with holes)
#   intercept          FALSE where a formula takes it away, else NA
#   mold(na_action, rows, weights)
#                      learns the preprocessing from these rows (NULL: all): x, y, weights and offset
#                      of the rows of the matrix, ids (the row of the data that each came from), and
#                      the preprocessor
#   forge(preprocessor, na_action, rows)
#                      the same for other rows, through that preprocessing
# So nothing is learned from rows that are held out.

matrix_input <- function(x, y, call) {
  if (missing(y)) abort_argument("y", "{.arg y} is missing.", call)
  # Rows that are taken from a 64-bit integer would lose its class.
  if (inherits(x, "integer64")) x <- read_integer64(x)
  y <- plain_response(y)
  pick <- function(rows) if (is.null(rows)) x else x[rows, , drop = FALSE]
  list(
    y = y, rows = nrow(x), columns = colnames(x), intercept = NA,
    mold = function(na_action, rows = NULL, weights = NULL) {
      weights <- weight_rows(weights, nrow(x), rows, call)
      with_rows(mold_matrix(pick(rows), na_action, weights, call), y, rows, nrow(x), weights)
    },
    forge = function(preprocessor, na_action, rows) {
      part <- as_numeric_matrix(pick(rows), "x", call)
      part <- handle_missing(part, na_action, preprocessor$fill, "x", call)
      with_rows(list(x = part), y, rows, nrow(x))
    }
  )
}

frame_input <- function(x, y, call) {
  if (missing(y)) abort_argument("y", "{.arg y} is missing.", call)
  check_shape(nrow(x), length(x), "x", call)
  check_even_frame(x, "x", call)
  is_plain <- function(column) is.numeric(column) && is.null(dim(column)) && !isS4(column)
  plain <- vapply(seq_along(x), function(i) is_plain(.subset2(x, i)), logical(1))
  if (all(plain)) return(matrix_input(as_numeric_matrix(x, "x", call), y, call))
  y <- plain_response(y)
  columns <- plain_columns(x)
  count <- nrow(x)
  list(
    y = y, rows = count, columns = names(x), intercept = NA,
    mold = function(na_action, rows = NULL, weights = NULL) {
      weights <- weight_rows(weights, count, rows, call)
      molded <- plainly(mold_frame(column_rows(columns, rows), names(x), na_action, weights, call))
      with_rows(molded, y, rows, count, weights)
    },
    forge = function(preprocessor, na_action, rows) {
      part <- column_rows(columns, rows)
      forged <- plainly(forge_columns(preprocessor, part, na_action, "x", call))
      with_rows(list(x = forged), y, rows, count)
    }
  )
}

# The kind of input by the class of x; for a formula or a recipe y is the data.
any_input <- function(x, y, call) {
  if (missing(x)) abort_argument("x", "{.arg x} is missing.", call)
  if (inherits(x, "formula") || inherits(x, "recipe")) {
    if (missing(y)) {
      abort_argument(
        "y", "{.arg y} is missing: for a formula or a recipe it is the data.", call
      )
    }
    return(if (inherits(x, "formula")) formula_input(x, y, call) else recipe_input(x, y, call))
  }
  if (is.data.frame(x)) return(frame_input(x, y, call))
  if (is.matrix(x)) return(matrix_input(x, y, call))
  abort_input(x, call)
}

fit_arguments <- function(model, input, arguments, call) {
  arguments <- with_formula_intercept(arguments, input, call)
  given <- complete_arguments(model, arguments, call)
  spec <- spec_of(model, given, call)
  if (!is.null(given$keep_data)) check_flag(given$keep_data, "keep_data", call)
  keep_generator(rethrow_core_errors(fit_input(input, spec, given, call), call))
}

# A formula without intercept is a readout without one.
with_formula_intercept <- function(arguments, input, call) {
  if (!isFALSE(input$intercept)) return(arguments)
  if (isTRUE(arguments$intercept)) {
    abort_argument("intercept", "{.arg intercept} is TRUE, and the formula takes it out.", call)
  }
  arguments$intercept <- FALSE
  arguments
}

complete_arguments <- function(model, arguments, call) {
  defaults <- model_defaults(model)
  check_dots(arguments, names(defaults), call, own = NULL)
  utils::modifyList(defaults, arguments, keep.null = TRUE)
}

spec_of <- function(model, given, call) {
  with_shape(new_spec(model, given, given_shape(model, given, call)$hidden, call), given, call)
}

# The widths of the layers that the arguments ask for.
given_shape <- function(model, given, call) {
  if (model == "bls") return(broad_shape(given, call))
  if (model %in% c("elm", "rvfl") && length(given$hidden) != 1L) {
    abort_argument("hidden", "{.arg hidden} must be one number for this model, not {length(given$hidden)}.", call)
  }
  list(hidden = given$hidden)
}

# A spec with the shape of the arguments.
with_shape <- function(spec, given, call) {
  shape <- given_shape(spec$model, given, call)
  spec$hidden <- check_hidden(shape$hidden, call)
  spec$activation <- check_activation(given$activation, length(spec$hidden), call)
  spec$broad <- shape$broad
  spec
}

model_defaults <- function(model) {
  common <- list(
    hidden = 100L, activation = "sigmoid", init = "iid", criterion = "likelihood",
    marginal = "uniform", scale = 1, spread = NULL, inputs = NULL, bias = "uniform", lambda = NULL,
    direct = TRUE, intercept = TRUE, standardize = TRUE, weights = NULL,
    na_action = "fail", align = "all", seed = NULL, threads = NULL, keep_data = NULL
  )
  switch(model,
    elm = utils::modifyList(common, list(direct = FALSE)),
    rvfl = common,
    drvfl = , edrvfl = utils::modifyList(common, list(hidden = c(100L, 100L, 100L))),
    bls = c(
      utils::modifyList(common[names(common) != "hidden"], list(direct = FALSE)),
      list(windows = 10L, nodes = 10L, enhancement_windows = 1L, enhancement = 100L)
    )
  )
}

# Windows of equal kind are one layer: their nodes are independent draws.
broad_shape <- function(given, call) {
  count <- function(arg) check_count(given[[arg]], arg, call)
  broad <- list(windows = count("windows"), nodes = count("nodes"),
                enhancement_windows = count("enhancement_windows"), enhancement = count("enhancement"))
  check_node_count(broad$windows * broad$nodes, if (broad$nodes > broad$windows) "nodes" else "windows", call)
  larger <- if (broad$enhancement_windows > broad$enhancement) "enhancement_windows" else "enhancement"
  total <- broad$windows * broad$nodes + broad$enhancement_windows * broad$enhancement
  check_node_count(total, larger, call)
  list(
    hidden = c(broad$windows * broad$nodes, broad$enhancement_windows * broad$enhancement),
    broad = broad
  )
}
