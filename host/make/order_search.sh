#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# order_search.sh PROGRAM [ARGUMENT...]
#
# Searches an order of blocks and threads in which a program of the emulate target, or of
# portable-nvcc, prints something else on stdout, or ends with another status: in reverse order, then
# in SEEDS shuffled orders, 100 by default. Prints the command that shows it. Exit status: 0 if there
# is one; 1 if none was found, which proves nothing; 2 for wrong usage.
set -u

[ $# -ge 1 ] || {
    sed -n '3s/^# /usage: /p' "$0" >&2
    exit 2
}
case ${SEEDS:=100} in
*[!0-9]*)
    echo "order_search.sh: SEEDS=$SEEDS: must be a number" >&2
    exit 2
    ;;
esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# runs ORDER FILE PROGRAM [ARGUMENT...]
runs() {
    order=$1 file=$2
    shift 2
    code=0
    ORDER=$order "$@" >"$file" 2>/dev/null </dev/null || code=$?
    echo "exit $code" >>"$file"
}

runs forward "$scratch/first" "$@"
for order in reverse $(seq -f shuffle:%.0f "$SEEDS"); do
    runs "$order" "$scratch/other" "$@"
    cmp -s "$scratch/first" "$scratch/other" || {
        echo "another output than in ascending order: ORDER=$order $*"
        exit 0
    }
done
echo "the same output in ascending and reverse order and in $SEEDS shuffled ones"
exit 1
