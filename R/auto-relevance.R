# How much each feature alone tells of a numeric response. The infinite members weigh features by
# it: with few rows a distance in which all features count the same is mostly one of features that
# do not matter.

# What a feature that tells nothing counts beside one that tells all.
least_relevance <- 0.02

# Factors of the weights with mean square one, as a layer has them; a constant feature has none.
# NULL for classes, and with many rows, where features that matter only together are seen to.
feature_relevance <- function(search) {
  if (!few_numbers(search)) return(NULL)
  targets <- search$targets
  weight <- row_weights(targets) / total_weight(targets)
  x <- standard_ranks(search, search$x, targets)
  y <- standard_ranks(search, target_matrix(targets), targets)
  known <- colSums(x^2) > 0
  if (!any(known)) return(NULL)
  told <- rowMeans(told_share(x, y, weight))
  relevance <- ifelse(known, pmax(told, least_relevance), 0)
  relevance / sqrt(mean(relevance[known]^2))
}

standard_ranks <- function(search, x, targets) {
  spec <- candidate_spec(search, limit_candidates(search)[[1L]], Inf, 1)
  spec$standardize <- "ranks"
  layer_input_cpp(x, empty_network(x, targets$case_weights, spec, search$run), 0L)
}

# The share of the variance of each column of `y` that a parabola of each column of `x` explains,
# all of them with mean zero and variance one.
told_share <- function(x, y, weight) {
  skewness <- colSums(weight * x^3)
  bend <- x^2 - 1 - sweep(x, 2L, skewness, `*`)
  size <- colSums(weight * bend^2)
  bend[, size < 1e-8] <- 0
  crossprod(x, weight * y)^2 + crossprod(bend, weight * y)^2 / pmax(size, 1e-8)
}

# Smooth functions, of normal weights, need it less than Cauchy weights do, whose kernel falls
# steeply with the distance of every feature.
with_relevance <- function(network, relevance, spec) {
  if (is.null(relevance) || spec$marginal == "normal") return(network)
  # Direct links read the features, too: one that tells little pays more for its coefficient.
  if (spec$direct) return(weighed_features(network, relevance))
  layer <- network$layers[[1L]]
  layer$relevance <- relevance
  layer$kernel$metric <- kernel_metric(layer)
  network$layers[[1L]] <- layer
  network
}

# All that a network reads, times its relevance.
weighed_features <- function(network, relevance) {
  network$sd <- network$sd / relevance
  network$relevance <- relevance
  network
}
