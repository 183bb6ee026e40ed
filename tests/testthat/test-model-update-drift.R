# Rows that pass through a window, one by one, against a fit of the window at once with the same
# network. The soak in tests/attacks does this 100,000 times.

set.seed(1)
x <- matrix(rnorm(300 * 3), 300)
y <- x[, 1]^2 + x[, 2] + rnorm(300) / 10
classes <- factor(ifelse(y > 0.5, "a", "b"))

# The model of rows `rows` under the network of `fit`: they are learned, then all else forgotten.
at_once <- function(fit, rows) with_rows_of(fit, rows, x, y)
with_rows_of <- function(fit, rows, x, y) {
  sums <- statistics_cpp(x[rows, ], fit$network, row_targets(fit, list(y = y[rows]), length(rows),
                                                             "y", NULL), FALSE, 1L)
  fit$readouts <- Map(function(readout, part) {
    readout$statistics <- c(part[c("kind", "aa", "ay")], readout$statistics["ones"])
    readout
  }, fit$readouts, sums)
  fit$nobs <- length(rows)
  fit["data"] <- list(NULL)
  update(fit, lambda = fit$lambda[1])
}
# Learns one row and forgets the oldest, from row `first` on.
slide <- function(fit, steps, window, first = 1L, x. = x, y. = y) {
  for (i in seq(first, length.out = steps)) {
    fit <- update(fit, new_x = x.[i + window, , drop = FALSE], new_y = y.[i + window],
                  forget_x = x.[i, , drop = FALSE], forget_y = y.[i], threads = 1)
  }
  fit
}
with_outlier <- function(x, row, size) {
  x[row, ] <- size * x[row, ]
  x
}

test_that("a window that slides is the window at once, and says nothing", {
  for (keep in c(TRUE, FALSE)) {
    fit <- cawi_rvfl(x[1:60, ], y[1:60], hidden = 8, lambda = 0.01, seed = 1, keep_data = keep)
    expect_message(expect_warning(slid <- slide(fit, 100, 60), NA), NA)
    expect_lt(max(abs(predict(slid, x) - predict(at_once(fit, 101:160), x))), 1e-9)
  }
  fit <- cawi_edrvfl(x[1:60, ], classes[1:60], hidden = c(5, 5), lambda = 0.1, seed = 1)
  slid <- slide(fit, 30, 60, y. = classes)
  right <- with_rows_of(fit, 31:90, x, classes)
  expect_equal(predict(slid, x, type = "score"), predict(right, x, type = "score"),
               tolerance = 1e-9)
})

# What came of updates, and how often drift was told or repaired on the way.
hearing <- function(code) {
  heard <- new.env()
  heard$told <- heard$repaired <- 0
  fit <- tryCatch(withCallingHandlers(code, cawi_warning_drift = function(w) {
    heard$told <- heard$told + 1
    invokeRestart("muffleWarning")
  }, cawi_message_drift = function(m) {
    heard$repaired <- heard$repaired + 1
    invokeRestart("muffleMessage")
  }, cawi_warning_singular = function(w) {
    # With a huge row in the window it is.
    invokeRestart("muffleWarning")
  }), cawi_error_drift = function(e) NULL)
  list(fit = fit, told = heard$told, repaired = heard$repaired, refused = is.null(fit))
}
expect_near <- function(fit, right, limit) {
  expect_lt(max(abs(predict(fit, x) - predict(right, x))), limit)
}

test_that("a huge row that passes is repaired from kept rows, with a message", {
  for (size in c(1e4, 1e6, 1e8, 1e12)) {
    far <- with_outlier(x, 80, size)
    fit <- cawi_rvfl(x[1:60, ], y[1:60], hidden = 8, lambda = 0.01, seed = 1)
    got <- hearing(slide(fit, 90, 60, x. = far))
    expect_near(got$fit, at_once(fit, 91:150), 1e-7)
    # Once is enough.
    expect_lte(got$repaired, 3)
    expect_identical(got$told, 0)
    if (size >= 1e8) expect_gte(got$repaired, 1)
  }
})

test_that("a huge row that passes through a model without rows is told", {
  for (size in c(1e4, 1e6, 1e8, 1e12)) {
    far <- with_outlier(x, 80, size)
    fit <- cawi_rvfl(x[1:60, ], y[1:60], hidden = 8, lambda = 0.01, seed = 1, keep_data = FALSE)
    got <- hearing(slide(fit, 90, 60, x. = far))
    # Silence means that nothing is wrong.
    if (!got$refused && got$told == 0) expect_near(got$fit, at_once(fit, 91:150), 1e-6)
    if (size >= 1e8) expect_true(got$refused || got$told > 0)
    if (size <= 1e4) expect_false(got$refused || got$told > 0)
  }
})

test_that("a huge response that passes is told or repaired", {
  far <- replace(y, 80, 1e12)
  lean <- cawi_elm(x[1:60, ], y[1:60], hidden = 8, lambda = 0.01, seed = 1, keep_data = FALSE)
  expect_identical(hearing(slide(lean, 75, 60, y. = far))$told, 0)
  expect_gt(hearing(slide(lean, 85, 60, y. = far))$told, 0)
  fit <- cawi_elm(x[1:60, ], y[1:60], hidden = 8, lambda = 0.01, seed = 1)
  got <- hearing(slide(fit, 90, 60, y. = far))
  expect_identical(got$repaired, 1)
  expect_near(got$fit, at_once(fit, 91:150), 1e-9)
})

test_that("case weights whose squares are beyond the range of numbers pass through a model", {
  weights <- replace(rep(1, 9), 4, 1e200)
  for (keep in c(TRUE, FALSE)) {
    fit <- cawi_rvfl(x[1:60, ], classes[1:60], hidden = 8, lambda = 0.01, seed = 1,
                     keep_data = keep)
    heavy <- suppressWarnings(update(fit, new_x = x[61:69, ], new_y = classes[61:69],
                                     case_weights = weights))
    # The heavy row is all that counts.
    expect_identical(predict(heavy, x[64, , drop = FALSE]), classes[64])
    got <- hearing(update(heavy, forget_x = x[61:69, ], forget_y = classes[61:69],
                          forget_case_weights = weights))
    expect_true(if (keep) got$repaired == 1 else got$refused || got$told > 0)
    if (keep) expect_equal(coef(got$fit), coef(fit), tolerance = 1e-8)
  }
})

test_that("an error that is too large to be computed is too large", {
  lost <- list(aa = c(1e280, 1e280), ay = matrix(0, 2))
  readout <- list(statistics = list(aa = diag(2), ay = matrix(1, 2), loss = lost), lambda = 1)
  expect_identical(sums_drift(readout, cbind(c(1e200, 0)), 60), Inf)
})

test_that("rows that were never learned are still blamed", {
  fit <- cawi_elm(x[1:60, ], y[1:60], hidden = 8, lambda = 0.01, seed = 1, keep_data = FALSE)
  expect_error(update(fit, forget_x = 50 * x[100:150, ], forget_y = y[100:150]),
               "not seen", class = "cawi_error_forget_x")
})

test_that("sums made again are those of updates", {
  run <- list(threads = 1L, call = NULL)
  fits <- list(
    cawi_rvfl(x[1:60, ], classes[1:60], hidden = 6, seed = 1),
    cawi_bls(x[1:60, ], y[1:60], windows = 2, nodes = 3, enhancement = 5, seed = 1),
    cawi_elm(x[1:60, ], y[1:60], hidden = Inf, activation = "relu", bias = "none",
             marginal = "normal", landmarks = 70, seed = 1)
  )
  for (fit in fits) {
    given <- if (fit$task == "regression") y else classes
    fit <- update(fit, new_x = x[61:80, ], new_y = given[61:80])
    again <- resolve_readouts(with_fresh_sums(fit, run), NULL, run)
    expect_equal(coef(again), coef(fit), tolerance = 1e-6)
  }
})

test_that("what a step loses is the last digit of the largest sum, by hand", {
  unit <- (.Machine$double.eps / 2)^2
  sums <- function(aa, ay) list(aa = matrix(aa), ay = matrix(ay))
  first <- added_loss(sums(4, 3), sums(2, -5))
  # Sums of 4 + 2, and of 3 - (-5) where rows are forgotten.
  expect_equal(first$aa / unit, 36)
  expect_equal(first$ay[1] / unit, 64)
  second <- added_loss(c(sums(6, -2), list(loss = first)), sums(1e3, 0))
  expect_equal(second$aa / unit, 36 + 1006^2)
  expect_equal(second$ay[1] / unit, 64 + 4)
})

test_that("large predictions count by their digits, small ones beside the response", {
  sums <- list(aa = matrix(c(100, 10, 10, 50), 2), ay = matrix(c(30, 20)),
               loss = list(aa = c(1e-9, 1e-10), ay = matrix(0, 2)))
  readout <- list(statistics = sums, lambda = 1)
  drift <- function(beta) sums_drift(readout, cbind(beta), 60)
  expect_gt(drift(c(1, 2)), 0)
  expect_equal(drift(1e6 * c(1, 2)), drift(1e3 * c(1, 2)))
  expect_equal(drift(1e-2 * c(1, 2)), 10 * drift(1e-3 * c(1, 2)))
})
