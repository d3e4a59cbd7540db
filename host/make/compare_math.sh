#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compare_math.sh NVCC "OPTION..." FILE.cu|OPTION... [-- ARGUMENT...]
#
# Where a CUDA program computes otherwise with the options of mathematics, such as -fmad=true or
# -use_fast_math, than in the exact build: builds it by portable-nvcc without and with the OPTIONs, runs
# both with the ARGUMENTs, and prints the lines that store other values. The exact build runs first.
#
# Exit status: the second program's, 1 if it stores other values; 2 for wrong usage, or if a build
# or the exact program's record fails.
set -u

if [ $# -lt 3 ]; then
    sed -n '3s/^# /usage: /p' "$0" >&2
    exit 2
fi
# shellcheck disable=SC2034 # for eval
nvcc=$1 options=$2
shift 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
# What comes before -- is for the compiler: its quoted words, and the number of the rest.
words=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    words="$words '$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")'"
    shift
done
[ $# = 0 ] || shift
eval "\"\$nvcc\" --check=fpcheck --stores -o \"\$scratch/exact\" $words" || exit 2
# shellcheck disable=SC2086 # options are words
eval "\"\$nvcc\" --check=fpcheck --stores \$options -o \"\$scratch/other\" $words" || exit 2
PORTABLE_FP_RECORD=$scratch/stores "$scratch/exact" "$@" >"$scratch/said" 2>"$scratch/errors"
grep -q '^fpcheck: .* recorded in ' "$scratch/errors" || {
    cat "$scratch/errors" >&2
    exit 2
}
PORTABLE_FP_COMPARE=$scratch/stores "$scratch/other" "$@"
