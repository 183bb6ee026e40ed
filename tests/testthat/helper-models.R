# The models once more in plain R: slow, with whole matrices, and nothing of the package but the
# frozen weights that a fit carries.

model_names <- c("elm", "rvfl", "drvfl", "edrvfl", "bls")

# Fewer columns than the rows of the data below, and more.
narrow <- list(
  elm = list(hidden = 9), rvfl = list(hidden = 9), drvfl = list(hidden = c(6, 5)),
  edrvfl = list(hidden = c(6, 5)), bls = list(windows = 3, nodes = 2, enhancement = 5)
)
wide <- list(
  elm = list(hidden = 60), rvfl = list(hidden = 60), drvfl = list(hidden = c(30, 35)),
  edrvfl = list(hidden = c(60, 55)), bls = list(windows = 5, nodes = 6, enhancement = 35)
)

fit_named <- function(model, x, y, ..., shape = narrow[[model]]) {
  do.call(paste0("cawi_", model), c(list(x, y), shape, list(...)))
}

# 40 rows of four dependent features, and a response of every kind.
small_x <- function(m = 40, start = 3) {
  x <- factor_data(m, 4, start = start) / 2147483647
  colnames(x) <- c("north", "east", "south", "west")
  x
}

small_y <- function(task, x = small_x()) {
  signal <- x[, 1] - 0.5 * x[, 2] * x[, 3] + sin(x[, 4])
  switch(task,
    classification = cut(rank(signal), 3, labels = c("low", "mid", "high")),
    regression = unname(signal),
    outputs = cbind(first = signal, second = x[, 1]^2, third = -x[, 2])
  )
}

tasks <- c("classification", "regression", "outputs")

indicators <- function(y) {
  if (!is.factor(y)) return(unname(as.matrix(y)))
  outer(as.character(y), levels(y)[levels(y) %in% y], `==`) + 0
}

plain_activations <- list(
  sigmoid = function(x) 1 / (1 + exp(-x)),
  sine = sin,
  tribas = function(x) pmax(1 - abs(x), 0),
  radbas = function(x) exp(-x^2),
  tansig = tanh,
  relu = function(x) pmax(x, 0),
  selu = function(x) 1.0507009873554805 * ifelse(x > 0, x, 1.6732632423543772 * expm1(pmin(x, 0)))
)

# Squares divided by the number of rows, or the sum of their weights.
sample_sd <- function(v, w = rep(1, length(v))) sqrt(sum(w * (v - sum(w * v) / sum(w))^2) / sum(w))

# The columns of A in order, with the place that each came from.
plain_features <- function(fit, x, train = x, standardize = TRUE, w = rep(1, nrow(train))) {
  model <- sub("cawi_", "", class(fit)[1])
  z <- unname(
    if (standardize) scale(x, colSums(w * train) / sum(w), apply(train, 2, sample_sd, w)) else x
  )
  attr(z, "scaled:center") <- attr(z, "scaled:scale") <- NULL
  hidden <- list()
  for (l in seq_along(fit$network$layers)) {
    layer <- fit$network$layers[[l]]
    before <- if (l > 1) hidden[[l - 1]]
    input <- if (l == 1) z else if (model == "edrvfl") cbind(z, before) else before
    sums <- input %*% layer$weights + matrix(layer$bias, nrow(x), length(layer$bias), byrow = TRUE)
    value <- plain_activations[[layer$activation]](sums)
    hidden[[l]] <- matrix(value, nrow(x))
  }
  direct <- if (model %in% c("rvfl", "drvfl", "edrvfl")) z
  list(all = unname(do.call(cbind, c(list(direct), hidden, list(rep(1, nrow(x)))))),
       readouts = if (model == "edrvfl") {
         lapply(hidden, function(h) unname(cbind(z, h, 1)))
       } else {
         list(unname(do.call(cbind, c(list(direct), hidden, list(rep(1, nrow(x)))))))
       })
}

# Numbers have an intercept without penalty, classes one like any other column.
has_free_ones <- function(a, y) all(a[, ncol(a)] == 1) && !all(y %in% 0:1)

# One penalty, or one per output. At lambda = 0 the solution is that of least norm.
plain_ridge <- function(a, y, lambda, w = rep(1, nrow(a)), free = has_free_ones(a, y)) {
  y <- as.matrix(y)
  lambda <- rep_len(lambda, ncol(y))
  if (!free) {
    return(do.call(cbind, lapply(seq_len(ncol(y)), function(k) penalized(a, y[, k], lambda[k], w))))
  }
  ones <- ncol(a)
  means <- colSums(w * a[, -ones, drop = FALSE]) / sum(w)
  centered <- sweep(a[, -ones, drop = FALSE], 2, means)
  y_means <- colSums(w * y) / sum(w)
  b <- plain_ridge(centered, sweep(y, 2, y_means), lambda, w, free = FALSE)
  rbind(b, y_means - means %*% b)
}

penalized <- function(a, y, lambda, w) {
  if (lambda > 0) return(solve(crossprod(a, w * a) + diag(lambda, ncol(a)), crossprod(a, w * y)))
  pseudo_inverse(sqrt(w) * a) %*% (sqrt(w) * y)
}

pseudo_inverse <- function(a, tolerance = 1e-10) {
  s <- svd(a)
  keep <- s$d > tolerance * s$d[1]
  s$v[, keep, drop = FALSE] %*% (t(s$u[, keep, drop = FALSE]) / s$d[keep])
}

# Scores of each row by a fit without it.
refitted_scores <- function(a, y, lambda, w = rep(1, nrow(a)), free = has_free_ones(a, y)) {
  y <- as.matrix(y)
  do.call(rbind, lapply(seq_len(nrow(a)), function(i) {
    a[i, ] %*% plain_ridge(a[-i, , drop = FALSE], y[-i, , drop = FALSE], lambda, w[-i], free)
  }))
}

# Largest difference over largest size.
relative_gap <- function(a, b) {
  stopifnot(identical(length(a), length(b)))
  max(abs(unname(a) - unname(b))) / max(abs(b))
}

readout_coefficients <- function(fit) lapply(fit$readouts, function(readout) readout$coefficients)
readout_lambdas <- function(fit) lapply(fit$readouts, function(readout) readout$lambda)

# Expects that every readout of a fit is the ridge solution on its columns of A.
expect_ridge <- function(fit, a, y, w = rep(1, nrow(y)), lambda = readout_lambdas(fit),
                         tolerance = 1e-8) {
  found <- readout_coefficients(fit)
  lambda <- rep_len(lambda, length(a))
  expect_identical(length(found), length(a))
  for (k in seq_along(a)) {
    wanted <- plain_ridge(a[[k]], y, lambda[[k]], w)
    expect_identical(dim(found[[k]]), dim(wanted))
    expect_lt(relative_gap(found[[k]], wanted), tolerance)
  }
}

# The columns of cawi_features() that each readout of a fit sees.
seen_features <- function(fit, x) {
  a <- unname(cawi_features(fit, x))
  lapply(fit$readouts, function(readout) if (is.null(readout$columns)) a else a[, readout$columns])
}

# A fit without its clock, which is the only part that differs between equal fits.
timeless <- function(fit) {
  fit$seconds <- NULL
  fit
}

log_loss <- function(prob, y) {
  -mean(log(pmax(prob[cbind(seq_along(y), match(y, colnames(prob)))], 1e-15)))
}

softmax <- function(scores) {
  e <- exp(scores - apply(scores, 1, max))
  e / rowSums(e)
}

# The calibrated curves, in plain R.
plain_probabilities <- function(calibration, scores) {
  unit <- if (is.null(calibration$unit)) 1 else calibration$unit
  s <- pmin(pmax(scores / unit, calibration$range[1]), calibration$range[2])
  b <- calibration$parameters
  softmax(sapply(seq_len(ncol(s)), function(k) {
    b[k, 1] * s[, k] + b[k, 2] * asinh(s[, k] / 0.15) + b[k, 3]
  }))
}

# Leave-one-out scores of a model, of the rows in loo_rows(); NULL where they were not computed.
loo_scores <- function(fit) {
  parts <- lapply(fit$readouts, function(readout) readout$loo$scores)
  if (any(vapply(parts, is.null, logical(1)))) return(NULL)
  Reduce(`+`, parts) / length(parts)
}

loo_rows <- function(fit) fit$readouts[[1]]$loo$rows

# Targets of a response as fits have them.
targets_of <- function(y, case_weights = NULL) {
  new_targets(list(y = y, case_weights = case_weights), NROW(y), environment())
}

# The same in the units of the core, and the numbers or indicators that the core works with.
core_targets <- function(y, intercept = TRUE, case_weights = NULL) {
  scaled_targets(targets_of(y, case_weights), intercept)
}

core_values <- function(targets) {
  if (!is.null(targets$classes)) return(diag(targets$outputs)[targets$classes, ])
  sweep(sweep(targets$values, 2, targets$center), 2, targets$sd, `/`)
}

# Inputs as calls have them.
input_of <- function(x, y, case_weights = NULL) {
  new_input(x, y, function(columns) case_weights, environment())
}
