# One candidate of a search on trial: its networks, drawn and judged by leave-one-out.

# Screening sees some rows and one number of nodes; otherwise all rows are seen and, unless they are
# given, several numbers of nodes. `lambdas` are tried, or, in a matrix with one row, given.
new_trial <- function(candidate, lambdas, screening = FALSE, hidden = NULL, draw = 1L) {
  list(candidate = candidate, lambdas = lambdas, screening = screening,
       hidden = hidden, draw = draw)
}

# NULL where there is no time for it and for the operations that come later, with a share of the
# budget kept in reserve. The first trial of a stage must be made.
evaluate_trial <- function(search, trial, clock, reserve, first = FALSE, later = 0) {
  rows <- if (trial$screening) length(search$sample) else nrow(search$x)
  if (is.null(trial$hidden)) trial$hidden <- tried_hidden(search, trial)
  if (first && !trial$screening) {
    trial$hidden <- affordable_hidden(search, trial$hidden, length(trial$lambdas), clock)
  }
  cost <- nested_operations(search, rows, trial$hidden, length(trial$lambdas))
  if (is.null(known_copula(search, trial))) cost <- cost + copula_operations(rows, ncol(search$x))
  if (!first && !affordable(clock, cost + later, reserve)) return(NULL)
  counted_trial(clock, cost, trial_losses(search, trial))
}

# Scores of every number of nodes are kept for a moment: not too many of them.
tried_hidden <- function(search, trial) {
  if (trial$screening) return(min(screened_hidden, search$hidden))
  largest <- as.integer(search$hidden)
  if (models[[trial$candidate$model]]$layers != "one") return(largest)
  hidden <- sort(unique(c(pmin(c(50L, 100L, 200L, 400L), largest), largest)))
  affordable <- max(1, 1e8 / (3 * nrow(search$x) * search$targets$outputs))
  utils::tail(hidden, max(1L, min(length(hidden), floor(affordable))))
}

trial_losses <- function(search, trial) {
  data <- trial_rows(search, trial)
  targets <- data$targets
  path <- if (length(trial$lambdas) == 1L) {
    list(values = as.vector(trial$lambdas))
  } else {
    lambda_path(trial$lambdas, targets, search$run$call)
  }
  # The widest first, as a nest has its members.
  hidden <- rev(trial$hidden)
  if (trial$candidate$init == "gradient") return(gradient_trial(search, trial, data, path))
  specs <- lapply(hidden, function(count) {
    candidate_spec(search, trial$candidate, count, path$values)
  })
  spec <- specs[[1L]]
  spec$init <- trial_copula(search, trial)
  network <- draw_network(data$x, targets$case_weights, spec, draw_run(search, trial$draw))
  shapes <- lapply(specs, function(spec) spec$hidden)
  losses <- nest_losses(data$x, targets, network, shapes, path$values, search$run$threads,
                        keep = !trial$screening || isTRUE(trial$keep))
  best_trial(losses, trial, hidden, targets, path)
}

# The number of nodes and the penalties with the least error.
best_trial <- function(losses, trial, hidden, targets, path) {
  weight <- total_weight(targets)
  members <- lapply(seq_along(hidden), function(member) best_penalty(losses, member, weight, path))
  at <- which.min(vapply(members, function(member) member$error, numeric(1)))
  best <- members[[at]]
  classes <- targets$task == "classification"
  list(
    candidate = trial$candidate, hidden = hidden[at], tried = trial$hidden, lambda = best$lambda,
    draws = trial$draw, error = best$error, rows = targets$rows,
    accuracy = if (classes) losses$sum$hit[best$at, at] / weight else NA_real_,
    scores = if (!trial$screening || isTRUE(trial$keep)) losses$member_scores(best$at, at)
  )
}

# Leave-one-out of a row is honest only with a metric that has not seen it: each half of the rows is
# judged with the metric that the other half told.
gradient_trial <- function(search, trial, data, path) {
  targets <- data$targets
  run <- draw_run(search, trial$draw)
  spec <- candidate_spec(search, trial$candidate, trial$hidden, path$values)
  half <- seq_len(targets$rows) %% 2L
  scores <- NULL
  for (seen in 0:1) {
    rows <- which(half == seen)
    metric <- learn_metric(data$x[rows, , drop = FALSE], subset_targets(targets, rows), spec, run)
    network <- draw_network(data$x, targets$case_weights, replace(spec, "init", list(metric)), run)
    losses <- nest_losses(data$x, targets, network, list(spec$hidden), path$values, run$threads,
                          keep = TRUE)
    part <- lapply(seq_along(path$values), function(at) losses$member_scores(at, 1L))
    fresh <- half != seen
    scores <- if (is.null(scores)) part else Map(function(s, own) {
      s[fresh, ] <- own[fresh, ]
      s
    }, scores, part)
  }
  error <- vapply(scores, score_error, numeric(1), targets = targets)
  at <- last_least(error)
  list(candidate = trial$candidate, hidden = trial$hidden, tried = trial$hidden,
       lambda = rep(path$values[at], if (targets$task == "regression") targets$outputs else 1L),
       draws = trial$draw, error = error[at], rows = targets$rows,
       accuracy = score_accuracy(scores[[at]], targets), scores = scores[[at]])
}

trial_rows <- function(search, trial) {
  if (!trial$screening) return(search[c("x", "targets")])
  list(x = search$x[search$sample, , drop = FALSE],
       targets = subset_targets(search$targets, search$sample))
}

# Without nodes it is the ridge regression on the features alone.
candidate_spec <- function(search, candidate, hidden, lambda) {
  if (hidden == 0) {
    spec <- candidate_spec(search, candidate, 1, lambda)
    spec[c("hidden", "activation")] <- list(integer(), character())
    return(spec)
  }
  arguments <- c(candidate_shape(candidate$model, hidden),
                 candidate[c("activation", "spread", "bias", "init", "marginal")],
                 list(lambda = lambda, na_action = search$fixed$na_action,
                      standardize = as_standardize(candidate$standardize)))
  if (candidate$init == "gradient") arguments$rounds <- 1
  arguments$inputs <- candidate$inputs
  call <- search$run$call
  new_spec(candidate$model, complete_arguments(candidate$model, arguments, call), call)
}

# Tables have it as text.
as_standardize <- function(text) if (text == "ranks") text else as.logical(text)

# About this many nodes in all, as each architecture has them: two layers, or three where each has a
# readout of its own.
candidate_shape <- function(model, hidden) {
  count <- if (models[[model]]$wiring == "skip") 3L else 2L
  switch(models[[model]]$layers,
    one = list(hidden = hidden),
    deep = list(hidden = rep(max(1, hidden %/% count), count)),
    broad = list(windows = max(1, min(10, hidden %/% 2)), nodes = max(1, hidden %/% 20),
                 enhancement = max(1, hidden %/% 2))
  )
}

# The first draw has the seed of the run, so that a fit with that seed is the same network.
draw_run <- function(search, draw) {
  if (draw == 1L) return(search$run)
  replace(search$run, "seed", child_seed_cpp(search$run$seed, 1000000L + draw))
}

# Each copula is fitted once to the screened rows and once to all.
trial_copula <- function(search, trial) {
  copula <- known_copula(search, trial)
  if (is.null(copula)) {
    data <- trial_rows(search, trial)
    copula <- fitted_init(data$x, data$targets$case_weights, trial$candidate$init, search$run)
    assign(copula_key(search, trial), copula, envir = search$copulas)
  }
  copula
}

known_copula <- function(search, trial) {
  init <- trial$candidate$init
  if (init %in% c("iid", "gradient")) init else search$copulas[[copula_key(search, trial)]]
}

copula_key <- function(search, trial) {
  paste(trial$candidate$init, trial$screening && length(search$sample) < nrow(search$x))
}
