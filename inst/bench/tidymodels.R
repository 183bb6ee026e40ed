# Fifty penalties by multi_predict() beside one fit with a given penalty and its prediction, all
# through parsnip, in processor time on one thread in one run:
#   Rscript tidymodels.R [folder for the record]
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
with_one_blas_thread(script)
if (!requireNamespace("parsnip", quietly = TRUE)) {
  message("parsnip is not here: `make bench-tidymodels` has a library with it")
  quit()
}
library(cawi)
set.seed(1)

penalties <- 10^seq(-6, 4, length.out = 50)

compared <- function(rows, mode, type, hidden = 200) {
  x <- as.data.frame(matrix(stats::rnorm(rows * 20), rows))
  signal <- sin(x[[1L]]) + x[[2L]] * x[[3L]] + stats::rnorm(rows) / 2
  y <- if (mode == "regression") signal else cut(signal, c(-Inf, -0.5, 0.5, Inf), c("a", "b", "c"))
  fresh <- x[seq_len(rows / 5), ]
  spec <- rand_network(mode, hidden_units = hidden, penalty = 1)
  spec <- parsnip::set_engine(spec, "cawi", seed = 1, threads = 1)
  fit <- parsnip::fit_xy(spec, x, y)
  seconds <- cpu_seconds(list(
    one = function() predict(parsnip::fit_xy(spec, x, y), fresh, type = type),
    many = function() parsnip::multi_predict(fit, fresh, type = type, penalty = penalties)
  ))
  data.frame(what = sprintf("%s, %d rows, %d nodes, %s of %d rows", mode, rows, hidden, type,
                            nrow(fresh)),
             fit_and_predict_ms = 1000 * seconds[1L], fifty_penalties_ms = 1000 * seconds[2L],
             ratio = seconds[2L] / seconds[1L], goal = "<= 3")
}

report("tidymodels", rbind(
  compared(1000, "regression", "numeric"), compared(10000, "regression", "numeric"),
  compared(1000, "classification", "class"), compared(10000, "classification", "class"),
  compared(1000, "classification", "prob"), compared(10000, "classification", "prob")
), "parsnip")
