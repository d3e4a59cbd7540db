#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mutants.sh SCRATCH [EXAMPLE...]
# Small mistakes in the examples, which their checks must find. Each is made alone in a copy of the
# example in SCRATCH. NAME.mutants beside this script lists those of the example NAME:
#
#     mutant  WHAT    what is wrong
#     file    PATH    of the source, in the example
#     before  TEXT    the original text, which must occur once, in one line
#     after   TEXT    its replacement, which may be empty
#     run     GOALS   for make, which must fail
#     finds   TEXT    which it must print
#
# A text begins after the word and two blanks. Exit status: 0 if all were found, otherwise 1.
set -u
[ $# -ge 1 ] || { echo "usage: mutants.sh SCRATCH [EXAMPLE...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1" && scratch=$(cd "$1" && pwd) || exit 2
shift
[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*.mutants | sed 's,^\./,,; s,\.mutants$,,')
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES ONLY EXCEPT CASES BUILD
export PORTABLE="$root/host"
made=0 missed=0

# Replaces the text `before` in a file by `after`; fails unless it occurs once.
change() {
    BEFORE=$before AFTER=$after awk '
        BEGIN { before = ENVIRON["BEFORE"]; after = ENVIRON["AFTER"] }
        {
            at = index($0, before)
            if (at) {
                count++
                rest = substr($0, at + length(before))
                if (index(rest, before)) count++
                $0 = substr($0, 1, at - 1) after rest
            }
            print
        }
        END { exit count != 1 }' "$1" >"$1.changed" && mv "$1.changed" "$1"
}

for example; do
    copy=$scratch/$example
    [ -d "$root/docs/examples/$example" ] || { echo "there is no example $example" >&2; exit 2; }
    mkdir -p "$copy"
    while IFS= read -r line; do
        text=${line#*  }
        case $line in
        mutant\ *) what=$text ;;
        file\ *) file=$text ;;
        before\ *) before=$text ;;
        after*) after=${line#after} after=${after#  } ;;
        run\ *) run=$text ;;
        finds\ *)
            made=$((made + 1))
            (cd "$root/docs/examples/$example" && tar cf - --exclude=./build --exclude=./config.mk .) |
                tar xf - -C "$copy" || exit 1
            if ! change "$copy/$file"; then
                echo "NOT MADE $example: $what: $file must have its text once"
                missed=$((missed + 1))
            elif (cd "$copy" && make -s $run) >"$scratch/$example.log" 2>&1 </dev/null ||
                ! grep -F -e "$text" "$scratch/$example.log" >/dev/null; then
                echo "MISSED $example: $what: see $scratch/$example.log"
                cp "$scratch/$example.log" "$scratch/$example.$made.log"
                missed=$((missed + 1))
            else
                echo "found $example: $what"
            fi
            ;;
        esac
    done <"$here/$example.mutants"
done
echo "mutants of the examples: $made, $missed not found"
[ "$made" -gt 0 ] && [ "$missed" = 0 ]
