# Quality of class probabilities: log-loss (probabilities clipped at 1e-6), Brier score and accuracy
# of cawi_rvfl() with 100 nodes that read all features on 20 sets, shuffled stratified five-fold
# outer folds.
#   CAWI_DATA=<folder> Rscript calibration.R [record] [arms] [sets]
# runs the arms (comma separated; all by default) on the sets (likewise) that the record does not
# have yet and prints tables of all that it has. Without a record, or with "-", the rows go to a
# temporary file.
# Arms:
#   cawi         predict(type = "prob")
#   temperature, shift, vector, isotonic
#                other maps from the same scores, each fitted to the leave-one-out scores of the
#                training rows
#   linear       glm() for two classes, nnet::multinom() for more
#   glmnet       cv.glmnet() with five folds, at lambda.min
#   ranger       probability forest with the defaults
#   truth        the probabilities that the data were drawn with, where they are known
suppressPackageStartupMessages(library(cawi))
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "bench-tools.R"))
source(file.path(here, "..", "tools", "study-tools.R"))
options(cawi.threads = 1L)
seed <- 42

# Eleven sets whose smallest class has less than 5 % of the rows, then nine whose smallest has at
# least half of its even share.
rare_sets <- c("zoo", "ecoli", "annealing", "oocytes_trisopterus_states_5b", "yeast",
               "wine_quality_red", "cardiotocography_10clases", "page_blocks", "thyroid",
               "rare_weak", "rare_strong")
even_sets <- c("seeds", "ionosphere", "statlog_vehicle", "conn_bench_vowel_deterding",
               "led_display", "contrac", "statlog_image", "abalone", "waveform")

# ---- data ----

# A logistic model of two classes, 2.5 % of the rows in the second.
rare_set <- function(strength, rows = 2000) {
  set.seed(7)
  x <- matrix(rnorm(8 * rows), rows, dimnames = list(NULL, paste0("f", 1:8)))
  eta <- strength * drop(x %*% c(1, -1, 0.8, 0.5, 0, 0, 0, 0))
  shift <- uniroot(function(b) mean(plogis(eta + b)) - 0.025, c(-40, 10))$root
  truth <- plogis(eta + shift)
  list(x = x, y = factor(ifelse(runif(rows) < truth, "yes", "no")),
       truth = cbind(no = 1 - truth, yes = truth))
}

calibration_set <- function(name) {
  switch(name, rare_weak = rare_set(1), rare_strong = rare_set(2), read_set(name))
}

# Small sets are split more often.
repeats <- function(y) if (length(y) < 500L) 4L else if (length(y) < 1500L) 2L else 1L

# ---- maps from scores to probabilities ----

log_softmax <- function(z) {
  z <- z - z[cbind(seq_len(nrow(z)), max.col(z, "first"))]
  z - log(rowSums(exp(z)))
}

softmax_map <- function(scores, slope, shift) {
  exp(log_softmax(scores * rep(slope, each = nrow(scores)) + rep(shift, each = nrow(scores))))
}

best_temperature <- function(scores, classes) {
  truth <- cbind(seq_along(classes), classes)
  loss <- function(log_t) -sum(log_softmax(exp(log_t) * scores)[truth])
  exp(optimize(loss, c(-5, 6), tol = 1e-6)$minimum)
}

map_temperature <- function(scores, classes, fresh) {
  softmax_map(fresh, rep(best_temperature(scores, classes), ncol(fresh)), numeric(ncol(fresh)))
}

# Log-loss of softmax(slope_k * score_k + shift_k), from the temperature as the start. A touch of
# penalty keeps separable data finite.
map_logistic <- function(own_slopes) {
  function(scores, classes, fresh) {
    count <- ncol(scores)
    start <- best_temperature(scores, classes)
    truth <- cbind(seq_along(classes), classes)
    onehot <- matrix(0, nrow(scores), count)
    onehot[truth] <- 1
    slopes <- function(p) start * (if (own_slopes) p[seq_len(count)] else rep(p[1L], count))
    shifts <- function(p) p[length(p) - count + seq_len(count)]
    first <- c(rep(1, if (own_slopes) count else 1L), numeric(count))
    loss <- function(p) {
      prob <- softmax_map(scores, slopes(p), shifts(p))
      -sum(log(pmax(prob[truth], 1e-300))) + 0.005 * sum((p - first)^2)
    }
    gradient <- function(p) {
      gap <- softmax_map(scores, slopes(p), shifts(p)) - onehot
      slope <- start * colSums(gap * scores)
      c(if (own_slopes) slope else sum(slope), colSums(gap)) + 0.01 * (p - first)
    }
    p <- optim(first, loss, gradient, method = "BFGS",
               control = list(maxit = 1000, reltol = 1e-10))$par
    softmax_map(fresh, slopes(p), shifts(p))
  }
}

# One class against the others by pooling of adjacent violators, linear between the points; then
# divided by the sum of the classes.
map_isotonic <- function(scores, classes, fresh) {
  prob <- vapply(seq_len(ncol(scores)), function(k) {
    at <- sort(unique(scores[, k]))
    place <- match(scores[, k], at)
    # Equal scores have one value: their mean, as often as they are there.
    counts <- tabulate(place)
    fitted <- isoreg(rep(tapply(classes == k, place, mean), counts))$yf[cumsum(counts)]
    if (length(at) == 1L) return(rep(fitted, nrow(fresh)))
    approx(at, fitted, fresh[, k], rule = 2)$y
  }, numeric(nrow(fresh)))
  prob <- matrix(prob, nrow(fresh))
  prob[rowSums(prob) <= 0, ] <- 1
  prob / rowSums(prob)
}

# ---- arms: probabilities of the fresh rows, a column for each level of y ----

fit_network <- function(x, y, seed) {
  suppressWarnings(cawi_rvfl(x, y, hidden = 100, scale = "paper", inputs = NULL, seed = seed))
}

arm_map <- function(map) {
  function(x, y, fresh, seed) {
    fit <- fit_network(x, y, seed)
    loo <- fit$readouts[[1L]]$loo
    if (is.null(loo$scores)) {
      stop("This version of the package keeps no leave-one-out scores.", call. = FALSE)
    }
    map(unname(loo$scores), as.integer(y)[loo$rows], unname(predict(fit, fresh, type = "score")))
  }
}

arm_linear <- function(x, y, fresh, seed) {
  vary <- apply(x, 2L, function(v) max(v) > min(v))
  train <- data.frame(y = y, x[, vary, drop = FALSE])
  fresh <- data.frame(fresh[, vary, drop = FALSE])
  if (nlevels(y) == 2L) {
    # Separable data and collinear columns warn; what they predict is what is asked.
    p <- suppressWarnings(predict(glm(y ~ ., binomial, train), fresh, type = "response"))
    return(cbind(1 - p, p))
  }
  matrix(predict(nnet::multinom(y ~ ., train, MaxNWts = 1e5, maxit = 500, trace = FALSE), fresh,
                 type = "probs"),
         nrow(fresh))
}

# glmnet takes no class of one row, not in an inner fold either: classes of one or two get no
# probability.
arm_glmnet <- function(x, y, fresh, seed) {
  known <- table(y) > 2L
  use <- known[as.integer(y)]
  y <- droplevels(y[use])
  folds <- cawi_folds(y, 5, seed = seed)[, 1L]
  family <- if (nlevels(y) == 2L) "binomial" else "multinomial"
  fit <- suppressWarnings(
    glmnet::cv.glmnet(x[use, , drop = FALSE], y, foldid = folds, family = family)
  )
  # Probabilities of its own are NaN where a logit is too large for exp().
  z <- predict(fit, fresh, s = "lambda.min", type = "link")
  prob <- matrix(0, nrow(fresh), length(known))
  prob[, known] <- exp(log_softmax(if (nlevels(y) == 2L) cbind(0, z) else matrix(z, nrow(fresh))))
  prob
}

arm_ranger <- function(x, y, fresh, seed) {
  fit <- ranger::ranger(x = x, y = y, probability = TRUE, seed = seed, num.threads = 1L)
  predict(fit, fresh, num.threads = 1L)$predictions[, levels(y), drop = FALSE]
}

arms <- list(
  cawi = function(x, y, fresh, seed) predict(fit_network(x, y, seed), fresh, type = "prob"),
  temperature = arm_map(map_temperature), shift = arm_map(map_logistic(FALSE)),
  vector = arm_map(map_logistic(TRUE)), isotonic = arm_map(map_isotonic),
  linear = arm_linear, glmnet = arm_glmnet, ranger = arm_ranger, truth = NULL
)

# ---- units of work ----

# Losses of a fold. Rows of a class that the training part lacks are left out: no arm can know it.
run_unit <- function(set, repetition, fold, arm) {
  part <- cawi_folds(set$y, 5, seed = seed + 1000 * repetition)[, 1L]
  train <- part != fold
  y <- droplevels(set$y[train])
  test <- !train & set$y %in% levels(y)
  prob <- if (arm == "truth") {
    set$truth[test, levels(y), drop = FALSE]
  } else {
    as.matrix(
      arms[[arm]](set$x[train, , drop = FALSE], y, set$x[test, , drop = FALSE], seed + fold)
    )
  }
  truth <- match(set$y[test], levels(y))
  hit <- cbind(seq_along(truth), truth)
  onehot <- matrix(0, nrow(prob), ncol(prob))
  onehot[hit] <- 1
  c(log_loss = mean(-log(pmin(pmax(prob[hit], 1e-6), 1 - 1e-6))),
    brier = mean(rowSums((prob - onehot)^2)),
    accuracy = mean(max.col(unname(prob), "first") == truth))
}

run_set <- function(name, wanted, path) {
  set <- calibration_set(name)
  for (arm in wanted[wanted != "truth" | !is.null(set$truth)]) {
    for (repetition in seq_len(repeats(set$y))) for (fold in 1:5) {
      done <- read_record(path)
      here <- done$set == name & done$repetition == repetition & done$fold == fold
      if (any(here & done$arm == arm)) next
      losses <- run_unit(set, repetition, fold, arm)
      cat(sprintf("%s,%d,%d,%s,%.6f,%.6f,%.6f\n", name, repetition, fold, arm, losses[["log_loss"]],
                  losses[["brier"]], losses[["accuracy"]]), file = path, append = TRUE)
    }
  }
}

# ---- tables ----

print_tables <- function(record) {
  known <- intersect(c(rare_sets, even_sets, unique(record$set)), record$set)
  shown <- intersect(names(arms), record$arm)
  means <- function(what) {
    tapply(record[[what]], list(record$set, record$arm), mean)[known, shown, drop = FALSE]
  }
  with_mean <- function(table) {
    full <- table[, colSums(is.na(table)) == 0, drop = FALSE]
    rbind(table, mean = colMeans(full)[colnames(table)])
  }
  for (what in c("log_loss", "brier")) {
    cat("\nMean", what, "\n")
    print(round(with_mean(means(what)), 4))
  }
  cat("\nAccuracy, % (temperature: the class of the largest score)\n")
  print(round(with_mean(100 * means("accuracy")), 2))
  losses <- means("log_loss")
  maps <- intersect(c("temperature", "vector", "isotonic"), shown)
  if (!"cawi" %in% shown || length(maps) < 3L) return(invisible())
  ratios <- data.frame(to_best_map = losses[, "cawi"] / apply(losses[, maps], 1L, min),
                       losses[, "cawi"] / losses[, setdiff(shown, "cawi"), drop = FALSE])
  cat("\nLog-loss of cawi over that of the best of temperature, vector and isotonic,",
      "and of each arm\n")
  print(round(rbind(ratios, geometric_mean = exp(colMeans(log(ratios), na.rm = TRUE))), 3))
  cat(sprintf(paste("\n%d of %d sets are within 1.02 of the best map;",
                    "of %d even sets %d are within 1.01 of temperature\n"),
              sum(ratios$to_best_map <= 1.02), nrow(ratios), sum(known %in% even_sets),
              sum(ratios$temperature[known %in% even_sets] <= 1.01)))
}

path <- script_record()
open_record(path, c("set", "repetition", "fold", "arm", "log_loss", "brier", "accuracy"),
            c("cawi", "nnet", "glmnet", "ranger"))
for (name in script_argument(3L, c(rare_sets, even_sets))) {
  run_set(name, script_argument(2L, names(arms)), path)
}
options(width = 160)
print_tables(read_record(path))
