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
    spec$init <- fitted_init(x, init, threads)
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
fitted_init <- function(x, init, threads) {
  if (!is.character(init) || init == "iid") return(init)
  copula <- fit_layer_copula(network_sample(x), init, threads, quiet = TRUE)
  # Deeper layers are to choose for themselves.
  if (init == "auto") copula$requested <- "auto"
  copula
}

candidate_error <- function(x, targets, spec, seed, threads, call) {
  network <- draw_network(x, spec, seed, threads, call)
  losses <- family_losses(x, targets, network, list(spec$hidden), spec$lambda, threads)
  weight <- if (is.null(targets$weights)) nrow(x) else sum(targets$weights)
  best <- which.min(losses$sum$squared)
  data.frame(
    init = init_family(spec$init), spread = if (is.null(spec$spread)) NA_real_ else spec$spread,
    lambda = spec$lambda[best], rmse = sqrt(losses$sum$squared[best] / weight),
    accuracy = if (targets$task == "classification") losses$sum$hit[best] / weight else NA_real_
  )
}
