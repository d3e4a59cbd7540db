#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# launch.sh SCRATCH COMPILER...
# What the launch of an empty kernel costs: at most 90 instructions on serial, counted by callgrind,
# and on openmp, with a team of two, at most 20 microseconds for the quickest of many: a larger team
# never has all its cores at once on a busy machine. Two launches are more.
set -u

scratch=$1
shift
mkdir -p "$scratch" || exit 1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/.." && pwd) || exit 1
failed=0
limit=90 limit_ns=20000

# count ARGUMENT...: the instructions of the program
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$scratch/launch" "$@" 2>"$scratch/log" >/dev/null ||
        { cat "$scratch/log" >&2; echo 0; return; }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/log"
}

# expect VERDICT WHAT VALUE LIMIT UNIT: prints the value, and whether it is more than the limit
expect() {
    if [ "$3" -le 0 ]; then verdict='not counted'; elif [ "$3" -le "$4" ]; then verdict=ok; else verdict=more; fi
    printf '%-10s %-24s %8d %s, limit %d: %s\n' "${compiler##*/}" "$2" "$3" "$5" "$4" "$verdict"
    [ "$verdict" = "$1" ] || { echo "expected: $1"; failed=$((failed + 1)); }
}

for compiler in "$@"; do
    "$compiler" -std=c11 -O3 -I"$root" "$here/launch.c" -o "$scratch/launch" || exit 1
    if command -v valgrind >/dev/null; then
        # The batches' own instructions, a few for each launch, are the same in all.
        few=$(count 1000 1)
        expect ok 'serial, one launch' $((($(count 11000 1) - few) / 10000)) $limit instructions
        expect more 'serial, two launches' $((($(count 11000 1 twice) - $(count 1000 1 twice)) / 10000)) $limit instructions
    else
        echo "# LEFT OUT instructions: valgrind, which counts them, is not installed"
    fi
    if sh "$root/host/openmp.sh" "$compiler"; then
        "$compiler" -std=c11 -O3 -fopenmp -I"$root" "$here/launch.c" -o "$scratch/launch" || exit 1
        expect ok 'openmp, one launch' "$(OMP_NUM_THREADS=2 "$scratch/launch" 5000 1024)" $limit_ns nanoseconds
    else
        echo "# LEFT OUT openmp under $compiler: it needs libomp"
    fi
done
echo "$failed failed"
[ $failed = 0 ]
