# Runs calls, one after the other, and writes a line for each: its number before it runs, what came
# of it after. The parent knows from the last line where a process died.
#
# Usage: Rscript child.R folder seed from to log

given <- commandArgs(trailingOnly = TRUE)
source(file.path(given[1L], "session.R"))
local({
  seed <- as.double(given[2L])
  log <- file(given[5L], "a")
  tools <- attack_session(given[1L])
  for (number in seq(as.double(given[3L]), as.double(given[4L]))) {
    cat(sprintf("%.0f\t", number), file = log)
    flush(log)
    outcome <- outcome_of(tools, seed, number)
    why <- gsub("[\t\n\r]", " ", iconv(outcome$why, sub = "byte"))
    cat(outcome$kind, "\t", if (!outcome$kind %in% c("right", "classed")) why, "\n", file = log,
        sep = "")
    flush(log)
  }
  cat("done\n", file = log)
  close(log)
})
