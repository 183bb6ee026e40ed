# The frozen part of a model: center and standard deviation of the inputs, then layer by layer the
# copula of the layer's input, weight columns drawn from it, and biases.

# Rows that the copulas are fitted to: enough for tau to two digits, few enough to cost little.
copula_rows <- 5000L

draw_network <- function(x, case_weights, spec, run) {
  network <- empty_network(x, case_weights, spec, run$threads)
  sample <- network_sample(x, case_weights)
  for (layer in seq_along(spec$hidden)) {
    network$layers[[layer]] <- draw_layer(sample, network, spec, layer, run)
  }
  network
}

# A column that is constant in training, such as the indicator of a level that no row has, tells
# nothing about what its other values do: divided by an infinite deviation it is zero for all rows,
# also for those to come.
empty_network <- function(x, case_weights, spec, threads) {
  moments <- column_moments_cpp(x, case_weights, threads)
  network <- list(
    center = if (spec$standardize) moments$mean else numeric(ncol(x)),
    sd = if (spec$standardize) moments$sd else rep(1, ncol(x)),
    layers = list(), wiring = spec$wiring, direct = spec$direct, intercept = spec$intercept
  )
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
network_drawer <- function(x, case_weights, run) {
  known <- new.env()
  function(spec) {
    activation <- spec$activation
    if (length(spec$hidden) > 1L) return(draw_network(x, case_weights, spec, run))
    spec$activation <- NULL
    if (!identical(spec, known$spec)) {
      whole <- c(spec, list(activation = activation))
      known$network <- draw_network(x, case_weights, whole, run)
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

draw_layer <- function(sample, network, spec, layer, run) {
  source <- layer_source(sample, network, spec, layer, run)
  source$copula <- layer_copula(sample, network, spec, layer, run)
  source$factor <- layer_factor(source, spec$spread, spec$scale)
  c(draw_nodes(source, spec$hidden[layer]),
    list(activation = spec$activation[layer], copula = source$copula, factor = source$factor))
}

# Where the nodes of a layer come from: its number, what it reads of some of the sampled rows, the
# arguments that shape a node, and the run. The copula and the factor on the weights are put in when
# they are known.
layer_source <- function(sample, network, spec, layer, run) {
  list(
    layer = layer, rows = nrow(sample), seed = run$seed, threads = run$threads,
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
  if (source$bias == "data") {
    # A layer that has grown since is read as far as its copula knew it.
    at <- source$input(1L + as.integer(bias * source$rows))
    bias <- -rowSums(at[, seq_len(nrow(weights)), drop = FALSE] * t(weights))
  }
  list(weights = weights, bias = bias)
}

layer_weights <- function(source, count, factor) {
  seed <- child_seed_cpp(source$seed, 2L * source$layer)
  weights <- weights_cpp(source$copula, count, source$marginal, factor, seed, source$threads)
  if (is.null(source$inputs)) return(weights)
  keep_inputs_cpp(weights, source$inputs, child_seed_cpp(source$seed, 1000L + source$layer))
}

# A wanted spread is reached in the mean over the distribution of the weights, not over the nodes at
# hand: two hundred draws of the same stream stand for it, so that a wider layer keeps its leading
# nodes.
layer_factor <- function(source, spread, scale) {
  if (is.null(spread)) return(scale)
  rows <- source$rows
  pre <- source$input(evenly(rows, 500L)) %*% layer_weights(source, 200L, 1)
  rms <- sqrt(mean(pre^2))
  if (rms > 0) spread / rms else spread
}

layer_copula <- function(sample, network, spec, layer, run) {
  inputs <- layer_inputs(network, layer, ncol(sample))
  family <- init_family(spec$init)
  if (family == "iid" || (layer > 1L && spec$align == "first")) {
    return(new_cawi_copula("independence", inputs))
  }
  if (layer == 1L && inherits(spec$init, "cawi_copula")) {
    return(given_copula(spec$init, inputs, run$call))
  }
  if (layer == 1L) return(fit_layer_copula(sample, family, run$threads))
  rows <- hidden_rows(sample, inputs, run$seed)
  input <- layer_input_cpp(sample[rows, , drop = FALSE], network, layer - 1L)
  fit_hidden_copula(input, family, run$threads)
}

# Deeper layers follow the family that was asked for, even where the first had to be independent.
init_family <- function(init) {
  if (is.character(init)) return(init)
  if (is.null(init$requested)) init$family else init$requested
}

# The number of columns that a layer reads.
layer_inputs <- function(network, layer, inputs) {
  if (layer == 1L) return(inputs)
  before <- length(network$layers[[layer - 1L]]$bias)
  if (network$wiring == "skip") before + inputs else before
}

given_copula <- function(copula, inputs, call) {
  if (copula$dim != inputs) {
    message <- paste("The copula given as {.arg init} has dimension {copula$dim},",
                     "but there are {inputs} features.")
    abort_argument("init", message, call)
  }
  copula
}
