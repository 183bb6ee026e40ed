# scale, strength and init = "auto": candidates are compared by their exact leave-one-out squared
# error at their best lambda.

# The spec with the choice made, and the table of what was tried as `choice`.
choose_spec <- function(x, targets, spec, run) {
  if (is_gradient(spec)) return(choose_gradient(x, targets, spec, run))
  data <- choice_rows(x, targets, spec)
  any_init <- identical(spec$init, "auto") && spec$criterion == "loo"
  inits <- if (any_init) as.list(auto_inits) else list(spec$init)
  spreads <- if (identical(spec$scale, "auto")) auto_spreads else NA
  step <- progress_steps(length(inits), "Choosing weights")
  on.exit(step(done = TRUE))
  tried <- lapply(inits, function(init) {
    spec$init <- fitted_init(data$x, data$targets$case_weights, init, run)
    ways <- expand.grid(spread = spreads, strength = tried_strengths(spec))
    errors <- Map(function(spread, strength) {
      candidate_error(data, with_spread(replace(spec, "strength", strength), spread), run)
    }, ways$spread, ways$strength)
    step()
    do.call(rbind, errors)
  })
  table <- do.call(rbind, tried)
  best <- table[which.min(table$rmse), ]
  if (length(inits) > 1L) spec$init <- best$init
  spec$strength <- best$strength
  spec <- with_spread(spec, best$spread)
  spec$choice <- table
  spec
}

# A strength, or a number of rounds, is chosen on a sample of many rows: it is one number, and the
# readout that is then fitted to all rows costs more than the choice.
choice_limit <- 6000L
choice_sample <- 4000L

choice_rows <- function(x, targets, spec) {
  some <- identical(spec$strength, "auto") || chooses_metric(spec)
  if (!some || nrow(x) <= choice_limit) {
    return(list(x = x, targets = targets))
  }
  rows <- row_sample(nrow(x), choice_sample, targets$case_weights)
  part <- subset_targets(targets, rows)
  # Rows were drawn by their case weights.
  part["case_weights"] <- list(NULL)
  list(x = x[rows, , drop = FALSE], targets = part)
}

# The strengths that the distribution of the weights has; only one where it has no dependence.
tried_strengths <- function(spec) {
  if (!identical(spec$strength, "auto")) return(spec$strength)
  family <- if (inherits(spec$init, "cawi_copula")) spec$init$family else init_family(spec$init)
  strengths <- family_strengths(family)
  if (is_infinite(spec)) limit_strengths(strengths, family) else strengths
}

family_strengths <- function(family) {
  if (!family %in% c(init_families, "gradient")) return(1)
  range <- strength_range(family)
  auto_strengths[auto_strengths >= range[1L] & auto_strengths <= range[2L]]
}

with_spread <- function(spec, spread) {
  if (is.na(spread)) return(spec)
  spec["scale"] <- list(NULL)
  spec$spread <- spread
  spec
}

candidate_error <- function(data, spec, run) {
  targets <- data$targets
  network <- draw_network(data$x, targets$case_weights, spec, run)
  path <- lambda_path(spec$lambda, targets, run$call)
  losses <- nest_losses(data$x, targets, network, list(spec$hidden), path$values, run$threads)
  weight <- total_weight(targets)
  best <- best_penalty(losses, 1L, weight, path)
  classes <- targets$task == "classification"
  data.frame(
    init = init_family(spec$init), strength = spec$strength,
    spread = if (is.null(spec$spread)) NA_real_ else spec$spread,
    lambda = mean(best$lambda), rmse = sqrt(best$error) * error_unit(targets),
    accuracy = if (classes) losses$sum$hit[best$at] / weight else NA_real_
  )
}

# The penalties of least squared error of one member, one per numeric output, and that error. Given
# penalties, one per output, leave nothing to choose.
best_penalty <- function(losses, member, weight, path) {
  error <- if (is.null(losses$outputs)) {
    losses$sum$squared[, member, drop = FALSE]
  } else {
    matrix(losses$outputs[, member, ], nrow = dim(losses$outputs)[1L])
  }
  at <- if (is.null(path$lambda)) {
    apply(error, 2L, last_least)
  } else {
    rep_len(match(path$lambda, path$values), ncol(error))
  }
  list(at = at, lambda = path$values[at], error = mean(error[cbind(at, seq_along(at))]) / weight)
}

# The largest penalty among equals.
last_least <- function(error) length(error) + 1L - which.min(rev(error))
