test_that("averages are chosen greedily by the squared error of leave-one-out scores", {
  y <- matrix(c(1, 2, 3, 4))
  search <- list(
    targets = list(classes = NULL, values = y, case_weights = NULL, rows = 4L, center = 0, sd = 1)
  )
  candidate <- function(scores, draws = 1) {
    list(scores = matrix(scores) * length(draws), draws = draws)
  }
  # One is too high, one too low by as much: their mean is right. The third is useless.
  three <- list(candidate(y + 1, 1:2), candidate(y - 1), candidate(y + 9))
  chosen <- select_members(search, three)
  expect_equal(chosen$share, c(0.5, 0.5, 0))
  expect_equal(chosen$scores, y)
  expect_equal(select_members(search, list(candidate(y + 5), candidate(y)))$share, c(0, 1))
  # Shares by their errors, 1, 1 and 81 per row, count as much as some rows: here as many as there
  # are. A share that is next to nothing is none.
  expect_equal(select_members(search, three, 4)$share, c(0.5, 0.5, 0))
  near <- list(candidate(y + 1), candidate(y - 1), candidate(y + 3))
  errors <- c(9, 9, 1) / 19
  expect_equal(select_members(search, near, 4)$share, (c(0.5, 0.5, 0) + errors) / 2)
  # For numbers a ridge regression counts for four there; for classes it is one of them.
  linear <- replace(near, 3, list(c(near[[3]], hidden = 0)))
  expect_equal(select_members(search, linear, 4)$share, (c(0.5, 0.5, 0) + c(9, 9, 4) / 22) / 2)
  expect_equal(member_counts(list(targets = list(classes = 1:2)), linear), c(1, 1, 1))
  # An exact member has all.
  expect_equal(select_members(search, list(candidate(y), candidate(y + 1)), 4)$share, c(1, 0))
  # Weights say which rows matter.
  search$targets$case_weights <- c(0, 0, 0, 1)
  tilted <- list(candidate(c(1, 2, 3, 9)), candidate(c(7, 7, 7, 4)))
  expect_equal(select_members(search, tilted)$share, c(0, 1))
})

test_that("shares from products are those of the scores themselves", {
  set.seed(1)
  y <- matrix(rnorm(60), 20)
  scores <- lapply(1:4, function(k) y + rnorm(60, sd = k / 2))
  weight <- runif(20)
  total <- 0
  count <- numeric(4)
  for (step in 1:20) {
    error <- vapply(scores, function(s) sum(weight * (y - (total + s) / step)^2), 0)
    total <- total + scores[[which.min(error)]]
    count[which.min(error)] <- count[which.min(error)] + 1
  }
  expect_equal(greedy_shares(scores, y, weight), count / 20)
})
