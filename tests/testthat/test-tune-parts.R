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

# Nothing is learned from rows that are held out ---------------------------------------------------

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

test_that("standardization, copula and weights come from the training part", {
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

# Networks that learn nothing from the features: a fold without a group has the same nodes.
fixed_nodes <- list(standardize = FALSE, scale = "paper", inputs = NULL)
equal_groups <- rep(c("d", "b", "e", "a", "c"), 8)

tune_fixed <- function(model, task, grid, ...) {
  do.call(cawi_tune, c(list(small_x(), small_y(task), model, grid, seed = 3), fixed_nodes,
                       list(...)))
}

test_that("leaving groups out in closed form is fitting without them", {
  grids <- list(
    elm = cawi_grid(hidden = c(4, 9, 60), lambda = c(1e-4, 0.1, 10)),
    rvfl = cawi_grid(hidden = c(5, 60), activation = c("relu", "radbas"), lambda = c(0.01, 1)),
    drvfl = cawi_grid(hidden = list(6, c(6, 5), c(6, 60)), lambda = c(0.01, 1)),
    edrvfl = cawi_grid(hidden = list(c(6, 5), c(38, 37)), lambda = c(0.01, 1)),
    bls = cawi_grid(windows = 3, nodes = 2, enhancement = c(5, 40), lambda = c(0.01, 1))
  )
  for (model in names(grids)) for (task in tasks) {
    exact <- tune_fixed(model, task, grids[[model]], resampling = "loo", group = equal_groups)
    folds <- tune_fixed(model, task, grids[[model]],
                        resampling = match(equal_groups, letters))
    label <- paste(model, task)
    expect_equal(exact$results$columns, folds$results$columns)
    if (task != "outputs") {
      expect_equal(exact$results$rmse, folds$results$rmse, tolerance = 1e-6, label = label)
    }
    if (task == "classification") expect_equal(exact$results$mean, folds$results$mean)
  }
})

test_that("leaving groups out knows case weights, the intercept and large groups", {
  group <- rep(1:2, 20)
  weight <- rep_len(c(1, 2, 0.5), 40)
  grid <- cawi_grid(hidden = 6, lambda = c(0.01, 1))
  for (intercept in c(TRUE, FALSE)) for (task in c("regression", "classification")) {
    y <- small_y(task)
    exact <- tune_fixed("rvfl", task, grid, group = group, case_weights = weight,
                        intercept = intercept)
    squared <- vapply(c(0.01, 1), function(lambda) {
      parts <- lapply(1:2, function(g) {
        own <- group == g
        fit <- cawi_rvfl(small_x()[!own, ], y[!own], hidden = 6, lambda = lambda, seed = 3,
                         standardize = FALSE, scale = "paper", inputs = NULL,
                         case_weights = weight[!own], intercept = intercept)
        gap <- predict(fit, small_x()[own, ], "score") - indicators(y)[own, , drop = FALSE]
        sum(weight[own] * rowMeans(gap^2))
      })
      sqrt(sum(unlist(parts)) / sum(weight))
    }, 0)
    expect_equal(exact$results$rmse, squared, tolerance = 1e-6)
  }
})

test_that("groups of one row are leave-one-out, in any order", {
  for (task in tasks) for (metric in if (task == "classification") c("accuracy", "log_loss")
                           else "rmse") {
    grid <- cawi_grid(hidden = c(5, 60), lambda = c(0.01, 1))
    one <- cawi_tune(small_x(), small_y(task), grid = grid, metric = metric, seed = 2)
    two <- cawi_tune(small_x(), small_y(task), grid = grid, metric = metric, seed = 2,
                     group = 40:1)
    expect_equal(two$results$mean, one$results$mean, tolerance = 1e-6)
    expect_equal(two$results$rmse, one$results$rmse, tolerance = 1e-6)
    # With one row per group the errors of a ratio are those of a mean.
    expect_equal(two$results$se, one$results$se, tolerance = 1e-5)
    expect_identical(two$resampling, "exact leave-one-out of 40 groups")
  }
})

test_that("a group may be a column of the data, and functions judge groups too", {
  data <- data.frame(small_x(), y = small_y("regression"), site = equal_groups)
  grid <- cawi_grid(hidden = 5, lambda = c(0.01, 1))
  named <- cawi_tune(y ~ north + east + south + west, data, grid = grid, group = site, seed = 1)
  given <- cawi_tune(small_x(), data$y, grid = grid, group = equal_groups, seed = 1)
  expect_identical(named$results, given$results)
  rmse <- function(truth, estimate) sqrt(mean((truth - estimate)^2))
  own <- cawi_tune(small_x(), data$y, grid = grid, group = equal_groups, seed = 1, metric = rmse,
                   maximize = FALSE)
  expect_equal(own$results$mean, given$results$mean)
  expect_error(cawi_tune(small_x(), data$y, group = 1:3), class = "cawi_error_group")
  expect_error(cawi_tune(small_x(), data$y, time = 1:40), class = "cawi_error_time")
  expect_error(cawi_tune(small_x(), data$y, resampling = rep(1:2, 20), group = equal_groups),
               class = "cawi_error_group")
})

test_that("the standard error over groups, by hand", {
  # Two groups of two rows with sums 1 and 3 of losses: mean 1, gaps -1 and 1 from 2 x the mean.
  expect_equal(group_error(1, 1^2 + 3^2, 1 * 2 + 3 * 2, c(2, 2)), sqrt(2 * 2) / 4)
})
