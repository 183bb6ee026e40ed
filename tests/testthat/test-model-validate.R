# Slots of saved objects that were edited: a classed error, or the same answer as before.

x <- small_x()
classes <- small_y("classification")
numbers <- small_y("regression")

refused <- function(object, ...) {
  slots <- list(...)
  for (name in names(slots)) {
    for (value in slots[[name]]) {
      damaged <- object
      path <- strsplit(name, "$", fixed = TRUE)[[1L]]
      whole <- unclass(damaged)
      if (length(path) == 1L) whole[path] <- list(value)
      if (length(path) == 2L) whole[[path[1L]]][path[2L]] <- list(value)
      attributes(whole) <- attributes(object)[c("names", "class")]
      class <- if (inherits(object, "cawi_copula")) "cawi_error_x" else "cawi_error"
      expect_error(print(whole), class = class, label = name)
      expect_error(glance(whole), class = "cawi_error", label = name)
    }
  }
}

test_that("arguments that were edited are refused", {
  fit <- cawi_rvfl(x, classes, hidden = 5, init = "t", scale = "auto", seed = 1)
  refused(
    fit, "spec$hidden" = list(-1, Inf, 6L), "spec$activation" = list(NULL, NA, "a", "relu", list()),
    "spec$spread" = list(NA, numeric(), -1, Inf, matrix(1, 2, 7)), "spec$inputs" = list(-1, "a"),
    "spec$choice" = list(1, list(), data.frame(init = 1)), "spec$direct" = list(FALSE),
    "spec$lambda" = list(-1, "a"), "spec$bias" = list("a"), "spec$init" = list("a", list())
  )
  broad <- cawi_bls(x, classes, windows = 2, nodes = 3, enhancement = 4, seed = 1)
  refused(broad, "spec$broad" = list(NULL, list(), list(windows = 9)))
})

test_that("figures, names and training data that were edited are refused", {
  fit <- cawi_rvfl(x, small_y("outputs", x), hidden = 5, seed = 1)
  refused(
    fit, loo = list(NULL, list()), "loo$text" = list("a"), "loo$outputs" = list(NULL, "a", -Inf),
    output_names = list(NULL, "a"), "data$x" = list(x[1:3, ]), nobs = list(7), lambda = list(1),
    seconds = list(c(1, 2), c(weights = -1, readout = 1)), feature_names = list(1:4)
  )
  damaged <- fit
  damaged$data$targets$classes <- print
  expect_error(plot(damaged, "loo"), class = "cawi_error_x")
  damaged <- fit
  damaged$readouts[[1L]]$loo$rows <- -1
  expect_error(plot(damaged, "loo"), class = "cawi_error_x")
  damaged <- fit
  damaged$readouts[[1L]]["statistics"] <- list(NULL)
  expect_error(summary(damaged), class = "cawi_error_object")
  layers <- cawi_edrvfl(x, classes, hidden = c(3, 4), seed = 1)
  layers$readouts[[2L]]["loo"] <- list(NULL)
  expect_error(plot(layers), class = "cawi_error_x")
  # Without its calibration a model would give other classes.
  refused(cawi_rvfl(x, classes, hidden = 5, seed = 1), output_names = list(c("a", "b", "c"), NULL),
          calibration = list(NULL, list()))
})

test_that("tuned models, automatic ones and copulas that were edited are refused", {
  tuned <- cawi_tune(x, numbers, grid = cawi_grid(hidden = c(3, 5), lambda = 1:2), seed = 1)
  refused(tuned, seconds = list(NULL, -1, "a"), "results$mean" = list("a", NA),
          "chosen$mean" = list(-1, "a"), "chosen$se" = list("a"), model = list("elm"),
          resampling = list(NULL, c("a", "b")), "grid$lambda" = list(-1))
  auto <- cawi_auto(x, numbers, budget = 1, hidden = 5, seed = 1)
  refused(auto, share = list(-1, 2), nobs = list(7), features = list(1, "a"), skipped = list(NULL),
          loo = list(NULL, list()), lambda = list(NULL, 7), "chosen$draws" = list(100),
          budget = list(-1), seconds = list(NA), "results$hidden" = list("a"))
  copula <- cawi_copula(x, "frank")
  refused(copula, tau = list(1), loglik = list(Inf))
})

test_that("a recipe that lost its steps is refused", {
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(Species ~ ., iris)
  recipe <- recipes::step_normalize(recipe, recipes::all_numeric_predictors())
  fit <- cawi_rvfl(recipe, iris, hidden = 5, seed = 1)
  for (steps in list(NULL, list(), rep(fit$preprocessor$recipe$steps, 2))) {
    damaged <- fit
    damaged$preprocessor$recipe["steps"] <- list(steps)
    expect_error(predict(damaged, iris), class = "cawi_error_object")
  }
})

test_that("summaries that were edited are refused", {
  edited <- function(report, ...) {
    slots <- list(...)
    for (name in names(slots)) {
      damaged <- unclass(report)
      damaged[name] <- slots[name]
      class(damaged) <- class(report)
      expect_error(print(damaged), class = "cawi_error_x", label = name)
    }
    expect_output(print(report))
  }
  edited(summary(cawi_rvfl(x, classes, hidden = 5, seed = 1)), model = NULL, freedom = numeric(),
         condition = print, chosen = print, loo = "a")
  edited(summary(cawi_auto(x, numbers, budget = 1, hidden = 5, seed = 1)), object = matrix(1),
         chosen = NULL, results = "a")
  edited(summary(cawi_copula(x, "t")), tau = "a", copula = list())
  recorded <- cawi_recorded("nested")
  report <- summary(recorded[recorded$set %in% unique(recorded$set)[1:4], ], seed = 1)
  for (best in list(NA, 1, list(), transform(report[[1L]]$best, wins = "a"))) {
    damaged <- report
    damaged[[1L]]["best"] <- list(best)
    expect_error(print(damaged), class = "cawi_error_x")
  }
  expect_output(print(report), "wins")
})
