# Runs the tests with counters in the R and the C++ code, prints for each file how many of its lines
# ran, and records it. Fails where less than 97 % of the lines of either language ran, and where a
# test fails.
#
# Usage: Rscript tests/attacks/conditions/coverage.R [record.csv [filter]]

arguments <- commandArgs(trailingOnly = TRUE)
record <- arguments[1L]
filter <- c(arguments, "", "")[[2L]]
least <- 97
folder <- file.path(getwd(), ".build", "coverage")
source(file.path("tests", "attacks", "conditions", "tools.R"))

# No optimization, because lines that are merged cannot be counted; counters that threads share
# must not lose counts.
counted <- "-O0 --coverage -fprofile-update=atomic"
variables <- c("CFLAGS", paste0("CXX", c("", 11, 14, 17, 20), "FLAGS"))
flags <- stats::setNames(rep(counted, length(variables)), variables)
options(covr.flags = c(flags, LDFLAGS = "--coverage"))

unlink(folder, recursive = TRUE)
copy <- copy_sources(folder)
log <- file.path(folder, "tests.log")
library <- file.path(folder, "library")
# Processes that tests kill may leave half of their counts, which covr could not read.
code <- c(
  sprintf("setwd('%s'); system2('%s', c('.ci/test.R', '%s'), stdout = '%s', stderr = '%s')",
          copy, file.path(R.home("bin"), "Rscript"), filter, log, log),
  sprintf("traces <- list.files('%s', '^covr_trace_', full.names = TRUE)", library),
  "is_whole <- function(file) tryCatch({readRDS(file); TRUE}, error = function(e) FALSE)",
  "unlink(Filter(Negate(is_whole), traces))"
)
Sys.setenv(NOT_CRAN = "true", CAWI_TEST_CONDITION = "coverage")
coverage <- covr::package_coverage(copy, type = "none", code = code, quiet = FALSE, clean = FALSE,
                                   install_path = library)
saveRDS(coverage, file.path(folder, "coverage.rds"))

# A header is counted in each file that includes it: covr adds these counts.
lines <- covr::tally_coverage(coverage, by = "line")
lines <- lines[!grepl("RcppExports", lines$filename), ]
covered <- function(lines) {
  data.frame(lines = nrow(lines), covered = sum(lines$value > 0),
             percent = round(100 * mean(lines$value > 0), 2))
}
summed <- function(by) {
  table <- do.call(rbind, lapply(split(lines, by), covered))
  data.frame(file = rownames(table), table, row.names = NULL)
}
language <- ifelse(grepl("[.]R$", lines$filename), "all R", "all C++")
totals <- summed(language)
table <- rbind(summed(lines$filename), totals)
print(table, row.names = FALSE, right = FALSE)
missed <- lines[lines$value == 0, ]
writeLines(paste0(missed$filename, ":", missed$line), file.path(folder, "missed.txt"))
if (!is.na(record) && !nzchar(filter)) write_record(table, record)

tests <- counts_of(log)
writeLines(tests$line)
if (any(totals$percent < least) || tests$failed > 0L) quit(status = 1L)
