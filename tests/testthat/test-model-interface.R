inits <- c("iid", "auto", "gaussian", "t", "clayton", "frank", "gumbel")
tiny <- list(elm = list(hidden = 4), rvfl = list(hidden = 4), drvfl = list(hidden = c(3, 3)),
             edrvfl = list(hidden = c(3, 3)), bls = list(windows = 2, nodes = 2, enhancement = 3))

for (model in model_names) for (init in inits) {
  test_that(paste("every activation and task runs, the same for any threads:", model, init), {
    x <- small_x(16)
    for (activation in names(plain_activations)) for (task in c("classification", "regression")) {
      y <- small_y(task, x)
      fits <- lapply(c(1, 2, 4), function(threads) {
        fit_named(model, x, y, init = init, activation = activation, seed = 7, threads = threads,
                  shape = tiny[[model]])
      })
      expect_true(all(is.finite(predict(fits[[1]], x, type = "score"))))
      expect_true(identical(timeless(fits[[2]]), timeless(fits[[1]])))
      expect_true(identical(timeless(fits[[3]]), timeless(fits[[1]])))
    }
  })
}

for (model in model_names) {
  test_that(paste("threads do not change large fits and predictions either:", model), {
    x <- small_x(3000)
    for (task in c("classification", "outputs")) for (init in c("iid", "t")) {
      y <- small_y(task, x)
      fits <- lapply(c(1, 2, 4), function(threads) {
        fit_named(model, x, y, init = init, lambda = c(0.1, 1), seed = 7, threads = threads)
      })
      expect_identical(timeless(fits[[2]]), timeless(fits[[1]]))
      expect_identical(timeless(fits[[3]]), timeless(fits[[1]]))
      one <- predict(fits[[1]], x, type = "score", threads = 1)
      expect_identical(predict(fits[[1]], x, type = "score", threads = 2), one)
      expect_identical(predict(fits[[1]], x, type = "score", threads = 4), one)
      expect_identical(cawi_features(fits[[1]], x, threads = 4),
                       cawi_features(fits[[1]], x, threads = 1))
    }
  })

  test_that(paste("set.seed() governs, seed overrides and leaves the generator alone:", model), {
    x <- small_x()
    y <- small_y("classification", x)
    set.seed(1)
    first <- fit_named(model, x, y)
    second <- fit_named(model, x, y)
    set.seed(1)
    expect_identical(coef(fit_named(model, x, y)), coef(first))
    expect_false(identical(coef(second), coef(first)))
    expect_generator_untouched(seeded <- fit_named(model, x, y, seed = 3))
    expect_identical(coef(fit_named(model, x, y, seed = 3)), coef(seeded))
    expect_false(identical(coef(fit_named(model, x, y, seed = 4)), coef(seeded)))
    expect_generator_untouched(predict(seeded, x, type = "prob"))
    expect_generator_untouched(cawi_diagnose(seeded, draws = 2, seed = 1))
    expect_generator_untouched(update(seeded, new_x = x, new_y = y))
  })

  test_that(paste("sin(2x) is learned to within 0.01:", model), {
    x <- matrix(seq(-3, 3, length.out = 400))
    y <- sin(2 * x[, 1])
    between <- matrix(seq(-2.99, 2.99, length.out = 333))
    shape <- switch(model, elm = , rvfl = list(hidden = 60), drvfl = ,
                    edrvfl = list(hidden = c(60, 60)),
                    bls = list(windows = 6, nodes = 10, enhancement = 60))
    rmse <- function(...) {
      fit <- fit_named(model, x, y, ..., seed = 1, shape = shape)
      sqrt(mean((predict(fit, between) - sin(2 * between[, 1]))^2))
    }
    expect_lt(rmse(activation = "radbas"), 0.01)
    expect_lt(rmse(activation = "sigmoid", scale = 5), 0.01)
    expect_lt(rmse(activation = "radbas", init = "gaussian"), 0.01)
  })

  test_that(paste("formula, data frame and matrix give one model:", model), {
    fit_with <- function(...) do.call(paste0("cawi_", model), c(list(...), tiny[[model]], seed = 1))
    matrix_fit <- fit_with(as.matrix(iris[, 1:4]), iris$Species)
    frame_fit <- fit_with(iris[, 1:4], iris$Species)
    formula_fit <- fit_with(Species ~ ., iris)
    expect_equal(frame_fit$readouts, matrix_fit$readouts)
    expect_equal(formula_fit$readouts, matrix_fit$readouts)
    expect_equal(predict(formula_fit, iris, type = "prob"),
                 predict(matrix_fit, as.matrix(iris[, 1:4]), type = "prob"))
    expect_s3_class(matrix_fit, c(paste0("cawi_", model), "cawi_model"), exact = TRUE)
    expect_gt(mean(predict(formula_fit, iris) == iris$Species), 0.75)
  })
}

test_that("a saved model predicts the same in a new session", {
  mixed <- transform(iris, kind = letters[1:3])
  fits <- unlist(lapply(model_names, function(model) {
    list(
      fit_named(model, small_x(), small_y("classification"), init = "t", seed = 1),
      fit_named(model, small_x(), small_y("outputs"), seed = 1),
      do.call(paste0("cawi_", model), c(list(Species ~ ., mixed), tiny[[model]]))
    )
  }), recursive = FALSE)
  data <- rep(list(small_x(), small_x(), mixed[1:9, ]), length(model_names))
  predict_all <- function(fits, data) {
    Map(function(fit, x) list(predict(fit, x), predict(fit, x, type = "score")), fits, data)
  }
  files <- file.path(tempdir(), c("saved.rds", "predicted.rds", "session.R"))
  on.exit(unlink(files))
  saveRDS(list(fits, data), files[1])
  writeLines(c(
    paste0(".libPaths(", paste(deparse(.libPaths()), collapse = ""), ")"),
    "files <- commandArgs(TRUE)",
    "loadNamespace('cawi')",
    "saved <- readRDS(files[1])",
    paste(c("predict_all <- ", deparse(predict_all)), collapse = "\n"),
    "saveRDS(predict_all(saved[[1]], saved[[2]]), files[2])"
  ), files[3])
  status <- system2(file.path(R.home("bin"), "Rscript"),
                    shQuote(c("--vanilla", files[3], files[1:2])), stdout = FALSE, stderr = FALSE)
  expect_identical(status, 0L)
  expect_identical(readRDS(files[2]), predict_all(fits, data))
})

test_that("a model carries a format version", {
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 3)
  expect_identical(fit$format, model_format)
})

test_that("fitting prints nothing", {
  expect_silent(cawi_rvfl(Species ~ ., iris, hidden = 3, init = "auto", seed = 1))
  expect_silent(cawi_bls(mpg ~ ., mtcars, windows = 2, nodes = 2, enhancement = 3, seed = 1))
})

test_that("defaults are those of the documentation", {
  x <- small_x()
  y <- small_y("regression", x)
  expect_identical(cawi_rvfl(x, y)$spec$hidden, 200L)
  expect_identical(cawi_drvfl(x, y)$spec$hidden, c(100L, 100L, 100L))
  expect_identical(cawi_bls(x, y)$spec$hidden, c(100L, 100L))
  bls <- cawi_bls(x, y, windows = 2, nodes = 3, enhancement_windows = 4, enhancement = 5)
  expect_identical(bls$spec$hidden, c(6L, 20L))
})

test_that("training data stay in the model up to a size, or as asked", {
  x <- small_x()
  y <- small_y("regression", x)
  expect_identical(cawi_rvfl(x, y, hidden = 2)$data$x, x)
  expect_null(cawi_rvfl(x, y, hidden = 2, keep_data = FALSE)$data)
  small <- cawi_rvfl(small_x(4000), small_y("regression", small_x(4000)), hidden = 5, lambda = 1,
                     keep_data = FALSE)
  expect_lt(object.size(small), object.size(small_x(4000)))
})

test_that("every model shows its own arguments with their defaults", {
  common <- c("activation", "init", "strength", "rounds", "per_feature", "criterion", "marginal",
              "scale", "spread", "inputs", "bias", "lambda", "direct", "intercept", "standardize",
              "case_weights", "class_weights", "na_action", "seed", "threads", "keep_data",
              "checkpoint")
  own <- list(
    elm = c("hidden", "landmarks"), rvfl = c("hidden", "landmarks"),
    drvfl = c("hidden", "align"), edrvfl = c("hidden", "align"),
    bls = c("windows", "nodes", "enhancement_windows", "enhancement", "align")
  )
  for (model in names(own)) {
    shown <- formals(getExportedValue("cawi", paste0("cawi_", model)))
    expect_named(shown, c("x", "y", "...", "formula", "data", own[[model]], common))
    expect_identical(shown$direct, !model %in% c("elm", "bls"))
    expect_identical(shown$init, "iid")
    expect_identical(shown$na_action, "fail")
  }
  expect_identical(formals(cawi_rvfl)$hidden, 200)
  expect_identical(eval(formals(cawi_drvfl)$hidden), c(100, 100, 100))
  for (fun in list(cawi_tune, cawi_auto)) {
    expect_true(all(c("x", "y", "formula", "data", "case_weights") %in% names(formals(fun))))
  }
})

test_that("defaults that are shown are those that are used", {
  x <- small_x()
  y <- small_y("classification", x)
  for (model in model_names) {
    fitter <- getExportedValue("cawi", paste0("cawi_", model))
    shown <- lapply(formals(fitter)[-(1:5)], eval)
    short <- list(hidden = c(6, 5), windows = 2, nodes = 2, enhancement = 4)
    if (model %in% c("elm", "rvfl")) short$hidden <- 6
    shown[intersect(names(short), names(shown))] <- short[intersect(names(short), names(shown))]
    shown$seed <- 1
    plain <- do.call(fitter, c(list(x, y), shown[c(intersect(names(short), names(shown)), "seed")]))
    expect_identical(coef(do.call(fitter, c(list(x, y), shown))), coef(plain))
  }
})

test_that("old names of arguments are errors that tell the new ones", {
  x <- small_x()
  y <- small_y("regression", x)
  w <- rep(1, 40)
  for (name in c(paste0("cawi_", model_names), "cawi_tune", "cawi_auto")) {
    fun <- getExportedValue("cawi", name)
    expect_error(fun(x, y, weights = w), "`weights` is called `case_weights` now",
                 class = "cawi_error_dots")
  }
  fit <- cawi_rvfl(x, y, hidden = 5, seed = 1)
  tuned <- cawi_tune(x, y, grid = cawi_grid(hidden = 5, lambda = 1), seed = 1)
  for (object in list(fit, tuned)) {
    expect_error(update(object, new_x = x, new_y = y, weights = w),
                 "`weights` is called `case_weights` now", class = "cawi_error_dots")
    expect_error(update(object, forget_x = x, forget_y = y, forget_weights = w),
                 "`forget_weights` is called `forget_case_weights` now", class = "cawi_error_dots")
  }
})

test_that("the news tell every renamed argument", {
  news <- test_path("..", "..", "NEWS.md")
  skip_if_not(file.exists(news), "the sources are not here")
  text <- paste(readLines(news), collapse = " ")
  for (old in names(renamed_arguments)) {
    told <- sprintf("`%s` -> `%s`", old, renamed_arguments[[old]])
    expect_true(grepl(told, text, fixed = TRUE), label = told)
  }
})

test_that("names that are nearly those of an argument bring it", {
  x <- small_x()
  y <- small_y("regression", x)
  near <- function(code, name) {
    expect_error(code, paste0("Did you mean `", name, "`"), class = "cawi_error_dots")
  }
  near(cawi_tune(x, y, resample = 3), "resampling")
  near(cawi_tune(x, y, resamples = 3), "resampling")
  near(cawi_auto(x, y, weigths = 3), "case_weights")
  near(cawi_rvfl(x, y, weight = 3), "case_weights")
  near(cawi_rvfl(x, y, activations = "relu"), "activation")
  near(cawi_rvfl(x, y, standardise = TRUE), "standardize")
})

test_that("arguments after the data are not matched in part", {
  x <- small_x()
  y <- small_y("regression", x)
  expect_error(cawi_rvfl(x, y, hid = 5), "hidden", class = "cawi_error_dots")
  expect_error(cawi_rvfl(x, y, lam = 5), "lambda", class = "cawi_error_dots")
  expect_error(cawi_rvfl(x, y, 5), class = "cawi_error_dots")
  expect_error(cawi_auto(x, y, case = rep(1, 40)), "case_weights", class = "cawi_error_dots")
})

test_that("names are checked before values are looked for", {
  data <- transform(iris, w = rep(1:3, 50))
  fit <- cawi_rvfl(Species ~ . - w, data, hidden = 5, seed = 1)
  calls <- list(
    quote(cawi_rvfl(Species ~ . - w, data, weights = w)),
    quote(cawi_tune(Species ~ . - w, data, weights = w)),
    quote(cawi_auto(Species ~ . - w, data, weights = w)),
    quote(update(fit, new_x = data[1:5, ], weights = w)), quote(predict(fit, iris, foo = nosuch)),
    quote(plot(fit, foo = nosuch)), quote(cawi_copula(iris[1:4], foo = nosuch))
  )
  for (call in calls) expect_error(eval(call), class = "cawi_error_dots")
})

test_that("data may come first where the formula has its name", {
  wanted <- coef(cawi_rvfl(Species ~ ., iris, hidden = 5, seed = 1))
  expect_identical(coef(cawi_rvfl(iris, formula = Species ~ ., hidden = 5, seed = 1)), wanted)
  fits <- lapply(list(iris), cawi_rvfl, formula = Species ~ ., hidden = 5, seed = 1)
  expect_identical(coef(fits[[1]]), wanted)
  tuned <- cawi_tune(iris, formula = Species ~ ., grid = cawi_grid(hidden = 5, lambda = 1),
                     seed = 1)
  expect_s3_class(tuned, "cawi_tuned")
  expect_error(cawi_tune(formula = Species ~ ., data = iris, "elm"), "have to be named",
               class = "cawi_error_formula")
})

test_that("an argument that a wrapper was not given keeps its default", {
  wrapped <- function(x, y, hidden, seed) cawi_rvfl(x, y, hidden = hidden, seed = seed)
  expect_identical(sum(wrapped(iris[1:4], iris$Species, seed = 1)$spec$hidden), 200L)
})

test_that("an argument of another model is told to be one", {
  expect_error(cawi_rvfl(Species ~ ., iris, windows = 3), "cawi_bls", class = "cawi_error_dots")
  expect_error(cawi_elm(Species ~ ., iris, align = "all"), "cawi_drvfl", class = "cawi_error_dots")
  expect_error(cawi_bls(Species ~ ., iris, hidden = 3), "cawi_rvfl", class = "cawi_error_dots")
})
