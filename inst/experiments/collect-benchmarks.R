# The finished units of run-benchmarks.R as the files that the package contains:
#   Rscript collect-benchmarks.R <folder of the units> <output folder>
# One file per protocol with the results of all its units, and runs.csv with what was run, where and
# how long.

arguments <- commandArgs(TRUE)
if (length(arguments) != 2L) {
  stop("Usage: Rscript collect-benchmarks.R <folder of the units> <output folder>", call. = FALSE)
}
units <- arguments[1L]
output <- arguments[2L]
dir.create(output, showWarnings = FALSE, recursive = TRUE)

# Sets of which some unit is missing are left out: means over different distributions of the weights
# or seeds cannot be compared.
read_units <- function(protocol) {
  files <- list.files(units, sprintf("-%s-[0-9a-f]{12}[.]csv$", protocol), full.names = TRUE)
  if (length(files) == 0L) return(NULL)
  rows <- do.call(rbind, lapply(files, utils::read.csv, colClasses = c(hidden = "character")))
  if (anyDuplicated(rows[c("model", "set", "init", "seed", "fold", "tried")])) {
    stop("The folder has units of one set, init and seed with several settings.", call. = FALSE)
  }
  found <- unique(rows[c("model", "set", "init", "seed")])
  count <- stats::ave(rep(1, nrow(found)), found$model, found$set, FUN = sum)
  whole <- found[count == stats::ave(count, found$model, FUN = max), ]
  rows[paste(rows$model, rows$set) %in% paste(whole$model, whole$set), ]
}

write_protocol <- function(protocol) {
  rows <- read_units(protocol)
  if (is.null(rows)) return(NULL)
  inits <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")
  rows <- rows[order(rows$model, rows$set, rows$seed, match(rows$init, inits), rows$fold,
                     rows$tried), ]
  kept <- rows[c("set", "model", "init", "seed", "fold", "accuracy", "hidden", "activation",
                 "lambda", "tried", "seconds", "family")]
  kept$accuracy <- sprintf("%.12g", kept$accuracy)
  kept$seconds <- ifelse(is.na(kept$seconds), "", sprintf("%.4f", kept$seconds))
  file <- gzfile(file.path(output, paste0(protocol, ".csv.gz")), "wb", compression = 9)
  on.exit(close(file))
  utils::write.csv(kept, file, row.names = FALSE, quote = FALSE, na = "")
  rows
}

# The time of a stage is that of all its calls: sittings that found a set finished added nothing.
times <- utils::read.csv(file.path(units, "times.txt"), header = FALSE,
                         col.names = c("stage", "set", "seconds", "cpu", "versions", "machine"))
for (protocol in c("paper", "equal", "nested")) {
  rows <- write_protocol(protocol)
  if (!is.null(rows)) cat(protocol, nrow(rows), "rows,", length(unique(rows$set)), "sets\n")
}
stages <- c("paper", "equal", "nested", "others")
spent <- tapply(times$cpu, factor(times$stage, stages), sum)
said <- function(column) {
  vapply(stages,
         function(stage) paste(unique(times[[column]][times$stage == stage]), collapse = " / "),
         character(1))
}
runs <- data.frame(
  stage = stages, protocol = c("paper", "equal", "nested", "nested"),
  models = c("rvfl", "rvfl", "rvfl", "drvfl edrvfl bls"), seeds = c("42", "42", "42 7 123", "42"),
  draws = c(NA, 21, NA, NA), nested_above = c(1000, 200, NA, NA),
  rows_up_to = c(NA, 2500, NA, 2500), cpu_seconds = round(spent),
  machine = said("machine"), versions = said("versions")
)
utils::write.csv(runs, file.path(output, "runs.csv"), row.names = FALSE, na = "")
