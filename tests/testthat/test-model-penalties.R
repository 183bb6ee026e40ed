# What a fit at a penalty predicts: the weights do not depend on it.
refitted <- function(model, task, lambda, type, ...) {
  fit <- fit_named(model, small_x(), small_y(task), lambda = lambda, seed = 5, ...)
  predict(fit, small_x(9, 11), type)
}

penalties <- c(3, 1e-3, 0.5, 1e4)

test_that("one fit predicts what fits at other penalties do", {
  for (model in model_names) for (task in tasks) for (shape in list(narrow, wide)) {
    fit <- fit_named(model, small_x(), small_y(task), lambda = 1, seed = 5, shape = shape[[model]])
    types <- if (task == "classification") c("class", "prob", "score") else "numeric"
    for (type in types) {
      found <- predict_penalties(fit, small_x(9, 11), penalties, type)
      for (l in seq_along(penalties)) {
        wanted <- refitted(model, task, penalties[l], type, shape = shape[[model]])
        expect_equal(found[[l]], wanted, tolerance = 1e-6, label = paste(model, task, type, l))
      }
    }
  }
})

test_that("case weights and infinitely many nodes are known", {
  x <- small_x()
  y <- small_y("classification")
  weight <- rep_len(c(1, 2, 0.5), 40)
  fit <- function(lambda, ...) {
    cawi_rvfl(x, y, lambda = lambda, case_weights = weight, seed = 2, ...)
  }
  for (given in list(list(hidden = 9), list(hidden = Inf, activation = "radbas",
                                                bias = "none", marginal = "normal"))) {
    one <- do.call(fit, c(list(1), given))
    found <- predict_penalties(one, x, c(0.1, 10), "prob")
    for (l in 1:2) {
      wanted <- predict(do.call(fit, c(list(c(0.1, 10)[l]), given)), x, "prob")
      expect_equal(found[[l]], wanted, tolerance = 1e-5)
    }
  }
})

test_that("many rows are calibrated on the rows that a fit takes", {
  x <- factor_data(700, 3) / 2147483647
  y <- factor(x[, 1] + x[, 2]^2 > stats::median(x[, 1] + x[, 2]^2))
  fit <- cawi_elm(x, y, hidden = 10, lambda = 1, seed = 1)
  other <- cawi_elm(x, y, hidden = 10, lambda = 0.1, seed = 1)
  expect_equal(predict_penalties(fit, x[1:9, ], 0.1, "prob")[[1]],
               predict(other, x[1:9, ], "prob"), tolerance = 1e-6)
})

test_that("at its own penalty a model is what it is", {
  for (task in c("classification", "regression")) {
    fit <- cawi_rvfl(small_x(), small_y(task), hidden = 9, seed = 1)
    own <- unique(fit$lambda)
    expect_equal(predict_penalties(fit, small_x(), c(7, own), NULL)[[2]], predict(fit, small_x()),
                 tolerance = 1e-12)
  }
})

test_that("a readout with one column, by hand", {
  # No intercept, no hidden node counts: y = b x with b = sum(x y) / (sum(x^2) + lambda).
  x <- cbind(c(1, 2, 3))
  y <- c(2, 4, 7)
  zero <- function(x, hidden, seed) matrix(0, ncol(x), hidden)
  fit <- cawi_rvfl(x, y, hidden = 1, init = zero, activation = "sine", bias = "none",
                   standardize = FALSE, intercept = FALSE, lambda = 1, seed = 1)
  found <- predict_penalties(fit, cbind(1), c(0, 6, 17), "numeric")
  expect_equal(unlist(found), 31 / (14 + c(0, 6, 17)))
})

test_that("without training rows there are scores and classes, but no probabilities", {
  fit <- cawi_rvfl(small_x(), small_y("classification"), hidden = 9, lambda = 1, seed = 1,
                   keep_data = FALSE)
  scores <- predict_penalties(fit, small_x(), c(0.1, 1), "score")
  classes <- predict_penalties(fit, small_x(), c(0.1, 1), "class")
  expect_identical(as.integer(classes[[1]]), max.col(scores[[1]], "first"))
  expect_identical(classes[[2]], predict(fit, small_x()))
  expect_equal(predict_penalties(fit, small_x(), 1, "prob")[[1]],
               predict(fit, small_x(), "prob"))
  expect_error(predict_penalties(fit, small_x(), 0.1, "prob"), class = "cawi_error_penalty")
})

test_that("penalties that are none are refused", {
  fit <- cawi_rvfl(small_x(), small_y("regression"), hidden = 9, lambda = 1, seed = 1)
  for (wrong in list(-1, NA, "a", numeric(), matrix(1, 1, 1), NULL)) {
    expect_error(predict_penalties(fit, small_x(), wrong, NULL), class = "cawi_error_lambda")
  }
})
