# The members of an automatic model: which candidates are averaged, with which shares, and their
# fits.

least_share <- 0.02

# Candidates that were never added are no members. Before any data they have shares by their own
# errors, which count as much as some rows: nearly equal ones, unless some are far better.
select_members <- function(search, results, prior_rows = 0) {
  y <- target_matrix(search$targets)
  scores <- lapply(results, function(result) result$scores / length(result$draws))
  products <- score_products(scores, y, row_weights(search$targets))
  share <- shares_of(products)
  prior <- prior_rows / (prior_rows + total_weight(search$targets))
  share <- (1 - prior) * share + prior * error_shares(products, member_counts(search, results))
  # A member with next to no share costs as much as any other when it predicts.
  share <- without_small(share)
  list(results = results, share = share, scores = average_of(scores, share))
}

# Step by step adds the candidate that lowers the leave-one-out squared error of the average most.
greedy_shares <- function(scores, y, weight) shares_of(score_products(scores, y, weight))

# A ridge regression counts for this many members before any data: beyond the training rows, of
# which leave-one-out says little, it errs least.
linear_count <- 4

member_counts <- function(search, results) {
  linear <- vapply(results, function(result) identical(as.numeric(result$hidden), 0), logical(1))
  ifelse(linear & is.null(search$targets$classes), linear_count, 1)
}

# In proportion to one over the squared error of each.
error_shares <- function(products, count = 1) {
  error <- products$own - 2 * products$response + diag(products$among)
  # Rounding leaves no less than this of an error that is zero.
  part <- count / pmax(error, 1e-12 * products$own, 1e-300)
  part / sum(part)
}

without_small <- function(share) {
  share[share < least_share] <- 0
  share / sum(share)
}

# Products of all scores with each other and with the response say all about their averages.
score_products <- function(scores, y, weight) {
  columns <- vapply(scores, as.vector, numeric(length(y)))
  dim(columns) <- c(length(y), length(scores))
  weight <- rep(weight, ncol(y))
  list(among = crossprod(columns, weight * columns),
       response = drop(crossprod(columns, weight * as.vector(y))),
       own = sum(weight * as.vector(y)^2))
}

shares_of <- function(products, steps = 20L) {
  count <- numeric(length(products$response))
  own <- diag(products$among)
  for (step in seq_len(steps)) {
    # Squared error of the average with one more, but for what all have.
    total <- drop(products$among %*% count)
    error <- (sum(count * total) + 2 * total + own) / step^2 -
      2 * (sum(count * products$response) + products$response) / step
    count[which.min(error)] <- count[which.min(error)] + 1
  }
  count / steps
}

average_of <- function(scores, share) Reduce(`+`, Map(`*`, scores, share))

# With few rows the best of many networks by leave-one-out is mostly the luckiest. A ridge
# regression without nodes has the share that `linear_rows` rows would have beside the data; chosen
# on 35 other sets of 16 to 1,000 rows.
linear_rows <- 20

with_linear_member <- function(search, chosen) {
  if (search$targets$task != "regression" || !"rvfl" %in% search$models) return(chosen)
  linear <- linear_result(search)
  # The rows count less where the others are far better.
  rows <- linear_rows * min(1, score_error(chosen$scores, search$targets) / linear$error)
  share <- rows / (rows + total_weight(search$targets))
  if (!isTRUE(share >= least_share)) return(chosen)
  list(results = c(chosen$results, list(linear)), share = c((1 - share) * chosen$share, share),
       scores = (1 - share) * chosen$scores + share * linear$scores)
}

linear_result <- function(search) {
  trial <- new_trial(finite_candidate(search), check_lambda(NULL, search$run$call), hidden = 0)
  if (is.null(search$relevance)) trial_losses(search, trial) else weighed_line(search, trial)
}

# Where relevance is known, a feature that tells little pays more for its coefficient.
weighed_line <- function(search, trial) {
  targets <- search$targets
  path <- lambda_path(trial$lambdas, targets, search$run$call)
  spec <- candidate_spec(search, trial$candidate, 0, path$values)
  network <- draw_network(search$x, targets$case_weights, spec, search$run)
  network <- weighed_features(network, search$relevance)
  losses <- nest_losses(search$x, targets, network, list(spec$hidden), path$values,
                        search$run$threads, keep = TRUE)
  best <- best_trial(losses, trial, 0, targets, path)
  with_model(search, best, candidate_spec(search, trial$candidate, 0, given_lambda(best)), network)
}

# A trial with the model of all rows, at the penalty that it chose, and its leave-one-out scores,
# unless there are better ones.
with_model <- function(search, trial, spec, network, scores = NULL) {
  fits <- exact_fits_cpp(search$x, network, search$targets, trial$lambda, search$run$threads)
  trial$scores <- scores %||% (Reduce(`+`, lapply(fits, function(fit) fit$scores)) / length(fits))
  model <- searched_model(search, spec, list(
    network = network, lambda = trial$lambda, scores = trial$scores,
    coefficients = lapply(fits, function(fit) fit$coefficients)
  ))
  trial$members <- list(model)
  trial$error <- score_error(trial$scores, search$targets)
  trial$accuracy <- score_accuracy(trial$scores, search$targets)
  trial$rows <- search$targets$rows
  trial
}

# The penalty of a trial as an argument that leaves nothing to choose.
given_lambda <- function(trial) {
  if (length(trial$lambda) > 1L) matrix(trial$lambda, 1L) else trial$lambda
}

# Every draw of every chosen candidate, the largest share first; the models know their share.
fit_members <- function(search, chosen) {
  members <- list()
  for (i in chosen_places(chosen)) {
    result <- chosen$results[[i]]
    fitted <- result$members %||%
      lapply(result$draws, function(draw) fit_member(search, result, draw))
    members <- c(members, fitted)
  }
  members
}

chosen_places <- function(chosen) {
  used <- which(chosen$share > 0)
  used[order(-chosen$share[used])]
}

# Members predict; they are not updated. What only updates need would fill the memory.
fit_member <- function(search, result, draw) {
  lambda <- given_lambda(result)
  spec <- candidate_spec(search, result$candidate, result$hidden, lambda)
  spec$init <- trial_copula(search, new_trial(result$candidate, lambda))
  member <- withCallingHandlers(
    fit_data(search, spec, draw_run(search, draw), keep = FALSE),
    # Said once, for all members.
    cawi_warning_constant = function(w) rlang::cnd_muffle(w)
  )
  member$readouts <- lapply(member$readouts, function(readout) {
    readout[c("statistics", "loo")] <- list(NULL)
    readout
  })
  member
}

# All that is fitted and told: the members on all rows with their shares, the calibration of their
# average, what was tried and what was chosen.
auto_parts <- function(search, screened, chosen) {
  members <- fit_members(search, chosen)
  left_out <- average_left_out(search$targets, chosen$scores)
  used <- chosen_places(chosen)
  results <- chosen$results[used]
  draws <- lengths(lapply(results, function(result) result$draws))
  list(
    members = members, share = rep(chosen$share[used] / draws, draws),
    results = result_table(screened, error_unit(search$targets)),
    chosen = choice_table(results, chosen$share[used], search$targets),
    lambda = lapply(results, function(result) result$lambda),
    loo = loo_summary(left_out), calibration = calibrate(left_out), left_out = left_out$scores
  )
}

# The leave-one-out scores of the average, as left_out_rows() has those of one model.
average_left_out <- function(targets, scores) {
  c(targets[c("classes", "values", "sd")], list(
    scores = as_response(scores, targets), case_weights = row_weights(targets), sampled = FALSE
  ))
}

new_cawi_auto <- function(parts, search, clock) {
  targets <- search$targets
  structure(
    list(
      format = model_format, version = own_version(),
      members = parts$members, share = parts$share, task = targets$task, levels = targets$levels,
      outputs = targets$outputs, output_names = targets$names, outcome = outcome_of(targets),
      nobs = as.double(nrow(search$x)), features = ncol(search$x), seed = search$run$seed,
      results = parts$results, chosen = parts$chosen, lambda = parts$lambda, loo = parts$loo,
      calibration = parts$calibration,
      data = if (keep_x(search$x, search$keep_data)) {
        list(x = search$x, targets = targets, left_out = unname(parts$left_out))
      },
      seconds = elapsed(clock), budget = clock$budget, skipped = clock$skipped, cut = clock$cut,
      arguments = search_arguments(search)
    ),
    class = "cawi_auto"
  )
}

# What was asked for, by the names that cawi_auto() has for it.
search_arguments <- function(search) {
  c(list(hidden = if (search$limit) Inf else search$hidden, models = search$models,
         init = search$inits, draws = search$draws, class_weights = search$class_weights),
    search$fixed)
}

# Columns as in the results of cawi_tune().
result_table <- function(results, unit) {
  table <- do.call(rbind, lapply(results, function(result) {
    rmse <- sqrt(result$error) * unit
    data.frame(result$candidate, hidden = result$hidden, lambda = mean(result$lambda),
               metric = "rmse", mean = rmse, se = NA_real_, rmse = rmse,
               accuracy = result$accuracy)
  }))
  table <- table[order(table$rmse), ]
  rownames(table) <- NULL
  if (all(is.na(table$accuracy))) table$accuracy <- NULL
  table
}

# `alone` is the leave-one-out figure of the member without the others.
choice_table <- function(results, share, targets) {
  table <- do.call(rbind, lapply(results, function(result) {
    left_out <- average_left_out(targets, result$scores / length(result$draws))
    data.frame(result$candidate, hidden = result$hidden, lambda = mean(result$lambda),
               draws = length(result$draws), alone = loo_summary(left_out)$value)
  }))
  table$share <- share
  rownames(table) <- NULL
  table
}
