# The whole grid against separate fits, as a ratio in one run, and how its cost grows with the rows:
#   Rscript tune.R [folder for the record]
library(cawi)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "tools", "bench-tools.R"))
families <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")

make_data <- function(m, d = 16) {
  set.seed(1)
  x <- matrix(rnorm(m * d), m) %*% chol(0.5 + 0.5 * diag(d))
  truth <- cbind(sin(2 * x[, 1L]) + x[, 2L], x[, 3L] * x[, 4L], cos(2 * x[, 5L]))
  list(x = x, y = factor(max.col(truth + matrix(rnorm(3 * m, sd = 0.5), m))))
}

grid <- cawi_grid_paper("rvfl")
combinations <- as.data.frame(grid)
data <- make_data(1000)
tune <- function(data, init = "iid", resampling = 5) {
  suppressWarnings(cawi_tune(data$x, data$y, "rvfl", grid, resampling = resampling, init = init,
                             seed = 42, threads = 2))
}

# A random hundredth of the 5 x 1,001 fits, each with its predictions, scaled up; and their
# accuracies.
separate_row <- function() {
  fold <- cawi_folds(data$y, 5, seed = 7)[, 1L]
  tuned <- tune(data, resampling = fold)
  set.seed(2)
  sample <- data.frame(combination = sample(nrow(combinations), 50L),
                       fold = sample(5L, 50L, replace = TRUE))
  accuracy <- function(i) {
    config <- combinations[sample$combination[i], ]
    train <- fold != sample$fold[i]
    fit <- cawi_rvfl(data$x[train, ], data$y[train], hidden = config$hidden,
                     activation = config$activation, scale = 1, inputs = NULL,
                     lambda = config$lambda, seed = 42, threads = 2)
    # The grid measures the class of the largest score.
    best <- max.col(predict(fit, data$x[!train, ], type = "score"))
    mean(best == as.integer(data$y[!train]))
  }
  alone <- vapply(seq_len(nrow(sample)), accuracy, numeric(1))
  # In turns, so that a slow spell of the machine is one of both.
  turns <- replicate(15L, c(best_seconds(tune(data, resampling = fold), times = 1L),
                            best_seconds(for (i in seq_len(nrow(sample))) accuracy(i), times = 1L)))
  seconds <- min(turns[1L, ])
  single <- min(turns[2L, ])
  together <- tuned$parts$mean[match(paste(sample$combination, sample$fold),
                                     paste(tuned$parts$combination, tuned$parts$fold))]
  whole <- single / nrow(sample) * 5 * nrow(combinations)
  data.frame(what = "paper's RVFL grid, 5 folds, 1,000 x 16, i.i.d.", seconds = seconds,
             peer = "separate fits (1 % timed, scaled)", peer_seconds = whole,
             ratio = whole / seconds, goal = ">= 200",
             largest_difference = max(abs(alone - together)))
}

plain_row <- function(what, seconds) {
  data.frame(what = what, seconds = seconds, peer = NA, peer_seconds = NA, ratio = NA, goal = NA,
             largest_difference = NA)
}

all_distributions <- plain_row("the same, i.i.d. and all five families",
                               best_seconds(for (init in families) tune(data, init), times = 3L))
growth <- lapply(c(1000, 4000, 16000), function(m) {
  larger <- make_data(m)
  rbind(
    plain_row(sprintf("paper's RVFL grid, 5 folds, %d rows", m),
              best_seconds(tune(larger), times = 3L)),
    plain_row(sprintf("paper's RVFL grid, leave-one-out, %d rows", m),
              best_seconds(tune(larger, resampling = "loo"), times = 3L))
  )
})
report("tune", do.call(rbind, c(list(separate_row(), all_distributions), growth)), character())
