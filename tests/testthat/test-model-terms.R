test_that("two levels have one column, more have one each, ordered ones all but the first", {
  rule <- function(count, ordered = FALSE) list(levels = letters[seq_len(count)], ordered = ordered)
  expect_identical(shown_levels(rule(1)), 1L)
  expect_identical(shown_levels(rule(2)), 2L)
  expect_identical(shown_levels(rule(3)), 1:3)
  expect_identical(shown_levels(rule(3, TRUE)), 2:3)
  expect_identical(shown_levels(rule(2), all_levels = TRUE), 1:2)
})

test_that("a matrix that no machine can hold is refused before it is made", {
  expect_error(term_columns(list(width = 1e9), list(), 1e9, "data", NULL),
               class = "cawi_error_data")
})
