x <- small_x()
y <- small_y("regression", x)
fit <- cawi_rvfl(x, y, hidden = 5, lambda = 0.3, seed = 1)
fresh <- x[1:7, ] * 0.7 + 0.1

test_that("a level of next to nothing has intervals", {
  # The rank of the residual was 0, and the model passed for a damaged one.
  x <- small_x()
  for (intercept in c(TRUE, FALSE)) {
    fit <- cawi_elm(x, small_y("regression"), hidden = 5, intercept = intercept, seed = 1)
    found <- predict(fit, x[1:3, ], type = "interval", level = .Machine$double.eps)
    expect_true(all(is.finite(found$lower) & found$lower <= found$upper))
    expect_equal(found, predict(fit, x[1:3, ], type = "interval", level = 0.01))
  }
})

test_that("ends of an interval at a small level do not cross", {
  # Far from the training rows, predictions without a row differ by more than its residual.
  set.seed(1)
  inputs <- matrix(runif(90), 30)
  fit <- cawi_rvfl(inputs, rnorm(30), hidden = 5, lambda = 1e-6, seed = 1)
  far <- matrix(runif(30, -20, 20), 10)
  for (level in c(1e-12, 0.1, 0.3, 0.5)) {
    found <- predict(fit, far, type = "interval", level = level)
    expect_true(all(found$lower <= found$upper))
  }
  expect_identical(ordered_ends(c(1, 3, -Inf), c(2, 1, Inf)), cbind(c(1, 2, -Inf), c(2, 2, Inf)))
})

test_that("quantiles by hand", {
  values <- rbind(c(3, 1, 2, 4), c(10, 40, 30, 20))
  # Of four values and one that is infinite, 60 % are three.
  expect_identical(upper_quantile(values, rep(1, 4), 0.6), c(3, 30))
  expect_identical(upper_quantile(values, rep(1, 4), 0.8), c(4, 40))
  expect_identical(upper_quantile(values, rep(1, 4), 0.81), c(Inf, Inf))
  # The last value has half of the weight, whatever the unit.
  expect_identical(upper_quantile(values, 7 * c(1, 1, 1, 3), 0.5), c(4, 20))
  expect_identical(upper_quantile(values, c(1, 1, 1, 3), 0.25), c(2, 20))
})

test_that("intervals are those of the definition, from refits", {
  a <- cawi_features(fit, x)
  new <- cawi_features(fit, fresh)
  penalty <- diag(c(rep(0.3, ncol(a) - 1), 0))
  without <- lapply(1:40, function(i) {
    solve(crossprod(a[-i, ]) + penalty, crossprod(a[-i, ], y[-i]))
  })
  missed <- vapply(1:40, function(i) abs(y[i] - sum(a[i, ] * without[[i]])), 0)
  at <- vapply(without, function(b) drop(new %*% b), numeric(7))
  high <- apply(at + rep(missed, each = 7), 1, function(v) sort(v)[33])
  low <- apply(at - rep(missed, each = 7), 1, function(v) sort(v)[8])
  found <- predict(fit, fresh, type = "interval", level = 0.8)
  expect_named(found, c("fit", "lower", "upper"))
  expect_equal(found$fit, predict(fit, fresh))
  expect_equal(found$lower, low, tolerance = 1e-6)
  expect_equal(found$upper, high, tolerance = 1e-6)
})

test_that("a higher level is wider, and too high a level is infinite", {
  narrow <- predict(fit, fresh, type = "interval", level = 0.5)
  wide <- predict(fit, fresh, type = "interval", level = 0.9)
  expect_true(all(narrow$lower >= wide$lower & narrow$upper <= wide$upper))
  all <- predict(fit, fresh, type = "interval", level = 0.99)
  expect_identical(unique(c(-all$lower, all$upper)), Inf)
})

test_that("fresh rows are within their intervals about as often as the level says", {
  set.seed(3)
  all <- matrix(rnorm(1200 * 3), 1200)
  truth <- sin(2 * all[, 1]) + all[, 2] + rnorm(1200) / 2
  for (model in list(cawi_rvfl(all[1:200, ], truth[1:200], seed = 1),
                     cawi_auto(all[1:200, ], truth[1:200], seed = 1))) {
    ends <- predict(model, all[-(1:200), ], type = "interval")
    covered <- mean(ends$lower <= truth[-(1:200)] & truth[-(1:200)] <= ends$upper)
    expect_gt(covered, 0.86)
    expect_lt(covered, 0.94)
  }
})

test_that("several outputs come in long form, row by row", {
  both <- cbind(a = y, b = -3 * y)
  found <- predict(cawi_rvfl(x, both, hidden = 5, lambda = 0.3, seed = 1), fresh[1:2, ],
                   type = "interval")
  expect_named(found, c("output", "fit", "lower", "upper"))
  expect_identical(found$output, c("a", "b", "a", "b"))
  alone <- predict(fit, fresh[1:2, ], type = "interval")
  expect_equal(found[c(1, 3), -1], alone, ignore_attr = TRUE)
  expect_equal(found$upper[c(2, 4)], -3 * alone$lower)
  one <- predict(cawi_rvfl(x, both, hidden = 5, lambda = 0.3, seed = 1), fresh[1, , drop = FALSE],
                 type = "interval")
  expect_equal(one, found[1:2, ])
})

test_that("shifts and units of the response move the intervals with it", {
  scaled <- cawi_rvfl(x, 100 + 10 * y, hidden = 5, lambda = 0.3, seed = 1)
  expect_equal(predict(scaled, fresh, type = "interval"),
               100 + 10 * predict(fit, fresh, type = "interval"), tolerance = 1e-6)
})

test_that("offsets, missing values and no rows", {
  data <- data.frame(x, y = y, o = seq_along(y))
  shifted <- cawi_rvfl(y ~ north + east + offset(o), data, hidden = 5, lambda = 1, seed = 1,
                       na_action = "omit")
  rows <- data[1:3, ]
  rows$north[2] <- NA
  found <- predict(shifted, rows, type = "interval")
  expect_identical(is.na(found$lower), c(FALSE, TRUE, FALSE))
  rows$o <- rows$o + 1
  expect_equal(predict(shifted, rows, type = "interval"), found + 1)
  expect_identical(dim(predict(fit, x[0, ], type = "interval")), c(0L, 3L))
})

test_that("a weight of two is near the row twice", {
  w <- rep_len(c(1, 2), 40)
  rows <- rep(1:40, w)
  weighted <- cawi_rvfl(x, y, hidden = 5, lambda = 0.3, case_weights = w, seed = 1)
  ends <- predict(weighted, fresh, type = "interval", level = 0.8)
  # Leave-one-out leaves the whole row out: the residuals of both are not quite the same.
  twice <- cawi_rvfl(x[rows, ], y[rows], hidden = 5, lambda = 0.3, seed = 1)
  expect_equal(ends, predict(twice, fresh, type = "interval", level = 0.8), tolerance = 0.2)
  unit <- cawi_rvfl(x, y, hidden = 5, lambda = 0.3, case_weights = rep(1, 40), seed = 1)
  expect_equal(predict(unit, fresh, type = "interval"), predict(fit, fresh, type = "interval"))
})

test_that("folds of many rows are left out by their sums", {
  left_out <- without_folds(fit, fit$data, fresh, 1L, NULL)
  fold <- integer(40)
  fold[permutation_cpp(1, 40)] <- rep_len(1:10, 40)
  a <- cawi_features(fit, x)
  penalty <- diag(c(rep(0.3, ncol(a) - 1), 0))
  by_fold <- vapply(1:10, function(k) {
    own <- a[fold != k, ]
    drop(solve(crossprod(own) + penalty, crossprod(own, y[fold != k])))
  }, numeric(ncol(a)))
  expect_equal(left_out$predictions(1:7, 1L), unname(cawi_features(fit, fresh) %*% by_fold[, fold]),
               tolerance = 1e-6)
  expect_equal(left_out$residual[, 1], y - rowSums(a * t(by_fold[, fold])), tolerance = 1e-6)
})

test_that("automatic models with many rows have intervals around their predictions", {
  auto <- suppressWarnings(cawi_auto(x, y, seed = 1))
  scores <- average_scores(auto, fresh, 1L)
  left_out <- around_fit(auto, auto$data, scores, NULL)
  expect_equal(left_out$predictions(2:3, 1L), matrix(scores[2:3, 1], 2, 40))
  expect_equal(sqrt(mean(left_out$residual^2)), auto$loo$value)
  old <- auto
  old$data$left_out <- NULL
  expect_error(around_fit(old, old$data, scores, NULL), class = "cawi_error_object")
  # What is stored is what would be computed.
  expect_equal(predict(old, fresh, type = "interval"), predict(auto, fresh, type = "interval"),
               tolerance = 1e-6)
})

test_that("a tuned model has the intervals of its fit, and an updated one those of all rows", {
  tuned <- cawi_tune(x, y, grid = cawi_grid(hidden = 5, lambda = c(0.3, 1)), seed = 1)
  expect_identical(predict(tuned, fresh, type = "interval", level = 0.8),
                   predict(tuned$fit, fresh, type = "interval", level = 0.8))
  whole <- update(cawi_rvfl(x, y, hidden = 5, lambda = 0.3, seed = 1), new_x = x[1:5, ] + 0.1,
                  new_y = y[1:5])
  ends <- predict(whole, fresh, type = "interval")
  expect_true(all(ends$lower < ends$fit & ends$fit < ends$upper))
})

classes <- cawi_rvfl(x, small_y("classification", x), hidden = 5, seed = 1)
lean <- cawi_rvfl(x, y, hidden = 5, seed = 1, keep_data = FALSE)
test_argument_errors(alist(
  level = predict(fit, fresh, type = "interval", level = 1),
  level = predict(fit, fresh, type = "interval", level = "high"),
  level = predict(classes, fresh, type = "set", level = c(0.5, 0.9)),
  type = predict(classes, fresh, type = "interval"),
  type = predict(fit, fresh, type = "set"),
  object = predict(lean, fresh, type = "interval")
))
