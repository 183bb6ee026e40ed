# Shared by the scripts of this folder. Sourced, not run, in the folder of the package.

source(file.path("inst", "bench", "tools", "bench-tools.R"))

# A copy of the package, tests and all, in a folder: what is built there stays there.
copy_sources <- function(folder) {
  copy <- file.path(folder, "source")
  dir.create(copy, recursive = TRUE)
  built <- paste0("--exclude=", c("./.git", "./.build", "./.library", "*.o", "*.so"))
  shell <- paste("tar", paste(shQuote(built), collapse = " "), "-cf - . | tar -xf - -C",
                 shQuote(copy))
  stopifnot(system(shell) == 0L)
  copy
}

# The closing counts of a log of .ci/test.R; a run that ended without them failed.
counts_of <- function(log) {
  line <- grep("^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$", readLines(log, warn = FALSE),
               value = TRUE)
  line <- c(line, "0 passed, 1 failed, 0 skipped")[[1L]]
  count <- as.integer(regmatches(line, gregexpr("[0-9]+", line))[[1L]])
  list(line = line, passed = count[1L], failed = count[2L], skipped = count[3L])
}

# A table with the machine and the versions above it.
write_record <- function(table, path) {
  force(table)
  packages <- c("testthat", "Rcpp", "RcppArmadillo", "RcppParallel")
  dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
  version <- paste("cawi", read.dcf("DESCRIPTION", "Version"))
  header <- c(machine(), paste(c(version, versions(packages)), collapse = ", "))
  writeLines(paste("#", header), path)
  suppressWarnings(utils::write.table(table, path, append = TRUE, sep = ",", row.names = FALSE,
                                      quote = which(vapply(table, is.character, logical(1)))))
}
