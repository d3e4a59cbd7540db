#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# examples.sh CC PROGRAMS SCRATCH OBJECT...
# The example in host/case.h compiles without warnings and agrees with its reference. PROGRAMS is
# build/serial-exact; the objects are those of the harness.
set -u

cc=$1 programs=$2 scratch=$3
shift 3
objects=$*
rm -rf "$scratch"
mkdir -p "$scratch"
. "$(dirname "$0")/expect.sh"
double=0
"$programs/gallery" info | grep -q '^precision: double' && double=1

sed -n '1,/^ \*\/$/p' host/case.h | sed -n 's/^ \*     //p' >"$scratch/example.c"
[ "$(wc -l <"$scratch/example.c")" -gt 20 ] || fail "host/case.h has no example"
# shellcheck disable=SC2086 # lists of words
expect 0 "" $cc -std=c11 -Wall -Wextra -Wshadow -Wundef -Wstrict-prototypes -Wc++-compat -Werror -I. \
    -DPORTABLE_PRECISION_DOUBLE=$double -ffp-contract=off "$scratch/example.c" $objects -lm -o "$scratch/gallery"
expect 0 "serial: 28 runs, all agree" "$scratch/gallery" check
expect 0 "third " "$scratch/gallery" list
# Other projects' programs have no demo.
expect 2 "usage: gallery list" "$scratch/gallery" demo tests/data
said_not "gallery demo"

# A row that makes no sense is refused before anything runs.
sed 's/.takes = CASE_LINES, //' "$scratch/example.c" >"$scratch/bad.c"
# shellcheck disable=SC2086 # lists of words
expect 0 "" $cc -std=c11 -I. -DPORTABLE_PRECISION_DOUBLE=$double "$scratch/bad.c" $objects -lm -o "$scratch/bad"
for command in list check; do
    expect 2 "gallery: case third has neither .takes nor .blocks: set one of them" "$scratch/bad" $command
done

# built NAME SCRIPT: a gallery of the example, edited by sed
built() {
    sed "$2" "$scratch/example.c" >"$scratch/$1.c"
    # shellcheck disable=SC2086 # lists of words
    expect 0 "" $cc -std=c11 -w -I. -DPORTABLE_PRECISION_DOUBLE=$double -ffp-contract=off "$scratch/$1.c" $objects -lm -o "$scratch/$1"
}

# A wrong kernel without a reference agrees with nothing until there is another target's result.
built unreferenced 's/, .reference = reference//; s|x\[i\] / 3;|x[i] / 4;|'
expect 2 "serial: 0 runs, NOTHING WAS COMPARED" "$scratch/unreferenced" check --dump "$scratch/dumped"
said "not compared: no reference, and no results of another target"
expect 0 "28 runs, all agree" "$scratch/unreferenced" check --against other="$scratch/dumped"
# Neither does one without results.
built without 's/run_output_real(run, "y", (size_t)run->n, OWNER_ELEMENT)/run_scratch_real(run, "y", (size_t)run->n)/; s/, .reference = reference//'
expect 2 "case third has no output and no updated array: nothing can be compared" "$scratch/without" check

echo "$failed failed"
[ $failed = 0 ]
