# An ELM on a sparse matrix beside the same fit on row blocks that are made dense, on one thread in
# one run, and the memory of a fresh process that does nothing but the fit:
#   Rscript sparse.R [folder for the record]
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
with_one_blas_thread(script)
library(cawi)

rows <- 100000L
columns <- 20000L
hidden <- 200L

# A tenth of a percent of the numbers are not zero.
make_data <- function() {
  set.seed(1)
  count <- rows * columns / 1000
  x <- Matrix::sparseMatrix(i = sample(rows, count, replace = TRUE), x = stats::rnorm(count),
                            j = sample(columns, count, replace = TRUE), dims = c(rows, columns))
  list(x = x, y = as.vector(x %*% stats::rnorm(columns)) + stats::rnorm(rows))
}

fit_sparse <- function(data, inputs) {
  cawi_elm(data$x, data$y, hidden = hidden, inputs = inputs, lambda = 1, seed = 1, threads = 1,
           keep_data = FALSE)
}

# The readout of the weights of a fit, from blocks of dense rows; standardization is in the weights
# here too, and the intercept has no penalty.
fit_blocks <- function(data, fit, size = 1000L) {
  layer <- fit$network$layers[[1L]]
  weights <- layer$weights / fit$network$sd
  shift <- layer$bias - drop(crossprod(weights, fit$network$center))
  aa <- matrix(0, hidden + 1L, hidden + 1L)
  ay <- numeric(hidden + 1L)
  for (first in seq(1L, rows, by = size)) {
    some <- seq(first, min(first + size - 1L, rows))
    pre <- as.matrix(data$x[some, ]) %*% weights
    a <- cbind(stats::plogis(sweep(pre, 2L, shift, `+`)), 1)
    aa <- aa + crossprod(a)
    ay <- ay + crossprod(a, data$y[some])
  }
  diag(aa)[seq_len(hidden)] <- diag(aa)[seq_len(hidden)] + 1
  solve(aa, ay)
}

# The most memory that a process has had, in megabytes.
peak_memory <- function(data, inputs) {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(data, file, compress = FALSE)
  code <- sprintf(paste(
    "data <- readRDS('%s');",
    "fit <- cawi::cawi_elm(data$x, data$y, hidden = %d, inputs = %s, lambda = 1, seed = 1,",
    "threads = 1, keep_data = FALSE);",
    "cat(grep('VmHWM', readLines('/proc/self/status'), value = TRUE))"
  ), file, hidden, deparse(inputs))
  found <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE)
  as.numeric(gsub("[^0-9]", "", utils::tail(found, 1L))) / 1024
}

measured <- function(data, inputs, label) {
  fit <- fit_sparse(data, inputs)
  ours <- cpu_seconds(list(function() fit_sparse(data, inputs)))
  theirs <- sum(system.time(dense <- fit_blocks(data, fit))[c("user.self", "sys.self")])
  size <- as.numeric(utils::object.size(data$x)) / 2^20
  what <- sprintf("ELM, %d x %d, 0.1 %% not zero, %d nodes that read %s", rows, columns, hidden,
                  label)
  data.frame(
    what = what, peer = c("row blocks made dense", "the input (MB)", "row blocks made dense"),
    measure = c("seconds", "peak memory of the whole process (MB)", "largest gap of a coefficient"),
    peer_value = c(theirs, size, max(abs(dense))),
    cawi_value = c(ours, peak_memory(data, inputs), max(abs(dense - stats::coef(fit)))),
    ratio = c(theirs / ours, NA, NA), goal = c(">= 10 times", "<= input + 300", "")
  )
}

data <- make_data()
report("sparse", rbind(measured(data, 3, "3 features each"), measured(data, NULL, "all features")),
       "Matrix")
