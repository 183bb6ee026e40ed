# The frozen part of a model: center and standard deviation of the inputs, then layer by layer the
# copula of the layer's input, weight columns drawn from it, and biases.

# Rows that the copulas are fitted to: enough for tau to two digits, few enough to cost little.
copula_rows <- 5000L

# The network of a spec whose weights may have to learn from the response.
fitted_network <- function(x, targets, spec, run) {
  if (!is_gradient(spec)) return(draw_network(x, targets$case_weights, spec, run))
  if (chooses_metric(spec)) spec <- choose_metric(x, targets, spec, run)
  spec$init <- learn_metric(x, targets, spec, run)
  draw_network(x, targets$case_weights, spec, run)
}

is_gradient <- function(spec) identical(spec$init, "gradient")

draw_network <- function(x, case_weights, spec, run) {
  if (is_sparse_rows(x)) check_sparse_fit(x, spec, run$call)
  network <- empty_network(x, case_weights, spec, run)
  sample <- network_sample(x, case_weights)
  # Made where it is looked at first, and not at all for i.i.d. weights.
  delayedAssign("shuffled", shuffled_rows(dense_sample(sample, run$call), run$seed))
  for (layer in seq_along(spec$hidden)) {
    network$layers[[layer]] <- draw_layer(sample, network, spec, layer, run, shuffled)
  }
  if (is_infinite(spec)) network <- with_landmarks(network, x, case_weights, spec, run)
  network
}

# A column that is constant in training, such as the indicator of a level that no row has, tells
# nothing about what its other values do: divided by an infinite deviation it is zero for all rows,
# also for those to come. A run may know the moments of more rows than these.
empty_network <- function(x, case_weights, spec, run) {
  network <- list(
    center = numeric(ncol(x)), sd = rep(1, ncol(x)), ranks = NULL,
    layers = list(), wiring = spec$wiring, direct = spec$direct, intercept = spec$intercept
  )
  if (identical(spec$standardize, "ranks")) {
    network$ranks <- rank_scales(x, case_weights)
    if (!is_sparse_rows(x)) x <- layer_input_cpp(x, network, 0L)
  }
  known <- if (is.null(network$ranks)) run$moments
  moments <- known %||% column_moments_cpp(x, case_weights, run$threads, network$ranks)
  if (!isFALSE(spec$standardize)) network[c("center", "sd")] <- moments[c("mean", "sd")]
  network$sd[moments$sd == 0] <- Inf
  network
}

warn_constant_features <- function(network, names, call) {
  constant <- which(is.infinite(network$sd))
  if (length(constant) == 0L) return(invisible())
  columns <- if (is.null(names)) paste(constant) else names[constant]
  if (length(columns) == length(network$sd)) {
    message <- "All features are constant in the training data: none gets weights."
    return(warn_topic("constant", message, call))
  }
  message <- paste("{cli::qty(length(columns))}Feature{?s} {.val {columns}} {?is/are} constant in",
                   "the training data and get{?s/} no weights.")
  warn_topic("constant", message, call)
}

# Draws for many specs: those of one layer that differ in its activation alone are drawn once.
network_drawer <- function(x, targets, run) {
  known <- new.env()
  function(spec) {
    activation <- spec$activation
    # The kernel of infinitely many nodes depends on their activation.
    alone <- length(spec$hidden) > 1L || is_gradient(spec) || is_infinite(spec)
    if (alone) return(fitted_network(x, targets, spec, run))
    spec$activation <- NULL
    if (!identical(spec, known$spec)) {
      whole <- c(spec, list(activation = activation))
      known$network <- draw_network(x, targets$case_weights, whole, run)
      known$spec <- spec
    }
    network <- known$network
    network$layers[[1L]]$activation <- activation
    network
  }
}

network_sample <- function(x, case_weights = NULL) {
  rows <- row_sample(nrow(x), copula_rows, case_weights)
  if (identical(rows, seq_len(nrow(x)))) x else x[rows, , drop = FALSE]
}

# Numbers of at most `size` rows, the same ones each time. A row with case weight two comes twice.
# Where there would be too many rows, or case weights are not whole, `size` rows are taken in even
# steps along the sum of the case weights: each is then taken in proportion to its case weight.
row_sample <- function(rows, size, case_weights = NULL) {
  even <- all(case_weights == case_weights[1L]) && isTRUE(case_weights[1L] < 2)
  if (is.null(case_weights) || even) {
    if (rows <= size) return(seq_len(rows))
    return(sort(permutation_cpp(0, rows)[seq_len(size)]))
  }
  total <- sum(case_weights)
  if (total <= size && all(case_weights == round(case_weights))) {
    return(rep(seq_len(rows), case_weights))
  }
  steps <- (seq_len(size) - 0.5) / size * total
  pmin(findInterval(steps, cumsum(case_weights), left.open = TRUE) + 1L, rows)
}

draw_layer <- function(sample, network, spec, layer, run, shuffled) {
  source <- layer_source(sample, network, spec, layer, run)
  source <- c(source, layer_distribution(sample, network, spec, layer, run, shuffled))
  source$factor <- layer_factor(source, spec)
  nodes <- if (is_infinite(spec)) {
    infinite_nodes(source, spec, run$call)
  } else {
    draw_nodes(source, spec$hidden[layer])
  }
  c(nodes, list(activation = spec$activation[layer]),
    source[intersect(distribution_parts, names(source))])
}

# Where the nodes of a layer come from: its number, what it reads of some of the sampled rows, the
# arguments that shape a node, and the run. The distribution of the weights and the factor on them
# are put in when they are known.
layer_source <- function(sample, network, spec, layer, run) {
  list(
    layer = layer, hidden = spec$hidden[layer], rows = nrow(sample),
    sparse = layer == 1L && is_sparse_rows(sample), seed = run$seed,
    threads = run$threads,
    input = function(rows) layer_input_cpp(sample[rows, , drop = FALSE], network, layer - 1L),
    marginal = spec$marginal, inputs = spec$inputs, bias = spec$bias
  )
}

# The distribution of a uniform number as the core takes it.
single_uniform <- core_list("independence", 1L)

# Layers and purposes have seeds of their own, so that a wider layer keeps its leading nodes and
# leaves the other layers as they are.
draw_nodes <- function(source, count) {
  weights <- layer_weights(source, count, source$factor)
  seed <- child_seed_cpp(source$seed, 2L * source$layer + 1L)
  bias <- simulate_cpp(single_uniform, count, seed, 1L)[, 1L]
  if (source$bias == "none") bias[] <- 0
  if (source$bias == "phase") bias <- 2 * pi * bias
  if (source$bias == "data") {
    # A layer that has grown since is read as far as its copula knew it.
    at <- source$input(1L + as.integer(bias * source$rows))
    bias <- -rowSums(at[, seq_len(nrow(weights)), drop = FALSE] * t(weights))
  }
  list(weights = weights, bias = bias)
}

layer_weights <- function(source, count, factor) {
  weights <- if (is.null(source$given)) {
    seed <- child_seed_cpp(source$seed, 2L * source$layer)
    weights_cpp(source$copula, count, source$marginal, factor, seed, source$threads)
  } else {
    factor * source$given(count)
  }
  relevance <- source$relevance
  if (!is.null(relevance)) weights <- weights * relevance_factor(relevance, source$inputs)
  if (is.null(source$inputs)) return(weights)
  seed <- child_seed_cpp(source$seed, 1000L + source$layer)
  keep_inputs_cpp(weights, source$inputs, seed, if (!is.null(relevance)) relevance^2)
}
