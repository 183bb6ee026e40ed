# Importance by permutation: what the loss of predictions grows by where the values of a feature are
# shuffled. Training rows are predicted by the model without them.

# `run` has the largest number of rows, the number of shuffles, the seed, the threads and the call.
permutation_importance <- function(fit, varied, new_data, y, run) {
  judged <- if (is.null(new_data)) {
    if (!is.null(y)) abort_argument("y", "{.arg y} has no use without {.arg new_data}.", run$call)
    judged_training(fit, varied, run)
  } else {
    judged_fresh(fit, varied, new_data, y, run)
  }
  before <- judged$loss(varied$x[judged$kept, , drop = FALSE])
  gains <- lapply(seq_along(varied$features), function(j) {
    feature <- varied$features[[j]]
    after <- lapply(seq_len(run$repeats), function(k) {
      seed <- child_seed_cpp(run$seed, 1000 * j + k)
      values <- feature$values[judged$kept][permutation_cpp(seed, length(judged$kept))]
      judged$loss(varied$vary(feature, values, judged$kept))
    })
    Reduce(`+`, after) / run$repeats - before
  })
  share <- judged$weight / sum(judged$weight)
  mean <- vapply(gains, function(gain) sum(share * gain), 0)
  se <- vapply(gains, function(gain) {
    sqrt(sum(share * (gain - sum(share * gain))^2) / (length(gain) - 1))
  }, 0)
  data.frame(feature = names(varied$features), importance = mean, se = se)
}

# Which rows are judged, their weights, and the losses of what stands in their place.
judged_training <- function(fit, varied, run) {
  targets <- varied$targets
  exact <- !inherits(fit, "cawi_auto") || targets$rows <= joint_rows
  sample <- varied_sample(varied, min(run$most, jackknife_rows))
  jackknife <- if (exact) {
    new_jackknife(fit, list(x = varied$x, targets = targets), run$threads, run$call, sample)
  }
  part <- subset_targets(targets, sample$kept)
  c(sample, list(loss = function(x) {
    scores <- part_scores(fit, x, run$threads)
    if (exact) scores <- scores - own_shift(jackknife, x, run$threads)
    prediction_losses(fit, scores, part)
  }))
}

judged_fresh <- function(fit, varied, new_data, y, run) {
  if (is.null(y)) y <- tryCatch(
    response_of(data_source(fit)$preprocessor, new_data, "new_data", run$call),
    cawi_error = function(e) NULL
  )
  if (is.null(y)) {
    abort_argument("y", "{.arg y} must be the response of {.arg new_data}.", run$call)
  }
  check_response_rows(y, NROW(new_data), "y", run$call)
  complete <- which(rowSums(is.na(forge_new_data(data_source(fit), new_data)$x)) == 0)
  sample <- varied_sample(varied, run$most)
  given <- list(y = response_rows(y, complete[sample$kept]), offset = varied$offset[sample$kept])
  targets <- row_targets(fit, given, length(sample$kept), "y", run$call)
  if (length(targets$levels) > length(fit$levels)) {
    abort_argument("y", "{.arg y} has classes that the training data did not have.", run$call)
  }
  c(sample, list(loss = function(x) {
    prediction_losses(fit, part_scores(fit, x, run$threads), targets)
  }))
}

# Squared errors in standard deviations, as a mean over outputs, or the log-loss.
prediction_losses <- function(fit, scores, targets) {
  if (fit$task == "regression") {
    return(rowMeans(sweep(targets$values - scores, 2L, fit$outcome$sd, `/`)^2))
  }
  prob <- if (is.null(fit$calibration)) {
    exp(log_softmax(scores))
  } else {
    apply_calibration(fit$calibration, scores)
  }
  -log(pmax(prob[cbind(seq_len(nrow(prob)), targets$classes)], 1e-15))
}
