# What the choice of a strength costs beside a fixed one, as ratios in one run, one thread:
#   Rscript strength.R [folder for the record]
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
with_one_blas_thread(script)
library(cawi)
set.seed(1)

strength_row <- function(rows, hidden, goal, features = 20L) {
  x <- matrix(rnorm(rows * features), rows) + rnorm(rows)
  y <- factor(max.col(x[, 1:3] + matrix(rnorm(3 * rows), rows)))
  fit <- function(strength) {
    function() {
      cawi_rvfl(x, y, hidden = hidden, init = "gaussian", strength = strength, inputs = NULL,
                seed = 1, threads = 1)
    }
  }
  seconds <- cpu_seconds(list(fit(0.5), fit("auto")))
  data.frame(what = sprintf("strength = \"auto\", %d x %d, h = %d", rows, features, hidden),
             fixed_ms = 1000 * seconds[1L], auto_ms = 1000 * seconds[2L],
             ratio = seconds[2L] / seconds[1L], goal = goal)
}

table <- rbind(strength_row(500, 100, "<= 5.5"), strength_row(2000, 100, "<= 5.5"),
               strength_row(8000, 200, "<= 5.5"), strength_row(20000, 200, "<= 3"),
               strength_row(50000, 200, "<= 3"))
report("strength", table, "RcppParallel")
