x <- small_x(60)

# Leave-one-out root mean squared error at the best penalty, by a fit with the whole path.
path_error <- function(model, y, ...) {
  fit <- fit_named(model, x, y, ..., seed = 3)
  loo <- fit$readouts[[1]]$loo
  # Several outputs are judged in units of their own.
  units <- if (is.matrix(y)) fit$data$targets$sd else 1
  rmse <- loo$rmse[cbind(loo$best, seq_along(loo$best))] / units
  list(rmse = sqrt(mean(rmse^2)), lambda = mean(fit$readouts[[1]]$lambda),
       accuracy = if (is.factor(y)) loo$correct[loo$best] / loo$weight else NA_real_)
}

for (task in tasks) {
  test_that(paste(
    "an automatic scale is the best of the explicit spreads by leave-one-out:", task
  ), {
    y <- small_y(task, x)
    uneven <- rep_len(c(1, 4), 60)
    for (model in c("elm", "rvfl", "drvfl", "bls")) for (weights in list(NULL, uneven)) {
      fit <- fit_named(model, x, y, scale = "auto", case_weights = weights, seed = 3)
      table <- fit$spec$choice
      expect_identical(table$spread, c(0.25, 0.5, 1, 2, 4))
      wanted <- lapply(table$spread, function(spread) {
        path_error(model, y, spread = spread, case_weights = weights)
      })
      expect_equal(table$rmse, vapply(wanted, `[[`, 0, "rmse"), tolerance = 1e-8)
      expect_equal(table$lambda, vapply(wanted, `[[`, 0, "lambda"))
      expect_equal(table$accuracy, vapply(wanted, `[[`, 0, "accuracy"))
      best <- table$spread[which.min(table$rmse)]
      expect_identical(fit$spec$spread, best)
      explicit <- fit_named(model, x, y, spread = best, case_weights = weights, seed = 3)
      expect_identical(coef(fit), coef(explicit))
      expect_identical(fit$network, explicit$network)
    }
  })

  test_that(paste("criterion loo takes the distribution of least leave-one-out error:", task), {
    y <- small_y(task, x)
    for (model in c("rvfl", "drvfl")) {
      fit <- fit_named(model, x, y, init = "auto", criterion = "loo", seed = 3)
      table <- fit$spec$choice
      expect_identical(table$init, c("iid", "gaussian", "t", "clayton", "frank", "gumbel"))
      wanted <- lapply(table$init, function(init) path_error(model, y, init = init))
      expect_equal(table$rmse, vapply(wanted, `[[`, 0, "rmse"), tolerance = 1e-8)
      best <- table$init[which.min(table$rmse)]
      expect_identical(fit$spec$init, best)
      expect_true(all(is.na(table$spread)))
      expect_identical(coef(fit), coef(fit_named(model, x, y, init = best, seed = 3)))
    }
  })
}

test_that("an ensemble is judged by its averaged scores at one penalty", {
  y <- small_y("regression", x)
  fit <- cawi_edrvfl(x, y, hidden = c(6, 5), scale = "auto", lambda = c(0.1, 1), seed = 3)
  for (i in 1:5) {
    row <- fit$spec$choice[i, ]
    single <- cawi_edrvfl(x, y, hidden = c(6, 5), spread = row$spread,
                          lambda = row$lambda, seed = 3)
    expect_equal(row$rmse, sqrt(mean((loo_scores(single) - y)^2)), tolerance = 1e-8)
  }
  expect_identical(fit$spec$spread, fit$spec$choice$spread[which.min(fit$spec$choice$rmse)])
})

test_that("distribution and scale together: every pair is tried", {
  y <- small_y("classification", x)
  fit <- cawi_rvfl(x, y, hidden = 9, init = "auto", criterion = "loo", scale = "auto", seed = 3)
  table <- fit$spec$choice
  expect_identical(nrow(table), 30L)
  expect_identical(anyDuplicated(table[c("init", "spread")]), 0L)
  best <- table[which.min(table$rmse), ]
  expect_identical(
    coef(fit), coef(cawi_rvfl(x, y, hidden = 9, init = best$init, spread = best$spread, seed = 3))
  )
})

test_that("with the likelihood as criterion the scale is chosen for the family it chose", {
  for (model in c("rvfl", "drvfl")) {
    y <- small_y("regression", x)
    fit <- fit_named(model, x, y, init = "auto", scale = "auto", seed = 3)
    wanted <- lapply(fit$spec$choice$spread,
                     function(spread) path_error(model, y, init = "auto", spread = spread))
    expect_equal(fit$spec$choice$rmse, vapply(wanted, `[[`, 0, "rmse"), tolerance = 1e-8)
    expect_identical(fit$network$layers[[1]]$copula$selection,
                     fit_named(model, x, y, init = "auto",
                               seed = 3)$network$layers[[1]]$copula$selection)
  }
})

test_that("the default criterion is the likelihood, which does not look at y", {
  one <- cawi_rvfl(x, small_y("regression", x), hidden = 5, init = "auto", seed = 1)
  other <- cawi_rvfl(x, small_y("classification", x), hidden = 5, init = "auto", seed = 1)
  expect_identical(layer_families(one), layer_families(other))
  expect_identical(layer_families(one), cawi_select(x)$family[1])
  expect_null(one$spec$choice)
  expect_identical(coef(one), coef(cawi_rvfl(x, small_y("regression", x), hidden = 5, init = "auto",
                                             criterion = "likelihood", seed = 1)))
})

test_that("print and summary tell what was chosen, and how nodes are made", {
  y <- small_y("regression", x)
  fit <- cawi_rvfl(x, y, hidden = 9, scale = "auto", inputs = 2, bias = "data", seed = 3)
  expect_output(print(fit),
                paste0("spread ", fit$spec$spread, ", 2 inputs per node, centered at data"))
  expect_output(print(summary(fit)),
                paste0("spread ", fit$spec$spread, ": the best of 5 by exact leave-one-out"))
  chosen <- cawi_rvfl(x, y, hidden = 9, init = "auto", criterion = "loo", seed = 3)
  expect_output(print(summary(chosen)),
                paste0("init ", chosen$spec$init, ": the best of 6 by exact leave-one-out"))
  expect_output(print(cawi_rvfl(x, y, hidden = 9, seed = 3)), "3 inputs per node")
  plain <- cawi_rvfl(x, y, hidden = 9, inputs = NULL, seed = 3)
  plain <- paste(capture.output(print(plain)), collapse = " ")
  expect_false(grepl("spread|per node|centered", plain))
})

test_that("without anything to choose there is no table", {
  y <- small_y("regression", x)
  expect_null(cawi_rvfl(x, y, hidden = 5, seed = 1)$spec$choice)
  expect_null(cawi_rvfl(x, y, hidden = 5, init = "t", criterion = "loo", seed = 1)$spec$choice)
  expect_null(cawi_rvfl(x, y, hidden = 5, spread = 2, seed = 1)$spec$choice)
})

test_that("choices do not depend on threads or on R's generator", {
  y <- small_y("classification", x)
  fits <- lapply(c(1, 2, 4), function(threads) {
    timeless(cawi_bls(x, y, windows = 2, nodes = 3, enhancement = 9, init = "auto",
                      criterion = "loo", scale = "auto", seed = 3, threads = threads))
  })
  expect_identical(fits[[2]], fits[[1]])
  expect_identical(fits[[3]], fits[[1]])
  expect_generator_untouched(
    cawi_rvfl(x, y, hidden = 5, scale = "auto", init = "auto", criterion = "loo", seed = 3)
  )
})

test_that("a larger choice is never worse by its own yardstick", {
  y <- small_y("regression", x)
  fit <- cawi_rvfl(x, y, hidden = 20, init = "auto", criterion = "loo", scale = "auto", seed = 3)
  expect_equal(glance(fit)$mean, min(fit$spec$choice$rmse), tolerance = 1e-8)
  expect_lte(glance(fit)$mean, glance(cawi_rvfl(x, y, hidden = 20, spread = 1, seed = 3))$mean)
})

test_that("odd data have a scale too", {
  y <- small_y("classification", x)
  for (odd in list(cbind(x, 7), 0 * x, x[, 1, drop = FALSE], x[, 1] > 0)) {
    fit <- suppressWarnings(cawi_rvfl(as.matrix(odd), y, hidden = 5, scale = "auto", init = "auto",
                                      criterion = "loo", seed = 1))
    expect_true(all(is.finite(predict(fit, as.matrix(odd), type = "prob"))))
  }
})

y <- small_y("regression", x)

test_argument_errors(alist(
  criterion = cawi_rvfl(x, y, init = "auto", criterion = "aic"),
  criterion = cawi_elm(x, y, criterion = NA),
  criterion = cawi_bls(x, y, criterion = NULL),
  criterion = cawi_drvfl(x, y, criterion = c("loo", "loo")),
  scale = cawi_rvfl(x, y, scale = "automatic"),
  scale = cawi_rvfl(x, y, scale = c("auto", "auto")),
  spread = cawi_rvfl(x, y, scale = "auto", spread = 1),
  spread = cawi_elm(x, y, scale = 2, spread = 1)
))

test_that("an automatic strength is the best of the explicit ones by leave-one-out", {
  y <- small_y("classification", x)
  for (model in c("rvfl", "drvfl")) for (init in c("gaussian", "t", "frank")) {
    fit <- fit_named(model, x, y, init = init, strength = "auto", seed = 3)
    table <- fit$spec$choice
    expect_identical(table$strength, if (init == "frank") c(0, 0.5, 1) else c(-1, -0.5, 0, 0.5, 1))
    wanted <- lapply(table$strength, function(strength) {
      path_error(model, y, init = init, strength = strength)
    })
    expect_equal(table$rmse, vapply(wanted, `[[`, 0, "rmse"), tolerance = 1e-8)
    best <- table$strength[which.min(table$rmse)]
    expect_identical(fit$spec$strength, best)
    explicit <- fit_named(model, x, y, init = init, strength = best, seed = 3)
    expect_identical(coef(fit), coef(explicit))
  }
})

test_that("strengths and spreads are tried together, for every distribution that has them", {
  y <- small_y("regression", x)
  fit <- cawi_rvfl(x, y, hidden = 7, init = "gaussian", strength = "auto", scale = "auto", seed = 3)
  expect_identical(nrow(fit$spec$choice), 25L)
  expect_output(print(summary(fit)), "strength .* the best of 25 by exact leave-one-out")
  all <- cawi_rvfl(x, y, hidden = 7, init = "auto", criterion = "loo", strength = "auto", seed = 3)
  tried <- table(all$spec$choice$init)
  expect_identical(tried[["iid"]], 1L)
  expect_identical(tried[["gaussian"]], 5L)
  expect_true(tried[["clayton"]] %in% c(1L, 3L))
  # Nothing to choose.
  plain <- cawi_rvfl(x, y, hidden = 7, strength = "auto", seed = 3)
  expect_identical(coef(plain), coef(cawi_rvfl(x, y, hidden = 7, seed = 3)))
})

test_that("the strength of many rows is chosen on a sample of them", {
  many <- small_x(12000)
  y <- small_y("regression", many)
  fit <- cawi_elm(many, y, hidden = 5, init = "gaussian", strength = "auto", seed = 3)
  rows <- row_sample(12000, choice_sample)
  part <- cawi_elm(many[rows, ], y[rows], hidden = 5, init = "gaussian", strength = "auto",
                   seed = 3)
  expect_equal(fit$spec$choice$rmse, part$spec$choice$rmse, tolerance = 1e-6)
  expect_identical(fit$nobs, 12000)
})

test_that("a grid has strengths, too", {
  y <- small_y("classification", x)
  tuned <- cawi_tune(x, y, "rvfl", cawi_grid(hidden = 6), init = "gaussian", strength = "auto",
                     seed = 3)
  expect_setequal(tuned$results$strength, c(-1, -0.5, 0, 0.5, 1))
  fit <- cawi_rvfl(x, y, hidden = 6, init = "gaussian", strength = tuned$best$strength,
                   lambda = tuned$best$lambda, seed = 3)
  expect_identical(coef(tuned$fit), coef(fit))
  mixed <- cawi_tune(x, y, "rvfl",
                     cawi_grid(hidden = 6, init = c("iid", "gaussian", "clayton"),
                               strength = "auto"), seed = 3)
  expect_setequal(mixed$results$strength, c(0, 0.5, 1))
  folds <- cawi_tune(x, y, "rvfl", cawi_grid(hidden = 6, strength = c(-0.3, 0.2)),
                     resampling = 3, init = "t", seed = 3)
  expect_setequal(folds$results$strength, c(-0.3, 0.2))
})

test_argument_errors(alist(
  strength = cawi_rvfl(x, small_y("regression", x), init = "gaussian", strength = 1.1),
  strength = cawi_rvfl(x, small_y("regression", x), init = "clayton", strength = -0.2),
  strength = cawi_rvfl(x, small_y("regression", x), init = "gaussian", strength = "best"),
  strength = cawi_rvfl(x, small_y("regression", x), init = "gaussian", strength = c(0, 1)),
  strength = cawi_rvfl(x, small_y("regression", x), init = "gaussian", strength = NULL),
  strength = cawi_grid(strength = 3),
  strength = cawi_tune(x, small_y("regression", x), "elm",
                       cawi_grid(hidden = 3, init = c("t", "frank"), strength = c(-1, 1)))
))
