# From data to a fitted model: the part that all architectures share.

model_format <- 2L

# Training data up to this many numbers stay in the model, for fitted(), update() and diagnosis.
kept_numbers <- 2e6

fit_input <- function(input, spec, given, call) {
  threads <- resolve_threads(given$threads, call)
  data <- usable_data(input, spec$na_action, given$weights, NULL, call)
  check_two_rows(data$x, "x", call)
  check_fit_memory(nrow(data$x), data$targets$outputs, spec, ncol(data$x), call)
  seed <- resolve_seed(given$seed, call)
  fit_targets(data$x, data$targets, spec, data$preprocessor, seed, threads, keep_x(data$x, given$keep_data), call)
}

# Rows of an input (NULL: all) that a model can learn from, as a matrix and targets. Rows without weight are out; so
# are rows with a missing value, also of the response, under na_action = "omit".
usable_data <- function(input, na_action, weights, rows, call) {
  weights <- check_weights(weights, input$rows, call)
  molded <- input$mold(na_action, rows, weights)
  check_weights(molded$weights, nrow(molded$x), call)
  kept <- usable_rows(molded, na_action, call)
  if (length(kept) < nrow(molded$x)) molded <- subset_molded(molded, kept)
  targets <- new_targets(molded$y, nrow(molded$x), molded$weights, call = call, offset = molded$offset)
  list(x = molded$x, targets = targets, preprocessor = molded$preprocessor, ids = molded$ids)
}

usable_rows <- function(molded, na_action, call) {
  usable <- if (is.finite(sum(molded$x))) rep(TRUE, nrow(molded$x)) else rowSums(is.na(molded$x)) == 0
  if (na_action == "omit") usable <- usable & !missing_response(molded$y, nrow(molded$x), molded$offset)
  if (!is.null(molded$weights)) usable <- usable & molded$weights > 0
  if (!any(usable)) {
    text <- if (is.null(molded$weights)) "has no complete row" else "has no complete row with positive weight"
    abort_argument("x", "{.arg x} {text}.", call)
  }
  which(usable)
}

# A response of another length is for new_targets() to refuse.
missing_response <- function(y, rows, offset) {
  lacks <- if (NROW(y) != rows) rep(FALSE, rows) else if (is.null(dim(y))) is.na(y) else rowSums(is.na(y)) > 0
  if (is.null(offset)) lacks else lacks | is.na(offset)
}

subset_molded <- function(molded, rows) {
  molded$x <- molded$x[rows, , drop = FALSE]
  if (NROW(molded$y) >= max(rows)) {
    molded$y <- if (is.null(dim(molded$y))) molded$y[rows] else molded$y[rows, , drop = FALSE]
  }
  molded$weights <- molded$weights[rows]
  molded$offset <- molded$offset[rows]
  molded$ids <- molded$ids[rows]
  molded
}

# The same from rows and targets that are ready.
fit_targets <- function(x, targets, spec, preprocessor, seed, threads, keep, call) {
  clock <- proc.time()[["elapsed"]]
  targets <- scaled_targets(targets, spec$intercept)
  spec <- choose_spec(x, targets, spec, seed, threads, call)
  network <- draw_network(x, targets$weights, spec, seed, threads, call)
  warn_constant_features(network, colnames(x), call)
  drawn <- proc.time()[["elapsed"]]
  labels <- readout_labels(network, colnames(x))
  readouts <- lapply(readout_columns(network), function(columns) {
    rethrow_core_errors(
      fit_readout(x, network, columns, targets, spec$lambda, threads, call), call,
      readout_bytes(nrow(x), network_columns(network), targets$outputs),
      if (is.null(columns)) labels else labels[columns]
    )
  })
  solved <- proc.time()[["elapsed"]]
  object <- new_cawi_model(spec, network, readouts, targets, preprocessor, seed, names = colnames(x),
                           seconds = c(weights = drawn - clock, readout = solved - drawn))
  object$calibration <- calibrate(object, targets)
  object$loo <- loo_of(object, targets)
  if (keep) object$data <- list(x = x, targets = targets) else object$readouts <- lapply(readouts, without_rows)
  object
}

keep_x <- function(x, keep_data) if (is.null(keep_data)) length(x) <= kept_numbers else keep_data

# Without the training data nothing stays from which they could be told: rows of A and Y become sums, or, where those
# would be larger than any data that are kept, nothing; leave-one-out scores leave their summary.
without_rows <- function(readout) {
  if (identical(readout$statistics$kind, "rows")) {
    width <- ncol(readout$statistics$aa)
    readout["statistics"] <- list(if (width^2 <= 10 * kept_numbers) as_gram(readout$statistics))
  }
  readout$loo$scores <- NULL
  readout
}

drop_lost_levels <- function(targets, call) {
  if (is.null(targets$classes)) return(targets)
  y <- factor(targets$levels[targets$classes], targets$levels)
  fresh <- class_targets(y, NULL, call)
  fresh$weights <- targets$weights
  fresh$outcome <- targets$outcome
  fresh
}

new_cawi_model <- function(spec, network, readouts, targets, preprocessor, seed, names, seconds) {
  structure(
    list(
      format = model_format, version = as.character(utils::packageVersion("cawi")), spec = spec, network = network,
      readouts = readouts, lambda = chosen_lambda(readouts), task = targets$task, levels = targets$levels,
      outputs = targets$outputs, output_names = targets$names, outcome = outcome_of(targets),
      preprocessor = preprocessor, seed = seed, nobs = as.double(targets$rows), feature_names = names, data = NULL,
      weighted = !is.null(targets$weights), seconds = seconds, calibration = NULL, loo = NULL
    ),
    class = c(paste0("cawi_", spec$model), "cawi_model")
  )
}

# What the response was like: all its levels, or the center and scale that the sums of the readout are in.
outcome_of <- function(targets) {
  if (targets$task == "classification") return(targets$outcome)
  c(targets[c("center", "sd")], list(offset = !is.null(targets$offset)))
}

# One penalty, or one per output; one row per readout where there are several.
chosen_lambda <- function(readouts) {
  lambda <- lapply(readouts, function(readout) readout$lambda)
  if (length(lambda) == 1L) lambda[[1L]] else do.call(rbind, lambda)
}

# Mean of the readouts' scores: one for most models, one per layer for ensembles.
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

# Leave-one-out error of the model, for an ensemble that of the averaged scores.
loo_of <- function(object, targets) {
  scores <- loo_scores(object)
  if (is.null(scores)) return(NULL)
  rows <- loo_rows(object)
  part <- subset_targets(targets, rows)
  counts <- object$readouts[[1L]]$loo$counts
  if (!is.null(counts)) part$weights <- counts
  loo_summary(scores, part, sampled = length(rows) < targets$rows)
}

# Several outputs have a figure each, in their units, and one for all, in units of their standard deviations.
loo_summary <- function(scores, targets, sampled) {
  weight <- row_weights(targets)
  note <- if (sampled) sprintf(" (on %d of the rows)", nrow(scores)) else ""
  if (targets$task == "classification") {
    accuracy <- sum(weight * (max.col(scores, "first") == targets$classes)) / sum(weight)
    return(list(value = accuracy, name = "accuracy", text = sprintf("accuracy %.4f%s", accuracy, note)))
  }
  gap <- sweep(targets$values - scores, 2L, targets$sd, `/`)
  rmse <- sqrt(colSums(weight * gap^2) / sum(weight))
  list(value = if (length(rmse) == 1L) rmse * targets$sd else sqrt(mean(rmse^2)), name = "rmse",
       outputs = rmse * targets$sd, text = sprintf("RMSE %s%s", number_text(rmse * targets$sd, 4), note))
}
