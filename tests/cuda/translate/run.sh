#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh CC SCRATCH
# The translator of CUDA C++: each NAME.ii beside this, becomes NAME.out, with
# the options in its first line; after that come the errors and warnings, and the number of errors.
# Exit status: 0 if all is as expected, or 1.
set -u
cc=$1 scratch=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$scratch"
# shellcheck disable=SC2086 # words
host=$here/../../../host/nvcc
$cc -std=c11 -O0 -g -I"$here/../../.." "$here/translate.c" "$host/translate.c" "$host/ptx.c" "$host/text.c" \
    -o "$scratch/translate" || exit 1
failed=0 count=0
for source in "$here"/*.ii; do
    name=$(basename "$source" .ii)
    {
        # shellcheck disable=SC2046 # words
        "$scratch/translate" $(sed -n '1s,^// options: ,,p' "$source") <"$source" 2>"$scratch/said"
        echo "$? errors:"
        cat "$scratch/said"
    } >"$scratch/$name.out"
    count=$((count + 1))
    diff -u "$here/$name.out" "$scratch/$name.out" || failed=1
done
echo "$count files"
exit $failed
