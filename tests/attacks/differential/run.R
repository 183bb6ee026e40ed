# Differential tests: every numeric routine beside a slow and independent one, on random problems.
#
# Usage: Rscript tests/attacks/differential/run.R [folder of the record]
# PROBLEMS=n  problems per routine (10000), fewer of the dear kinds: see `shares` in tools.R
# SEED=s      another set of problems (1)
# ROUTINE=r   only the routines whose names match the regular expression r: their lines of the
#             record are written anew, which seed and number of a problem alone determine
# PROBLEM=p   only that problem

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "..", "..", "inst", "bench", "tools", "bench-tools.R"))
with_one_blas_thread(file.path(here, "run.R"))

setting <- function(name, default) {
  value <- Sys.getenv(name)
  if (nzchar(value)) value else default
}
problems <- as.integer(setting("PROBLEMS", "10000"))
seed <- as.integer(setting("SEED", "1"))
only <- setting("ROUTINE", "")

source(file.path(here, "tools.R"))
routines <- read_rooms(here)$routines
all_names <- names(routines)
routines <- routines[grepl(only, names(routines))]

if (nzchar(Sys.getenv("PROBLEM"))) {
  for (name in names(routines)) {
    error <- one_error(routines[[name]], seed, as.integer(Sys.getenv("PROBLEM")))
    cat(sprintf("%s: %g, tolerance %g\n", name, error, routines[[name]]$tolerance))
  }
  quit()
}

# The lines of other routines stay where only some are run.
with_others <- function(table, path) {
  if (!nzchar(only) || !file.exists(path)) return(table)
  known <- utils::read.csv(path, comment.char = "#")
  known <- known[!known$routine %in% table$routine, names(table)]
  both <- rbind(known, table)
  both[order(match(both$routine, all_names)), ]
}

# Written after each routine: a run that is cut short leaves what it did.
record <- function(table) {
  folder <- commandArgs(trailingOnly = TRUE)
  if (length(folder) == 0L) return(invisible())
  path <- file.path(folder[1L], "differential.csv")
  table <- with_others(table, path)
  header <- c(machine(), paste(versions(c("cawi", "Rmpfr", "Matrix")), collapse = ", "),
              sprintf("seed %d, %s: %d routines, %d problems, %d failures, %.0f s", seed,
                      format(Sys.Date()), nrow(table), sum(table$problems), sum(table$failures),
                      sum(table$seconds)))
  table$worst <- signif(table$worst, 2)
  writeLines(paste("#", header), path)
  suppressWarnings(utils::write.table(table, path, append = TRUE, sep = ",", row.names = FALSE,
                                      qmethod = "double"))
}

table <- NULL
for (name in names(routines)) {
  line <- run_routine(name, routines[[name]], seed, problems)
  cat(sprintf("%-28s %6d problems, worst %8.2g of %8.2g (problem %d), %d failures, %.1f s\n", name,
              line$problems, line$worst, line$tolerance, line$problem, line$failures, line$seconds))
  table <- rbind(table, line)
  record(table)
}
cat(sprintf("seed %d: %d routines, %d problems, %d failures, %.0f s\n", seed, nrow(table),
            sum(table$problems), sum(table$failures), sum(table$seconds)))
if (sum(table$failures) > 0) quit(status = 1L)
