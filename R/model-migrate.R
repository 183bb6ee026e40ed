# Models of earlier releases. Each has the number of its format; where it is used, it is brought to
# the format of this release, one step at a time, and predicts what it predicted when it was made.

# The object in the current format. One that cannot be brought there stays as it is, for the checks
# to refuse.
migrated <- function(object, kind) {
  repeat {
    format <- if (is.list(object)) stored_format(unclass(object), kind)
    if (!is_whole(format, 1) || format >= model_format) return(object)
    step <- migrations[[format]][[kind]]
    next_one <- tryCatch(step(object), error = function(e) NULL)
    if (is.null(next_one)) return(object)
    object <- next_one
  }
}

# The first release wrote the format of a tuned model into its fit alone.
stored_format <- function(object, kind) {
  if (kind == "tuned" && is.null(object$format)) unclass(object$fit)$format else object$format
}

# ---- From the format of 0.1.0 ----

model_from_first <- function(object) {
  class <- class(object)
  old <- unclass(object)
  targets <- targets_from_first(old)
  spec <- spec_from_first(old$spec)
  free <- old$task == "regression" && spec$intercept
  readouts <- lapply(old$readouts, readout_from_first, old = old, sd = targets$sd, free = free)
  known <- if (!is.null(targets$rows)) left_out_rows(readouts, targets)
  readouts <- lapply(readouts, error_path, known = known, old = old)
  network <- c(list(center = old$network$center, sd = old$network$scale, ranks = NULL),
               old$network[c("layers", "wiring", "direct", "intercept")])
  new <- list(
    format = 2L, version = "0.1.0", spec = spec, network = network, readouts = readouts,
    lambda = chosen_lambda(readouts), task = old$task, levels = old$levels, outputs = old$outputs,
    output_names = targets$names, outcome = outcome_of(targets),
    preprocessor = preprocessor_from_first(old$preprocessor, length(old$network$center)),
    seed = old$seed, nobs = as.double(old$nobs), feature_names = old$feature_names,
    data = if (!is.null(old$data)) list(x = old$data$x, targets = targets),
    weighted = old$weighted, seconds = old$seconds,
    calibration = temperature_curves(old$temperature, old$outputs), loo = loo_summary(known)
  )
  # A numeric response had its intercept under the penalty: what updates add up is no longer that.
  if (free) new$trimmed <- "sums"
  structure(new, class = class)
}

# The response as targets have it now; without training data only what all rows have in common.
targets_from_first <- function(old) {
  targets <- c(old$data$targets, old[c("task", "outputs", "levels")])
  targets <- targets[unique(names(targets))]
  targets["case_weights"] <- list(old$data$targets$weights)
  targets$weights <- NULL
  several <- old$task == "regression" && old$outputs > 1L
  targets["names"] <- list(
    if (several && is.null(old$output_names)) paste0("y", seq_len(old$outputs)) else
      old$output_names
  )
  if (old$task == "classification") {
    targets$outcome <- list(levels = old$levels, ordered = FALSE)
    return(targets)
  }
  targets[c("center", "sd")] <- list(numeric(old$outputs), rep(1, old$outputs))
  if (is.null(targets$values)) targets else scaled_targets(targets, old$spec$intercept)
}

# Arguments that came later have the values that leave the model as it is: their defaults.
spec_from_first <- function(old) {
  if (!is.null(old$spread)) old["scale"] <- list(NULL)
  given <- utils::modifyList(model_arguments(old$model), c(old, old$broad), keep.null = TRUE)
  spec <- new_spec(old$model, given[setdiff(names(given), "choice")], NULL)
  if (!is.null(old$choice)) spec$choice <- cbind(old$choice, strength = 1)
  spec
}

# Sums are of the response in units of its standard deviation now.
readout_from_first <- function(readout, old, sd, free) {
  statistics <- readout$statistics
  if (!is.null(statistics)) {
    if (!is.null(sd)) statistics$ay <- sweep(statistics$ay, 2L, sd, `/`)
    readout["statistics"] <- list(if (!free) c(statistics, list(ones = 0L)))
  }
  if (old$task == "regression") readout$lambda <- rep(readout$lambda, old$outputs)
  readout
}

# One error per penalty; of several outputs, whose errors were added up, those at the penalty that
# was chosen.
error_path <- function(readout, known, old) {
  if (is.null(known)) {
    readout["loo"] <- list(NULL)
    return(readout)
  }
  loo <- readout$loo
  several <- old$task == "regression" && old$outputs > 1L
  readout$loo$rmse <- if (several) {
    gap <- known$values - loo$scores
    matrix(sqrt(colSums(known$case_weights * gap^2) / sum(known$case_weights)), 1L)
  } else {
    cbind(sqrt(loo$squared_error / (loo$weight * old$outputs)))
  }
  readout
}

# Probabilities were the softmax of all scores at one temperature, however large.
temperature_curves <- function(temperature, classes) {
  if (is.null(temperature)) return(NULL)
  parameters <- cbind(slope = rep(temperature, classes), bend = 0, shift = 0)
  list(parameters = parameters, range = c(-1, 1) * .Machine$double.xmax, unit = 1)
}

# Tables went through a blueprint of hardhat, and then through one rule per column. Where the
# blueprint gives the columns as they are, the rules suffice.
preprocessor_from_first <- function(old, inputs) {
  if (old$kind == "matrix") return(c(old, list(denormal = TRUE)))
  raw <- old$blueprint$ptypes$predictors
  new <- list(rules = unname(Map(rule_from_first, names(old$encoder), old$encoder)), width = inputs)
  plain <- setequal(names(old$encoder), names(raw)) && !inherits(old$blueprint, "recipe_blueprint")
  if (plain) return(c(list(kind = "frame", names = names(old$encoder)), new))
  columns <- Map(function(name, column) {
    rule_from_first(name, list(levels = levels(column)))
  }, names(raw), raw)
  c(list(kind = "hardhat", blueprint = old$blueprint, columns = columns,
         features = names(old$encoder)), new)
}

rule_from_first <- function(name, old) {
  if (is.null(old$levels)) {
    return(list(name = name, kind = "number", integer = FALSE, denormal = TRUE, fill = old$fill))
  }
  list(name = name, kind = "factor", levels = old$levels, ordered = FALSE,
       fill = match(old$fill, old$levels))
}

# New data through a blueprint of the first release.
forge_hardhat <- function(preprocessor, new_data, na_action, arg, call) {
  if (nrow(new_data) == 0L) return(matrix(0, 0L, preprocessor$width))
  columns <- named_columns(new_data, names(preprocessor$columns), arg, call)
  columns <- conform_columns(preprocessor$columns, columns, na_action, arg, call)
  blueprint <- settled_blueprint(preprocessor$blueprint)
  forge <- function() hardhat::forge(columns_frame(columns), blueprint)$predictors
  forged <- tryCatch(forge(), error = function(e) {
    text <- conditionMessage(e)
    abort_argument(arg, "{.arg {arg}} does not fit the training data: {text}", call)
  })
  features <- plain_columns(as.data.frame(forged)[preprocessor$features])
  forge_columns(preprocessor, features, na_action, arg, call)
}

tuned_from_first <- function(object) {
  old <- unclass(object)
  results <- tuned_results_from_first(old$results, old$metric)
  parts <- old$parts
  if (!is.null(parts)) {
    parts <- data.frame(combination = parts$row, parts[c("rep", "fold")], mean = parts[[4L]],
                        metric = old$metric)
  }
  best <- match(old$best$row, results$combination)
  structure(
    list(format = 2L, version = "0.1.0", model = old$model, results = results, parts = parts,
         chosen = results[best, ], best = chosen_arguments(old, old$best$row, NULL),
         fit = model_from_first(old$fit), grid = old$grid, metric = old$metric,
         maximize = old$maximize, resampling = old$resampling, folds = NULL, one_se = old$one_se,
         seed = old$seed, seconds = old$seconds),
    class = "cawi_tuned"
  )
}

tuned_results_from_first <- function(table, metric) {
  axes <- setdiff(names(table), c("row", "columns", "mean", "se", "squared"))
  data.frame(table[axes], combination = table$row, columns = table$columns, metric = metric,
             table[c("mean", "se")], rmse = sqrt(table$squared))
}

# What a member does alone was not kept.
auto_from_first <- function(object) {
  old <- unclass(object)
  later <- function(table) {
    names(table)[names(table) == "width"] <- "hidden"
    cbind(table, marginal = "uniform", standardize = "TRUE")
  }
  results <- later(old$table)
  results[c("metric", "mean", "se")] <- list("rmse", results$rmse, NA_real_)
  targets <- targets_from_first(c(old, list(spec = list(intercept = TRUE))))
  loo <- old$loo
  if (old$task == "regression") {
    loo$outputs <- if (old$outputs == 1L) loo$value else rep(NA_real_, old$outputs)
  }
  structure(
    list(format = 2L, version = "0.1.0", members = lapply(old$members, model_from_first),
         share = old$weights, task = old$task, levels = old$levels, outputs = old$outputs,
         output_names = targets$names, outcome = outcome_of(targets), nobs = as.double(old$nobs),
         features = old$features, seed = old$seed, results = results,
         chosen = cbind(later(old$choice), alone = NA_real_), lambda = as.list(old$choice$lambda),
         loo = loo, calibration = temperature_curves(old$temperature, old$outputs), data = NULL,
         seconds = old$seconds, budget = old$budget, skipped = old$skipped, cut = FALSE),
    class = "cawi_auto"
  )
}

# One entry per earlier format: the steps to the next one.
migrations <- list(
  list(model = model_from_first, tuned = tuned_from_first, auto = auto_from_first)
)
