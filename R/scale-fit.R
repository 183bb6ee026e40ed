# A fit to a source: the first pass, a network from its sample, the second pass, and a readout from
# its sums.

fit_source <- function(model, asked, source, given, call) {
  fit_source_parts(model, asked, source, given, call)$object
}

# The model, with the errors of the penalties that it chose from.
fit_source_parts <- function(model, asked, source, given, call) {
  if (isTRUE(given$keep_data)) {
    abort_argument("keep_data", "Rows of a {.cls cawi_source} cannot be kept.", call)
  }
  spec <- new_spec(model, given, call)
  asked$na_action <- spec$na_action
  if (isFALSE(asked$intercept)) spec$intercept <- no_intercept(given$given_intercept, call)
  run <- new_run(given$seed, given$threads, call)
  signature <- run_signature(spec, asked, source, given$seed)
  shards <- length(source$shards)
  checkpoint <- new_checkpoint(given$checkpoint, signature, run$seed, shards, call)
  if (!is.null(checkpoint)) run$seed <- checkpoint$content$seed
  passes <- list(source = source, checkpoint = checkpoint, asked = asked)
  clock <- clock_seconds()
  surveyed <- read_pass(source, survey_pass(asked, source, run$seed), run, NULL, checkpoint)
  passes$known <- lapply(surveyed, function(shard) shard["checksums"])
  learned <- learn_sample(surveyed, passes, spec, run)
  key_checkpoint(checkpoint, network_hash(learned$object))
  drawn <- clock_seconds()
  sums <- summed_passes(learned$object, passes, run)
  solved <- readouts_from_sums(learned$object, sums$sums, learned$object$spec$lambda, run,
                               sums$errors)
  object <- finish_source(learned, solved, passes, run)
  object$seconds <- c(weights = drawn - clock, readout = clock_seconds() - drawn)
  remove_checkpoint(checkpoint)
  list(object = object, errors = solved$errors, targets = learned$data$targets)
}

# The network of the sampled rows, with the moments of all rows, in a model without readouts.
learn_sample <- function(surveyed, passes, spec, run) {
  survey <- merge_surveys(lapply(surveyed, function(shard) shard$state), passes$source$sample,
                          run$call)
  sampled <- sample_frame(survey, run$call)
  weigh <- function(columns) sampled$case_weights
  input <- new_input(passes$asked$x, sampled$frame, weigh, run$call)
  molded <- input$mold(spec$na_action, NULL)
  check_row_response(passes$asked$x, molded$preprocessor$response, sampled$frame, run$call)
  data <- sampled_data(molded, sampled, survey, spec, run)
  spec$class_weights <- source_class_weights(spec$class_weights, data$targets, survey, run$call)
  data$targets <- weigh_classes(data$targets, spec$class_weights)
  key_checkpoint(passes$checkpoint, data$x, data$targets)
  moments <- source_moments(data, survey, passes, spec, run)
  data$targets <- with_units(data$targets, moments$response, spec$intercept)
  check_two_rows(data$x, "data", run$call)
  check_fit_memory(Inf, data$targets$outputs, spec, ncol(data$x), run$call)
  run$moments <- moments$features
  if (leaves_choice(spec)) spec <- choose_spec(data$x, data$targets, spec, run)
  network <- fitted_network(data$x, data$targets, spec, run)
  warn_constant_features(network, colnames(data$x), run$call)
  object <- source_model(network, data, spec, survey, run)
  list(object = object, data = data, survey = survey)
}

# A response that takes a mean, say, of all rows would have that of the sample.
check_row_response <- function(formula, rule, frame, call) {
  if (!inherits(formula, "formula") || is.null(rule) || isTRUE(rule$plain) || nrow(frame) < 4L) {
    return(invisible())
  }
  part <- column_rows(as.list(frame), seq_len(nrow(frame) %/% 2L))
  values <- function(code, scope) plain_column(eval(code, part, scope))
  alike <- isTRUE(rule$by_row) && tryCatch(
    same_values(values(formula[[2L]], environment(formula)), values(rule$call, formula_scope())),
    error = function(e) FALSE
  )
  if (alike) return(invisible())
  label <- rule$label
  message <- "The response {.code {label}} of a row depends on the other rows of the source."
  abort_argument("formula", c(message, i = "Compute it before the rows are read."), call)
}

# The sampled rows with their targets, without those that only brought a level.
sampled_data <- function(molded, sampled, survey, spec, run) {
  usable <- intersect(learnable_rows(molded, spec$na_action), which(molded$ids <= sampled$rows))
  if (length(usable) == 0L) {
    abort_argument("data", "The sample of the source has no complete row.", run$call)
  }
  molded <- subset_molded(molded, usable)
  if (is.null(sample_weights(survey))) molded["case_weights"] <- list(NULL)
  targets <- new_targets(molded, nrow(molded$x), run$call, seen_classes(molded$y, survey, run$call))
  list(x = molded$x, targets = targets, preprocessor = molded$preprocessor,
       fold = sampled$fold[molded$ids])
}

# All classes that any row has, in the order of their levels; NULL for numbers. A response that a
# formula computes has the classes of the sample.
seen_classes <- function(y, survey, call) {
  y <- typed_response(if (is.data.frame(y) && ncol(y) == 1L) y[[1L]] else y, "y", call)
  plain <- length(survey$response) == 1L && survey$response %in% names(survey$levels)
  if (!is.factor(y) || !plain) return(NULL)
  counts <- survey$levels[[survey$response]]
  classes <- levels(y)[levels(y) %in% counts$level[counts$weight > 0]]
  if (length(classes) < 2L) {
    message <- "The response must have at least two classes, not {length(classes)}."
    abort_argument("y", message, call)
  }
  classes
}

# Balanced ones are of all rows, which a sample by case weights does not tell.
source_class_weights <- function(class_weights, targets, survey, call) {
  counts <- survey$levels[[survey$response[1L]]]
  known <- length(survey$response) == 1L && !is.null(counts) && !is.null(targets$levels)
  if (!identical(class_weights, "balanced") || !known) {
    return(resolve_class_weights(class_weights, targets, call))
  }
  own <- counts$weight[match(targets$levels, counts$level)]
  stats::setNames(sum(own) / (length(own) * own), targets$levels)
}

with_units <- function(targets, moments, intercept) {
  if (targets$task != "regression") return(targets)
  if (intercept) {
    targets$center <- moments$mean
    targets$sd <- ifelse(moments$sd > 0, moments$sd, 1)
  } else {
    size <- pmax(abs(moments$mean), moments$sd)
    targets$sd <- ifelse(size > 0, size * sqrt((moments$mean / size)^2 + (moments$sd / size)^2), 1)
  }
  targets
}

# A model that knows all but its readouts.
source_model <- function(network, data, spec, survey, run) {
  targets <- data$targets
  targets$rows <- survey$rows
  parts <- list(spec = spec, network = network, preprocessor = data$preprocessor, seed = run$seed,
                readouts = list(), feature_names = colnames(data$x), data = NULL,
                seconds = c(weights = 0, readout = 0), loo = NULL, calibration = NULL)
  object <- new_cawi_model(parts, targets)
  object$weighted <- isTRUE(survey$weighted)
  object
}

# Sums of every readout and fold over all rows, and, with a third pass, leave-one-out errors.
summed_passes <- function(object, passes, run) {
  source <- passes$source
  learner <- new_learner(object, passes$asked, source$folds, run$seed)
  shards <- read_pass(source, sums_pass(learner), run, passes$known, passes$checkpoint)
  states <- Filter(Negate(is.null), lapply(shards, function(shard) shard$state))
  sums <- Reduce(merge_statistics, states)
  seconds <- attr(shards, "seconds")
  if (!source$loo) return(list(sums = sums, seconds = seconds))
  path <- lambda_path(object$spec$lambda, object_targets(object), run$call)
  pass <- loo_pass(learner, total_sums(sums), path)
  shards <- read_pass(source, pass, run, passes$known, passes$checkpoint)
  errors <- Reduce(add_errors, lapply(shards, function(shard) shard$state))
  list(sums = sums, errors = errors, seconds = seconds + attr(shards, "seconds"))
}

# What the readouts need to know of the response.
object_targets <- function(object) {
  list(task = object$task, outputs = object$outputs, rows = object$nobs, levels = object$levels,
       center = object$outcome$center, sd = object$outcome$sd)
}

# The readouts, and what held-out rows of the sample say of them.
finish_source <- function(learned, solved, passes, run) {
  object <- learned$object
  object$readouts <- solved$readouts
  object$lambda <- chosen_lambda(object$readouts)
  left_out <- fold_left_out(solved, learned$data, object, run)
  object["loo"] <- list(held_out_summary(left_out, passes$source))
  object["calibration"] <- list(calibrate(left_out))
  object$source <- list(rows = learned$survey$read, shards = length(passes$source$shards),
                        folds = passes$source$folds, loo = passes$source$loo, held_out = left_out)
  object
}

held_out_summary <- function(left_out, source) {
  summary <- loo_summary(left_out)
  if (is.null(summary)) return(NULL)
  summary$text <- sub("of the rows)", sprintf("sampled rows, %d folds)", as.integer(source$folds)),
                      summary$text, fixed = TRUE)
  summary
}
