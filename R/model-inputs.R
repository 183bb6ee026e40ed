# The four kinds of input of every model lead here, each with the name of the model and the arguments
# of the user.

abort_input <- function(x, call) {
  abort_argument(
    "x",
    "{.arg x} must be a formula, data frame, numeric matrix or recipe, not {.obj_type_friendly {x}}.",
    call
  )
}

# For calls that name it: formula = y ~ ., data = data.
formula_by_name <- function(fit, arguments, call = caller_env()) {
  if (is.null(arguments$formula)) abort_argument("x", "{.arg x} is missing.", call)
  do.call(fit, c(list(arguments$formula), arguments[names(arguments) != "formula"]))
}

model_from_matrix <- function(model, x, y, arguments, call = caller_env()) {
  fit_arguments(model, matrix_input(x, y, call), arguments, call)
}
model_from_frame <- function(model, x, y, arguments, call = caller_env()) {
  fit_arguments(model, frame_input(x, y, call), arguments, call)
}
model_from_formula <- function(model, formula, data, arguments, call = caller_env()) {
  fit_arguments(model, formula_input(formula, data, call), arguments, call)
}
model_from_recipe <- function(model, recipe, data, arguments, call = caller_env()) {
  fit_arguments(model, recipe_input(recipe, data, call), arguments, call)
}

# An input is the response, the number of rows, and two functions: mold(na_action, rows) learns the
# preprocessing from some of the rows (NULL: from all) and gives their matrix; forge(preprocessor,
# na_action, rows) gives the matrix of others. So nothing is learnt from rows that are held out.

matrix_input <- function(x, y, call) {
  if (missing(y)) abort_argument("y", "{.arg y} is missing.", call)
  pick <- function(rows) if (is.null(rows)) x else x[rows, , drop = FALSE]
  list(
    y = y, rows = nrow(x), columns = colnames(x),
    mold = function(na_action, rows = NULL) mold_matrix(pick(rows), na_action, call),
    forge = function(preprocessor, na_action, rows) {
      handle_missing(as_numeric_matrix(pick(rows), "x", call), na_action, preprocessor$fill, "x", call)
    }
  )
}

frame_input <- function(x, y, call) {
  if (missing(y)) abort_argument("y", "{.arg y} is missing.", call)
  if (ncol(x) > 0L && all(vapply(x, is.numeric, logical(1)))) return(matrix_input(as.matrix(x), y, call))
  x <- as.data.frame(x)
  mold <- function(rows) {
    hardhat::mold(plain_columns(x[rows, , drop = FALSE]), seq_along(rows), blueprint = hardhat::default_xy_blueprint())
  }
  molded_input(x, mold, mold(seq_len(nrow(x))), y, fixed = !has_text(x), call)
}

formula_input <- function(formula, data, call) {
  if (missing(data)) abort_argument("data", "{.arg data} is missing.", call)
  if (!is.data.frame(data)) {
    abort_argument("data", "{.arg data} must be a data frame, not {.obj_type_friendly {data}}.", call)
  }
  if (nrow(data) == 0L) abort_argument("data", "{.arg data} must have rows.", call)
  if (length(formula) != 3L) abort_argument("formula", "{.arg formula} names no response.", call)
  data <- as.data.frame(data)
  mold <- function(rows) mold_formula(formula, data[rows, , drop = FALSE], call)
  all <- mold(seq_len(nrow(data)))
  # Plain columns are what they are; scale(x) or poly(x, 2) depend on the rows they see.
  plain <- all(all$terms %in% names(data)) && !has_text(data[intersect(all$terms, names(data))])
  molded_input(data, mold, all, only_outcome(all, call), plain, call)
}

mold_formula <- function(formula, data, call) {
  blueprint <- hardhat::default_formula_blueprint(indicators = "none")
  data <- plain_columns(data, keep = all.vars(formula[[2L]]))
  molded <- mold_or_abort(hardhat::mold(formula, data, blueprint = blueprint), "formula", call)
  # hardhat puts factors last; the order of the formula is the one users know.
  molded$terms <- gsub("`", "", attr(stats::terms(formula, data = data), "term.labels"))
  molded$predictors <- molded$predictors[order(match(names(molded$predictors), molded$terms))]
  molded
}

# A recipe may learn anything from the rows it sees.
recipe_input <- function(recipe, data, call) {
  if (missing(data)) abort_argument("data", "{.arg data} is missing.", call)
  mold <- function(rows) mold_or_abort(hardhat::mold(recipe, data[rows, , drop = FALSE]), "x", call)
  all <- mold_or_abort(hardhat::mold(recipe, data), "x", call)
  molded_input(data, mold, all, only_outcome(all, call), fixed = FALSE, call)
}

# Text has no levels before its rows are seen.
has_text <- function(data) any(vapply(data, is.character, logical(1)))

# What hardhat molds: once for all parts where the rows make no difference, else anew from each training
# part.
molded_input <- function(data, mold, all, y, fixed, call) {
  predictors <- as.data.frame(all$predictors)
  list(
    y = y, rows = nrow(predictors), columns = names(predictors),
    mold = function(na_action, rows = NULL) {
      if (is.null(rows)) return(mold_frame(predictors, all$blueprint, na_action, call))
      if (fixed) return(mold_frame(predictors[rows, , drop = FALSE], all$blueprint, na_action, call))
      part <- mold(rows)
      mold_frame(part$predictors, part$blueprint, na_action, call)
    },
    forge = function(preprocessor, na_action, rows) {
      x <- if (fixed) {
        encode(preprocessor$encoder, predictors[rows, , drop = FALSE], "x", call, unseen = na_action == "impute")
      } else {
        forge_frame(preprocessor, as.data.frame(data)[rows, , drop = FALSE], na_action, "x", call)
      }
      handle_missing(x, na_action, preprocessor$fill, "x", call)
    }
  )
}

mold_or_abort <- function(expr, arg, call) {
  tryCatch(expr, error = function(e) {
    text <- conditionMessage(e)
    abort_argument(arg, "{.arg {arg}} does not fit {.arg data}: {text}", call)
  })
}

only_outcome <- function(molded, call) {
  outcomes <- as.data.frame(molded$outcomes)
  if (ncol(outcomes) == 0L) abort_argument("x", "{.arg x} names no response.", call)
  if (ncol(outcomes) == 1L) outcomes[[1L]] else outcomes
}

# The kind of input by the class of x; for a formula or a recipe y is the data.
any_input <- function(x, y, call) {
  if (missing(x)) abort_argument("x", "{.arg x} is missing.", call)
  if (inherits(x, "formula") || inherits(x, "recipe")) {
    if (missing(y)) abort_argument("y", "{.arg y} is missing: for a formula or a recipe it is the data.", call)
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
