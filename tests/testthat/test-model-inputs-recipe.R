# Recipes that change rows, responses and weights.
# Loading recipes asks for the time zone, which warns on machines that do not tell.
skip_if_not(suppressWarnings(requireNamespace("recipes", quietly = TRUE)),
            "recipes is not installed")

rows <- 60
data <- data.frame(small_x(rows), town = c("u", "v", "w")[1 + lehmer(rows, 5) %% 3])
data$y <- small_y("regression", small_x(rows)) + (data$town == "v")
data$hole <- replace(data$west, c(4, 40), NA)
complete <- data[names(data) != "hole"]
plain <- recipes::recipe(y ~ ., complete)

# What each step leaves of the rows, by hand.
kept <- list(slice = 21:60, filter = which(data$north > 0), arrange = order(data$east))
steps <- list(
  slice = function(skip) recipes::step_slice(plain, 21:60, skip = skip),
  filter = function(skip) recipes::step_filter(plain, north > 0, skip = skip),
  arrange = function(skip) recipes::step_arrange(plain, east, skip = skip)
)

test_that("features, response and weights of steps that change rows belong together", {
  w <- 1 + lehmer(rows, 8) %% 3
  for (name in names(steps)) for (skip in c(TRUE, FALSE)) {
    input <- input_of(steps[[name]](skip), complete, w)
    molded <- input$mold("fail")
    ids <- kept[[name]]
    expect_identical(molded$ids, ids)
    expect_identical(molded$x[, "north"], complete$north[ids])
    expect_identical(molded$y, complete$y[ids])
    expect_identical(molded$case_weights, w[ids])
    expect_identical(input$y, complete$y)
    fit <- cawi_rvfl(steps[[name]](skip), complete, hidden = 5, lambda = 1, seed = 1,
                     case_weights = w)
    wanted <- cawi_rvfl(complete[ids, 1:5], complete$y[ids], hidden = 5, lambda = 1, seed = 1,
                        case_weights = w[ids])
    expect_equal(coef(fit), coef(wanted), ignore_attr = TRUE)
    # One prediction per row given, in order; rows that a step drops have none.
    found <- predict(fit, complete)
    expect_length(found, rows)
    there <- if (skip) seq_len(rows) else sort(ids)
    expect_equal(found[there], predict(wanted, complete)[there])
    expect_identical(which(!is.na(found)), there)
  }
})

test_that("sampled rows carry their numbers", {
  input <- input_of(recipes::step_sample(plain, size = 50, replace = TRUE), complete)
  set.seed(1)
  molded <- input$mold("fail")
  expect_length(molded$ids, 50)
  expect_identical(molded$x[, "north"], complete$north[molded$ids])
  expect_identical(molded$y, complete$y[molded$ids])
})

test_that("parts of the data are prepared apart, with the rows of the data as ids", {
  scaled <- recipes::step_normalize(plain, recipes::all_numeric_predictors())
  sorted <- recipes::step_arrange(scaled, north, skip = FALSE)
  input <- input_of(sorted, complete)
  train <- 11:60
  molded <- input$mold("fail", train)
  expect_identical(molded$ids, train[order(complete$north[train])])
  expect_identical(molded$y, complete$y[molded$ids])
  expect_equal(mean(molded$x[, "east"]), 0)
  held <- input$forge(molded$preprocessor, "fail", c(9, 2, 5))
  expect_setequal(held$ids, c(9, 2, 5))
  expect_identical(held$y, complete$y[held$ids])
  expect_equal(unname(held$x[, "west"]),
               (complete$west[held$ids] - mean(complete$west[train])) /
                 stats::sd(complete$west[train]))
})

test_that("tuning by folds pairs features and response", {
  grid <- cawi_grid(hidden = 5, lambda = 1)
  fold <- rep_len(1:3, rows)
  for (name in names(steps)) {
    tuned <- cawi_tune(steps[[name]](TRUE), complete, "rvfl", grid, resampling = fold, seed = 1)
    for (k in 1:3) {
      train <- which(fold != k)
      ids <- switch(name, slice = train[-(1:20)], filter = train[complete$north[train] > 0],
                    arrange = train[order(complete$east[train])])
      # The levels are those that the recipe saw before its steps.
      by_hand <- transform(complete, town = factor(town))
      fit <- cawi_rvfl(by_hand[ids, 1:5], complete$y[ids], hidden = 5, lambda = 1, seed = 1)
      # Rows that the recipe takes out of all rows are not judged.
      held <- complete[intersect(which(fold == k), kept[[name]]), ]
      expect_equal(tuned$parts$mean[tuned$parts$fold == k],
                   sqrt(mean((held$y - predict(fit, held))^2)))
    }
  }
  expect_error(cawi_tune(recipes::step_slice(plain, 30:60, skip = FALSE), complete, "rvfl", grid,
                         resampling = fold),
               class = "cawi_error_resampling")
})

test_that("a response that a skipped step changes is changed in held-out rows too", {
  positive <- transform(complete, y = exp(y))
  recipe <- recipes::step_log(recipes::recipe(y ~ ., positive), y, skip = TRUE)
  grid <- cawi_grid(hidden = 5, lambda = 1)
  fold <- rep_len(1:3, rows)
  tuned <- cawi_tune(recipe, positive, "rvfl", grid, resampling = fold, seed = 1)
  direct <- cawi_tune(plain, complete, "rvfl", grid, resampling = fold, seed = 1)
  expect_equal(tuned$results$mean, direct$results$mean)
  fit <- cawi_rvfl(recipe, positive, hidden = 5, lambda = 1, seed = 1)
  expect_equal(predict(fit, positive[names(positive) != "y"]), predict(direct$fit, complete))
  expect_equal(response_of(fit$preprocessor, positive[7:5, ], "new_x", environment()),
               complete$y[7:5])
})

test_that("boston: tuning with a slice is like tuning on the rows of the slice", {
  skip_if_not_installed("mlbench")
  place <- new.env()
  utils::data("BostonHousing", package = "mlbench", envir = place)
  boston <- place$BostonHousing
  grid <- cawi_grid(hidden = 20, lambda = 10^(-2:1))
  sliced <- recipes::step_slice(recipes::recipe(medv ~ ., boston), 200:506)
  found <- cawi_tune(sliced, boston, "rvfl", grid, resampling = 5, seed = 1)$chosen$mean
  wanted <- cawi_tune(medv ~ ., boston[200:506, ], "rvfl", grid, resampling = 5,
                      seed = 1)$chosen$mean
  expect_lt(abs(found - wanted), 1)
})

test_that("case weights of a recipe are honored", {
  w <- 1 + lehmer(rows, 8) %% 3
  wanted <- cawi_rvfl(complete[1:5], complete$y, hidden = 5, lambda = 1, seed = 1, case_weights = w)
  for (make in list(hardhat::importance_weights,
                    function(w) hardhat::frequency_weights(as.integer(w)))) {
    weighted <- complete
    weighted$w <- make(w)
    recipe <- recipes::recipe(y ~ ., weighted)
    fit <- cawi_rvfl(recipe, weighted, hidden = 5, lambda = 1, seed = 1)
    expect_equal(coef(fit), coef(wanted), ignore_attr = TRUE)
    expect_equal(predict(fit, complete), predict(wanted, complete))
    expect_error(cawi_rvfl(recipe, weighted, hidden = 5, case_weights = w),
                 class = "cawi_error_case_weights")
    sliced <- cawi_rvfl(recipes::step_slice(recipe, 21:60), weighted, hidden = 5, lambda = 1,
                        seed = 1)
    expect_equal(coef(sliced), coef(cawi_rvfl(complete[21:60, 1:5], complete$y[21:60], hidden = 5,
                                              lambda = 1, seed = 1,
                                              case_weights = w[21:60])), ignore_attr = TRUE)
    # Folds weigh their rows.
    grid <- cawi_grid(hidden = 5, lambda = 1)
    by_role <- cawi_tune(recipe, weighted, "rvfl", grid, resampling = rep_len(1:3, rows), seed = 1)
    by_hand <- cawi_tune(complete[1:5], complete$y, "rvfl", grid, resampling = rep_len(1:3, rows),
                         seed = 1, case_weights = w)
    expect_equal(by_role$results$mean, by_hand$results$mean)
  }
})

test_that("rows with holes are dropped, predicted NA, or imputed", {
  recipe <- recipes::recipe(y ~ ., data)
  omitting <- recipes::step_naomit(recipe, recipes::all_predictors())
  for (skip in c(TRUE, FALSE)) {
    omitting$steps[[1L]]$skip <- skip
    fit <- cawi_rvfl(omitting, data, hidden = 5, lambda = 1, seed = 1,
                     na_action = if (skip) "omit" else "fail")
    wanted <- cawi_rvfl(data[-c(4, 40), names(data) != "y"], data$y[-c(4, 40)], hidden = 5,
                        lambda = 1, seed = 1)
    expect_equal(predict(fit, data)[-c(4, 40)], predict(wanted, data[-c(4, 40), ]))
    expect_identical(which(is.na(predict(fit, data))), c(4L, 40L))
  }
  expect_error(cawi_rvfl(recipe, data, hidden = 5), class = "cawi_error_x")
  imputed <- cawi_rvfl(recipe, data, hidden = 5, na_action = "impute", seed = 1)
  expect_true(all(is.finite(predict(imputed, data))))
})

test_that("selectors of all numbers, and steps that drop columns, leave the rows known", {
  everything <- recipes::step_normalize(plain, recipes::all_numeric(), -recipes::all_outcomes())
  fit <- cawi_rvfl(everything, complete, hidden = 5, lambda = 1, seed = 1)
  expect_length(predict(fit, complete[names(complete) != "y"]), rows)
  chosen <- recipes::step_select(plain, north, east, y, skip = TRUE)
  expect_identical(input_of(chosen, complete)$mold("fail")$ids, seq_len(rows))
  lost <- recipes::step_select(recipes::step_arrange(plain, north), north, east, y)
  expect_error(cawi_rvfl(lost, complete, hidden = 3), class = "cawi_error_x")
})

test_that("wrong recipes and data are refused", {
  expect_error(cawi_rvfl(plain), class = "cawi_error_data")
  expect_error(cawi_rvfl(plain, as.list(complete)), class = "cawi_error_data")
  expect_error(cawi_rvfl(plain, complete[0, ]), class = "cawi_error_data")
  expect_error(cawi_rvfl(plain, complete[-1]), class = "cawi_error_data")
  expect_error(cawi_rvfl(recipes::recipe(complete), complete), class = "cawi_error_x")
  expect_error(cawi_rvfl(recipes::step_log(plain, absent), complete), class = "cawi_error_x")
  fit <- cawi_rvfl(plain, complete, hidden = 5, seed = 1)
  expect_error(predict(fit, complete[-1]), class = "cawi_error_new_data")
  expect_error(predict(fit, transform(complete, north = "a")), class = "cawi_error_new_data")
  error <- expect_error(predict(fit, transform(complete, town = "Rome")),
                        class = "cawi_error_new_data")
  expect_match(conditionMessage(error), "Rome")
  expect_length(predict(fit, complete[0, ]), 0)
  novel <- recipes::step_novel(plain, town)
  fit <- cawi_rvfl(novel, complete, hidden = 5, seed = 1)
  expect_true(all(is.finite(predict(fit, transform(complete, town = "Rome")))))
})

test_that("an edited recipe is refused", {
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(mpg ~ wt + hp, mtcars)
  for (part in c("var_info", "term_info", "template")) for (value in list(NULL, 1, list())) {
    damaged <- recipe
    damaged[[part]] <- value
    expect_error(cawi_elm(damaged, mtcars, hidden = 3), class = "cawi_error_x")
    expect_error(cawi_elm(damaged, cawi_source(mtcars), hidden = 3), class = "cawi_error_x")
  }
  text <- structure(as.character(recipe), class = "recipe")
  expect_error(cawi_elm(text, mtcars, hidden = 3), class = "cawi_error_x")
})

test_that("a variable with two roles is one column", {
  skip_if_not_installed("recipes")
  plain <- recipes::recipe(mpg ~ wt + hp, mtcars)
  double <- recipes::add_role(plain, wt, new_role = "size")
  fit <- function(recipe) cawi_rvfl(recipe, mtcars, hidden = 3, seed = 1)
  expect_identical(predict(fit(double), mtcars), predict(fit(plain), mtcars))
  expect_identical(anyDuplicated(names(recipe_input(double, mtcars, NULL, NULL)$columns)), 0L)
})

test_that("a recipe whose requirements were edited is refused before it learns", {
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(mpg ~ wt, mtcars)
  recipe$requirements <- Inf
  expect_error(cawi_elm(recipe, mtcars, hidden = 2), class = "cawi_error_x")
})
