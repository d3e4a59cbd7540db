#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mistakes.sh CC SCRATCH TARGET FLAGS OBJECT...
# Each mistake in a case, of mistakes.c, gives one clear sentence, and the next case still runs. FLAGS
# are those of TARGET, serial or emulate, and the objects those of the harness.
set -u

cc=$1 scratch=$2 target=$3 flags=$4
shift 4
objects=$*
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
rm -rf "$scratch"
mkdir -p "$scratch"
. "$here/expect.sh"
unset WRONG ORDER PORTABLE_LIMIT PORTABLE_NOTICE
case $flags in
*PRECISION_DOUBLE=1*) real=float64 ;;
*) real=float32 ;;
esac

# compile OUTPUT OPTION...
compile() {
    output=$1
    shift
    # shellcheck disable=SC2086 # lists of words
    expect 0 "" $cc $flags -Wno-array-bounds -Wno-stringop-overflow "$@" -o "$output"
}
compile "$scratch/mistakes.o" -c "$root/tests/cli/mistakes.c"
gallery=$scratch/gallery
# shellcheck disable=SC2086 # a list of words
compile "$gallery" "$scratch/mistakes.o" $objects -lm

expect 0 "$target: 16 runs, all agree" "$gallery" check
line_of() { grep -n -F -- "$1" "$here/mistakes.c" | head -n 1 | cut -d: -f1; }
# at TEXT: the line of mistakes.c with it
at() { echo "$root/tests/cli/mistakes.c:$(line_of "$1")"; }

# refused MISTAKE SENTENCE: the case's row fails with the sentence, and the next case runs
refused() {
    expect 2 "  $2" env WRONG="$1" "$gallery" check
    said "NOT ALL AGREE"
    said_not Aborted
    [ "$(grep -c ' FAILED' "$scratch/out")" = 1 ] && grep -q '^wrong .* FAILED' "$scratch/out" ||
        fail "$1: expected one failed row, of case wrong"
    grep -q "^after  *8  $target : reference .* ok" "$scratch/out" || fail "$1: case after did not run"
    expect 2 "gallery: $2" env WRONG="$1" "$gallery" run wrong --n 3 --block 256
    said_not Aborted
}

# ---- in prepare ----

refused prepare-beyond "case wrong, n = 3: its prepare wrote beyond the host copy of array x, which has 3 elements"
refused two-names "case wrong has two arrays with the name x"
refused many-arrays "case wrong has more than 16 arrays"
refused pinned "case wrong: pinned memory 4 is out of range, or there already"
refused negative-count "case wrong, n = 3, array more: not enough memory for a $real array of shape (18446744073709551615,)"
refused no-sentence "case wrong, n = 3: its prepare returned -1 without a sentence of io_fail: end it by return run_ready(run, error)"
refused not-ready "case wrong, n = 3, array large: not enough memory for a $real array of shape (1152921504606846976,)"
refused no-grid "case wrong, n = 3, block "
said "invalid launch: kernel doubles: grid (0, 0, 0)"

# ---- in launch ----

# A macro's argument has the line of the macro's end, or of its beginning.
launched=$(at 'OR("y", "device-name"')
env WRONG=device-name "$gallery" check 2>&1 | grep -qF "$launched:" || launched=$(at 'OR(run->block, "large-block"')
refused device-name "$launched: case wrong has no array values; it has x, y, marks, sums, rest"
refused device-type "$(at 'DEVICE_REALS("marks")'): case wrong: array marks holds uint32, not $real: use DEVICE_WORDS, or run_device for another view"
refused device-bytes "$(at 'DEVICE_BYTES("sums")'): case wrong: array sums holds uint64, not uint8: use DEVICE_LONG_WORDS, or run_device for another view"
refused large-block "case wrong, n = 3, block "
said "invalid launch: kernel doubles: block (2048, 1, 1) exceeds"
expect 1 "elements were never written; the first is y[0]" env WRONG=swallows "$gallery" check

# ---- in reference ----

refused host-name "$(at '"host-name"'): case wrong has no array X; it has x, y, marks, sums, rest"
refused host-type "$(at 'HOST_INTS("marks")'): case wrong: array marks holds uint32, not int32: use HOST_WORDS, or run_host for another view"
refused host-doubles "$(at 'HOST_DOUBLES("sums")'): case wrong: array sums holds uint64, not float64: use HOST_LONG_WORDS, or run_host for another view"
refused host-reals "$(at 'HOST_REALS("sums")'): case wrong: array sums holds uint64, not $real: use HOST_LONG_WORDS, or run_host for another view"
refused reference-beyond "case wrong, n = 3: its reference wrote beyond the host copy of array rest, which has 3 elements"
expected=$(at 'run_expect(run, y, ')
refused no-result "$expected: case wrong has no array y; it has x, marks, sums, rest"
refused expect-name "$expected: case wrong has no array Y; it has x, y, marks, sums, rest"
refused bound-negative "$expected: case wrong, n = 3: element 0 of y has the bound -1, which says nothing"
refused bound-infinite "$expected: case wrong, n = 3: element 0 of y has the bound inf, which says nothing"
refused index "$(at 'run_expect(run, "sums", (size_t)run->n'): case wrong, n = 3: element 3 of sums is beyond its end, 3"
refused expect-input "$(at 'run_expect(run, "x"'): case wrong: array x is an input, which is not compared"
refused expect-scratch "$(at 'run_expect(run, "rest"'): case wrong: array rest is scratch, which is not compared"
refused elsewhere "$(at 'run_expect_elsewhere(run, "z")'): case wrong has no array z; it has x, y, marks, sums, rest"
refused nothing "case wrong, n = 3: its reference expects nothing of array y"
refused first "case wrong, n = 3: its reference expects nothing of element 0 of array y"
refused last "case wrong, n = 3: its reference expects nothing of element 2 of array y"

# ---- in the table, which is refused before anything runs ----

# bad_row MISTAKE SENTENCE
bad_row() {
    for command in check list; do
        expect 2 "gallery: $2" env WRONG="$1" "$gallery" $command
    done
    [ "$(wc -l <"$scratch/out")" = 1 ] || fail "$1: more than a sentence"
}
bad_row row-name "a case of family mistakes has no .name"
bad_row row-blank "case \"two words\": .name has a blank or a slash: CASES=, directories and files have the name"
bad_row row-twice "two cases have the name after"
bad_row row-family "case wrong has no .family"
bad_row row-summary "case wrong has no .summary"
bad_row row-takes "case wrong has neither .takes nor .blocks: set one of them"
bad_row row-timing "case wrong: .timing_n is 0: set a size to time, of 3 at least"
bad_row row-sizes "case wrong: .sizes has 2 after 3: sizes must rise from 0 or more"
bad_row row-blocks "case wrong: .blocks has 8x8, and .takes means one dimension"
bad_row row-prepare "case wrong has no .prepare"
bad_row row-launch "case wrong has no .launch"

# A file whose table is not registered, among others; a file without a table need not register one.
registered=$root/host/make/registered.sh
compile "$scratch/forgotten.o" -w -DFORGOTTEN -c "$root/tests/cli/mistakes.c"
grep -v '^GALLERY_CASES' "$here/mistakes.c" >"$scratch/forgotten.c"
echo "#include <stdio.h>" >"$scratch/helper.c"
expect 0 "" "$registered" "$here/mistakes.c" "$scratch/mistakes.o" "$scratch/helper.c" "$scratch/forgotten.o"
expect 1 "$scratch/forgotten.c has a table of cases and does not register it: add GALLERY_CASES(NAME_OF_THE_TABLE) behind it" \
    "$registered" "$here/mistakes.c" "$scratch/mistakes.o" "$scratch/forgotten.c" "$scratch/forgotten.o"
# By a macro of the project's.
expect 0 "" "$registered" "$scratch/forgotten.c" "$scratch/mistakes.o"

# ---- an invalid access: the command that shows where ----

if [ "$target" = emulate ]; then
    refused nowhere "case wrong, n = 3, block 256, emulate: device error: kernel writes_to_nowhere: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x0; to see where: make memcheck CASES=wrong ARGS=\"--n 3 --block 256\""
else
    expect 1 "  wrong, n = 3, block 256, serial: Segmentation fault; to see where: make memcheck CASES=wrong ARGS=\"--n 3 --block 256\"" \
        env WRONG=nowhere "$gallery" check
fi

echo "$failed failed"
[ $failed = 0 ]
