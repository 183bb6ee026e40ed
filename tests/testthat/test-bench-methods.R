flowers <- list(x = as.matrix(iris[, 1:4]), y = iris$Species)
grid <- cawi_grid(hidden = 3, activation = "relu", lambda = 1)

test_that("the column that is damaged is named", {
  b <- cawi_benchmark(flowers, init = c("iid", "gaussian"), grid = grid)
  for (column in c("seed", "fold", "tried")) {
    damaged <- b
    damaged[[column]] <- damaged[[column]] + 0.5
    expect_error(summary(damaged), paste("column", column, "has values that are no whole numbers"),
                 class = "cawi_error_x")
  }
})

test_that("a summary of no model is refused", {
  none <- structure(stats::setNames(list(), character()), class = "summary.cawi_benchmark")
  expect_error(print(none), "no comparison of a known model", class = "cawi_error_x")
})

test_that("means are over folds, not over paths", {
  b <- cawi_benchmark(flowers, protocol = "equal", draws = 3, init = c("iid", "gaussian"),
                      grid = grid)
  folds <- b[b$fold > 0, ]
  expect_equal(benchmark_matrix(b)["data", ],
               100 * c(iid = mean(folds$accuracy[folds$init == "iid"]),
                       gaussian = mean(folds$accuracy[folds$init == "gaussian"])))
  # The first draw is not always the best: a mean with it would be lower.
  b$accuracy[b$fold == 0] <- 0
  expect_identical(benchmark_matrix(b), benchmark_matrix(folds))
})
