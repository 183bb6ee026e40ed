#!/bin/sh
# Looks at the form of the sources: lintr over the R code, clang-format over the C++ code, and no
# line of C++, shell or prose beyond 100 columns. Prints all findings, and fails where there is one.
#
# Usage: sh .ci/lint.sh
set -eu
cd "$(dirname "$0")/.."
status=0

Rscript .ci/lint.R || status=1

# Rcpp writes RcppExports.cpp.
cpp=$(find inst/include src -name '*.[ch]pp' -o -name '*.h' | grep -v RcppExports | sort)
shell=$(find .ci -name '*.sh' -o -name run | sort)
prose=$(ls ./*.md vignettes/*.Rmd)

# shellcheck disable=SC2086
if clang-format --dry-run --Werror $cpp; then
  echo "clang-format: 0 found"
else
  status=1
fi

# clang-format leaves long words and long comments as they are. A row of a table, a picture and the
# head of a chunk cannot be broken.
# shellcheck disable=SC2086
awk '/^(\||!\[|```\{)/ { next }
     length > 100 { printf "%s:%d: %d columns\n", FILENAME, FNR, length; n++ }
     END { printf "columns: %d found\n", n; exit n > 0 }' $cpp $shell $prose Makefile || status=1

exit $status
