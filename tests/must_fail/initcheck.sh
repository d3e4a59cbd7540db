#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# initcheck.sh GALLERY SCRATCH
# The gallery of cases.c under initcheck: outputs and scratch are uninitialised for a launch,
# although the harness has filled them.
set -u

gallery=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
. "$(dirname "$0")/../cli/expect.sh"
unset WRONG ORDER GOLDEN CASES PORTABLE_LIMIT PORTABLE_NOTICE

expect 0 "emulate: 72 runs, all agree" "$gallery" check
said "initcheck: no errors in "
expect 1 "device array scratch of " env WRONG=scratch "$gallery" check ends --n 33 --block 32
said "doubles_beside"
# The line of the case, rather than the harness's, is where the array was made.
said "allocated at tests/must_fail/cases.c:$(grep -n 'run_scratch_real(run, "scratch"' "$(dirname "$0")/cases.c" | cut -d : -f 1)"
said_not "host/case.c"
expect 1 "device array first of " env WRONG=unwritten_first "$gallery" check filled --n 33 --block 32
# Without child processes, too, a damaged run is not compared, and the others are.
expect 2 '  begins, n = 33, block 32, emulate: kernel writes wrote beyond device array y, at byte ' env WRONG=beyond_output "$gallery" check
said '; to see where: make memcheck CASES=begins ARGS="--n 33 --block 32"'
said "emulate: 72 runs, NOT ALL AGREE"
said "initcheck: no errors in "
# The runtime ends a launch that goes on, and says where; the check sums up what it found until then.
expect 134 "kernel waits did not end within 1 s of processor time:" env WRONG=endless "$gallery" check begins --n 33 --block 32 --limit 1
said "    block (0, 0, 0), thread (16, 0, 0) runs at tests/must_fail/cases.c:$(grep -n 'while (i == at' "$(dirname "$0")/cases.c" | cut -d : -f 1)"
said "initcheck: "

echo "$failed failed"
[ $failed = 0 ]
