# Installs the current CRAN versions of some packages, and of all that these need, into a library of
# its own, because they would replace Debian's. Recommended packages are those of R. Says what is
# there.
#
# Usage: Rscript .ci/current.R <library> <package> ...

wanted <- commandArgs(trailingOnly = TRUE)
library <- wanted[[1L]]
wanted <- setdiff(wanted[-1L], rownames(installed.packages(priority = "base")))

options(timeout = 600)
repos <- getOption("repos")
if (length(repos) == 0L || "@CRAN@" %in% repos) {
  utils::chooseCRANmirror(ind = 1)
}
known <- available.packages()
needed <- unique(c(wanted, unlist(tools::package_dependencies(wanted, known, recursive = TRUE))))
needed <- setdiff(needed, rownames(installed.packages(priority = "high")))

dir.create(library, recursive = TRUE, showWarnings = FALSE)
have <- installed.packages(library)[, "Version"]
old <- needed[!needed %in% names(have) | have[needed] != known[needed, "Version"]]
if (length(old) > 0L) {
  .libPaths(c(library, .libPaths()))
  install.packages(old, library, dependencies = FALSE, Ncpus = parallel::detectCores())
}

have <- installed.packages(library)[, "Version"]
lacking <- setdiff(wanted, c(names(have), rownames(installed.packages(priority = "high"))))
if (length(lacking) > 0L) {
  stop("could not be installed: ", paste(lacking, collapse = ", "), call. = FALSE)
}
cat(sprintf("%s %s\n", names(have), have), sep = "")
