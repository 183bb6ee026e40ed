# The core beside its floors, as ratios in one run, one thread unless said:
#   Rscript core.R [folder for the record]
# Times are those of the processor, so that other work on the machine counts less; the BLAS has one
# thread.
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
with_one_blas_thread(script)
library(cawi)
set.seed(1)

classes_of <- function(x) factor(max.col(x[, 1:3] + matrix(rnorm(3 * nrow(x)), nrow(x))))
row <- function(what, seconds, peer, peer_seconds, ratio, goal) {
  data.frame(what = what, cawi_ms = 1000 * seconds, peer = peer, peer_ms = 1000 * peer_seconds,
             ratio = ratio, goal = goal)
}

# Ensembles are linear in their layers: 8 layers beside 2, without what 1 layer costs.
layer_rows <- function(m = 20000) {
  x <- matrix(rnorm(m * 20), m)
  y <- classes_of(x)
  layers <- c(1, 2, 4, 8)
  fits <- lapply(layers, function(l) {
    cawi_edrvfl(x, y, hidden = rep(100, l), lambda = 1, seed = 1, threads = 1)
  })
  run <- list(threads = 1L, call = NULL)
  read <- cpu_seconds(lapply(fits, function(fit) {
    function() cawi:::fit_readouts(fit$data$x, fit$network, fit$data$targets, 1, run)
  }), turns = 7L)
  told <- cpu_seconds(lapply(fits, function(fit) {
    function() predict(fit, x, type = "score", threads = 1)
  }), turns = 7L)
  growth <- function(what, t) {
    cat(sprintf("%s, %d layers: %.1f ms\n", what, layers, 1000 * t), sep = "")
    row(sprintf("edRVFL %s, %d rows: 8 layers less 1", what, m), t[4L] - t[1L], "2 layers less 1",
        t[2L] - t[1L], (t[4L] - t[1L]) / (t[2L] - t[1L]), "<= 8")
  }
  rbind(growth("readout", read), growth("predict", told))
}

path_row <- function(m = 40000) {
  x <- matrix(rnorm(m * 20), m)
  fit <- cawi_rvfl(x, classes_of(x), hidden = 200, lambda = 1, seed = 1, keep_data = TRUE)
  targets <- fit$data$targets
  sums <- function() cawi:::statistics_cpp(x, fit$network, targets, TRUE, 1L)
  known <- lapply(sums(), c, ones = 0L)
  path <- function() {
    cawi:::ridge_paths_cpp(x, fit$network, targets, known, 10^(-6:6), numeric(), 1L)
  }
  t <- cpu_seconds(list(sums, path), turns = 9L)
  row(sprintf("leave-one-out path, 13 lambdas, %d x 221", m), t[2L], "its Gram matrix", t[1L],
      t[2L] / t[1L], "<= 2.5")
}

# One number of nodes in the tuner, where one eigenbasis serves all penalties.
width_row <- function(m = 10000) {
  x <- matrix(rnorm(m * 20), m)
  fit <- cawi_rvfl(x, classes_of(x), hidden = 200, lambda = 1, seed = 1, keep_data = TRUE)
  targets <- fit$data$targets
  losses <- function(lambdas) {
    function() cawi:::nest_losses(x, targets, fit$network, list(200L), lambdas, 1L)
  }
  t <- cpu_seconds(list(losses(1), losses(10^(-6:6))), turns = 7L)
  row(sprintf("tuner, one width, 13 lambdas, %d rows", m), t[2L], "one lambda", t[1L],
      t[2L] / t[1L], "370 ms")
}

floor_rows <- function(m = 20000, d = 50, h = 500) {
  x <- matrix(rnorm(m * d), m) + 0.5 * rnorm(m)
  y <- sin(x[, 1L]) + x[, 2L] * x[, 3L] + rnorm(m)
  a <- cawi_features(cawi_rvfl(x, y, hidden = h, lambda = 1, seed = 1), x)
  fit <- function(init) {
    cawi_rvfl(x, y, hidden = h, lambda = 1, init = init, inputs = NULL, seed = 1, threads = 1)
  }
  floor <- function() {
    g <- crossprod(a)
    diag(g) <- diag(g) + 1
    r <- chol(g)
    backsolve(r, forwardsolve(t(r), crossprod(a, y)))
  }
  best <- cpu_seconds(list(floor, function() fit("iid"), function() fit("gaussian")), turns = 9L)
  what <- sprintf("RVFL %s, %d x %d, h = %d", c("iid", "gaussian"), m, d, h)
  rbind(row(what[1L], best[2L], "crossprod + chol", best[1L], best[2L] / best[1L], "<= 1.3"),
        row(what[2L], best[3L], "crossprod + chol", best[1L], best[3L] / best[1L], "<= 1.45"))
}

# Time and memory against rows and columns, each in a process of its own; exponents by least squares
# of the logarithms.
growth <- function(rows, columns) {
  script <- "
    library(cawi); m <- %d; a <- %d; x <- matrix(rnorm(m * 10), m); y <- x[, 1]
    invisible(cawi_elm(x[1:200, ], y[1:200], hidden = 5, lambda = 1, seed = 1, threads = 1))
    peak <- function() as.numeric(gsub('[^0-9]', '', grep('VmHWM', readLines('/proc/self/status'),
                                                           value = TRUE))) / 1024
    before <- peak()
    t <- system.time(cawi_elm(x, y, hidden = a - 1, lambda = 1, seed = 1, threads = 1,
                              keep_data = FALSE))
    cat(sum(t[1:2]), peak() - before)"
  out <- system2(file.path(R.home("bin"), "Rscript"),
                 c("-e", shQuote(sprintf(script, as.integer(rows), as.integer(columns)))),
                 stdout = TRUE)
  as.numeric(strsplit(utils::tail(out, 1L), " ")[[1L]])
}

growth_rows <- function() {
  if (!file.exists("/proc/self/status")) return(NULL)
  slope <- function(x, y) unname(stats::coef(stats::lm(log(y) ~ log(x)))[2L])
  m <- c(1e4, 1e5, 1e6)
  a <- c(200, 1000, 4000)
  by_rows <- vapply(m, growth, numeric(2), columns = 200)
  by_columns <- vapply(a, function(columns) growth(10000, columns), numeric(2))
  cat(sprintf("%.0f rows, 200 columns: %.2f s, %.0f MB above the data\n", m, by_rows[1L, ],
              by_rows[2L, ]), sep = "")
  cat(sprintf("10,000 rows, %.0f columns: %.2f s, %.0f MB above the data\n", a, by_columns[1L, ],
              by_columns[2L, ]), sep = "")
  rbind(row("exponent of time in rows, 200 columns", by_rows[1L, 3L], "10,000 rows",
            by_rows[1L, 1L], slope(m, by_rows[1L, ]), "<= 1.05"),
        row("exponent of time in columns, 10,000 rows", by_columns[1L, 3L], "200 columns",
            by_columns[1L, 1L], slope(a, by_columns[1L, ]), "<= 3.1"))
}

# What more threads would give: the tasks of a fit are timed one after the other, and the schedule
# is simulated: the next task goes to the thread that is free first. Nothing is run on more threads.
schedule <- function(what, work) {
  total <- system.time(loops <- cawi:::task_times_cpp(work))[["elapsed"]]
  finish <- function(tasks, threads) {
    busy <- numeric(threads)
    for (task in tasks) {
      first <- which.min(busy)
      busy[first] <- busy[first] + task
    }
    max(busy)
  }
  alone <- total - sum(unlist(loops))
  threads <- 2^(0:6)
  seconds <- alone + vapply(threads, function(p) {
    sum(vapply(loops, finish, numeric(1), threads = p))
  }, numeric(1))
  cat(sprintf("schedule, simulated: %s: work %.0f ms, critical path %.0f ms, outside %.0f ms\n",
              what, 1000 * total, 1000 * (alone + sum(vapply(loops, max, numeric(1)))),
              1000 * alone))
  cat(sprintf("  %d threads: %.1f times\n", threads, total / seconds), sep = "")
}

table <- rbind(layer_rows(), path_row(), width_row(), floor_rows(), growth_rows())
x <- matrix(rnorm(40000 * 20), 40000)
y <- x[, 1L] + rnorm(40000)
schedule("RVFL, 40,000 x 20, h = 200, 13 lambdas", function() {
  cawi_rvfl(x, y, hidden = 200, seed = 1, threads = 1)
})
schedule("ELM, 20,000 x 20, h = 2,000, one lambda", function() {
  cawi_elm(x[1:20000, ], y[1:20000], hidden = 2000, lambda = 1, seed = 1, threads = 1)
})
report("core", table, character())
