# scale = "auto" and init = "auto": candidates are compared by their exact leave-one-out squared error
# at their best lambda.

# Standard deviations of the pre-activations that scale = "auto" tries.
auto_spreads <- c(0.25, 0.5, 1, 2, 4)
auto_inits <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")

# The spec with the choice made, and the table of what was tried as `choice`.
choose_spec <- function(x, targets, spec, seed, threads, call) {
  inits <- if (identical(spec$init, "auto") && spec$criterion == "loo") as.list(auto_inits) else list(spec$init)
  spreads <- if (identical(spec$scale, "auto")) auto_spreads
  if (length(inits) == 1L && is.null(spreads)) return(spec)
  tried <- lapply(inits, function(init) {
    spec$init <- fitted_init(x, targets$weights, init, threads)
    do.call(rbind, lapply(if (is.null(spreads)) NA else spreads, function(spread) {
      candidate_error(x, targets, with_spread(spec, spread), seed, threads, call)
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

# The copula of the features, fitted once for all that share it.
fitted_init <- function(x, weights, init, threads) {
  if (!is.character(init) || init == "iid") return(init)
  copula <- fit_layer_copula(network_sample(x, weights), init, threads, quiet = TRUE)
  # Deeper layers are to choose for themselves.
  if (init == "auto") copula$requested <- "auto"
  copula
}

candidate_error <- function(x, targets, spec, seed, threads, call) {
  network <- draw_network(x, targets$weights, spec, seed, threads, call)
  path <- lambda_path(spec$lambda, targets, call)
  losses <- family_losses(x, targets, network, list(spec$hidden), path$values, threads)
  best <- best_penalty(losses, 1L, total_weight(targets), path)
  data.frame(
    init = init_family(spec$init), spread = if (is.null(spec$spread)) NA_real_ else spec$spread,
    lambda = mean(best$lambda), rmse = sqrt(best$error) * error_unit(targets),
    accuracy = if (targets$task == "classification") losses$sum$hit[best$at] / total_weight(targets) else NA_real_
  )
}

# The penalties of least squared error of one member, one per numeric output, and that error. Given penalties, one per
# output, leave nothing to choose.
best_penalty <- function(losses, member, weight, path) {
  error <- if (is.null(losses$outputs)) losses$sum$squared[, member, drop = FALSE] else as_outputs(losses, member)
  at <- if (is.null(path$lambda)) apply(error, 2L, last_least) else rep_len(match(path$lambda, path$values), ncol(error))
  list(at = at, lambda = path$values[at], error = mean(error[cbind(at, seq_along(at))]) / weight)
}

as_outputs <- function(losses, member) {
  matrix(losses$outputs[, member, ], nrow = dim(losses$outputs)[1L])
}

# The largest penalty among equals.
last_least <- function(error) length(error) + 1L - which.min(rev(error))
