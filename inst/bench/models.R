# Training time of the models against the BLAS floor and against peers, as ratios in one run:
#   Rscript models.R [folder for the record]
# Data sets are read from the folder in the environment variable CAWI_DATA where it is set.
library(cawi)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "tools", "bench-tools.R"))
set.seed(1)
families <- c("gaussian", "t", "clayton", "frank", "gumbel")

# RVFL beside what no exact solver can avoid: the Gram matrix of the finished features and its
# Cholesky solve, with the same BLAS and threads.
floor_rows <- function(m = 20000, d = 50, h = 500) {
  common <- rnorm(m)
  x <- matrix(rnorm(m * d), m) + 0.5 * common
  y <- sin(x[, 1L]) + x[, 2L] * x[, 3L] + rnorm(m)
  fit <- cawi_rvfl(x, y, hidden = h, lambda = 1, seed = 1)
  a <- cawi_features(fit, x)
  floor <- best_seconds({
    g <- crossprod(a)
    diag(g) <- diag(g) + 1
    r <- chol(g)
    backsolve(r, forwardsolve(t(r), crossprod(a, y)))
  })
  rm(a)
  arm <- function(init, goal) {
    seconds <- best_seconds(cawi_rvfl(x, y, hidden = h, lambda = 1, init = init, seed = 1,
                                      threads = 2))
    data.frame(what = sprintf("RVFL %s, %d x %d, h = %d", init, m, d, h), peer = "crossprod + chol",
               peer_ms = 1000 * floor, cawi_ms = 1000 * seconds, cawi_over_peer = seconds / floor,
               goal = goal)
  }
  rbind(arm("iid", "<= 1.5"), arm("gaussian", "<= 2"))
}

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

read_set <- function(path) {
  data <- utils::read.csv(gzfile(path))
  label <- ncol(data)
  list(x = as.matrix(data[, -label]), y = factor(data[[label]]))
}

# (training time with copula, fit included) / (i.i.d.), mean over 20 data sets.
copula_cost_rows <- function() {
  folder <- Sys.getenv("CAWI_DATA")
  if (!nzchar(folder)) return(NULL)
  files <- sort(list.files(folder, "[.]csv[.]gz$", full.names = TRUE))
  files <- files[round(seq(1, length(files), length.out = 20L))]
  ratio <- vapply(files, function(path) {
    set <- read_set(path)
    seconds <- function(init) {
      best_seconds(suppressWarnings(cawi_rvfl(set$x, set$y, init = init, seed = 1, threads = 2)),
                   7L)
    }
    plain <- seconds("iid")
    vapply(families, seconds, numeric(1)) / plain
  }, numeric(length(families)))
  cat("data sets:", paste(sub("[.]csv[.]gz$", "", basename(files)), collapse = " "), "\n")
  data.frame(what = paste("RVFL", families, "over i.i.d., mean of 20 sets"), peer = "init = iid",
             peer_ms = NA, cawi_ms = NA, cawi_over_peer = rowMeans(ratio), goal = "<= 1.4")
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

table <- rbind(floor_rows(), memory_row(), copula_cost_rows(), peer_rows())
report("models", table, c("RcppParallel", "hardhat", "nnet", "ranger", "elmNNRcpp", "RWNN"))
