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
