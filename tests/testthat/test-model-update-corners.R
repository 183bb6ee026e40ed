# Corners of updates, folds and methods that once gave silent wrong answers.

x <- small_x()
numbers <- small_y("regression")
classes <- small_y("classification")

test_that("new nodes take only the rows that the model has seen", {
  for (keep in c(TRUE, FALSE)) {
    fit <- cawi_rvfl(x, numbers, hidden = 5, lambda = 0.1, seed = 1, keep_data = keep)
    grown <- update(fit, hidden = 8, x = x, y = numbers)
    expect_equal(coef(grown), coef(cawi_rvfl(x, numbers, hidden = 8, lambda = 0.1, seed = 1)),
                 tolerance = 1e-8)
    expect_error(update(fit, hidden = 8, x = x, y = rev(numbers)), class = "cawi_error_y")
    expect_error(update(fit, hidden = 8, x = x[40:1, ] * 2, y = numbers), class = "cawi_error_x")
  }
  # The data of the fit may be given as they were, with rows that it left out.
  holes <- replace(x, 3, NA)
  weights <- rep(c(0, 1, 2, 1), 10)
  fit <- cawi_rvfl(holes, numbers, hidden = 5, lambda = 0.1, seed = 1, na_action = "omit",
                   case_weights = weights, keep_data = FALSE)
  grown <- update(fit, hidden = 8, x = holes, y = numbers, case_weights = weights)
  expect_equal(coef(grown),
               coef(cawi_rvfl(holes, numbers, hidden = 8, lambda = 0.1, seed = 1,
                              na_action = "omit", case_weights = weights)), tolerance = 1e-8)
  more <- update(fit, new_x = x[1:3, ], new_y = numbers[1:3], case_weights = c(0, 1, 1))
  expect_identical(more$nobs, fit$nobs + 2)
})

test_that("a number of nodes that is a date is refused by its own name", {
  # c() of a date and a number fails, and once made a sound model pass for a damaged one.
  fit <- cawi_rvfl(x, numbers, hidden = 5, lambda = 0.1, seed = 1)
  for (hidden in list(as.POSIXlt("2020-01-01", tz = "UTC"), as.Date("2020-01-01"), "8")) {
    expect_error(update(fit, hidden = hidden), class = "cawi_error_hidden")
  }
})

test_that("a new class whose bytes are no text is refused as it is in a fit", {
  # The search for a class of a similar name failed, and the model passed for a damaged one.
  bytes <- rawToChar(as.raw(c(0xff, 0xfe)))
  fit <- cawi_rvfl(x, classes, hidden = 5, lambda = 0.1, seed = 1)
  for (new_y in list(bytes, rep(bytes, 40), factor(rep(bytes, 40)))) {
    expect_error(update(fit, new_x = x, new_y = new_y), class = "cawi_error_new_y")
  }
  expect_error(update(fit, new_x = x, new_y = rep(bytes, 40), new_classes = TRUE),
               class = "cawi_error_new_y", regexp = "encoding")
  expect_error(cawi_statistics(fit, x, rep(bytes, 40)), regexp = "encoding",
               class = "cawi_error")
})

test_that("a level that is NA is a missing value of new rows", {
  fit <- cawi_rvfl(x, classes, hidden = 5, lambda = 0.1, seed = 1)
  expect_error(update(fit, new_x = x, new_y = addNA(replace(classes, 1, NA))), "missing",
               class = "cawi_error_new_y")
})

test_that("arguments that say nothing alone are refused", {
  fit <- cawi_rvfl(x, numbers, hidden = 5, lambda = 0.1, seed = 1)
  expect_error(update(fit, case_weights = 1), class = "cawi_error_case_weights")
  expect_error(update(fit, forget_case_weights = 1), class = "cawi_error_forget_case_weights")
  expect_error(update(fit, x = x, y = numbers), class = "cawi_error_x")
  expect_error(cawi_tune(x, numbers, data = 1), class = "cawi_error_data")
  expect_error(cawi_auto(x, numbers, formula = y ~ x), class = "cawi_error_formula")
  expect_error(cawi_tune(x, numbers, resampling = "loo", repeats = 2), class = "cawi_error_repeats")
  for (object in list(fit, cawi_grid(hidden = 3), cawi_copula(x, "t"))) {
    expect_error(print(object, foo = 1), class = "cawi_error_dots")
  }
})

test_that("memory is asked for before nodes grow", {
  fit <- cawi_rvfl(x, numbers, hidden = 5, lambda = 0.1, seed = 1)
  error <- expect_error(update(fit, hidden = 9e4), class = "cawi_error_memory")
  expect_match(conditionMessage(error), "GB")
  wide <- cawi_rvfl(x, numbers, hidden = 20000, lambda = 0.1, seed = 1)
  report <- summary(wide)
  expect_lt(report$freedom, 40)
})

test_that("the spectrum of rows is that of the columns", {
  for (task in tasks) {
    y <- small_y(task, x)
    wide <- cawi_rvfl(x, y, hidden = 60, lambda = 0.1, seed = 1)
    readout <- wide$readouts[[1]]
    narrow_form <- readout
    narrow_form$statistics <- as_gram(readout$statistics)
    expect_equal(readout_spectrum(readout), readout_spectrum(narrow_form), tolerance = 1e-8)
  }
})

test_that("augment has one row per row", {
  fit <- cawi_rvfl(x, classes, hidden = 5, seed = 1)
  expect_identical(nrow(augment(fit, x[1, ])), 1L)
  expect_identical(nrow(augment(fit, x[1:3, ])), 3L)
  outputs <- cawi_rvfl(x, small_y("outputs", x), hidden = 5, seed = 1)
  expect_named(augment(outputs, x), c(colnames(x), ".pred_first", ".pred_second", ".pred_third"))
})

test_that("fold numbers are whole, and rows without response are in no fold", {
  grid <- cawi_grid(hidden = 3, lambda = 1)
  for (fold in list(
    rep(c(1.2, 1.7), 20), rep(c(1e10, 2e10), 20), rep(c(Inf, 1), 20), rep(1, 40), 1:3
  )) {
    expect_error(cawi_tune(x, numbers, grid = grid, resampling = fold),
                 class = "cawi_error_resampling")
  }
  tuned <- cawi_tune(x, replace(numbers, 1:3, NA), grid = grid, resampling = 5,
                     na_action = "omit", seed = 1)
  expect_identical(which(is.na(tuned$folds)), 1:3)
  expect_identical(tuned$folds[-(1:3), 1], cawi_folds(numbers[-(1:3)], 5, seed = 1)[, 1])
  expect_equal(tuned$results$mean,
               cawi_tune(x[-(1:3), ], numbers[-(1:3)], grid = grid, resampling = 5,
                         seed = 1)$results$mean)
})

test_that("errors of the user's metric and damaged parts have classes", {
  grid <- cawi_grid(hidden = 3, lambda = 1)
  expect_error(cawi_tune(x, numbers, grid = grid, metric = function(t, e) stop("boom"),
                         maximize = TRUE), "boom",
               class = "cawi_error_metric")
  expect_error(cawi_tune(x, numbers, grid = structure(1, class = "cawi_grid")),
               class = "cawi_error_grid")
  fit <- cawi_rvfl(y ~ north + offset(east), data.frame(x, y = numbers), hidden = 3,
                   lambda = 1, seed = 1)
  for (edit in list(function(p) replace(p, "offsets", list(NULL)),
                    function(p) replace(p, "terms", list(list())),
                    function(p) replace(p, "variables", list(list())))) {
    broken <- fit
    broken$preprocessor <- edit(fit$preprocessor)
    expect_error(predict(broken, data.frame(x)), class = "cawi_error_object")
  }
  fit$seed <- NA
  expect_error(update(fit, hidden = 5), class = "cawi_error_object")
  tuned <- cawi_tune(x, numbers,
                     grid = cawi_grid(hidden = 3, inputs = c(1, NA), lambda = 1), seed = 1)
  expect_identical(profile_table(tuned)$value, c("1", "all"))
  expect_profiles(recorded(expect_silent(plot(tuned))), tuned$results, "inputs", FALSE,
                  tuned$chosen, "RMSE")
})

test_that("case weights of an update may be a column, as in fits with a formula", {
  data <- transform(mtcars, count = rep_len(1:3, 32))
  fit <- cawi_rvfl(mpg ~ wt + hp, data[1:20, ], case_weights = count, hidden = 5, lambda = 1,
                   seed = 1)
  wanted <- update(fit, new_x = data[21:32, ], case_weights = data$count[21:32])
  expect_identical(coef(update(fit, new_x = data[21:32, ], case_weights = count)), coef(wanted))
  forgotten <- update(wanted, forget_x = data[21:32, ], forget_case_weights = count)
  expect_equal(coef(forgotten), coef(fit), tolerance = 1e-8)
  expect_error(update(fit, new_x = data[21:32, ], case_weights = no_such_column),
               class = "cawi_error_case_weights")
})

test_that("rows with holes are omitted by updates as by fits", {
  holes <- x
  holes[31, 2] <- NA
  for (task in tasks) {
    y <- small_y(task, x)
    part <- function(rows) if (is.matrix(y)) y[rows, , drop = FALSE] else y[rows]
    unknown <- y
    if (is.matrix(y)) unknown[32, 1] <- NA else unknown[32] <- NA
    late <- function(v) if (is.matrix(v)) v[31:40, , drop = FALSE] else v[31:40]
    for (keep in c(TRUE, FALSE)) {
      fit <- cawi_rvfl(x[1:30, ], part(1:30), hidden = 5, lambda = 0.1, seed = 1,
                       na_action = "omit", keep_data = keep)
      more <- update(fit, new_x = holes[31:40, ], new_y = late(unknown))
      same <- update(fit, new_x = x[33:40, ], new_y = part(33:40))
      expect_identical(coef(more), coef(same))
      expect_identical(more$nobs, 38)
      # What was learned with holes is forgotten with them.
      back <- update(more, forget_x = holes[31:40, ], forget_y = late(unknown))
      expect_equal(coef(back), coef(fit), tolerance = 1e-8)
      weighted <- update(fit, new_x = holes[31:40, ], new_y = late(unknown), case_weights = 1:10)
      expect_identical(coef(weighted), coef(update(fit, new_x = x[33:40, ], new_y = part(33:40),
                                                   case_weights = 3:10)))
      # Nothing is left to learn.
      none <- update(fit, new_x = holes[31, , drop = FALSE], new_y = part(31))
      expect_identical(coef(none), coef(fit))
    }
    for (action in c("fail", "impute")) {
      fit <- cawi_rvfl(x[1:30, ], part(1:30), hidden = 5, lambda = 0.1, seed = 1,
                       na_action = action)
      expect_error(update(fit, new_x = x[31:40, ], new_y = late(unknown)),
                   class = "cawi_error_new_y")
    }
    strict <- cawi_rvfl(x[1:30, ], part(1:30), hidden = 5, lambda = 0.1, seed = 1)
    expect_error(update(strict, new_x = holes[31:40, ], new_y = late(y)),
                 class = "cawi_error_new_x")
  }
})

test_that("formulas, frames and recipes omit rows in updates", {
  data <- transform(data.frame(x), answer = numbers)
  data[33, 1] <- NA
  data[34, "answer"] <- NA
  whole <- data[-c(33, 34), ]
  fits <- list(
    cawi_rvfl(answer ~ ., data[1:30, ], hidden = 5, lambda = 0.1, seed = 1, na_action = "omit"),
    cawi_rvfl(data[1:30, colnames(x)], data$answer[1:30], hidden = 5, lambda = 0.1, seed = 1,
              na_action = "omit")
  )
  for (fit in fits) {
    more <- update(fit, new_x = data[31:40, ], new_y = data$answer[31:40])
    same <- update(fit, new_x = whole[31:38, ], new_y = whole$answer[31:38])
    expect_identical(coef(more), coef(same))
  }
  offset <- cawi_rvfl(log(answer + 100) ~ north + offset(south), data[1:30, ], hidden = 5,
                      lambda = 0.1, seed = 1, na_action = "omit")
  expect_identical(coef(update(offset, new_x = data[31:40, ])),
                   coef(update(offset, new_x = whole[31:38, ])))
})
