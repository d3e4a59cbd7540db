#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# split.sh NVCC SCRATCH
#
# Kernels that clang's plugin splits into loops over the threads of a block: which are split, by the
# report; that they leave the same bits as on stacks, with 1, 2 and 7 OS threads; and what is said
# when they fail. At -O2 and -O3, and with WIDE=1 in the environment at -O1.
#
# Exit status: 0 if all is as expected; 1 if not; 2 for wrong usage.
set -u

[ $# = 2 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2
here=$(dirname "$0")
kernels=$here/split/kernels.cu failures=$here/loops/failures.cu
mkdir -p "$scratch"
levels="${WIDE:+-O1} -O2 -O3"
failed=0

# build LEVEL SOURCE PROGRAM: with a report
build() {
    PORTABLE_REPORT=1 "$nvcc" -ccbin clang++ -w "$1" "$2" -o "$scratch/$3" \
        2>"$scratch/$3.report" || { cat "$scratch/$3.report"; exit 1; }
}
# alike FILE FILE WHAT
alike() {
    cmp -s "$scratch/$1" "$scratch/$2" && return
    echo "$3:"
    diff "$scratch/$1" "$scratch/$2" | head -n 10
    failed=1
}

# Each kernel is split, or not for the expected reason, with its line.
build -O0 "$kernels" stacks
[ ! -s "$scratch/stacks.report" ] || { echo "a report at -O0"; failed=1; }
for level in $levels; do
    build $level "$kernels" "split$level"
    sed -n 's,^// \([a-z_]*\): \(\([0-9]* \)*loops*\|no loops: .*\)$,\1 \2,p' "$kernels" |
        while read -r name expected; do
            line=$(sed -n "/__global__ void $name(/{n;=;}" "$kernels")
            said=$(sed -n "s,^.*kernels.cu:$line: kernel $name: ,,p" "$scratch/split$level.report")
            case $expected:$said in
            loops:[0-9]*' loop'*) ;;
            [0-9]*:"$expected") ;;
            no*:"$expected"*kernels.cu:* | no*:"$expected"*bytes*) ;;
            *) echo "$level: $name: expected \"$expected\", and the report has \"$said\"" ;;
            esac
        done >"$scratch/wrong"
    [ ! -s "$scratch/wrong" ] || { cat "$scratch/wrong"; failed=1; }
done

# The same bits.
"$scratch/stacks" >"$scratch/stacks.out" 2>&1 || failed=1
! grep ' [0-9a-f]* [1-9][0-9]*$' "$scratch/stacks.out" || { echo "a launch fails"; failed=1; }
for level in $levels; do
    for threads in 1 2 7; do
        PORTABLE_THREADS=$threads "$scratch/split$level" >"$scratch/split.out" 2>&1
        alike stacks.out split.out "$level, $threads OS threads: another output than on stacks"
    done
done
PORTABLE_SPLIT=0 "$scratch/split-O2" >"$scratch/split.out" 2>&1
alike stacks.out split.out "PORTABLE_SPLIT=0: another output"

# The same words of failures; the thread is named if it can be known.
said() {
    for kind in 0 1 2 3 4 5 6 7; do
        for thread in 0 5 33 63; do
            echo "$kind $thread"
            "$scratch/$1" $kind $thread
        done
    done 2>&1
}
without_thread() {
    sed 's/\(overflow\|access\|large,\) in block (0, 0, 0), thread ([0-9, ]*)/\1 in block (0, 0, 0)/' "$1"
}
unnamed=' (PORTABLE_SPLIT=0 in the environment has the thread named)'
build -O0 "$failures" fails-stacks
build -O2 "$failures" fails-split
said fails-stacks >"$scratch/fails"
without_thread "$scratch/fails" >"$scratch/fails-stacks.out"
said fails-split | sed "s/$unnamed//" >"$scratch/fails-split.out"
alike fails-stacks.out fails-split.out "failures: other words than on stacks"
PORTABLE_SPLIT=0 said fails-split >"$scratch/fails-again.out"
alike fails fails-again.out "failures, PORTABLE_SPLIT=0: other words than on stacks"
"$scratch/fails-split" 0 5 2>&1 | grep -qF "in block (0, 0, 0)$unnamed: address 0x50" || {
    echo "a fault: without \"$unnamed\""
    failed=1
}
for kernel in faults overflows asserts divides absent at_barriers; do
    grep -q "kernel $kernel: [0-9]* loop" "$scratch/fails-split.report" || {
        echo "$kernel: not split"
        failed=1
    }
done
PORTABLE_SPLIT=2 "$scratch/split-O2" >"$scratch/bad" 2>&1
grep -q 'PORTABLE_SPLIT' "$scratch/bad" || { echo "PORTABLE_SPLIT=2 is taken"; failed=1; }
exit $failed
