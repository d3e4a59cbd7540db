#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh GALLERY SCRATCH
# host/hints.sh: each hint for a kernel of which it is true, and none for its neighbour of which it
# is not. GALLERY is of the configuration `counts`. Exit status: 0, or 1.
set -u
LC_ALL=C
export LC_ALL

gallery=$1 scratch=$2
here=$(cd "$(dirname "$0")" && pwd)
hints=$here/../../host/hints.sh
rm -rf "$scratch"
mkdir -p "$scratch"
. "$here/../cli/expect.sh"

# results TARGET SHARE RATIO CASE...: a results file with these cases at two sizes
results() {
    target=$1 share=$2 ratio=$3
    shift 3
    for name; do
        for n in 1000 100; do
            echo '    {"family": "any", "case": "'"$name"'", "n": '$n', "limit": "memory",' \
                '"share_of_limit": '"$share"', "plain_seconds": {"median": 1},' \
                '"ratio": {"lower": 1, "median": '"$ratio"'}, "hint": null},'
        done
    done >"$scratch/$target.json"
}
# hinted TARGET: hints of its results
hinted() {
    expect 0 "" "$hints" "$scratch/$1.json" "$scratch/counts" "$gallery"
}
# says CASE HINT, quiet CASE...
says() {
    grep -qxF "$(printf '%-22s %s' "$1" "$2")" "$scratch/out" || fail "expected \"$1: $2\" in: $(cat "$scratch/out")"
}
quiet() {
    for name; do
        grep -q "^$name " "$scratch/out" && fail "expected no hint for $name in: $(cat "$scratch/out")"
    done
}

memory="in 100% of the accesses to device memory"
cases="copy_strided copy_coalesced copy_misaligned masses_of_structures masses_of_arrays shared_banks_conflict
    shared_banks_free branch_divergent branch_uniform sum_atomic sum_tree histogram_global histogram_shared scan_inclusive"
# shellcheck disable=SC2086 # names
results cuda 0.1 1 $cases
hinted cuda
says copy_strided "uncoalesced: 32 bytes moved for 4 used, $memory"
says masses_of_structures "uncoalesced: 16 bytes moved for 4 used, in 50% of the accesses to device memory"
says shared_banks_conflict "bank conflicts: an access to shared memory takes 32.0 times the turns that it must"
says branch_divergent "divergent: 16 of 32 threads of a warp take part in an access, on average"
says sum_atomic "atomics: 1.0 on device memory for each other access to it"
says histogram_global "atomics: 1.0 on device memory for each other access to it"
quiet copy_coalesced copy_misaligned masses_of_arrays shared_banks_free branch_uniform sum_tree \
    histogram_shared scan_inclusive
# In the file: at the size of the table, and nowhere else.
expect 0 '"hint": "uncoalesced: 32 bytes moved for 4 used, '"$memory"'"},' grep '"copy_strided", "n": 1000' "$scratch/cuda.json"
expect 0 '"hint": null},' grep '"copy_strided", "n": 100,' "$scratch/cuda.json"
expect 0 '"hint": null},' grep '"copy_coalesced", "n": 1000' "$scratch/cuda.json"
[ "$(wc -l <"$scratch/cuda.json")" = 28 ] || fail "the file has lost lines"

# A second time, from what was kept: the gallery is not run.
cp "$scratch/cuda.json" "$scratch/first"
expect 0 "copy_strided " "$hints" "$scratch/cuda.json" "$scratch/counts" /bin/false
quiet copy_coalesced
cmp -s "$scratch/first" "$scratch/cuda.json" || fail "the same counts give another file"

# Near their limit cases have no hint, and nothing is counted.
# shellcheck disable=SC2086 # names
results cuda 0.6 1 $cases
expect 0 "" "$hints" "$scratch/cuda.json" "$scratch/no-counts" "$gallery"
[ ! -s "$scratch/out" ] && [ ! -e "$scratch/no-counts" ] || fail "hints for cases near their limit: $(cat "$scratch/out")"

# On one core an atomic is an addition, and shared memory has no banks. The plain loop's time is a
# reason too, which needs no counts.
# shellcheck disable=SC2086 # names
results serial 0.6 3.25 $cases
hinted serial
says sum_atomic '3.2 times the plain loop'"'"'s time: docs/performance.md, "What determines the speed on a CPU"'
says shared_banks_conflict '3.2 times the plain loop'"'"'s time: docs/performance.md, "What determines the speed on a CPU"'
says copy_strided "3.2 times the plain loop's time; uncoalesced: 32 bytes moved for 4 used, $memory"
results openmp 0.1 2 sum_atomic shared_banks_conflict cub:sum
hinted openmp
says sum_atomic "atomics: 1.0 on device memory for each other access to it"
quiet shared_banks_conflict cub:sum
results serial 0.1 3 saxpy
expect 0 "3.0 times the plain loop's time" "$hints" "$scratch/serial.json" "$scratch/counts-of-none"
results emulate 0.1 3 copy_strided
hinted emulate
quiet copy_strided
# A case that cannot be counted has no counted hint.
results cuda 0.1 1 nothing copy_strided
hinted cuda
says copy_strided "uncoalesced: 32 bytes moved for 4 used, $memory"
quiet nothing
if command -v python3 >/dev/null; then
    expect 0 "" python3 -c 'import json, sys
for line in open(sys.argv[1]): json.loads(line.rstrip().rstrip(","))' "$scratch/serial.json"
fi

[ "$failed" = 0 ]
