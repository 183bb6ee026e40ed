# The frozen part of a model: centre and scale of the inputs, then layer by layer the copula of the
# layer's input, weight columns drawn from it, and biases.

# Rows that the copulas are fitted to: enough for tau to two digits, few enough to cost little.
copula_rows <- 5000L

draw_network <- function(x, spec, seed, threads, call) {
  moments <- if (spec$standardize) column_moments_cpp(x, threads)
  network <- list(
    center = if (spec$standardize) moments$mean else numeric(ncol(x)),
    scale = if (spec$standardize) ifelse(moments$sd > 0, moments$sd, 1) else rep(1, ncol(x)),
    layers = list(), wiring = spec$wiring, direct = spec$direct, intercept = spec$intercept
  )
  sample <- x
  if (nrow(x) > copula_rows) {
    sample <- x[sort(permutation_cpp(0, nrow(x))[seq_len(copula_rows)]), , drop = FALSE]
  }
  for (layer in seq_along(spec$hidden)) {
    network$layers[[layer]] <- draw_layer(sample, network, spec, layer, seed, threads, call)
  }
  network
}

# Layers and purposes have seeds of their own, so that a wider layer keeps its leading nodes and
# leaves the other layers as they are.
draw_layer <- function(sample, network, spec, layer, seed, threads, call) {
  copula <- layer_copula(sample, network, spec, layer, threads, call)
  nodes <- spec$hidden[layer]
  w_seed <- child_seed_cpp(seed, 2L * layer)
  b_seed <- child_seed_cpp(seed, 2L * layer + 1L)
  list(
    weights = weights_cpp(copula, nodes, spec$marginal, spec$scale, w_seed, threads),
    bias = simulate_cpp(core_list("independence", 1L), nodes, b_seed, 1L)[, 1L],
    activation = spec$activation[layer],
    copula = copula
  )
}

layer_copula <- function(sample, network, spec, layer, threads, call) {
  width <- layer_width(network, layer, ncol(sample))
  family <- if (is.character(spec$init)) spec$init else spec$init$family
  if (family == "iid" || (layer > 1L && spec$align == "first")) {
    return(new_cawi_copula("independence", width))
  }
  if (layer == 1L && inherits(spec$init, "cawi_copula")) return(given_copula(spec$init, width, call))
  input <- if (layer == 1L) sample else layer_input_cpp(sample, network, layer - 1L)
  fit_layer_copula(input, family, threads, quiet = layer > 1L)
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
  if (family == "auto") family <- cawi_select(input, threads = threads)$family[1L]
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
  new_cawi_copula(fit$family, ncol(input), theta = fit$theta, cor = fit$cor, df = fit$df,
                  nobs = nrow(input), method = "itau", requested = family)
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
