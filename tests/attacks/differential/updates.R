# Fits, updates and intervals of models beside plain ridge regression on the features of the frozen
# network.

shapes <- list(
  elm = function() list(hidden = whole_between(1L, 8L)),
  rvfl = function() list(hidden = whole_between(1L, 8L)),
  drvfl = function() list(hidden = c(whole_between(1L, 4L), whole_between(1L, 4L))),
  edrvfl = function() list(hidden = c(whole_between(1L, 4L), whole_between(1L, 4L))),
  bls = function() {
    list(windows = 2, nodes = whole_between(1L, 2L), enhancement = whole_between(1L, 4L))
  }
)

# Columns of every kind. Those in tiny or huge units are for standardized models.
any_data <- function(rows = whole_between(6L, 16L), columns = whole_between(1L, 3L)) {
  x <- if (chance(0.5)) normal_matrix(rows, columns) else any_matrix(rows, columns)
  task <- one_of(c("regression", "outputs", "classification"))
  y <- switch(task, regression = stats::rnorm(rows), outputs = normal_matrix(rows, 2L),
              classification = factor(c("a", "b", "c", sample(c("a", "b", "c"), rows - 3L, TRUE))))
  list(x = x, y = y, task = task)
}

# New rows near the others.
fresh_rows <- function(x, count = 3L) {
  rows <- matrix(sample.int(nrow(x), 2L * count, TRUE), count)
  (2 * x[rows[, 1L], , drop = FALSE] + x[rows[, 2L], , drop = FALSE]) / 3
}

merged_why <- "in units of the condition of the normal equations, whose sums are those of two parts"

y_rows <- function(y, rows) if (is.matrix(y)) y[rows, , drop = FALSE] else y[rows]

# Arguments of a random model, the same for all fits of a problem.
any_model <- function(among = names(shapes)) {
  model <- one_of(among)
  arguments <- c(shapes[[model]](), list(
    activation = one_of(names(slow_activations)),
    init = one_of(c("iid", "gaussian", "t", archimedean_names)),
    marginal = one_of(c("uniform", "normal", "cauchy")), bias = one_of(c("uniform", "phase")),
    intercept = chance(0.8), direct = chance(0.5), lambda = log_between(1e-4, 1e4),
    seed = whole_between(1L, 1e6L), threads = 1L
  ))
  list(model = model, arguments = arguments)
}

fit_model <- function(model, x, y, ...) {
  arguments <- utils::modifyList(c(list(x = x, y = y), model$arguments), list(...))
  suppressWarnings(do.call(paste0("cawi_", model$model), arguments))
}

raw <- function(fit, x) {
  type <- if (fit$task == "classification") "score" else "numeric"
  unname(as.matrix(stats::predict(fit, x, type = type)))
}

numeric_response <- function(fit, y) {
  if (is.factor(y)) diag(fit$outputs)[match(y, fit$levels), , drop = FALSE] else as.matrix(y)
}

# The largest error of the fitted values of the readouts, which should be those of all rows of x.
# Coefficients may differ: a column whose variance is below 1e-13 of its square has none.
ridge_defect <- function(fit, x, y, weight = rep(1, nrow(x)), lambda = fit$spec$lambda) {
  y <- numeric_response(fit, y)
  center <- fit$task == "regression" && fit$network$intercept
  a <- slow_readouts(x, fit$network)
  max(vapply(seq_along(a), function(r) {
    wanted <- a[[r]] %*% qr_ridge(a[[r]], y, weight, lambda, center)
    unit <- condition(a[[r]], weight, lambda, center) * max(abs(y))
    gap(a[[r]] %*% fit$readouts[[r]]$coefficients, wanted, unit)
  }, numeric(1)))
}

updates_routines <- list(
  fits = routine(
    "ridge regression on the features", 4e-15, ridge_why,
    function() {
      data <- any_data()
      w <- any_weights(nrow(data$x))
      fit <- fit_model(any_model(), data$x, data$y, case_weights = w)
      ridge_defect(fit, data$x, data$y, if (is.null(w)) rep(1, nrow(data$x)) else w)
    }, "fits"
  ),
  update_rows = routine(
    "ridge regression on all rows", 8e-15, merged_why,
    function() {
      data <- any_data()
      first <- sort(sample.int(nrow(data$x), nrow(data$x) - whole_between(1L, 4L)))
      if (is.factor(data$y)) first <- union(1:3, first)
      fit <- fit_model(any_model(), data$x[first, , drop = FALSE], y_rows(data$y, first))
      rest <- setdiff(seq_len(nrow(data$x)), first)
      if (length(rest) == 0L) return(0)
      more <- stats::update(fit, new_x = data$x[rest, , drop = FALSE], new_y = y_rows(data$y, rest),
                            threads = 1L)
      both <- c(first, rest)
      ridge_defect(more, data$x[both, , drop = FALSE], y_rows(data$y, both))
    }, "fits"
  ),
  forget_rows = routine(
    "ridge regression on the rows that are left", 1e-14,
    "in units of the condition of the rows that are left; sums keep the rounding of all",
    function() {
      data <- any_data(whole_between(10L, 16L))
      fit <- fit_model(any_model(), data$x, data$y)
      out <- sample.int(nrow(data$x) - 3L, whole_between(1L, 3L)) + 3L
      less <- stats::update(fit, forget_x = data$x[out, , drop = FALSE],
                            forget_y = y_rows(data$y, out), threads = 1L)
      ridge_defect(less, data$x[-out, , drop = FALSE], y_rows(data$y, -out))
    }, "fits"
  ),
  update_weighted = routine(
    "ridge regression with weights", 4e-15, ridge_why,
    function() {
      data <- any_data()
      fit <- fit_model(any_model(), data$x, data$y)
      w <- stats::rexp(nrow(data$x)) + 0.1
      more <- stats::update(fit, new_x = data$x, new_y = data$y, case_weights = w, threads = 1L)
      ridge_defect(more, data$x, data$y, 1 + w)
    }, "fits"
  ),
  grow_nodes = routine(
    "ridge regression on the wider features, whose leading columns stay", 4e-15, ridge_why,
    function() {
      data <- any_data()
      model <- any_model(c("elm", "rvfl", "drvfl"))
      fit <- fit_model(model, data$x, data$y)
      last <- length(fit$network$layers)
      width <- length(fit$network$layers[[last]]$bias) + whole_between(1L, 4L)
      grown <- stats::update(fit, hidden = width, threads = 1L)
      before <- fit$network$layers[[last]]$weights
      same <- grown$network$layers[[last]]$weights[, seq_len(ncol(before)), drop = FALSE]
      holds(identical(same, before)) + ridge_defect(grown, data$x, data$y)
    }, "fits"
  ),
  statistics_merged = routine(
    "ridge regression on all rows", 8e-15, merged_why,
    function() {
      data <- any_data(12L)
      colnames(data$x) <- letters[seq_len(ncol(data$x))]
      if (data$task == "outputs") data$y <- data$y[, 1L]
      fit <- fit_model(any_model(), data$x, data$y)
      parts <- split(seq_len(12L), sample.int(2L, 12L, TRUE))
      sums <- lapply(parts, function(rows) {
        cawi_statistics(fit, data$x[rows, , drop = FALSE], y_rows(data$y, rows), threads = 1L)
      })
      ridge_defect(cawi_merge(fit, unname(sums), threads = 1L), data$x, data$y)
    }, "sources"
  ),
  intervals = routine(
    "jackknife+ from refits without each row", 1e-14, loo_why,
    function() {
      data <- any_data(whole_between(6L, 9L))
      y <- if (is.factor(data$y)) stats::rnorm(nrow(data$x)) else as.matrix(data$y)[, 1L]
      fit <- fit_model(any_model(), data$x, y)
      level <- stats::runif(1L, 0.3, 0.9)
      fresh <- fresh_rows(data$x, 2L)
      found <- stats::predict(fit, fresh, type = "interval", level = level)
      n <- length(y)
      lambda <- fit$spec$lambda
      center <- fit$network$intercept
      a <- slow_readouts(data$x, fit$network)
      at <- slow_readouts(fresh, fit$network)
      without <- vapply(seq_len(n), function(i) {
        each <- Map(function(train, new) {
          b <- qr_ridge(train[-i, , drop = FALSE], y[-i], rep(1, n - 1L), lambda, center)
          rbind(new, train[i, ]) %*% b
        }, a, at)
        drop(Reduce(`+`, each) / length(each))
      }, numeric(3L))
      size <- abs(y - without[3L, ])
      # The least value that has `level` of n + 1 rows, of which the last is infinite.
      upper <- function(v) sort(c(v, Inf))[ceiling(level * (n + 1) - 1e-9)]
      wanted <- t(apply(without[1:2, ], 1L, function(mu) c(-upper(size - mu), upper(size + mu))))
      unit <- max(vapply(a, loo_unit, numeric(1), as.matrix(y), rep(1, n), lambda, center))
      gap(as.matrix(found[c("lower", "upper")]), wanted, unit)
    }, "fits"
  )
)
