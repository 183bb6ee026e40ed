test_that("a share of time and budget is kept back, and what does not fit is counted", {
  clock <- new_clock(budget = 1, time_limit = 100)
  clock$start <- clock$start - 80
  expect_true(affordable(clock, 0, 0.1))
  expect_false(clock$cut)
  expect_false(affordable(clock, 0.95 * operations_per_second, 0.1))
  expect_false(clock$cut)
  clock$start <- clock$start - 15
  expect_false(affordable(clock, 0, 0.1))
  expect_true(clock$cut)
  expect_identical(clock$skipped, 2L)
})

test_that("operations of infinitely many nodes, by hand", {
  small <- list(x = matrix(0, 100, 3))
  expect_identical(limit_operations(small), 15 * 100^3 + 100 * 100 * 3)
  # More rows than the sample have a fit of their own, by all rows or by 600 landmarks.
  middle <- list(x = matrix(0, 600, 2))
  expect_identical(limit_operations(middle), 15 * 500^3 + 600^3 / 8 + 600 * 600 * 2)
  large <- list(x = matrix(0, 3000, 2))
  expect_identical(limit_operations(large), 15 * 500^3 + 3 * 3000 * 600^2 / 8 + 3000 * 600 * 2)
})
