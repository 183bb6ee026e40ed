# Runs a script in a process of its own and gives its number as soon as it is known.
start_script <- function(script) {
  file <- tempfile("pid")
  started <- tempfile(fileext = ".R")
  writeLines(c(sprintf("writeLines(as.character(Sys.getpid()), '%s')", file), readLines(script)),
             started)
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(started)), stdout = FALSE,
          stderr = FALSE, wait = FALSE)
  wait_until(file.exists(file) && length(readLines(file)) == 1L)
  as.integer(readLines(file))
}

# Waits for a condition, at most two minutes.
wait_until <- function(condition) {
  condition <- substitute(condition)
  where <- parent.frame()
  last <- Sys.time() + 120
  while (!isTRUE(eval(condition, where)) && Sys.time() < last) Sys.sleep(0.02)
}

process_lives <- function(pid) isTRUE(tools::pskill(pid, 0L))

# `make sanitize-all` and `make coverage` name the build that they test; `why` says what cannot hold
# in it.
skip_under <- function(builds, why) {
  build <- Sys.getenv("CAWI_TEST_CONDITION")
  testthat::skip_if(build %in% builds, paste0(build, ": ", why))
}
