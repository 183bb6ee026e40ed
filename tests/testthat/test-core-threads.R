# One team of threads for all loops of a call.

test_that("no more tasks are at work than threads, in loops inside loops", {
  for (threads in c(1L, 2L, 4L)) {
    expect_lte(tasks_at_once_cpp(6L, 6L, 2, threads), threads)
    expect_lte(tasks_at_once_cpp(1L, 12L, 2, threads), threads)
  }
})

# A busy machine may keep threads waiting for a second or two: what threads can do is the best of
# some attempts.
most_of_attempts <- function(measure, enough) {
  found <- -Inf
  for (attempt in 1:8) {
    found <- max(found, measure())
    if (found > enough) break
    Sys.sleep(0.5)
  }
  found
}

test_that("inner loops get the threads that the outer one leaves free", {
  # Where checks are run, there may be one thread in all.
  skip_on_cran()
  expect_gt(most_of_attempts(function() tasks_at_once_cpp(1L, 40L, 5, 4L), 1L), 1L)
  expect_gt(most_of_attempts(function() tasks_at_once_cpp(6L, 6L, 5, 4L), 1L), 1L)
})

test_that("a process has no more threads than a team may have", {
  skip_if_not(file.exists("/proc/self/status"))
  for (i in 1:200) tasks_at_once_cpp(4L, 4L, 0, 1024L)
  line <- grep("^Threads:", readLines("/proc/self/status"), value = TRUE)
  # R, the threads of the BLAS, and at most sixteen or one per core of TBB's.
  expect_lte(as.numeric(gsub("[^0-9]", "", line)), 2 * parallel::detectCores() + 20)
})

test_that("threads do not wait for each other between tasks", {
  skip_on_cran()
  # 500 and 60 milliseconds in turns: pulling the next task takes 1.5 seconds on two threads, and
  # joining after every long task takes 2.3.
  run <- function() system.time(run_tasks_cpp(rep(c(500, 60), 5), 2L))[["elapsed"]]
  expect_lt(-most_of_attempts(function() -run(), -2), 2)
})

bits_of <- function(threads) {
  set.seed(1)
  x <- matrix(rnorm(700 * 6), 700) + rnorm(700)
  classes <- factor(max.col(x[, 1:3] + matrix(rnorm(2100), 700)))
  numbers <- cbind(x[, 1] * x[, 2], sin(x[, 3]))
  shapes <- list(elm = list(hidden = 60), rvfl = list(hidden = 60),
                 drvfl = list(hidden = c(40, 30)),
                 edrvfl = list(hidden = c(40, 30)),
                 bls = list(windows = 4, nodes = 5, enhancement = 30))
  fits <- list()
  inits <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")
  for (model in names(shapes)) for (init in inits) {
    fit <- function(y) {
      do.call(paste0("cawi_", model), c(list(x, y, init = init, seed = 1, threads = threads),
                                        shapes[[model]]))
    }
    a <- suppressWarnings(fit(classes))
    b <- suppressWarnings(fit(numbers))
    fits[[paste(model, init)]] <- list(coef(a), a$lambda, coef(b), b$lambda,
                                       predict(a, x, type = "prob", threads = threads))
  }
  fits
}

test_that("bits do not depend on the number of threads, for every model and family", {
  skip_on_cran()
  one <- bits_of(1L)
  for (threads in c(2L, 4L, 8L, 16L)) expect_identical(bits_of(threads), one)
})

test_that("wide sums, factors and grids have the same bits for any number of threads", {
  skip_on_cran()
  set.seed(2)
  x <- matrix(rnorm(1200 * 10), 1200)
  y <- x[, 1] * x[, 2] + rnorm(1200)
  one <- function(threads) {
    # 900 columns are tiled; the grid has cuts in the primal and in the dual.
    fit <- cawi_elm(x, y, hidden = 900, lambda = 0.5, seed = 1, threads = threads)
    tuned <- cawi_tune(x[1:300, ], y[1:300], "elm",
                       cawi_grid(hidden = c(50, 150, 350), lambda = 10^(-3:3)), seed = 1,
                       threads = threads)
    list(coef(fit), fit$readouts[[1L]]$statistics$aa, tuned$results)
  }
  expected <- one(1L)
  for (threads in c(2L, 4L, 16L)) expect_identical(one(threads), expected)
})

test_that("tiled factors and products are those of the whole matrix", {
  set.seed(3)
  x <- matrix(rnorm(1500 * 8), 1500)
  y <- x[, 1] + rnorm(1500)
  fit <- cawi_elm(x, y, hidden = 800, lambda = 2, intercept = FALSE, seed = 1, threads = 2)
  a <- cawi_features(fit, x)
  statistics <- fit$readouts[[1L]]$statistics
  expect_equal(statistics$aa, crossprod(a), ignore_attr = TRUE, tolerance = 1e-12)
  solved <- solve(crossprod(a) + diag(2, ncol(a)), crossprod(a, y))
  expect_equal(drop(coef(fit)), drop(solved), ignore_attr = TRUE, tolerance = 1e-8)
})

test_that("forks of a process that has threads work alone", {
  skip_on_os("windows")
  run_tasks_cpp(rep(1, 8), 2L)
  at_once <- parallel::mclapply(1:3, function(i) tasks_at_once_cpp(2L, 8L, 1, 4L), mc.cores = 2L)
  expect_identical(unlist(at_once), c(1L, 1L, 1L))
})
