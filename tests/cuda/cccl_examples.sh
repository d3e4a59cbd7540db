#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cccl_examples.sh NVCC SCRATCH CHECKOUT CONFIGURATION...
#
# Compiles and runs the examples of Thrust and CUB, each a file, that are in a CHECKOUT of
# NVIDIA/cccl, in each CONFIGURATION: emulate or a check. A right one ends with 0 and prints what
# CCCL's own references for LLVM's FileCheck want; CUB's examples compare their results themselves.
# A late one takes more than TIMEOUT seconds, 1800. JOBS: how many are compiled and run at a time;
# EXAMPLES: which, an extended regular expression.
#
# Exit status: 0 if every example compiles, is right in time, and has only the findings that
# cccl_examples.findings explains; 1 if not; 77 if CHECKOUT has no examples; 2 for wrong usage.
set -u

# one EXAMPLE.cu CONFIGURATION...: prints a line "CONFIGURATION VERDICT NAME" for each, where
# VERDICT is not-compiled, late, wrong, found-COUNT or clean
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
        object=$directory/$("$nvcc" --dryrun "$check" --cccl="$checkout" -c "$source" -o object \
            2>&1 | sed 's,portable-nvcc-[^/]*,,g' | cksum | cut -d ' ' -f 1).o
        log=$directory/$configuration
        : >"$log.compiled"
        [ -e "$object" ] || "$nvcc" "$check" --cccl="$checkout" -std=c++17 --extended-lambda \
            -Xcompiler -w -I thrust/examples -I c2h/include -c "$source" -o "$object" \
            >"$log.compiled" 2>&1
        if ! "$nvcc" "$check" "$object" -o "$log.program" >>"$log.compiled" 2>&1; then
            echo "$configuration not-compiled $name"
            continue
        fi
        (cd "$directory" && exec timeout "${TIMEOUT:-1800}" "$log.program") \
            >"$log.out" 2>"$log.errors"
        code=$?
        rm "$log.program"
        verdict=clean
        if [ "$configuration" != emulate ] &&
            ! grep -q "^$configuration: no " "$log.errors"; then
            verdict=found-$(sed -n "s/^$configuration: \([0-9]*\) .* in .*/\1/p" "$log.errors" |
                tail -n 1)
        fi
        if [ $code = 124 ]; then
            verdict=late
        elif [ $code != 0 ] && { [ "$verdict" = clean ] || [ $code != 1 ]; }; then
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
if [ ! -d "$3/thrust/examples" ] || [ ! -d "$3/cub/examples" ]; then
    echo "skipped: the examples of CCCL: ${3:-CCCL=DIRECTORY} is no checkout of NVIDIA/cccl"
    exit 77
fi
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") checkout=$(cd "$3" && pwd)
mkdir -p "$2"
scratch=$(cd "$2" && pwd)
shift 3
filecheck=
for program in FileCheck FileCheck-22 FileCheck-21 FileCheck-20 FileCheck-19 FileCheck-18 \
    FileCheck-17 FileCheck-16 FileCheck-15 FileCheck-14; do
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
# shellcheck disable=SC2016 # awk's
awk -v explained="${self%.sh}.findings" '
    BEGIN { while ((getline <explained) > 0) if (!/^#/) number[$1, $2] = $3 }
    {
        n[$1]++
        split($2, found, "-")
        if ($2 == "clean")
            clean[$1]++
        else if (found[1] == "found" && found[2] == number[$1, $3])
            known[$1]++
        else {
            print $1 ": " $2 ": " $3
            bad = 1
        }
        compiled[$1] += $2 != "not-compiled"
        right[$1] += $2 == "clean" || found[1] == "found"
    }
    END {
        for (c in n)
            printf "%s: %d examples, %d compile, %d are right, %d have no findings, %d %s\n", c,
                n[c], compiled[c], right[c], clean[c], known[c], "have explained ones"
        exit bad
    }' "$scratch/verdicts" >"$scratch/summary"
status=$?
sort "$scratch/summary"
exit $status
