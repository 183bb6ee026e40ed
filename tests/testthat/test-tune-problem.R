test_that("every kind of argument may be an axis", {
  x <- small_x()
  y <- small_y("classification", x)
  copula <- cawi_copula_from("clayton", dim = 4, theta = 2)
  grids <- list(
    cawi_grid(hidden = 7, init = list("iid", "t", copula),
              marginal = c("uniform", "normal"), lambda = 1),
    cawi_grid(hidden = c(7, 50), direct = c(TRUE, FALSE), intercept = c(TRUE, FALSE), lambda = 1),
    cawi_grid(hidden = 7, standardize = c(TRUE, FALSE), scale = c(0.5, 3), lambda = c(0.1, 1)),
    cawi_grid(hidden = c(35, 36), lambda = c(0.1, 1))
  )
  for (grid in grids) expect_peers("rvfl", x, y, grid)
  deep <- cawi_grid(hidden = list(c(5, 4)), activation = list("relu", c("sine", "tribas")),
                    align = c("all", "first"), init = c("gaussian", "clayton"), lambda = 1)
  for (model in c("drvfl", "edrvfl")) expect_peers(model, x, y, deep)
  broad <- cawi_grid(windows = 2:3, nodes = 2:3, enhancement_windows = 1:2,
                     enhancement = 4, lambda = 1)
  expect_peers("bls", x, y, broad)
})

test_that("a family chosen by likelihood is chosen for every layer, as in a fit", {
  grid <- cawi_grid(hidden = list(c(6, 5)), init = c("iid", "auto"), lambda = 1)
  for (start in c(3, 9)) {
    x <- heavy_data(60, 4, start = start)
    expect_peers("drvfl", x, x[, 1] * x[, 2], grid, criterion = "likelihood")
  }
})

test_that("an automatic distribution is every distribution, chosen by the resampling itself", {
  x <- heavy_data(60, 4, start = 3)
  y <- x[, 1] * x[, 2]
  automatic <- cawi_grid(hidden = 9, init = c("iid", "auto"), lambda = 1)
  every <- cawi_grid(hidden = 9, init = auto_inits, lambda = 1)
  expect_equal(cawi_tune(x, y, grid = automatic, seed = 7)$results,
               cawi_tune(x, y, grid = every, seed = 7)$results)
  expect_peers("rvfl", x, y, every)
})

test_that("the default grid and automatic choices run for every model", {
  x <- small_x()
  y <- small_y("classification", x)
  for (model in model_names) {
    tuned <- cawi_tune(x, y, model, lambda = c(0.1, 1), activation = c("sigmoid"), seed = 1)
    expect_setequal(unique(tuned$results$spread), c(0.25, 0.5, 1, 2, 4))
    expect_identical(tuned$fit$spec$spread, tuned$best$spread)
  }
  tuned <- cawi_tune(x, y, "rvfl", cawi_grid(hidden = c(5, 20), lambda = 1), init = "auto",
                     scale = "auto", seed = 1)
  expect_identical(nrow(tuned$results), 2L * 6L * 5L)
  expect_identical(init_family(tuned$fit$spec$init), tuned$best$init)
  # The table says what separate fits say.
  for (i in c(7, 33, 60)) {
    row <- tuned$results[i, ]
    fit <- cawi_rvfl(x, y, hidden = row$hidden, init = row$init, spread = row$spread,
                     lambda = 1, seed = 1)
    expect_equal(mean(max.col(loo_scores(fit), "first") == as.integer(y)), row$mean)
  }
})

test_that("an automatic scale stands alone", {
  expect_error(cawi_grid(hidden = 3, scale = list("auto", 2), lambda = 1),
               class = "cawi_error_scale")
})

test_that("one activation for all layers is the same network as that activation", {
  spec <- list(model = "drvfl", hidden = 5, activation = "relu", init = "iid", scale = 1)
  changed <- function(...) network_key(utils::modifyList(spec, list(...)))
  expect_identical(changed(activation = c("relu", "relu")), network_key(spec))
  expect_identical(changed(hidden = 7, init = "frank"), network_key(spec))
  expect_false(changed(activation = c("relu", "sine")) == network_key(spec))
  expect_false(changed(scale = 2) == network_key(spec))
})
