test_that("the best temperature is that of a plain search", {
  cases <- list(
    list(scores = rbind(c(1, 0), c(0.4, 0.6), c(0.3, 0.5), c(-0.2, 1)),
         classes = c(1L, 1L, 2L, 2L)),
    list(scores = matrix(bell(90, 3), 30) / 2147483647, classes = rep(1:3, 10)),
    list(scores = 1e3 + matrix(bell(40, 8), 20) / 2147483647, classes = rep(1:2, 10)),
    list(scores = indicators(small_y("classification")) + matrix(bell(120), 40) / 2147483647,
         classes = as.integer(small_y("classification")))
  )
  for (case in cases) for (weighted in c(FALSE, TRUE)) {
    n <- nrow(case$scores)
    w <- if (weighted) rep_len(c(1, 0.5, 3), n) else rep(1, n)
    loss <- function(log_t) {
      p <- softmax(exp(log_t) * case$scores)
      -sum(w * log(p[cbind(seq_len(n), case$classes)]))
    }
    found <- best_temperature_cpp(case$scores, case$classes, w)
    wanted <- stats::optimize(loss, c(-5, 6), tol = 1e-10)
    expect_lte(loss(log(found)), wanted$objective * (1 + 1e-12))
    # The minimum is flat: its place is known to the root of the precision of the loss.
    expect_lt(abs(log(found) - wanted$minimum), 1e-4)
  }
})

test_that("temperatures stop at e^-5 and e^6", {
  right <- rbind(c(1, 0), c(0, 1))
  expect_equal(best_temperature_cpp(right, 1:2, c(1, 1)), exp(6), tolerance = 1e-9)
  expect_equal(best_temperature_cpp(right, 2:1, c(1, 1)), exp(-5), tolerance = 1e-9)
  # Weights decide: one right row of weight 3 against a wrong one of weight 1 gives odds of 3.
  expect_equal(best_temperature_cpp(rbind(c(1, 0), c(1, 0)), 1:2, c(3, 1)), log(3),
               tolerance = 1e-10)
  # Equal scores say nothing, and scores far from zero are no trouble.
  expect_true(is.finite(best_temperature_cpp(matrix(2, 4, 3), rep_len(1:3, 4), rep(1, 4))))
  expect_equal(best_temperature_cpp(rbind(c(1, 0), c(1, 0)) - 1e6, 1:2, c(3, 1)), log(3),
               tolerance = 1e-4)
})

metric_for <- function(name, task = "classification") check_metric(name, task, NULL, environment())

test_that("means and standard errors by hand", {
  hits <- c(1, 0, 1, 1)
  losses <- list(sum = list(hit = matrix(sum(hits))), square = list(hit = matrix(sum(hits^2))))
  value <- metric_values(metric_for("accuracy"), losses, 4, 4)
  expect_equal(value$mean[1], 0.75)
  expect_equal(value$se[1], stats::sd(hits) / 2)
  # Squared errors 1 and 9: mean 5, root 2.236; its standard error by the delta method.
  squared <- c(1, 9)
  losses <- list(sum = list(squared = matrix(10)), square = list(squared = matrix(82)))
  value <- metric_values(metric_for("rmse", "regression"), losses, 2, 2)
  expect_equal(value$mean[1], sqrt(5))
  expect_equal(value$se[1], stats::sd(squared) / sqrt(2) / (2 * sqrt(5)))
})

test_that("case weights weigh the mean and the variance", {
  loss <- c(0.2, 1.5, 0.7)
  w <- c(1, 2, 5)
  losses <- list(sum = list(log = matrix(sum(w * loss))),
                 square = list(log = matrix(sum(w * loss^2))))
  value <- metric_values(metric_for("log_loss"), losses, sum(w), 3)
  expect_equal(value$mean[1], stats::weighted.mean(loss, w))
  expect_equal(value$se[1], sqrt(stats::weighted.mean((loss - value$mean[1])^2, w) / 2))
})

test_that("no error and a single row have standard error zero", {
  losses <- list(sum = list(squared = matrix(0)), square = list(squared = matrix(0)))
  expect_identical(unlist(metric_values(metric_for("rmse"), losses, 3, 3)), c(mean = 0, se = 0))
  losses <- list(sum = list(brier = matrix(0.3)), square = list(brier = matrix(0.09)))
  expect_equal(unlist(metric_values(metric_for("brier"), losses, 1, 1)), c(mean = 0.3, se = 0))
})

test_that("the standard error of leave-one-out is that of its rows", {
  x <- small_x()
  y <- small_y("classification", x)
  for (metric in metrics_of(y)) for (weights in list(NULL, rep_len(c(1, 3), 40))) {
    tuned <- cawi_tune(x, y, "rvfl", cawi_grid(hidden = 9, lambda = 0.5), metric = metric, seed = 1,
                       case_weights = weights)
    fit <- cawi_rvfl(x, y, hidden = 9, lambda = 0.5, seed = 1, case_weights = weights)
    loss <- row_losses(loo_scores(fit), fit, y)[[metric]]
    w <- if (is.null(weights)) rep(1, 40) else weights
    mean <- stats::weighted.mean(loss, w)
    se <- sqrt(stats::weighted.mean((loss - mean)^2, w) / 39)
    if (metric == "rmse") se <- se / (2 * sqrt(mean))
    expect_equal(tuned$results$se, se, tolerance = 1e-8)
  }
})

test_that("defaults and directions", {
  expect_identical(check_metric(NULL, "classification", NULL, environment())$name, "accuracy")
  expect_identical(check_metric(NULL, "regression", NULL, environment())$name, "rmse")
  directions <- vapply(metric_names, function(name) metric_for(name)$maximize, logical(1))
  expect_identical(directions, c(accuracy = TRUE, log_loss = FALSE, brier = FALSE, auc = TRUE,
                                 rmse = FALSE))
  expect_error(check_metric(sum, "regression", NULL, environment()), class = "cawi_error_maximize")
  expect_false(check_metric(sum, "regression", FALSE, environment())$maximize)
  expect_true(check_metric(sum, "regression", TRUE, environment())$maximize)
})

x <- small_x()
classes <- small_y("classification", x)
numbers <- small_y("regression", x)
several <- small_y("outputs", x)
few <- cawi_grid(hidden = c(5, 9, 60), lambda = c(0.1, 1))

tune_by <- function(y, metric, resampling = "loo", model = "rvfl", grid = few,
                    maximize = if (is.function(metric)) FALSE, ...) {
  cawi_tune(x, y, model, grid, resampling = resampling, metric = metric, maximize = maximize,
            seed = 2, ...)
}

fold <- rep_len(1:3, 40)

test_that("a function of truth and probabilities gives what the built-in metric gives", {
  own <- list(
    accuracy = function(truth, prob) mean(colnames(prob)[max.col(prob, "first")] == truth),
    log_loss = function(truth, prob) log_loss(prob, truth),
    brier = function(truth, prob) mean(rowSums((prob - indicators(truth))^2))
  )
  for (name in names(own)) for (resampling in list("loo", fold)) {
    wanted <- tune_by(classes, name, resampling)
    found <- tune_by(classes, own[[name]], resampling, maximize = wanted$maximize)
    expect_equal(found$results$mean, wanted$results$mean, tolerance = 1e-10)
    expect_identical(found$chosen$combination, wanted$chosen$combination)
  }
  wanted <- tune_by(numbers, "rmse", fold)
  found <- tune_by(numbers, function(truth, value) sqrt(mean((truth - value)^2)), fold)
  expect_equal(found$results$mean, wanted$results$mean, tolerance = 1e-10)
  expect_identical(found$chosen$combination, wanted$chosen$combination)
})

test_that("a function works for every model", {
  for (model in model_names) {
    # Outputs in units of their own.
    rmse <- function(truth, value) sqrt(mean(sweep(truth - value, 2, output_units(several), `/`)^2))
    found <- tune_by(several, rmse, model = model, grid = peer_grids[[model]])
    wanted <- tune_by(several, "rmse", model = model, grid = peer_grids[[model]])
    expect_equal(found$results$mean, wanted$results$mean, tolerance = 1e-10)
  }
})

test_that("what a function is given", {
  seen <- list()
  spy <- function(truth, estimate) {
    seen <<- list(truth = truth, estimate = estimate)
    0
  }
  one <- cawi_grid(hidden = 5, lambda = 1)
  tune_by(classes, spy, grid = one)
  expect_identical(seen$truth, classes)
  expect_identical(colnames(seen$estimate), levels(classes))
  expect_equal(rowSums(seen$estimate), rep(1, 40))
  fit <- cawi_rvfl(x, classes, hidden = 5, lambda = 1, seed = 2)
  expect_equal(unname(seen$estimate), softmax(temperature_of(fit) * loo_scores(fit)),
               tolerance = 1e-10)

  tune_by(classes, spy, rep(1:2, c(30, 10)), grid = one)
  # Parts come in the order of their numbers; the last has the last ten rows.
  fit <- cawi_rvfl(x[1:30, ], classes[1:30], hidden = 5, lambda = 1, seed = 2)
  expect_identical(seen$truth, classes[31:40])
  expect_equal(unname(seen$estimate),
               unname(softmax(temperature_of(fit) * predict(fit, x[31:40, ], type = "score"))),
               tolerance = 1e-10)

  tune_by(numbers, spy, grid = one)
  expect_equal(seen$truth, numbers)
  expect_null(dim(seen$estimate))
  tune_by(several, spy, grid = one)
  expect_equal(seen$truth, unname(several))
  expect_identical(dim(seen$estimate), c(40L, 3L))
  # Logicals are classes too.
  tune_by(numbers > 0, spy, grid = one)
  expect_identical(seen$truth, factor(numbers > 0))
  expect_identical(colnames(seen$estimate), c("FALSE", "TRUE"))
})

test_that("a function sees all classes, also those that the training part lacks", {
  rare <- factor(replace(as.character(classes), 1:2, "rare"))
  seen <- list()
  spy <- function(truth, prob) {
    seen[[length(seen) + 1]] <<- list(truth = truth, names = colnames(prob), prob = prob)
    0
  }
  tune_by(rare, spy, c(1, 1, rep(2:3, 19)), grid = cawi_grid(hidden = 5, lambda = 1))
  expect_identical(as.character(seen[[1]]$truth), c("rare", "rare"))
  expect_identical(levels(seen[[1]]$truth), levels(rare))
  expect_identical(seen[[1]]$names, levels(rare))
  expect_identical(unname(seen[[1]]$prob[, "rare"]), c(0, 0))
  expect_equal(unname(rowSums(seen[[1]]$prob)), c(1, 1))
  expect_identical(seen[[2]]$names, levels(rare))
})

test_that("parts of one row have one row of probabilities or outputs", {
  shapes <- list()
  spy <- function(truth, estimate) {
    shapes[[length(shapes) + 1]] <<- dim(estimate)
    0
  }
  tune_by(classes, spy, 1:40, grid = cawi_grid(hidden = 5, lambda = 1))
  expect_identical(unique(shapes), list(c(1L, 3L)))
  shapes <- list()
  tune_by(several, spy, 1:40, grid = cawi_grid(hidden = 5, lambda = 1))
  expect_identical(unique(shapes), list(c(1L, 3L)))
})

test_that("maximize turns the choice around", {
  size <- function(truth, value) mean(abs(value))
  small <- tune_by(numbers, size)
  large <- tune_by(numbers, size, maximize = TRUE)
  expect_identical(small$results$mean, large$results$mean)
  expect_identical(small$chosen$mean, min(small$results$mean))
  expect_identical(large$chosen$mean, max(large$results$mean))
  expect_false(small$maximize)
  expect_true(large$maximize)
  # The order of summary() follows.
  expect_identical(order(summary(large)$metric, decreasing = TRUE), seq_len(6))
})

test_that("an error in the function is the user's own", {
  expect_error(tune_by(numbers, function(truth, value) stop("mine")), "mine")
})

test_argument_errors(alist(
  metric = tune_by(classes, "kappa"),
  metric = tune_by(classes, NA),
  metric = tune_by(classes, 1),
  metric = tune_by(classes, c("accuracy", "brier")),
  metric = tune_by(numbers, "accuracy"),
  metric = tune_by(numbers, "log_loss"),
  metric = tune_by(several, "brier"),
  metric = tune_by(numbers, function(truth, value) NA_real_, maximize = FALSE),
  metric = tune_by(numbers, function(truth, value) NaN, maximize = FALSE),
  metric = tune_by(numbers, function(truth, value) c(1, 2), maximize = FALSE),
  metric = tune_by(numbers, function(truth, value) "good", maximize = FALSE),
  metric = tune_by(numbers, function(truth, value) NULL, maximize = FALSE),
  maximize = tune_by(classes, "accuracy", maximize = TRUE),
  maximize = tune_by(numbers, NULL, maximize = FALSE),
  maximize = tune_by(numbers, function(truth, value) 1, maximize = NA),
  maximize = tune_by(numbers, function(truth, value) 1, maximize = "yes")
))
