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

test_that("an automatic law is every law, chosen by the resampling itself", {
  x <- heavy_data(60, 4, start = 3)
  y <- x[, 1] * x[, 2]
  automatic <- cawi_grid(hidden = 9, init = c("iid", "auto"), lambda = 1)
  every <- cawi_grid(hidden = 9, init = auto_inits, lambda = 1)
  expect_equal(cawi_tune(x, y, grid = automatic, seed = 7)$results,
               cawi_tune(x, y, grid = every, seed = 7)$results)
  expect_peers("rvfl", x, y, every)
})

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

test_that("a class that the training part lacks is a miss with probability zero", {
  x <- small_x()
  y <- factor(replace(as.character(small_y("classification", x)), 1:2, "rare"))
  expect_peers("rvfl", x, y, cawi_grid(hidden = c(9, 60), lambda = c(0.1, 1)),
               fold = c(1, 1, rep_len(1:3, 38)))
})

test_that("rows without weight are in no part", {
  x <- small_x()
  y <- small_y("classification", x)
  fold <- rep_len(1:3, 40)
  w <- rep_len(c(1, 0, 2, 1), 40)
  some <- w > 0
  grid <- cawi_grid(hidden = c(5, 60), lambda = c(0.1, 1))
  for (metric in c("accuracy", "log_loss")) for (resampling in list("loo", fold)) {
    all <- cawi_tune(x, y, "rvfl", grid, resampling, metric = metric, seed = 1, case_weights = w)
    part <- cawi_tune(x[some, ], y[some], "rvfl", grid,
                      if (is.numeric(resampling)) resampling[some] else "loo", metric = metric,
                      seed = 1, case_weights = w[some])
    expect_identical(all$results, part$results)
    expect_identical(all$parts, part$parts)
  }
})

# In a process of its own, because it once ended in a crash.
test_that("a part without a row that counts is left out or blamed on the resampling", {
  file <- tempfile(fileext = ".R")
  on.exit(unlink(file))
  writeLines(c(
    paste0(".libPaths(", paste(deparse(.libPaths()), collapse = ""), ")"),
    "x <- cbind(sin(1:40), cos(1:40))",
    "y <- rep_len(c('a', 'b', 'a'), 40)",
    "fold <- rep_len(1:4, 40)",
    "class_of <- function(...) {",
    "  grid <- cawi::cawi_grid(hidden = 5, lambda = 1)",
    "  tryCatch({",
    "    tuned <- cawi::cawi_tune(..., grid = grid, resampling = fold)",
    "    if (is.finite(tuned$chosen$mean)) class(tuned) else 'not finite'",
    "  }, error = function(e) class(e)[1])",
    "}",
    "cat(class_of(x, y, case_weights = as.numeric(fold != 1)), '\\n')",
    "x[fold == 1, 1] <- NA",
    "cat(class_of(x, y, na_action = 'omit'), '\\n')"
  ), file)
  output <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"),
                                     c("--vanilla", shQuote(file)), stdout = TRUE, stderr = FALSE))
  expect_length(output, 2)
  expect_true(all(trimws(output) %in% c("cawi_tuned", "cawi_error_resampling")))
})

test_that("kinds of input: the same as separate fits on the training rows", {
  # Factors keep their levels in a part, and holes are filled or left out.
  swap_held <- function(y) replace(y, held, rev(y[held]))

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

test_that("incomplete rows are left out of every part", {
  x <- small_x()
  y <- small_y("classification", x)
  hole <- replace(x, c(1, 42, 83), NA)
  complete <- rowSums(is.na(hole)) == 0
  fold <- rep_len(1:3, 40)
  grid <- cawi_grid(hidden = c(5, 60), lambda = c(0.1, 1))
  for (resampling in list("loo", fold)) {
    all <- cawi_tune(hole, y, "rvfl", grid, resampling, seed = 1, na_action = "omit")
    part <- cawi_tune(x[complete, ], y[complete], "rvfl", grid,
                      if (is.numeric(resampling)) fold[complete] else "loo", seed = 1)
    expect_identical(all$results, part$results)
  }
  expect_identical(is.na(predict(all, hole)), !complete)
  expect_identical(coef(all$fit), coef(part$fit))
})

# The choice ---------------------------------------------------------------------------------------

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
  expect_identical(both$accuracy, alone$parts$accuracy)
  expect_null(cawi_tune(x, y, "rvfl", grid, seed = 8)$parts)
})

# Nothing is learnt from rows that are held out ----------------------------------------------------

fold <- rep_len(1:4, 60)
held <- which(fold == 2)

training_side <- function(x, y, ..., held_out = held) {
  problem <- tuning_problem(input_of(x, y), "rvfl", cawi_grid(hidden = 3, lambda = 1), list(...),
                            environment())
  data <- part_data(problem, list(test = held_out, fold = 2L, rep = 1L), environment())
  data[c("x", "targets", "preprocessor")]
}

# Values that would give themselves away wherever they are seen.
plant <- function(frame) {
  if (is.matrix(frame)) {
    frame[held, ] <- 1e6 * seq_along(held)
    return(frame)
  }
  for (name in names(frame)) {
    column <- frame[[name]]
    frame[[name]][held] <- if (is.numeric(column)) 1e6 * seq_along(held) else rev(column[held])
  }
  frame
}

swap_held <- function(y) replace(y, held, rev(y[held]))

frame <- data.frame(small_x(60), group = factor(rep_len(letters[1:5], 60)),
                    flag = rep_len(c(TRUE, FALSE, FALSE), 60))
numbers <- small_y("regression", small_x(60))
classes <- small_y("classification", small_x(60))

test_that("what is planted in held-out rows does not reach the training side", {
  x <- small_x(60)
  for (y in list(numbers, classes)) {
    expect_identical(training_side(plant(x), swap_held(y)), training_side(x, y))
    expect_identical(training_side(plant(frame), swap_held(y)), training_side(frame, y))
  }
  data <- cbind(frame, y = numbers)
  expect_identical(training_side(y ~ ., plant(data)), training_side(y ~ ., data))
  # A class that only the held-out rows have is not known in training.
  strange <- factor(replace(as.character(classes), held, "new"), c("new", levels(classes)))
  expect_identical(training_side(x, strange)$targets$levels, levels(classes))
})

test_that("holes are filled from the training rows alone", {
  holes <- frame
  holes$east[c(1, 2, 6, 11)] <- NA
  holes$group[c(3, 10)] <- NA
  expect_identical(training_side(plant(holes), numbers, na_action = "impute"),
                   training_side(holes, numbers, na_action = "impute"))
  side <- training_side(holes, numbers, na_action = "impute")
  expect_identical(unname(side$preprocessor$rules[[2]]$fill),
                   stats::median(holes$east[-held], na.rm = TRUE))
  expect_identical(training_side(plant(holes), numbers, na_action = "omit"),
                   training_side(holes, numbers, na_action = "omit"))
})

test_that("levels of characters are those of the training rows", {
  words <- transform(frame, group = as.character(group))
  strange <- words
  strange$group[held[1]] <- "never seen"
  expect_identical(training_side(strange, numbers, na_action = "impute"),
                   training_side(words, numbers, na_action = "impute"))
})

test_that("functions in a formula learn from the training rows alone", {
  data <- cbind(frame, y = numbers)
  for (formula in list(y ~ scale(north), y ~ poly(east, 2), y ~ log(1 + north^2) + east:south)) {
    expect_identical(training_side(formula, plant(data))$x, training_side(formula, data)$x)
  }
})

test_that("recipes are prepared from the training rows alone", {
  skip_if_not_installed("recipes")
  data <- cbind(frame, y = numbers)
  steps <- function(data) {
    recipe <- recipes::recipe(y ~ ., data)
    recipe <- recipes::step_pca(recipe, north, east, south, west, num_comp = 2)
    recipes::step_range(recipe, PC1, PC2)
  }
  side <- training_side(steps(data), data)
  planted <- training_side(steps(data), plant(data))
  expect_identical(planted$x, side$x)
  expect_identical(planted$targets, side$targets)
  # Prepared on these rows, scores run from 0 to 1 on them.
  expect_equal(unname(apply(side$x[, c("PC1", "PC2")], 2, range)), cbind(0:1, 0:1))
  two <- 1 + (fold > 2)
  tuned <- cawi_tune(steps(data), data, "rvfl", cawi_grid(hidden = c(5, 9), lambda = 1),
                     resampling = two, seed = 1)
  fit <- cawi_rvfl(steps(data), data[two == 1, ], hidden = 9, lambda = 1, seed = 1)
  wanted <- sqrt(mean((predict(fit, data[two == 2, ]) - numbers[two == 2])^2))
  expect_equal(tuned$parts$mean[tuned$parts$fold == 2][2], wanted, tolerance = 1e-8)
})

test_that("standardisation, copula and weights come from the training part", {
  x <- small_x(60)
  wild <- x
  wild[held, ] <- 1e3 * wild[held, 4:1]
  grid <- cawi_grid(hidden = c(6, 80), init = c("iid", "gaussian", "t"), spread = c(1, 4),
                    bias = "data", lambda = 1)
  tuned <- cawi_tune(wild, numbers, "rvfl", grid, resampling = fold, seed = 5)
  # The fit has never met the wild rows; it only predicts them.
  wanted <- vapply(combinations(grid), function(arguments) {
    fit <- fit_combination("rvfl", x[-held, ], numbers[-held], arguments, seed = 5)
    sqrt(mean((predict(fit, wild[held, ]) - numbers[held])^2))
  }, numeric(1))
  expect_equal(tuned$parts$mean[tuned$parts$fold == 2], wanted, tolerance = 1e-8)
})

test_that("a feature made of the test labels does not raise the nested estimate", {
  m <- 240
  label <- factor(c("a", "b")[1 + lehmer(m, 17) %/% 1024 %% 2])
  noise <- matrix(bell(7 * m, 19), m) / 2147483647
  outer <- cawi_folds(label, 4, seed = 1)[, 1]
  grid <- cawi_grid(hidden = c(5, 20), activation = c("sigmoid", "radbas"), spread = c(0.5, 2),
                    lambda = 10^(-2:2))
  accuracy <- vapply(1:4, function(f) {
    test <- outer == f
    tuned <- cawi_tune(noise[!test, ], label[!test], "rvfl", grid, seed = 1)
    # In the last column the test rows have their label, as high and low or as low and high: the
    # training rows cannot know which, so what one gives the other takes.
    planted <- vapply(c(-1, 1), function(sign) {
      x <- noise
      x[test, 7] <- sign * 3 * (as.integer(label[test]) - 1.5)
      expect_identical(cawi_tune(x[!test, ], label[!test], "rvfl", grid, seed = 1)$results,
                       tuned$results)
      mean(predict(tuned, x[test, ]) == label[test])
    }, numeric(1))
    mean(planted)
  }, numeric(1))
  # Three standard errors of 240 coin flips.
  expect_lt(abs(mean(accuracy) - 0.5), 3 * 0.5 / sqrt(m))
})

test_that("pure noise looks like noise, also to the tuner itself", {
  m <- 240
  label <- factor(c("a", "b")[1 + lehmer(m, 29) %/% 1024 %% 2])
  noise <- matrix(bell(6 * m, 31), m) / 2147483647
  for (resampling in list("loo", 5)) {
    tuned <- cawi_tune(noise, label, "rvfl", cawi_grid(hidden = 20, lambda = 1),
                       resampling, seed = 1)
    expect_lt(abs(tuned$chosen$mean - 0.5), 3 * 0.5 / sqrt(m))
  }
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
  bias = tune(grid = cawi_grid(bias = c("uniform", "none"))),
  criterion = tune(criterion = "aic"),
  marginal = tune(marginal = "cauchy"),
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
  expect_error(tune(keep_data = FALSE), class = "cawi_error_dots")
  expect_error(tune("rvfl", resampling = "loo", repeats = 1, metric = NULL, maximize = NULL,
                    one_se = FALSE, seed = 1, threads = 1, 5), class = "cawi_error_dots")
})

test_that("an automatic scale stands alone", {
  expect_error(cawi_grid(hidden = 3, scale = list("auto", 2), lambda = 1),
               class = "cawi_error_scale")
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
