# Do weights that follow the features pay? RVFL with direct links and normal weights at five numbers
# of hidden nodes, beside i.i.d. weights of the same model at the same spreads.
#   CAWI_DATA=<folder> Rscript alignment.R <record> [arms] [part/parts] [seeds] [folds]
# runs the units that the record does not have yet; with "1/2" and "2/2" two processes share the
# sets, each with a record of its own. alignment-summary.R prints the tables.
#
# The arm named before the study is `gradient`. A pilot chose it: folds of another seed (7), every
# second set.
#
# Everything is chosen inside the training part: activation, spread, penalty and strength by exact
# leave-one-out squared error, rounds of gradients on inner folds that have not seen the metric.
#   iid              independent weights
#   gaussian, ...    weights from a copula of that family, followed in full
#   strength         Gaussian copula, strength chosen among -1, -1/2, 0, 1/2, 1
#   strength_x       the same, and the direct links see the transformed features, too: x times the
#                    root of the correlations
#   gradient         weights that follow the gradients of the scores, rounds chosen
#   gradient_x       the same, and the direct links see x times the root of the metric
#   both             gradients, whose strength is chosen, too
#   infinite         hidden = Inf: sine, random phase, independent Cauchy weights (one line per
#                    fold: there is no number of nodes)
#   infinite_elm     the same without direct links
#   infinite_aligned hidden = Inf: sine, random phase, normal weights, Gaussian copula
library(cawi)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "bench-tools.R"))
source(file.path(here, "..", "tools", "study-tools.R"))
threads <- 1L
counts <- c(20, 50, 100, 200, 400)
activations <- c("sigmoid", "radbas")
spreads <- c(0.5, 1, 2, 4)
lambdas <- 10^(-4:3)

# The best combination of every number of nodes by leave-one-out: a list of arguments each.
chosen <- function(x, y, seed, init, strength = 1) {
  grid <- cawi_grid(hidden = counts, activation = activations, spread = spreads, lambda = lambdas)
  tuned <- cawi_tune(x, y, "rvfl", grid, metric = "rmse", init = init, strength = strength,
                     inputs = NULL,
                     marginal = "normal", seed = seed, threads = threads)
  results <- tuned$results
  if (is.null(results$strength)) results$strength <- strength
  lapply(counts, function(hidden) {
    part <- results[results$hidden == hidden, ]
    best <- part[order(part$mean, -part$lambda), ][1L, ]
    list(hidden = hidden, activation = best$activation, spread = best$spread,
         lambda = best$lambda, strength = best$strength)
  })
}

fit_with <- function(x, y, seed, arguments) {
  do.call(cawi_rvfl, c(list(x, y, marginal = "normal", inputs = NULL, seed = seed,
                            threads = threads), arguments))
}

class_of <- function(fit, new_x) {
  scores <- predict(fit, new_x, type = "score", threads = threads)
  colnames(scores)[max.col(scores, "first")]
}

# Arms give a matrix of predicted classes, one column per number of nodes.
predict_all <- function(new_x, fits) vapply(fits, class_of, character(nrow(new_x)), new_x)

arm_copula <- function(init, strength = 1) {
  function(x, y, new_x, seed) {
    best <- chosen(x, y, seed, init, strength)
    predict_all(new_x, lapply(best, function(arguments) {
      fit_with(x, y, seed, c(arguments, list(init = init)))
    }))
  }
}

# The features as the direct links of the prototypes saw them: standardized, times the root of the
# matrix that the weights follow.
rotated <- function(fit, x) {
  layer <- fit$network$layers[[1L]]
  z <- scale(x, fit$network$center, fit$network$sd)
  if (layer$copula$family == "independence") return(z)
  relevance <- if (is.null(layer$relevance)) rep(1, ncol(x)) else layer$relevance
  system <- eigen(relevance * t(relevance * layer$copula$cor), symmetric = TRUE)
  z %*% system$vectors %*% (sqrt(pmax(system$values, 0)) * t(system$vectors))
}

# The choice of another arm, with i.i.d. weights on the rotated features.
on_rotated <- function(x, y, new_x, seed, fit, arguments) {
  arguments[c("init", "strength", "lambda", "rounds")] <- NULL
  own <- fit_with(rotated(fit, x), y, seed,
                  c(arguments, list(lambda = lambdas, standardize = FALSE)))
  class_of(own, rotated(fit, new_x))
}

arm_strength_x <- function(x, y, new_x, seed) {
  best <- chosen(x, y, seed, "gaussian", "auto")
  vapply(best, function(arguments) {
    fit <- fit_with(x, y, seed, c(arguments, list(init = "gaussian")))
    on_rotated(x, y, new_x, seed, fit, arguments)
  }, character(nrow(new_x)))
}

# Activation and spread are those of i.i.d. weights: trying them all again would cost five times.
gradient_fits <- function(x, y, seed, strength = 1) {
  lapply(chosen(x, y, seed, "iid"), function(arguments) {
    arguments[c("lambda", "strength")] <- list(lambdas, strength)
    fit_with(x, y, seed, c(arguments, list(init = "gradient", rounds = "auto")))
  })
}

arm_gradient <- function(strength = 1) {
  function(x, y, new_x, seed) predict_all(new_x, gradient_fits(x, y, seed, strength))
}

arm_gradient_x <- function(x, y, new_x, seed) {
  vapply(gradient_fits(x, y, seed), function(fit) {
    spec <- fit$spec
    on_rotated(x, y, new_x, seed, fit, spec[c("hidden", "activation", "spread")])
  }, character(nrow(new_x)))
}

arm_infinite <- function(...) {
  function(x, y, new_x, seed) {
    fit <- cawi_rvfl(x, y, hidden = Inf, activation = "sine", bias = "phase", scale = "auto",
                     lambda = lambdas, ..., seed = seed, threads = threads)
    matrix(class_of(fit, new_x), ncol = 1L)
  }
}

families <- c("gaussian", "t", "clayton", "frank", "gumbel")
arms <- c(
  list(iid = arm_copula("iid")), stats::setNames(lapply(families, arm_copula), families),
  list(strength = arm_copula("gaussian", "auto"), strength_x = arm_strength_x,
       gradient = arm_gradient(), gradient_x = arm_gradient_x, both = arm_gradient("auto"),
       infinite = arm_infinite(marginal = "cauchy"),
       infinite_elm = arm_infinite(marginal = "cauchy", direct = FALSE),
       infinite_aligned = arm_infinite(marginal = "normal", init = "gaussian"))
)

run_unit <- function(set, fold, seed, arm) {
  outer <- cawi_folds(set$y, 5, seed = seed)[, 1L]
  train <- outer != fold
  clock <- proc.time()
  predicted <- suppressWarnings(
    arm(set$x[train, , drop = FALSE], droplevels(set$y[train]), set$x[!train, , drop = FALSE],
        seed + fold)
  )
  spent <- proc.time() - clock
  list(accuracy = colMeans(predicted == as.character(set$y[!train])),
       cpu = spent[["user.self"]] + spent[["sys.self"]])
}

path <- script_record()
wanted <- script_argument(2L, names(arms))
part <- as.integer(strsplit(script_argument(3L, "1/1"), "/")[[1L]])
seeds <- as.integer(script_argument(4L, c("42", "43")))
folds <- as.integer(script_argument(5L, c("1", "2")))
open_record(path, c("set", "seed", "fold", "arm", "hidden", "accuracy", "cpu"), "cawi")
sets <- study_sets(function(m, d) m <= 6000)
for (name in sets[seq_along(sets) %% part[2L] == part[1L] - 1L]) {
  set <- read_set(name)
  for (seed in seeds) for (fold in folds) for (arm in wanted) {
    done <- read_record(path)
    if (any(done$set == name & done$seed == seed & done$fold == fold & done$arm == arm)) next
    result <- run_unit(set, fold, seed, arms[[arm]])
    hidden <- if (length(result$accuracy) == 1L) Inf else counts
    cat(sprintf("%s,%d,%d,%s,%.0f,%.6f,%.3f\n", name, seed, fold, arm, hidden, result$accuracy,
                result$cpu / length(hidden)), file = path, append = TRUE, sep = "")
  }
}
