# Runs one call again and shows it: the expression, and what comes of it. With a file at the end the
# call is made smaller and written there as a test.
#
# Usage: Rscript replay.R seed number [file]

given <- commandArgs(trailingOnly = TRUE)
folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(folder, "session.R"))
local({
  tools <- attack_session(folder)
  drawn <- tools$draw_call(tools$calls, globalenv(), as.double(given[1L]), as.double(given[2L]))
  cat(tools$script_lines(drawn), sep = "\n")
  outcome <- tools$run_call(drawn, globalenv())
  cat("#", outcome$kind, outcome$why, "\n")
  if (length(given) > 2L) {
    small <- tools$shrunk(drawn, outcome, globalenv())
    writeLines(tools$test_lines(small, tools$run_call(small, globalenv())), given[3L])
    cat("\n# smaller:\n", paste(tools$script_lines(small), collapse = "\n"), "\n", sep = "")
  }
})
