frame <- mixed_frame()[c("north", "east", "number")]
source <- cawi_source(frame)

test_that("a source needs a formula, a recipe or names of the response", {
  expect_error(cawi_elm(source), class = "cawi_error_x")
  expect_error(cawi_elm(frame, source), class = "cawi_error_x")
  expect_error(cawi_elm(source, source), class = "cawi_error_x")
  expect_error(cawi_elm(source, frame$number), class = "cawi_error_y")
  expect_error(cawi_elm(source, character()), class = "cawi_error_y")
  expect_error(cawi_elm(source, "nothing"), class = "cawi_error")
})

test_that("case weights of a source are a column", {
  expect_error(cawi_elm(number ~ ., source, case_weights = 1), class = "cawi_error_case_weights")
  outside <- rep(1, 90)
  expect_error(cawi_elm(number ~ ., source, case_weights = outside),
               class = "cawi_error_case_weights")
})

test_that("a checkpoint is for a source", {
  expect_error(cawi_elm(number ~ ., frame, checkpoint = tempfile()),
               class = "cawi_error_checkpoint")
})

test_that("arguments of the models are checked before a row is read", {
  unread <- cawi_source(function(reset) stop("it was read"))
  expect_error(cawi_elm(number ~ ., unread, hidden = -1), class = "cawi_error_hidden")
  expect_error(cawi_elm(number ~ ., unread, hiden = 1), class = "cawi_error_dots")
  expect_error(cawi_auto(number ~ ., unread), class = "cawi_error")
})

test_that("a failing fit leaves R's generator where it was", {
  expect_generator_untouched(try(cawi_elm(number ~ nothing, source), silent = TRUE))
})

test_that("set.seed() governs fits of sources", {
  set.seed(4)
  one <- cawi_elm(number ~ ., source, hidden = 3)
  set.seed(4)
  expect_identical(same_fit(cawi_elm(number ~ ., source, hidden = 3)), same_fit(one))
})

test_that("what depends on other rows is refused, whatever the chunks", {
  weighted <- transform(frame, w = seq_len(90))
  for (chunk in c(1, 20, 90)) {
    source <- cawi_source(weighted, chunk = chunk)
    expect_error(cawi_elm(number ~ north, source, hidden = 3, case_weights = w / sum(w)),
                 "depends on the other rows", class = "cawi_error_case_weights")
  }
  expect_s3_class(cawi_elm(number ~ north, source, hidden = 3, case_weights = sqrt(w)), "cawi_elm")
  for (formula in list(I(number - mean(number)) ~ north, scale(number) ~ north,
                       rank(number) ~ north)) {
    expect_error(cawi_elm(formula, source, hidden = 3), class = "cawi_error")
  }
  expect_s3_class(cawi_elm(exp(number) ~ north, source, hidden = 3), "cawi_elm")
})

test_that("a dot with something taken away needs no warning", {
  expect_silent(fit <- cawi_elm(number ~ . - east, cawi_source(frame), hidden = 3, seed = 1))
  expect_identical(fit$feature_names, "north")
  expect_false(cawi_elm(number ~ . - 1, cawi_source(frame), hidden = 3)$spec$intercept)
})

test_that("rows of a source cannot be kept, and methods that need them say so", {
  expect_error(cawi_elm(number ~ ., source, keep_data = TRUE), class = "cawi_error_keep_data")
  fit <- cawi_elm(number ~ ., source, hidden = 3, seed = 1)
  expect_error(residuals(fit), "rows are not kept", class = "cawi_error_object")
  expect_error(generics::augment(fit, source), class = "cawi_error_new_data")
  expect_s3_class(cawi_importance(fit, frame), "cawi_importance")
  file <- tempfile(fileext = ".html")
  expect_identical(basename(cawi_report(fit, file)), basename(file))
})
