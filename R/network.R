# The frozen part of a model: centre and scale of the inputs, then layer by layer the copula of the
# layer's input, weight columns drawn from it, and biases.

# Rows that the copulas are fitted to: enough for tau to two digits, few enough to cost little.
copula_rows <- 5000L

draw_network <- function(x, weights, spec, seed, threads, call) {
  network <- empty_network(x, weights, spec, threads)
  sample <- network_sample(x, weights)
  for (layer in seq_along(spec$hidden)) {
    network$layers[[layer]] <- draw_layer(sample, network, spec, layer, seed, threads, call)
  }
  network
}

# A column that is constant in training, such as the indicator of a level that no row has, tells nothing about what its
# other values do: divided by an infinite scale it is zero for all rows, also for those to come.
empty_network <- function(x, weights, spec, threads) {
  moments <- column_moments_cpp(x, weights, threads)
  constant <- moments$sd == 0
  network <- list(
    center = if (spec$standardize) moments$mean else numeric(ncol(x)),
    scale = if (spec$standardize) moments$sd else rep(1, ncol(x)),
    layers = list(), wiring = spec$wiring, direct = spec$direct, intercept = spec$intercept
  )
  network$scale[constant] <- Inf
  network
}

warn_constant_features <- function(network, names, call) {
  constant <- which(is.infinite(network$scale))
  if (length(constant) == 0L) return(invisible())
  columns <- if (is.null(names)) paste(constant) else names[constant]
  if (length(columns) == length(network$scale)) {
    return(warn_topic("constant", "All features are constant in the training data: none gets weights.", call))
  }
  warn_topic(
    "constant",
    paste("{cli::qty(length(columns))}Feature{?s} {.val {columns}} {?is/are} constant in the training data",
          "and get{?s/} no weights."), call
  )
}

# Draws for many specs: those of one layer that differ in its activation alone are drawn once.
network_drawer <- function(x, weights, seed, threads, call) {
  known <- new.env()
  function(spec) {
    activation <- spec$activation
    if (length(spec$hidden) > 1L) return(draw_network(x, weights, spec, seed, threads, call))
    spec$activation <- NULL
    if (!identical(spec, known$spec)) {
      known$network <- draw_network(x, weights, c(spec, list(activation = activation)), seed, threads, call)
      known$spec <- spec
    }
    network <- known$network
    network$layers[[1L]]$activation <- activation
    network
  }
}

network_sample <- function(x, weights = NULL) {
  rows <- row_sample(nrow(x), copula_rows, weights)
  if (identical(rows, seq_len(nrow(x)))) x else x[rows, , drop = FALSE]
}

# Numbers of at most `size` rows, the same ones each time. A row with weight two comes twice; where there would be too
# many rows, or weights are not whole, `size` rows are taken in even steps along the sum of the weights, which makes
# the weights their probabilities.
row_sample <- function(rows, size, weights = NULL) {
  if (!is.null(weights) && all(weights == weights[1L]) && weights[1L] < 2) weights <- NULL
  if (is.null(weights)) {
    if (rows <= size) return(seq_len(rows))
    return(sort(permutation_cpp(0, rows)[seq_len(size)]))
  }
  total <- sum(weights)
  if (total <= size && all(weights == round(weights))) return(rep(seq_len(rows), weights))
  steps <- (seq_len(size) - 0.5) / size * total
  pmin(findInterval(steps, cumsum(weights), left.open = TRUE) + 1L, rows)
}

draw_layer <- function(sample, network, spec, layer, seed, threads, call) {
  copula <- layer_copula(sample, network, spec, layer, threads, call)
  input <- function(rows) layer_input_cpp(sample[rows, , drop = FALSE], network, layer - 1L)
  factor <- layer_factor(copula, spec, layer, seed, input, nrow(sample), threads)
  c(draw_nodes(copula, spec$hidden[layer], spec, factor, layer, seed, input, nrow(sample), threads),
    list(activation = spec$activation[layer], copula = copula, factor = factor))
}

# Layers and purposes have seeds of their own, so that a wider layer keeps its leading nodes and
# leaves the other layers as they are.
draw_nodes <- function(copula, nodes, spec, factor, layer, seed, input, rows, threads) {
  weights <- layer_weights(copula, nodes, spec, factor, layer, seed, threads)
  b_seed <- child_seed_cpp(seed, 2L * layer + 1L)
  bias <- simulate_cpp(core_list("independence", 1L), nodes, b_seed, 1L)[, 1L]
  if (spec$bias == "data") {
    # A layer that has grown since is read as far as its copula knew it.
    centres <- input(1L + as.integer(bias * rows))[, seq_len(nrow(weights)), drop = FALSE]
    bias <- -rowSums(centres * t(weights))
  }
  list(weights = weights, bias = bias)
}

layer_weights <- function(copula, nodes, spec, factor, layer, seed, threads) {
  weights <- weights_cpp(copula, nodes, spec$marginal, factor, child_seed_cpp(seed, 2L * layer), threads)
  if (is.null(spec$inputs)) return(weights)
  keep_inputs_cpp(weights, spec$inputs, child_seed_cpp(seed, 1000L + layer))
}

# A wanted spread is reached in the mean over the law of the weights, not over the nodes at hand: two
# hundred draws of the same stream stand for it, so that a wider layer keeps its leading nodes.
layer_factor <- function(copula, spec, layer, seed, input, rows, threads) {
  if (is.null(spec$spread)) return(spec$scale)
  some <- if (rows > 500L) round(seq(1, rows, length.out = 500L)) else seq_len(rows)
  pre <- input(some) %*% layer_weights(copula, 200L, spec, 1, layer, seed, threads)
  rms <- sqrt(mean(pre^2))
  if (rms > 0) spec$spread / rms else spec$spread
}

layer_copula <- function(sample, network, spec, layer, threads, call) {
  width <- layer_width(network, layer, ncol(sample))
  family <- init_family(spec$init)
  if (family == "iid" || (layer > 1L && spec$align == "first")) {
    return(new_cawi_copula("independence", width))
  }
  if (layer == 1L && inherits(spec$init, "cawi_copula")) return(given_copula(spec$init, width, call))
  input <- if (layer == 1L) sample else layer_input_cpp(sample, network, layer - 1L)
  fit_layer_copula(input, family, threads, quiet = layer > 1L)
}

# Deeper layers follow the family that was asked for, even where the first had to be independent.
init_family <- function(init) {
  if (is.character(init)) return(init)
  if (is.null(init$requested)) init$family else init$requested
}

layer_width <- function(network, layer, inputs) {
  if (layer == 1L) return(inputs)
  before <- length(network$layers[[layer - 1L]]$bias)
  if (network$wiring == "skip") before + inputs else before
}

given_copula <- function(copula, width, call) {
  if (copula$dim != width) {
    abort_argument(
      "init", "The copula given as {.arg init} has dimension {copula$dim}, but there are {width} features.",
      call
    )
  }
  copula
}

# Straight to the estimates: the input is checked already, and constant features are common in real
# tables and harmless here. Deeper layers fall back to independence without a warning; summary()
# names the family of every layer.
fit_layer_copula <- function(input, family, threads, quiet) {
  selection <- if (family == "auto") cawi_select(input, threads = threads)
  if (family == "auto") family <- selection$family[1L]
  sample <- copula_sample(input, FALSE, threads)
  # Five hundred rows tell the degrees of freedom as well as draws can use them.
  if (nrow(input) > 500L) sample$x <- input[round(seq(1, nrow(input), length.out = 500L)), , drop = FALSE]
  fit <- fit_family(sample, family, "itau", "draws", threads)
  if (fit$family != family && is.finite(mean_tau(sample)) && !quiet) {
    # A plain condition: composing a rich message would cost more than the fit.
    warning(structure(
      class = c("cawi_warning_independence", "cawi_warning", "warning", "condition"),
      list(message = paste0("The mean tau of the features is not positive, as ", family,
                            " copulas need: drawing independent weights."), call = NULL)
    ))
  }
  copula <- new_cawi_copula(fit$family, ncol(input), theta = fit$theta, cor = fit$cor, df = fit$df,
                            nobs = nrow(input), method = "itau", requested = family)
  copula$selection <- selection
  copula
}

network_columns <- function(network) {
  (if (network$direct) length(network$center) else 0L) +
    sum(vapply(network$layers, function(layer) length(layer$bias), integer(1))) +
    as.integer(network$intercept)
}

# Columns of A that each readout sees: all, or for an ensemble x, one layer and the ones.
readout_columns <- function(network) {
  if (network$wiring != "skip") return(list(NULL))
  inputs <- if (network$direct) seq_along(network$center) else integer()
  widths <- vapply(network$layers, function(layer) length(layer$bias), integer(1))
  last <- length(inputs) + cumsum(widths)
  ones <- if (network$intercept) length(inputs) + sum(widths) + 1L
  lapply(seq_along(widths), function(l) {
    as.integer(c(inputs, seq(last[l] - widths[l] + 1L, last[l]), ones))
  })
}
