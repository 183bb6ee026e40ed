test_that("a larger penalty of a line may have a larger error, the more so the fewer the rows", {
  lambdas <- c(0.1, 1, 10)
  # By hand: ten times the penalty is worth 10^(2 / rows) times the squared error.
  nearly <- 10^(2 / 20) * 0.999
  expect_identical(cautious_penalty(c(1, nearly, 5), lambdas, 20), 1)
  expect_identical(cautious_penalty(c(1, nearly, nearly^2), lambdas, 20), 10)
  expect_identical(cautious_penalty(c(1, nearly, 5), lambdas, 22), 0.1)
  expect_identical(cautious_penalty(c(5, 1.001, 1), lambdas, 1e6), 10)
  expect_identical(cautious_penalty(c(5, 1, 1.001), lambdas, 1e6), 1)
  # Each output has its own.
  expect_identical(cautious_penalty(cbind(c(1, 2, 3), c(3, 2, 1)), lambdas, 100), c(0.1, 10))
  # Nothing left of the error, and errors that are no numbers.
  expect_identical(cautious_penalty(c(0, 0, 1), lambdas, 20), 1)
  expect_identical(cautious_penalty(c(NaN, 2, Inf), lambdas, 20), 1)
})

test_that("members with direct links have the cautious penalty, the others that of least error", {
  set.seed(6)
  rows <- matrix(rnorm(75), 25)
  y <- cbind(rows[, 1] + rnorm(25), rows[, 2]^2 + rnorm(25))
  for (outputs in 1:2) {
    search <- search_of(rows, y[, seq_len(outputs), drop = FALSE], limit = TRUE)
    search$relevance <- feature_relevance(search)
    for (candidate in limit_candidates(search)) {
      trial <- limit_trial(search, candidate, NULL)
      z <- layer_input_cpp(rows, trial$frozen, 0L)
      error <- vapply(limit_lambdas, function(lambda) {
        fit <- kernel_fit(search, trial$spec, trial$frozen, z, 1:25, rep(lambda, outputs),
                          list(rows = integer(), given = TRUE))
        colSums((target_matrix(search$targets) - fit$scores)^2)
      }, numeric(outputs))
      error <- matrix(error, ncol = outputs, byrow = TRUE)
      least <- limit_lambdas[apply(error, 2L, which.min)]
      cautious <- cautious_penalty(error, limit_lambdas, 25)
      direct <- candidate$model == "rvfl"
      expect_identical(trial$lambda, if (direct) cautious else least)
      expect_true(all(trial$lambda >= least))
      # Scores and error are those of the penalty.
      again <- kernel_fit(search, trial$spec, trial$frozen, z, 1:25, trial$lambda,
                          list(rows = integer(), given = TRUE))
      expect_equal(again[c("scores", "error", "coefficients")],
                   trial[c("scores", "error", "coefficients")])
    }
  }
})
