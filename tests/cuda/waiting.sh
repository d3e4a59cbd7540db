#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# waiting.sh NVCC SCRATCH [CONFIGURATION...]
#
# Compiles the programs of tests/cuda/waiting with portable-nvcc, in each CONFIGURATION: emulate, or
# a check. Loops that poll end, deadlocks are reported with their threads and lines, and neither is
# taken for the other; what never ends is ended at its limit; warps in lockstep give what GPUs before Volta gave. initcheck, synccheck and
# streamcheck, which take no part in waiting, run one of three programs each, or with WIDE=1 in
# the environment all. NVCC_CCBIN is the compiler.
#
# Exit status: 0 if all is as expected; 1 if not; 2 for wrong usage.
set -u

[ $# -ge 2 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2
here=$(dirname "$0")/waiting
shift 2
mkdir -p "$scratch"
failed=0

# fails SENTENCE: says it, and what was printed
fails() {
    echo "$configuration: $1"
    head -n 20 "$scratch/said"
    failed=1
}
# says TEXT...: what was printed has each TEXT
says() {
    for text; do
        grep -qF -- "$text" "$scratch/said" || fails "without \"$text\":"
    done
}
# build NAME OPTION...: makes $scratch/NAME
build() {
    name=$1
    shift
    # shellcheck disable=SC2086 # no word for emulate
    "$nvcc" $check "$@" "$here/$name.cu" -o "$scratch/$name" || { failed=1; return 1; }
}
# runs NAME ARGUMENT...
runs() {
    name=$1
    shift
    timeout 600 "$scratch/$name" "$@" >"$scratch/said" 2>&1
    code=$?
}

try_deadlocks() {
    build deadlocks -O2 || return
    set -- "never_released::18" "never_set:and 127 more:24" \
        "beyond_the_gpu:blocks have not started:33" \
        "before_a_barrier:wait at __syncthreads:41" "opposite:and 1 more poll:58" \
        "around_a_barrier:wait at sync:66"
    number=0
    for deadlock; do
        kernel=${deadlock%%:*} line=${deadlock##*:} place=${deadlock#*:}
        runs deadlocks $number
        says "kernel $kernel" "deadlock: its threads wait for" "${place%:*}" "in a loop at" \
            "/deadlocks.cu:$line" cudaErrorLaunchTimeout
        [ -z "$check" ] || [ $code != 0 ] || fails "$kernel: exit status 0"
        ! grep -q 'leak: host memory' "$scratch/said" || fails "$kernel: a leak of the runtime"
        number=$((number + 1))
    done
    runs deadlocks $number
    says cudaSuccess
    [ $code = 0 ] || fails "patient: exit status $code"
}

# Without lockstep the results differ; racecheck names the races that depend on it.
try_lockstep() {
    build lockstep -O2 --warps=lockstep || return
    "$scratch/lockstep" 2>"$scratch/said" >"$scratch/lockstep.said"
    # g++'s AddressSanitizer checks an address once in a piece of code: docs/cuda-cpp.md.
    [ "$configuration" = memcheck ] && except=vote || except=none
    grep -v "^$except" "$here/lockstep.out" >"$scratch/expected"
    grep -v "^$except" "$scratch/lockstep.said" | diff "$scratch/expected" - ||
        fails "lockstep: another output"
    if [ "$configuration" = racecheck ]; then
        says "of one warp: the result depends on lockstep" "which is wrong on any GPU" \
            "race in kernel bitonic" "race in kernel histogram" "race in kernel apart"
        [ "$(grep -c "wrong on any GPU" "$scratch/said")" = 1 ] ||
            fails "lockstep: not one race of two warps"
    elif [ -n "$check" ]; then
        says "$configuration: no "
    fi
    PORTABLE_WARPS=independent "$scratch/lockstep" >"$scratch/independent" 2>"$scratch/said"
    [ "$configuration" != racecheck ] || says "race in kernel bitonic"
    ! grep -q "depends on lockstep" "$scratch/said" || fails "independent: speaks of lockstep"
    [ "$(diff "$here/lockstep.out" "$scratch/independent" | grep -c '^>')" = 6 ] ||
        fails "independent: not six other results"
    refuses lockstep locked "must be lockstep or independent"
    refuses plain lockstep \
        "must be independent in a program built without portable-nvcc --warps=lockstep"
}
# refuses NAME VALUE SENTENCE: $scratch/NAME with PORTABLE_WARPS=VALUE prints one line on stderr
refuses() {
    PORTABLE_WARPS=$2 "$scratch/$1" >"$scratch/out" 2>"$scratch/said"
    code=$?
    echo "PORTABLE_WARPS=$2: $3" | diff - "$scratch/said" && [ $code = 2 ] ||
        fails "$1, PORTABLE_WARPS=$2: exit status $code"
}

try_plain() {
    build plain -O2 || return
    runs plain
    says "cudaSuccess 32" "cudaSuccess 128" "cudaSuccess 1234567"
    [ "$configuration" != racecheck ] || says "race in kernel by_plain" \
        "race in kernel by_volatile" \
        "race in kernel by_blocks"
}

# It is reported by the OS thread that runs it, and ends the program.
try_endless() {
    build endless -O2 -g || return
    PORTABLE_NOTICE=0 PORTABLE_LIMIT=1
    export PORTABLE_NOTICE PORTABLE_LIMIT
    for threads in 1 3; do
        PORTABLE_THREADS=$threads PORTABLE_SPLIT=0 runs endless
        says "kernel endless did not end within 1 s of processor time:" \
            "    block (2, 0, 0), thread (5, 0, 0) runs at "
        grep -q "runs at .*endless\.cu:1[01]$" "$scratch/said" || fails "endless: not the line of its loop"
        [ $code = 134 ] || fails "endless: exit status $code"
    done
    runs endless # its threads may be in one loop
    says "kernel endless did not end within 1 s of processor time:" "    block (2, 0, 0)"
    unset PORTABLE_NOTICE PORTABLE_LIMIT
}

for configuration; do
    check=
    [ "$configuration" = emulate ] || check=--check=$configuration
    parts="deadlocks plain lockstep"
    [ "$configuration" != emulate ] || parts="$parts endless"
    [ -n "${WIDE:-}" ] || case $configuration in
    initcheck) parts=deadlocks ;;
    synccheck) parts=plain ;;
    streamcheck) parts=lockstep ;;
    esac
    for part in $parts; do
        try_$part
    done
done
exit $failed
