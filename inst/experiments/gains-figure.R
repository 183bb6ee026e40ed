# The picture of the README: gains over i.i.d. weights as printed, and as recorded under the three protocols:
#   Rscript gains-figure.R <file.png>

library(cawi)
laws <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")
by_set <- function(x) {
  x <- as.data.frame(x)[x$fold > 0, ]
  100 * tapply(x$accuracy, list(x$set, factor(x$init, laws)), mean)
}
with_best <- function(table) cbind(table, `best of five` = do.call(pmax, lapply(laws[-1L], function(law) table[, law])))

png(commandArgs(TRUE)[1L], 1500, 850, res = 170)
plot(cawi_compare(with_best(as.matrix(cawi_datasets()[laws])), "iid"), name = "printed",
     `same protocol` = cawi_compare(with_best(by_set(cawi_recorded("paper"))), "iid"),
     `equal draws` = cawi_compare(by_set(cawi_recorded("equal")), "iid"),
     nested = cawi_compare(by_set(cawi_recorded("nested")), "iid"),
     main = "Copula weights against i.i.d. weights, RVFL: gain in points")
invisible(dev.off())
