#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# speed.sh PORTABLE_NVCC SCRATCH [LAUNCHES]
#
# Times seven kernels of CUDA C++ beside the same as loops of C, by gcc -O3 on one thread and with
# OpenMP on all: prints the milliseconds, least of LAUNCHES (40), of portable-nvcc -O3 with
# each host compiler on 1, 2, 4... OS threads, and how they compare. All must leave the same bits.
#
# Exit status: 0 if they do; 1 if not; 2 for wrong usage.
set -u

[ $# = 2 ] || [ $# = 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2 launches=${3:-40}
here=$(dirname "$0")/speed
mkdir -p "$scratch"
cores=$(nproc) threads=1 counts=
while [ "$threads" -lt "$cores" ]; do
    counts="$counts $threads" threads=$((2 * threads))
done
counts="$counts $cores"

gcc -std=c11 -O3 -Wall -Wno-unknown-pragmas -DPREFIX=plain -c "$here/plain.c" -o "$scratch/plain.o" &&
    gcc -std=c11 -O3 -Wall -fopenmp -DPREFIX=openmp -c "$here/plain.c" -o "$scratch/openmp.o" || exit 1
compilers=g++
! command -v clang++ >/dev/null || compilers='clang++ g++'
for compiler in $compilers; do
    "$nvcc" -ccbin "$compiler" -O3 "$here/kernels.cu" "$scratch/plain.o" "$scratch/openmp.o" \
        -Xlinker -lgomp -o "$scratch/$compiler" || exit 1
    for threads in $counts; do
        # A limit, as kernels of floats that are added in one order do not gain.
        PORTABLE_THREADS=$threads timeout 300 "$scratch/$compiler" "$launches" |
            sed "s/^/$compiler $threads /"
    done
done >"$scratch/times"

awk -v cores="$cores" -v compilers="$compilers" -v counts="$counts" '
    { name = $3; key = $1 " " $2 " " name; time[key] = $6
      if (!(name in plain)) { order[++kernels] = name; hash[name] = $7 }
      if (!(name in plain) || $4 < plain[name]) plain[name] = $4
      if (!(name in openmp) || $5 < openmp[name]) openmp[name] = $5
      if ($7 != hash[name]) { print "FAILED: " name ": other bits by " $1 " with " $2 " threads"; failed = 1 } }
    END {
        split(compilers, compiler, " "); columns = split(counts, count, " ")
        line = "| kernel | plain C | OpenMP " cores " |"; rule = "|---|---|---|"
        for (c = 1; c in compiler; c++)
            for (k = 1; k <= columns; k++) { line = line " " compiler[c] ", " count[k] " |"; rule = rule "---|" }
        print line " 1 / plain C | " cores " / OpenMP |"; print rule "---|---|"
        for (n = 1; n <= kernels; n++) {
            name = order[n]
            line = "| " name " | " plain[name] " | " openmp[name] " |"
            for (c = 1; c in compiler; c++)
                for (k = 1; k <= columns; k++) line = line " " time[compiler[c] " " count[k] " " name] " |"
            printf "%s %.2f | %.2f |\n", line, time[compiler[1] " 1 " name] / plain[name], time[compiler[1] " " cores " " name] / openmp[name]
        }
        exit failed
    }' "$scratch/times"
