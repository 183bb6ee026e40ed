# Tables and figures of the studies from their records:
#   Rscript summarize.R <accuracy record> <hidden record> [folder for figures]
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "study-tools.R"))
arguments <- commandArgs(trailingOnly = TRUE)

# Sets x arms, means over the folds; only sets that every arm has whole.
set_means <- function(record) {
  count <- table(record$set, record$arm)
  whole <- rownames(count)[apply(count == 5L, 1L, all)]
  record <- record[record$set %in% whole, ]
  tapply(record$accuracy, list(record$set, record$arm), mean)
}

accuracy_table <- function(means, best) {
  # Those of the others against the best are losses and wins of the best.
  compared <- cawi::cawi_compare(means, best)
  pairs <- compared$pairs
  versus <- data.frame(arm = pairs$method, wins = pairs$losses, ties = pairs$ties,
                       losses = pairs$wins, p = pairs$p)
  table <- data.frame(arm = colnames(means), accuracy = 100 * colMeans(means),
                      rank = compared$ranks)
  table <- merge(table, versus, all.x = TRUE)
  table[order(-table$accuracy), ]
}

time_table <- function(record, best) {
  cpu <- tapply(record$cpu, list(record$set, record$arm), sum)
  data.frame(arm = colnames(cpu), total_cpu = colSums(cpu),
             mean_ratio_to_best = colMeans(cpu / cpu[, best]),
             geometric_ratio = exp(colMeans(log(cpu / cpu[, best]))))
}

# Gain over i.i.d. per number of hidden nodes with its standard error over sets, in points, and the
# saving: the number of nodes with i.i.d. weights that reaches the accuracy of the copula arm at h,
# on the mean curve, divided by h.
hidden_table <- function(record) {
  means <- aggregate(accuracy ~ set + model + init + hidden, record, mean)
  do.call(rbind, lapply(split(means, list(means$model, means$init)), function(part) {
    if (part$init[1L] == "iid") return(NULL)
    base <- means[means$model == part$model[1L] & means$init == "iid", ]
    both <- merge(part, base, by = c("set", "hidden"), suffixes = c("", "_iid"))
    curve <- aggregate(accuracy ~ hidden, base[base$set %in% both$set, ], mean)
    do.call(rbind, lapply(split(both, both$hidden), function(at) {
      gain <- 100 * (at$accuracy - at$accuracy_iid)
      data.frame(model = at$model[1L], init = at$init[1L], hidden = at$hidden[1L], sets = nrow(at),
                 gain = mean(gain), se = sd(gain) / sqrt(length(gain)),
                 saving = equal_hidden(curve, mean(at$accuracy)) / at$hidden[1L])
    }))
  }))
}

# Where the mean curve of i.i.d. weights reaches an accuracy, in logarithms of the number of nodes;
# beyond the last number it is only known to be larger.
equal_hidden <- function(curve, accuracy) {
  best <- cummax(curve$accuracy)
  if (accuracy > max(best)) return(Inf)
  if (accuracy <= best[1L]) return(curve$hidden[1L])
  exp(approx(best, log(curve$hidden), accuracy, ties = "min")$y)
}

# Where the gain is: ELM with ten nodes, Gaussian copula, by number of features and by the mean of
# |tau|.
gain_by_kind <- function(record) {
  means <- aggregate(accuracy ~ set + init,
                     record[record$model == "elm" & record$hidden == 10, ], mean)
  gain <- 100 * (tapply(means$accuracy[means$init == "gaussian"],
                        means$set[means$init == "gaussian"], mean) -
                   tapply(means$accuracy[means$init == "iid"],
                          means$set[means$init == "iid"], mean))
  kind <- do.call(rbind, lapply(names(gain), function(name) {
    x <- read_set(name)$x
    tau <- cawi::cawi_kendall(x[seq_len(min(nrow(x), 2000L)), apply(x, 2L, sd) > 0])
    data.frame(set = name, features = ncol(x), tau = mean(abs(tau[lower.tri(tau)])),
               gain = gain[[name]])
  }))
  kind$d <- cut(kind$features, c(0, 24, 36, Inf), c("18 to 24", "25 to 36", "37 and more"))
  kind$dependence <- cut(kind$tau, quantile(kind$tau, 0:3 / 3), c("weak", "middle", "strong"),
                         include.lowest = TRUE)
  print(kind[order(-kind$gain), c("set", "features", "tau", "gain")], digits = 2, row.names = FALSE)
  for (by in c("d", "dependence")) {
    part <- split(kind, kind[[by]])
    table <- data.frame(by = by, group = names(part), sets = vapply(part, nrow, 1L),
                        tau = vapply(part, function(p) mean(p$tau), 1),
                        gain = vapply(part, function(p) mean(p$gain), 1),
                        se = vapply(part, function(p) sd(p$gain) / sqrt(nrow(p)), 1))
    print(table, digits = 2, row.names = FALSE)
  }
  cat("Spearman correlation of gain with features and with tau:",
      round(cor(kind$gain, kind[c("features", "tau")], method = "spearman"), 2), "\n")
}

hidden_figure <- function(record, path) {
  means <- aggregate(accuracy ~ set + model + init + hidden, record, mean)
  curves <- aggregate(accuracy ~ model + init + hidden, means, mean)
  table <- hidden_table(record)
  inits <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")
  colors <- c("grey30", grDevices::hcl.colors(5, "Dark 3"))
  png(path, 2000, 1500, res = 200)
  on.exit(dev.off())
  par(mfrow = c(2, 2), mar = c(4, 4.2, 2.5, 1), las = 1)
  for (model in c("elm", "rvfl")) {
    part <- curves[curves$model == model, ]
    plot(range(part$hidden), 100 * range(part$accuracy), log = "x", type = "n", xaxt = "n",
         xlab = "hidden nodes", ylab = "accuracy, %",
         main = paste(toupper(model), "- mean of", length(unique(record$set)), "sets"))
    axis(1, unique(part$hidden))
    for (i in seq_along(inits)) {
      line <- part[part$init == inits[i], ]
      lines(line$hidden, 100 * line$accuracy, type = "b", pch = 16, cex = 0.7, col = colors[i],
            lwd = if (i == 1L) 2.5 else 1.5)
    }
    if (model == "elm") {
      legend("bottomright", c("i.i.d.", inits[-1L]), col = colors, lwd = 2, pch = 16,
             bty = "n", cex = 0.9)
    }
    gains <- table[table$model == model, ]
    plot(range(gains$hidden), range(gains$gain - gains$se, gains$gain + gains$se), log = "x",
         type = "n", xaxt = "n", xlab = "hidden nodes", ylab = "gain over i.i.d., points",
         main = paste(toupper(model), "- gain with standard error"))
    axis(1, unique(gains$hidden))
    abline(h = 0, col = "grey60")
    for (i in seq_along(inits)[-1L]) {
      line <- gains[gains$init == inits[i], ]
      x <- line$hidden * 1.03^(i - 4)
      segments(x, line$gain - line$se, x, line$gain + line$se, col = colors[i])
      lines(x, line$gain, type = "b", pch = 16, cex = 0.7, col = colors[i])
    }
  }
}

accuracy <- read_record(arguments[1L])
means <- set_means(accuracy)
cat(nrow(means), "sets\n")
print(accuracy_table(means, "auto"), digits = 4, row.names = FALSE)
cat("\nCPU seconds of all folds, and ratios to cawi_auto\n")
print(time_table(accuracy[accuracy$set %in% rownames(means), ], "auto"), digits = 3,
      row.names = FALSE)
if (length(arguments) > 1L) {
  hidden <- read_record(arguments[2L])
  cat("\nGain over i.i.d. by hidden nodes\n")
  print(hidden_table(hidden), digits = 3, row.names = FALSE)
  if (nzchar(Sys.getenv("CAWI_DATA"))) gain_by_kind(hidden)
  if (length(arguments) > 2L) hidden_figure(hidden, file.path(arguments[3L], "hidden.png"))
}
