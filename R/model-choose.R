# scale = "auto" and init = "auto": candidates are compared by their exact leave-one-out squared
# error at their best lambda.

# The spec with the choice made, and the table of what was tried as `choice`.
choose_spec <- function(x, targets, spec, run) {
  any_init <- identical(spec$init, "auto") && spec$criterion == "loo"
  inits <- if (any_init) as.list(auto_inits) else list(spec$init)
  spreads <- if (identical(spec$scale, "auto")) auto_spreads
  tried <- lapply(inits, function(init) {
    spec$init <- fitted_init(x, targets$case_weights, init, run$threads)
    do.call(rbind, lapply(if (is.null(spreads)) NA else spreads, function(spread) {
      candidate_error(x, targets, with_spread(spec, spread), run)
    }))
  })
  table <- do.call(rbind, tried)
  best <- table[which.min(table$rmse), ]
  if (length(inits) > 1L) spec$init <- best$init
  spec <- with_spread(spec, best$spread)
  spec$choice <- table
  spec
}

with_spread <- function(spec, spread) {
  if (is.na(spread)) return(spec)
  spec$scale <- 1
  spec$spread <- spread
  spec
}

candidate_error <- function(x, targets, spec, run) {
  network <- draw_network(x, targets$case_weights, spec, run)
  path <- lambda_path(spec$lambda, targets, run$call)
  losses <- nest_losses(x, targets, network, list(spec$hidden), path$values, run$threads)
  weight <- total_weight(targets)
  best <- best_penalty(losses, 1L, weight, path)
  classes <- targets$task == "classification"
  data.frame(
    init = init_family(spec$init), spread = if (is.null(spec$spread)) NA_real_ else spec$spread,
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
