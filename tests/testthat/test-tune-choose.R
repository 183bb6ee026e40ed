table_of <- function(mean, rmse = 0, columns = 10, lambda = 1, se = 0.1) {
  data.frame(lambda = lambda, columns = columns, mean = mean, se = se, rmse = rmse)
}
less <- list(maximize = FALSE)
more <- list(maximize = TRUE)

test_that("the best is the best, in either direction", {
  expect_identical(choose_best(table_of(c(3, 1, 2)), less, FALSE, environment()), 2L)
  expect_identical(choose_best(table_of(c(3, 1, 2)), more, FALSE, environment()), 1L)
})

test_that("ties are broken by squared error, fewer columns, the larger penalty", {
  tied <- table_of(c(1, 1, 1), rmse = c(3, 2, 2), columns = c(1, 9, 7), lambda = c(1, 1, 1))
  expect_identical(choose_best(tied, more, FALSE, environment()), 3L)
  tied <- table_of(c(1, 1, 1), rmse = c(3, 2, 2.5), columns = c(1, 9, 7))
  expect_identical(choose_best(tied, more, FALSE, environment()), 2L)
  tied <- table_of(c(1, 1, 1), columns = c(7, 7, 9), lambda = c(1, 10, 100))
  expect_identical(choose_best(tied, less, FALSE, environment()), 2L)
})

test_that("one standard error: the simplest that is not worse by more than that", {
  # Best is row 4 with 0.9; everything from 0.8 on will do, and row 2 has the fewest columns.
  results <- table_of(c(0.79, 0.81, 0.85, 0.9), columns = c(5, 10, 20, 40), se = c(1, 1, 1, 0.1))
  expect_identical(choose_best(results, more, TRUE, environment()), 2L)
  expect_identical(choose_best(results, more, FALSE, environment()), 4L)
  # Exactly one standard error is near enough; of equal sizes the larger penalty, then the better.
  results <- table_of(c(1, 1.5, 1.4, 1.4, 3), columns = c(40, 10, 10, 10, 1),
                      lambda = c(1, 1, 10, 10, 1), se = c(0.5, 9, 9, 9, 9))
  expect_identical(choose_best(results, less, TRUE, environment()), 3L)
  # Without a standard error it is the best.
  results$se <- NA
  expect_identical(choose_best(results, less, TRUE, environment()), 1L)
})

test_that("one standard error in a real grid", {
  x <- small_x(80)
  # Mostly noise, so that many combinations are about as good.
  y <- small_y("regression", x) + 2 * bell(80, 77) / 2147483647
  grid <- cawi_grid(hidden = c(3, 10, 30), lambda = 10^(-2:1))
  differs <- FALSE
  for (resampling in list("loo", 4)) {
    best <- cawi_tune(x, y, "rvfl", grid, resampling, seed = 1)
    simple <- cawi_tune(x, y, "rvfl", grid, resampling, seed = 1, one_se = TRUE)
    expect_identical(simple$results, best$results)
    near <- best$results[best$results$mean <= best$chosen$mean + best$chosen$se, ]
    wanted <- near[order(near$columns, -near$lambda, near$mean), ][1, ]
    expect_identical(simple$chosen, wanted)
    expect_identical(simple$fit$spec$hidden, as.integer(wanted$hidden))
    differs <- differs || simple$chosen$combination != best$chosen$combination
  }
  expect_true(differs)
})

test_that("means and standard errors over parts by hand", {
  parts <- data.frame(combination = c(1L, 2L, 1L, 2L, 1L, 2L),
                      mean = c(1, 10, 2, 10, 6, 10), se = NA,
                      squared = c(1, 1, 1, 4, 4, 4), columns = 7)
  results <- combine_parts(data.frame(lambda = c(1, 2)), parts, 1, "rmse")
  expect_equal(results$mean, c(3, 10))
  expect_equal(results$se, c(stats::sd(c(1, 2, 6)) / sqrt(3), 0))
  expect_equal(results$rmse, sqrt(c(2, 3)))
  expect_identical(results$columns, c(7L, 7L))
  # A single part has the standard error of its rows.
  single <- data.frame(combination = 2:1, mean = c(5, 4), se = c(0.5, 0.4),
                       squared = 1, columns = 7)
  results <- combine_parts(data.frame(lambda = c(1, 2)), single, 1, "rmse")
  expect_identical(results$se, c(0.4, 0.5))
  expect_identical(results$mean, c(4, 5))
})

test_that("the chosen combination is fitted to all rows with the same seed", {
  x <- small_x()
  for (model in model_names) for (task in tasks) {
    y <- small_y(task, x)
    tuned <- cawi_tune(x, y, model, peer_grids[[model]], seed = 6, case_weights = rep_len(1:2, 40))
    arguments <- combinations(peer_grids[[model]])[[tuned$chosen$combination]]
    fit <- fit_combination(model, x, y, arguments, seed = 6, case_weights = rep_len(1:2, 40))
    expect_identical(coef(tuned$fit), coef(fit))
    expect_identical(tuned$chosen, tuned$results[tuned$chosen$combination, ])
    expect_identical(predict(tuned, x), predict(fit, x))
  }
})

test_that("the number of columns is that of the readouts", {
  x <- small_x()
  tuned <- cawi_tune(x, small_y("regression", x), "rvfl",
                     cawi_grid(hidden = c(5, 60), lambda = 1), seed = 1)
  expect_identical(tuned$results$columns, c(10L, 65L))
  ensemble <- cawi_tune(x, small_y("regression", x), "edrvfl",
                        cawi_grid(hidden = list(c(5, 3)), lambda = 1), seed = 1)
  expect_identical(ensemble$results$columns, 18L)
})

test_that("an intercept that was tried is that of the final fit", {
  x <- small_x()
  grid <- cawi_grid(hidden = 5, intercept = c(TRUE, FALSE), lambda = c(0.1, 1))
  for (shift in c(0, 100)) {
    y <- small_y("regression", x)
    y <- y - mean(y) + shift
    tuned <- cawi_tune(x, y, "rvfl", grid, scale = 1, inputs = NULL, seed = 1)
    fit <- do.call(cawi_rvfl, c(list(x, y), tuned$best, seed = 1))
    expect_identical(coef(tuned), coef(fit))
    expect_identical(predict(tuned, x), predict(fit, x))
  }
  expect_true(tuned$best$intercept)
})
