# From a call to a fitted model: the path that all architectures share.

model_format <- 2L

# Training data up to this many numbers stay in the model, for fitted(), update() and diagnosis.
kept_numbers <- 2e6

# `frame` is the call of one of the model functions.
fit_called <- function(model, frame) {
  given <- called_arguments(model, frame)
  asked <- called_source(frame)
  if (!is.null(asked)) {
    return(keep_generator(rethrow_core_errors(
      fit_source(model, asked[c("x", "case_weights", "intercept")], asked$source, given, frame),
      frame
    )))
  }
  if (!is.null(given$checkpoint)) {
    abort_argument("checkpoint", "{.arg checkpoint} is for rows of a {.cls cawi_source}.", frame)
  }
  spec <- new_spec(model, given, frame)
  input <- called_input(frame)
  if (isFALSE(input$intercept)) spec$intercept <- no_intercept(given$given_intercept, frame)
  keep_generator(rethrow_core_errors({
    data <- usable_data(input, spec$na_action, spec$intercept, frame)
    spec$class_weights <- resolve_class_weights(spec$class_weights, data$targets, frame)
    data$targets <- weigh_classes(data$targets, spec$class_weights)
    fit_usable(data, spec, given, frame)
  }, frame))
}

fit_usable <- function(data, spec, given, call) {
  if (is_sparse_rows(data$x)) check_sparse_fit(data$x, spec, call)
  check_fit_memory(nrow(data$x), data$targets$outputs, spec, ncol(data$x), call)
  run <- new_run(given$seed, given$threads, call)
  run$step <- fit_steps(data, spec)
  on.exit(run$step(done = TRUE))
  keep <- keep_x(data$x, given$keep_data)
  fit_data(data, spec, run, keep)
}

# A fit of this many operations may take a second or more; the bars of smaller ones would cost more
# than they tell.
long_operations <- 4e9

fit_steps <- function(data, spec) {
  nodes <- if (is_infinite(spec)) min(spec$landmarks, nrow(data$x)) else sum(spec$hidden)
  sides <- sort(c(nrow(data$x), nodes + ncol(data$x) + 1))
  # The Gram matrix of the shorter side.
  if (sides[1L]^2 * sides[2L] < long_operations) no_step else progress_steps(3L, "Fitting")
}

# `data` are the rows x with their targets and the preprocessor that made them.
fit_data <- function(data, spec, run, keep) {
  x <- data$x
  targets <- data$targets
  step <- run$step %||% no_step
  clock <- clock_seconds()
  if (leaves_choice(spec)) spec <- choose_spec(x, targets, spec, run)
  network <- fitted_network(x, targets, spec, run)
  warn_constant_features(network, colnames(x), run$call)
  drawn <- clock_seconds()
  step()
  readouts <- fit_readouts(x, network, targets, spec$lambda, run)
  solved <- clock_seconds()
  step()
  left_out <- left_out_rows(readouts, targets)
  parts <- list(
    spec = spec, network = network, preprocessor = data$preprocessor, seed = run$seed,
    readouts = if (keep) readouts else lapply(readouts, without_rows),
    feature_names = colnames(x), data = if (keep) list(x = x, targets = targets),
    seconds = c(weights = drawn - clock, readout = solved - drawn),
    loo = loo_summary(left_out), calibration = calibrate(left_out)
  )
  step()
  new_cawi_model(parts, targets)
}

leaves_choice <- function(spec) {
  identical(spec$scale, "auto") || identical(spec$strength, "auto") || chooses_metric(spec) ||
    (identical(spec$init, "auto") && spec$criterion == "loo")
}

# Has a metric of gradients to choose its rounds or its strength?
chooses_metric <- function(spec) {
  identical(spec$init, "gradient") &&
    (identical(spec$rounds, "auto") || identical(spec$strength, "auto"))
}

keep_x <- function(x, keep_data) {
  if (is.null(keep_data)) length(stored_values(x)) <= kept_numbers else keep_data
}

# Without the training data nothing stays from which they could be told: rows of A and Y become
# sums, or, where those would be larger than any data that are kept, nothing; leave-one-out scores
# leave their summary.
without_rows <- function(readout) {
  if (identical(readout$statistics$kind, "rows")) {
    columns <- ncol(readout$statistics$aa)
    readout["statistics"] <- list(if (columns^2 <= 10 * kept_numbers) as_gram(readout$statistics))
  }
  readout$loo$scores <- NULL
  readout
}

# `parts` are what was fitted; the rest tells what the response was like.
new_cawi_model <- function(parts, targets) {
  structure(
    list(
      format = model_format, version = own_version(),
      spec = parts$spec, network = parts$network, readouts = parts$readouts,
      lambda = chosen_lambda(parts$readouts), task = targets$task, levels = targets$levels,
      outputs = targets$outputs, output_names = targets$names, outcome = outcome_of(targets),
      preprocessor = parts$preprocessor, seed = parts$seed, nobs = as.double(targets$rows),
      feature_names = parts$feature_names, data = parts$data,
      weighted = !is.null(targets$case_weights), seconds = parts$seconds,
      calibration = parts$calibration, loo = parts$loo
    ),
    class = c(paste0("cawi_", parts$spec$model), "cawi_model")
  )
}

# What the response was like: all its levels, or the center and the standard deviation that the sums
# of the readout are in.
outcome_of <- function(targets) {
  if (targets$task == "classification") return(targets$outcome)
  c(targets[c("center", "sd")], list(offset = !is.null(targets$offset)))
}

# One penalty, or one per output; one row per readout where there are several.
chosen_lambda <- function(readouts) {
  lambda <- lapply(readouts, function(readout) readout$lambda)
  if (length(lambda) == 1L) lambda[[1L]] else do.call(rbind, lambda)
}

# What the sums of a fit take, and the products on the way to them.
readout_bytes <- function(rows, columns, outputs) {
  wide <- columns >= rows
  8 * (ifelse(wide, rows * columns * 2 + 4 * rows^2, 5 * columns^2) + columns * outputs)
}

fit_bytes <- function(x, views, outputs) {
  columns <- vapply(views, function(view) as.double(view$width), numeric(1))
  sum(readout_bytes(nrow(x), columns, outputs))
}

check_fit_memory <- function(rows, outputs, spec, inputs, call) {
  if (is_infinite(spec)) return(check_infinite_memory(rows, outputs, spec, inputs, call))
  columns <- sum(spec$hidden) + inputs + 1
  weights <- 8 * sum(spec$hidden * c(inputs, spec$hidden[-length(spec$hidden)]))
  check_memory(readout_bytes(rows, columns, outputs) + weights, call)
}
