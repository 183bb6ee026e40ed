# Memory and training time of the models beside peers, as ratios in one run:
#   Rscript models.R [folder for the record]
# Beside the floor of the BLAS: core.R. What copulas cost: deep.R.
library(cawi)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "tools", "bench-tools.R"))
set.seed(1)

# Peak memory of a fit in a process of its own, above the process with the data alone.
memory_row <- function(m = 1e6, d = 20, h = 200) {
  if (!file.exists("/proc/self/status")) return(NULL)
  script <- function(fit) {
    sprintf(
      "x <- matrix(rnorm(%d), %d); y <- x[, 1]; library(cawi);
       invisible(cawi_rvfl(x[1:100, ], y[1:100], hidden = 5, lambda = 1)); %s
       cat(grep('VmHWM', readLines('/proc/self/status'), value = TRUE))", m * d, m,
      if (fit) sprintf("invisible(cawi_rvfl(x, y, hidden = %d, lambda = 1, seed = 1))", h) else ""
    )
  }
  peak <- function(fit) {
    out <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(script(fit))),
                   stdout = TRUE)
    as.numeric(gsub("[^0-9]", "", utils::tail(out, 1L))) / 1024
  }
  alone <- peak(FALSE)
  with_fit <- peak(TRUE)
  data.frame(what = sprintf("peak memory, %d x %d, h = %d (MB)", m, d, h), peer = "data alone",
             peer_ms = alone, cawi_ms = with_fit, cawi_over_peer = with_fit - alone,
             goal = "difference < 300")
}

# Training time beside other packages, each at a comparable size.
peer_rows <- function() {
  utils::data("Satellite", "Vehicle", "PimaIndiansDiabetes", package = "mlbench",
              envir = environment())
  sets <- list(Satellite = Satellite, Vehicle = Vehicle, Pima = PimaIndiansDiabetes)
  rows <- lapply(names(sets), function(name) {
    data <- sets[[name]]
    label <- ncol(data)
    x <- as.matrix(data[, -label])
    y <- data[[label]]
    own <- best_seconds(cawi_rvfl(x, y, hidden = 100, lambda = 1, seed = 1, threads = 2))
    peers <- peer_fits(scale(x), y)
    seconds <- vapply(peers, function(fit) best_seconds(fit(), 3L), numeric(1))
    data.frame(what = paste("RVFL h = 100 on", name), peer = names(peers), peer_ms = 1000 * seconds,
               cawi_ms = 1000 * own, cawi_over_peer = own / seconds, goal = NA)
  })
  do.call(rbind, rows)
}

peer_fits <- function(x, y) {
  onehot <- stats::model.matrix(~ y - 1)
  frame <- data.frame(x, y = y)
  fits <- list(
    `nnet::nnet(size = 10)` = function() {
      nnet::nnet(x, onehot, size = 10, softmax = TRUE, MaxNWts = 1e5, trace = FALSE)
    }
  )
  if (requireNamespace("ranger", quietly = TRUE)) {
    fits$`ranger::ranger` <- function() ranger::ranger(y ~ ., frame, num.threads = 2)
  }
  if (requireNamespace("elmNNRcpp", quietly = TRUE)) {
    fits$`elmNNRcpp(nhid = 100)` <- function() {
      elmNNRcpp::elm_train(x, onehot, nhid = 100, actfun = "sig", init_weights = "uniform_negative")
    }
  }
  if (requireNamespace("RWNN", quietly = TRUE)) {
    fits$`RWNN::rwnn(n_hidden = 100)` <- function() {
      RWNN::rwnn(y ~ ., data.frame(x, y = as.numeric(y)), n_hidden = 100, lambda = 1)
    }
  }
  fits
}

table <- rbind(memory_row(), peer_rows())
report("models", table, c("RcppParallel", "hardhat", "nnet", "ranger", "elmNNRcpp", "RWNN"))
