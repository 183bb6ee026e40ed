# Does importance put the five features of Friedman's first function before 50 that are noise, and
# what does it cost beside the fit? 1,000 rows, 20 or 5 draws of the data; processor time on one
# thread.
#   Rscript importance.R [folder for the record]
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
with_one_blas_thread(script)
library(cawi)
options(cawi.threads = 1L)
# Permutations take longer.
runs <- c(gradient = 20L, permutation = 5L)

# The first five features matter; mlbench adds five that do not, and 45 more come here.
draw <- function(run) {
  set.seed(run)
  drawn <- mlbench::mlbench.friedman1(1000)
  list(x = cbind(drawn$x, matrix(stats::runif(45 * 1000), 1000)), y = drawn$y)
}

models <- list(
  "cawi_auto()" = function(data, run) cawi_auto(data$x, data$y, seed = run),
  "cawi_rvfl(inputs = 1)" = function(data, run) cawi_rvfl(data$x, data$y, inputs = 1, seed = run),
  "cawi_rvfl(inputs = 2)" = function(data, run) cawi_rvfl(data$x, data$y, inputs = 2, seed = run)
)

# In how many runs are they first, and by how much in the least of them?
ranking_row <- function(name, method) {
  gap <- vapply(seq_len(runs[[method]]), function(run) {
    data <- draw(run)
    table <- cawi_importance(models[[name]](data, run), method = method, seed = run)
    value <- table$importance[match(paste0("x", 1:55), table$feature)]
    min(value[1:5]) / max(value[-(1:5)], 0)
  }, numeric(1))
  data <- draw(1)
  fit <- models[[name]](data, 1)
  seconds <- cpu_seconds(list(function() models[[name]](data, 1),
                              function() cawi_importance(fit, method = method, seed = 1)))
  data.frame(what = name, method = method, first = sum(gap > 1), runs = runs[[method]],
             least_over_noise = min(gap), fit_ms = 1000 * seconds[1L],
             importance_ms = 1000 * seconds[2L], over_fit = seconds[2L] / seconds[1L],
             goal = if (method == "gradient") "first in 20, < 1" else NA)
}

cases <- expand.grid(name = names(models), method = c("gradient", "permutation"),
                     stringsAsFactors = FALSE)
table <- do.call(rbind, Map(ranking_row, cases$name, cases$method))
report("importance", table, "mlbench")
