# The tuner against separate fits ------------------------------------------------------------------

for (model in model_names) for (task in tasks) for (weighted in c(FALSE, TRUE)) {
  # Several outputs are numbers in several columns: once is enough.
  if (task == "outputs" && !weighted) next
  test_that(paste(
    "every metric is that of separate fits:", model, task, if (weighted) "weighted"
  ), {
    x <- small_x()
    expect_peers(model, x, small_y(task, x), peer_grids[[model]],
                 case_weights = if (weighted) rep_len(c(1, 2.5, 0.25), 40))
  })
}

for (model in model_names) {
  test_that(paste("leave-one-out equals refits with frozen weights:", model), {
    x <- small_x(26)
    for (task in tasks) for (weights in list(NULL, rep_len(c(1, 2.5, 0.25), 26))) {
      y <- small_y(task, x)
      w <- if (is.null(weights)) rep(1, 26) else weights
      grid <- peer_grids[[model]]
      tuned <- cawi_tune(x, y, model, grid, metric = "rmse", seed = 2, case_weights = weights)
      # The first and the last combination: few columns and many.
      all <- combinations(grid)
      for (i in c(1, length(all))) {
        fit <- fit_combination(model, x, y, all[[i]], seed = 2, case_weights = weights)
        scores <- lapply(plain_features(fit, x, w = w)$readouts, refitted_scores, indicators(y),
                         all[[i]]$lambda, w)
        mean <- Reduce(`+`, scores) / length(scores)
        gap <- sweep(mean - indicators(y), 2, output_units(y, w), `/`)
        wanted <- sqrt(sum(w * rowMeans(gap^2)) / sum(w))
        expect_equal(tuned$results$mean[i], wanted, tolerance = 1e-8)
      }
    }
  })
}

test_that("without a penalty, in regular problems", {
  x <- small_x()
  y <- small_y("regression", x)
  grid <- cawi_grid(hidden = c(4, 8), lambda = c(0, 1), scale = 2)
  tuned <- cawi_tune(x, y, "elm", grid, seed = 1)
  wanted <- peer_table("elm", x, y, grid, 1, "rmse")
  expect_equal(tuned$results$mean, wanted[, "rmse"], tolerance = 1e-6)
})

test_that("without a penalty and with too many columns, the solution of least norm", {
  x <- small_x(26)
  y <- small_y("regression", x)
  fold <- rep_len(1:2, 26)
  grid <- cawi_grid(hidden = c(9, 60), lambda = c(0, 1))
  tuned <- suppressWarnings(cawi_tune(x, y, "rvfl", grid, resampling = fold, seed = 1))
  for (f in 1:2) {
    wanted <- suppressWarnings(peer_table("rvfl", x, y, grid, 1, "rmse", which(fold == f)))
    expect_equal(tuned$parts$mean[tuned$parts$fold == f], wanted[, "rmse"], tolerance = 1e-5)
  }
})

test_that("many rows: leave-one-out of all of them, calibration on the same 500", {
  x <- small_x(1200)
  y <- small_y("classification", x)
  grid <- cawi_grid(hidden = c(9, 30), lambda = c(0.1, 1))
  fold <- rep_len(1:2, 1200)
  for (metric in metrics_of(y)) {
    tuned <- cawi_tune(x, y, "rvfl", grid, resampling = fold, metric = metric, seed = 7)
    wanted <- peer_table("rvfl", x, y, grid, 7, metric, which(fold == 2))
    expect_lt(max(abs(tuned$parts$mean[tuned$parts$fold == 2] - wanted)), 1e-8)
  }
  accuracy <- cawi_tune(x, y, "rvfl", grid, seed = 7)$results
  for (hidden in c(9, 30)) {
    path <- cawi_rvfl(x, y, hidden = hidden, lambda = c(0.1, 1), seed = 7)$readouts[[1]]$loo
    expect_equal(accuracy$mean[accuracy$hidden == hidden], path$correct / 1200, tolerance = 1e-12)
    expect_equal(accuracy$rmse[accuracy$hidden == hidden], sqrt(path$squared_error / 3600),
                 tolerance = 1e-8)
  }
})

test_that("kinds of input: the same as separate fits on the training rows", {
  # Factors keep their levels in a part, and holes are filled or left out.
  frame <- data.frame(small_x(60), group = factor(letters[1:3]),
                      flag = rep_len(c(TRUE, FALSE, FALSE, TRUE, FALSE), 60))
  y <- small_y("regression", small_x(60))
  fold <- rep_len(c(1, 2, 2, 3, 1), 60)
  grid <- cawi_grid(hidden = c(5, 80), init = c("iid", "gaussian"), lambda = c(0.1, 1))
  expect_peers("rvfl", frame, y, grid, fold = fold)
  holes <- frame
  holes$east[c(3, 4, 20)] <- NA
  holes$group[c(5, 30)] <- NA
  expect_peers("rvfl", holes, y, grid, fold = fold, na_action = "impute")
  numeric_holes <- replace(small_x(60), c(3, 70, 200), NA)
  expect_peers("elm", numeric_holes, y, cawi_grid(hidden = 5, lambda = 1), fold = fold,
               na_action = "impute")
  # By formula: the columns of the formula only.
  data <- cbind(frame, y = y)
  formula <- y ~ north * west + group + log(1 + east^2)
  tuned <- cawi_tune(formula, data, "rvfl", grid, resampling = fold, seed = 3)
  for (f in 1:3) {
    for (i in c(1, nrow(tuned$results))) {
      arguments <- combinations(grid)[[i]]
      fit <- do.call(cawi_rvfl, c(list(formula, data[fold != f, ], seed = 3), arguments))
      wanted <- sqrt(mean((predict(fit, data[fold == f, ]) - y[fold == f])^2))
      expect_equal(tuned$parts$mean[tuned$parts$fold == f][i], wanted, tolerance = 1e-8)
    }
  }
})

# Seeds, threads, workers --------------------------------------------------------------------------

test_that("threads do not change the table", {
  x <- small_x(900)
  for (task in c("classification", "outputs")) {
    y <- small_y(task, x)
    # Large enough that threads are used, and several blocks of rows.
    grid <- cawi_grid(hidden = c(20, 80), init = c("iid", "t"), lambda = 10^(-3:3))
    for (resampling in list("loo", 2)) {
      runs <- lapply(c(1, 2, 4), function(threads) {
        metric <- if (task == "classification") "log_loss" else "rmse"
        same_tuned(
          cawi_tune(x, y, "rvfl", grid, resampling, metric = metric, seed = 3, threads = threads)
        )
      })
      expect_identical(runs[[2]], runs[[1]])
      expect_identical(runs[[3]], runs[[1]])
    }
  }
})

test_that("seed is all that matters, set.seed() governs, seed leaves the generator alone", {
  x <- small_x()
  y <- small_y("classification", x)
  grid <- cawi_grid(hidden = c(5, 9), lambda = c(0.1, 1))
  run <- function(...) {
    same_tuned(cawi_tune(x, y, "rvfl", grid, resampling = 3, metric = "log_loss", repeats = 2, ...))
  }
  expect_generator_untouched(first <- run(seed = 4))
  expect_identical(run(seed = 4), first)
  expect_false(identical(run(seed = 5)$results, first$results))
  set.seed(1)
  drawn <- run()
  other <- run()
  set.seed(1)
  expect_identical(run(), drawn)
  expect_false(identical(other$results, drawn$results))
  # The seed that was drawn is in the result.
  expect_identical(run(seed = drawn$seed), drawn)
})

test_that("folds drawn, given and repeated", {
  x <- small_x()
  y <- small_y("classification", x)
  grid <- cawi_grid(hidden = c(5, 9), lambda = c(0.1, 1))
  fold <- cawi_folds(y, 3, 2, seed = 8)
  drawn <- cawi_tune(x, y, "rvfl", grid, resampling = 3, repeats = 2, seed = 8)
  given <- cawi_tune(x, y, "rvfl", grid, resampling = fold, seed = 8)
  expect_identical(drawn$results, given$results)
  expect_identical(nrow(drawn$parts), 4L * 6L)
  expect_identical(drawn$resampling, "3 stratified folds, repeated 2 times")
  expect_identical(given$resampling, "3 given folds, repeated 2 times")
  # Each repeat alone is part of both.
  alone <- cawi_tune(x, y, "rvfl", grid, resampling = fold[, 2], seed = 8)
  both <- drawn$parts[drawn$parts$rep == 2, ]
  expect_identical(both$mean, alone$parts$mean)
  expect_null(cawi_tune(x, y, "rvfl", grid, seed = 8)$parts)
})

# Wrong arguments ----------------------------------------------------------------------------------

x <- small_x()
y <- small_y("regression", x)
small <- cawi_grid(hidden = 3, lambda = 1)
tune <- function(..., grid = small) cawi_tune(x, y, grid = grid, ...)

test_argument_errors(alist(
  x = cawi_tune(NULL, y),
  x = cawi_tune("x", y),
  x = cawi_tune(1:40, y),
  x = cawi_tune(replace(x, 3, NA), y, grid = small),
  x = cawi_tune(replace(x, 3, Inf), y, grid = small, na_action = "omit"),
  x = cawi_tune(x[1, , drop = FALSE], y[1], grid = small),
  x = cawi_tune(x * NA, y, grid = small, na_action = "omit"),
  y = cawi_tune(x),
  y = cawi_tune(x, y[-1], grid = small),
  y = cawi_tune(x, replace(y, 2, NA), grid = small),
  y = cawi_tune(x, rep("one", 40), grid = small),
  resampling = cawi_tune(x, rep(c("a", "b"), c(10, 30)), grid = small,
                         resampling = rep(1:2, c(10, 30))),
  data = cawi_tune(y ~ north),
  data = cawi_tune(y ~ north, x),
  formula = cawi_tune(y ~ nothing, data.frame(x, y)),
  model = tune("svm"),
  model = tune(NA),
  model = tune(c("elm", "rvfl")),
  grid = tune(grid = list(hidden = 3)),
  grid = tune(grid = "paper"),
  grid = tune(grid = cawi_grid(windows = 3)),
  grid = tune("bls"),
  hidden = tune(grid = cawi_grid(hidden = 0)),
  hidden = tune(grid = cawi_grid(hidden = c(3, 2.5))),
  hidden = tune(grid = cawi_grid(hidden = list(3, c(3, 3)))),
  hidden = tune(grid = cawi_grid(hidden = "many")),
  hidden = tune("drvfl", grid = cawi_grid(hidden = list(c(3, 0)))),
  activation = tune(grid = cawi_grid(activation = c("relu", "cube"))),
  activation = tune(activation = NA),
  init = tune(grid = cawi_grid(init = c("iid", "vine"))),
  init = tune(init = cawi_copula_from("clayton", dim = 3, theta = 2)),
  scale = tune(scale = -1),
  scale = tune(grid = cawi_grid(scale = c(1, 0))),
  scale = tune(grid = cawi_grid(scale = c("auto", "wide"))),
  spread = tune(spread = 0),
  spread = tune(grid = cawi_grid(spread = c(1, -1))),
  spread = tune(grid = cawi_grid(spread = "auto")),
  spread = tune(spread = 1, scale = 2),
  spread = tune(scale = 2, grid = cawi_grid(hidden = 3, spread = c(1, 2), lambda = 1)),
  spread = tune(grid = cawi_grid(hidden = 3, spread = c(1, 2), scale = c(2, 3), lambda = 1)),
  inputs = tune(inputs = 0),
  inputs = tune(grid = cawi_grid(inputs = c(1, 1.5))),
  bias = tune(grid = cawi_grid(bias = c("uniform", "some"))),
  criterion = tune(criterion = "aic"),
  marginal = tune(marginal = "laplace"),
  lambda = tune(lambda = -1),
  direct = tune(direct = "yes"),
  standardize = tune(standardize = NA),
  case_weights = tune(case_weights = 1:3),
  case_weights = tune(case_weights = numeric(40)),
  na_action = tune(na_action = "guess"),
  resampling = tune(resampling = "boot"),
  resampling = tune(resampling = 1),
  resampling = tune(resampling = 41),
  resampling = tune(resampling = rep(1, 40)),
  resampling = tune(resampling = 1:39),
  resampling = tune(resampling = NULL),
  repeats = tune(resampling = 3, repeats = 0),
  repeats = tune(resampling = 3, repeats = "twice"),
  repeats = tune(repeats = 0),
  metric = tune(metric = "accuracy"),
  metric = tune(metric = "mae"),
  maximize = tune(metric = "rmse", maximize = TRUE),
  one_se = tune(one_se = NA),
  one_se = tune(one_se = "yes"),
  seed = tune(seed = -1),
  seed = tune(seed = 1.5),
  threads = tune(threads = 0),
  threads = tune(threads = "two")
))

test_that("fixed arguments are known ones of the model, by name", {
  expect_error(tune(hiden = 3), class = "cawi_error_dots")
  expect_error(tune(windows = 3), class = "cawi_error_dots")
  expect_error(tune("rvfl", resampling = "loo", repeats = 1, metric = NULL, maximize = NULL,
                    one_se = FALSE, seed = 1, threads = 1, 5), class = "cawi_error_dots")
})

test_that(paste("what was chosen can be given to the model again,",
                "and the folds are those of cawi_folds()"), {
  x <- small_x()
  grids <- c(peer_grids, list(shapes = cawi_grid(hidden = list(c(5, 8), 4), lambda = c(0.1, 1))))
  for (name in names(grids)) {
    model <- if (name == "shapes") "drvfl" else name
    y <- small_y("classification", x)
    tuned <- cawi_tune(x, y, model, grids[[name]], resampling = 4, repeats = 2, seed = 5,
                       marginal = "normal")
    again <- do.call(paste0("cawi_", model), c(list(x, y), tuned$best, seed = tuned$seed))
    expect_identical(coef(again), coef(tuned$fit))
    expect_identical(tuned$folds, cawi_folds(y, 4, 2, seed = 5))
  }
  y <- small_y("outputs", x)
  tuned <- cawi_tune(x, y, grid = cawi_grid(hidden = c(5, 9)), seed = 5)
  expect_identical(coef(do.call(cawi_rvfl, c(list(x, y), tuned$best, seed = 5))), coef(tuned$fit))
  expect_null(tuned$folds)
  set.seed(8)
  drawn <- cawi_tune(x, small_y("regression", x), grid = cawi_grid(hidden = 5), resampling = 3)
  expect_identical(drawn$folds, cawi_folds(small_y("regression", x), 3, seed = drawn$seed))
})

test_that("globals and packages of a metric reach the workers", {
  skip_if_not_installed("future.apply")
  skip_on_cran()
  assign("cawi_test_power", 3, envir = globalenv())
  assign("cawi_test_loss", function(gap) mean(abs(gap)^cawi_test_power), envir = globalenv())
  on.exit(rm("cawi_test_power", "cawi_test_loss", envir = globalenv()))
  metric <- eval(quote(function(truth, value) cawi_test_loss(truth - value)), globalenv())
  tune <- function() {
    cawi_tune(small_x(), small_y("regression"), grid = cawi_grid(hidden = c(3, 5), lambda = 1),
              resampling = 3, metric = metric, maximize = FALSE, seed = 1)$results
  }
  wanted <- tune()
  old <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(old), add = TRUE)
  expect_equal(tune(), wanted)
})

test_that("flags that are formal objects and words with names leave a tuning that is used", {
  x <- small_x()
  y <- small_y("classification")
  grid <- cawi_grid(hidden = 3, lambda = c(0.1, 1))
  tuned <- cawi_tune(x, y, grid = grid, one_se = asS4(FALSE), init = c(a = "gradient"),
                     keep_data = asS4(TRUE), seed = 1)
  sound <- cawi_tune(x, y, grid = grid, init = "gradient", seed = 1)
  expect_identical(predict(tuned, x), predict(sound, x))
  scored <- cawi_tune(x, y, grid = grid, metric = function(truth, estimate) 1,
                      maximize = asS4(TRUE), seed = 1)
  expect_output(print(scored), "cawi_tuned")
})

test_that("fixed words and numbers of a class of their own leave a tuning that is used", {
  x <- small_x()
  y <- small_y("classification")
  grid <- cawi_grid(lambda = c(0.1, 1))
  odd <- function(value) structure(value, class = c("odd", class(value)))
  tuned <- cawi_tune(x, y, "drvfl", grid, hidden = odd(c(3, 2)), spread = odd(1), seed = 1,
                     activation = odd(c("relu", "sine")), direct = odd(TRUE))
  sound <- cawi_tune(x, y, "drvfl", grid, hidden = c(3, 2), spread = 1, seed = 1,
                     activation = c("relu", "sine"), direct = TRUE)
  expect_identical(predict(tuned, x), predict(sound, x))
})

test_that("folds are drawn a countable number of times", {
  expect_error(cawi_tune(matrix(1:8, 4), 1:4, resampling = 2, repeats = 1e9, seed = 1),
               class = "cawi_error_repeats")
})
