#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs every test; `make check` has built what it needs and says so in the environment:
#   BUILD                       the tree of this combination of options
#   CC NVCC CUDA_HOME HAVE_GPU  the tools; NVCC and HAVE_GPU are empty where there is none
#   REQUIRE_GPU                 1: no GPU is a failure
#   GOLDEN PRECISION            the directory of the records to compare with, and which of them
#   LEFT_OUT                    a family of kernels that the machine lacks a library for
#   HAVE_OPENMP HAVE_EMULATE    1: the target can be built here
#   RACE_MODEL RACES            the tests of racecheck
#   UNIT_TESTS TWINS SERIAL_TESTS OPENMP_TESTS EMULATE_TESTS CUDA_TESTS   programs
# Ends with "N passed, N failed, N skipped"; exits 1 on a failure.
set -u

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
        skipped=$((skipped + 1))
        echo "  skipped  $name: $(grep -m 1 -i 'skip' "$log" | sed 's/^# SKIP //')"
    elif [ $code = 0 ]; then
        passed=$((passed + 1))
        echo "  ok       $name"
    else
        failed=$((failed + 1))
        echo "  FAILED   $name (exit status $code; the whole log is $log)"
        tail -n 25 "$log" | sed 's/^/      /'
    fi
}

# twin PROGRAM: a test that must fail, with the message that its source expects.
twin() {
    message=$(sed -n 's/.*expect: \(.*\) \*\/.*/\1/p' "tests/unit/${1##*/}.c" | head -n 1)
    [ -n "$message" ] || { echo "tests/unit/${1##*/}.c expects no message"; return 1; }
    "$1" && { echo "$1 passed, and must fail"; return 1; }
    "$1" 2>&1 | grep -F -- "$message" || { echo "$1 did not say: $message"; return 1; }
}

# No kernel has more PTX instructions than its twin, and the comparison can tell: its self-test must
# end with 1.
ptx() {
    families=$(ls kernels | sed 's/\.c$//' | grep -vxF "${LEFT_OUT:-none}")
    # shellcheck disable=SC2086 # a list of words
    sh tests/ptx/compare.sh "$NVCC ${CPPFLAGS:-}" sm_80 "$BUILD/check/ptx" $families || return 1
    sh tests/ptx/compare.sh --self-test "$NVCC" sm_80 "$BUILD/check/ptx-self-test"
    [ $? = 1 ]
}

compilers=$(for c in "$CC" gcc clang; do command -v "$c"; done | while read -r c; do
    readlink -f "$c"; done | sort -u | tr '\n' ' ')

echo "header"
step "the header alone and in two files" env CC="$CC" NVCC="$NVCC" CUDA_HOME="$CUDA_HOME" \
    tests/header/run.sh
# shellcheck disable=SC2086 # a list of words
step "compile errors" env CUDA_HOME="$CUDA_HOME" tests/compile_fail/run.sh $compilers
if [ -n "$OPENMP_TESTS" ]; then
    step "compile errors of openmp" env CUDA_HOME="$CUDA_HOME" tests/compile_fail/run.sh \
        "$CC -fopenmp"
fi
step "a doc entry for every name" tests/docs.sh
for t in $SERIAL_TESTS; do
    step "serial ${t##*/test_}" "$t"
done
# More OS threads than cores, so that they are interrupted anywhere.
for t in $OPENMP_TESTS; do
    step "openmp ${t##*/test_}" env OMP_NUM_THREADS=3 "$t"
done
for t in $EMULATE_TESTS; do
    step "emulate ${t##*/test_}" "$t"
done
if [ -n "$HAVE_EMULATE" ]; then
    step "emulate: faults, options, gdb" tests/emulate/faults.sh "$CC" "$BUILD/check/faults"
    step "emulate: a barrier's cost" tests/emulate/cost.sh barriers "$CC"
    step "emulate: aarch64, by qemu" tests/emulate/aarch64.sh
    step "racecheck's verdicts" "$RACE_MODEL"
    step "racecheck: every size of element, block and grid" "$RACES"
fi
for t in $CUDA_TESTS; do
    step "cuda ${t##*/test_}" "$t"
done
if [ -n "$NVCC" ]; then
    step "PTX against hand-written CUDA" ptx
else
    skipped=$((skipped + 1))
    echo "  skipped  PTX against hand-written CUDA: there is no nvcc"
fi
# shellcheck disable=SC2086 # a list of words
step "instructions against the plain loops" tests/instructions.sh "$BUILD/check/instructions" \
    $compilers
step "a breakpoint in one thread" tests/gdb/run.sh "$CC" "$BUILD/check/gdb"

echo "host"
for t in $UNIT_TESTS; do
    step "${t##*/test_}" "$t"
done
for t in $TWINS; do
    step "must fail: ${t##*/twin_}" twin "$t"
done
step "the gallery's command line" tests/cli/run.sh "$BUILD/serial-exact" "$BUILD/check/cli"
step "the report" tests/report/run.sh "$BUILD/serial-exact/gallery" "$BUILD/check/report"

echo "cross-validation"
check_target() {
    target=$1
    shift
    log=$logs/cross-$target.log
    "$BUILD/$target-exact/gallery" check "$@" | tee "$log"
    if tail -n 1 "$log" | grep -q ', all agree$'; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}
check_target serial --dump "$BUILD/check/serial"

# check_golden TARGET: with what the devices that were recorded computed.
check_golden() {
    ls -d "$GOLDEN"/*/"$PRECISION" >/dev/null 2>&1 || return 0
    echo
    echo "recorded results"
    log=$logs/golden-$1.log
    "$BUILD/$1-exact/gallery" check --golden "$GOLDEN" | tee "$log"
    if tail -n 1 "$log" | grep -q ', all agree$'; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}
check_golden serial
step "serial in another order" tests/orders.sh "$BUILD" 1 serial-checked
# The table is for OpenMP's own number of OS threads; others have to give the same bits.
if [ -n "$HAVE_OPENMP" ]; then
    echo
    check_target openmp --dump "$BUILD/check/openmp" --against serial="$BUILD/check/serial"
    for threads in 1 2 7; do
        step "openmp with $threads OS threads" env OMP_NUM_THREADS=$threads \
            "$BUILD/openmp-exact/gallery" check --dump "$BUILD/check/openmp-$threads" \
            --against serial="$BUILD/check/serial"
        rm -rf "$BUILD/check/openmp-$threads"
    done
    check_golden openmp
else
    skipped=$((skipped + 1))
    echo "  skipped  openmp: $CC -fopenmp does not work (clang needs libomp, Debian: libomp-dev)"
fi
if [ -n "$HAVE_EMULATE" ]; then
    echo
    check_target emulate --dump "$BUILD/check/emulate" --against serial="$BUILD/check/serial"
    check_golden emulate
    step "emulate in another order" tests/orders.sh "$BUILD" 1 emulate-exact
else
    skipped=$((skipped + 1))
    echo "  skipped  emulate: it knows Linux on x86-64 and aarch64"
fi
if [ -z "$NVCC" ]; then
    missing="there is no nvcc, so the cuda target was NOT BUILT and NOT RUN"
elif [ -z "$HAVE_GPU" ]; then
    reason=$("$BUILD/cuda-exact/gallery" check 2>&1 >/dev/null | sed 's/.*was not run: //')
    missing="the cuda target was compiled and NOT RUN: ${reason:-no GPU was found}"
else
    missing=
    check_target cuda --dump "$BUILD/check/cuda" --against serial="$BUILD/check/serial"
    check_golden cuda
fi
if [ -n "$missing" ]; then
    echo
    echo "*** CUDA: $missing ***"
    if [ "${REQUIRE_GPU:-}" = 1 ]; then
        echo "*** REQUIRE_GPU=1 makes that a failure ***"
        failed=$((failed + 1))
    else
        skipped=$((skipped + 1))
    fi
fi

echo
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
