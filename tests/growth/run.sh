#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh TARGET GALLERY SCRATCH
# bench --growth of the cases of cases.c finds the slope, the cliff and the memory that are planted,
# and nothing else, also while other programs use all cores. TARGET is one of a CPU. Exit status: 0
# or 1.
set -u
LC_ALL=C
OMP_WAIT_POLICY=passive # as make bench-growth sets it
export LC_ALL OMP_WAIT_POLICY

target=$1 gallery=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
. "$(dirname "$0")/../cli/expect.sh"

# --repeats 1 leaves out the limits of the machine, which take long beside busy programs; each size
# is repeated for 50 ms all the same.
once="--repeats 1"

# passes CASE
passes() {
    expect 0 "0 of the cases break a promise" "$gallery" bench "$1" --growth $once
    said_not "not judged"
}
# finds CASE VERDICT: the case is broken in this way, or one of these
finds() {
    expect 1 "1 of the cases break a promise" "$gallery" bench "$1" --growth $once
    grep -Eq "^$1 .*  BROKEN: ($2)\$" "$scratch/out" ||
        fail "$target: expected \"$1 ... BROKEN: $2\" in: $(cat "$scratch/out")"
}
# all WHEN
all() {
    before=$failed
    passes steady
    finds quadratic slope
    finds cliff 'cliff|slope' # a cliff near the end of a short slope steepens it
    [ "$failed" = "$before" ] || echo "$target: $1"
}
all "alone"
# The growth of the memory is not an excuse for that of work: with the limits of the machine.
once=
finds quadratic slope
once="--repeats 1"
# Sizes that leave a thread of a team idle do not count.
case $target in
openmp) passes joined ;;
serial) finds joined 'cliff|slope' ;;
esac
finds hoarder memory

# Twice as many programs as cores.
busy=
trap 'for process in $busy; do kill "$process" 2>/dev/null; done' EXIT
trap 'exit 1' HUP INT TERM
for _ in $(seq $((2 * $(nproc)))); do
    while :; do :; done &
    busy="$busy $!"
done
all "beside busy programs"

[ "$failed" = 0 ]
