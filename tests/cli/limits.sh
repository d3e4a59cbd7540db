#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# limits.sh PROGRAMS SCRATCH
# Files that exceed ulimit -f, headers that claim more than the file holds, paths longer than a
# message: each ends with one sentence and exit status 2, uses little time and memory, and leaves no
# files behind.
set -u

scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
gallery=$(cd "$1" && pwd)/gallery compare=$(cd "$1" && pwd)/portable-compare
. "$(dirname "$0")/expect.sh"

# small BLOCKS COMMAND...: limits files to that number of 512-byte blocks
small() { (ulimit -f "$1" && shift && exec "$@"); }
left() { find "$scratch" -name '*.tmp' | grep -q . && fail "a temporary file is left: $(find "$scratch" -name '*.tmp')"; }

# expect's own output file stays below the limits.
too_large="cannot write: File too large (ulimit -f shows the limit)"
expect 2 "y.npy: $too_large" small 8 "$gallery" run saxpy --n 100000 --dump "$scratch/dump"
left
[ ! -e "$scratch/dump/y.npy" ] || fail "half an array is left"
expect 2 "y.npy: $too_large" small 64 "$gallery" dump "$scratch/dump" saxpy
left
expect 0 "" "$gallery" check saxpy --results "$scratch/results"
expect 2 "$scratch/page.html: $too_large" small 8 "$gallery" report "$scratch/page.html" "serial=$scratch/results"
left
expect 2 "$scratch/more: $too_large" small 1 "$gallery" check saxpy --results "$scratch/more"
left
[ ! -e "$scratch/more" ] || fail "half of the results are left"

# stdout is a file, too.
expect 0 "" "$gallery" dump "$scratch/a" saxpy
cp -R "$scratch/a" "$scratch/b"
for program in "$gallery list" "$compare $scratch/a/saxpy $scratch/b/saxpy"; do
    # shellcheck disable=SC2086 # a list of words
    (ulimit -f 0 && exec $program) 2>"$scratch/log" >"$scratch/listed" </dev/null
    code=$?
    [ $code = 2 ] || fail "$program to a file that may have no byte: exit status $code"
done

# A header's claim costs nothing: 64 MB and a second are enough.
claims() {
    printf '%%%%MatrixMarket matrix coordinate %s\n%s\n' "$2" "$3" >"$scratch/claim.mtx"
    expect 2 "claim.mtx: line 2: expected at most $1 in a file of" sh -c \
        'ulimit -v 65536 && ulimit -t 1 && exec "$@"' sh "$gallery" run csr_spmv --input "$scratch/claim.mtx"
}
claims "1048644 rows" "real general" "1000000000 10 1
1 1 1"
claims "1048644 columns" "real general" "10 2000000000 1
1 1 1"
claims "1048648 rows" "real symmetric" "2000000000 2000000000 1"
printf 'P5 4000000000 4000000000 255\nx' >"$scratch/claim.pgm"
expect 2 "claim.pgm: an image of 4000000000 x 4000000000 does not fit in memory" "$gallery" run blur --input "$scratch/claim.pgm"

# Text after a zero byte is not ignored.
printf 'portable.h results 1\ntarget: serial\n\nend\t0\t0\n\000' >"$scratch/zero"
expect 2 "zero: byte 45: expected text, found a zero byte" "$gallery" report "$scratch/page.html" "serial=$scratch/zero"
printf 'target: serial\nprecision: single\n\000' >"$scratch/a/manifest.txt"
expect 2 "manifest.txt: byte 33: expected text, found a zero byte" "$gallery" accuracy "$scratch/a" "$scratch/a"

# The message keeps the cause, however long the path is.
long=$scratch/$(printf 'a%.0s' $(seq 5000))
expect 2 "aaa.mtx: cannot read: File name too long" "$gallery" run csr_spmv --input "$long.mtx"
said "gallery: $scratch/aaa"
expect 2 "aaa: cannot make the directory: File name too long" "$gallery" run saxpy --dump "$long"
expect 2 "aaa.npy: cannot read: File name too long" "$compare" "$long.npy" "$scratch/a/saxpy/y.npy"
expect 2 "aaa: cannot read: File name too long" "$gallery" accuracy "$long" "$long"

echo "$failed failed"
[ $failed = 0 ]
