test_that("which shapes lead others, by hand", {
  expect_true(is_leading(5, 5))
  expect_true(is_leading(3, 5))
  expect_false(is_leading(6, 5))
  # A shallower network may end within the last layer that it has.
  expect_true(is_leading(5, c(5, 9)))
  expect_true(is_leading(3, c(5, 9)))
  expect_false(is_leading(6, c(5, 9)))
  expect_true(is_leading(c(5, 4), c(5, 9)))
  expect_true(is_leading(c(5, 9), c(5, 9, 2)))
  # Layers before the last must be the same: the next layer reads them.
  expect_false(is_leading(c(4, 9), c(5, 9)))
  expect_false(is_leading(c(6, 4), c(5, 9)))
  expect_false(is_leading(c(5, 3, 2), c(5, 9, 2)))
  expect_false(is_leading(c(5, 10), c(5, 9)))
  expect_false(is_leading(c(5, 9), 5))
})

test_that("nests of shapes, by hand", {
  expect_identical(nested_shapes(list(3, 9, 5), TRUE), list(c(2L, 3L, 1L)))
  expect_identical(nested_shapes(list(7), TRUE), list(1L))
  expect_identical(nested_shapes(list(4, c(4, 4), c(4, 4, 4)), TRUE), list(3:1))
  expect_identical(nested_shapes(list(4, 6, c(6, 3), c(6, 5), c(4, 3)), TRUE),
                   list(c(4L, 3L, 2L, 1L), 5L))
  # Equal shapes, as of 2 x 3 and 3 x 2 windows, are one network.
  expect_identical(nested_shapes(list(c(6, 5), c(6, 5)), TRUE), list(1:2))
  # Each readout of an ensemble sees one layer: none is part of another.
  expect_identical(length(nested_shapes(list(3, 9, c(9, 3)), FALSE)), 3L)
})

test_that("nests hold every shape once, the largest first", {
  nodes <- 1 + matrix(lehmer(90, 5) %% 3, 30)
  shapes <- lapply(1:30, function(i) nodes[i, seq_len(1 + i %% 3)])
  nests <- nested_shapes(shapes, TRUE)
  expect_identical(sort(unlist(nests)), 1:30)
  for (nest in nests) {
    for (i in nest) expect_true(is_leading(shapes[[i]], shapes[[nest[1]]]))
  }
  expect_lt(length(nests), 30)
})

for (model in c("elm", "rvfl", "drvfl", "bls")) {
  test_that(paste("a member is the leading columns of its nest:", model), {
    x <- small_x()
    y <- small_y("regression", x)
    for (init in c("iid", "t")) for (intercept in c(TRUE, FALSE)) {
      network <- function(shape) {
        fit_named(model, x, y, init = init, intercept = intercept, bias = "data", spread = 1,
                  inputs = 2, lambda = 1, seed = 3, shape = shape)$network
      }
      # [x | 1 | H] from [x | H | 1]: the order in which narrower networks come first.
      leading <- function(network) {
        all <- features_cpp(x, network, 1L)
        inputs <- seq_len(if (network$direct) ncol(x) else 0)
        ones <- if (network$intercept) ncol(all)
        all[, c(inputs, ones, setdiff(seq_len(ncol(all)), c(inputs, ones))), drop = FALSE]
      }
      shapes <- switch(model,
        elm = , rvfl = list(list(hidden = 12), list(hidden = 5)),
        drvfl = list(list(hidden = c(5, 12)), list(hidden = c(5, 4)), list(hidden = 3)),
        bls = list(list(windows = 2, nodes = 3, enhancement = 12),
                   list(windows = 2, nodes = 3, enhancement = 4))
      )
      all <- leading(network(shapes[[1]]))
      for (shape in shapes[-1]) {
        part <- leading(network(shape))
        expect_equal(all[, seq_len(ncol(part))], part, tolerance = 1e-14)
      }
    }
  })
}

# A network without layers: A is x itself, so that readouts can be worked by hand.
plain_network <- function(columns) {
  list(center = numeric(columns), sd = rep(1, columns), layers = list(), wiring = "stacked",
       direct = TRUE, intercept = FALSE)
}

hand_grid <- function(x, y, lambda, new_x = NULL, new_y = NULL, sample = seq_len(nrow(x)),
                      case_weights = NULL, cuts = ncol(x)) {
  targets <- targets_of(y, case_weights)
  judge <- list(x = new_x, targets = new_y, sample = sample,
                sample_targets = subset_targets(targets, sample), keep = TRUE)
  readout_grids_cpp(x, list(plain_network(ncol(x))), list(list(cuts)), targets, lambda,
                    judge, 1L)[[1]]
}

test_that("many networks at once are each of them alone, on any number of threads", {
  x <- small_x(300)
  y <- small_y("classification", x)
  targets <- targets_of(y)
  fresh <- list(x = x[1:40, ] + 0.1, targets = subset_targets(targets, 1:40))
  draw <- function(model, ...) {
    fit_named(model, x, y, lambda = 1, seed = 3, shape = list(...))$network
  }
  networks <- list(draw("rvfl", hidden = 40), draw("edrvfl", hidden = c(8, 6)),
                   draw("drvfl", hidden = c(9, 20)))
  shapes <- list(list(40, 13, 2), list(c(8, 6)), list(c(9, 20), c(9, 7), 5))
  lambda <- 10^(-3:3)
  for (held_out in list(NULL, fresh)) {
    judge <- new_judge(targets, held_out, probabilities = TRUE)
    together <- nests_losses(x, targets, networks, shapes, lambda, judge, 2L)
    for (k in seq_along(networks)) {
      alone <- nests_losses(x, targets, networks[k], shapes[k], lambda, judge, 1L)
      expect_identical(together[[k]], alone[[1]])
    }
  }
})

test_that("leave-one-out losses worked by hand", {
  # One feature that is always 1, classes a, a, a, a, b and lambda 1: scores are counts of the other
  # rows over five, (3, 1) / 5 for the rows of a and (4, 0) / 5 for that of b.
  found <- hand_grid(matrix(1, 5, 1), c("a", "a", "a", "a", "b"), 1)
  expect_equal(found$scores[, , 1],
               rbind(c(0.6, 0.2), c(0.6, 0.2), c(0.6, 0.2), c(0.6, 0.2), c(0.8, 0)))
  expect_equal(found$sum$hit[1], 4)
  # Means over both outputs: (0.4^2 + 0.2^2) / 2 = 0.1 four times, (0.8^2 + 1^2) / 2 = 0.82 once.
  expect_equal(found$sum$squared[1], 1.22)
  expect_equal(found$square$squared[1], 4 * 0.1^2 + 0.82^2)
  # 4 log(1 + exp(-0.4 t)) + log(1 + exp(0.8 t)) is least where u = exp(0.4 t) solves u^3 = u^2 + 2.
  u <- stats::uniroot(function(u) u^3 - u^2 - 2, c(1, 2), tol = 1e-14)$root
  expect_equal(found$temperature[1], log(u) / 0.4, tolerance = 1e-10)
  # Probabilities of a: u / (1 + u) four times, and u^2 / (1 + u^2) where the truth is b.
  expect_equal(found$sum$log[1], 4 * log(1 + 1 / u) + log(1 + u^2), tolerance = 1e-10)
  expect_equal(found$square$log[1], 4 * log(1 + 1 / u)^2 + log(1 + u^2)^2, tolerance = 1e-10)
  expect_equal(found$sum$brier[1], 4 * 2 / (1 + u)^2 + 2 * (u^2 / (1 + u^2))^2, tolerance = 1e-10)
})

test_that("held-out losses worked by hand, with weights and a class never seen", {
  # Features are indicators of two groups; A'A = diag(2, 2) and lambda 2 halve everything.
  x <- rbind(c(1, 0), c(1, 0), c(0, 1), c(0, 1))
  fresh <- rbind(c(1, 0), c(1, 0), c(1, 0))
  truth <- list(classes = c(1L, 2L, 0L), values = NULL, outputs = 2L, rows = 3L,
                case_weights = c(1, 2, 3))
  found <- hand_grid(x, c("a", "a", "b", "b"), 2, fresh, truth)
  expect_equal(found$scores[, , 1], matrix(c(0.5, 0), 3, 2, byrow = TRUE))
  expect_equal(found$sum$hit[1], 1)
  expect_equal(found$sum$squared[1], 1 * 0.125 + 2 * 0.625 + 3 * 0.125)
  # Every training row is right without itself, so the temperature is at its bound.
  expect_equal(found$temperature[1], exp(6))
  p <- 1 / (1 + exp(-exp(6) / 2))
  expect_equal(found$sum$brier[1], 1 * 2 * (1 - p)^2 + 2 * 2 * p^2 + 3 * (p^2 + (1 - p)^2 + 1))
  # Log-losses stop at that of 1e-15.
  expect_equal(found$sum$log[1], -log(p) + 5 * -log(1e-15))
})

test_that("losses of numbers worked by hand", {
  # Coefficient 4 / (2 + 2) = 1 for the first column, 0 for the second.
  x <- rbind(c(1, 0), c(1, 0))
  new_y <- list(classes = NULL, values = matrix(c(3, 1)), outputs = 1L, rows = 2L,
                case_weights = NULL)
  found <- hand_grid(x, c(2, 2), 2, rbind(c(1, 5), c(2, 5)), new_y, sample = integer())
  expect_equal(found$scores[, , 1], c(1, 2))
  expect_equal(found$sum$squared[1], 4 + 1)
  expect_equal(found$square$squared[1], 16 + 1)
  expect_identical(unlist(found$sum[c("hit", "brier", "log")], use.names = FALSE), numeric(3))
})

test_that("all cuts and penalties at once, in the primal, at the border and in the dual", {
  x <- matrix(bell(12 * 15, 4), 12) / 2147483647
  y <- cbind(bell(12, 5), bell(12, 6)) / 2147483647
  cuts <- c(1, 5, 11, 12, 13, 15)
  lambdas <- c(0.1, 1, 30)
  for (weights in list(NULL, rep_len(c(1, 3, 0.5), 12))) {
    w <- if (is.null(weights)) rep(1, 12) else weights
    found <- hand_grid(x, y, lambdas, sample = integer(), case_weights = weights, cuts = cuts)
    for (l in seq_along(lambdas)) for (c in seq_along(cuts)) {
      wanted <- refitted_scores(x[, seq_len(cuts[c]), drop = FALSE], y, lambdas[l], w)
      expect_lt(relative_gap(found$scores[, 2 * c - 1:0, l], wanted), 1e-8)
      expect_equal(found$sum$squared[l, c], sum(w * (wanted - y)^2) / 2, tolerance = 1e-8)
    }
  }
})

test_that("blocks of rows add up", {
  # Of 32 rows at least, of 256 at most.
  for (m in c(32, 33, 65, 2049)) {
    x <- small_x(m)
    y <- small_y("classification", x)
    found <- hand_grid(unname(x), y, 1, sample = 1:30)
    scores <- found$scores[, , 1]
    expect_equal(found$sum$squared[1], sum((scores - indicators(y))^2) / 3, tolerance = 1e-10)
    expect_equal(found$sum$hit[1], sum(max.col(scores, "first") == as.integer(y)))
    expect_equal(found$sum$log[1],
                 m * log_loss(`colnames<-`(softmax(found$temperature[1] * scores), levels(y)), y),
                 tolerance = 1e-10)
  }
})

test_that("the calibration looks at all rows, or at the same 500 of many", {
  expect_identical(row_sample(500, calibration_rows), 1:500)
  some <- row_sample(2000, calibration_rows)
  expect_identical(length(some), 500L)
  expect_false(is.unsorted(some, strictly = TRUE))
  expect_identical(some, row_sample(2000, calibration_rows))
  x <- small_x(700)
  fit <- cawi_rvfl(x, small_y("classification", x), hidden = 5, lambda = 1, seed = 1)
  expect_identical(as.integer(fit$readouts[[1]]$loo$rows),
                   as.integer(row_sample(700, calibration_rows)))
})

test_that("a wide grid without penalty has coefficients of least norm where rows are repeated", {
  # Repeated rows with different targets: the kernel is singular, and the targets leave its range.
  set.seed(3)
  x <- matrix(rnorm(30), 15)[rep(1:15, 2), ]
  y <- matrix(rnorm(60), 30)
  layer <- list(weights = matrix(rnorm(160), 2), bias = rnorm(80), activation = "relu")
  network <- list(layers = list(layer), center = c(0, 0), sd = c(1, 1), wiring = "stacked",
                  direct = FALSE, intercept = FALSE)
  hidden <- function(x) pmax(sweep(x %*% layer$weights, 2L, layer$bias, `+`), 0)
  fresh <- matrix(rnorm(20), 10)
  judge <- list(x = fresh, targets = list(outputs = 2L, values = matrix(0, 10, 2)),
                sample = integer(), sample_targets = list(outputs = 2L, values = matrix(0, 0, 2)),
                keep = TRUE)
  grid <- readout_grids_cpp(x, list(network), list(list(c(40, 80))),
                            list(outputs = 2L, values = y), c(0, 1), judge, 1L)[[1L]]
  for (cut in 1:2) {
    columns <- seq_len(40 * cut)
    s <- svd(hidden(x)[, columns])
    # Fifteen different rows.
    d <- s$d[1:15]
    least <- s$v[, 1:15] %*% (crossprod(s$u[, 1:15], y) / d)
    expect_equal(grid$scores[, 2 * cut - 1:0, 1L], hidden(fresh)[, columns] %*% least,
                 tolerance = 1e-6)
  }
})

test_that("held-out scores at many penalties, cuts and outputs are those of plain solves", {
  set.seed(4)
  x <- matrix(rnorm(500), 100)
  # A column twice: without a penalty the problem is singular.
  x <- x[, c(1:5, 1)]
  fresh <- matrix(rnorm(60), 10)
  layer <- list(weights = matrix(rnorm(6 * 41), 6), bias = rnorm(41), activation = "tansig")
  hidden <- function(x) tanh(sweep(x %*% layer$weights, 2L, layer$bias, `+`))
  network <- list(layers = list(layer), center = numeric(6), sd = rep(1, 6), wiring = "stacked",
                  direct = TRUE, intercept = FALSE)
  lambdas <- c(0, 10^(-3:7))
  cuts <- c(6, 7, 13, 40, 47)
  # Of one output, and of more than a vector has numbers.
  for (outputs in c(1L, 9L)) {
    y <- matrix(rnorm(100 * outputs), 100)
    targets <- function(values) list(outputs = outputs, values = values)
    judge <- list(x = fresh, targets = targets(matrix(0, 10, outputs)), sample = integer(),
                  sample_targets = targets(matrix(0, 0, outputs)), keep = TRUE)
    grid <- readout_grids_cpp(x, list(network), list(list(cuts)), targets(y), lambdas, judge, 1L)
    for (c in seq_along(cuts)) for (l in seq_along(lambdas)) {
      columns <- seq_len(cuts[c])
      a <- cbind(x, hidden(x))[, columns]
      s <- svd(a)
      kept <- s$d > 1e-8 * s$d[1]
      shrunk <- (s$d / (s$d^2 + lambdas[l]))[kept]
      b <- s$v[, kept] %*% (shrunk * crossprod(s$u[, kept], y))
      expect_equal(grid[[1]]$scores[, outputs * (c - 1) + seq_len(outputs), l],
                   drop(cbind(fresh, hidden(fresh))[, columns] %*% b), tolerance = 1e-8)
    }
  }
})

test_that("penalties that memory serves in turns have the scores of penalties served at once", {
  # Sums of 600 columns leave room for 23 penalties.
  set.seed(5)
  x <- matrix(rnorm(640 * 600), 640)
  y <- factor(x[, 1] + rnorm(640) > 0)
  fresh <- x[1:5, ] + 0.1
  truth <- subset_targets(targets_of(y), 1:5)
  lambdas <- 10^seq(0, 3, length.out = 26)
  found <- lapply(list(1:26, 24:26), function(some) {
    hand_grid(x, y, lambdas[some], fresh, truth, sample = 1:20, cuts = c(560, 580, 600))
  })
  expect_equal(found[[1]]$scores[, , 24:26], found[[2]]$scores, tolerance = 1e-8)
  expect_equal(found[[1]]$temperature[24:26, ], found[[2]]$temperature, tolerance = 1e-6)
})

test_that("held-out losses of numbers are those of single fits, also where all members are wide", {
  x <- small_x()
  y <- small_y("regression", x)
  fresh <- x[1:5, ] + 0.1
  targets <- targets_of(y)
  judge <- new_judge(targets, list(x = fresh, targets = subset_targets(targets, 1:5)))
  for (hidden in list(c(60, 45), c(60, 9))) {
    fits <- lapply(hidden, function(h) cawi_rvfl(x, y, hidden = h, lambda = 2, seed = 3))
    found <- nests_losses(x, targets, list(fits[[1]]$network), list(as.list(hidden)), 2, judge, 1L)
    wanted <- vapply(fits, function(fit) sum((predict(fit, fresh) - y[1:5])^2), 0)
    expect_equal(found[[1]]$sum$squared[1, ], wanted, tolerance = 1e-8)
  }
})

test_that("penalties are added to the diagonal alone", {
  # Sums so far from singular, of whole tiles, that a factor is found whatever is added where.
  set.seed(6)
  x <- matrix(rnorm(100 * 8), 100)
  y <- factor(rep(c("a", "b"), 50))
  truth <- subset_targets(targets_of(y), 1:8)
  lambdas <- c(0.1, 1, 10, 20)
  found <- hand_grid(x, y, lambdas, x[1:8, ] + 1, truth, sample = integer())
  for (l in seq_along(lambdas)) {
    b <- plain_ridge(x, indicators(y), lambdas[l], free = FALSE)
    expect_equal(found$scores[, , l], (x[1:8, ] + 1) %*% b, tolerance = 1e-10)
  }
})

test_that("held-out scores at so many penalties that a spectrum serves them are those of solves", {
  set.seed(7)
  x <- matrix(rnorm(100 * 20), 100)
  y <- factor(rep(c("a", "b"), 50))
  truth <- subset_targets(targets_of(y), 1:5)
  lambdas <- 10^seq(-3, 3, length.out = 200)
  found <- hand_grid(x, y, lambdas, x[1:5, ] + 1, truth, sample = 1:5, cuts = c(12, 20))
  for (l in c(1, 77, 200)) for (c in 1:2) {
    columns <- seq_len(c(12, 20)[c])
    b <- plain_ridge(x[, columns], indicators(y), lambdas[l], free = FALSE)
    expect_equal(found$scores[, 2 * c - 1:0, l], (x[1:5, columns] + 1) %*% b, tolerance = 1e-8)
  }
})
