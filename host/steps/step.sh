#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# step.sh NAME TITLE COMMAND...
# step.sh --known NAME            counts a step that is up to date
#
# Runs one step of `make check`; host/make/check.mk has the rules. Files in the directory CHECK:
#
#   logs/NAME.log           the output of COMMAND; the terminal gets one line, and a failure's end
#   steps/NAME              "ok CPU_SECONDS", and a line for each part left out. Written only if the
#                           step passes, so that any other step runs again. Its time is that of the
#                           start: a file that changes while COMMAND runs is newer
#   steps/NAME.files        the files that it depended on, for make
#   steps/NAME.skipped      the reason: COMMAND exited with 77, or a cmocka test was skipped
#   steps/NAME.failed       the exit status
#   ended, running/, ran/   the state of this run of make check
#
# COMMAND prints "# LEFT OUT what: why" for each part that cannot run on this machine. Environment:
# CHECK; TOTAL, the number of steps. Exit status: 0; host/steps/check.sh counts the failures.
set -u

if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then
    clear=$(printf '\r\033[K')
    terminal=1
else
    clear=
    terminal=
fi

# The last line of a terminal: steps done, steps running.
progress() {
    [ -n "$terminal" ] || return 0
    # shellcheck disable=SC2012 # the names are words
    running=$(ls "$CHECK/running" | tr '\n' ' ')
    printf '%s' "$clear$(printf '  %s of %s steps; running: %s' "$(wc -l <"$CHECK/ended")" \
        "$TOTAL" "${running:-the compiler}" | cut -c 1-"$((${COLUMNS:-80} - 1))")"
}

# line VERDICT TEXT: prints the line of this step, with its number
line() {
    printf '%s  %-8s %3d/%d  %s\n' "$clear" "$1" "$(grep -nx "$name" "$CHECK/ended" | cut -d : -f 1)" \
        "$TOTAL" "$2"
}

if [ "$1" = --known ]; then
    if [ ! -e "$CHECK/ran/$2" ]; then
        echo "$2" >>"$CHECK/ended"
        progress
    fi
    exit 0
fi

name=$1 title=$2
shift 2
log=$CHECK/logs/$name.log
result=$CHECK/steps/$name
rm -f "$result" "$result.files" "$result.skipped" "$result.failed"
: >"$CHECK/ran/$name"
: >"$CHECK/running/$name"
progress
# Threads of OpenMP that wait must not spin on cores that other steps use.
OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
export OMP_WAIT_POLICY
# The gallery names a run that takes long where this script prints, too.
case $name in
cross-* | golden-* | reverse-* | shuffle-* | threads-*)
    exec 3>&1
    PORTABLE_NOTICE_FD=3
    export PORTABLE_NOTICE_FD
    ;;
esac
# A make inside the step must behave as if a user had started it.
(
    unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES ONLY EXCEPT FORCE
    exec "$@"
) >"$log" 2>&1 </dev/null
code=$?
# "0m1.20s 0m0.10s" of all children, in the second line
times >"$CHECK/running/$name" # not in a subshell, which would count its own children
cpu=$(awk 'NR == 2 {
    for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] }
    printf "%.1f", s }' "$CHECK/running/$name")
rm -f "$CHECK/running/$name"
echo "$name" >>"$CHECK/ended"
# A cmocka program exits with the number of tests that failed.
if [ $code = 77 ] && grep -q '^FAILED\|\[ *FAILED *\]' "$log"; then
    code=1
fi
if [ "${REQUIRE_GPU:-}" = 1 ]; then
    case $name in
    cuda-cpp* | cuda-translate) ;; # on the CPU
    cuda-* | gpu-cpp-* | ranks-cuda | cross-cuda | golden-cuda | verdict-cuda)
        if [ $code = 77 ] || grep -q '^# SKIP' "$log"; then
            code=1
            echo "REQUIRE_GPU=1 makes this a failure" >>"$log"
        fi
        ;;
    esac
fi
if [ $code = 77 ] || { [ $code = 0 ] && grep -q '^# SKIP' "$log"; }; then
    sed -n 's/^# SKIP //p; s/^skipped: //p' "$log" | head -n 1 >"$result.skipped"
    [ -s "$result.skipped" ] || echo "no reason given" >"$result.skipped"
    line skipped "$title: $(cat "$result.skipped")"
elif [ $code = 0 ]; then
    {
        echo "ok $cpu"
        sed -n 's/^# LEFT OUT //p' "$log"
    } >"$result.tmp" && touch -r "$CHECK/ran/$name" "$result.tmp" && mv "$result.tmp" "$result"
    [ ! -e "$CHECK/ran/$name.files" ] || mv "$CHECK/ran/$name.files" "$result.files"
    line ok "$title"
else
    echo $code >"$result.failed"
    line FAILED "$title (exit status $code; the whole log is $log)"
    tail -n 25 "$log" | sed 's/^/      /'
fi
progress
