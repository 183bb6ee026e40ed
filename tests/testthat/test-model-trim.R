# All numbers in an object, wherever they are: lists, attributes, environments, code, functions.
all_numbers <- function(object, seen = new.env()) {
  inner <- function(part) all_numbers(part, seen)
  if (is.environment(object)) {
    if (isNamespace(object) || identical(object, globalenv()) || identical(object, baseenv())) {
      return(NULL)
    }
    key <- format(object)
    if (!is.null(seen[[key]])) return(NULL)
    assign(key, TRUE, envir = seen)
    return(inner(as.list(object, all.names = TRUE)))
  }
  if (is.function(object)) {
    return(c(inner(as.list(formals(object))), inner(body(object)), inner(environment(object))))
  }
  own <- if (is.numeric(object)) list(as.double(object))
  parts <- if (is.list(object)) unclass(object) else if (is.call(object)) as.list(object)
  parts <- Filter(function(part) !identical(part, rlang::missing_arg()), as.list(parts))
  c(own, unlist(lapply(parts, inner), FALSE), unlist(lapply(attributes(object), inner), FALSE))
}

disk_size <- function(object) {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(object, file)
  file.size(file)
}

types_of <- function(object) {
  if (object$task == "classification") c("class", "prob", "score") else "numeric"
}
same_predictions <- function(small, fit, new_data, types) {
  for (type in types) {
    expect_identical(predict(small, new_data, type = type), predict(fit, new_data, type = type))
  }
}

test_that("trimmed models of every kind predict the same bits", {
  x <- small_x()
  for (model in model_names) {
    for (task in tasks) {
      y <- small_y(task)
      fit <- fit_named(model, x, y, init = "gaussian", seed = 1)
      small <- cawi_trim(fit)
      same_predictions(small, fit, x, types_of(fit))
      expect_identical(coef(small), coef(fit))
      expect_identical(cawi_features(small, x), cawi_features(fit, x))
      expect_lt(length(serialize(small, NULL)), length(serialize(fit, NULL)))
      expect_identical(cawi_trim(small), small)
      expect_output(print(small), "trimmed: it predicts, and keeps no training rows")
      expect_output(print(summary(small)), "lambda")
    }
  }
})

test_that("a trimmed model survives a file and a fresh look", {
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 9, init = "t", seed = 1)
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(cawi_trim(fit), file)
  same_predictions(readRDS(file), fit, iris, types_of(fit))
  expect_identical(names(glance(readRDS(file))), names(glance(fit)))
})

test_that("10,000 rows leave at most 0.05 MB, and no row", {
  n <- 10000
  x <- factor_data(n, 20) / 2147483647
  y <- cut(rank(x[, 1] + x[, 2]^2 - x[, 3]), 3)
  for (inputs in list(3, NULL)) {
    fit <- cawi_rvfl(x, y, hidden = 200, inputs = inputs, init = "gaussian", seed = 1)
    small <- cawi_trim(fit)
    expect_lt(disk_size(small), 0.05e6)
    numbers <- all_numbers(small)
    expect_lt(max(lengths(numbers)), n)
    values <- unlist(numbers)
    z <- scale(x, fit$network$center, fit$network$sd)
    expect_false(any(x %in% values) || any(z %in% values) || any(-x %in% values))
    same_predictions(small, fit, x[1:50, ], types_of(fit))
  }
})

test_that("what a trimmed model cannot do is an error that says so", {
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 9, init = "gaussian", seed = 1)
  small <- cawi_trim(fit)
  expect_error(update(small, new_x = iris[1:3, ], new_y = iris$Species[1:3]), "trimmed",
               class = "cawi_error_object")
  expect_error(update(small, hidden = 12), "trimmed", class = "cawi_error_object")
  expect_error(fitted(small), "trimmed", class = "cawi_error_object")
  expect_error(residuals(small), "trimmed", class = "cawi_error_object")
  expect_error(cawi_diagnose(small), "trimmed", class = "cawi_error_fit")
  on_null_device({
    expect_error(plot(small, "loo"), "trimmed", class = "cawi_error_x")
    expect_error(plot(small, "weights"), "trimmed", class = "cawi_error_x")
    expect_no_error(plot(small, "lambda"))
  })
  tuned <- cawi_trim(cawi_tune(Species ~ ., iris, grid = cawi_grid(hidden = 3:4), seed = 1))
  expect_error(fitted(tuned), "trimmed", class = "cawi_error_object")
  expect_error(update(tuned, lambda = 1), "trimmed", class = "cawi_error_object")
  auto <- cawi_trim(cawi_auto(iris[1:4], iris$Species, budget = 0.5, hidden = 9, seed = 1))
  expect_error(residuals(auto), "trimmed", class = "cawi_error_object")
  expect_error(cawi_trim(lm(mpg ~ wt, mtcars)), class = "cawi_error_fit")
  expect_error(cawi_trim(), class = "cawi_error_fit")
  expect_error(cawi_trim(fit, data = 1), class = "cawi_error_dots")
})

test_that("tuned and automatic models are trimmed with all that they hold", {
  tuned <- cawi_tune(Species ~ ., iris, grid = cawi_grid(hidden = 3:6), resampling = 5, seed = 1)
  small <- cawi_trim(tuned)
  same_predictions(small, tuned, iris, c("class", "prob", "score"))
  expect_null(small$folds)
  expect_null(small$parts)
  expect_identical(small$results, tuned$results)
  expect_output(print(small), "keeps no training rows")
  on_null_device(expect_no_error(plot(small)))
  auto <- cawi_auto(mpg ~ ., mtcars, budget = 1, hidden = 9, seed = 1)
  small <- cawi_trim(auto)
  same_predictions(small, auto, mtcars, "numeric")
  expect_null(small$data)
  expect_output(print(small), "keeps no training rows")
  expect_lt(max(lengths(Filter(function(v) all(v %in% mtcars$disp), all_numbers(small)))), 2)
})

test_that("infinitely many nodes keep their rows and say so", {
  infinite <- function(...) {
    cawi_rvfl(Species ~ ., iris, hidden = Inf, activation = "sine", bias = "phase",
              marginal = "normal", seed = 1, ...)
  }
  for (fit in list(infinite(), infinite(init = "gaussian"), infinite(landmarks = 20),
                   infinite(inputs = 2, standardize = "ranks"))) {
    small <- cawi_trim(fit)
    same_predictions(small, fit, iris, c("class", "prob", "score"))
    rows <- length(fit$network$layers[[1]]$bias)
    expect_output(print(small), sprintf("still keeps %d training rows", rows))
    # The root has the square of the landmarks.
    expect_null(small$network$layers[[1]]$root)
    expect_identical(cawi_trim(small), small)
  }
  auto <- cawi_auto(Species ~ ., iris, seed = 1)
  small <- cawi_trim(auto)
  same_predictions(small, auto, iris, c("class", "prob", "score"))
  expect_output(print(small), "still keeps")
})

test_that("weights of one's own leave no function, matrix or copula behind", {
  x <- small_x()
  y <- small_y("classification")
  secret <- rep(0.123456789, 5000)
  draw <- function(x, hidden, seed) {
    matrix(rep_len(sin(1:7) + 0 * secret[1], ncol(x) * hidden), ncol(x))
  }
  inits <- list(draw, draw(x, 9, 1), cawi_copula(x, "gaussian"))
  for (init in inits) {
    fit <- cawi_rvfl(x, y, hidden = 9, init = init, seed = 1)
    small <- cawi_trim(fit)
    same_predictions(small, fit, x, types_of(fit))
    expect_type(small$spec$init, "character")
    expect_false(0.123456789 %in% unlist(all_numbers(small)))
    expect_identical(capture.output(print(small))[1:3], capture.output(print(fit))[1:3])
  }
  tuned <- cawi_tune(x, y, grid = cawi_grid(hidden = 9, init = c(inits, "iid")), seed = 1)
  small <- cawi_trim(tuned)
  same_predictions(small, tuned, x, "prob")
  expect_false(0.123456789 %in% unlist(all_numbers(small)))
  expect_output(print(small), "combinations")
  expect_type(small$grid$init, "character")
})

test_that("formulas, frames and recipes stay able to predict", {
  cars <- transform(mtcars[c("mpg", "wt", "hp", "cyl")], cyl = factor(cyl))
  fit <- cawi_elm(log(mpg) ~ poly(wt, 2) + hp:cyl, cars, hidden = 5, seed = 1)
  same_predictions(cawi_trim(fit), fit, cars, "numeric")
  fit <- cawi_elm(cars[-1], cars$mpg, hidden = 5, na_action = "impute", seed = 1)
  same_predictions(cawi_trim(fit), fit, transform(cars, wt = replace(wt, 2, NA)), "numeric")
  skip_if_not_installed("recipes")
  recipe <- recipes::step_normalize(recipes::recipe(mpg ~ ., cars), wt, hp)
  fit <- cawi_elm(recipe, cars, hidden = 5, seed = 1)
  small <- cawi_trim(fit)
  same_predictions(small, fit, cars, "numeric")
  holds_rows <- function(v) length(v) >= nrow(cars) && any(v %in% cars$wt)
  expect_false(any(vapply(all_numbers(small), holds_rows, logical(1))))
})

test_that("a model that says that it was trimmed of what it has is damaged", {
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, seed = 1)
  fit$trimmed <- "data"
  expect_error(print(fit), class = "cawi_error_x")
  fit$trimmed <- "hair"
  expect_error(print(fit), class = "cawi_error_x")
})

test_that("models without data and models of the first release can be trimmed", {
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, seed = 1, keep_data = FALSE)
  same_predictions(cawi_trim(fit), fit, iris, "prob")
  saved <- readRDS(test_path("fixtures", "0.1.0", "rvfl.rds"))
  same_predictions(cawi_trim(saved$object), saved$object, iris, "prob")
})

test_that("keep_data decides what tuned and automatic models keep", {
  grid <- cawi_grid(hidden = 3:4)
  expect_null(cawi_tune(Species ~ ., iris, grid = grid, seed = 1, keep_data = FALSE)$fit$data)
  expect_identical(nrow(cawi_tune(Species ~ ., iris, grid = grid, seed = 1)$fit$data$x), 150L)
  auto <- function(...) cawi_auto(iris[1:4], iris$Species, budget = 0.1, hidden = 5, seed = 1, ...)
  without <- auto(keep_data = FALSE)
  expect_null(without$data)
  expect_identical(nrow(auto()$data$x), 150L)
  same_predictions(without, auto(), iris, "prob")
  expect_error(fitted(without), "keep_data", class = "cawi_error_object")
  expect_error(auto(keep_data = 1), class = "cawi_error_keep_data")
  expect_error(cawi_tune(Species ~ ., iris, grid = grid, keep_data = "no"),
               class = "cawi_error_keep_data")
})
