test_that("averages are chosen greedily by the squared error of leave-one-out scores", {
  y <- matrix(c(1, 2, 3, 4))
  search <- list(
    targets = list(classes = NULL, values = y, case_weights = NULL, rows = 4L, center = 0, sd = 1)
  )
  candidate <- function(scores, draws = 1) {
    list(scores = matrix(scores) * length(draws), draws = draws)
  }
  # One is too high, one too low by as much: their mean is right. The third is useless.
  chosen <- select_members(search, list(candidate(y + 1, 1:2), candidate(y - 1), candidate(y + 9)),
                           steps = 10)
  expect_equal(chosen$share, c(0.5, 0.5, 0))
  expect_equal(chosen$scores, y)
  expect_equal(select_members(search, list(candidate(y + 5), candidate(y)), steps = 4)$share,
               c(0, 1))
  # Weights say which rows matter.
  search$targets$case_weights <- c(0, 0, 0, 1)
  tilted <- list(candidate(c(1, 2, 3, 9)), candidate(c(7, 7, 7, 4)))
  expect_equal(select_members(search, tilted, steps = 4)$share, c(0, 1))
})
