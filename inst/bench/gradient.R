# What weights from gradients cost beside i.i.d. weights: ratios of processor time on one thread in
# one run.
#   Rscript gradient.R [folder for the record]
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
with_one_blas_thread(script)
library(cawi)
set.seed(1)

cost_row <- function(rows, response, rounds, goal = NA, d = 20, h = 200) {
  x <- matrix(stats::rnorm(rows * d), rows)
  signal <- sin(x[, 1L]) + x[, 2L] * x[, 3L] + stats::rnorm(rows)
  y <- if (response == "classes") factor(cut(rank(signal), 3L, labels = FALSE)) else signal
  fit <- function(...) {
    function() cawi_rvfl(x, y, hidden = h, inputs = NULL, seed = 1, threads = 1, ...)
  }
  seconds <- cpu_seconds(list(fit(), fit(init = "gradient", rounds = rounds)))
  data.frame(what = sprintf("RVFL, %d x %d, h = %d, %s, rounds = %s", rows, d, h, response, rounds),
             peer = "i.i.d. weights", peer_ms = 1000 * seconds[1L], cawi_ms = 1000 * seconds[2L],
             cawi_over_peer = seconds[2L] / seconds[1L], goal = goal)
}

table <- rbind(
  cost_row(20000, "numbers", 1, "<= 2.5"), cost_row(20000, "classes", 1, "<= 2.5"),
  cost_row(2000, "numbers", 1, "<= 2.5"), cost_row(2000, "classes", 1, "<= 2.5"),
  cost_row(20000, "numbers", "auto"), cost_row(2000, "numbers", "auto")
)
report("gradient", table, "RcppParallel")
