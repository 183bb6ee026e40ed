# Faults: full disks, kills, limits of memory, forks, workers that die, processes side by side,
# clocks that jump, and other languages. Each scenario counts what was tried and what went wrong,
# and the run fails where anything did.
#
# Usage: Rscript run.R [folder of the record]; FILTER=regexp for some scenarios, KILLS=n.
options(warn = 1)
Sys.setenv(OPENBLAS_NUM_THREADS = "1")
file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
attack <- normalizePath(dirname(file))
source(file.path(attack, "tools.R"))
library(cawi)

for (part in c("disks", "kills", "processes", "memory", "surroundings")) {
  source(file.path(attack, paste0(part, ".R")))
}

table <- records$table
folder <- commandArgs(trailingOnly = TRUE)
if (length(folder) > 0L && !nzchar(Sys.getenv("FILTER"))) {
  tools <- new.env()
  sys.source(file.path(attack, "..", "..", "..", "inst", "bench", "tools", "bench-tools.R"), tools)
  path <- file.path(folder[1L], "faults.csv")
  header <- c(tools$machine(), paste(tools$versions(c("cawi", "future", "RcppParallel")),
                                     collapse = ", "),
              paste("seeds 1 to 5 for the moments of the kills, as", date()))
  writeLines(paste("#", header), path)
  suppressWarnings(utils::write.table(table, path, append = TRUE, sep = ",", row.names = FALSE))
}
wrong <- sum(table[c("lost", "half_written", "unclassed")])
cat(sprintf("%d scenarios, %.0f tries, %.0f wrong\n", nrow(table), sum(table$tries), wrong))
quit(status = if (wrong > 0 || nrow(table) == 0L) 1L else 0L)
