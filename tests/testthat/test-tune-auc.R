test_that("areas by hand", {
  # Of four pairs three are in order, or two and a tie.
  expect_equal(rank_area(c(1, 3, 2, 4), c(FALSE, FALSE, TRUE, TRUE), rep(1, 4)), 3 / 4)
  expect_equal(rank_area(c(1, 2, 2, 4), c(FALSE, FALSE, TRUE, TRUE), rep(1, 4)), 3.5 / 4)
  # A pair counts as often as the product of its weights says.
  expect_equal(rank_area(c(1, 3, 2), c(FALSE, FALSE, TRUE), c(1, 3, 5)), 1 / 4)
})

test_that("the area is the statistic of Wilcoxon, whatever the scale of the scores", {
  score <- c(0.1, 0.4, 0.35, 0.8, 0.8, 0.2, 0.9)
  positive <- c(FALSE, FALSE, TRUE, TRUE, FALSE, FALSE, TRUE)
  w <- suppressWarnings(stats::wilcox.test(score[positive], score[!positive])$statistic)
  expect_equal(rank_area(score, positive, rep(1, 7)), unname(w) / 12)
  expect_equal(rank_area(exp(score), positive, rep(2, 7)), unname(w) / 12)
  expect_equal(rank_area(-score, positive, rep(1, 7)), 1 - unname(w) / 12)
})

test_that("several classes have the mean over pairs", {
  truth <- factor(c("a", "a", "b", "b", "c"))
  prob <- rbind(c(0.8, 0.1, 0.1), c(0.3, 0.5, 0.2), c(0.4, 0.4, 0.2), c(0.1, 0.6, 0.3),
                c(0.2, 0.2, 0.6))
  pair <- function(k, l) {
    rows <- as.integer(truth) %in% c(k, l)
    own <- as.integer(truth)[rows]
    mean(c(rank_area(prob[rows, k], own == k, rep(1, sum(rows))),
           rank_area(prob[rows, l], own == l, rep(1, sum(rows)))))
  }
  expect_equal(pair(1, 2), mean(c(3 / 4, 3 / 4)))
  expect_equal(area_under_curve(truth, prob, rep(1, 5)),
               mean(c(pair(1, 2), pair(1, 3), pair(2, 3))))
  # Here the probabilities of the two classes of a pair do not have opposite orders.
  uneven <- rbind(c(0.5, 0.4, 0.1), c(0.3, 0.3, 0.4), c(0.4, 0.5, 0.1), c(0.1, 0.6, 0.3),
                  c(0.4, 0.2, 0.4))
  sides <- c((3 / 4 + 1) / 2, (1 / 2 + 3 / 4) / 2, (1 + 1) / 2)
  expect_equal(area_under_curve(truth, uneven, rep(1, 5)), mean(sides))
  two <- factor(c("a", "b", "b"))
  both <- cbind(c(0.6, 0.3, 0.7), c(0.4, 0.7, 0.3))
  expect_equal(area_under_curve(two, both, rep(1, 3)), 1 / 2)
  expect_identical(area_under_curve(factor("a", c("a", "b")), both[1, , drop = FALSE], 1), NA_real_)
})

test_that("tuning by the area chooses the largest one", {
  x <- small_x()
  y <- small_y("classification", x)
  grid <- cawi_grid(hidden = c(3, 10), lambda = 10^(-2:2))
  for (resampling in list("loo", 3)) {
    tuned <- cawi_tune(x, y, grid = grid, metric = "auc", resampling = resampling, seed = 1)
    own <- function(truth, prob) area_under_curve(truth, prob, rep(1, length(truth)))
    same <- cawi_tune(x, y, grid = grid, metric = own, maximize = TRUE, resampling = resampling,
                      seed = 1)
    expect_equal(tuned$results$mean, same$results$mean)
    expect_identical(tuned$metric, "auc")
    expect_equal(tuned$chosen$mean, max(tuned$results$mean))
    expect_output(print(tuned), "AUC")
  }
})

test_that("a part with one class is refused", {
  x <- small_x()
  y <- small_y("classification", x)
  expect_error(cawi_tune(x, y, grid = cawi_grid(hidden = 3), metric = "auc",
                         resampling = ifelse(seq_along(y) == 1L, 1, 2), seed = 1),
               class = "cawi_error_metric")
  expect_error(cawi_tune(x, x[, 1], metric = "auc"), class = "cawi_error_metric")
})
