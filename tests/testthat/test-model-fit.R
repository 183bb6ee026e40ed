x <- small_x()
classes <- small_y("classification")
numbers <- small_y("regression")

test_that("without its data a model keeps nothing that tells a row", {
  secret <- x * 1e3 + 0.123
  for (model in model_names) for (shape in list(narrow, wide)) {
    fit <- fit_named(model, secret, classes, seed = 1, shape = shape[[model]], keep_data = FALSE)
    sizes <- rapply(unclass(fit), length, how = "unlist")
    # 40 rows by anything: no matrix of A, Y or scores.
    for (readout in fit$readouts) {
      expect_false(identical(readout$statistics$kind, "rows"))
      expect_null(readout$loo$scores)
      expect_identical(nrow(readout$statistics$aa), ncol(readout$statistics$aa))
    }
    expect_null(fit$data)
    numbers_in <- unlist(
      rapply(unclass(fit), as.double, classes = c("numeric", "matrix", "integer"), how = "unlist")
    )
    expect_false(any(secret %in% numbers_in))
    # What is left serves predictions and updates.
    kept <- fit_named(model, secret, classes, seed = 1, shape = shape[[model]], keep_data = TRUE)
    expect_identical(predict(fit, secret, type = "prob"), predict(kept, secret, type = "prob"))
    more <- function(fit) coef(update(fit, new_x = secret[1:5, ], new_y = classes[1:5]))
    expect_equal(more(fit), more(kept), tolerance = 1e-8)
    expect_identical(glance(fit)$mean, glance(kept)$mean)
  }
})

test_that("sums that would be larger than any data are not kept, and an update says so", {
  fit <- cawi_rvfl(x[1:4, ], numbers[1:4], hidden = 4600, lambda = 1, seed = 1, keep_data = FALSE)
  expect_null(fit$readouts[[1]]$statistics)
  expect_length(predict(fit, x), 40)
  expect_output(print(summary(fit)), "lambda 1")
  expect_error(update(fit, new_x = x, new_y = numbers), class = "cawi_error_object")
})

test_that("a Gram matrix that is not finite is an error that names the column", {
  huge <- x * 1e160
  error <- expect_error(
    cawi_elm(huge, classes, hidden = 5, activation = "relu", standardize = FALSE,
             lambda = 1, seed = 1),
    class = "cawi_error_overflow"
  )
  expect_match(conditionMessage(error), "h1_")
  for (hidden in c(5, 60)) {
    error <- expect_error(cawi_rvfl(huge, classes, hidden = hidden, standardize = FALSE,
                                    lambda = 1, seed = 1),
                          class = "cawi_error_overflow")
    expect_match(conditionMessage(error), "north")
  }
  expect_error(cawi_tune(huge, classes, "elm", cawi_grid(hidden = 5, activation = "relu"),
                         standardize = FALSE),
               class = "cawi_error_overflow")
  expect_error(cawi_rvfl(x, numbers, hidden = 5, case_weights = rep(1e307, 40)),
               class = "cawi_error_case_weights")
  # Standardized, the same data are no trouble.
  expect_identical(predict(cawi_rvfl(huge, classes, hidden = 5, seed = 1), huge),
                   predict(cawi_rvfl(x, classes, hidden = 5, seed = 1), x))
})

test_that("tunings, choices and updates name the column that overflows", {
  huge <- x
  huge[, "south"] <- x[, "south"] * 1e200
  named <- function(code, name) {
    error <- expect_error(code, class = "cawi_error_overflow")
    expect_match(conditionMessage(error), name, fixed = TRUE)
    expect_false(grepl("Column number", conditionMessage(error), fixed = TRUE))
  }
  relu <- cawi_grid(hidden = c(3, 5), activation = "relu", scale = 1, inputs = NA)
  for (resampling in list("loo", 4)) {
    named(cawi_tune(huge, numbers, "rvfl", relu, resampling, standardize = FALSE), "south")
    named(cawi_tune(huge, numbers, "elm", relu, resampling, standardize = FALSE), "h1_1")
  }
  wide <- cawi_grid(hidden = list(c(60, 3), c(3, 60)), activation = "relu")
  for (model in c("drvfl", "edrvfl")) {
    named(cawi_tune(huge, numbers, model, wide, standardize = FALSE), "south")
  }
  broad <- cawi_grid(windows = 2, activation = "relu", scale = 1, inputs = NA)
  named(cawi_tune(huge, numbers, "bls", broad, standardize = FALSE), "h1_1")
  named(cawi_rvfl(huge, numbers, hidden = 5, scale = "auto", standardize = FALSE), "south")
  named(cawi_auto(huge, numbers, budget = 1, hidden = 5, standardize = FALSE), "south")
  for (keep in c(TRUE, FALSE)) {
    fit <- cawi_rvfl(x, numbers, hidden = 5, lambda = 1, seed = 1, standardize = FALSE,
                     keep_data = keep)
    named(update(fit, new_x = huge, new_y = numbers), "south")
  }
  edrvfl <- cawi_edrvfl(x, numbers, hidden = c(3, 4), lambda = 1, seed = 1, standardize = FALSE)
  named(update(edrvfl, new_x = huge, new_y = numbers), "south")
})

test_that("rows are counted beyond what integers hold", {
  fit <- cawi_rvfl(x, numbers, hidden = 5, lambda = 1, seed = 1, keep_data = FALSE)
  # In the type that a fit gives it: whole numbers of 32 bits would end here.
  fit$nobs <- as.vector(2^31 - 1, typeof(fit$nobs))
  more <- update(fit, new_x = x, new_y = numbers)
  expect_identical(more$nobs, 2^31 + 39)
  expect_output(print(more), "2147483687 rows")
  expect_identical(glance(more)$nobs, 2^31 + 39)
})

test_that("a failed call leaves R's generator where it was", {
  set.seed(1)
  before <- generator_state()
  grid <- cawi_grid(hidden = 3)
  calls <- alist(
    lambda = cawi_rvfl(x, numbers, lambda = -1), y = cawi_rvfl(x, numbers[1:3]),
    overflow = cawi_rvfl(x * 1e200, numbers, standardize = FALSE),
    metric = cawi_tune(x, classes, metric = "f1"),
    resampling = cawi_tune(x, classes, resampling = 100),
    hidden = cawi_auto(x, numbers, hidden = 0),
    metric = cawi_tune(x, numbers, grid = grid, metric = function(truth, value) stop("mine"),
                       maximize = TRUE),
    models = cawi_auto(x, classes, models = "tree"),
    new_y = update(cawi_rvfl(x, numbers, seed = 1), new_x = x)
  )
  for (i in seq_along(calls)) {
    expect_error(eval(calls[[i]]), class = paste0("cawi_error_", names(calls)[i]))
    expect_identical(generator_state(), before)
  }
})

test_that("memory that cannot be had is an error with its size", {
  error <- expect_error(cawi_rvfl(matrix(0, 2e5, 1) + seq_len(2e5), seq_len(2e5),
                                  hidden = 1e5, lambda = 1),
                        class = "cawi_error_memory")
  expect_match(conditionMessage(error), "[0-9] [GT]B")
  for (text in c("cannot allocate vector of size 74.5 Gb", "std::bad_alloc")) {
    error <- expect_error(rethrow_core_errors(stop(text), needed = 5e9),
                          class = "cawi_error_memory")
    expect_match(conditionMessage(error), "4.66 GB")
  }
  error <- expect_error(rethrow_core_errors(stop("cannot allocate vector of size 74.5 Gb")),
                        class = "cawi_error_memory")
  expect_match(conditionMessage(error), "74.5 Gb")
  # Other errors pass.
  expect_error(rethrow_core_errors(stop("mine")), "mine")
})

test_that("glance names the distribution of the weights as init does", {
  expect_identical(glance(cawi_rvfl(x, numbers, hidden = 5, seed = 1))$init, "iid")
  expect_identical(glance(cawi_rvfl(x, numbers, hidden = 5, init = "t", seed = 1))$init, "t")
})

test_that("a damaged model or copula given as init is refused", {
  copula <- cawi_copula(x, "gaussian")
  copula$cor[1, 2] <- 5
  expect_error(cawi_rvfl(x, numbers, init = copula), class = "cawi_error_init")
  expect_error(cawi_tune(x, numbers, grid = cawi_grid(hidden = 3, init = list(copula))),
               class = "cawi_error_init")
})

test_that("every method of a damaged object refuses it by class", {
  model <- cawi_rvfl(x, classes, hidden = 5, seed = 1)
  tuned <- cawi_tune(x, classes, grid = cawi_grid(hidden = c(3, 5), lambda = 1), seed = 1)
  auto <- cawi_auto(x, classes, budget = 1, hidden = 10, draws = 1, models = "rvfl",
                    init = "iid", seed = 1)
  methods <- list(print = print, summary = summary, coef = coef, tidy = tidy, glance = glance,
                  fitted = fitted, residuals = residuals, plot = plot,
                  predict = function(m) predict(m, x),
                  augment = function(m) augment(m, as.data.frame(x)),
                  features = function(m) cawi_features(m, x))
  damage <- list(
    model = list(function(m) replace(m, "network", list(NULL)),
                 function(m) replace(m, "spec", list(1)),
                 function(m) {
                   replace(m, "levels", list(c("a", "a", "b")))
                 }, function(m) replace(m, "nobs", list("many")),
                 function(m) replace(m, "outcome", list(NULL)), function(m) m[1:5],
                 function(m) replace(m, "readouts", list(list()))),
    tuned = list(function(m) replace(m, "fit", list(NULL)),
                 function(m) replace(m, "results", list(NULL)),
                 function(m) {
                   replace(m, "chosen", list(NULL))
                 }, function(m) replace(m, "grid", list(1))),
    auto = list(function(m) replace(m, "members", list(list())),
                function(m) replace(m, "share", list(NA)),
                function(m) {
                  replace(m, "results", list(NULL))
                }, function(m) replace(m, "chosen", list(1)))
  )
  objects <- list(model = model, tuned = tuned, auto = auto)
  for (kind in names(objects)) for (edit in damage[[kind]]) for (name in names(methods)) {
    broken <- edit(objects[[kind]])
    class(broken) <- class(objects[[kind]])
    expect_error(on_null_device(utils::capture.output(methods[[name]](broken))),
                 class = "cawi_error")
  }
  expect_error(update(damage$model[[1]](model) |> structure(class = class(model)), hidden = 9),
               class = "cawi_error_object")
})

test_that("slots that only some methods read are damage too", {
  model <- cawi_rvfl(Species ~ ., iris, hidden = 5, init = "gaussian", seed = 1)
  auto <- cawi_auto(x, classes, budget = 1, hidden = 10, draws = 1, models = "rvfl",
                    init = "iid", seed = 1)
  edited <- function(object, path, value) {
    object[[path]] <- value
    object
  }
  diagnose <- function(m) cawi_diagnose(m, draws = 2)
  features <- function(m) cawi_features(m, iris)
  for (slot in c("activation", "scale", "spread", "standardize", "wiring", "bias", "inputs")) {
    expect_error(diagnose(edited(model, c("spec", slot), mean)), class = "cawi_error_fit")
  }
  expect_error(features(edited(model, c("preprocessor", "columns", "Sepal.Width"), 1)),
               class = "cawi_error_fit")
  expect_error(features(edited(model, c("preprocessor", "width"), c(1, 2))),
               class = "cawi_error_fit")
  expect_error(plot(edited(model, c("data", "targets", "values"), NA), type = "loo"),
               class = "cawi_error_x")
  path <- model$readouts[[1]]$lambda_path
  path[1] <- NA
  model$readouts[[1]]$lambda_path <- path
  expect_error(plot(model), class = "cawi_error_x")
  expect_error(plot(edited(auto, "results", auto$results[0, ])), class = "cawi_error_x")
  text <- auto$results
  text[] <- lapply(text, as.character)
  expect_error(plot(edited(auto, "results", text)), class = "cawi_error_x")
  expect_no_warning(
    try(coef(edited(auto$members[[1]], c("spec", "model"), c("rvfl", "rvfl"))), silent = TRUE)
  )
})

test_that("tuned and automatic models have the methods of models, or say why not", {
  tuned <- cawi_tune(x, classes, grid = cawi_grid(hidden = c(3, 5), lambda = 1), seed = 1)
  auto <- cawi_auto(x, numbers, budget = 1, hidden = 10, draws = 1, models = "rvfl",
                    init = "iid", seed = 1)
  expect_identical(coef(tuned), coef(tuned$fit))
  expect_identical(fitted(tuned), fitted(tuned$fit))
  expect_identical(residuals(tuned), residuals(tuned$fit))
  expect_identical(cawi_features(tuned, x), cawi_features(tuned$fit, x))
  expect_identical(augment(tuned, as.data.frame(x)), augment(tuned$fit, as.data.frame(x)))
  expect_identical(coef(update(tuned, hidden = 9)), coef(update(tuned$fit, hidden = 9)))
  expect_identical(coef(auto), lapply(auto$members, coef))
  expect_identical(fitted(auto), predict(auto, x))
  expect_equal(residuals(auto), numbers - predict(auto, x))
  expect_identical(augment(auto, as.data.frame(x))$.pred, predict(auto, x))
  expect_output(print(summary(auto)), "Members")
  expect_output(print(summary(auto$members[[1]])), "lambda")
  expect_error(update(auto, new_x = x), class = "cawi_error_object")
  expect_error(cawi_features(auto, x), class = "cawi_error_fit")
})

test_that("an argument that comes twice is an error", {
  expect_error(cawi_rvfl(x, numbers, hidden = 5, hidden = 6), "hidden")
  expect_error(cawi_rvfl(x, numbers, data = iris), class = "cawi_error_data")
  expect_error(cawi_rvfl(Species ~ ., formula = Species ~ ., data = iris),
               class = "cawi_error_formula")
})

test_that("messages blame what is wrong", {
  local_reproducible_output()
  expect_snapshot(show_error(cawi_rvfl(x, numbers, hidden = 1e9)))
  expect_snapshot(show_error(cawi_bls(x, numbers, windows = 1000, nodes = 1000)))
  expect_snapshot(show_error(cawi_rvfl(x, numbers[1:3])))
  expect_snapshot(show_error(cawi_rvfl(x, numbers, hiden = 3)))
  expect_snapshot(show_error(cawi_rvfl(x, Sys.Date() + 1:40)))
  expect_snapshot(show_error(cawi_diagnose(cawi_rvfl(x, numbers, hidden = 5, keep_data = FALSE))))
})

argument_errors <- alist(
  y = cawi_rvfl(matrix(rnorm(80000), 40000), as.character(1:40000)),
  y = cawi_rvfl(x, Sys.time() + 1:40),
  y = cawi_rvfl(x, as.difftime(1:40, units = "days")),
  y = cawi_rvfl(x, structure(cbind(time = 1:40, status = 1), class = "Surv", type = "right")),
  y = cawi_rvfl(x, numbers ~ x),
  y = cawi_rvfl(x, rep(c("a\xff", "b"), 20)),
  y = cawi_rvfl(x, complex(40)),
  y = cawi_rvfl(x, as.list(1:40)),
  y = cawi_rvfl(x, raw(40)),
  y = cawi_rvfl(x, quote(a)),
  windows = cawi_bls(x, numbers, windows = 1e5, nodes = 1e4),
  enhancement = cawi_bls(x, numbers, enhancement = 1e6),
  lambda = cawi_rvfl(x, numbers, lambda = matrix(1:4, 2)),
  lambda = cawi_rvfl(x, numbers, lambda = matrix(1:3, 1)),
  maximize = cawi_tune(x, numbers, metric = function(truth, value) 1)
)
test_argument_errors(argument_errors)

test_that("seconds are those of the steps", {
  elapsed <- system.time(fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, seed = 1))[["elapsed"]]
  expect_named(fit$seconds, c("weights", "readout"))
  expect_true(all(fit$seconds >= 0))
  expect_lte(sum(fit$seconds), elapsed + 0.01)
})

test_that("bytes of readouts by hand", {
  # Five squares of the columns, or the rows and squares of them, and the coefficients.
  expect_identical(readout_bytes(10, 3, 2), 8 * (5 * 9 + 6))
  expect_identical(readout_bytes(3, 10, 2), 8 * (2 * 30 + 4 * 9 + 20))
})
