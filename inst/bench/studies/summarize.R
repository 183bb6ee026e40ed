# Tables and figures of the studies from their records:
#   Rscript summarize.R [accuracy=<records>] [regression=<records>] [hidden=<record>]
#                       [arms=<arms>] [figures=<folder>]
# Records of one study are comma separated, and may be compressed. Where two have the same unit, the
# later one counts. Arms are all that the records have, unless some are named. A unit (a set and a
# fold, or a part of a split, of a seed) counts where every arm of the table has it.
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "study-tools.R"))
options(width = 150)

# Sets with more than 6,000 rows have a table of their own. There svm and glmnet see at most 5,000
# training rows, which the text beside the table has to say.
large_sets <- c("statlog_landsat", "thyroid", "pendigits", "nursery", "letter", "statlog_shuttle")

# ---- what all tables use ----

named_argument <- function(name) {
  found <- grep(paste0("^", name, "="), commandArgs(trailingOnly = TRUE), value = TRUE)
  if (length(found) == 0L) return(NULL)
  strsplit(sub("^[^=]*=", "", found[1L]), ",")[[1L]]
}

# Rows of several records, each unit once; `unit` is what is repeated within a set.
read_records <- function(paths, unit) {
  rows <- do.call(rbind, lapply(paths, read_record))
  rows <- rows[!duplicated(rows[c("set", "seed", unit, "arm")], fromLast = TRUE), ]
  wanted <- named_argument("arms")
  if (!is.null(wanted)) rows <- rows[rows$arm %in% wanted, ]
  rows$unit <- do.call(paste, rows[c("set", "seed", unit)])
  rows
}

# Rows of the units that every arm has.
common_units <- function(rows) {
  count <- table(rows$unit)
  rows[rows$unit %in% names(count)[count == length(unique(rows$arm))], ]
}

# Sets x arms: means over the units of a set.
set_means <- function(rows, what) tapply(rows[[what]], list(rows$set, rows$arm), mean)

describe <- function(rows, common, title) {
  cat(sprintf("\n%s: %d units of %d sets that all arms have\n", title,
              length(unique(common$unit)), length(unique(common$set))))
  count <- table(rows$arm)
  short <- count[count < max(count)]
  if (length(short) > 0L) {
    cat(sprintf("Units by arm, of %d: %s\n", max(count),
                paste(names(short), short, collapse = ", ")))
  }
}

# Processor time of all units, and its ratio to that of ranger: of the sums, and the geometric mean
# over sets.
time_table <- function(common) {
  cpu <- tapply(common$cpu, list(common$set, common$arm), sum)
  table <- data.frame(arm = colnames(cpu), cpu = colSums(cpu))
  if (!"ranger" %in% colnames(cpu)) return(table)
  # The clock has steps of a millisecond.
  ratio <- pmax(cpu, 1e-3) / pmax(cpu[, "ranger"], 1e-3)
  cbind(table, cpu_ratio = table$cpu / sum(cpu[, "ranger"]),
        typical_ratio = exp(colMeans(log(ratio))))
}

show <- function(table, digits = 4) print(table, digits = digits, row.names = FALSE)

# ---- accuracy ----

# Means, ranks and what `best` has against each of the others: those of the others against the best
# are losses and wins of the best.
accuracy_table <- function(common, best = "auto") {
  means <- set_means(common, "accuracy")
  logloss <- set_means(common, "logloss")
  table <- data.frame(arm = colnames(means), accuracy = 100 * colMeans(means),
                      logloss = colMeans(logloss))
  if (nrow(means) >= 3L && ncol(means) > 1L) {
    baseline <- if (best %in% colnames(means)) best else colnames(means)[1L]
    compared <- cawi::cawi_compare(means, baseline, seed = 1)
    table$rank <- compared$ranks[table$arm]
    table$logloss_rank <- cawi::cawi_compare(-logloss, baseline, seed = 1)$ranks[table$arm]
    if (baseline == best) table <- merge(table, versus(compared$pairs), all.x = TRUE)
  }
  table <- merge(table, time_table(common))
  table[order(-table$accuracy), ]
}

versus <- function(pairs) {
  data.frame(arm = pairs$method, wins = pairs$losses, ties = pairs$ties, losses = pairs$wins,
             p = signif(pairs$p, 2))
}

accuracy_tables <- function(rows) {
  small <- rows[!rows$set %in% large_sets, ]
  for (seed in sort(unique(small$seed))) {
    of_seed <- small[small$seed == seed, ]
    common <- common_units(of_seed)
    describe(of_seed, common, sprintf("Sets with at most 6,000 rows, seed %d", seed))
    if (nrow(common) > 0L) show(accuracy_table(common))
  }
  beside <- seeds_beside(small, "accuracy", function(means) 100 * colMeans(means))
  if (!is.null(beside)) {
    cat("\nAccuracy by seed\n")
    show(beside)
  }
  large_tables(rows[rows$set %in% large_sets, ])
}

# A figure of the arms that all seeds have, seed beside seed, each on its own common units.
seeds_beside <- function(rows, what, figure) {
  parts <- split(rows, rows$seed)
  arms <- Reduce(intersect, lapply(parts, function(part) unique(part$arm)))
  if (length(parts) < 2L || length(arms) == 0L) return(NULL)
  columns <- lapply(parts, function(part) {
    figure(set_means(common_units(part[part$arm %in% arms, ]), what))[arms]
  })
  data.frame(arm = arms, stats::setNames(columns, paste0("seed_", names(parts))),
             row.names = NULL)
}

# Too few sets for tests: accuracies set by set.
large_tables <- function(rows) {
  for (seed in sort(unique(rows$seed))) {
    of_seed <- rows[rows$seed == seed, ]
    common <- common_units(of_seed)
    describe(of_seed, common, sprintf("Sets with more than 6,000 rows, seed %d", seed))
    if (nrow(common) == 0L) next
    cat("Accuracy, %\n")
    print(round(100 * set_means(common, "accuracy"), 2))
    cat("Log-loss\n")
    print(round(set_means(common, "logloss"), 4))
    show(time_table(common), 3)
  }
}

# ---- regression ----

# Ratios are of the mean RMSE of a set: of `best` to the arm (geometric mean, and the sets won), and
# of the arm to the better of lm and ranger: where it is worst, and the sets where it is above 1.1.
regression_table <- function(common, best = "cawi") {
  means <- set_means(common, "rmse")
  table <- data.frame(arm = colnames(means))
  table$rank <- rowMeans(apply(means, 1L, rank))
  if (best %in% colnames(means)) {
    ratio <- means[, best] / means
    table$ratio <- exp(colMeans(log(ratio)))
    table$won <- colSums(ratio < 1)
    table$p <- vapply(colnames(means), function(arm) {
      if (arm == best) return(NA_real_)
      signif(stats::wilcox.test(log(ratio[, arm]), exact = FALSE)$p.value, 2)
    }, numeric(1))
  }
  if (has_simple_arms(means)) {
    against <- against_simple(means)
    table$above <- colSums(against > 1.1)
    worst <- apply(against, 2L, which.max)
    table$worst <- against[cbind(worst, seq_along(worst))]
    table$worst_set <- rownames(means)[worst]
  }
  table <- merge(table, time_table(common))
  table[order(table$rank), ]
}

has_simple_arms <- function(means) all(c("lm", "ranger") %in% colnames(means))

against_simple <- function(means) means / pmin(means[, "lm"], means[, "ranger"])

regression_tables <- function(rows) {
  for (seed in sort(unique(rows$seed))) {
    of_seed <- rows[rows$seed == seed, ]
    common <- common_units(of_seed)
    describe(of_seed, common, sprintf("Regression, seed %d", seed))
    if (nrow(common) == 0L) next
    show(regression_table(common))
    cat("Mean RMSE\n")
    print(signif(set_means(common, "rmse"), 4))
  }
  beside <- seeds_beside(rows, "rmse", function(means) rowMeans(apply(means, 1L, rank)))
  if (!is.null(beside)) {
    cat("\nMean rank by seed\n")
    show(beside)
  }
  if (!is.null(beside) && all(c("lm", "ranger") %in% beside$arm)) above_by_seed(rows)
}

# How often chance alone does it: `known` is the one of lm and ranger that is better on a set over
# all seeds.
above_by_seed <- function(rows) {
  beside <- seeds_beside(rows, "rmse", function(means) colSums(against_simple(means) > 1.1))
  simple <- rows[rows$arm %in% c("lm", "ranger"), ]
  means <- tapply(simple$rmse, list(simple$set, simple$seed, simple$arm), mean)
  ratio <- means / c(pmin(means[, , "lm"], means[, , "ranger"]))
  line <- rowMeans(log(ratio[, , "lm"])) < rowMeans(log(ratio[, , "ranger"]))
  known <- colSums((line * ratio[, , "lm"] + (!line) * ratio[, , "ranger"]) > 1.1)
  known <- as.list(stats::setNames(known, names(beside)[-1L]))
  beside <- rbind(beside, data.frame(arm = "known", known))
  cat(sprintf("\nSets of %d above 1.1 times the better of lm and ranger by seed\n", nrow(ratio)))
  show(cbind(beside, all = rowSums(beside[-1L])))
}

# ---- hidden nodes ----

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

accuracy <- named_argument("accuracy")
if (!is.null(accuracy)) accuracy_tables(read_records(accuracy, "fold"))
regression <- named_argument("regression")
if (!is.null(regression)) regression_tables(read_records(regression, c("split", "part")))
hidden <- named_argument("hidden")
if (!is.null(hidden)) {
  hidden <- read_record(hidden)
  cat("\nGain over i.i.d. by hidden nodes\n")
  show(hidden_table(hidden), 3)
  if (nzchar(Sys.getenv("CAWI_DATA"))) gain_by_kind(hidden)
  figures <- named_argument("figures")
  if (!is.null(figures)) hidden_figure(hidden, file.path(figures, "hidden.png"))
}
