# An edited or damaged model is caught here, before any C++ runs.

# `problem_of` says what is looked at: everything, or what predictions are made of.
check_model <- function(object, arg = "object", call = caller_env(), problem_of = model_problem) {
  check_given(object, arg, call)
  check_data_only(object, arg, call)
  object <- migrated(object, "model")
  # A check that itself fails, or warns, on a damaged list has found damage too.
  damage <- function(condition) broken_parts
  problem <- tryCatch(problem_of(object), error = damage, warning = damage)
  if (!is.null(problem)) abort_damaged(arg, problem, object, call)
  invisible(object)
}

format_problem <- function(format) {
  if (!is_whole(format, 1)) return("its format is unknown")
  if (format > model_format) "its format is that of a later release" else "its parts do not fit"
}

model_problem <- function(object) {
  problem <- prediction_problem(object)
  if (!is.null(problem)) return(problem)
  chosen <- identical(object$lambda, chosen_lambda(object$readouts))
  problems <- list(if (!chosen) "its figures are missing",
                   spec_problem(object$spec, object$network), loo_problem(object),
                   data_problem(object$data, object), source_problem(object))
  unlist(problems)[1L]
}

# All but what predictions do not read: arguments, leave-one-out figures, training data and the
# copulas of the layers. Checking those takes longer than predicting a row.
prediction_problem <- function(object) {
  if (!inherits(object, "cawi_model") || !is.list(object)) return("it is not a cawi_model")
  if (!identical(object$format, model_format)) return(format_problem(object$format))
  known <- is_word(object$spec$model, model_names) && is_word(object$spec$na_action, na_actions)
  if (!isTRUE(known)) return("its arguments are unknown")
  figures <- is_count(object$nobs) && is_finite_vector(object$lambda) &&
    is_finite_vector(object$seconds, 2L) && all(object$seconds >= 0) &&
    identical(names(object$seconds), c("weights", "readout")) && is_whole(object$seed, 0) &&
    is_flag(object$weighted)
  if (!isTRUE(figures)) return("its figures are missing")
  inputs <- length(object$network$center)
  # Center and deviations of ranks are nothing for the features themselves.
  ranked <- identical(object$spec$standardize, "ranks")
  if (ranked == is.null(object$network$ranks)) return("its scaling is incomplete")
  names <- object$feature_names
  named <- if (is.null(names)) {
    unnamed_features(object$preprocessor)
  } else {
    is.character(names) && length(names) == inputs
  }
  if (!named) return("the names of its features do not fit")
  problems <- list(network_problem(object$network), output_problem(object),
                   preprocessor_problem(object$preprocessor, inputs), readout_problem(object))
  unlist(problems)[1L]
}

# Only the columns of a matrix can be without names.
unnamed_features <- function(preprocessor) {
  is.list(preprocessor) && identical(preprocessor$kind, "matrix") && is.null(preprocessor$names)
}

network_problem <- function(network) {
  if (!is.list(network$layers) || (length(network$layers) == 0L && !isTRUE(network$direct))) {
    return("it has no layers")
  }
  inputs <- length(network$center)
  # The deviation of a constant feature is infinite.
  scaled <- is_finite_vector(network$center) && is.double(network$sd) &&
    length(network$sd) == inputs && !anyNA(network$sd) && all(network$sd > 0)
  ranked <- is.null(network$ranks) || sound_ranks(network$ranks, inputs)
  if (!scaled || !ranked) return("its scaling is incomplete")
  if (!sound_relevance(network$relevance, inputs)) {
    return("the relevance of its features is damaged")
  }
  if (!is_word(network$wiring, c("stacked", "skip"))) return("its wiring is unknown")
  if (!is_flag(network$direct) || !is_flag(network$intercept)) return("its readout is unknown")
  expected <- inputs
  for (layer in network$layers) {
    sized <- is_finite_matrix(layer$weights, expected) &&
      is_finite_vector(layer$bias, ncol(layer$weights))
    if (!sized) return("the sizes of its layers do not fit")
    if (!is_word(layer$activation, activation_names)) return("an activation is unknown")
    limit <- !is.null(layer$kernel) || !is.null(layer$root)
    if (limit && !sound_landmarks(layer)) return("its landmarks are damaged")
    expected <- ncol(layer$weights) + if (network$wiring == "skip") inputs else 0L
  }
  NULL
}

# Arguments that passed the checks of a fit pass them again and come back unchanged, and the network
# is the one that they ask for.
spec_problem <- function(spec, network) {
  unknown <- "its arguments are unknown"
  if (is.function(spec$init) && hides_code(spec$init)) return("its function of weights hides code")
  if (!is_word(spec$model, model_names)) return(unknown)
  layers <- c("hidden", "activation")
  given <- c(spec, spec$broad)
  drawn <- length(network$layers) > 0L
  # A ridge regression without nodes, which only a search makes, has nothing to check.
  if (!drawn) given[layers] <- list(1, activation_names[1L])
  # A trimmed model has no more than the word for weights that were given.
  if (identical(spec$init, "given")) given$init <- "iid"
  again <- tryCatch(new_spec(spec$model, given, NULL), cawi_error = function(e) NULL)
  if (is.null(again)) return(unknown)
  if (!drawn) again[layers] <- list(integer(), character())
  if (identical(spec$init, "given")) again$init <- spec$init
  activation <- vapply(network$layers, function(layer) layer$activation, character(1))
  fits <- identical(again, spec[names(again)]) && identical(spec$activation, activation) &&
    identical(spec$hidden, asked_hidden(network)) && is_choice(spec$choice) &&
    (!is_infinite(spec) || sound_limit(spec, network)) &&
    is_metric_choice(spec$metric_choice) && !chooses_metric(spec) &&
    identical(spec[c("direct", "intercept", "wiring")], network[c("direct", "intercept", "wiring")])
  if (!fits) unknown
}

# The table of what a fit has tried, if it had to choose.
is_choice <- function(table) {
  if (is.null(table)) return(TRUE)
  figures <- c("strength", "spread", "lambda", "rmse")
  is_sound_frame(table, c("init", figures)) && is.character(table$init) &&
    all(vapply(unclass(table)[figures], is.numeric, logical(1)))
}

is_metric_choice <- function(table) {
  if (is.null(table)) return(TRUE)
  columns <- c("rounds", "strength", "rmse", "accuracy")
  is_sound_frame(table, columns) && all(vapply(unclass(table)[columns], is.numeric, logical(1)))
}

# A model whose readouts all have leave-one-out figures has them too; members of an automatic model
# keep only their own.
loo_problem <- function(object) {
  known <- vapply(object$readouts, function(readout) !is.null(readout$loo$rmse), logical(1))
  sound <- if (is.null(object$loo)) {
    !all(known)
  } else {
    sound_loo(object) && (all(known) || is.null(object$data))
  }
  if (!isTRUE(sound)) "its leave-one-out figures are damaged"
}

sound_loo <- function(object) {
  loo <- object$loo
  classes <- object$task == "classification"
  is_string(loo$text) && startsWith(loo$text, if (classes) "accuracy " else "RMSE ") &&
    identical(loo$name, if (classes) "accuracy" else "rmse") && is_finite_vector(loo$value, 1L) &&
    loo$value >= 0 && (classes || (is.double(loo$outputs) && length(loo$outputs) == object$outputs))
}

# The path of errors has one line per penalty; with a single penalty there may be no path.
readout_problem <- function(object) {
  views <- readout_views(object$network, object$task)
  if (!is.list(object$readouts) || length(views) != length(object$readouts)) {
    return("it lacks readouts")
  }
  for (k in seq_along(views)) {
    readout <- object$readouts[[k]]
    path <- readout$loo$rmse
    lambdas <- readout$lambda_path
    along <- is.null(path) || is_error_matrix(path, 1L) ||
      (is_error_matrix(path, length(lambdas)) && is_finite_vector(lambdas))
    if (!along || !sound_path(readout) || !sound_left_out(readout$loo, object)) {
      return("its path is damaged")
    }
    lacks_sums <- is.null(readout$statistics) && !is_trimmed(object, "sums")
    if (lacks_sums && !is.null(object$data)) return("it lacks sums")
    # Sums are of features that a root gives.
    if (!is.null(readout$statistics) && lacks_root(object$network)) return("it lacks a root")
    penalties <- if (object$task == "regression") object$outputs else 1L
    fits <- identical(readout$columns, views[[k]]$columns) &&
      is_finite_matrix(readout$coefficients, views[[k]]$width) &&
      ncol(readout$coefficients) == object$outputs &&
      is_finite_vector(readout$lambda, penalties) && all(readout$lambda >= 0)
    if (!isTRUE(fits)) return("its coefficients do not fit its layers")
  }
  NULL
}

# A member of an automatic model, which is not updated, has coefficients of k(x, Z) itself.
lacks_root <- function(network) {
  any(vapply(network$layers, function(layer) !is.null(layer$kernel) && is.null(layer$root),
             logical(1)))
}

is_error_matrix <- function(x, rows) is_finite_matrix(x, rows) && all(x >= 0)

# The penalties that were tried have the chosen ones among them.
sound_path <- function(readout) {
  path <- readout$lambda_path
  is.null(path) ||
    (is_finite_vector(path) && is.null(dim(path)) && all(readout$lambda %in% path))
}

# Scores of the rows that were left out one by one, where the model keeps its data.
sound_left_out <- function(loo, object) {
  if (is.null(loo$scores)) return(TRUE)
  rows <- length(loo$rows)
  is_finite_matrix(loo$scores, rows) && ncol(loo$scores) == object$outputs &&
    are_row_numbers(loo$rows, object$nobs) &&
    (is.null(loo$counts) || is_finite_vector(loo$counts, rows))
}

# As `%in% seq_len(count)`, without the table that it builds for every prediction.
are_row_numbers <- function(rows, count) {
  is.numeric(rows) && !anyNA(rows) && all(rows >= 1 & rows <= count) &&
    (is.integer(rows) || all(rows == round(rows)))
}

# Where the weights came from, as far as the model still has it.
source_problem <- function(object) {
  if (!sound_trimmed(object)) return("what was trimmed is unknown")
  if (!is.null(object$source) && !is.list(object$source)) return("its source is unknown")
  if (!is_trimmed(object, "sources")) return(layer_copula_problem(object$network))
  named <- vapply(object$network$layers, function(layer) {
    is_word(layer$copula$family, names(families))
  }, logical(1))
  if (!all(named)) "the copula of a layer is damaged"
}

# What more nodes of a layer are drawn from. Inputs that it has got since it was drawn have no place
# in its copula.
layer_copula_problem <- function(network) {
  for (layer in network$layers) {
    drawn_from <- is.null(copula_problem(unclass(layer$copula))) &&
      layer$copula$dim <= nrow(layer$weights)
    if (!isTRUE(drawn_from)) return("the copula of a layer is damaged")
    if (!sound_relevance(layer$relevance, layer$copula$dim)) {
      return("the relevance of a layer's inputs is damaged")
    }
    scaled <- is_finite_vector(layer$factor, 1L) && layer$factor > 0
    if (!scaled) return("the factor on the weights of a layer is damaged")
  }
  NULL
}

# One number per input from zero on, those above zero with mean square one.
sound_relevance <- function(relevance, inputs) {
  if (is.null(relevance)) return(TRUE)
  is_finite_vector(relevance, inputs) && all(relevance >= 0) && any(relevance > 0) &&
    abs(mean(relevance[relevance > 0]^2) - 1) < 1e-8
}

output_problem <- function(object) {
  if (!is_word(object$task, c("classification", "regression"))) return("its task is unknown")
  count <- object$outputs
  if (!is.numeric(count) || length(count) != 1L || is.na(count) || count < 1) {
    return("its outputs are unknown")
  }
  names <- object$output_names
  single <- object$task == "regression" && count == 1L
  named <- if (is.null(names)) {
    single
  } else {
    is.character(names) && length(names) == count && !anyDuplicated(names)
  }
  if (!named) return("its outputs have lost names")
  if (object$task == "regression") return(scaling_problem(object))
  if (!is.character(object$levels) || length(object$levels) != count || anyNA(object$levels) ||
        anyDuplicated(object$levels) || !identical(names, object$levels)) {
    return("its classes do not fit")
  }
  outcome <- object$outcome
  known <- is.character(outcome$levels) && all(object$levels %in% outcome$levels) &&
    !anyDuplicated(outcome$levels) && is_flag(outcome$ordered)
  if (!isTRUE(known)) return("its classes do not fit")
  # Leave-one-out scores are all that a calibration needs. It outlives them in an update.
  calibrated <- if (is.null(object$calibration)) {
    is.null(object$loo)
  } else {
    sound_calibration(object$calibration, count)
  }
  if (!calibrated) "its calibration is damaged"
}

scaling_problem <- function(object) {
  fits <- is_finite_vector(object$outcome$center, object$outputs) &&
    is_finite_vector(object$outcome$sd, object$outputs) && all(object$outcome$sd > 0)
  if (!isTRUE(fits)) "the scale of its response is missing"
}

preprocessor_problem <- function(preprocessor, inputs) {
  kinds <- c("matrix", "frame", "formula", "recipe", "hardhat")
  if (!is.list(preprocessor) || !is_word(preprocessor$kind, kinds)) {
    return("its preprocessing is missing")
  }
  if (preprocessor$kind != "matrix") return(encoding_problem(preprocessor, inputs))
  fill <- preprocessor$fill
  if (!is.null(fill) && (!is.numeric(fill) || length(fill) != inputs)) {
    return("its imputed values do not fit")
  }
  named <- is.null(preprocessor$names) || length(preprocessor$names) == inputs
  fits <- named && identical(as.integer(preprocessor$columns), inputs)
  if (!fits) "its columns do not fit its layers"
}

# The training data, where they are kept.
data_problem <- function(data, object, columns = length(object$network$center)) {
  if (is.null(data)) return(NULL)
  targets <- data$targets
  rows <- nrow(data$x)
  answers <- if (object$task == "regression") {
    is.null(targets$classes) && is_finite_matrix(targets$values, rows) &&
      identical(targets[c("center", "sd")], object$outcome[c("center", "sd")])
  } else {
    is.null(targets$values) && length(targets$classes) == rows &&
      all(targets$classes %in% seq_along(object$levels))
  }
  same <- identical(targets$task, object$task) && identical(targets$levels, object$levels) &&
    identical(as.double(targets$outputs), as.double(object$outputs))
  sound_x <- if (is_sparse_rows(data$x)) {
    is_sound_sparse(data$x) && all_finite(data$x)
  } else {
    is_finite_matrix(data$x, rows)
  }
  fits <- answers && sound_x &&
    ncol(data$x) == columns && rows == object$nobs && same &&
    identical(as.double(targets$rows), as.double(rows)) &&
    is_row_vector(targets$case_weights, rows) && is_row_vector(targets$offset, rows)
  if (!isTRUE(fits)) "its training data do not fit"
}

# One number per row, or none at all.
is_row_vector <- function(x, rows) is.null(x) || is_finite_vector(x, rows)

# Updates need the sums of the readouts as well.
check_statistics <- function(object, call, arg = "object") {
  check_untrimmed(object, "sums", arg, call)
  for (readout in object$readouts) {
    s <- readout$statistics
    if (is.null(s)) {
      message <- paste("{.arg {arg}} has no sums to update: with more columns than rows they",
                       "would be larger than the data.")
      abort_argument(arg, c(message, i = "Fit it with {.code keep_data = TRUE}."), call)
    }
    fits <- holds({
      width <- nrow(readout$coefficients)
      is_word(s$kind, c("gram", "rows")) && is_finite_matrix(s$aa, nrow(s$aa)) &&
        ncol(s$aa) == width &&
        is_finite_matrix(s$ay, nrow(s$aa)) && ncol(s$ay) == object$outputs &&
        (s$kind == "rows" || (nrow(s$aa) == width && isSymmetric(unname(s$aa)))) &&
        identical(as.integer(s$ones), free_ones(object$network, width, object$task))
    })
    if (!fits) {
      message <- "{.arg {arg}} is damaged: the sums that updates need do not fit."
      abort_argument(arg, message, call)
    }
  }
}

sound_calibration <- function(calibration, classes) {
  holds(
    is.list(calibration) && is_finite_matrix(calibration$parameters, classes) &&
      ncol(calibration$parameters) == 3L && is_finite_vector(calibration$range, 2L) &&
      calibration$range[1L] <= calibration$range[2L] && is_finite_vector(calibration$unit, 1L) &&
      calibration$unit > 0 && calibration$unit <= 1
  )
}

# What is wrong with the rules of a damaged model, or NULL.
encoding_problem <- function(preprocessor, inputs) {
  rules <- preprocessor$rules
  if (!is.list(rules) || length(rules) == 0L) return("its encoding is missing")
  if (preprocessor$kind == "formula" && !whole_formula(preprocessor)) {
    return("its formula is incomplete")
  }
  if (preprocessor$kind == "formula" && hides_formula_code(preprocessor)) {
    return("its formula hides code")
  }
  if (preprocessor$kind == "recipe" && hides_recipe_code(preprocessor$recipe)) {
    return("its recipe hides code")
  }
  if (preprocessor$kind == "hardhat" && hides_blueprint_code(preprocessor$blueprint)) {
    return("its blueprint hides code")
  }
  if (preprocessor$kind == "recipe" && !identical(recipe_steps(preprocessor$recipe),
                                                  preprocessor$steps)) {
    return("its recipe is incomplete")
  }
  if (!isTRUE(preprocessor$width == inputs)) "its encoding does not fit its layers"
}

# The steps of a recipe, in order, by their names: a recipe that lost one still bakes.
recipe_steps <- function(recipe) vapply(plain_steps(recipe), function(step) step$class[1L], "")

# Every variable has a rule and is in a term, and no offset is lost.
whole_formula <- function(p) {
  used <- unlist(p$terms)
  is.list(p$terms) && length(p$terms) == length(p$margins) && !anyDuplicated(p$terms) &&
    all(mapply(sound_term, p$terms, p$margins)) && setequal(used, seq_along(p$rules)) &&
    length(p$variables) == length(p$rules) && identical(length(p$terms), p$counts[["terms"]]) &&
    identical(length(p$offsets), p$counts[["offsets"]]) && is_flag(p$all_levels)
}

# A term names each of its variables once: the columns of one that repeats them multiply without
# end.
sound_term <- function(term, margin) {
  is.integer(term) && is.null(dim(term)) && !anyDuplicated(term) && is.logical(margin) &&
    length(margin) == length(term) && !anyNA(margin)
}
