x <- small_x()
y <- small_y("classification", x)
fit <- cawi_rvfl(x, y, hidden = 5, seed = 1)

test_that("sets have the classes above a threshold of leave-one-out probabilities", {
  left_out <- left_out_rows(fit$readouts, fit$data$targets)
  prob <- apply_calibration(fit$calibration, left_out$scores)
  own <- prob[cbind(1:40, as.integer(y))]
  # Of 40 rows and one to come, 80 % are 33.
  least <- sort(own, decreasing = TRUE)[33]
  sets <- predict(fit, x, type = "set", level = 0.8)
  fresh <- predict(fit, x, type = "prob")
  wanted <- fresh >= least
  wanted[cbind(1:40, max.col(fresh, "first"))] <- TRUE
  expect_identical(sets, structure(wanted, level = 0.8))
})

test_that("higher levels have larger sets, and a level without rows is in none", {
  small <- predict(fit, x, type = "set", level = 0.5)
  large <- predict(fit, x, type = "set", level = 0.95)
  expect_true(all(large >= small))
  expect_true(all(rowSums(small) >= 1))
  expect_true(all(predict(fit, x, type = "set", level = 0.999)))
  more <- cawi_rvfl(x, factor(y, c(levels(y), "none")), hidden = 5, seed = 1)
  sets <- predict(more, x, type = "set", level = 0.999)
  expect_identical(colnames(sets), c(levels(y), "none"))
  expect_false(any(sets[, "none"]))
})

test_that("fresh rows are in their sets about as often as the level says", {
  set.seed(5)
  all <- matrix(rnorm(1500 * 2), 1500)
  truth <- factor(ifelse(all[, 1] + rnorm(1500) > 0, "a", ifelse(all[, 2] > 0, "b", "c")))
  for (model in list(cawi_rvfl(all[1:300, ], truth[1:300], seed = 1),
                     cawi_auto(all[1:300, ], truth[1:300], seed = 1))) {
    sets <- predict(model, all[-(1:300), ], type = "set")
    covered <- mean(sets[cbind(1:1200, as.integer(truth[-(1:300)]))])
    expect_gt(covered, 0.86)
    expect_lt(covered, 0.94)
  }
})

test_that("rows with missing values have no set", {
  open <- cawi_rvfl(x, y, hidden = 5, seed = 1, na_action = "omit")
  rows <- x[1:3, ]
  rows[2, 1] <- NA
  expect_identical(unname(is.na(predict(open, rows, type = "set")[, 1])), c(FALSE, TRUE, FALSE))
})

test_that("leave-one-out scores are computed anew for a model that has none", {
  given <- cawi_rvfl(x, y, hidden = 5, lambda = 0.5, seed = 1)
  again <- given
  again$readouts[[1]]$loo <- NULL
  expect_equal(kept_left_out(again, 1L, NULL)$scores, unname(given$readouts[[1]]$loo$scores),
               tolerance = 1e-8)
  grown <- update(given, new_x = x[1:10, ] + 0.1, new_y = y[1:10])
  expect_true(all(rowSums(predict(grown, x, type = "set")) >= 1))
})

lean <- cawi_rvfl(x, y, hidden = 5, seed = 1, keep_data = FALSE)
test_argument_errors(alist(object = predict(lean, x, type = "set")))
