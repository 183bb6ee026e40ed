# Moments, standardization, activations and the features of the five architectures, written down
# once more with whole matrices; gradients by the chain rule and by differences.

slow_activations <- list(
  sigmoid = function(x) stats::plogis(x),
  sine = sin,
  tribas = function(x) pmax(1 - abs(x), 0),
  radbas = function(x) exp(-x^2),
  tansig = tanh,
  relu = function(x) pmax(x, 0),
  selu = function(x) 1.0507009873554805 * ifelse(x > 0, x, 1.6732632423543772 * expm1(pmin(x, 0)))
)

# At the kinks of relu and tribas zero.
slow_slopes <- list(
  sigmoid = function(x) stats::dlogis(x),
  sine = cos,
  tribas = function(x) ifelse(abs(x) < 1, -sign(x), 0),
  radbas = function(x) -2 * x * exp(-x^2),
  tansig = function(x) 1 / cosh(x)^2,
  relu = function(x) (x > 0) + 0,
  selu = function(x) 1.0507009873554805 * ifelse(x > 0, 1, 1.6732632423543772 * exp(pmin(x, 0)))
)

smooth_names <- c("sigmoid", "sine", "radbas", "tansig")

# ---- networks ----

architectures <- list(
  elm = list(direct = FALSE, wiring = "stacked", layers = 1L),
  rvfl = list(direct = TRUE, wiring = "stacked", layers = 1L),
  drvfl = list(direct = TRUE, wiring = "stacked", layers = 2:3),
  edrvfl = list(direct = TRUE, wiring = "skip", layers = 2:3),
  bls = list(direct = FALSE, wiring = "stacked", layers = 2L)
)

any_layer <- function(inputs, nodes, among) {
  list(weights = normal_matrix(inputs, nodes), bias = stats::runif(nodes, -1, 1),
       activation = one_of(among))
}

any_network <- function(x, among, intercept = chance(0.8), most = 5L) {
  kind <- one_of(architectures)
  layers <- list()
  before <- 0L
  for (l in seq_len(one_of(kind$layers))) {
    inputs <- if (l == 1L) ncol(x) else before + (kind$wiring == "skip") * ncol(x)
    before <- whole_between(1L, most)
    layers[[l]] <- any_layer(inputs, before, among)
  }
  list(center = colMeans(x), sd = pmax(apply(x, 2L, stats::sd), 0.1), ranks = NULL, layers = layers,
       wiring = kind$wiring, direct = xor(kind$direct, chance(0.2)), intercept = intercept)
}

# Columns of A: those of the features, of each layer, and the ones.
slow_parts <- function(x, network) {
  z <- t((t(x) - network$center) / network$sd)
  hidden <- list()
  for (l in seq_along(network$layers)) {
    layer <- network$layers[[l]]
    input <- z
    if (l > 1L) input <- hidden[[l - 1L]]
    if (l > 1L && network$wiring == "skip") input <- cbind(z, input)
    sums <- t(t(input %*% layer$weights) + layer$bias)
    hidden[[l]] <- matrix(slow_activations[[layer$activation]](sums), nrow(x))
  }
  list(z = z, hidden = hidden)
}

slow_features <- function(x, network) {
  parts <- slow_parts(x, network)
  do.call(cbind, c(if (network$direct) list(parts$z), parts$hidden,
                   if (network$intercept) list(rep(1, nrow(x)))))
}

# What each readout sees.
slow_readouts <- function(x, network) {
  if (network$wiring != "skip") return(list(slow_features(x, network)))
  parts <- slow_parts(x, network)
  lapply(parts$hidden, function(h) {
    do.call(cbind, c(if (network$direct) list(parts$z), list(h),
                     if (network$intercept) list(rep(1, nrow(x)))))
  })
}

slow_scores <- function(x, network, coefficients) {
  each <- Map(`%*%`, slow_readouts(x, network), coefficients)
  Reduce(`+`, each) / length(each)
}

any_rows <- function(most = 20L, columns = whole_between(1L, 4L)) {
  normal_matrix(whole_between(2L, most), columns)
}

any_coefficients <- function(x, network, outputs) {
  lapply(slow_readouts(x, network), function(a) normal_matrix(ncol(a), outputs))
}

# Rounding of a sum in units of the sum of its sizes: pre-activations of a few numbers near one,
# through at most three layers.
features_why <- "sums of few products near one, through at most three layers"

# ---- gradients ----

# The rate at which the score grows along feature j, by the chain rule on whole matrices.
slow_gradient <- function(x, network, coefficients, j) {
  z <- t((t(x) - network$center) / network$sd)
  dz <- 0 * z
  dz[, j] <- 1
  value <- rate <- NULL
  rates <- list()
  for (layer in network$layers) {
    input <- z
    moved <- dz
    if (!is.null(value)) {
      skip <- network$wiring == "skip"
      input <- if (skip) cbind(z, value) else value
      moved <- if (skip) cbind(dz, rate) else rate
    }
    sums <- t(t(input %*% layer$weights) + layer$bias)
    value <- matrix(slow_activations[[layer$activation]](sums), nrow(x))
    rate <- matrix(slow_slopes[[layer$activation]](sums), nrow(x)) * (moved %*% layer$weights)
    rates <- c(rates, list(rate))
  }
  ones <- if (network$intercept) list(rep(0, nrow(x)))
  a <- if (network$wiring == "skip") {
    lapply(rates, function(r) do.call(cbind, c(if (network$direct) list(dz), list(r), ones)))
  } else {
    list(do.call(cbind, c(if (network$direct) list(dz), rates, ones)))
  }
  each <- Map(`%*%`, a, coefficients)
  Reduce(`+`, each) / length(each)
}

largest_weight <- function(network) {
  max(1, vapply(network$layers, function(layer) max(abs(layer$weights)), numeric(1)))
}

# One column per feature, the features of an output side by side.
slow_gradients <- function(x, network, coefficients) {
  by_feature <- lapply(seq_len(ncol(x)), function(j) slow_gradient(x, network, coefficients, j))
  outputs <- ncol(coefficients[[1L]])
  do.call(cbind, lapply(seq_len(outputs), function(k) {
    vapply(by_feature, function(g) g[, k], numeric(nrow(x)))
  }))
}

# Eight points: an error of h^8, and of the rounding of the scores over h.
difference <- function(f, h) {
  4 / 5 * (f(h) - f(-h)) / h - 1 / 5 * (f(2 * h) - f(-2 * h)) / h +
    4 / 105 * (f(3 * h) - f(-3 * h)) / h - 1 / 280 * (f(4 * h) - f(-4 * h)) / h
}

# ---- moments ----

slow_moments <- function(v, w) {
  keep <- !is.na(v)
  w <- w[keep]
  # Squares of the values may leave the range of a double.
  unit <- max(abs(v[keep]), 1e-300)
  v <- v[keep] / unit
  mean <- sum(w * v) / sum(w)
  mean <- mean + sum(w * (v - mean)) / sum(w)
  c(weight = sum(w), mean = mean * unit, sd = sqrt(sum(w * (v - mean)^2) / sum(w)) * unit)
}

# In units of the values themselves and of their deviation; the deviation of values far from zero
# loses the digits that their size takes.
moments_gap <- function(found, x, w) {
  wanted <- apply(x, 2L, slow_moments, w)
  size <- apply(abs(x), 2L, function(v) suppressWarnings(max(v, na.rm = TRUE)))
  max(gap(found$weight, wanted["weight", ], pmax(wanted["weight", ], 1e-300)),
      gap(found$mean, wanted["mean", ], pmax(size, 1e-300)),
      gap(found$sd, wanted["sd", ], pmax(size, 1e-300)))
}

with_holes <- function(x) {
  x[sample.int(length(x), 2L)] <- NA
  lost <- colSums(!is.na(x)) == 0
  x[1L, lost] <- 0
  x
}

features_routines <- list(
  activations = routine(
    "plain R", 5e-16,
    "in units of one for tansig and selu, which lose digits near zero; else of the value",
    function() {
      x <- matrix(stats::rnorm(24L) * log_between(1e-6, 300), 6L)
      name <- one_of(names(slow_activations))
      wanted <- slow_activations[[name]](x)
      # The bell rounds x^2; far out it is zero where numbers lose their digits.
      unit <- switch(name, sine = pmax(abs(wanted), 1e-3), radbas = abs(wanted) * (1 + x^2),
                     tansig = , selu = pmax(abs(wanted), 1), abs(wanted))
      gap(activate_cpp(x, name), wanted, pmax(unit, 1e-290))
    }
  ),
  slopes = routine(
    "derivatives in plain R", 1e-15,
    "in units of one for sigmoid, sine and tansig, which are differences; else of the value",
    function() {
      x <- matrix(c(stats::rnorm(20L) * log_between(1e-6, 30), 0, 0, 1, -1), 6L)
      name <- one_of(names(slow_slopes))
      wanted <- slow_slopes[[name]](x)
      # The cosine is a sine at a rounded sum.
      unit <- switch(name, sine = 1 + abs(x), sigmoid = , tansig = 1, abs(wanted) * (1 + x^2))
      gap(activation_slope_cpp(x, name), wanted, pmax(unit, 1e-290))
    }
  ),
  features = routine(
    "whole matrices in plain R", 2e-15, features_why,
    function() {
      x <- any_rows()
      network <- any_network(x, names(slow_activations))
      gap(features_cpp(x, network, 1L), slow_features(x, network), 10)
    }
  ),
  readout_features = routine(
    "whole matrices in plain R", 2e-15, features_why,
    function() {
      x <- any_rows()
      network <- any_network(x, names(slow_activations))
      a <- features_cpp(x, network, 1L)
      wanted <- slow_readouts(x, network)
      columns <- readout_columns(network)
      max(unlist(Map(function(seen, w) gap(if (is.null(seen)) a else a[, seen], w, 10), columns,
                     wanted)))
    }
  ),
  feature_gram = routine(
    "crossprod() of the features", 4e-15, "sums of at most 20 products, in units of their sizes",
    function() {
      x <- any_rows()
      network <- any_network(x, names(slow_activations))
      a <- features_cpp(x, network, 1L)
      gap(feature_gram_cpp(x, network, 1L), crossprod(a), pmax(crossprod(abs(a)), 1e-300))
    }
  ),
  scores = routine(
    "the features times the coefficients", 2e-15, features_why,
    function() {
      x <- any_rows()
      network <- any_network(x, names(slow_activations))
      b <- any_coefficients(x, network, whole_between(1L, 3L))
      size <- max(abs(slow_features(x, network)), 1) * sum(abs(unlist(b)))
      gap(scores_cpp(x, network, b, 1L), slow_scores(x, network, b), size)
    }
  ),
  sparse_features = routine(
    "the same rows as a dense matrix", 4e-15, features_why,
    function() {
      x <- any_rows()
      x[stats::runif(length(x)) < 0.6] <- 0
      network <- any_network(x, names(slow_activations))
      gap(features_cpp(sparse_of(x), network, 1L), features_cpp(x, network, 1L), 10)
    }
  ),
  sparse_shapes = routine(
    "dense matrices", 0, "numbers are moved, not changed",
    function() {
      x <- any_rows()
      x[stats::runif(length(x)) < 0.6] <- 0
      rows <- sparse_of(x)
      some <- sample.int(nrow(x), whole_between(1L, nrow(x)))
      holds(identical(dense_rows_cpp(rows), x),
            identical(dense_rows_cpp(transpose_sparse_cpp(rows)), t(x)),
            identical(dense_rows_cpp(some_sparse_rows_cpp(rows, some)), x[some, , drop = FALSE]))
    }
  ),
  moments = routine(
    "two passes in plain R", 2e-15, "in units of the largest value: sums of at most 20 numbers",
    function() {
      x <- any_matrix(whole_between(3L, 20L), whole_between(1L, 4L))
      w <- any_weights(nrow(x))
      if (chance(0.3)) x <- with_holes(x)
      found <- raw_moments_cpp(x, w, 1L)
      moments_gap(found, x, if (is.null(w)) rep(1, nrow(x)) else w)
    }
  ),
  moments_merged = routine(
    "moments of the whole", 2e-15, "in units of the largest value: parts merge without loss",
    function() {
      x <- any_matrix(whole_between(3L, 20L), whole_between(1L, 4L))
      w <- any_weights(nrow(x))
      part <- sample.int(3L, nrow(x), TRUE)
      pieces <- lapply(split(seq_len(nrow(x)), part), function(rows) {
        raw_moments_cpp(x[rows, , drop = FALSE], w[rows], 1L)
      })
      moments_gap(Reduce(merge_moments_cpp, pieces), x, if (is.null(w)) rep(1, nrow(x)) else w)
    }
  ),
  moments_sparse = routine(
    "the same rows as a dense matrix", 4e-15, "in units of the largest value; zeros count at once",
    function() {
      x <- any_rows()
      x[stats::runif(length(x)) < 0.6] <- 0
      w <- any_weights(nrow(x))
      found <- column_moments_cpp(sparse_of(x), w, 1L)
      wanted <- column_moments_cpp(x, w, 1L)
      size <- pmax(apply(abs(x), 2L, max), 1e-300)
      max(gap(found$mean, wanted$mean, size), gap(found$sd, wanted$sd, size))
    }
  ),
  rank_scale = routine(
    "approx() between mid-ranks", 1e-15, "one line between two levels",
    function() {
      x <- any_matrix(whole_between(2L, 15L), 1L)
      w <- any_weights(nrow(x))
      scale <- rank_scale(x[, 1L], if (is.null(w)) rep(1, nrow(x)) else w)
      weight <- if (is.null(w)) rep(1, nrow(x)) else w
      known <- sort(unique(x[, 1L]))
      level <- vapply(known, function(v) {
        (sum(weight[x < v]) + sum(weight[x <= v])) / 2 / sum(weight)
      }, numeric(1))
      at <- c(x[, 1L], stats::runif(5L, min(x), max(x)), min(x) - 1, max(x) + 1)
      line <- function(at) stats::approx(known, level, at, rule = 2)$y
      wanted <- if (length(known) == 1L) rep(level, length(at)) else line(at)
      network <- list(center = 0, sd = 1, ranks = list(scale), layers = list(), wiring = "stacked",
                      direct = TRUE, intercept = FALSE)
      gap(layer_input_cpp(matrix(at), network, 0L), wanted, 1)
    }
  ),
  gradients = routine(
    "the chain rule on whole matrices", 2e-15, "in units of the largest path through the weights",
    function() {
      x <- any_rows(8L)
      network <- any_network(x, names(slow_activations))
      b <- any_coefficients(x, network, whole_between(1L, 2L))
      size <- largest_weight(network)^3 * sum(abs(unlist(b)))
      gap(gradients_cpp(x, network, b, 1L), slow_gradients(x, network, b), size)
    }
  ),
  gradients_by_differences = routine(
    "differences of scores over eight points", 1e-11,
    "steps of 0.003: rounding of the scores over the step, 1e-13 of their size",
    function() {
      x <- any_rows(4L, whole_between(1L, 3L))
      network <- any_network(x, smooth_names, most = 3L)
      b <- any_coefficients(x, network, 1L)
      found <- gradients_cpp(x, network, b, 1L)
      j <- whole_between(1L, ncol(x))
      at <- function(h) {
        x[, j] <- x[, j] + h * network$sd[j]
        scores_cpp(x, network, b, 1L)[, 1L]
      }
      size <- largest_weight(network)^8 * sum(abs(unlist(b)))
      gap(found[, j], difference(at, 0.003), size)
    }
  ),
  gradient_product = routine(
    "the mean of outer products", 5e-15, "in units of the largest mean square",
    function() {
      x <- any_rows(8L)
      network <- any_network(x, names(slow_activations))
      outputs <- whole_between(1L, 2L)
      b <- any_coefficients(x, network, outputs)
      w <- any_weights(nrow(x))
      g <- gradients_cpp(x, network, b, 1L)
      weight <- if (is.null(w)) rep(1, nrow(x)) else w
      wanted <- Reduce(`+`, lapply(seq_len(outputs), function(k) {
        own <- g[, seq_len(ncol(x)) + (k - 1L) * ncol(x), drop = FALSE]
        crossprod(own, weight * own) / sum(weight)
      }))
      gap(gradient_product_cpp(x, network, b, w, 1L), wanted, max(abs(wanted), 1e-300))
    }
  )
)

# Compressed rows of a matrix.
sparse_of <- function(x) {
  stored <- which(t(x) != 0, arr.ind = TRUE)
  new_sparse_rows(list(
    start = c(0L, cumsum(tabulate(stored[, 2L], nrow(x)))), column = stored[, 1L] - 1L,
    value = t(x)[t(x) != 0], columns = ncol(x)
  ), NULL)
}
