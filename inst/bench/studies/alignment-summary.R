# The tables of the study of alignment:
#   Rscript alignment-summary.R [records]
# Accuracies are averaged over seeds and folds of a set; gains over i.i.d. weights of the same
# number of nodes over sets, with 95 % intervals of t over sets. An arm is compared on the units
# that it has done.
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
paths <- commandArgs(trailingOnly = TRUE)
if (length(paths) == 0L) paths <- file.path(here, "..", "results", "alignment.csv.gz")
units <- do.call(rbind, lapply(paths, read.csv, comment.char = "#"))

arms <- unique(units$arm)
per_set <- aggregate(accuracy ~ set + arm + hidden, units, mean)
cat("Accuracy in %\n\n")

gain_row <- function(arm, hidden, against = hidden) {
  pick <- function(a, h) {
    units[units$arm == a & units$hidden == h, c("set", "seed", "fold", "accuracy")]
  }
  both <- merge(pick(arm, hidden), pick("iid", against), by = c("set", "seed", "fold"),
                suffixes = c("", "_iid"))
  count <- nrow(both)
  both <- aggregate(cbind(accuracy, accuracy_iid) ~ set, both, mean)
  gain <- 100 * (both$accuracy - both$accuracy_iid)
  se <- stats::sd(gain) / sqrt(length(gain))
  half <- stats::qt(0.975, length(gain) - 1) * se
  data.frame(arm = arm, hidden = hidden, against = against, sets = nrow(both), units = count,
             accuracy = 100 * mean(both$accuracy),
             gain = mean(gain), se = se, lower = mean(gain) - half, upper = mean(gain) + half,
             wins = sum(gain > 0), ties = sum(gain == 0), losses = sum(gain < 0))
}
counts <- sort(unique(per_set$hidden[is.finite(per_set$hidden)]))
base <- data.frame(hidden = counts, accuracy = vapply(counts, function(h) {
  100 * mean(per_set$accuracy[per_set$arm == "iid" & per_set$hidden == h])
}, numeric(1)))
cat("i.i.d. weights:\n")
print(base, digits = 4, row.names = FALSE)
finite <- setdiff(arms, c("iid", unique(per_set$arm[is.infinite(per_set$hidden)])))
rows <- lapply(finite, function(arm) do.call(rbind, lapply(counts, gain_row, arm = arm)))
infinite <- lapply(setdiff(arms, c("iid", finite)), function(arm) {
  do.call(rbind, lapply(counts, function(h) gain_row(arm, Inf, h)))
})
cat("\nGain over i.i.d. weights, points:\n")
print(do.call(rbind, c(rows, infinite)), digits = 3, row.names = FALSE)
cpu <- aggregate(cpu ~ arm, units, function(seconds) sum(seconds) / 60)
cat("\nProcessor minutes:\n")
print(cpu[order(cpu$cpu), ], digits = 3, row.names = FALSE)
