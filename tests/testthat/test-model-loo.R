x <- small_x()

test_that("leave-one-out errors are the same with and without the data kept", {
  w <- rep_len(c(1, 3), 40)
  for (task in tasks) for (weights in list(NULL, w)) for (lambda in list(0.5, c(0.5, 1))) {
    kept <- cawi_rvfl(x, small_y(task, x), hidden = 5, lambda = lambda,
                      case_weights = weights, seed = 1)
    lean <- cawi_rvfl(x, small_y(task, x), hidden = 5, lambda = lambda, case_weights = weights,
                      seed = 1, keep_data = FALSE)
    expect_equal(glance(lean)$mean, glance(kept)$mean)
  }
})

test_that("weighted leave-one-out errors are weighted means", {
  w <- rep_len(c(1, 3), 40)
  y <- small_y("regression", x)
  fit <- cawi_rvfl(x, y, hidden = 5, lambda = 0.5, case_weights = w, seed = 1)
  scores <- refitted_scores(plain_features(fit, x, w = w)$all, y, 0.5, w)
  expect_equal(glance(fit)$mean, sqrt(sum(w * (y - scores)^2) / sum(w)), tolerance = 1e-8)
})

test_that("without variation the row left out has the mean of the others, with more columns too", {
  weights <- c(3, 2)
  for (seed in 1:20) {
    fit <- suppressWarnings(cawi_elm(matrix(1, 2, 1), c(5, -1), hidden = 8, case_weights = weights,
                                     lambda = 0.2, seed = seed))
    expect_equal(drop(loo_scores(fit)), c(-1, 5), info = seed)
  }
})
