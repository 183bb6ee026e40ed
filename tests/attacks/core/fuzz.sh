#!/bin/sh
# Runs the targets of this folder on their corpus and on mutations of it, and, compiled by GCC with
# the copies for AVX-512, on random bytes. Writes the counts to tests/attacks/results/core.csv
# unless only one target was asked for. Fails where there is a finding; the input is then in
# .build/attacks. A quarter as many runs are of the second kind, or as many as RANDOM_RUNS says in
# the environment; MOST_SECONDS there ends the runs of the first kind for one target.
#
# Usage: sh fuzz.sh runs seed [targets]
set -eu
cd "$(dirname "$0")"
runs=$1 seed=$2 only=${3:-}
out=$PWD/../../../.build/attacks
mkdir -p "$out"

targets=${only:-$(sed -n '/^TARGETS/,/[^\\]$/p' Makefile | sed 's/^TARGETS := //; s/\\//')}
record=$PWD/../results/core.csv
[ -z "$only" ] || record=$out/core.csv
echo "target,compiler,runs,seed,seconds,findings,edges" >"$record"
# What the sanitizers find ends in SIGABRT, too.
export ASAN_OPTIONS=quarantine_size_mb=32:abort_on_error=1
export OPENBLAS_NUM_THREADS=1
status=0

# attack NAME COMPILER COMMAND...: a run ends at its first finding.
attack() {
  name=$1 compiler=$2 log=$out/$1-$2.log start=$(date +%s) findings=0
  shift 2
  "$@" >"$log" 2>&1 || findings=1
  [ "$findings" -eq 0 ] || status=1
  done=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$log" | tail -n 1)
  edges=$(sed -n 's/.*[[:space:]]DONE *cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
  seconds=$(($(date +%s) - start))
  echo "$name,$compiler,${done:-0},$seed,$seconds,$findings,${edges:-NA}" | tee -a "$record"
}

for target in $targets; do
  make -s "$out/$target" "$out/gcc-$target" OUT="$out"
  mkdir -p "$out/corpus/$target" "corpus/$target"
  attack "$target" clang "$out/$target" -runs="$runs" -seed="$seed" -max_len=180 -len_control=0 \
    -max_total_time="${MOST_SECONDS:-0}" -timeout=10 -artifact_prefix="$out/$target-" \
    "$out/corpus/$target" "corpus/$target"
  attack "$target" gcc "$out/gcc-$target" "${RANDOM_RUNS:-$((runs / 4))}" "$seed" \
    "corpus/$target" "$out/gcc-$target-crash"
done
awk -F, 'NR > 1 { runs += $3; found += $6 }
         END { printf "%d calls, %d findings\n", runs, found }' "$record"
exit $status
