#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh NVCC SCRATCH PROGRAM.cu [CONFIGURATION...]
# run.sh --gpu NVCC SCRATCH PROGRAM.cu
#
# Compiles a CUDA program with portable-nvcc and runs it, in each CONFIGURATION: emulate, which is
# -O0, another level such as -O2, or a check. It must print PROGRAM.out, and a check must have no
# findings. NVCC_CCBIN in the environment is the compiler; without its AddressSanitizer, memcheck is
# left out. With --gpu, NVCC is CUDA's own, and the program runs on the GPU; its output must be the
# same file.
#
# The libraries of CUDA that it is linked with are in its comment `// link: -lcurand`; if one of them
# lacks a package here, the program is skipped.
#
# THREADS, such as "1 2 7", are numbers of OS threads, on each of which each program runs. STREAMS,
# such as "late late:1", are values of PORTABLE_STREAMS, with each of which it runs too.
#
# A program in tests/cuda/fail/ must not compile, and the compiler must print the sentence in the
# comment `// error: ...` on one of its lines.
#
# A program in tests/cuda/cccl/ needs Thrust, CUB or libcu++.
#
# Exit status: 0 if all is as expected; 1 if not; 2 for wrong usage; 77 if it is skipped.
set -u

gpu=
[ "${1:-}" = --gpu ] && gpu=1 && shift
[ $# -ge 3 ] || { sed -n '3,4s/^# //p' "$0" >&2; exit 2; }
nvcc=$1 scratch=$2 source=$3
shift 3
mkdir -p "$scratch"
name=$(basename "$source" .cu)
expected=${source%.cu}.out
libraries=$(sed -n 's,^// link: ,,p' "$source")
failed=0

# runs LABEL PROGRAM: its output is the expected one
runs() {
    for PORTABLE_STREAMS in ${STREAMS:-}; do
        export PORTABLE_STREAMS
        run_once "$1 $PORTABLE_STREAMS" "$2"
    done
    unset PORTABLE_STREAMS
    if [ -z "${THREADS:-}" ] || [ -n "$check" ]; then
        run_once "$1" "$2"
        return
    fi
    for number in $THREADS; do
        PORTABLE_THREADS=$number
        export PORTABLE_THREADS
        run_once "$1 on $number" "$2"
    done
}
# cuBLAS logs an invalid argument on stdout.
run_once() { # LABEL PROGRAM
    "$2" >"$scratch/$1.log" 2>"$scratch/$1.errors"
    code=$?
    sed '/^ \*\* On entry to /d' "$scratch/$1.log" >"$scratch/$1.said"
    if [ $code != 0 ]; then
        echo "$name, $1: exit status $code"
        tail -n 20 "$scratch/$1.errors"
        failed=1
    fi
    diff -u "$expected" "$scratch/$1.said" >"$scratch/$1.diff" || {
        echo "$name, $1: another output"
        head -n 20 "$scratch/$1.diff"
        failed=1
    }
}

# Some packages of clang have the sanitizer's library apart.
has_sanitizer() {
    [ -z "${NVCC_CCBIN:-}" ] || echo 'int main() { return 0; }' |
        "$NVCC_CCBIN" -fsanitize=address,undefined -x c++ - -o "$scratch/sanitized" \
            2>"$scratch/sanitized.log"
}

options=
case $source in
*/fail/*)
    sentence=$(sed -n 's,^.*// error: ,,p' "$source")
    if "$nvcc" -c "$source" -o "$scratch/fail.o" 2>"$scratch/fail.errors"; then
        echo "$name: compiles, and must not"
        failed=1
    elif ! grep -qF -- "$sentence" "$scratch/fail.errors"; then
        echo "$name: without the sentence \"$sentence\":"
        head -n 20 "$scratch/fail.errors"
        failed=1
    fi
    exit $failed
    ;;
*/cccl/*)
    echo '#include <cub/version.cuh>' >"$scratch/asks.cu"
    "$nvcc" -E "$scratch/asks.cu" >"$scratch/asks.log" 2>&1 || {
        echo "skipped: CCCL is not found"
        exit 77
    }
    options=-rdc=true # as on the GPU: CCCL then expects that kernels can launch its kernels
    ;;
esac

# shellcheck disable=SC2086 # options are words
if [ -n "$gpu" ]; then
    "$nvcc" -std=c++17 -rdc=true -w --extended-lambda ${GPU_ARCH:--arch=native} "$source" \
        -o "$scratch/gpu" -lcublas -lcublasLt $libraries || exit 1
    runs gpu "$scratch/gpu"
    exit $failed
fi
# shellcheck disable=SC2086
if [ -n "$libraries" ] && ! "$nvcc" --dryrun /dev/null -o none $libraries 2>"$scratch/lacks"; then
    echo "skipped: $(sed -n 's/^portable-nvcc: //p' "$scratch/lacks")"
    exit 77
fi
# object OPTION...: makes $object, once for configurations that are compiled alike
object() {
    object=$scratch/$("$nvcc" --dryrun "$@" -c "$source" -o object 2>&1 |
        sed 's,portable-nvcc-[^/]*,,g' | cksum | cut -d ' ' -f 1).o
    # shellcheck disable=SC2086 # options are words
    [ -e "$object" ] || "$nvcc" "$@" $options -c "$source" -o "$object"
}
rm -f "$scratch"/*.o
for configuration; do
    check=--check=$configuration level=-O0
    case $configuration in -O*) level=$configuration ;; esac
    if [ "$configuration" = emulate ] || [ "$configuration" = "$level" ]; then
        check=
        object "$level" || exit 1
    elif [ "$configuration" = memcheck ] && ! has_sanitizer; then
        echo "# LEFT OUT memcheck: ${NVCC_CCBIN:-the compiler} has no AddressSanitizer here"
        continue
    else
        # gcc's tracking of variables, for debuggers, takes most of the time of some programs.
        object "$check" -Xcompiler -fno-var-tracking || exit 1
    fi
    # shellcheck disable=SC2086 # no word for emulate
    "$nvcc" $check "$object" -o "$scratch/$configuration" $libraries || exit 1
    runs "$configuration" "$scratch/$configuration"
    [ -z "$check" ] || grep -q "^$configuration: no " "$scratch/$configuration.errors" || {
        echo "$name, $configuration: findings"
        head -n 30 "$scratch/$configuration.errors"
        failed=1
    }
done
exit $failed
