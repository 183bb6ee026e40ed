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
    weighed <- limit_network(replace(search, "relevance", list(relevance)), spec)
    read <- layer_input_cpp(rows, weighed, 0L)
    factor <- if (candidate$marginal == "normal") rep(1, 3) else relevance
    scaled <- sweep(layer_input_cpp(rows, plain, 0L), 2, factor, `*`)
    expect_equal(kernel_cpp(weighed$layers[[1]]$kernel, read, read),
                 kernel_cpp(plain$layers[[1]]$kernel, scaled, scaled))
    # Direct links read what the nodes read.
    if (spec$direct) expect_equal(read, scaled)
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

test_that("the ridge regression of a search pays less for features that tell more", {
  set.seed(5)
  rows <- cbind(matrix(rnorm(120), 40), 7)
  y <- 3 * rows[, 1] + 0.3 * rnorm(40)
  weight <- rep(1:2, 20)
  search <- search_of(rows, y, limit = TRUE)
  search$targets$case_weights <- as.numeric(weight)
  search$targets <- scaled_targets(search$targets, TRUE)
  search$relevance <- feature_relevance(search)
  result <- linear_result(search)
  member <- result$members[[1]]
  # By hand: coefficients of the standardized features, each with a penalty of its own.
  mean <- colSums(weight * rows[, 1:3]) / 60
  z <- sweep(rows[, 1:3], 2, mean)
  z <- sweep(z, 2, sqrt(colSums(weight * z^2) / 60), `/`)
  centered <- y - sum(weight * y) / 60
  solve_rows <- function(kept) {
    a <- cbind(1, z[kept, ])
    penalty <- diag(c(0, result$lambda / search$relevance[1:3]^2))
    drop(solve(crossprod(a, weight[kept] * a) + penalty, crossprod(a, weight[kept] * y[kept])))
  }
  b <- solve_rows(1:40)
  expect_equal(drop(model_scores(member, rows, 1L)), drop(cbind(1, z) %*% b))
  # Leave-one-out is that of refits, and the penalty has the least error of all.
  left_out <- vapply(1:40, function(i) sum(c(1, z[i, ]) * solve_rows(-i)), 0)
  expect_equal(drop(as_response(result$scores, search$targets)), left_out)
  expect_equal(result$error, sum(weight * (y - left_out)^2) / sum(weight * centered^2))
  # Slopes are those of the standardized features, whatever they are weighed by.
  expect_equal(model_gradients(member, rows[1:2, ], 1L), rbind(c(b[-1], 0), c(b[-1], 0)))
  expect_null(prediction_problem(member))
  for (damaged in list(c(1, 1, 1), c(-1, 1, 1, 0), c(NA, 1, 1, 1), rep("1", 4))) {
    member$network$relevance <- damaged
    expect_identical(prediction_problem(member), "the relevance of its features is damaged")
  }
})

test_that("a weighed ridge regression errs less where most features tell nothing", {
  errors <- vapply(1:6, function(seed) {
    set.seed(seed)
    rows <- matrix(rnorm(30 * 15), 30)
    fresh <- matrix(rnorm(300 * 15), 300)
    search <- search_of(rows, 2 * rows[, 1] - rows[, 2] + rnorm(30), limit = TRUE)
    error <- function(relevance) {
      result <- linear_result(replace(search, "relevance", list(relevance)))
      model <- result$members[[1]] %||% fit_member(search, result, 1L)
      mean((model_scores(model, fresh, 1L) - 2 * fresh[, 1] + fresh[, 2])^2)
    }
    c(error(feature_relevance(search)), error(NULL))
  }, numeric(2))
  expect_lt(mean(log(errors[1, ] / errors[2, ])), log(0.8))
})
