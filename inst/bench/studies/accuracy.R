# Honest accuracy: shuffled stratified five-fold outer folds, everything chosen inside the training
# part.
#   CAWI_DATA=<folder> Rscript accuracy.R <record> [arms] [part/parts]
# runs the arms (comma separated; all by default) that the record does not have yet; with "1/2" and
# "2/2" two processes share the sets, each with a record of its own. summarize.R prints the tables.
suppressPackageStartupMessages({
  library(cawi)
  library(ranger)
  library(e1071)
})
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "bench-tools.R"))
source(file.path(here, "..", "tools", "study-tools.R"))
seed <- 42
threads <- 1L

arm_auto <- function(x, y, new_x, seed) {
  predict(suppressWarnings(cawi_auto(x, y, budget = 60, seed = seed, threads = threads)), new_x)
}

# RVFL with 200 nodes: activation, spread and penalty by exact leave-one-out, then the mean score of
# three draws. Every distribution of the weights gets the same grid and the same
# number of draws.
arm_rvfl <- function(init) {
  function(x, y, new_x, seed) {
    grid <- cawi_grid(hidden = 200, activation = c("sigmoid", "radbas"), spread = c(1, 3),
                      lambda = 10^(-4:3))
    tuned <- suppressWarnings(
      cawi_tune(x, y, "rvfl", grid, metric = "rmse", init = init, inputs = NULL, seed = seed,
                threads = threads)
    )
    best <- tuned$best
    scores <- lapply(1:2, function(draw) {
      fit <- suppressWarnings(cawi_rvfl(x, y, hidden = 200, activation = best$activation,
                                        spread = best$spread, lambda = best$lambda, init = init,
                                        inputs = NULL, seed = seed + 1000 * draw,
                                        threads = threads))
      predict(fit, new_x, type = "score")
    })
    total <- predict(tuned, new_x, type = "score") + scores[[1L]] + scores[[2L]]
    colnames(total)[max.col(total, "first")]
  }
}

arm_ranger <- function(x, y, new_x, seed) {
  fit <- ranger(x = x, y = y, seed = seed, num.threads = threads)
  predict(fit, new_x, num.threads = threads)$predictions
}

# Radial kernel, cost 10^(-1..3) and five gammas around 1/d by inner three-fold cross-validation.
arm_svm <- function(x, y, new_x, seed) {
  grid <- expand.grid(cost = 10^(-1:3), gamma = 4^(-2:2) / ncol(x))
  inner <- cawi_folds(y, 3, seed = seed)[, 1L]
  train <- function(x, y, g) {
    # Constant columns of a part cannot be scaled; the warning says no more.
    suppressWarnings(svm(x, y, cost = grid$cost[g], gamma = grid$gamma[g], cachesize = 500))
  }
  hits <- vapply(seq_len(nrow(grid)), function(g) {
    sum(vapply(1:3, function(f) {
      keep <- inner != f
      fit <- train(x[keep, , drop = FALSE], droplevels(y[keep]), g)
      sum(as.character(predict(fit, x[!keep, , drop = FALSE])) == as.character(y[!keep]))
    }, numeric(1)))
  }, numeric(1))
  predict(train(x, y, which.max(hits)), new_x)
}

families <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")
arms <- c(list(auto = arm_auto),
          stats::setNames(lapply(families, arm_rvfl), paste0("rvfl_", families)),
          list(ranger = arm_ranger, svm = arm_svm))

arguments <- commandArgs(trailingOnly = TRUE)
path <- arguments[1L]
wanted <- if (length(arguments) > 1L) strsplit(arguments[2L], ",")[[1L]] else names(arms)
part <- if (length(arguments) > 2L) as.integer(strsplit(arguments[3L], "/")[[1L]]) else c(1L, 1L)
open_record(path, c("set", "fold", "arm", "accuracy", "seconds", "cpu"),
            c("cawi", "ranger", "e1071"))
sets <- study_sets(function(m, d) m <= 6000)
for (name in sets[seq_along(sets) %% part[2L] == part[1L] - 1L]) {
  set <- read_set(name)
  for (arm in wanted) {
    for (fold in 1:5) {
      done <- read_record(path)
      if (any(done$set == name & done$fold == fold & done$arm == arm)) next
      result <- run_fold(set, fold, seed, arms[[arm]])
      cat(sprintf("%s,%d,%s,%.6f,%.3f,%.3f\n", name, fold, arm, result[["accuracy"]],
                  result[["seconds"]], result[["cpu"]]), file = path, append = TRUE)
    }
  }
}
