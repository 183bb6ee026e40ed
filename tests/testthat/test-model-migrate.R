# The fixtures were made by release 0.1.0, see their make.R.
saved_first <- function(name) readRDS(test_path("fixtures", "0.1.0", paste0(name, ".rds")))
first_names <- setdiff(sub("[.]rds$", "", list.files(test_path("fixtures", "0.1.0"), "[.]rds$")),
                       "copulas")

test_that("models of the first release predict what they predicted", {
  expect_gt(length(first_names), 14)
  for (name in first_names) {
    if (name == "recipe") skip_if_not_installed("recipes")
    saved <- saved_first(name)
    for (type in names(saved$predictions)) {
      expect_equal(predict(saved$object, saved$new_data, type = type), saved$predictions[[type]],
                   tolerance = 1e-12, label = paste(name, type))
    }
  }
})

test_that("copulas of the first release are read", {
  for (copula in saved_first("copulas")) {
    expect_identical(dim(simulate(copula, 3, seed = 1)), c(3L, copula$dim))
  }
})

test_that("models of the first release print, sum up and tell what they are", {
  for (name in first_names) {
    if (name == "recipe") skip_if_not_installed("recipes")
    object <- saved_first(name)$object
    expect_output(print(object), "cawi_", label = name)
    # Tables of tuned models are their summary.
    expect_output(print(summary(object)), "lambda", label = name)
    expect_true(all(is.finite(unlist(coef(object)))), label = name)
    expect_identical(glance(object)$nobs, as.double(migrated(object, "auto")$nobs %||%
                                                      object$fit$nobs), label = name)
    expect_s3_class(tidy(object), "data.frame")
  }
})

test_that("models of the first release are sound in every part", {
  for (name in first_names) {
    object <- saved_first(name)$object
    new <- check_fit(object)
    expect_identical(new$format, model_format)
    expect_identical(new$version, "0.1.0")
    # A step that is made is not made again.
    expect_identical(check_fit(new), new)
  }
})

test_that("the first release's figures of leave-one-out are those of its scores", {
  saved <- saved_first("rvfl")$object
  new <- check_model(saved)
  y <- indicators(iris$Species)
  scores <- saved$readouts[[1]]$loo$scores
  expect_equal(new$loo$value, mean(max.col(scores) == as.integer(iris$Species)))
  best <- saved$readouts[[1]]$loo$best
  expect_equal(new$readouts[[1]]$loo$rmse[best, 1], sqrt(mean((y - scores)^2)))
  outputs <- check_model(saved_first("outputs")$object)
  gap <- as.matrix(mtcars[c("mpg", "hp")]) - saved_first("outputs")$object$readouts[[1]]$loo$scores
  expect_equal(outputs$readouts[[1]]$loo$rmse[1, ], unname(sqrt(colMeans(gap^2))))
  expect_on_device <- function(code) on_null_device(expect_no_error(code))
  expect_on_device(plot(saved))
  expect_on_device(plot(saved, "loo"))
  expect_on_device(plot(saved_first("tuned")$object))
  expect_on_device(plot(saved_first("auto")$object))
})

test_that("classes of the first release are updated, numbers say why they are not", {
  saved <- saved_first("rvfl-matrix")$object
  x <- as.matrix(iris[1:4])
  new <- update(saved, new_x = x[1:9, ], new_y = iris$Species[1:9])
  wanted <- plain_ridge(cawi_features(saved, rbind(x, x[1:9, ])),
                        indicators(iris$Species[c(1:150, 1:9)]), 0.1)
  expect_equal(unname(coef(new)), unname(wanted), tolerance = 1e-8)
  cars <- transform(mtcars[c("mpg", "wt", "hp", "cyl")], cyl = factor(cyl))
  saved <- saved_first("edrvfl")$object
  expect_error(update(saved, new_x = cars[1, ], new_y = 20), "penalty on the intercept",
               class = "cawi_error_object")
  expect_identical(fitted(saved), predict(saved, cars))
  expect_equal(residuals(saved), cars$mpg - predict(saved, cars))
})

test_that("models of the first release have statistics that merge", {
  for (name in c("rvfl-matrix", "rvfl", "updated", "text", "outputs", "bls")) {
    saved <- saved_first(name)
    sums <- cawi_statistics(saved$object)
    merged <- cawi_merge(saved$object, sums, sums)
    expect_identical(merged$nobs, 2 * as.double(saved$object$nobs), label = name)
    expect_identical(merged$format, model_format, label = name)
    # The intercept of numbers has no penalty any more.
    if (merged$task == "regression") next
    expect_equal(predict(cawi_merge(saved$object, sums), saved$new_data, type = "score"),
                 predict(saved$object, saved$new_data, type = "score"), tolerance = 1e-6,
                 label = name)
  }
})

test_that("new data of the first release's formulas and recipes are checked", {
  saved <- saved_first("formula")
  expect_error(predict(saved$object, transform(saved$new_data, cyl = "5")),
               class = "cawi_error_new_data")
  expect_error(predict(saved$object, saved$new_data["wt"]), class = "cawi_error_new_data")
  expect_identical(length(predict(saved$object, saved$new_data[0, ])), 0L)
  # The order and the number of rows do not matter.
  expect_equal(predict(saved$object, saved$new_data[3:2, 4:1]),
               predict(saved$object, saved$new_data)[3:2])
  text <- saved_first("text")
  expect_identical(is.na(text$predictions$class), c(FALSE, TRUE, FALSE, FALSE))
})

test_that("formats without a step, later ones and damage are refused", {
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, seed = 1)
  expect_length(migrations, model_format - 1L)
  fit$format <- model_format + 1L
  expect_error(predict(fit, iris), "later release", class = "cawi_error_object")
  fit$format <- "two"
  expect_error(predict(fit, iris), "format is unknown", class = "cawi_error_object")
  damaged <- saved_first("rvfl")$object
  damaged$network$scale <- NULL
  expect_error(predict(damaged, iris), class = "cawi_error_object")
  damaged <- saved_first("rvfl")$object
  damaged$preprocessor$encoder <- NULL
  expect_error(predict(damaged, iris), class = "cawi_error_object")
})

test_that("models, tuned and automatic ones carry format and version", {
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, seed = 1)
  tuned <- cawi_tune(Species ~ ., iris, grid = cawi_grid(hidden = 3:4), seed = 1)
  auto <- cawi_auto(iris[1:4], iris$Species, budget = 0.1, hidden = 5, draws = 1, models = "rvfl",
                    seed = 1)
  for (object in list(fit, tuned, auto)) {
    expect_identical(object$format, model_format)
    expect_identical(object$version, as.character(packageVersion("cawi")))
  }
})

test_that("sums and temperatures of the first release, by hand", {
  readout <- list(statistics = list(ay = matrix(c(2, 4), 1)), lambda = 3)
  old <- list(task = "regression", outputs = 2L)
  new <- readout_from_first(readout, old, c(2, 4), FALSE)
  expect_identical(new$statistics, list(ay = matrix(1, 1, 2), ones = 0L))
  expect_identical(new$lambda, c(3, 3))
  expect_null(readout_from_first(readout, old, c(2, 4), TRUE)$statistics)
  expect_identical(temperature_curves(2, 3)$parameters,
                   cbind(slope = rep(2, 3), bend = 0, shift = 0))
  expect_null(temperature_curves(NULL, 3))
})

test_that("what a blueprint of the first release computes is shown, or refused", {
  skip_if_not_installed("recipes")
  on.exit(options(cawi.sprung = NULL))
  text_of <- function(x) gsub("\\s+", " ", paste(utils::capture.output(print(x)), collapse = " "))
  fit <- cawi_rvfl(mpg ~ wt + hp, mtcars, hidden = 3, seed = 1)
  with_blueprint <- function(input) {
    mold <- hardhat::mold(input, mtcars)
    p <- fit$preprocessor
    fit$preprocessor <- list(kind = "hardhat", blueprint = mold$blueprint, columns = p$columns,
                             features = names(mold$predictors), rules = p$rules, width = 2L)
    fit
  }
  steps <- recipes::step_mutate(recipes::recipe(mpg ~ wt + hp, mtcars), wt = {
    options(cawi.sprung = TRUE)
    wt
  })
  recipe <- with_blueprint(steps)
  options(cawi.sprung = NULL)
  expect_match(text_of(recipe), "recipe: step_mutate({ options(cawi.sprung = TRUE)", fixed = TRUE)
  expect_null(getOption("cawi.sprung"))
  makeActiveBinding("options", function() stop("sprung"), place <- new.env())
  recipe$preprocessor$blueprint$recipe$steps[[1]]$inputs[[1]] <-
    rlang::new_quosure(quote(options(wt)), place)
  expect_error(print(recipe), "hides code", class = "cawi_error_x")
  expect_error(predict(recipe, mtcars), "hides code", class = "cawi_error_object")
  # A formula's terms look for names where it was made.
  formula <- with_blueprint(mpg ~ log(wt) + hp)
  place <- new.env()
  attr(formula$preprocessor$blueprint$terms$predictors, ".Environment") <- place
  place$log <- function(x) x / 2
  expect_match(text_of(formula), "computes: log(wt), with log = function(x) x/2", fixed = TRUE)
  expect_length(predict(formula, mtcars), 32)
  rm("log", envir = place)
  makeActiveBinding("log", function() options(cawi.sprung = TRUE), place)
  expect_error(print(formula), "hides code", class = "cawi_error_x")
  expect_error(predict(formula, mtcars), "hides code", class = "cawi_error_object")
  expect_null(getOption("cawi.sprung"))
})
