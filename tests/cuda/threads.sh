#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# threads.sh NVCC SCRATCH COMPILERS [PROGRAM.cu...]
#
# Blocks on several OS threads: what a program prints, compiled by each of the COMPILERS, is the
# same with PORTABLE_THREADS=1, 2 and 7, for tests/cuda/threads/order.cu, the kernels in it that
# fail, and each PROGRAM, which prints what is beside it in PROGRAM.out.
#
# Exit status: 0 if all is as expected; 1 if not; 2 for wrong usage.
set -u

[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2 compilers=$3
order=$(dirname "$0")/threads/order.cu
shift 3
mkdir -p "$scratch"
failed=0

# build SOURCE LIBRARY...: makes $scratch/program
build() {
    source=$1
    shift
    "$nvcc" -ccbin "$compiler" -w -O2 -std=c++17 "$source" "$@" -o "$scratch/program"
}
# alike WHAT ARGUMENT...: what the program says, with each number of threads; in $scratch/said-1
alike() {
    what=$1
    shift
    for threads in 1 2 7; do
        PORTABLE_THREADS=$threads timeout 300 "$scratch/program" "$@" \
            >"$scratch/printed-$threads" 2>"$scratch/said-$threads" </dev/null
        echo "exit status $?" | cat "$scratch/printed-$threads" - >>"$scratch/said-$threads"
        cmp -s "$scratch/said-1" "$scratch/said-$threads" && continue
        echo "$compiler: $what: another output with $threads threads:"
        diff "$scratch/said-1" "$scratch/said-$threads" | head -n 6
        failed=1
    done
}

for compiler in $compilers; do
    for program; do
        build "$program" -lcurand -lcublas -lcufft -lcusparse -lcusolver -lnvidia-ml -lnccl ||
            { failed=1; continue; }
        alike "$program"
        cmp -s "${program%.cu}.out" "$scratch/printed-1" ||
            { echo "$compiler: $program: not what it prints on a GPU"; failed=1; }
    done
    [ $# = 0 ] || continue
    build "$order" || exit 1
    alike order
    if ! grep -q '^prints: error 0' "$scratch/said-1" || grep 'wrong$' "$scratch/said-1"; then
        echo "$compiler: order fails"
        failed=1
    fi
    if ! PORTABLE_THREADS=29 timeout 300 "$scratch/program" 5 0 2>&1 >/dev/null |
        grep -qx 'PORTABLE_THREADS=29: at most 28 OS threads run blocks, so 28 do'; then
        echo "$compiler: PORTABLE_THREADS=29 is 28 without a word"
        failed=1
    fi
    alike "blocks that are abandoned" 7
    if ! grep -q ' 0 blocks went on$' "$scratch/said-1"; then
        echo "$compiler: there are no blocks that are abandoned"
        failed=1
    fi
    for kind in 0 1 2 3 4 5 6; do
        for block in 0 70 119; do
            alike "failure $kind in block $block" $kind $block
            case $kind in
                0) expected="invalid access in block ($block, 0, 0)" ;;
                1) expected="block: [$block,0,0]" ;;
                2) expected="block ($block, 0, 0)*__trap" ;;
                3) expected="division by zero*block ($block, 0, 0)" ;;
                4) expected="block ($block, 0, 0): not all lanes" ;;
                5) expected="block $block" ;;
                6) expected="block ($block, 0, 0), thread (*poll" ;;
            esac
            grep -q -- "$(printf '%s' "$expected" | sed 's/[][]/\\&/g; s/\*/.*/g')" \
                "$scratch/said-1" && continue
            echo "$compiler: failure $kind in block $block: without \"$expected\":"
            head -n 3 "$scratch/said-1"
            failed=1
        done
    done
done
exit $failed
