# What copulas cost in all models, and what hidden layers' copulas leave out to be cheap, beside the
# noise of the draws: ratios of processor time on one thread in one run.
#   OPENBLAS_NUM_THREADS=1 Rscript deep.R [folder for the record]
# Data sets are read from the folder in the environment variable CAWI_DATA where it is set.
library(cawi)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "tools", "bench-tools.R"))
families <- c("gaussian", "t", "clayton", "frank", "gumbel")
models <- list(elm = cawi_elm, rvfl = cawi_rvfl, drvfl = cawi_drvfl, edrvfl = cawi_edrvfl,
               bls = cawi_bls)

factor_rows <- function(m, d) {
  common <- stats::rnorm(m)
  matrix(stats::rnorm(m * d), m) + 0.5 * common
}

rms <- function(gap) sqrt(mean(gap[lower.tri(gap)]^2))

# Root mean square errors over the correlations of a hidden layer: of the layer's copula, against
# the fit to all rows and all their pairs, and of the nodes that are drawn from it.
error_row <- function(x, hidden, what) {
  fit <- suppressWarnings(cawi_drvfl(x, x[, 1L], hidden = c(hidden, hidden), init = "gaussian",
                                     inputs = NULL, lambda = 1, seed = 1))
  first <- length(fit$network$center)
  input <- cawi_features(fit, x)[, first + seq_len(hidden)]
  copula <- fit$network$layers[[2L]]$copula
  exact <- suppressWarnings(cawi_copula(input, "gaussian", likelihood = FALSE))
  drawn <- stats::cor(stats::qnorm(stats::simulate(copula, hidden, seed = 1)))
  error <- rms(unname(copula$cor - exact$cor))
  noise <- rms(drawn - copula$cor)
  data.frame(what = sprintf("error of correlations, %s, %d nodes", what, hidden),
             peer = "noise of the draws", peer_value = noise, cawi_value = error,
             cawi_over_peer = error / noise, goal = "<= 0.5")
}

error_rows <- function() {
  set.seed(1)
  wide <- factor_rows(5000, 20)
  rows <- lapply(c(100, 200, 400), function(h) error_row(wide, h, "5000 x 20"))
  rows <- c(rows, list(error_row(wide[1:300, ], 100, "300 x 20")))
  if (nzchar(Sys.getenv("CAWI_DATA"))) {
    names <- c("abalone", "zoo", "congressional_voting", "statlog_vehicle")
    rows <- c(rows, lapply(names, function(name) error_row(set_rows(name)$x, 100, name)))
  }
  do.call(rbind, rows)
}

set_rows <- function(name) suppressWarnings(cawi_read_dataset(name))

# Seconds of i.i.d. weights and of each family.
seconds_of <- function(fit, inits) {
  cpu_seconds(lapply(inits, function(init) function() suppressWarnings(fit(init))), 0.03)
}

ratio_rows <- function(what, seconds, inits, goal) {
  data.frame(what = paste(what, inits[-1L]), peer = "init = iid", peer_value = 1000 * seconds[1L],
             cawi_value = 1000 * seconds[-1L], cawi_over_peer = seconds[-1L] / seconds[1L],
             goal = goal)
}

deep_rows <- function(m = 5000, hidden = rep(200, 3)) {
  set.seed(1)
  x <- factor_rows(m, 20)
  y <- sin(x[, 1L]) + x[, 2L] * x[, 3L]
  inits <- c("iid", families)
  fit <- function(init) {
    cawi_drvfl(x, y, hidden = hidden, init = init, inputs = NULL, lambda = 1, seed = 1,
               threads = 1)
  }
  ratio_rows("dRVFL 3 x 200, 5000 rows (ms),", seconds_of(fit, inits), inits, "<= 1.5")
}

# (processor time with copula, fit included) / (i.i.d.), mean over 20 data sets.
set_rows_of_models <- function() {
  if (!nzchar(Sys.getenv("CAWI_DATA"))) return(NULL)
  names <- sort(cawi_datasets()$name)
  names <- names[round(seq(1, length(names), length.out = 20L))]
  cat("data sets:", names, "\n")
  inits <- c("iid", families)
  seconds <- lapply(names, function(name) {
    set <- set_rows(name)
    vapply(models, function(model) {
      fit <- function(init) {
        model(set$x, set$y, init = init, inputs = NULL, seed = 1, threads = 1)
      }
      seconds_of(fit, inits)
    }, numeric(length(inits)))
  })
  rows <- lapply(names(models), function(model) {
    each <- vapply(seconds, function(s) s[-1L, model] / s[1L, model], numeric(length(families)))
    data.frame(what = paste(toupper(model), families, "over i.i.d., mean of 20 sets"),
               peer = "init = iid", peer_value = NA, cawi_value = NA,
               cawi_over_peer = rowMeans(each), goal = "<= 1.4")
  })
  do.call(rbind, rows)
}

table <- rbind(error_rows(), deep_rows(), set_rows_of_models())
report("deep", table, "RcppParallel")
