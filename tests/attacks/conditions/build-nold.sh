#!/bin/sh
# Builds the R of this machine once more, without long double, into a folder. Its source comes from
# CRAN (option `repos`) or, where CRAN has no folder of releases, from Debian's source package. Does
# nothing where that R is there already.
#
# Usage: sh tests/attacks/conditions/build-nold.sh FOLDER
set -eu
folder=$1
[ ! -e "$folder/built" ] || exit 0
version=$(Rscript -e 'cat(format(getRversion()))')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

from_cran() {
  Rscript -e 'arguments <- commandArgs(TRUE)
    url <- paste0(getOption("repos")[["CRAN"]], "/src/base/R-4/R-", arguments[[1]], ".tar.gz")
    invisible(download.file(url, arguments[[2]], quiet = TRUE))' "$version" R.tar.gz
}

# The configured package sources, as sources of source code.
from_debian() {
  mkdir -p apt lists/partial
  for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"apt/$(basename "$file")"
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"apt/$(basename "$file" .list).list"
  done
  set -- -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/apt" \
    -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root
  apt-get "$@" update
  apt-get "$@" source --download-only r-base
  mv r-base_"$version"*.orig.tar.gz R.tar.gz
}

from_cran || from_debian
rm -rf "$folder"
mkdir -p "$folder"
tar -xzf R.tar.gz -C "$folder" --strip-components=1
cd "$folder"
./configure --disable-long-double --enable-R-shlib --with-blas --with-lapack --without-x \
  --without-recommended-packages --with-cairo --without-tcltk --with-readline=no --disable-java \
  --disable-nls CFLAGS=-O2 CXXFLAGS=-O2 FFLAGS=-O2 FCFLAGS=-O2 >configure.log 2>&1 ||
  { tail -n 30 configure.log; exit 1; }
# R runs where it was made.
make -j"$(nproc)" R >make.log 2>&1 || { tail -n 30 make.log; exit 1; }
bin/Rscript --vanilla -e 'stopifnot(!capabilities("long.double"))'
touch built
