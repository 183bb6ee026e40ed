# The package at its best on the Vehicle data: cawi_auto() beside the five models with their
# defaults and, where it is installed, ranger; and whether weights that follow the features or the
# gradients pay. Prints held-out accuracies with 95 % intervals and times, and writes a picture:
#   Rscript demo.R [output.png]
library(cawi)

output <- c(commandArgs(trailingOnly = TRUE), "cawi-demo.png")[1L]
data("Vehicle", package = "mlbench")
x <- as.matrix(Vehicle[, 1:18])
y <- Vehicle$Class
splits <- 10L
rows <- lapply(seq_len(splits), function(split) {
  set.seed(split)
  sample(nrow(x), 600)
})
cat(sprintf("Vehicle silhouettes: 600 rows to learn from, %d held out, %d features, %d classes;",
            nrow(x) - 600L, ncol(x), nlevels(y)), splits, "splits\n\n")

# Accuracy in percent and seconds of an arm on one split.
run <- function(arm, split) {
  train <- rows[[split]]
  seconds <- system.time(
    predicted <- arm(x[train, ], y[train], x[-train, ], split)
  )[["elapsed"]]
  c(accuracy = 100 * mean(predicted == y[-train]), seconds = seconds)
}

of <- function(fit, ...) {
  function(x, y, new_x, seed) predict(fit(x, y, ..., seed = seed), new_x)
}
arms <- list(cawi_auto = of(cawi_auto), ELM = of(cawi_elm), RVFL = of(cawi_rvfl),
             dRVFL = of(cawi_drvfl), edRVFL = of(cawi_edrvfl), BLS = of(cawi_bls))
if (requireNamespace("ranger", quietly = TRUE)) {
  arms$ranger <- function(x, y, new_x, seed) {
    predict(ranger::ranger(x = x, y = y, seed = seed), new_x)$predictions
  }
}

# Narrow networks without direct links, whose nodes read all features.
hidden <- c(10, 20, 40, 80)
inits <- c("iid", "gaussian", "gradient")
narrow <- expand.grid(init = inits, hidden = hidden, stringsAsFactors = FALSE)

bar <- if (isatty(stdout())) {
  utils::txtProgressBar(max = splits * (length(arms) + nrow(narrow)), style = 3)
}
over_splits <- function(arm) {
  vapply(seq_len(splits), function(split) {
    result <- run(arm, split)
    if (!is.null(bar)) utils::setTxtProgressBar(bar, utils::getTxtProgressBar(bar) + 1)
    result
  }, numeric(2))
}
results <- lapply(arms, over_splits)
aligned <- lapply(seq_len(nrow(narrow)), function(i) {
  over_splits(of(cawi_elm, hidden = narrow$hidden[i], init = narrow$init[i], rounds = 1,
                 inputs = NULL, marginal = "normal"))
})
if (!is.null(bar)) close(bar)

# Mean and half the width of its 95 % interval over the splits.
interval <- function(values) {
  c(mean = mean(values), half = stats::qt(0.975, length(values) - 1) * stats::sd(values) /
      sqrt(length(values)))
}
accuracy <- t(vapply(results, function(result) interval(result["accuracy", ]), numeric(2)))
seconds <- vapply(results, function(result) mean(result["seconds", ]), numeric(1))
table <- data.frame(method = rownames(accuracy), accuracy = accuracy[, "mean"],
                    from = accuracy[, "mean"] - accuracy[, "half"],
                    to = accuracy[, "mean"] + accuracy[, "half"], milliseconds = 1000 * seconds)
table <- table[order(-table$accuracy), ]
cat("\nHeld-out accuracy (%) with 95 % intervals, and time of fit and prediction:\n")
print(table, digits = 3, row.names = FALSE)

# Gains are compared split by split.
gains <- do.call(rbind, lapply(which(narrow$init != "iid"), function(i) {
  base <- aligned[[which(narrow$init == "iid" & narrow$hidden == narrow$hidden[i])]]
  gain <- interval(aligned[[i]]["accuracy", ] - base["accuracy", ])
  data.frame(weights = narrow$init[i], hidden = narrow$hidden[i], gain = gain[["mean"]],
             from = gain[["mean"]] - gain[["half"]], to = gain[["mean"]] + gain[["half"]])
}))
cat("\nELM: gain over i.i.d. weights in points, with 95 % intervals:\n")
print(gains[order(gains$weights, gains$hidden), ], digits = 2, row.names = FALSE)

png(output, width = 1700, height = 800, res = 140)
par(mfrow = c(1, 2), mar = c(4.5, 6, 3, 1), las = 1)
place <- rev(seq_len(nrow(table)))
plot(table$accuracy, place, xlim = range(table$from, table$to), type = "n", yaxt = "n",
     xlab = "held-out accuracy, %", ylab = "", main = "Vehicle data: 10 splits, 95 % intervals")
abline(h = place, col = "grey92")
color <- ifelse(table$method == "cawi_auto", "#E69F00",
                ifelse(table$method == "ranger", "grey40", "#2c7fb8"))
segments(table$from, place, table$to, place, col = color, lwd = 3)
points(table$accuracy, place, pch = 21, cex = 1.6, bg = color, col = "white")
axis(2, place, table$method, tick = FALSE)

colors <- c(gaussian = "#2c7fb8", gradient = "#E69F00")
plot(range(hidden), range(gains$from, gains$to), type = "n", log = "x", xaxt = "n",
     xlab = "hidden nodes", ylab = "gain over i.i.d. weights, points",
     main = "Does alignment pay? Narrow ELM")
axis(1, hidden)
abline(h = 0, col = "grey60")
for (weights in names(colors)) {
  part <- gains[gains$weights == weights, ]
  at <- part$hidden * if (weights == "gaussian") 0.98 else 1.02
  segments(at, part$from, at, part$to, col = colors[[weights]], lwd = 2)
  lines(at, part$gain, type = "b", pch = 16, col = colors[[weights]])
}
legend("topright", c("Gaussian copula", "gradients"), col = colors, pch = 16, lwd = 2, bty = "n")
invisible(dev.off())
cat("\nPicture:", output, "\n")
