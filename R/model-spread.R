# The factor on the weights of a layer: a given scale, or what brings the pre-activations to a
# wanted spread, their root mean square over rows and nodes, without bias.

# A given scale is the factor itself. A wanted spread is reached in the mean over the distribution
# of the weights, not over the nodes at hand, so that a wider layer keeps its leading nodes. Without
# either all weights have the same spread, whatever the number of features: what those that follow
# the features gain or lose is then a matter of their directions alone. Weights that the user gives
# stay as they are.
default_spread <- 1

layer_factor <- function(source, spec) {
  if (!is.null(spec$scale)) return(spec$scale)
  if (is.null(spec$spread) && !is.null(source$given)) return(1)
  wanted <- if (is.null(spec$spread)) default_spread else spec$spread
  found <- source_spread(source)
  # What overflows is told where it is used.
  if (is.finite(found) && found > 0) wanted / found else wanted
}

# Sparse rows of many features are read in blocks, whose mean squares are averaged, or whose sizes
# are looked at together.
source_spread <- function(source) {
  blocks <- spread_blocks(source)
  if (length(blocks) < 2L || is_drawn_spread(source)) {
    return(layer_spread(spread_rows(source), source))
  }
  if (source$marginal == "cauchy") {
    sizes <- lapply(blocks, function(rows) cauchy_sizes(source$input(rows), source))
    return(size_spread(unlist(sizes, use.names = FALSE)))
  }
  squares <- vapply(blocks, function(rows) expected_spread(source$input(rows), source)^2, 0)
  sqrt(stats::weighted.mean(squares, lengths(blocks)))
}

# Numbers of a block of rows.
block_numbers <- 2^20

spread_blocks <- function(source) {
  if (!isTRUE(source$sparse)) return(NULL)
  rows <- evenly(source$rows, spread_sample)
  size <- max(1, block_numbers %/% source$copula$dim)
  split(rows, (seq_along(rows) - 1) %/% size)
}

# Rows that tell a spread.
spread_sample <- 500L

# Some rows of what the layer reads. Those that the copula of a hidden layer was fitted to are at
# hand, in random order.
spread_rows <- function(source) {
  if (is.null(source$seen)) return(source$input(evenly(source$rows, spread_sample)))
  source$seen[seq_len(min(nrow(source$seen), 64L)), , drop = FALSE]
}

# The mean over all weights where their correlations tell it, else that over some draws.
layer_spread <- function(rows, source) {
  if (is_drawn_spread(source)) return(drawn_spread(rows, source))
  if (source$marginal != "cauchy") return(expected_spread(rows, source))
  cauchy_spread(rows, source)
}

# Weights whose spread is not known in closed form.
is_drawn_spread <- function(source) {
  some_inputs <- !is.null(source$inputs) && source$inputs < source$copula$dim
  plain <- source$copula$family == "independence" && is.null(source$relevance)
  !is.null(source$given) || (some_inputs && !is.null(source$relevance)) ||
    (source$marginal == "cauchy" && !plain)
}

# The product of independent Cauchy weights with a row is a Cauchy number of the size of the row's
# absolute sum. Its spread is infinite: what a normal distribution with its median size would have.
# The median over rows and weights is where the mean of 2 / pi atan(median / size) is a half.
cauchy_spread <- function(rows, source) size_spread(cauchy_sizes(rows, source))

cauchy_sizes <- function(rows, source) {
  size <- abs(rows)
  read <- if (is.null(source$inputs)) ncol(rows) else min(source$inputs, ncol(rows))
  if (read == 1L) {
    as.vector(size)
  } else if (read == ncol(rows)) {
    rowSums(size)
  } else {
    as.vector(size %*% keep_inputs_cpp(matrix(1, ncol(rows), cauchy_choices), read, 0, NULL))
  }
}

size_spread <- function(size) {
  size <- size[size > 0]
  if (length(size) == 0L || !all(is.finite(size))) return(max(0, size))
  below <- function(log_median) mean(atan(exp(log_median) / size)) - pi / 4
  log_median <- stats::uniroot(below, log(range(size)) + c(-1, 1), tol = 1e-10)$root
  exp(log_median) / stats::qnorm(0.75)
}

# Choices of some inputs that stand for all.
cauchy_choices <- 100L

# Exact for independent weights and a Gaussian copula. Weights of the other families count as those
# of the Gaussian copula with the same Kendall's tau, which is right to a few percent: closer than
# two hundred draws come. A node that reads k of d inputs has a pair of them k (k - 1) times out of
# d (d - 1).
expected_spread <- function(rows, source) {
  copula <- source$copula
  if (!is.null(source$relevance)) rows <- times_columns(rows, source$relevance)
  if (any(copula$flipped)) rows <- times_columns(rows, ifelse(copula$flipped, -1, 1))
  alone <- mean_square_cpp(rows, matrix(0), FALSE)
  uniform <- source$marginal == "uniform"
  together <- switch(families[[copula$family]]$kind,
    independence = alone,
    elliptical = mean_square_cpp(rows, copula$cor, uniform),
    archimedean = mean_square_cpp(rows, matrix(sin(pi / 2 * archimedean_tau(copula))), uniform)
  )
  read <- if (is.null(source$inputs)) ncol(rows) else min(source$inputs, ncol(rows))
  pairs <- if (ncol(rows) > 1L) (read - 1) / (ncol(rows) - 1) else 1
  variance <- if (uniform) 1 / 3 else 1
  sqrt(variance * read / ncol(rows) * ((1 - pairs) * alone + pairs * together))
}

times_columns <- function(x, factors) x * rep(factors, each = nrow(x))

# Over two hundred draws of the same stream.
drawn_spread <- function(rows, source) {
  count <- if (is.null(source$given)) 200L else source$hidden
  pre <- rows %*% layer_weights(source, count, 1)
  if (source$marginal != "cauchy") return(sqrt(mean(pre^2)))
  stats::median(abs(pre)) / stats::qnorm(0.75)
}
