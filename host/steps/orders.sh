#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# orders.sh BUILD SEEDS CONFIGURATION...
# orders.sh BUILD ORDER CONFIGURATION...
#
# Runs the gallery of each configuration with blocks and threads in reverse and in SEEDS shuffled
# orders, or in ORDER alone (reverse or shuffle:SEED), and compares every result with serial-exact's
# in ascending order: exact cases bit for bit. Each run prints a command that repeats it.
# Environment: CASES, the cases to run, default all; EXPECTED, a directory with serial-exact's
# results, if they exist already; ORDERED_ARGS, further arguments of gallery check.
set -eu

build=$1 seeds=$2
shift 2
case $seeds in
reverse | shuffle:*) orders=$seeds ;;
"" | *[!0-9]* | 0* | ??????????*)
    echo "SEEDS=$seeds: must be the number of shuffled orders, 1 to 999999999" >&2
    exit 2
    ;;
*) orders="reverse $(seq -f 'shuffle:%.0f' -s ' ' "$seeds")" ;;
esac
expected=$(mktemp -d)
trap 'rm -rf "$expected"' EXIT
trap 'exit 1' HUP INT TERM
dump=${EXPECTED:-$expected/dump}
# shellcheck disable=SC2086 # a list of words
[ -n "${EXPECTED:-}" ] || "$build/serial-exact/gallery" check ${CASES:-} --dump "$dump" >"$expected/out" || {
    cat "$expected/out"
    exit 1
}
failed=0
for configuration in "$@"; do
    for order in $orders; do
        command="$build/$configuration/gallery check${CASES:+ $CASES}${ORDERED_ARGS:+ $ORDERED_ARGS}"
        # shellcheck disable=SC2086 # a list of words
        if ORDER=$order $command --against "serial=$dump" >"$expected/out" 2>&1; then
            echo "ORDER=$order $command: $(tail -n 1 "$expected/out")"
        else
            echo "ORDER=$order $command: FAILED"
            grep -v ' ok ' "$expected/out" | sed 's/^/    /'
            failed=1
        fi
    done
done
exit $failed
