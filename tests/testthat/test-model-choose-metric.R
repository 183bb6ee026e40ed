# rounds = "auto": numbers of rounds are compared on folds that the metric has not seen.

x <- small_x(60)

# Squared errors of fits to the other folds, by the functions that users have.
plain_table <- function(model, y, rounds, strength = 1, case_weights = NULL, ...) {
  fold <- cawi_folds(y, 5, seed = 3)[, 1]
  w <- if (is.null(case_weights)) rep(1, 60) else case_weights
  truth <- indicators(y)
  unit <- if (NCOL(y) > 1) apply(truth, 2, sample_sd, w) else rep(1, ncol(truth))
  error <- vapply(1:5, function(k) {
    train <- fold != k
    y_train <- if (is.matrix(y)) y[train, ] else y[train]
    fit <- fit_named(model, x[train, ], y_train, init = "gradient", rounds = rounds,
                     strength = strength, case_weights = case_weights[train], seed = 3, ...)
    gap <- truth[!train, , drop = FALSE] - predict(fit, x[!train, ], type = "score")
    sum(w[!train] * rowMeans(sweep(gap, 2, unit, `/`)^2))
  }, numeric(1))
  sqrt(sum(error) / sum(w))
}

for (task in tasks) {
  test_that(paste("rounds are those of least squared error on folds held out:", task), {
    y <- small_y(task, x)
    for (model in model_names) {
      w <- if (model == "rvfl") rep_len(c(1, 3), 60)
      fit <- fit_named(model, x, y, init = "gradient", case_weights = w, seed = 3)
      table <- fit$spec$metric_choice
      expect_identical(table$rounds, c(0, 1, 2, 3))
      wanted <- vapply(0:3, function(r) plain_table(model, y, r, case_weights = w), numeric(1))
      expect_equal(table$rmse, wanted, tolerance = 1e-6)
      expect_identical(fit$spec$rounds, table$rounds[which.min(table$rmse)])
      explicit <- fit_named(model, x, y, init = "gradient", rounds = fit$spec$rounds,
                            case_weights = w, seed = 3)
      expect_identical(fit$network, explicit$network)
      expect_identical(coef(fit), coef(explicit))
      expect_null(explicit$spec$metric_choice)
    }
  })
}

test_that("strengths are compared on the same folds", {
  y <- small_y("classification", x)
  fit <- cawi_rvfl(x, y, hidden = 9, init = "gradient", rounds = 2, strength = "auto", seed = 3)
  table <- fit$spec$metric_choice
  expect_identical(table$strength, c(0, 0.5, 1))
  wanted <- vapply(table$strength, function(s) plain_table("rvfl", y, 2, s), numeric(1))
  expect_equal(table$rmse, wanted, tolerance = 1e-8)
  expect_identical(fit$spec$strength, table$strength[which.min(table$rmse)])
  both <- cawi_rvfl(x, y, hidden = 9, init = "gradient", strength = "auto", seed = 3)
  table <- both$spec$metric_choice
  expect_identical(unique(table[c("rounds", "strength")]), table[c("rounds", "strength")])
  expect_setequal(table$strength, c(0.5, 1))
  expect_output(print(summary(both)), "and strength .*: the best of 8 by squared error on folds")
})

test_that("a spread is that of i.i.d. weights, and both choices are told", {
  y <- small_y("regression", x)
  fit <- cawi_rvfl(x, y, hidden = 9, init = "gradient", scale = "auto", seed = 3)
  plain <- cawi_rvfl(x, y, hidden = 9, scale = "auto", inputs = NULL, seed = 3)
  expect_identical(fit$spec$spread, plain$spec$spread)
  expect_identical(fit$spec$choice, plain$spec$choice)
  text <- capture.output(print(summary(fit)))
  expect_match(text, "^spread .*: the best of 5 by exact leave-one-out", all = FALSE)
  expect_match(text, "^[0-3] rounds?: the best of 4 by squared error on folds", all = FALSE)
})

test_that("few rows choose nothing, and many rows choose on a sample", {
  few <- cawi_rvfl(x[1:9, ], small_y("regression", x)[1:9], hidden = 3, init = "gradient",
                   strength = "auto", seed = 1)
  expect_identical(few$spec$rounds, 0)
  expect_identical(few$spec$strength, 1)
  looked_at <- function(rows, rounds) {
    x <- matrix(seq_len(rows) / rows)
    spec <- list(init = "gradient", rounds = rounds, strength = 1)
    nrow(choice_rows(x, targets_of(x[, 1]), spec)$x)
  }
  expect_identical(looked_at(6001, "auto"), 4000L)
  expect_identical(looked_at(6000, "auto"), 6000L)
  expect_identical(looked_at(6001, 1), 6001L)
})

test_that("tuning learns the metric on the training part of every fold", {
  y <- small_y("classification", x)
  fold <- cawi_folds(y, 3, seed = 5)[, 1]
  grid <- cawi_grid(hidden = c(6, 9), activation = c("sine", "sigmoid"),
                    init = c("iid", "gradient"), lambda = 0.1)
  tuned <- cawi_tune(x, y, grid = grid, resampling = fold, seed = 5)
  for (i in seq_len(nrow(tuned$results))) {
    row <- tuned$results[i, ]
    hits <- vapply(1:3, function(k) {
      fit <- cawi_rvfl(x[fold != k, ], y[fold != k], hidden = row$hidden, init = row$init,
                       activation = row$activation, lambda = 0.1, seed = 5)
      mean(max.col(predict(fit, x[fold == k, ], type = "score")) == as.integer(y[fold == k]))
    }, numeric(1))
    expect_equal(row$mean, mean(hits))
  }
  grid <- cawi_grid(hidden = 6, rounds = 0:2, per_feature = c(FALSE, TRUE))
  rounds <- cawi_tune(x, y, grid = grid, init = "gradient", strength = "auto", resampling = 3,
                      seed = 5)
  expect_setequal(rounds$results$strength, c(0, 0.5, 1))
  expect_identical(rounds$fit$spec$rounds, as.double(rounds$best$rounds))
  deep <- cawi_tune(x, y, model = "edrvfl", grid = cawi_grid(hidden = list(c(4, 4)), lambda = 1),
                    init = "gradient", seed = 5)
  expect_identical(glance(deep)$init, "gradient")
})

test_that("an edited choice is caught", {
  fit <- cawi_rvfl(x, small_y("regression", x), hidden = 5, init = "gradient", seed = 1)
  for (bad in list(1, list(), data.frame(rounds = 1))) {
    fit$spec$metric_choice <- bad
    expect_error(print(fit), class = "cawi_error_x")
  }
})
