# Splits as rsample has them: rows in, rows out (NA: all others), and the data.
new_split <- function(train, test = NA, data = mtcars) {
  structure(list(data = data, in_id = train, out_id = test, id = NULL), class = "rsplit")
}
new_set <- function(splits, ..., class = NULL) {
  structure(list(splits = splits, ...), class = c(class, "rset", "list"))
}

test_that("splits are the rows that are learned and judged", {
  set <- new_set(list(new_split(c(1L, 1L, 3L)), new_split(1:2, 5:6)))
  parts <- rsample_parts(set, 32, NULL)
  expect_identical(parts[[1]]$train, c(1L, 1L, 3L))
  expect_identical(parts[[1]]$test, c(2L, 4:32))
  expect_identical(parts[[2]]$test, 5:6)
  expect_identical(vapply(parts, function(part) part$rep, 0), c(1, 2))
  expect_length(rsample_parts(new_split(1:20), 32, NULL), 1)
})

test_that("a set of folds is the same as its fold numbers", {
  fold <- rep_len(1:3, 32)
  splits <- lapply(1:3, function(f) new_split(which(fold != f)))
  set <- new_set(splits, id = paste0("Fold", 1:3), class = "vfold_cv")
  grid <- cawi_grid(hidden = 5, lambda = c(0.1, 1))
  found <- cawi_tune(mpg ~ ., mtcars, grid = grid, resampling = set, seed = 1)
  wanted <- cawi_tune(mpg ~ ., mtcars, grid = grid, resampling = fold, seed = 1)
  expect_identical(found$results, wanted$results)
  expect_identical(found$parts, wanted$parts)
  expect_identical(found$folds, wanted$folds)
  expect_identical(found$resampling, "3 splits of rsample (vfold_cv)")
})

test_that("sets of other rows, and sets of sets, are refused", {
  set <- new_set(list(new_split(1:20)))
  expect_error(cawi_tune(Species ~ ., iris, resampling = set), class = "cawi_error_resampling")
  nested <- new_set(list(new_split(1:20)), class = "nested_cv")
  expect_error(cawi_tune(mpg ~ ., mtcars, resampling = nested), class = "cawi_error_resampling")
  expect_error(cawi_tune(mpg ~ ., mtcars, resampling = set, group = cyl),
               class = "cawi_error_group")
})

test_that("sets whose splits are not whole are refused", {
  x <- small_x()
  set_of <- function(...) {
    split <- structure(list(data = x, ...), class = c("vfold_split", "rsplit"))
    structure(list(splits = list(split), id = "Fold1"), row.names = 1L,
              class = c("vfold_cv", "rset", "data.frame"))
  }
  none <- structure(list(splits = list(), id = character()), class = c("rset", "data.frame"))
  sets <- list(none, set_of(in_id = 41:45, out_id = NA), set_of(in_id = integer(), out_id = NA),
               set_of(in_id = "a", out_id = NA), set_of(in_id = 1:40, out_id = NA),
               set_of(in_id = 1:9, out_id = 99L), set_of(in_id = 1:9))
  for (set in sets) {
    tuning <- quote(cawi_tune(x, small_y("regression"), grid = cawi_grid(hidden = 3, lambda = 1),
                              resampling = set, seed = 1))
    expect_error(eval(tuning), class = "cawi_error_resampling")
  }
})
