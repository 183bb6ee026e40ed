# The distribution that the weights of a layer are drawn from: a copula of the layer's input,
# followed as far as `strength` says, a metric learned from gradients, or weights that the user
# gives.

# What a layer keeps of it, so that it can be drawn from again: the copula, the factor on the
# weights and, where gradients told it, the relevance of the features.
distribution_parts <- c("copula", "factor", "relevance")

layer_distribution <- function(sample, network, spec, layer, run, shuffled) {
  inputs <- layer_inputs(network, layer, ncol(sample))
  aligned <- layer == 1L || spec$align == "all"
  if (is_given(spec$init) && aligned) return(given_weights(sample, network, spec, layer, run))
  if (is_metric(spec$init)) {
    return(metric_distribution(spec$init, layer, inputs, spec$strength, run$call))
  }
  family <- init_family(spec$init)
  if (family == "iid" || !aligned) {
    return(list(copula = new_cawi_copula("independence", inputs)))
  }
  if (layer == 1L) {
    copula <- feature_copula(sample, spec, run)
    return(list(copula = temper_copula(copula, spec$strength, run$call)))
  }
  rows <- hidden_rows(shuffled, inputs)
  seen <- layer_input_cpp(sample[rows, , drop = FALSE], network, layer - 1L)
  copula <- fit_hidden_copula(seen, family, run$threads)
  list(copula = temper_copula(copula, spec$strength, run$call), seen = seen)
}

feature_copula <- function(sample, spec, run) {
  if (inherits(spec$init, "cawi_copula")) return(given_copula(spec$init, ncol(sample), run$call))
  fit_layer_copula(dense_sample(sample, run$call), init_family(spec$init), run$threads)
}

# Deeper layers follow the family that was asked for, even where the first had to be independent.
init_family <- function(init) {
  if (is_given(init)) return("given")
  if (is_metric(init)) return("gradient")
  if (is.character(init)) return(init)
  if (is.null(init$requested)) init$family else init$requested
}

given_copula <- function(copula, inputs, call) {
  if (copula$dim != inputs) {
    message <- paste("The copula given as {.arg init} has dimension {copula$dim},",
                     "but there are {inputs} features.")
    abort_argument("init", message, call)
  }
  copula
}

# The number of columns that a layer reads.
layer_inputs <- function(network, layer, inputs) {
  if (layer == 1L) return(inputs)
  before <- length(network$layers[[layer - 1L]]$bias)
  if (network$wiring == "skip") before + inputs else before
}

# A trimmed model keeps no more than the word.
is_given <- function(init) is.function(init) || is.matrix(init) || identical(init, "given")
is_metric <- function(init) inherits(init, "cawi_metric")
