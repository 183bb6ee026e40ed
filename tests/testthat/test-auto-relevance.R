test_that("a feature tells what a parabola of it explains", {
  # By hand: lines and parabolas tell all, and what is at right angles to both tells nothing.
  x <- cbind(c(-1, 0, 1), c(-1, 0, 1), 0) * sqrt(3 / 2)
  line <- x[, 1]
  bow <- c(1, -2, 1) / sqrt(2)
  weight <- rep(1 / 3, 3)
  expect_equal(told_share(x[, -3], cbind(line, bow, (line + bow) / sqrt(2)), weight),
               matrix(1, 2, 3), ignore_attr = TRUE)
  # A feature with two values has no bend.
  two <- cbind(c(-1, -1, 1, 1))
  expect_equal(drop(told_share(two, cbind(c(-1, 1, -1, 1), two), rep(1 / 4, 4))), c(0, 1))
})

test_that("what is told is the R squared of a regression", {
  set.seed(1)
  weight <- runif(40)
  weight <- weight / sum(weight)
  standard <- function(v) {
    v <- v - sum(weight * v)
    v / sqrt(sum(weight * v^2))
  }
  x <- apply(matrix(rexp(120), 40), 2, standard)
  y <- standard(x[, 1]^2 + rnorm(40))
  peer <- apply(x, 2, function(v) summary(lm(y ~ v + I(v^2), weights = weight))$r.squared)
  expect_equal(drop(told_share(x, cbind(y), weight)), peer)
})

test_that("relevance follows what features tell, with mean square one", {
  set.seed(2)
  rows <- cbind(matrix(rnorm(400), 100), 7)
  y <- 3 * rows[, 1] + rows[, 2]^2 + 0.1 * rnorm(100)
  relevance <- feature_relevance(search_of(rows, y, limit = TRUE))
  expect_equal(mean(relevance[1:4]^2), 1)
  expect_identical(relevance[5], 0)
  expect_identical(order(-relevance)[1:2], 1:2)
  # No feature counts less than the least beside one that tells all.
  expect_gte(min(relevance[1:4]) / max(relevance), least_relevance)
  # Only the order of values matters.
  same <- feature_relevance(search_of(cbind(exp(rows[, 1:4]), 7), y, limit = TRUE))
  expect_equal(same, relevance)
  # Nothing to tell: all features are the same. Classes have none.
  expect_equal(feature_relevance(search_of(rows[, 1:4], rep(1, 100), limit = TRUE)), rep(1, 4))
  expect_null(feature_relevance(search_of(rows, factor(y > 0), limit = TRUE)))
  expect_null(feature_relevance(search_of(cbind(rep(1, 100)), y, limit = TRUE)))
  expect_null(feature_relevance(search_of(matrix(rnorm(1002), 501), rnorm(501), limit = TRUE)))
})

test_that("a case weight of two is a row that comes twice", {
  set.seed(3)
  rows <- matrix(rnorm(120), 40)
  y <- rows[, 1] + rnorm(40)
  weight <- rep(1:2, 20)
  search <- search_of(rows, y, limit = TRUE)
  search$targets$case_weights <- as.numeric(weight)
  twice <- rep(1:40, weight)
  expect_equal(feature_relevance(search),
               feature_relevance(search_of(rows[twice, ], y[twice], limit = TRUE)))
})

test_that("a member with relevance is one of features that were multiplied by it", {
  set.seed(4)
  rows <- matrix(rnorm(90), 30)
  search <- search_of(rows, rows[, 1] + 0.3 * rnorm(30), limit = TRUE)
  relevance <- feature_relevance(search)
  for (candidate in limit_candidates(search)) {
    spec <- candidate_spec(search, candidate, Inf, 1)
    plain <- limit_network(search, spec)
    z <- layer_input_cpp(rows, plain, 0L)
    weighed <- limit_network(replace(search, "relevance", list(relevance)), spec)$layers[[1]]
    factor <- if (candidate$marginal == "normal") rep(1, 3) else relevance
    scaled <- sweep(z, 2, factor, `*`)
    expect_equal(kernel_cpp(weighed$kernel, z, z),
                 kernel_cpp(plain$layers[[1]]$kernel, scaled, scaled))
  }
})

test_that("few rows whose distances are mostly noise are learned", {
  error <- vapply(1:4, function(seed) {
    set.seed(seed)
    rows <- matrix(rnorm(60 * 12), 60)
    fresh <- matrix(rnorm(300 * 12), 300)
    truth <- function(x) sin(2 * x[, 1]) + x[, 2]^2
    fit <- cawi_auto(rows, truth(rows) + 0.1 * rnorm(60), seed = seed)
    sqrt(mean((predict(fit, fresh) - truth(fresh))^2)) / sd(truth(fresh))
  }, 0)
  # 0.69 where all features count the same.
  expect_lt(mean(error), 0.65)
})
