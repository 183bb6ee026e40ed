# The four kinds of input of every model lead here, each with the name of the model and the
# arguments of the user.

abort_input <- function(x, call) {
  abort_argument(
    "x",
    "{.arg x} must be a formula, data frame, numeric matrix or recipe, not {.obj_type_friendly {x}}.",
    call
  )
}

# cawi_rvfl(formula = y ~ ., data = data)
formula_by_name <- function(fit, arguments, call = caller_env()) {
  if (is.null(arguments$formula)) abort_argument("x", "{.arg x} is missing.", call)
  do.call(fit, c(list(arguments$formula), arguments[names(arguments) != "formula"]))
}

model_from_matrix <- function(model, x, y, arguments, call = caller_env()) {
  if (missing(y)) abort_argument("y", "{.arg y} is missing.", call)
  fit_arguments(model, function(na_action) mold_matrix(x, na_action, call), y, arguments, call)
}

model_from_frame <- function(model, x, y, arguments, call = caller_env()) {
  if (missing(y)) abort_argument("y", "{.arg y} is missing.", call)
  if (ncol(x) > 0L && all(vapply(x, is.numeric, logical(1)))) {
    return(model_from_matrix(model, as.matrix(x), y, arguments, call))
  }
  blueprint <- hardhat::default_xy_blueprint()
  molded <- hardhat::mold(plain_columns(as.data.frame(x)), seq_len(nrow(x)), blueprint = blueprint)
  fit_arguments(model, function(na_action) {
    mold_frame(molded$predictors, molded$blueprint, na_action, call)
  }, y, arguments, call)
}

model_from_formula <- function(model, formula, data, arguments, call = caller_env()) {
  if (missing(data)) abort_argument("data", "{.arg data} is missing.", call)
  if (!is.data.frame(data)) {
    abort_argument("data", "{.arg data} must be a data frame, not {.obj_type_friendly {data}}.", call)
  }
  if (nrow(data) == 0L) abort_argument("data", "{.arg data} must have rows.", call)
  blueprint <- hardhat::default_formula_blueprint(indicators = "none")
  if (length(formula) != 3L) abort_argument("formula", "{.arg formula} names no response.", call)
  data <- plain_columns(data, keep = all.vars(formula[[2L]]))
  molded <- mold_or_abort(hardhat::mold(formula, data, blueprint = blueprint), "formula", call)
  # hardhat puts factors last; the order of the formula is the one users know.
  terms <- attr(stats::terms(formula, data = data), "term.labels")
  molded$predictors <- molded$predictors[order(match(names(molded$predictors), gsub("`", "", terms)))]
  fit_molded(model, molded, arguments, call)
}

model_from_recipe <- function(model, recipe, data, arguments, call = caller_env()) {
  if (missing(data)) abort_argument("data", "{.arg data} is missing.", call)
  molded <- mold_or_abort(hardhat::mold(recipe, data), "x", call)
  fit_molded(model, molded, arguments, call)
}

mold_or_abort <- function(expr, arg, call) {
  tryCatch(expr, error = function(e) {
    text <- conditionMessage(e)
    abort_argument(arg, "{.arg {arg}} does not fit {.arg data}: {text}", call)
  })
}

fit_molded <- function(model, molded, arguments, call) {
  outcomes <- as.data.frame(molded$outcomes)
  if (ncol(outcomes) == 0L) abort_argument("x", "{.arg x} names no response.", call)
  y <- if (ncol(outcomes) == 1L) outcomes[[1L]] else outcomes
  fit_arguments(model, function(na_action) {
    mold_frame(molded$predictors, molded$blueprint, na_action, call)
  }, y, arguments, call)
}

# `mold` waits for na_action, which is among the arguments.
fit_arguments <- function(model, mold, y, arguments, call) {
  defaults <- model_defaults(model)
  check_argument_names(arguments, names(defaults), call)
  given <- utils::modifyList(defaults, arguments, keep.null = TRUE)
  shape <- if (model == "bls") broad_shape(given, call) else list(hidden = given$hidden)
  if (model %in% c("elm", "rvfl") && length(given$hidden) != 1L) {
    abort_argument("hidden", "{.arg hidden} must be one number for this model, not {length(given$hidden)}.", call)
  }
  spec <- new_spec(
    model, shape$hidden, given$activation, given$init, given$marginal, given$scale, given$lambda,
    given$direct, given$intercept, given$standardize, given$align, given$na_action, call
  )
  spec$broad <- shape$broad
  if (!is.null(given$keep_data)) check_flag(given$keep_data, "keep_data", call)
  fit_model(mold(spec$na_action), y, spec, given$weights, given$seed, given$threads,
            given$keep_data, call)
}

check_argument_names <- function(arguments, known, call) {
  unknown <- setdiff(names(arguments), known)
  unnamed <- length(arguments) > 0L && (is.null(names(arguments)) || any(names(arguments) == ""))
  if (unnamed) abort_argument("dots", "Arguments after the data must be named.", call)
  if (length(unknown) > 0L) {
    abort_argument(
      "dots", "{cli::qty(length(unknown))}Unknown argument{?s} {.arg {unknown}}; known are {.arg {known}}.", call
    )
  }
}

model_defaults <- function(model) {
  common <- list(
    hidden = 100L, activation = "sigmoid", init = "iid", marginal = "uniform", scale = 1,
    lambda = NULL, direct = TRUE, intercept = TRUE, standardize = TRUE, weights = NULL,
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
  count <- function(arg) check_count(given[[arg]], arg, call, max = 1e5)
  broad <- list(windows = count("windows"), nodes = count("nodes"),
                enhancement_windows = count("enhancement_windows"), enhancement = count("enhancement"))
  list(
    hidden = c(broad$windows * broad$nodes, broad$enhancement_windows * broad$enhancement),
    broad = broad
  )
}
