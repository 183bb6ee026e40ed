# The directions of the weights.

pair <- function() {
  i <- seq_len(120)
  z <- sin(i * 1.7)
  cbind(first = z + 0.4 * cos(i * 2.3), second = z - 0.4 * cos(i * 0.9))
}

test_that("rows and weights of two features are drawn as they are", {
  x <- pair()
  fit <- cawi_elm(x, x[, 1], hidden = 9, init = "gaussian", lambda = 1, seed = 1)
  picture <- weights_picture(fit)
  z <- scale(x, fit$network$center, fit$network$sd)
  expect_equal(as.matrix(picture$rows), z, ignore_attr = TRUE, tolerance = 1e-12)
  ratio <- t(as.matrix(picture$nodes)) / fit$network$layers[[1L]]$weights
  expect_equal(range(ratio), rep(ratio[[1L]], 2), tolerance = 1e-10)
  expect_identical(picture$labels, c("first", "second"))
  drawn <- recorded(plot(fit, "weights"))
  lines <- Filter(function(call) call$name == "segments", drawn)[[1L]]$args
  expect_equal(lines[[3L]], picture$nodes$x)
  expect_equal(lines[[4L]], picture$nodes$y)
})

test_that("more features are seen where the rows vary most", {
  x <- cbind(pair(), third = 0.01 * cos(1:120))
  fit <- cawi_rvfl(x, x[, 1], hidden = 300, standardize = FALSE, lambda = 1, seed = 1)
  picture <- weights_picture(fit)
  expect_identical(nrow(picture$nodes), 200L)
  first <- svd(x)$v[, 1]
  expect_equal(abs(stats::cor(picture$rows$x, x %*% first)[1L]), 1, tolerance = 1e-8)
  expect_match(picture$labels, "principal direction")
})

test_that("one feature is drawn on a line", {
  x <- pair()
  fit <- cawi_elm(x[, 1, drop = FALSE], x[, 2], hidden = 5, lambda = 1, seed = 1)
  picture <- weights_picture(fit)
  expect_identical(picture$rows$y, rep(0, 120))
  expect_identical(picture$nodes$y, rep(0, 5))
  expect_identical(picture$labels, c("first", ""))
})

test_that("what was aligned can be seen", {
  x <- pair()
  spread <- function(...) {
    fit <- cawi_elm(x, x[, 1], hidden = 200, marginal = "normal", lambda = 1, seed = 1, ...)
    stats::cor(weights_picture(fit)$nodes)[1, 2]
  }
  expect_gt(spread(init = "gaussian"), 0.5)
  expect_lt(abs(spread()), 0.2)
  expect_lt(spread(init = "gaussian", strength = -1), -0.5)
})

test_that("one feature, several layers and ggplots have the picture, too", {
  skip_if_not_installed("ggplot2")
  x <- pair()
  for (fit in list(cawi_elm(x[, 1, drop = FALSE], x[, 2], hidden = 5, lambda = 1, seed = 1),
                   cawi_drvfl(x, x[, 1], hidden = c(5, 4), lambda = 1, seed = 1),
                   cawi_elm(x, x[, 1], hidden = 5, marginal = "cauchy", lambda = 1, seed = 1))) {
    on_null_device(expect_silent(plot(fit, "weights")))
    on_null_device(expect_silent(print(ggplot2::autoplot(fit, "weights"))))
  }
})

test_argument_errors(alist(
  type = plot(cawi_elm(pair(), 1:120, hidden = 5, lambda = 1, keep_data = FALSE), "weights")
))
