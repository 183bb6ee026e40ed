# Networks with some hundred nodes, and a ridge regression without any, beside the members with
# infinitely many. They are tried on some rows, and become members only where they lower the error
# of the average by more than chance: with few rows the best of many networks is mostly the
# luckiest.

challenger_hidden <- 200L
challenger_rows <- 2000L

# A challenger joins where the gain over the rows is this many times its standard error.
least_gain <- 2

# What the infinite members do not have: direct links, dependence of the weights, gradients, depth
# and breadth, and steep nodes of one feature, centered at data, which do what the splits of a tree
# do.
challengers <- function(search) {
  base <- finite_candidate(search)
  kinds <- list(
    list(hidden = 0),
    list(activation = "relu"),
    list(activation = "sigmoid", inputs = 1L, spread = 8, bias = "data"),
    list(activation = "radbas", inputs = 2L),
    list(activation = "sigmoid", init = "gaussian", marginal = "normal"),
    list(activation = "sigmoid", init = "gradient", marginal = "normal"),
    list(model = "drvfl", activation = "radbas"),
    list(model = "bls", activation = "sigmoid")
  )
  base$hidden <- challenger_hidden
  found <- lapply(kinds, function(kind) utils::modifyList(base, kind))
  # Where it is a member already, it is no challenger.
  if (has_linear(search)) found <- found[-1L]
  Filter(function(candidate) {
    candidate$model %in% search$models && is_searched(search, candidate$init) &&
      (is.na(candidate$inputs) || candidate$inputs < ncol(search$x)) &&
      (candidate$init == "iid" || ncol(search$x) > 1L)
  }, found)
}

# Gradients are tried where distributions of the weights are not restricted.
is_searched <- function(search, init) {
  init %in% search$inits || (init == "gradient" && setequal(search$inits, auto_inits))
}

finite_candidate <- function(search) {
  list(model = "rvfl", activation = "sigmoid", spread = 1, inputs = NA_integer_, init = "iid",
       bias = "uniform", marginal = search$fixed$marginal %||% "uniform",
       standardize = as.character(search$fixed$standardize %||% TRUE))
}

# Trials of all challengers on the rows of the sample, with their leave-one-out scores.
challenger_trials <- function(search, clock) {
  search$sample <- screening_rows(search, challenger_rows)
  trials <- lapply(challengers(search), function(kind) {
    candidate <- kind[names(kind) != "hidden"]
    trial <- new_trial(candidate, screened_lambdas, screening = TRUE, hidden = kind$hidden)
    trial$keep <- TRUE
    evaluate_trial(search, trial, clock, 0.3)
  })
  Filter(Negate(is.null), trials)
}

# Those that lower the error of the average of the members, one after the other, each time the one
# that lowers it most.
admitted <- function(search, results, trials) {
  rows <- screening_rows(search, challenger_rows)
  targets <- subset_targets(search$targets, rows)
  y <- target_matrix(targets)
  weight <- row_weights(targets)
  members <- length(results)
  scores <- c(lapply(results, function(result) result$scores[rows, , drop = FALSE]),
              lapply(trials, function(trial) trial$scores))
  products <- score_products(scores, y, weight)
  share_among <- function(places) {
    part <- list(among = products$among[places, places, drop = FALSE],
                 response = products$response[places])
    replace(numeric(length(scores)), places, shares_of(part))
  }
  errors <- function(share) {
    used <- which(share > 0)
    weight * rowSums((y - average_of(scores[used], share[used]))^2)
  }
  places <- seq_len(members)
  error <- errors(share_among(places))
  while (length(places) < length(scores)) {
    best <- best_addition(products, places, share_among)
    gain <- error - errors(share_among(c(places, best)))
    if (sum(gain) <= max(0, least_gain * sqrt(sum(gain^2)))) break
    places <- c(places, best)
    error <- error - gain
  }
  trials[places[-seq_len(members)] - members]
}

# The candidate whose share lowers the error most.
best_addition <- function(products, places, share_among) {
  left <- setdiff(seq_along(products$response), places)
  error <- vapply(left, function(place) {
    share <- share_among(c(places, place))
    sum(share * (products$among %*% share)) - 2 * sum(share * products$response)
  }, numeric(1))
  left[which.min(error)]
}

# A challenger on all rows, at the penalty that the sample chose, with its leave-one-out scores.
challenger_result <- function(search, trial) {
  lambda <- given_lambda(trial)
  spec <- candidate_spec(search, trial$candidate, trial$hidden, lambda)
  spec$init <- trial_copula(search, new_trial(trial$candidate, lambda))
  network <- fitted_network(search$x, search$targets, spec, search$run)
  scores <- if (trial$candidate$init == "gradient") {
    again <- new_trial(trial$candidate, lambda, hidden = trial$hidden)
    path <- list(values = trial$lambda[1L])
    gradient_trial(search, again, search[c("x", "targets")], path)$scores
  }
  with_model(search, trial, spec, network, scores)
}
