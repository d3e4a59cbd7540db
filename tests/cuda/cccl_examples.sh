#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cccl_examples.sh NVCC SCRATCH CHECKOUT CONFIGURATION...
#
# Compiles and runs the examples of Thrust and CUB, each a file, that are in a CHECKOUT of NVIDIA/cccl,
# in each CONFIGURATION: emulate or a check. A right one ends with 0 and prints what CCCL's own
# references for LLVM's FileCheck want; CUB's examples compare their results themselves. JOBS: how
# many are compiled and run at a time; EXAMPLES: which, as sum or block_scan.
#
# Exit status: 0 if every example compiles, is right and has no findings; 1 if not; 77 if CHECKOUT is
# none with examples; 2 for wrong usage.
set -u

# one EXAMPLE.cu CONFIGURATION...: prints a line "CONFIGURATION VERDICT NAME" for each, where VERDICT
# is not-compiled, wrong, found or clean
one() {
    source=$1
    shift
    name=$(echo "${source%.cu}" | sed 's,/examples/,.,; s,/,.,g')
    directory=$scratch/$name
    mkdir -p "$directory"
    rm -f "$directory"/*
    # Of thrust/examples/cuda/sum.cu it is thrust.example.cuda.sum.filecheck.
    reference=$checkout/thrust/internal/test/$(echo "$name" | sed 's/[.]/.example./').filecheck
    for configuration; do
        check=--check=$configuration
        [ "$configuration" != emulate ] || check=-O0
        object=$directory/$("$nvcc" --dryrun "$check" -c "$source" -o object 2>&1 |
            sed 's,portable-nvcc-[^/]*,,g' | cksum | cut -d ' ' -f 1).o
        log=$directory/$configuration
        if { [ ! -e "$object" ] && ! "$nvcc" "$check" -std=c++17 --extended-lambda -Xcompiler -w \
            -I thrust/examples -I c2h/include -c "$source" -o "$object" >"$log.compiled" 2>&1; } ||
            ! "$nvcc" "$check" "$object" -o "$log.program" >>"$log.compiled" 2>&1; then
            echo "$configuration not-compiled $name"
            continue
        fi
        (cd "$directory" && exec timeout "${TIMEOUT:-300}" "$log.program") >"$log.out" 2>"$log.errors"
        code=$?
        rm "$log.program"
        verdict=clean
        if [ "$configuration" != emulate ] &&
            ! grep -q "^$configuration: no " "$log.errors"; then
            verdict=found
        fi
        if [ $code != 0 ] && { [ $verdict = clean ] || [ $code != 1 ]; }; then
            verdict=wrong
        elif [ ! -e "$reference" ] || [ -z "$filecheck" ]; then
            :
        elif [ ! -s "$reference" ]; then
            [ ! -s "$log.out" ] || verdict=wrong
        elif ! "$filecheck" "$reference" <"$log.out" >"$log.compared" 2>&1; then
            verdict=wrong
        fi
        echo "$configuration $verdict $name"
    done
}

if [ "${1:-}" = --one ]; then
    shift
    cd "$checkout" || exit 1
    one "$@"
    exit
fi
[ $# -ge 4 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
[ -d "$3/thrust/examples" ] && [ -d "$3/cub/examples" ] || {
    echo "skipped: no examples of CCCL in ${3:-CCCL=}"
    exit 77
}
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") checkout=$3
mkdir -p "$2"
scratch=$(cd "$2" && pwd)
shift 3
filecheck=
for program in FileCheck FileCheck-22 FileCheck-21 FileCheck-20 FileCheck-19 FileCheck-18 FileCheck-17 \
    FileCheck-16 FileCheck-15 FileCheck-14; do
    [ -n "$filecheck" ] || filecheck=$(command -v $program)
done
[ -n "$filecheck" ] ||
    echo "# LEFT OUT the outputs of Thrust's examples: LLVM's FileCheck is not installed"
export nvcc scratch checkout filecheck configurations="$*"
(cd "$checkout" && find cub/examples thrust/examples -name '*.cu' ! -path '*/cpp_integration/*' |
    sort) >"$scratch/examples"
# shellcheck disable=SC2016 # the inner shell's
grep -E "${EXAMPLES:-.}" "$scratch/examples" |
    xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -I '{}' sh -c \
        '"$0" --one "$1" $configurations' "$self" '{}' >"$scratch/verdicts"
sort "$scratch/verdicts" | awk '
    { n[$1]++; is[$1, $2]++ }
    $2 != "clean" { print $1 ": " $2 ": " $3; bad = 1 }
    END {
        for (c in n)
            printf "%s: of %d examples %d compile, %d are right, %d clean\n", c, n[c],
                n[c] - is[c, "not-compiled"], n[c] - is[c, "not-compiled"] - is[c, "wrong"], is[c, "clean"]
        exit bad
    }'
