x <- small_x()
y <- small_y("regression", x)

# Central differences of the scores in standardized features.
numeric_gradients <- function(fit, x, step = 1e-5) {
  member <- data_source(fit)
  parts <- lapply(seq_len(ncol(x)), function(j) {
    aside <- rep(0, ncol(x))
    aside[j] <- step * member$network$sd[j]
    up <- part_scores(fit, sweep(x, 2, aside, `+`), 1L)
    (up - part_scores(fit, sweep(x, 2, aside), 1L)) / (2 * step)
  })
  do.call(cbind, lapply(seq_len(fit$outputs), function(k) {
    vapply(parts, function(part) part[, k], numeric(nrow(x)))
  }))
}

test_that("gradients of all models are those of differences", {
  fits <- list(
    cawi_rvfl(x, y, hidden = 10, seed = 1), cawi_edrvfl(x, y, hidden = c(10, 5), seed = 1),
    cawi_bls(x, y, windows = 2, nodes = 3, enhancement = 5, seed = 1),
    cawi_drvfl(x, small_y("outputs", x), hidden = c(10, 5), seed = 1),
    cawi_rvfl(x, small_y("classification", x), hidden = 10, seed = 1)
  )
  for (fit in fits) {
    expect_equal(score_gradients(fit, x, 1L), numeric_gradients(fit, x), tolerance = 1e-5,
                 ignore_attr = TRUE)
  }
})

test_that("infinitely many nodes have gradients in closed form", {
  nodes <- list(
    list(activation = "sine", bias = "phase", marginal = "normal"),
    list(activation = "sine", bias = "phase", marginal = "normal", init = "gaussian"),
    list(activation = "sine", bias = "phase", marginal = "normal", inputs = 2),
    list(activation = "sine", bias = "phase", marginal = "cauchy"),
    list(activation = "sine", bias = "phase", marginal = "cauchy", inputs = 3),
    list(activation = "sine", bias = "phase", marginal = "uniform"),
    list(activation = "sine", bias = "phase", marginal = "uniform", inputs = 1),
    list(activation = "radbas", bias = "none", marginal = "normal"),
    list(activation = "relu", bias = "none", marginal = "normal", init = "gaussian")
  )
  # Beside training rows, where some kernels have corners.
  at <- x * 0.9 + 0.013
  for (arguments in nodes) for (direct in c(TRUE, FALSE)) {
    fit <- do.call(cawi_rvfl, c(list(x, y, hidden = Inf, lambda = 0.1, direct = direct, seed = 1),
                                arguments))
    expect_equal(score_gradients(fit, at, 1L), numeric_gradients(fit, at), tolerance = 1e-5,
                 ignore_attr = TRUE)
  }
})

test_that("the kernel of a t copula, by differences and by hand", {
  # exp(-s |d|) / 2 at d = (3, 4): half of exp(-5), with the slope along -d / |d|.
  kernel <- list(kind = "exponential", metric = c(1, 1))
  found <- kernel_gradients_cpp(kernel, rbind(c(3, 4)), rbind(c(0, 0)), matrix(2), 1L)
  expect_equal(found, -exp(-5) * rbind(c(0.6, 0.8)), ignore_attr = TRUE)
  # A landmark itself is a corner.
  expect_identical(kernel_gradients_cpp(kernel, rbind(c(0, 0)), rbind(c(0, 0)), matrix(2), 1L)[1, ],
                   c(0, 0))
  laplace <- list(kind = "laplace", metric = c(2, 1))
  found <- kernel_gradients_cpp(laplace, rbind(c(1, 0)), rbind(c(0, 0)), matrix(2), 1L)
  expect_equal(found[1, ], c(-2 * exp(-2), 0))
})

test_that("gradients do not depend on the number of threads", {
  fit <- suppressWarnings(cawi_auto(x, y, seed = 1))
  expect_identical(score_gradients(fit, x, 1L), score_gradients(fit, x, 2L))
})

test_that("of a straight line importance is the slope times the deviation", {
  line <- 3 * x[, 1] - 2 * x[, 2]
  fit <- cawi_rvfl(x, line, hidden = 1, lambda = 1e-6, scale = 1e-6, seed = 1)
  found <- cawi_importance(fit)
  expect_identical(found$feature[1:2], c("north", "east"))
  sd <- apply(x, 2, function(v) sqrt(mean((v - mean(v))^2)))
  expect_equal(found$importance[1:2], unname(c(3, 2) * sd[1:2]), tolerance = 1e-4)
  expect_lt(max(found$se), 1e-3)
  expect_s3_class(found, c("cawi_importance", "data.frame"), exact = TRUE)
  expect_identical(attr(found, "method"), "gradient")
})

test_that("of a factor it is the deviation of the levels", {
  set.seed(1)
  data <- data.frame(f = factor(rep(c("a", "b", "c"), 40)), z = rnorm(120))
  data$y <- c(a = 0, b = 1, c = 5)[as.character(data$f)]
  fit <- cawi_rvfl(y ~ ., data, hidden = 1, lambda = 1e-6, scale = 1e-6, seed = 1)
  found <- cawi_importance(fit)
  expect_identical(found$feature, c("f", "z"))
  expect_equal(found$importance[1], sqrt(mean((c(0, 1, 5) - 2)^2)), tolerance = 1e-3)
  # Two values are levels too: the deviation of 0 and 1, each in half of the rows, is 1/2.
  data$two <- rep(0:1, 60)
  data$y <- data$two
  fit <- cawi_rvfl(y ~ two + z, data, hidden = 1, lambda = 1e-6, scale = 1e-6, seed = 1)
  expect_equal(cawi_importance(fit)$importance[1], 1 / 2, tolerance = 1e-3)
})

test_that("differences in the data stand for slopes where columns join features", {
  data <- data.frame(x, y = y)
  fit <- cawi_rvfl(y ~ north + east + south + west, data, hidden = 10, seed = 1)
  joined <- cawi_rvfl(y ~ I(north) + east + south + west, data, hidden = 10, seed = 1)
  found <- cawi_importance(joined, data)
  same <- cawi_importance(fit)
  expect_setequal(found$feature, colnames(x))
  expect_equal(found$importance[match(same$feature, found$feature)], same$importance,
               tolerance = 0.15)
})

test_that("features that matter come before noise, in models of any kind", {
  set.seed(6)
  z <- matrix(runif(300 * 8), 300, dimnames = list(NULL, letters[1:8]))
  response <- 5 * z[, 1] + 10 * (z[, 2] - 0.5)^2 + sin(4 * z[, 3]) + rnorm(300) / 10
  tuned <- cawi_tune(z, response, grid = cawi_grid(hidden = c(20, 50), inputs = 1), seed = 1)
  auto <- cawi_auto(z, response, seed = 1)
  classes <- cawi_rvfl(z, factor(response > median(response)), inputs = 1, seed = 1)
  for (fit in list(tuned, auto, classes)) for (method in c("gradient", "permutation")) {
    found <- cawi_importance(fit, method = method, seed = 1)
    expect_setequal(found$feature[1:3], c("a", "b", "c"))
    expect_false(is.unsorted(rev(found$importance)))
    expect_true(all(is.finite(found$se) & found$se >= 0))
  }
})

test_that("constant features have none, and outputs are in their deviations", {
  flat <- cbind(x, flat = 1)
  fit <- suppressWarnings(cawi_rvfl(flat, y, hidden = 10, seed = 1))
  found <- cawi_importance(fit)
  expect_identical(found$importance[found$feature == "flat"], 0)
  both <- small_y("outputs", x)
  unit <- rep(c(1, 100, 0.01), each = nrow(both))
  one <- cawi_importance(cawi_rvfl(x, both, hidden = 10, seed = 1))
  other <- cawi_importance(cawi_rvfl(x, both * unit, hidden = 10, seed = 1))
  expect_equal(one$importance, other$importance, tolerance = 1e-6)
})

fit <- cawi_rvfl(x, y, hidden = 5, seed = 1)
lean <- cawi_rvfl(x, y, hidden = 5, seed = 1, keep_data = FALSE)
test_that("a model without its data takes those of the caller", {
  expect_equal(cawi_importance(lean, x), cawi_importance(fit))
})
test_argument_errors(alist(
  fit = cawi_importance(), fit = cawi_importance(lm(mpg ~ wt, mtcars)),
  fit = cawi_importance(lean), method = cawi_importance(fit, method = "shapley"),
  rows = cawi_importance(fit, rows = 1), repeats = cawi_importance(fit, repeats = 0)
))

test_that("two outputs that are the same have the importance of one, in standard deviations", {
  y <- iris$Sepal.Length
  one <- cawi_importance(cawi_rvfl(iris[2:4], y, hidden = 8, lambda = 1, seed = 1))
  two <- cawi_importance(cawi_rvfl(iris[2:4], cbind(a = y, b = y), hidden = 8, lambda = 1,
                                   seed = 1))
  expect_identical(two$feature, one$feature)
  expect_equal(two$importance * stats::sd(y), one$importance, tolerance = 0.005)
})

test_that("the importance at one row is its slope", {
  x <- matrix(c(sin(1:30), cos(3 * 1:30)), 30, dimnames = list(NULL, c("a", "b")))
  fit <- cawi_rvfl(x, x[, 1] + 2 * x[, 2]^2, hidden = 8, inputs = 2, seed = 1)
  one <- x[7, , drop = FALSE]
  step <- 1e-5
  slope <- vapply(1:2, function(j) {
    aside <- replace(one, j, one[j] + step)
    (predict(fit, aside) - predict(fit, one)) / step * sqrt(mean((x[, j] - mean(x[, j]))^2))
  }, 0)
  important <- cawi_importance(fit, one)
  expect_equal(important$importance[match(c("a", "b"), important$feature)], abs(slope),
               tolerance = 1e-3)
  expect_output(print(important), "slope")
})

test_that("slopes are taken a tenth of a deviation away, for one feature as for many", {
  for (columns in 1:3) {
    part <- x[, seq_len(columns), drop = FALSE]
    varied <- varied_rows(cawi_rvfl(part, y, hidden = 5, seed = 1), NULL, NULL)
    expect_equal(numbers_beside(varied), unname(apply(varied$x, 2, stats::sd)) / 10)
    one <- varied_rows(cawi_rvfl(part, y, hidden = 5, seed = 1), part[1, , drop = FALSE], NULL)
    expect_identical(numbers_beside(one), numeric(columns))
  }
})
