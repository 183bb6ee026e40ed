# Runs the tests against the installed package and ends in the line
# "N passed, N failed, N skipped", which counts expectations; an error counts
# as failed. The reporter gives the reasons of failures and skips. Fails where a
# test does, and where none passes.
#
# Usage: Rscript .ci/test.R [filter]

filter <- c(commandArgs(trailingOnly = TRUE), "")[[1L]]
package <- read.dcf("DESCRIPTION", "Package")[[1L]]

# Of two functions with one name the later file wins without a word.
defined <- unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
  code <- Filter(function(e) is.call(e) && identical(e[[1L]], as.name("<-")), as.list(parse(file)))
  vapply(code, function(e) paste(deparse(e[[2L]]), collapse = ""), "")
}))
if (anyDuplicated(defined)) {
  stop("Defined twice: ", paste(unique(defined[duplicated(defined)]), collapse = ", "))
}

stopped <- 0L
reporter <- testthat::SummaryReporter$new(show_praise = FALSE, max_reports = Inf)
results <- tryCatch(
  testthat::test_dir(
    "tests/testthat",
    package = package,
    load_package = "installed",
    filter = if (nzchar(filter)) filter,
    reporter = reporter,
    stop_on_failure = FALSE
  ),
  error = function(e) {
    message("The tests stopped: ", conditionMessage(e))
    stopped <<- 1L
    list()
  }
)

outcomes <- unlist(lapply(results, `[[`, "results"), recursive = FALSE)
is_a <- function(class) vapply(outcomes, inherits, NA, what = paste0("expectation_", class))
passed <- sum(is_a("success"))
failed <- sum(is_a("failure"), is_a("error"), stopped)
# A file that is skipped as a whole is no outcome of a test.
skipped <- reporter$skips$size()

cat(sprintf("\n%d passed, %d failed, %d skipped\n", passed, failed, skipped))
if (failed > 0L || passed == 0L) {
  quit(status = 1L)
}
