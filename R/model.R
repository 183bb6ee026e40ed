# From data to a fitted model: the part that all architectures share.

model_format <- 1L

# Training data up to this many numbers stay in the model, for fitted(), update() and diagnosis.
kept_numbers <- 2e6

fit_model <- function(molded, y, spec, weights, seed, threads, keep_data, call) {
  threads <- resolve_threads(threads, call)
  seed <- resolve_seed(seed, call)
  x <- molded$x
  weights <- check_weights(weights, nrow(x), call)
  targets <- new_targets(y, nrow(x), weights, call = call)
  rows <- usable_rows(x, weights, call)
  if (length(rows) < nrow(x)) {
    x <- x[rows, , drop = FALSE]
    targets <- drop_lost_levels(subset_targets(targets, rows), call)
  }
  check_two_rows(x, "x", call)
  fit_targets(x, targets, spec, molded$preprocessor, seed, threads, keep_x(x, keep_data), call)
}

# The same from rows and targets that are ready.
fit_targets <- function(x, targets, spec, preprocessor, seed, threads, keep, call) {
  clock <- proc.time()[["elapsed"]]
  spec <- choose_spec(x, targets, spec, seed, threads, call)
  network <- draw_network(x, spec, seed, threads, call)
  drawn <- proc.time()[["elapsed"]]
  readouts <- lapply(readout_columns(network), function(columns) {
    fit_readout(x, network, columns, targets, spec$lambda, threads, call)
  })
  solved <- proc.time()[["elapsed"]]
  object <- new_cawi_model(spec, network, readouts, targets, preprocessor, seed,
                           x = if (keep) x, names = colnames(x),
                           seconds = c(weights = drawn - clock, readout = solved - drawn))
  object$temperature <- calibrate(object, targets)
  object
}

keep_x <- function(x, keep_data) if (is.null(keep_data)) length(x) <= kept_numbers else keep_data

# Rows without weight are out; so are incomplete rows under na_action = "omit".
usable_rows <- function(x, weights, call) {
  usable <- if (is.finite(sum(x))) rep(TRUE, nrow(x)) else rowSums(is.na(x)) == 0
  if (!is.null(weights)) usable <- usable & weights > 0
  if (!any(usable)) abort_argument("x", "{.arg x} has no complete row with positive weight.", call)
  which(usable)
}

drop_lost_levels <- function(targets, call) {
  if (is.null(targets$classes)) return(targets)
  y <- factor(targets$levels[targets$classes], targets$levels)
  fresh <- class_targets(y, NULL, call)
  fresh$weights <- targets$weights
  fresh
}

new_cawi_model <- function(spec, network, readouts, targets, preprocessor, seed, x, names, seconds) {
  structure(
    list(
      format = model_format, spec = spec, network = network, readouts = readouts,
      task = targets$task, levels = targets$levels, outputs = targets$outputs,
      output_names = targets$names, preprocessor = preprocessor, seed = seed, nobs = targets$rows,
      feature_names = names, data = if (!is.null(x)) list(x = x, targets = targets),
      weighted = !is.null(targets$weights), seconds = seconds, temperature = NULL
    ),
    class = c(paste0("cawi_", spec$model), "cawi_model")
  )
}

# Mean of the readouts' scores: one for most models, one a layer for ensembles.
model_scores <- function(object, x, threads) {
  total <- 0
  for (readout in object$readouts) {
    total <- total + scores_cpp(x, object$network, readout$columns, readout$coefficients, threads)
  }
  total / length(object$readouts)
}

# Leave-one-out scores of the rows in loo_rows(), NULL where they were not computed.
loo_scores <- function(object) {
  parts <- lapply(object$readouts, function(readout) readout$loo$scores)
  if (any(vapply(parts, is.null, logical(1)))) return(NULL)
  Reduce(`+`, parts) / length(parts)
}

loo_rows <- function(object) object$readouts[[1L]]$loo$rows

# Probabilities are softmax(temperature * score). The temperature minimises the log-loss of the
# leave-one-out scores; one number, so the most probable class is the class predicted.
calibrate <- function(object, targets) {
  scores <- loo_scores(object)
  if (object$task != "classification" || is.null(scores)) return(NULL)
  part <- subset_targets(targets, loo_rows(object))
  weight <- if (is.null(part$weights)) rep(1, nrow(scores)) else part$weights
  best_temperature_cpp(scores, part$classes, weight)
}

log_softmax <- function(z) {
  z <- z - z[cbind(seq_len(nrow(z)), max.col(z, "first"))]
  z - log(rowSums(exp(z)))
}
