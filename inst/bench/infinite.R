# What infinitely many nodes cost, beside the decomposition of their kernel matrix, as ratios in one
# run:
#   Rscript infinite.R [folder for the record]
# Times are those of the processor, so that other work on the machine counts less; those of two
# threads are their sum. The BLAS has one thread.
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
with_one_blas_thread(script)
library(cawi)
set.seed(1)

# One spread, thirteen penalties by leave-one-out, and the final readout.
infinite_row <- function(m = 2000, d = 10, marginal = "cauchy") {
  x <- matrix(rnorm(m * d), m)
  y <- factor(x[, 1] * x[, 2] + sin(x[, 3]) > 0)
  fit <- function(threads) {
    cawi_rvfl(x, y, hidden = Inf, activation = "sine", bias = "phase", marginal = marginal,
              spread = 1, seed = 1, threads = threads)
  }
  a <- cawi_features(fit(2), x)
  k <- tcrossprod(a[, d + seq_len(ncol(a) - d - 1)])
  decompose <- function() eigen(k, symmetric = TRUE)
  seconds <- cpu_seconds(list(decompose, function() fit(1), function() fit(2)), turns = 5L)
  data.frame(what = sprintf("hidden = Inf, %d rows, %s", m, marginal), peer = "eigen(kernel)",
             peer_ms = 1000 * seconds[1L], cawi_1_ms = 1000 * seconds[2L],
             cawi_2_ms = 1000 * seconds[3L], cawi_1_over_peer = seconds[2L] / seconds[1L],
             cawi_2_over_peer = seconds[3L] / seconds[1L], goal = "at most 1.5")
}

table <- rbind(infinite_row(), infinite_row(marginal = "normal"))
report("infinite", table, "RcppParallel")
