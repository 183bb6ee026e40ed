#!/bin/sh
# Builds the package and checks it as CRAN would, without the network. Fails on
# an error or a warning, and repeats the notes at the end.
set -eu
cd "$(dirname "$0")/.."
rm -rf .build/check
mkdir -p .build/check/cran/web/packages
cd .build/check

# The PDF manual needs LaTeX.
manual=--no-manual
if command -v pdflatex >/dev/null; then manual=; fi

# Without it R asks the system for its time zone, which a machine without systemd answers with
# noise.
export TZ="${TZ:-UTC}"
export _R_CHECK_CRAN_INCOMING_REMOTE_=false
export _R_CHECK_FORCE_SUGGESTS_=false
export _R_CHECK_SYSTEM_CLOCK_=false
export _R_CHECK_XREFS_USE_ALIASES_FROM_CRAN_=false
# Where a suggested package is missing, R asks CRAN which packages are orphaned,
# and stops where it gets no answer: this is an answer, that none is.
Rscript -e 'none <- data.frame(Package = character(), Maintainer = character())' \
  -e 'saveRDS(none, "cran/web/packages/packages.rds")'
R_CRAN_WEB=file://$PWD/cran
export R_CRAN_WEB
# Flags that Debian's R compiles with, not the package's.
export _R_CHECK_COMPILATION_FLAGS_KNOWN_="-Wformat -Werror=format-security -Wdate-time"
# Debian's BH keeps its headers in /usr/include, and R notes that it has none.
bh=$(Rscript -e 'cat(system.file(package = "BH"))')
if [ -n "$bh" ] && [ ! -e "$bh/include" ] && [ -d /usr/include/boost ]; then
  mkdir library
  cp -R "$bh" library
  mkdir library/BH/include
  ln -s /usr/include/boost library/BH/include/boost
  R_LIBS=$PWD/library${R_LIBS:+:$R_LIBS}
  export R_LIBS
fi
# The installed size is to be that of the code, not of the debugger's symbols.
export R_STRIP_SHARED_LIB="strip --strip-debug"

# shellcheck disable=SC2086
R CMD build $manual ../..
# shellcheck disable=SC2086
R CMD check --as-cran --install-args=--strip $manual ./*.tar.gz || true

log=$(echo ./*.Rcheck/00check.log)
status=$(sed -n 's/^Status: //p' "$log" 2>/dev/null || true)
case $status in
  "" | *ERROR* | *WARNING*)
    for file in ./*.Rcheck/00install.out ./*.Rcheck/tests/*.Rout.fail; do
      [ ! -f "$file" ] || { echo "---- $file"; cat "$file"; }
    done
    echo "R CMD check: ${status:-did not finish}"
    exit 1
    ;;
esac
awk '/^\* / { note = /NOTE$/ } note' "$log"
echo "R CMD check: $status"
