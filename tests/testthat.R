library(testthat)
library(cawi)

# Where NOT_CRAN is not set, the files that take longest are left out: what remains takes about a
# minute of one processor.
long <- c(
  "auto", "bench", "bench-record", "checks", "copula-kendall", "copula-plot", "misuse",
  "model-fit", "model-infinite", "model-inputs", "model-interface", "model-readout",
  "model-spread", "model-update-rows", "model-validate", "tune", "tune-plot"
)
if (identical(Sys.getenv("NOT_CRAN"), "true")) {
  test_check("cawi")
} else {
  test_check("cawi", filter = sprintf("^(%s)$", paste(long, collapse = "|")), invert = TRUE)
}
