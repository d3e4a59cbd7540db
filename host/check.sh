#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check.sh [STEPS...]
#
# `make check` of a project: first its own steps, then every case on every target. STEPS are files of
# the shell that call `step` below. make has built what is needed, and says so in the environment:
#   BUILD                       the tree of this combination of options
#   CC NVCC CUDA_HOME HAVE_GPU  the tools; NVCC and HAVE_GPU are empty where there is none
#   HAVE_OPENMP HAVE_EMULATE    1: the target can be built here
#   REQUIRE_GPU                 1: no GPU is a failure
#   HAVE_CASES CASES            not empty: there are cases; those to check, all if empty
#   GOLDEN PRECISION            the directory of the records to compare with, and which of them
# Ends with "N passed, N failed, N skipped"; exits 1 on a failure.
set -u

host=$(dirname "$0")
logs=$BUILD/check/logs
rm -rf "$BUILD/check"
mkdir -p "$logs"
passed=0 failed=0 skipped=0

# step NAME COMMAND...: one line, and the end of the log after a failure. Exit status 77 is a skip,
# and so is a cmocka program that skipped every test, which exits 0.
step() {
    name=$1
    shift
    log=$logs/$(echo "$name" | tr '/ ' '--').log
    "$@" >"$log" 2>&1
    code=$?
    if [ $code = 77 ] || { [ $code = 0 ] && grep -q '^# SKIP' "$log"; }; then
        reason=$(grep -m 1 -i 'skip' "$log" | sed 's/^# SKIP //')
        skip "$name" "${reason:-it says no reason}"
    elif [ $code = 0 ]; then
        passed=$((passed + 1))
        echo "  ok       $name"
    else
        failed=$((failed + 1))
        echo "  FAILED   $name (exit status $code; the whole log is $log)"
        tail -n 25 "$log" | sed 's/^/      /'
    fi
}

# skip NAME REASON
skip() {
    skipped=$((skipped + 1))
    echo "  skipped  $1: $2"
}

for steps in "$@"; do
    # shellcheck disable=SC1090 # the project's own
    case $steps in
    */*) . "$steps" ;;
    *) . "./$steps" ;;
    esac
done

# gallery TARGET LOG OPTIONS...: a table, with a verdict as its last line
gallery() {
    target=$1 log=$logs/$2.log
    shift 2
    # shellcheck disable=SC2086 # a list of words
    "$BUILD/$target-exact/gallery" check $CASES "$@" | tee "$log"
    if tail -n 1 "$log" | grep -q ', all agree$'; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

# check_target TARGET: with serial, and with what the devices that were recorded computed.
check_target() {
    if [ "$1" = serial ]; then
        gallery serial cross-serial --dump "$BUILD/check/serial"
    else
        echo
        gallery "$1" "cross-$1" --dump "$BUILD/check/$1" --against serial="$BUILD/check/serial"
    fi
    ls -d "$GOLDEN"/*/"$PRECISION" >/dev/null 2>&1 || return 0
    echo
    echo "recorded results"
    gallery "$1" "golden-$1" --golden "$GOLDEN"
}

cross_validate() {
    echo "cross-validation"
    check_target serial
    step "serial in another order" "$host/orders.sh" "$BUILD" 1 serial-checked
    # The table is for OpenMP's own number of OS threads; others have to give the same bits.
    if [ -n "$HAVE_OPENMP" ]; then
        check_target openmp
        for threads in 1 2 7; do
            # shellcheck disable=SC2086 # a list of words
            step "openmp with $threads OS threads" env OMP_NUM_THREADS=$threads \
                "$BUILD/openmp-exact/gallery" check $CASES --dump "$BUILD/check/openmp-$threads" \
                --against serial="$BUILD/check/serial"
            rm -rf "$BUILD/check/openmp-$threads"
        done
    else
        skip openmp "$CC -fopenmp does not work (clang needs libomp, Debian: libomp-dev)"
    fi
    if [ -n "$HAVE_EMULATE" ]; then
        check_target emulate
        step "emulate in another order" "$host/orders.sh" "$BUILD" 1 emulate-exact
    else
        skip emulate "it knows Linux on x86-64 and aarch64"
    fi
    if [ -z "$NVCC" ]; then
        missing="there is no nvcc, so the cuda target was NOT BUILT and NOT RUN"
    elif [ -z "$HAVE_GPU" ]; then
        reason=$("$BUILD/cuda-exact/gallery" check 2>&1 >/dev/null | sed 's/.*was not run: //')
        missing="the cuda target was compiled and NOT RUN: ${reason:-no GPU was found}"
    else
        missing=
        check_target cuda
    fi
    [ -n "$missing" ] || return 0
    echo
    echo "*** CUDA: $missing ***"
    if [ "${REQUIRE_GPU:-}" = 1 ]; then
        echo "*** REQUIRE_GPU=1 makes that a failure ***"
        failed=$((failed + 1))
    else
        skipped=$((skipped + 1))
    fi
}
if [ -n "$HAVE_CASES" ]; then
    cross_validate
fi

echo
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
