#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What the emulate target and racecheck cost.
#
#     tests/emulate/cost.sh barriers [CC]       nanoseconds per thread and barrier, on plain emulate
#     tests/emulate/cost.sh racecheck [CASE...] the time of each case of the gallery under racecheck,
#                                               over that on plain emulate: make emulate racecheck
#                                               has built both
#
#     BUILD      the tree of the galleries (build)
#     ROUNDS     how often both run a case, in turns (5); medians count
#     MOST       what is too much: nanoseconds (100, where 50 is what a quiet machine must keep; noise
#                is let pass), or the ratio (30)
#
# Exit status: 0 when none is over MOST, 1 when one is, or nothing could be measured.

set -u
LC_ALL=C
export LC_ALL
unset ORDER PORTABLE_BREAK PORTABLE_STACK

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
build=${BUILD:-build}
rounds=${ROUNDS:-5}
directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT

barriers() {
    # $1 is a list of words.
    # shellcheck disable=SC2086
    $1 -std=c11 -O3 -I"$root" -DPORTABLE_TARGET_EMULATE=1 "$here/barriers.c" \
        "$root/host/emulate/emulate.c" "$root/host/emulate/objects.c" -lm -o "$directory/barriers" &&
        "$directory/barriers" >"$directory/times" || return 1
    awk -v most="${MOST:-100}" '
        BEGIN { print "threads   ns per thread and barrier" }
        { printf "%7d   %.1f%s\n", $1, $2, ($2 > 50 ? "   over 50" : "") }
        $2 > worst { worst = $2 }
        END { printf "at most %.1f ns\n", worst; exit !(NR > 0 && worst <= most) }' \
        "$directory/times"
}

# microseconds CONFIGURATION CASE N: of one launch
microseconds() {
    "$build/$1/gallery" bench "$2" --n "$3" --repeats 1 2>/dev/null |
        awk -v name="$2" '$1 == name { print int($3) }'
}

# The least power of two at which the case takes 10 ms on plain emulate, as far as it goes.
size_of() {
    n=64
    while [ $n -lt 16777216 ]; do
        us=$(microseconds emulate "$1" $n)
        [ "${us:-0}" -lt 10000 ] || break
        n=$((2 * n))
    done
    echo $n
}

median() {
    sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

racecheck() {
    # shellcheck disable=SC2046 # a list of words
    [ $# -gt 0 ] || set -- $("$build/emulate/gallery" list | awk '/^  / { print $1 }')
    printf '%-24s %10s %12s %12s %7s\n' case n 'emulate us' 'racecheck us' ratio
    for name in "$@"; do
        n=$(size_of "$name")
        : >"$directory/emulate"
        : >"$directory/racecheck"
        round=0
        while [ $round -lt "$rounds" ]; do
            for configuration in emulate racecheck; do
                microseconds $configuration "$name" "$n" >>"$directory/$configuration"
            done
            round=$((round + 1))
        done
        echo "$name $n $(median <"$directory/emulate") $(median <"$directory/racecheck")"
    done | awk -v most="${MOST:-30}" '
        NF < 4 || $3 == 0 { printf "%-24s could not be measured\n", $1; unknown++; next }
        {
            ratio = $4 / $3
            printf "%-24s %10d %12d %12d %7.1f%s\n", $1, $2, $3, $4, ratio,
                (ratio > most ? "   over " most : "")
            fflush()
            over += ratio > most
            if (ratio > worst) { worst = ratio; which = $1 }
        }
        END {
            printf "the worst: %.1f, of %s; %d of %d cases over %d\n", worst, which, over, NR, most
            exit NR == 0 || unknown > 0 || over > 0
        }'
}

case ${1:-} in
barriers) barriers "${2:-cc}" ;;
racecheck)
    shift
    racecheck "$@"
    ;;
*)
    echo "usage: cost.sh barriers [CC] | racecheck [CASE...]" >&2
    exit 2
    ;;
esac
