#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check.sh NAME...
# Ends `make check`, after host/step.sh has run each step: prints the tables of the
# cross-validation, a notice if there was no GPU, and last "N passed, N failed, N skipped". Exit
# status: 1 if a step failed. CHECK in the environment is the directory of the results.
set -u

passed=0 failed=0 skipped=0 unchanged=0
[ ! -t 1 ] || [ "${TERM:-dumb}" = dumb ] || printf '\r\033[K'

heading='cross-validation'
for name; do
    case $name in
    cross-* | golden-*) ;;
    *) continue ;;
    esac
    log=$CHECK/logs/$name.log
    if [ ! -e "$CHECK/steps/$name.skipped" ] && [ -s "$log" ]; then
        echo "$heading"
        heading=
        grep -v '^# SKIP ' "$log"
    fi
done

: >"$CHECK/costs.tmp"
for name; do
    result=$CHECK/steps/$name
    if [ -e "$result" ]; then
        passed=$((passed + 1))
        [ -e "$CHECK/ran/$name" ] || unchanged=$((unchanged + 1))
        echo "$name $(sed -n '1s/^ok //p' "$result")" >>"$CHECK/costs.tmp"
        left_out=$(sed 1d "$result")
        if [ -n "$left_out" ]; then
            skipped=$((skipped + $(printf '%s\n' "$left_out" | wc -l)))
            printf '%s\n' "$left_out" | sed "s/^/$name left out: /"
        fi
    elif [ -e "$result.skipped" ]; then
        skipped=$((skipped + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name: $CHECK/logs/$name.log"
    fi
done
mv "$CHECK/costs.tmp" "$CHECK/costs"

missing=
case " $* " in
*" cross-cuda "*) missing=$(sed -n 's/^# SKIP //p' "$CHECK/logs/cross-cuda.log" 2>/dev/null) ;;
esac
if [ -n "$missing" ]; then
    echo
    echo "*** CUDA: $missing ***"
    [ "${REQUIRE_GPU:-}" != 1 ] || echo "*** REQUIRE_GPU=1 makes that a failure ***"
fi

echo
[ $unchanged = 0 ] ||
    echo "$unchanged of the steps are unchanged since they passed and were not run again (FORCE=1 runs all)"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed -gt 0 ]
