# Fits all five models with i.i.d. and with copula-aligned weights to the Vehicle data, prints
# held-out accuracies and times, and writes a picture: Rscript demo.R [output.png]
library(cawi)

output <- c(commandArgs(trailingOnly = TRUE), "cawi-demo.png")[1L]
data("Vehicle", package = "mlbench")
x <- as.matrix(Vehicle[, 1:18])
y <- Vehicle$Class

models <- list(ELM = cawi_elm, RVFL = cawi_rvfl, dRVFL = cawi_drvfl, edRVFL = cawi_edrvfl,
               BLS = cawi_bls)
inits <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")
seeds <- 1:5
set.seed(1)
train <- sample(nrow(x), 600)
cat(sprintf(paste("Vehicle silhouettes: %d rows to learn from, %d held out,",
                  "%d features, %d classes; %d draws each\n\n"),
            length(train), nrow(x) - length(train), ncol(x), nlevels(y), length(seeds)))

runs <- expand.grid(seed = seeds, init = inits, model = names(models), stringsAsFactors = FALSE)
runs$accuracy <- runs$seconds <- NA_real_
bar <- if (isatty(stdout())) utils::txtProgressBar(max = nrow(runs), style = 3)
for (i in seq_len(nrow(runs))) {
  fit <- models[[runs$model[i]]]
  runs$seconds[i] <- system.time(
    model <- fit(x[train, ], y[train], init = runs$init[i], seed = runs$seed[i])
  )[["elapsed"]]
  runs$accuracy[i] <- 100 * mean(predict(model, x[-train, ]) == y[-train])
  if (!is.null(bar)) utils::setTxtProgressBar(bar, i)
}
if (!is.null(bar)) close(bar)

runs$model <- factor(runs$model, names(models))
runs$init <- factor(runs$init, inits)
mean_of <- function(value) tapply(value, list(runs$model, runs$init), mean)
cat("\nHeld-out accuracy (%), mean over the draws; lambda chosen by exact leave-one-out:\n")
print(round(mean_of(runs$accuracy), 1))
cat("\nTraining time (milliseconds), copula fit and choice of lambda included:\n")
print(round(1000 * mean_of(runs$seconds), 1))

# One row per model, one color per distribution of the weights: small dots are draws, large ones
# their means.
png(output, width = 1500, height = 1000, res = 150)
colors <- c("grey35", grDevices::hcl.colors(5, "Dark 3"))
par(mar = c(4.5, 5, 3.5, 8), xpd = FALSE)
height <- as.integer(runs$model) + (as.integer(runs$init) - 3.5) / 8
plot(runs$accuracy, height, type = "n", yaxt = "n", ylab = "",
     xlab = "held-out accuracy (%)", las = 1, ylim = c(length(models) + 0.5, 0.5),
     main = "Vehicle data: five randomized networks, six distributions of the weights")
abline(v = pretty(runs$accuracy), col = "grey90")
abline(h = seq_along(models)[-1L] - 0.5, col = "grey80")
axis(2, seq_along(models), names(models), las = 1, tick = FALSE)
points(runs$accuracy, height, pch = 16, cex = 0.7, col = adjustcolor(colors[runs$init], 0.45))
means <- aggregate(accuracy ~ init + model, runs, mean)
points(means$accuracy, as.integer(means$model) + (as.integer(means$init) - 3.5) / 8,
       pch = 21, cex = 1.6, bg = colors[means$init], col = "white")
legend("right", inset = -0.17, legend = c("i.i.d.", inits[-1L]), pch = 16, col = colors,
       bty = "n", xpd = TRUE, title = "weights")
invisible(dev.off())
cat("\nPicture:", output, "\n")
