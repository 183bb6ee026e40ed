# Average training times as in the paper's table, on an idle machine:
#   CAWI_DATA=<folder of the data sets> Rscript training-times.R <output folder>
# RVFL with 103 sigmoid nodes and lambda = 1 on all rows of each set, one thread, the best of five
# runs: the whole fit, and the fit with a copula that is there already, which is what the paper's
# code times.

library(cawi)
arguments <- commandArgs(TRUE)
if (length(arguments) != 1L) stop("Usage: Rscript training-times.R <output folder>", call. = FALSE)

fastest <- function(work) {
  min(vapply(1:5, function(i) system.time(work(), gcFirst = FALSE)[["elapsed"]], numeric(1)))
}

# A fit takes a few milliseconds, the clock's step is one: several fits are timed together.
fit_seconds <- function(data, init) {
  fit <- function() {
    cawi_rvfl(data$x, data$y, hidden = 103, scale = "paper", inputs = NULL, lambda = 1, init = init,
              seed = 1, threads = 1)
  }
  fit()
  repeats <- max(1, ceiling(0.02 / max(system.time(fit())[["elapsed"]], 0.001)))
  fastest(function() for (i in seq_len(repeats)) fit()) / repeats
}

inits <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")
one_set <- function(set) {
  data <- cawi_read_dataset(set)
  rows <- lapply(inits, function(init) {
    given <- "iid"
    if (init != "iid") {
      fit <- cawi_rvfl(data$x, data$y, hidden = 1, scale = "paper", inputs = NULL, lambda = 1,
                       init = init, seed = 1)
      given <- fit$network$layers[[1L]]$copula
    }
    data.frame(set = set, init = init, family = if (init == "iid") "independence" else given$family,
               whole = fit_seconds(data, init), copula_given = fit_seconds(data, given))
  })
  do.call(rbind, rows)
}

sets <- cawi_datasets()
times <- suppressWarnings(do.call(rbind, lapply(sets$name[order(sets$m)], one_set)))
for (column in c("whole", "copula_given")) times[[column]] <- signif(times[[column]], 4)
utils::write.csv(times, file.path(arguments[1L], "times.csv"), row.names = FALSE, quote = FALSE)
print(aggregate(cbind(whole, copula_given) ~ factor(init, inits), times, mean))
