#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# loops.sh NVCC SCRATCH [COMPILER...]
#
# A kernel that fails, compiled by each host COMPILER: with a stack for each thread (-O0) and with
# threads in a loop (-O2), the same is said of the same thread. split.sh has kernels that are split.
#
# Exit status: 0 if all is as expected; 1 if not; 2 for wrong usage.
set -u

[ $# -ge 2 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2
source=$(dirname "$0")/loops/failures.cu
shift 2
mkdir -p "$scratch"
export PORTABLE_SPLIT=0
failed=0

# said PROGRAM: what all kinds of failures say, of the first thread, the last and two others
said() {
    for kind in 0 1 2 3 4 5 6 7; do
        for thread in 0 5 33 63; do
            echo "$kind $thread"
            "$1" $kind $thread
        done
    done 2>&1
}

for compiler; do
    for level in -O0 -O2; do
        "$nvcc" -ccbin "$compiler" -w $level "$source" -o "$scratch/failures$level" || exit 1
        said "$scratch/failures$level" >"$scratch/said$level"
    done
    diff -u "$scratch/said-O0" "$scratch/said-O2" || {
        echo "$compiler: threads in a loop say something else"
        failed=1
    }
    for sentence in 'invalid access in block (0, 0, 0), thread (15, 3, 0): address 0x3f0' \
        'stack overflow in block (0, 0, 0), thread (33, 0, 0)' \
        'block (0, 0, 0), thread (5, 0, 0): assertion' \
        'block: [0,0,0], thread: [7,0,0] Assertion' \
        'not all lanes named by'; do
        grep -qF -- "$sentence" "$scratch/said-O2" || {
            echo "$compiler: without \"$sentence\""
            failed=1
        }
    done
done
exit $failed
