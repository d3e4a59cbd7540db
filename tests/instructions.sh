#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# instructions.sh SCRATCH COMPILER...
# The serial target's kernels may have at most 2% more instructions than the plain loops, counted by
# callgrind: instructions, unlike times, are the same in every run.
set -u

scratch=$1
shift
if ! command -v valgrind >/dev/null; then
    echo "# SKIP valgrind, which counts the instructions, is not installed"
    exit 77
fi
mkdir -p "$scratch"
failed=0

# count CASE N WHICH: instructions, or 0
count() {
    valgrind --tool=callgrind --toggle-collect=counted --callgrind-out-file=/dev/null \
        "$scratch/instructions" "$@" 2>"$scratch/log" || { cat "$scratch/log" >&2; echo 0; return; }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/log"
}

# compare VERDICT CASE N WHICH: prints both counts, their ratio, and whether it is at most 1.02
compare() {
    plain=$(count "$2" "$3" plain) kernel=$(count "$2" "$3" "$4")
    line=$(echo "${kernel:-0} ${plain:-0}" | awk '{
        verdict = $1 == 0 || $2 == 0 ? "not counted" : $1 <= 1.02 * $2 ? "ok" : "more"
        printf "%10d  plain %10d  ratio %.4f  %s", $1, $2, ($2 == 0 ? 0 : $1 / $2), verdict }')
    printf '%-10s %-24s %s\n' "${compiler##*/}" "$2, $4" "$line"
    [ "${line##*  }" = "$1" ] || { echo "expected: $1"; failed=$((failed + 1)); }
}

# Without -g, which changes no instruction: valgrind 3.19 cannot read clang 14's debug information.
for compiler in "$@"; do
    "$compiler" -std=c11 -O3 -DPORTABLE_CLONES=0 -I. tests/instructions.c host/cases/vector.c host/cases/sparse.c \
        host/cases/stencil.c host/case.c host/devices.c host/array.c host/io.c host/matrix_market.c host/pnm.c -lm \
        -o "$scratch/instructions" || exit 1
    compare ok saxpy 100000 kernel
    compare ok csr_spmv 30000 kernel
    compare ok neighbour_sum 100000 kernel
    compare more saxpy 100000 careless
done
echo "$failed failed"
[ $failed = 0 ]
