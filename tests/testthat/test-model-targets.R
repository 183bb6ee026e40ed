test_that("classes come back whatever their names and order", {
  x <- small_x()
  k <- as.integer(small_y("classification", x))
  names <- list(
    c("b", "a", "c"), c("10", "2", "1"), c("TRUE", "FALSE", "NA"), c("with space", " ", "tail "),
    c("\u00e9t\u00e9", "\u65e5\u672c", "z"), c("a", "A", "a_"), c("x1", "(Intercept)", "h1_1"),
    c("{y}", "%d", "\\n")
  )
  for (labels in names) for (model in model_names) {
    y <- factor(labels[k], labels)
    fit <- fit_named(model, x, y, scale = 1, inputs = NULL, lambda = 0.01, seed = 1,
                     shape = wide[[model]])
    expect_identical(fit$levels, labels)
    predicted <- predict(fit, x)
    expect_identical(levels(predicted), labels)
    # Enough nodes to know the training data by heart.
    expect_gt(mean(predicted == y), 0.95)
    expect_identical(colnames(predict(fit, x, type = "prob")), labels)
    expect_identical(colnames(predict(fit, x, type = "score")), labels)
  }
})

test_that("the order of levels does not change predictions", {
  y <- iris$Species
  turned <- factor(y, rev(levels(y)))
  one <- cawi_rvfl(iris[, 1:4], y, hidden = 20, seed = 1)
  two <- cawi_rvfl(iris[, 1:4], turned, hidden = 20, seed = 1)
  expect_identical(levels(predict(two, iris)), rev(levels(y)))
  expect_identical(as.character(predict(one, iris)), as.character(predict(two, iris)))
  expect_equal(predict(one, iris, type = "score"), predict(two, iris, type = "score")[, levels(y)])
})

test_that("levels that no row has are no classes, but levels of the predictions", {
  y <- factor(rep(c("b", "a"), 20), c("none", "b", "nobody", "a"))
  fit <- cawi_rvfl(small_x(), y, hidden = 5, seed = 1)
  expect_identical(fit$levels, c("b", "a"))
  expect_identical(ncol(coef(fit)), 2L)
  subset <- cawi_rvfl(Species ~ ., iris[1:100, ], hidden = 5, seed = 1)
  expect_identical(levels(predict(subset, iris[1:3, ])), levels(iris$Species))
  expect_true(all(predict(subset, iris[1:9, ]) == iris$Species[1:9]))
  prob <- predict(subset, iris[1:3, ], type = "prob")
  expect_identical(colnames(prob), levels(iris$Species))
  expect_identical(unname(prob[, "virginica"]), numeric(3))
  expect_equal(rowSums(prob), rep(1, 3))
  expect_identical(colnames(predict(subset, iris[1:3, ], type = "score")),
                   c("setosa", "versicolor"))
})

test_that("characters and logicals are classes, numbers are not", {
  x <- small_x()
  signal <- small_y("regression", x)
  text <- ifelse(signal > 0, "up", "down")
  fit <- cawi_rvfl(x, text, hidden = 9, seed = 1)
  expect_identical(fit$levels, c("down", "up"))
  expect_identical(coef(cawi_rvfl(x, factor(text), hidden = 9, seed = 1)), coef(fit))
  fit <- cawi_rvfl(x, signal > 0, hidden = 9, seed = 1)
  expect_identical(fit$levels, c("FALSE", "TRUE"))
  expect_s3_class(predict(fit, x), "factor")
  expect_identical(cawi_rvfl(x, as.integer(signal > 0), hidden = 9, seed = 1)$task, "regression")
  expect_identical(cawi_rvfl(y ~ ., data.frame(x, y = text), hidden = 9)$task, "classification")
  expect_identical(cawi_rvfl(y ~ ., data.frame(x, y = signal > 0), hidden = 9)$levels,
                   c("FALSE", "TRUE"))
  ordered <- small_y("classification", x)
  expect_identical(cawi_rvfl(x, factor(ordered, ordered = TRUE), hidden = 9)$levels,
                   levels(ordered))
})

test_that("responses of one column are vectors", {
  x <- small_x()
  y <- small_y("regression", x)
  plain <- cawi_rvfl(x, y, hidden = 5, seed = 1)
  expect_identical(unname(coef(cawi_rvfl(x, matrix(y), hidden = 5, seed = 1))), unname(coef(plain)))
  expect_identical(unname(coef(cawi_rvfl(x, data.frame(out = y), hidden = 5, seed = 1))),
                   unname(coef(plain)))
  expect_identical(coef(cawi_rvfl(x, data.frame(out = small_y("classification", x)),
                                  hidden = 5, seed = 1)),
                   coef(cawi_rvfl(x, small_y("classification", x), hidden = 5, seed = 1)))
})

test_that("several outputs are the single ones side by side", {
  x <- small_x()
  y <- small_y("outputs", x)
  for (model in model_names) {
    all <- fit_named(model, x, y, lambda = 0.3, seed = 1)
    prediction <- predict(all, x)
    expect_identical(colnames(prediction), colnames(y))
    expect_identical(predict(fit_named(model, x, as.data.frame(y), lambda = 0.3, seed = 1), x),
                     prediction)
    for (j in 1:3) {
      single <- fit_named(model, x, y[, j], lambda = 0.3, seed = 1)
      expect_equal(predict(single, x), unname(prediction[, j]), tolerance = 1e-10)
    }
  }
  # Outputs without names have the same ones everywhere.
  unnamed <- cawi_rvfl(x, unname(y), hidden = 3)
  outputs <- paste0("y", 1:3)
  expect_identical(colnames(predict(unnamed, x)), outputs)
  expect_identical(utils::tail(names(augment(unnamed, x)), 3), paste0(".pred_", outputs))
  expect_identical(unique(tidy(unnamed)$output), outputs)
  expect_identical(colnames(coef(unnamed)), outputs)
  formula <- cawi_rvfl(cbind(first, second, third) ~ ., data.frame(x, y), hidden = 5,
                       lambda = 0.3, seed = 1)
  expect_equal(predict(formula, data.frame(x)),
               predict(cawi_rvfl(x, y, hidden = 5, lambda = 0.3, seed = 1), x))
})

test_that("two classes are as good as their indicators", {
  x <- small_x()
  y <- small_y("regression", x) > 0
  # Without an intercept, whose penalty is another one.
  fit <- cawi_rvfl(x, y, hidden = 5, lambda = 0.3, intercept = FALSE, seed = 1)
  numeric <- cawi_rvfl(x, cbind(1 - y, y + 0), hidden = 5, lambda = 0.3,
                       intercept = FALSE, seed = 1)
  expect_equal(unname(coef(fit)), unname(coef(numeric)))
})

test_that("classes that lose all their rows are gone", {
  x <- small_x()
  y <- small_y("classification", x)
  fit <- cawi_rvfl(x, y, hidden = 5, case_weights = as.numeric(y != "mid"), seed = 1)
  expect_identical(fit$levels, c("low", "high"))
  holes <- x
  holes[y == "mid", 2] <- NA
  expect_identical(cawi_rvfl(holes, y, hidden = 5, na_action = "omit", seed = 1)$levels,
                   c("low", "high"))
})

good_x <- small_x()

test_argument_errors(alist(
  y = cawi_rvfl(good_x, factor(rep("a", 40))),
  y = cawi_rvfl(good_x, rep(TRUE, 40)),
  y = cawi_rvfl(good_x, addNA(factor(rep(c("a", NA), 20)))),
  y = cawi_rvfl(good_x, factor(rep(c("a", NA), 20))),
  y = cawi_rvfl(good_x, matrix("a", 40, 2)),
  y = cawi_rvfl(good_x, array(1, c(40, 1, 2))),
  y = cawi_rvfl(good_x, data.frame(a = letters[rep(1:2, 20)], b = 1)),
  y = cawi_rvfl(good_x, rep(as.Date("2020-01-01"), 40)),
  y = cawi_rvfl(good_x, rep(1i, 40)),
  y = cawi_rvfl(good_x, matrix(0, 40, 0)),
  y = cawi_rvfl(good_x, sum),
  y = cawi_rvfl(good_x, factor(rep(c("a", "b"), 20)), case_weights = rep(c(1, 0), 20))
))

test_that("a response of another length is refused, also where rows are left out", {
  x <- small_x()
  y <- small_y("regression")
  last_out <- replace(rep(1, 40), 40, 0)
  holes <- replace(x, 40, NA)
  for (wrong in list(y[-40], c(y, 1), y[-(1:2)])) {
    for (code in alist(
      cawi_rvfl(x, wrong, hidden = 5, case_weights = last_out),
      cawi_rvfl(holes, wrong, hidden = 5, na_action = "omit"),
      cawi_tune(x, wrong, grid = cawi_grid(hidden = 5), case_weights = last_out),
      cawi_tune(holes, wrong, grid = cawi_grid(hidden = 5), resampling = 3, na_action = "omit"),
      cawi_auto(x, wrong, hidden = 5, case_weights = last_out)
    )) expect_error(eval(code), "one value per row", class = "cawi_error_y")
  }
  fit <- cawi_rvfl(x, y, hidden = 5, case_weights = last_out, keep_data = FALSE)
  expect_error(update(fit, hidden = 7, x = x, y = c(y, 1), case_weights = last_out),
               "one value per row", class = "cawi_error_y")
})

test_that("a response with one dimension is a vector where rows are left out", {
  x <- small_x()
  y <- small_y("regression")
  y[3] <- NA
  fit <- cawi_elm(x, array(y), hidden = 3, na_action = "omit", seed = 1)
  expect_identical(coef(fit), coef(cawi_elm(x, y, hidden = 3, na_action = "omit", seed = 1)))
})

test_that("without an intercept the unit of a response is its root mean square", {
  targets <- list(task = "regression", values = cbind(c(3, 4), c(0, 0), c(3e200, 4e200)),
                  case_weights = NULL, rows = 2L)
  expect_equal(scaled_targets(targets, FALSE)$sd, c(sqrt(12.5), 1, sqrt(12.5) * 1e200))
  expect_null(scaled_targets(targets, FALSE)$center)
  weighted <- replace(targets, "case_weights", list(c(3, 1)))
  expect_equal(scaled_targets(weighted, FALSE)$sd[1], sqrt((27 + 16) / 4))
})

test_that("a sparse response is refused where rows are left out, too", {
  skip_if_not_installed("Matrix")
  y <- Matrix::Matrix(rep(c(0, 1), 15), ncol = 1, sparse = TRUE)
  for (na_action in c("fail", "omit")) {
    expect_error(cawi_elm(matrix(1:60 / 60, 30), y, hidden = 2, na_action = na_action),
                 class = "cawi_error_y")
  }
})

test_that("at least two rows must weigh something beside the others", {
  x <- matrix(c(1, 3, 2, 5, 4, 7), 2)
  for (y in list(c(1, 2), factor(c("a", "b")), cbind(1:2, 2:1))) {
    for (weights in list(c(5e-324, 1), c(1, 1e-300), c(1, 0), c(3, 5e-16))) {
      expect_error(cawi_rvfl(x, y, scale = "auto", case_weights = weights, seed = 1),
                   "at least two usable rows", class = "cawi_error_case_weights")
    }
    expect_no_error(cawi_rvfl(x, y, case_weights = c(1, 1e-15), seed = 1))
  }
  expect_error(cawi_rvfl(mpg ~ wt, mtcars, hidden = 3, case_weights = c(1, rep(0, 31))),
               class = "cawi_error_case_weights")
})
