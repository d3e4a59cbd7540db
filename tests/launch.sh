#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# launch.sh SCRATCH COMPILER...
# The instructions for launching an empty kernel, counted by callgrind: at most 90 on serial, and
# 300 on openmp with a team of one, most of them OpenMP's own. The number varies for larger teams,
# which wait. Two launches exceed the limit. Verifying the guards of three arrays adds at most 200,
# which ten exceed; of ten thousand, 250.
set -u

scratch=$1
shift
mkdir -p "$scratch" || exit 1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/.." && pwd) || exit 1
failed=0
command -v valgrind >/dev/null || { echo "skipped: valgrind, which counts the instructions, is not installed"; exit 77; }

# count ARGUMENT...: the instructions of the program
count() {
    OMP_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null "$scratch/launch" "$@" 2>"$scratch/log" >/dev/null ||
        { cat "$scratch/log" >&2; echo 0; return; }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/log"
}

# expect VERDICT TARGET LIMIT [twice | ARRAYS]: prints the instructions of a launch, and whether they are
# more than the limit. Two runs differ by their launches only.
expect() {
    value=$((($(count 11000 ${4:+"$4"}) - $(count 1000 ${4:+"$4"})) / 10000))
    if [ $value -le 0 ]; then verdict='not counted'; elif [ $value -le "$3" ]; then verdict=ok; else verdict=more; fi
    case ${4:-} in [0-9]*) what="$4 arrays" ;; *) what=${4:-one launch} ;; esac
    printf '%-10s %-24s %8d instructions, limit %d: %s\n' "${compiler##*/}" "$2, $what" $value "$3" "$verdict"
    [ "$verdict" = "$1" ] || { echo "expected: $1"; failed=$((failed + 1)); }
}

for compiler in "$@"; do
    for target in serial openmp; do
        limit=90 flag=
        if [ $target = openmp ]; then
            sh "$root/host/make/openmp.sh" "$compiler" || { echo "# LEFT OUT openmp under $compiler: it needs libomp"; continue; }
            limit=300 flag=-fopenmp
        fi
        "$compiler" -std=c11 -O3 $flag -I"$root" "$here/launch.c" -o "$scratch/launch" || exit 1
        expect ok $target $limit
        expect more $target $limit twice
        expect ok $target $((limit + 200)) 3
        expect more $target $((limit + 200)) 10
        expect ok $target $((limit + 250)) 10000
    done
done
echo "$failed failed"
[ $failed = 0 ]
