#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# examples.sh CC PROGRAMS SCRATCH
# The example in host/case.h compiles without warnings and agrees with its reference. PROGRAMS is
# build/serial-exact, whose objects it is linked with.
set -u

cc=$1 programs=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
. "$(dirname "$0")/expect.sh"
double=0
"$programs/gallery" info | grep -q '^precision: double' && double=1

sed -n '1,/^ \*\/$/p' host/case.h | sed -n 's/^ \*     //p' >"$scratch/example.c"
[ "$(wc -l <"$scratch/example.c")" -gt 20 ] || fail "host/case.h has no example"
objects=$programs/host/programs/gallery.o
for object in "$programs"/../neutral/host/*.o "$programs"/host/*.o; do
    case "$objects " in
    *"/host/${object##*/} "*) ;; # from an older build
    *) objects="$objects $object" ;;
    esac
done
# shellcheck disable=SC2086 # lists of words
expect 0 "" $cc -std=c11 -Wall -Wextra -Wshadow -Wundef -Wstrict-prototypes -Wc++-compat -Werror -I. \
    -DPORTABLE_PRECISION_DOUBLE=$double -ffp-contract=off "$scratch/example.c" $objects -lm -o "$scratch/gallery"
expect 0 "serial: 28 runs, all agree" "$scratch/gallery" check
expect 0 "third " "$scratch/gallery" list

echo "$failed failed"
[ $failed = 0 ]
