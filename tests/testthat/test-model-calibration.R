# Scores of a problem whose probabilities are known: noisy probabilities of three classes.
known <- local({
  set.seed(1)
  z <- cbind(0, matrix(rnorm(1200, c(-1, 0.5), 1.5), ncol = 2, byrow = TRUE))
  p <- softmax(z)
  list(scores = p + matrix(rnorm(1800, sd = 0.05), 600), p = p,
       classes = apply(p, 1, function(row) sample(3, 1, prob = row)))
})

# Of b_k = c + d_k with precisions of c and d: the inverse of 1/common everywhere plus 1/own on the
# diagonal. The common shift is free.
plain_penalty <- function(count) {
  part <- function(common, own, unit) {
    solve(matrix(1 / common, count, count) + diag(1 / own, count)) / unit^2
  }
  blocks <- list(part(0.1, 5, 5), part(0.5, 5, 1), diag(2, count))
  penalty <- matrix(0, 3 * count, 3 * count)
  for (f in 1:3) penalty[(f - 1) * count + 1:count, (f - 1) * count + 1:count] <- blocks[[f]]
  penalty
}

test_that("the parameters minimize the penalized log-loss", {
  for (w in list(rep(1, 600), rep_len(c(1, 3), 600))) {
    fit <- fit_calibration(known$scores, known$classes, w)
    loss <- function(parameters) {
      p <- plain_probabilities(list(parameters = matrix(parameters, 3), range = fit$range),
                               known$scores)
      center <- rep(c(5, 0, 0), each = 3)
      penalty <- plain_penalty(3)
      -sum(w * log(p[cbind(1:600, known$classes)])) +
        sum((parameters - center) * (penalty %*% (parameters - center))) / 2
    }
    best <- stats::optim(as.vector(fit$parameters), loss, method = "BFGS",
                         control = list(reltol = 1e-14, maxit = 500))
    expect_lt(loss(as.vector(fit$parameters)) - best$value, 1e-5)
    # The loss of one temperature is clearly more.
    expect_gt(loss(rep(c(best_temperature_cpp(known$scores, known$classes, w), 0, 0), each = 3)),
              best$value)
  }
})

test_that("probabilities of a known problem are near the truth, also where one class is rare", {
  fit <- fit_calibration(known$scores, known$classes, rep(1, 600))
  found <- apply_calibration(fit, known$scores)
  expect_equal(rowSums(found), rep(1, 600))
  expect_lt(mean(abs(found - known$p)), 0.05)
  set.seed(2)
  x <- matrix(rnorm(2 * 4000), 4000, dimnames = list(NULL, c("a", "b")))
  p <- stats::plogis(-5 + 2 * x[, 1])
  y <- factor(ifelse(stats::runif(4000) < p, "yes", "no"))
  train <- 1:2000
  model <- cawi_rvfl(x[train, ], y[train], hidden = 50, seed = 1)
  prob <- predict(model, x[-train, ], type = "prob")[, "yes"]
  truth <- p[-train]
  linear <- stats::glm(y ~ ., data.frame(x, y = y)[train, ], family = "binomial")
  peer <- stats::predict(linear, data.frame(x)[-train, ], type = "response")
  expected_loss <- function(q) -mean(truth * log(q) + (1 - truth) * log(1 - q))
  expect_lt(expected_loss(prob), 1.1 * expected_loss(peer))
  # What happens where it is likely is what was predicted, also in the dozen rows of the last range.
  for (range in list(c(0.1, 0.3), c(0.3, 0.6), c(0.6, 1))) {
    at <- prob > range[1] & prob <= range[2]
    expect_lt(abs(mean(prob[at]) - mean(truth[at])), 0.15)
  }
})

test_that("a case weight of two is the row twice", {
  w <- rep_len(1:3, 600)
  twice <- rep(1:600, w)
  one <- fit_calibration(known$scores, known$classes, w)
  two <- fit_calibration(known$scores[twice, ], known$classes[twice], rep(1, length(twice)))
  expect_equal(one, two, tolerance = 1e-8)
})

test_that("names of the classes do not matter", {
  order <- c(3, 1, 2)
  one <- fit_calibration(known$scores, known$classes, rep(1, 600))
  two <- fit_calibration(known$scores[, order], match(known$classes, order), rep(1, 600))
  expect_equal(two$parameters, one$parameters[order, ], tolerance = 1e-6)
})

test_that("scores that a large penalty has shrunk are measured in a unit of their own", {
  w <- rep(1, 600)
  expect_identical(fit_calibration(known$scores, known$classes, w)$unit, 1)
  probabilities <- lapply(c(1e-2, 1e-8, 1e-300), function(shrunk) {
    fit <- fit_calibration(shrunk * known$scores, known$classes, w)
    apply_calibration(fit, shrunk * known$scores)
  })
  for (found in probabilities) {
    expect_equal(found, probabilities[[1]])
    expect_lt(mean(abs(found - known$p)), 0.05)
  }
  train <- seq(1, 150, by = 2)
  rest <- iris[-train, ]
  for (lambda in c(1e4, 1e6, 1e12)) {
    fit <- cawi_rvfl(Species ~ ., iris[train, ], hidden = 30, lambda = lambda, seed = 1)
    score <- predict(fit, rest, type = "score")
    right <- mean(colnames(score)[max.col(score, "first")] == rest$Species)
    expect_gte(mean(predict(fit, rest) == rest$Species), right)
    expect_lt(log_loss(predict(fit, rest, type = "prob"), rest$Species), 0.4)
  }
})

test_that("odd scores have a calibration", {
  even <- rep(1:2, 10)
  cases <- list(
    separable = list(cbind(even == 1, even == 2) + 0, even),
    constant = list(matrix(0.5, 20, 2), even),
    zero = list(matrix(0, 20, 2), even),
    tiny = list(cbind(even == 1, even == 2) * 1e-310, even),
    reversed = list(cbind(even == 2, even == 1) + 0, even),
    huge = list(cbind(c(1e300, -1e300), c(-1e300, 1e300))[even, ], even),
    single = list(cbind(c(0.1, 0.9, 0.2), c(0.9, 0.1, 0.8), 0.1), c(1L, 2L, 3L)),
    many = list(diag(40)[rep(1:40, 3), ] + 0.01, rep(1:40, 3))
  )
  for (case in cases) {
    fit <- fit_calibration(case[[1]], case[[2]], rep(1, length(case[[2]])))
    expect_true(all(is.finite(fit$parameters)))
    expect_true(sound_calibration(fit, ncol(case[[1]])))
    p <- apply_calibration(fit, rbind(case[[1]], 1e308, -1e308))
    expect_true(all(is.finite(p)) && all(p >= 0))
    expect_equal(rowSums(p), rep(1, nrow(p)))
  }
  # Reversed scores say nothing that is believed: the shares of the classes remain.
  fit <- fit_calibration(cases$reversed[[1]], even, rep(1, 20))
  expect_equal(apply_calibration(fit, cases$reversed[[1]]), matrix(0.5, 20, 2))
})

test_that("many rows are thinned without a trace, small classes kept whole", {
  set.seed(3)
  classes <- sample(3, 30000, TRUE, prob = c(0.9, 0.09, 0.01))
  scores <- outer(classes, 1:3, `==`) * 0.4 + matrix(rnorm(90000, 0.3, 0.2), ncol = 3)
  kept <- thin_rows(classes, rep(1, 30000), 3)
  expect_lte(length(kept$rows), most_calibration_rows)
  expect_identical(sum(classes[kept$rows] == 3), sum(classes == 3))
  expect_equal(as.vector(tapply(kept$case_weights, classes[kept$rows], sum)),
               as.vector(table(classes)) + 0)
  p <- apply_calibration(fit_calibration(scores, classes, rep(1, 30000)), scores)
  expect_lt(max(abs(colMeans(p) - tabulate(classes) / 30000)), 0.01)
})

test_that("the class predicted is the most probable one", {
  set.seed(4)
  x <- matrix(rnorm(900), 300)
  y <- factor(ifelse(x[, 1] + rnorm(300) > 1.8, "rare", "usual"))
  for (model in model_names) {
    fit <- fit_named(model, x, y, seed = 1)
    prob <- predict(fit, x, type = "prob")
    expect_identical(as.character(predict(fit, x)), colnames(prob)[max.col(prob, "first")])
  }
})

test_that("scores that know a little keep what they know", {
  s <- (1:400 - 0.5) / 400
  classes <- 1L + (c(1:400 * 0.618) %% 1 > 0.6 - 0.2 * s)
  fit <- fit_calibration(cbind(1 - s, s), classes, rep(1, 400))
  high <- mean(fit$parameters %*% c(1, asinh(1 / 0.15), 0))
  expect_gt(high, 0)
  expect_lt(high, 1)
  # Against the order of the classes they know nothing.
  none <- fit_calibration(cbind(s, 1 - s), classes, rep(1, 400))
  expect_identical(unname(none$parameters[, 1:2]), matrix(0, 2, 2))
})
