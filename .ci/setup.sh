#!/bin/sh
# Installs what a make target needs: Debian's build tools, R and a fast BLAS
# here, the R packages that DESCRIPTION names in setup.R. Does nothing, and
# fetches nothing, where all of it is there already.
#
# Usage: sh .ci/setup.sh [install|demo|test|conditions|coverage|services|check|bench|lint|doc|
#                         current|fuzz-core|site]
set -eu
cd "$(dirname "$0")/.."
target=${1:-test}

debs="make g++ gfortran libopenblas0-pthread ca-certificates"
# An R that is not Debian's is kept, and gets its packages from CRAN.
if ! command -v R >/dev/null || [ "$(R RHOME)" = /usr/lib/R ]; then
  debs="$debs r-base-dev"
fi
case $target in
  check) debs="$debs qpdf pandoc tidy" ;;
  lint) debs="$debs clang-format" ;;
  mutants) debs="$debs chromium python3-clang" ;;
  test | coverage) debs="$debs chromium" ;;
  # Memcheck, and what R itself is compiled with.
  conditions)
    debs="$debs chromium valgrind libcurl4-openssl-dev libcairo2-dev libpango1.0-dev"
    ;;
  # The second is for building RPostgres.
  services) debs="$debs postgresql libpq-dev munge slurmctld slurmd slurm-client" ;;
  # What Rmpfr is compiled with.
  differential) debs="$debs libgmp-dev libmpfr-dev" ;;
  faults) debs="$debs libfaketime locales util-linux" ;;
  # What current CRAN packages are compiled with.
  current) debs="$debs libuv1-dev" ;;
  fuzz-core) debs="$debs clang libclang-rt-dev libtbb-dev libboost-dev liblapack-dev" ;;
  site)
    debs="$debs pandoc chromium libuv1-dev libcurl4-openssl-dev libssl-dev libxml2-dev"
    debs="$debs libfontconfig1-dev libfreetype6-dev libharfbuzz-dev libfribidi-dev libpng-dev"
    debs="$debs libtiff5-dev libjpeg-dev libwebp-dev"
    ;;
esac

missing=
if command -v dpkg-query >/dev/null; then
  for deb in $debs; do
    dpkg-query -W -f '${db:Status-Status}\n' "$deb" 2>/dev/null | grep -qx installed ||
      missing="$missing $deb"
  done
fi

if [ -n "$missing" ]; then
  if [ "$(id -u)" -eq 0 ]; then
    echo "setup: installing$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q update || echo "setup: apt-get update failed, going on with what is known" >&2
    export SETUP_APT_UPDATED=yes
    # shellcheck disable=SC2086
    apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends $missing ||
      echo "setup: could not install$missing" >&2
  else
    echo "setup: missing, and only root can install them:$missing" >&2
  fi
fi

for tool in R Rscript make g++; do
  command -v "$tool" >/dev/null || {
    echo "setup: $tool is needed and could not be installed" >&2
    exit 1
  }
done

exec Rscript .ci/setup.R "$target"
