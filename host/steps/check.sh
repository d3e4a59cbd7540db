#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check.sh NAME...
# Ends `make check`, after host/steps/step.sh has run each step: prints the tables of the
# cross-validation, a notice if there was no GPU, "N passed, N failed, N skipped", and last what was
# proven, what was not run, and the command for the rest. Exit status: 1 if a step failed.
# Environment: CHECK, the directory of the results; REST, the number of other steps; OTHER_CC, the
# compiler that was not used; ALL, not empty if the caller chose the steps; CASES, those that the
# caller chose.
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

agree='' others=0 not_run=''
# list LIST WORD: the list of an English sentence with one word more
list() { printf '%s' "${1:+$1, }$2"; }

for name; do
    result=$CHECK/steps/$name
    if [ -e "$result" ]; then
        passed=$((passed + 1))
        [ -e "$CHECK/ran/$name" ] || unchanged=$((unchanged + 1))
        case $name in
        cross-*) agree=$(list "$agree" "${name#cross-}") ;;
        golden-serial) agree=$(list "$agree" "a GPU whose results were recorded") ;;
        golden-*) ;;
        *) others=$((others + 1)) ;;
        esac
        left_out=$(sed 1d "$result")
        if [ -n "$left_out" ]; then
            skipped=$((skipped + $(printf '%s\n' "$left_out" | wc -l)))
            printf '%s\n' "$left_out" | sed "s/^/$name left out: /"
        fi
    elif [ -e "$result.skipped" ]; then
        skipped=$((skipped + 1))
        why=$(sed 's/.*: //' "$result.skipped") # CUDA's own words, of many tests
        case $not_run in
        *"$why"*) ;;
        *) not_run=$(list "$not_run" "${name#cross-} ($why)") ;;
        esac
    else
        failed=$((failed + 1))
        echo "FAILED: $name: $CHECK/logs/$name.log"
    fi
done

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
if [ $failed = 0 ] && [ $passed -gt 0 ]; then
    [ -n "${ALL:-}" ] || {
        how="make check CC=$OTHER_CC"
        command -v "$OTHER_CC" >/dev/null || how="it is not installed"
        not_run=$(list "$not_run" "$OTHER_CC ($how)")
        [ "$REST" = 0 ] || not_run=$(list "$not_run" "$REST more steps (make check-all)")
    }
    every="every case${CASES:+ in CASES}"
    case $agree in
    '') proven='' ;;
    serial) proven="$every agrees with its reference on serial" ;;
    *) proven="$every gives the same results on $agree" ;;
    esac
    other=${agree:+other }
    case $others in
    0) ;;
    1) proven="${proven:+$proven; }what 1 ${other}step proves (make steps)" ;;
    *) proven="${proven:+$proven; }what $others ${other}steps prove (make steps)" ;;
    esac
    echo "Proven on this machine: $proven.${not_run:+ Not run: $not_run.}"
    exit 0
fi
if [ $failed = 0 ]; then
    echo "Not proven: no step could run."
else
    echo "Not proven: see the steps that failed, above."
fi
exit 1
