#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ptx_page.sh CC SCRATCH [--write]
# The tables of docs/ptx.md, after its last line of text, are those of host/nvcc/ptx_table.h, and a
# program in tests/cuda names each instruction. With --write, rewrites them. Exit status: 0, or 1 if
# not.
set -u
cc=$1 scratch=$2
cd "$(dirname "$0")/../.." || exit 1
mkdir -p "$scratch"
$cc -std=c11 -I. tests/cuda/ptx_page.c -o "$scratch/ptx_page" || exit 1
{
    sed '/^| class |/,$d' docs/ptx.md
    "$scratch/ptx_page"
} >"$scratch/ptx.md"
[ "${3:-}" != --write ] || cp "$scratch/ptx.md" docs/ptx.md
failed=0
diff -u docs/ptx.md "$scratch/ptx.md" || {
    echo "docs/ptx.md is not of this table: $0 $cc $scratch --write"
    failed=1
}
cat tests/cuda/ptx_*.cu tests/cuda/findings/inline_ptx.cu >"$scratch/tested"
"$scratch/ptx_page" forms | sort -u | while read -r form; do
    grep -qF -- "$form" "$scratch/tested" || echo "no test has $form"
done >"$scratch/untested"
[ ! -s "$scratch/untested" ] || { cat "$scratch/untested"; failed=1; }
exit $failed
