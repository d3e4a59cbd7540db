#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The steps of `make check` before the cross-validation, for host/check.sh. Beside its variables the
# environment has
#   LEFT_OUT                    a family of kernels that the machine lacks a library for
#   RACE_MODEL RACES            the tests of racecheck
#   UNIT_TESTS TWINS SERIAL_TESTS OPENMP_TESTS EMULATE_TESTS CUDA_TESTS   programs

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

[ -z "${LEFT_OUT:-}" ] || echo "the random numbers are left out: there is no Random123 (make deps installs it)"

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
step "links of the documentation" tests/docs/links.sh README.md docs/*.md docs/decisions/*.md
step "the documentation checker" tests/docs/run.sh "$CC" "$BUILD/check/docs"
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
    skip "PTX against hand-written CUDA" "there is no nvcc"
fi
# shellcheck disable=SC2086 # a list of words
step "instructions against the plain loops" tests/instructions.sh "$BUILD/check/instructions" \
    $compilers
step "gdb: a breakpoint in one thread, and portable.py" tests/gdb/run.sh "$CC" "$BUILD/check/gdb"
step "editors: clangd and compile_commands.json" tests/editors/run.sh "$CC" "$BUILD/check/editors"

echo "host"
for t in $UNIT_TESTS; do
    step "${t##*/test_}" "$t"
done
for t in $TWINS; do
    step "must fail: ${t##*/twin_}" twin "$t"
done
step "the gallery's command line" tests/cli/run.sh "$BUILD/serial-exact" "$BUILD/check/cli"
step "the report" tests/report/run.sh "$BUILD/serial-exact/gallery" "$BUILD/check/report"

echo "packages"
step "one version, and a licence in each file" tests/install/release.sh
scratch=$(mktemp -d)
step "consumers of an installation" tests/install/run.sh "$scratch/install"
step "a project by portable-new" tests/install/project.sh "$scratch/project"
rm -rf "$scratch"
