#!/bin/sh
# Builds the package against the current CRAN versions of what it links to and imports, in a library
# of its own, and runs the tests there. Whatever else the tests use is the system's, but for
# recipes, which must go with its vctrs.
set -eu
cd "$(dirname "$0")/.."
library=$PWD/.build/current
names=$(Rscript -e '
fields <- read.dcf("DESCRIPTION", c("Imports", "LinkingTo"))
cat(unique(trimws(sub("[(].*", "", unlist(strsplit(fields, ","))))))
')
# shellcheck disable=SC2086
Rscript .ci/current.R "$library" $names recipes
rm -rf .build/current-source "$library/cawi"
mkdir -p .build/current-source
cp -R DESCRIPTION NAMESPACE LICENSE R src inst man .build/current-source
find .build/current-source/src -name '*.o' -delete -o -name '*.so' -delete
R_LIBS=$library R CMD INSTALL --library="$library" .build/current-source
NOT_CRAN=true R_LIBS=$library Rscript .ci/test.R "${1:-}"
