#!/bin/sh
# Runs race.cpp under ThreadSanitizer and writes tests/attacks/results/race.csv: what ran, how
# often, seconds, and the reports of the sanitizer. Fails where there is a report.
#
# Usage: sh race.sh rounds
set -eu
cd "$(dirname "$0")"
rounds=$1
out=$PWD/../../../.build/attacks
results=$PWD/../results/race.csv
make -s "$out/race" OUT="$out"
status=0
TSAN_OPTIONS="halt_on_error=0 exitcode=66" OPENBLAS_NUM_THREADS=1 \
  "$out/race" "$rounds" >"$out/race.out" 2>"$out/race.log" || status=$?
reports=$(grep -c '^WARNING: ThreadSanitizer' "$out/race.log" || true)
{
  echo "routine,runs,seconds,reports"
  sed "s/\$/,$reports/" "$out/race.out"
} | tee "$results"
[ "$status" -eq 0 ] || { head -60 "$out/race.log"; exit 1; }
