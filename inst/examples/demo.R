# Fits every copula family to the Pima diabetes data, chooses one, draws weights from it, prints a
# table and writes a picture: Rscript demo.R [output.png]
library(cawi)

output <- c(commandArgs(trailingOnly = TRUE), "cawi-demo.png")[1L]

data("PimaIndiansDiabetes2", package = "mlbench")
x <- stats::na.omit(PimaIndiansDiabetes2)[, 1:8]
cat(sprintf("Pima Indians diabetes: %d patients, %d features\n\n", nrow(x), ncol(x)))

held_out <- cawi_select(x)
rows <- lapply(held_out$family, function(family) {
  seconds <- system.time(fit <- cawi_copula(x, family))[["elapsed"]]
  data.frame(
    family = family,
    held_out = held_out$xv[match(family, held_out$family)],
    log_likelihood = as.numeric(logLik(fit)),
    AIC = AIC(fit),
    milliseconds = 1000 * seconds
  )
})
table <- do.call(rbind, rows)
print(format(table, digits = 4, nsmall = 1), row.names = FALSE)

best <- cawi_copula(x)
cat("\nChosen by held-out pseudo-likelihood:\n")
print(best)

w <- cawi_weights(best, hidden = 200, seed = 1)
gap <- max(abs(cawi_kendall(t(w)) - cawi_kendall(x)))
cat(sprintf("\n200 weight columns drawn; their tau is within %.2f of the data's.\n", gap))

png(output, width = 1500, height = 720, res = 150)
plot(best)
invisible(dev.off())
cat("Picture:", output, "\n")
