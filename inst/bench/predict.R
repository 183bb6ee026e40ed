# The prediction of one row beside the product that it cannot do without, in processor time on one
# thread in one run:
#   Rscript predict.R [folder for the record]
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
with_one_blas_thread(script)
library(cawi)
set.seed(1)

rows <- 1000
features <- 300
hidden <- 800
x <- matrix(stats::rnorm(rows * features), rows,
            dimnames = list(NULL, paste0("v", seq_len(features))))
y <- x[, 1L] + stats::rnorm(rows)
classes <- factor(y > 0)
frame <- data.frame(x)

fits <- function(init) {
  fit <- function(x, y) {
    cawi_rvfl(x, y, hidden = hidden, init = init, inputs = NULL, lambda = 1, seed = 1, threads = 1)
  }
  list(matrix = fit(x, y), `data frame` = fit(frame, y),
       `data frame, classes` = fit(frame, classes))
}

predict_rows <- function(init) {
  models <- fits(init)
  weights <- models$matrix$network$layers[[1L]]$weights
  beta <- stats::coef(models$matrix)[features + seq_len(hidden), 1L]
  one <- list(x[1L, , drop = FALSE], frame[1L, ], frame[1L, ])
  predictions <- Map(function(model, row) function() predict(model, row, threads = 1), models, one)
  by_hand <- function() sum((1 / (1 + exp(-(one[[1L]] %*% weights)))) * beta)
  seconds <- cpu_seconds(c(predictions, list(by_hand)))
  data.frame(what = sprintf("one row, %d features, %d nodes, %s, %s (ms)", features, hidden, init,
                            names(models)),
             peer = "x %*% weights in R", peer_ms = 1000 * seconds[4L],
             cawi_ms = 1000 * seconds[-4L], cawi_over_peer = seconds[-4L] / seconds[4L],
             goal = c("<= 0.3 ms", "<= 1 ms", "<= 1 ms"))
}

report("predict", rbind(predict_rows("iid"), predict_rows("gaussian")), "RcppParallel")
