# The recorded runs of the paper's experiments, one stage per call:
#   CAWI_DATA=<folder of the data sets> Rscript run-benchmarks.R <stage> <folder of the units>
# A run that was stopped goes on where it was; several processes may run several stages. When all
# are done, collect-benchmarks.R writes what the package contains.

library(cawi)

# What the stages run. A draw serves all penalties; above `nested_above` rows it also serves
# all numbers of hidden nodes.
stages <- list(
  paper = list(protocol = "paper", models = "rvfl", seeds = 42, nested_above = 1000, rows = Inf),
  equal = list(protocol = "equal", models = "rvfl", seeds = 42, nested_above = 200, rows = 2500,
               draws = 21),
  nested = list(protocol = "nested", models = "rvfl", seeds = c(42, 7, 123), rows = Inf),
  others = list(protocol = "nested", models = c("drvfl", "edrvfl", "bls"), seeds = 42, rows = 2500)
)

arguments <- commandArgs(TRUE)
usage <- "Usage: Rscript run-benchmarks.R paper|equal|nested|others <folder of the units>"
if (length(arguments) != 2L || !arguments[1L] %in% names(stages)) stop(usage, call. = FALSE)
stage <- stages[[arguments[1L]]]
record <- arguments[2L]

# Small sets first, so that there is something to look at early.
sets <- cawi_datasets()
sets <- sets[order(sets$m), ]
sets <- sets$name[sets$m <= stage$rows]

processor <- function() {
  info <- if (file.exists("/proc/cpuinfo")) readLines("/proc/cpuinfo") else character()
  model <- sub(".*: *", "", grep("^model name", info, value = TRUE)[1L])
  sprintf("%s; %d cores", if (is.na(model)) R.version$platform else model, parallel::detectCores())
}
versions <- sprintf("cawi %s; R %s", utils::packageVersion("cawi"), getRversion())

dir.create(record, showWarnings = FALSE, recursive = TRUE)
times <- file.path(record, "times.txt")
for (set in sets) {
  clock <- proc.time()
  result <- do.call(cawi_benchmark,
                    c(list(set, record = record, threads = 1), stage[names(stage) != "rows"]))
  spent <- proc.time() - clock
  accuracy <- tapply(result$accuracy[result$fold > 0], result$init[result$fold > 0], mean)
  cat(sprintf("%-32s %6.1f s  %s\n", set, spent[["elapsed"]],
              paste(names(accuracy), sprintf("%.2f", 100 * accuracy), collapse = "  ")))
  # A set that was read from the record costs no time worth counting.
  line <- sprintf("%s,%s,%.2f,%.2f,%s,%s", arguments[1L], set, spent[["elapsed"]],
                  spent[["user.self"]] + spent[["sys.self"]], versions, processor())
  cat(line, "\n", sep = "", file = times, append = TRUE)
}
