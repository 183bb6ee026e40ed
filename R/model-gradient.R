# init = "gradient": weights of the first layer that follow the directions in which the scores
# change (Radhakrishnan et al., 2024). A fit with i.i.d. weights has gradients with respect to the
# standardized features; their mean outer product M becomes the covariance of the next draw of the
# weights, and so on for some rounds.
#
# A metric is M as a layer keeps it: a Gaussian copula with the correlations of M, and `relevance`,
# the roots of its diagonal with mean square one, which the rows of the drawn weights are multiplied
# with. So every marginal distribution of the weights can follow it.

new_metric <- function(copula, relevance) {
  structure(list(copula = copula, relevance = relevance), class = "cawi_metric")
}

# That of i.i.d. weights, before the first round.
plain_metric <- function(inputs) new_metric(new_cawi_copula("independence", inputs), NULL)

learn_metric <- function(x, targets, spec, run) {
  metric <- plain_metric(ncol(x))
  for (round in seq_len(spec$rounds)) {
    metric <- fitted_metric(metric_fit(x, targets, metric, spec, run), x, targets, spec$per_feature,
                            run)
  }
  metric
}

# Infinitely many nodes have no gradients of their own: as many as these stand for them.
metric_nodes <- 400L

# One round: a network with weights from the metric so far and its readouts, in the units of the
# core: neither the origin nor the unit of a numeric response matters.
metric_fit <- function(x, targets, metric, spec, run) {
  spec$init <- metric
  if (is_infinite(spec)) spec$hidden <- metric_nodes
  network <- draw_network(x, targets$case_weights, spec, run)
  # The fit that stays says what is to be said.
  readouts <- withCallingHandlers(
    fit_readouts(x, network, targets, spec$lambda, run),
    cawi_warning_singular = function(w) invokeRestart("muffleWarning")
  )
  sd <- if (is.null(targets$sd)) rep(1, targets$outputs) else targets$sd
  center <- if (is.null(targets$center)) numeric(targets$outputs) else targets$center
  coefficients <- Map(function(readout, view) {
    b <- readout$coefficients
    if (view$ones > 0L) b[view$ones, ] <- b[view$ones, ] - center
    sweep(b, 2L, sd, `/`)
  }, readouts, readout_views(network, targets$task))
  list(network = network, coefficients = unname(coefficients))
}

fitted_metric <- function(fit, x, targets, per_feature, run) {
  if (is_sparse_rows(x)) check_sparse_metric(x, run$call)
  product <- gradient_product_cpp(x, fit$network, fit$coefficients, targets$case_weights,
                                  run$threads)
  # Constant features tell nothing: what their weights do to the gradient is an accident.
  known <- is.finite(fit$network$sd)
  product <- shrunk_product(product, known, total_weight(targets))
  size <- mean(diag(product)[known])
  if (!any(known) || !is.finite(size) || size <= 0) return(plain_metric(ncol(x)))
  copula <- new_cawi_copula("independence", ncol(x))
  if (!per_feature && sum(known) > 1L) {
    cor <- diag(ncol(x))
    cor[known, known] <- stats::cov2cor(product[known, known])
    copula <- new_cawi_copula("gaussian", ncol(x), list(cor = tidy_cor(cor)))
  }
  new_metric(copula, sqrt(diag(product) / size))
}

# Few rows say little about many directions: M is pulled toward the identity times its mean
# diagonal, with the weight of `shrunk_rows` rows per feature. Five were about as good as any other
# number from 0 to 300 on 38 data sets of the paper, those at odd places of their index.
shrunk_rows <- 5

shrunk_product <- function(product, known, rows) {
  shrunk <- shrunk_rows * sum(known)
  share <- max(shrunk / (shrunk + rows), 1e-3)
  product <- (1 - share) * product + diag(share * mean(diag(product)[known]), nrow(product))
  product[!known, ] <- product[, !known] <- 0
  product
}

# Rounding leaves the two triangles apart and the diagonal near one.
tidy_cor <- function(cor) {
  cor <- (cor + t(cor)) / 2
  diag(cor) <- 1
  pmin(pmax(cor, -1), 1)
}

# What a layer is drawn from: the metric as far as the strength says, and nothing of it beyond the
# first layer.
metric_distribution <- function(metric, layer, inputs, strength, call) {
  if (layer > 1L || strength == 0 || is.null(metric$relevance)) {
    return(list(copula = new_cawi_copula("independence", inputs)))
  }
  relevance <- metric$relevance^strength
  # Zero stays zero: a constant feature has no relevance.
  relevance <- relevance / sqrt(mean(relevance[relevance > 0]^2))
  list(copula = temper_copula(metric$copula, strength, call), relevance = relevance)
}

# Factors on the rows of the weights. Nodes that read a few features choose them in proportion to
# the squared relevance; only what that choice cannot say is left to the factor.
relevance_factor <- function(relevance, inputs) {
  if (is.null(inputs)) return(relevance)
  chance <- chosen_share(relevance^2, inputs)
  ifelse(chance > 0, relevance / sqrt(chance), 0)
}

# Probabilities in proportion to the shares that add up to a count, none of them above one.
chosen_share <- function(share, count) {
  full <- share < 0
  repeat {
    rest <- max(count - sum(full), 0)
    chance <- ifelse(full, 1, rest * share / max(sum(share[!full]), 1e-300))
    more <- !full & chance >= 1
    if (!any(more)) return(chance)
    full <- full | more
  }
}
