# rounds and strength = "auto" of init = "gradient". Leave-one-out errors after a metric was learned
# are too small, because the metric has seen the row that is left out. So rounds are compared on
# folds: a metric is learned on the other folds, and squared errors are those of the fold.

# Rounds that rounds = "auto" tries, and the number of folds.
auto_rounds <- 0:3
metric_folds <- 5L

# The spec with the choice made, and the table of what was tried as `metric_choice`. A spread is
# chosen for i.i.d. weights, by leave-one-out, and kept: a spread does not depend on the metric.
choose_gradient <- function(x, targets, spec, run) {
  if (identical(spec$scale, "auto")) {
    plain <- utils::modifyList(spec, list(init = "iid", strength = 1))
    plain <- choose_spec(x, targets, plain, run)
    spec <- with_spread(spec, plain$spread)
    spec$choice <- plain$choice
  }
  if (chooses_metric(spec)) choose_metric(x, targets, spec, run) else spec
}

choose_metric <- function(x, targets, spec, run) {
  data <- choice_rows(x, targets, spec)
  # Too few rows to learn anything from parts of them.
  if (data$targets$rows < 2L * metric_folds) {
    if (identical(spec$rounds, "auto")) spec$rounds <- 0
    if (identical(spec$strength, "auto")) spec$strength <- 1
    return(spec)
  }
  table <- metric_table(data, spec, run)
  best <- table[which.min(table$rmse), ]
  spec$rounds <- best$rounds
  spec$strength <- best$strength
  spec$metric_choice <- table
  spec
}

# One line per strength and number of rounds.
metric_table <- function(data, spec, run) {
  targets <- data$targets
  rounds <- if (identical(spec$rounds, "auto")) auto_rounds else spec$rounds
  strengths <- metric_strengths(spec)
  fold <- cawi_folds(truth_values(targets), metric_folds, seed = run$seed)[, 1L]
  step <- progress_steps(length(strengths) * metric_folds, "Choosing gradients")
  on.exit(step(done = TRUE))
  tables <- lapply(strengths, function(strength) {
    spec$strength <- strength
    losses <- lapply(seq_len(metric_folds), function(k) {
      loss <- held_out_losses(data, fold == k, spec, rounds, run)
      step()
      loss
    })
    loss <- Reduce(`+`, losses) / total_weight(targets)
    data.frame(rounds = as.double(rounds), strength = strength,
               rmse = sqrt(loss[, "squared"]) * error_unit(targets), accuracy = loss[, "hit"])
  })
  do.call(rbind, tables)
}

# Without rounds every strength is i.i.d., so that zero need not be tried beside them.
metric_strengths <- function(spec) {
  if (!identical(spec$strength, "auto")) return(spec$strength)
  strengths <- family_strengths("gradient")
  if (identical(spec$rounds, "auto")) setdiff(strengths, 0) else strengths
}

# Sums over the rows of a part that was held out, one line per number of rounds.
held_out_losses <- function(data, held_out, spec, rounds, run) {
  x <- data$x[!held_out, , drop = FALSE]
  targets <- scaled_targets(subset_targets(data$targets, which(!held_out)), spec$intercept)
  fresh <- list(x = data$x[held_out, , drop = FALSE],
                targets = subset_targets(data$targets, which(held_out)))
  losses <- matrix(0, length(rounds), 2L, dimnames = list(NULL, c("squared", "hit")))
  metric <- plain_metric(ncol(x))
  for (round in seq(0, max(rounds))) {
    fit <- metric_fit(x, targets, metric, spec, run)
    if (round %in% rounds) {
      scores <- scores_cpp(fresh$x, fit$network, fit$coefficients, run$threads)
      losses[match(round, rounds), ] <- fresh_losses(as_response(scores, targets), fresh$targets)
    }
    if (round < max(rounds)) {
      metric <- fitted_metric(fit, x, targets, spec$per_feature, run)
    }
  }
  losses
}

# Squared errors in standard deviations of all rows, as a mean over outputs, and hits.
fresh_losses <- function(scores, targets) {
  weight <- row_weights(targets)
  gap <- as.matrix(score_gap(targets, scores))
  if (!is.null(targets$sd)) gap <- sweep(gap, 2L, targets$sd, `/`)
  classes <- targets$classes
  hit <- if (is.null(classes)) NA_real_ else sum(weight * (max.col(scores, "first") == classes))
  c(sum(weight * rowMeans(gap^2)), hit)
}
