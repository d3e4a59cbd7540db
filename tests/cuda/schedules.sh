#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# schedules.sh PORTABLE_NVCC NVCC SCRATCH [FILE.cu...]
#
# The proof of ordercheck on a GPU: programs for which it prints that every schedule gives the same
# bits, on the CPU, are built by CUDA's NVCC and run RUNS times, 100 by default, with the GPU's own
# schedules. A program must print the same each time. Without FILEs: those of orders/verdicts that are
# proven, and orders/proofs.cu.
#
# The runs are in one process (orders/repeat.cu), or, if they differ there, as of a program that keeps
# a state, in processes, up to JOBS (4) at a time, which disturbs their schedules. GPU_ARCH is
# -arch=native.
#
# Exit status: 0 if no output differs; 1 if one does, or nothing could be tried; 2 for wrong usage.
set -u
LC_ALL=C
export LC_ALL

[ $# -ge 3 ] || { sed -n '3s/^# /usage: /p' "$0" >&2; exit 2; }
portable=$1 nvcc=$2 scratch=$3
shift 3
runs=${RUNS:-100} jobs=${JOBS:-4}
here=$(cd "$(dirname "$0")" && pwd) || exit 2
mkdir -p "$scratch" || exit 2
if [ $# = 0 ]; then
    set -- "$here/orders/proofs.cu"
    # shellcheck disable=SC2013 # names are words
    for name in $(sed -n 's/: proven$//p' "$here/orders/verdicts"); do
        set -- "$@" "$here/$name.cu"
    done
fi
# build OPTION...: by CUDA's compiler
build() {
    # shellcheck disable=SC2086 # options are words
    "$nvcc" -std=c++17 -O2 -rdc=true -w --extended-lambda ${GPU_ARCH:--arch=native} "$@" \
        >"$directory/log" 2>&1
}

same=0 failed=0
for source; do
    name=$(basename "$source" .cu)
    libraries=$(sed -n 's,^// link: ,,p' "$source")
    directory=$scratch/$name
    rm -rf "$directory"
    mkdir -p "$directory"
    # shellcheck disable=SC2086 # libraries and options are words
    if ! "$portable" --check=ordercheck -w "$source" -o "$directory/checked" $libraries >"$directory/log" 2>&1 ||
        ! "$directory/checked" >"$directory/log" 2>"$directory/proof" ||
        ! grep -q '^ordercheck: every schedule gives the same bits' "$directory/proof"; then
        echo "# LEFT OUT $name: ordercheck does not prove it here"
        continue
    fi
    libraries="-lcublas -lcublasLt $libraries"
    # shellcheck disable=SC2086 # libraries are words
    if build -c "$source" -o "$directory/program.o" &&
        objcopy --redefine-sym main=program_main "$directory/program.o" &&
        build "$here/orders/repeat.cu" "$directory/program.o" -o "$directory/repeat" $libraries &&
        "$directory/repeat" "$runs" >"$directory/said" 2>"$directory/log" &&
        grep -q "^$runs runs print the same$" "$directory/said"; then
        same=$((same + 1))
        continue
    fi
    # shellcheck disable=SC2086 # libraries are words
    if ! build "$source" -o "$directory/gpu" $libraries; then
        echo "# LEFT OUT $name: nvcc does not build it"
        continue
    fi
    "$directory/gpu" >"$directory/first" 2>"$directory/log"
    first=$?
    if [ $first != 0 ]; then
        echo "# LEFT OUT $name: exit status $first on the GPU"
        continue
    fi
    # shellcheck disable=SC2016 # for the inner shell
    seq "$runs" | xargs -P "$jobs" -n 1 sh -c '
        "$0/gpu" >"$0/said.$1" 2>/dev/null || echo "run $1: exit status $?"
        cmp -s "$0/first" "$0/said.$1" || echo "run $1 prints something else: $0/said.$1 and not $0/first"
        cmp -s "$0/first" "$0/said.$1" && rm "$0/said.$1"' "$directory" >"$directory/differ" 2>&1
    if [ -s "$directory/differ" ]; then
        echo "$name: $(grep -c . "$directory/differ") of $runs runs differ, though ordercheck proves it"
        head -n 3 "$directory/differ"
        failed=1
    else
        same=$((same + 1))
    fi
done
echo "$same programs with a proof printed the same in $runs runs"
[ $failed = 0 ] && [ $same -gt 0 ]
