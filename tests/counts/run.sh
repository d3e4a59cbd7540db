#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh GALLERY SCRATCH
# gallery counts of the cases of cases.c: the counts are those made by hand, and of growth the
# slopes that are too steep are found, and no others. GALLERY is of the configuration `counts`. Exit
# status: 0 or 1.
set -u
LC_ALL=C
export LC_ALL

gallery=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
. "$(dirname "$0")/../cli/expect.sh"

# counted CASE ACCESSES USED MOVED TURNS LEAST LANES ATOMICS: of 64 elements, two warps
counted() {
    expect 0 "" "$gallery" counts "$1" --n 64
    line=$(tail -n 1 "$scratch/out" | tr -s ' ')
    [ "$line" = "$1 64 $(echo "$*" | cut -d' ' -f2-)" ] || fail "expected \"$*\" in: $line"
}
counted coalesced 128 512 512 0 0 32.0 0
counted strided 128 512 2304 0 0 32.0 0 # loads move 32 bytes for 4
counted banks 192 256 256 4 4 32.0 0    # a store and a load of each warp
counted conflicts 192 256 256 128 4 32.0 0
counted atomics 128 256 256 0 0 32.0 64
counted divergent 32 128 128 0 0 16.0 0
# Of each warp 31 loads of one word, the k-th by 32 - k lanes, and a store.
counted uneven 1056 504 2240 0 0 16.5 0

# slope STATUS CASE SLOPE
slope() {
    expect "$1" "$2 " "$gallery" counts --growth "$2"
    grep -q "^$2 .* $3\$" "$scratch/out" || fail "expected \"$2 ... $3\" in: $(cat "$scratch/out")"
}
slope 0 coalesced 1.00
said "1 of 1 cases judged; 0 with accesses that grow faster than their work"
slope 1 quadratic "2.00  TOO STEEP"
said "1 of 1 cases judged; 1 with accesses that grow faster than their work"
slope 1 cliff "2.36  TOO STEEP"
slope 2 small "not judged" # of one size
expect 1 "9 of 10 cases judged; 2 with accesses" "$gallery" counts --growth

expect 2 "excludes --n" "$gallery" counts --growth --n 9
expect 2 "no case nothing" "$gallery" counts nothing

[ "$failed" = 0 ]
