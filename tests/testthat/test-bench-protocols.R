test_that("a t copula is tried at its own degrees of freedom and at those of the public code", {
  tried <- function(df) {
    fitted <- cawi_copula_from("t", dim = 3, cor = mixed_correlation(3), df = df)
    variants <- arm_variants("t", list(protocol = "paper"), list(fitted))
    lapply(variants, function(variant) variant(fitted))
  }
  df <- function(copulas) unique(vapply(copulas, function(copula) copula$df, 0))
  expect_equal(df(tried(5.4)), c(5, 4, 6, 8, 10, 16, 30))
  expect_equal(df(tried(7.6)), c(8, 4, 6, 10, 16, 30))
  expect_equal(df(tried(200)), c(50, 4, 6, 8, 10, 16, 30))
  # Correlations are drawn a quarter of the way to none at most.
  share <- vapply(tried(5.4), function(copula) copula$cor[1, 2] / mixed_correlation(3)[1, 2], 0)
  expect_equal(unique(share), c(1, 0.9, 0.75))
})

test_that("the record has the penalty and the nodes of the best network", {
  set <- list(x = as.matrix(iris[, 1:4]), y = iris$Species)
  grid <- cawi_grid(hidden = c(2, 6, 12), activation = "sigmoid", lambda = 10^(-2:3))
  unit <- list(model = "rvfl", init = "iid", seed = 5)
  plan <- list(protocol = "paper", folds = 5, grids = list(rvfl = grid), nested_above = Inf)
  arm <- test_fold_arm(unit, plan, set, 1L)
  hits <- lapply(1:5, function(k) fold_accuracies(arm, k, 1, "sigmoid", 1L))
  mean <- Reduce(`+`, hits) / 5
  best <- which(mean == max(mean), arr.ind = TRUE)[1, ]
  found <- cawi_benchmark(set, protocol = "paper", init = "iid", grid = grid, seeds = 5)
  folds <- found[found$fold > 0, ]
  expect_identical(unique(folds$lambda), 10^(-2:3)[best[[1]]])
  expect_identical(unique(folds$hidden), as.character(c(12, 6, 2)[best[[2]]]))
  expect_equal(folds$accuracy, vapply(hits, function(hit) hit[best[[1]], best[[2]]], 0))
  expect_true(best[[1]] != best[[2]])
})

test_that("one draw serves all numbers of nodes above a thousand rows, unless told otherwise", {
  x <- matrix(lehmer(3300) / 2^31, ncol = 3)
  y <- factor(x[, 1] + x[, 2]^2 > x[, 3] + lehmer(1100, 7) / 2^32)
  grid <- cawi_grid(hidden = c(2, 4), activation = "sigmoid", lambda = 0.01)
  run <- function(rows, ...) {
    set <- list(x = x[seq_len(rows), ], y = y[seq_len(rows)])
    found <- cawi_benchmark(set, protocol = "paper", init = "iid", folds = 2, grid = grid, ...)
    as.data.frame(found)[c("fold", "accuracy", "hidden")]
  }
  expect_identical(run(1100), run(1100, nested_above = 1000))
  expect_identical(run(1100), run(1100, nested_above = 0))
  expect_false(identical(run(1100), run(1100, nested_above = 1100)))
  expect_identical(run(1000), run(1000, nested_above = Inf))
  expect_false(identical(run(1000), run(1000, nested_above = 999)))
})
