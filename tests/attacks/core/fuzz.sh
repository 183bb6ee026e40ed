#!/bin/sh
# Runs the targets of this folder on their corpus and on mutations of it, and, compiled by GCC with
# the copies for AVX-512, on random bytes. Writes the counts to tests/attacks/results/core.csv
# unless only one target was asked for. Fails where there is a finding; the input is then in
# .build/attacks.
#
# Usage: sh fuzz.sh runs seed [target]
set -eu
cd "$(dirname "$0")"
runs=$1 seed=$2 only=${3:-}
out=$PWD/../../../.build/attacks
results=$PWD/../results/core.csv
mkdir -p "$out"

targets=${only:-$(sed -n '/^TARGETS/,/[^\\]$/p' Makefile | sed 's/^TARGETS := //; s/\\//')}
record=$out/core.csv
echo "target,compiler,runs,seed,seconds,findings,edges" >"$record"
export ASAN_OPTIONS=quarantine_size_mb=32
export OPENBLAS_NUM_THREADS=1
status=0

# Counts of a run: the name, the compiler, the log and the seconds.
note() {
  findings=$(grep -cE 'ERROR: |runtime error: |does not hold: |terminate called' "$3" || true)
  [ "$findings" -eq 0 ] || status=1
  done=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$3" | tail -n 1)
  edges=$(sed -n 's/.* DONE *cov: \([0-9]*\).*/\1/p' "$3" | tail -n 1)
  echo "$1,$2,${done:-0},$seed,$4,$findings,${edges:-NA}" | tee -a "$record"
}

for target in $targets; do
  make -s "$out/$target" "$out/gcc-$target" ROOT=../../.. OUT="$out"
  mkdir -p "$out/corpus/$target" "corpus/$target"
  start=$(date +%s)
  "$out/$target" -runs="$runs" -seed="$seed" -max_len=180 -len_control=0 -timeout=10 \
    -artifact_prefix="$out/$target-" "$out/corpus/$target" "corpus/$target" \
    >"$out/$target.log" 2>&1 || status=1
  note "$target" clang "$out/$target.log" $(($(date +%s) - start))
  start=$(date +%s)
  "$out/gcc-$target" $((runs / 4)) "$seed" "corpus/$target" >"$out/$target.log" 2>&1 || status=1
  note "$target" gcc "$out/$target.log" $(($(date +%s) - start))
done
[ -n "$only" ] || cp "$record" "$results"
awk -F, 'NR > 1 { runs += $3; found += $6 }
         END { printf "%d calls, %d findings\n", runs, found }' "$record"
exit $status
