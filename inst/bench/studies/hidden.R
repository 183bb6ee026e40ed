# Accuracy against the number of hidden nodes: ELM and RVFL with i.i.d. weights and every copula
# family, at the same normalized spreads and with the same number of draws, nested: shuffled
# stratified five-fold outer folds; activation, spread and penalty by exact leave-one-out in the
# training part, for every number of nodes on its own.
#   CAWI_DATA=<folder> Rscript hidden.R <record> [part/parts]
# The networks are nested, so that one grid of leave-one-out errors serves all numbers of nodes.
# summarize.R prints the tables and draws the figure.
suppressPackageStartupMessages(library(cawi))
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "bench-tools.R"))
source(file.path(here, "..", "tools", "study-tools.R"))
seed <- 42
hidden <- c(5, 10, 20, 40, 80, 160, 320)
# Sets with more than 1,000 rows have large test folds: one draw of the weights and three of the
# five folds are enough for them.
draws <- function(set) if (nrow(set$x) > 1000) 1 else 2
folds <- function(set) if (nrow(set$x) > 1000) 1:3 else 1:5
families <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")

# Accuracies of one fold for every number of nodes: the choice of each draw is its own, and draws
# are averaged as accuracies, so that a figure is that of one network.
fold_accuracies <- function(set, fold, model, init) {
  outer <- cawi_folds(set$y, 5, seed = seed)[, 1L]
  train <- outer != fold
  x <- set$x[train, , drop = FALSE]
  y <- droplevels(set$y[train])
  grid <- cawi_grid(hidden = hidden, activation = c("sigmoid", "radbas"), spread = c(0.5, 1, 2),
                    lambda = 10^(-4:3))
  rowMeans(vapply(seq_len(draws(set)), function(draw) {
    draw_seed <- seed + 100 * fold + draw
    tuned <- suppressWarnings(
      cawi_tune(x, y, model, grid, metric = "rmse", init = init, inputs = NULL, seed = draw_seed,
                threads = 1)
    )
    vapply(hidden, function(nodes) {
      part <- tuned$results[tuned$results$hidden == nodes, ]
      best <- part[which.min(part$mean), ]
      fit <- suppressWarnings(getFromNamespace(paste0("cawi_", model), "cawi")(
        x, y, hidden = nodes, activation = best$activation, spread = best$spread,
        lambda = best$lambda, init = init, seed = draw_seed, threads = 1
      ))
      mean(as.character(predict(fit, set$x[!train, , drop = FALSE])) == as.character(set$y[!train]))
    }, numeric(1))
  }, numeric(length(hidden))))
}

arguments <- commandArgs(trailingOnly = TRUE)
path <- arguments[1L]
part <- if (length(arguments) > 1L) as.integer(strsplit(arguments[2L], "/")[[1L]]) else c(1L, 1L)
open_record(path, c("set", "fold", "model", "init", "hidden", "accuracy"), "cawi")
sets <- study_sets(function(m, d) m <= 6000 & d >= 18)
for (name in sets[seq_along(sets) %% part[2L] == part[1L] - 1L]) {
  set <- read_set(name)
  for (fold in folds(set)) for (model in c("elm", "rvfl")) for (init in families) {
    done <- read_record(path)
    if (any(done$set == name & done$fold == fold & done$model == model & done$init == init)) next
    accuracy <- fold_accuracies(set, fold, model, init)
    cat(sprintf("%s,%d,%s,%s,%d,%.6f\n", name, fold, model, init, hidden, accuracy), file = path,
        append = TRUE, sep = "")
  }
}
