#!/bin/sh
# Builds the package against the current CRAN versions of what it links to and imports, in a library
# of its own, and runs the tests there. Whatever else the tests use is the system's, but for
# recipes, which must go with its vctrs.
set -eu
cd "$(dirname "$0")/.."
library=$PWD/.build/current
mkdir -p "$library"
Rscript -e '
library <- commandArgs(trailingOnly = TRUE)[1L]
fields <- read.dcf("DESCRIPTION", c("Imports", "LinkingTo"))
names <- unique(c(trimws(sub("[(].*", "", unlist(strsplit(fields, ",")))), "recipes"))
names <- setdiff(names, rownames(installed.packages(priority = "base")))
known <- available.packages()
needed <- unique(c(names, unlist(tools::package_dependencies(names, known, recursive = TRUE))))
needed <- setdiff(needed, rownames(installed.packages(priority = "high")))
have <- installed.packages(library)[, "Version"]
old <- needed[!needed %in% names(have) | have[needed] != known[needed, "Version"]]
if (length(old) > 0L) {
  install.packages(old, library, dependencies = FALSE, Ncpus = parallel::detectCores())
}
have <- installed.packages(library)[, "Version"]
stopifnot(names %in% names(have))
cat(sprintf("%s %s\n", names(have), have), sep = "")
' "$library"
rm -rf .build/current-source "$library/cawi"
mkdir -p .build/current-source
cp -R DESCRIPTION NAMESPACE LICENSE R src inst man .build/current-source
find .build/current-source/src -name '*.o' -delete -o -name '*.so' -delete
R_LIBS=$library R CMD INSTALL --library="$library" .build/current-source
NOT_CRAN=true R_LIBS=$library Rscript .ci/test.R "${1:-}"
