# Data that are the same on every platform and version of R: whole numbers from the Lehmer
# generator, whose products stay below 2^53 and so are exact in doubles. Recorded peers rely on it.
lehmer <- function(n, start = 1) {
  values <- numeric(n)
  state <- start
  for (i in seq_len(n)) {
    state <- (state * 48271) %% 2147483647
    values[i] <- state
  }
  values
}

# Sums of twelve uniforms, nearly normal, centered at zero.
bell <- function(n, start = 1) {
  colSums(matrix(lehmer(12 * n, start), nrow = 12)) - 6 * 2147483647
}

# One common factor; larger `common` is stronger dependence. Only + and * of whole numbers.
factor_data <- function(m, d, common = 1, start = 1) {
  noise <- matrix(bell(m * d, start), m)
  noise + common * bell(m, start + 7)
}

# A factor model divided by a random scale per row, which gives the tails of a t distribution.
heavy_data <- function(m, d, df = 4, common = 1, start = 1) {
  chi <- matrix(bell(m * df, start + 13), m)
  factor_data(m, d, common, start) / sqrt(rowSums(chi^2))
}

# Columns of every kind of tie, so that all pairs of kinds meet.
tied_data <- function(m, start = 1) {
  values <- matrix(lehmer(8 * m, start), m)
  half <- values[, 5]
  half[seq_len(m) %% 2 == 0] <- 0
  cbind(
    continuous = values[, 1],
    other = values[, 2],
    two = values[, 3] %% 2,
    five = values[, 4] %% 5,
    half_tied = half,
    rounded = floor(values[, 6] / 2^31 * m / 3),
    dependent = values[, 1] + values[, 7] %/% 2,
    coarse = (values[, 1] + values[, 8]) %/% 2^29
  )
}

# A correlation matrix with entries of both signs.
mixed_correlation <- function(d) {
  loading <- rep_len(c(0.8, 0.6, -0.5, 0.7, 0.3), d)
  r <- tcrossprod(loading)
  diag(r) <- 1
  r
}

# Numbers that were written with all their digits come back to the last bit, but R reads decimals to
# a few units in the last place where it has no long double.
expect_read_back <- function(found, expected) {
  tolerance <- if (capabilities("long.double")) 0 else 8 * .Machine$double.eps
  expect_equal(found, expected, tolerance = tolerance)
}
