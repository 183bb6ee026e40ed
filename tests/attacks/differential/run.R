# Differential tests: every numeric routine beside a slow and independent one, on random problems.
#
# Usage: Rscript tests/attacks/differential/run.R [folder of the record]
# PROBLEMS=n  problems per routine (10000); one in twenty where the judge has hundreds of digits
# SEED=s      another set of problems (1)
# ROUTINE=r   only the routines whose names match the regular expression r; nothing is recorded
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

rooms <- c("ranks", "special", "copula", "densities", "features", "kernels", "ridge", "grids",
           "measures", "updates", "metamorphic")
source(file.path(here, "tools.R"))
read <- read_rooms(here, rooms)
routines <- read$routines[grepl(only, names(read$routines))]

if (nzchar(Sys.getenv("PROBLEM"))) {
  for (name in names(routines)) {
    error <- one_error(routines[[name]], seed, as.integer(Sys.getenv("PROBLEM")))
    cat(sprintf("%s: %g, tolerance %g\n", name, error, routines[[name]]$tolerance))
  }
  quit()
}

lines <- lapply(names(routines), function(name) {
  line <- run_routine(name, routines[[name]], seed, problems)
  cat(sprintf("%-28s %6d problems, worst %8.2g of %8.2g (problem %d), %d failures, %.1f s\n", name,
              line$problems, line$worst, line$tolerance, line$problem, line$failures, line$seconds))
  line
})
table <- do.call(rbind, lines)
cat(sprintf("seed %d: %d routines, %d problems, %d failures, %.0f s\n", seed, nrow(table),
            sum(table$problems), sum(table$failures), sum(table$seconds)))

folder <- commandArgs(trailingOnly = TRUE)
if (length(folder) > 0L && !nzchar(only)) {
  path <- file.path(folder[1L], "differential.csv")
  header <- c(machine(), paste(versions(c("cawi", "Rmpfr", "Matrix")), collapse = ", "),
              sprintf("seed %d, %s", seed, format(Sys.Date())))
  table$worst <- signif(table$worst, 2)
  writeLines(paste("#", header), path)
  suppressWarnings(utils::write.table(table, path, append = TRUE, sep = ",", row.names = FALSE,
                                      qmethod = "double"))
}
if (sum(table$failures) > 0) quit(status = 1L)
