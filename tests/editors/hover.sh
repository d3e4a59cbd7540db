#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Proves that clangd shows the contract of each public name on hovering, and no warnings in kernels,
# in a project that has only portable.h.
#
#     tests/editors/hover.sh [DIRECTORY]     works in DIRECTORY (a new one)
#
# CLANGD names clangd (clangd), PYTHON a Python 3 (python3). Exit status: 0 if it does, 1 if not, 77
# if one of the programs is missing.

set -u
LC_ALL=C
export LC_ALL

clangd=${CLANGD:-clangd}
python=${PYTHON:-python3}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
if ! command -v "$clangd" >/dev/null 2>&1; then
    echo "skipped: there is no $clangd (Debian: clangd)"
    exit 77
fi
if ! "$python" -c '' >/dev/null 2>&1; then
    echo "skipped: there is no $python (Debian: python3)"
    exit 77
fi
if [ $# -ge 1 ]; then
    mkdir -p "$1" && directory=$(CDPATH='' cd -- "$1" && pwd) || exit 1
else
    directory=$(mktemp -d) || exit 1
    trap 'rm -rf "$directory"' EXIT
fi
failed=0
fail() {
    echo "FAIL $*"
    failed=1
}

# Without the user's own clangd settings.
XDG_CONFIG_HOME=$directory/none
PYTHONIOENCODING=utf-8
export XDG_CONFIG_HOME PYTHONIOENCODING

# project DIRECTORY FLAG...: an empty project with those flags
project() {
    rm -rf "$1"
    mkdir -p "$1" || exit 1
    cp "$root/portable.h" "$1" || exit 1
    printf '%s\n' -xc -std=c11 >"$1/compile_flags.txt"
    in=$1
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" >>"$in/compile_flags.txt"
}
hover() {
    "$python" "$here/hover.py" "$clangd" "$1" hover "$1/portable.h"
}
clean() {
    in=$1
    shift
    (cd "$in" && "$python" "$here/hover.py" "$clangd" . clean "$@")
}

# The version numbers are for scripts and need no contract; CUDA_NO_HALF is NVIDIA's.
"$root/tests/docs.sh" --names "$root/portable.h" |
    grep -v -x -e 'PORTABLE_VERSION_M[A-Z]*OR' -e PORTABLE_VERSION_PATCH -e CUDA_NO_HALF \
        >"$directory/names"
printf '%s\n' REAL_VECTOR REAL_LANES real_vector fast_divide >>"$directory/names"
[ "$(wc -l <"$directory/names")" -gt 150 ] || fail "tests/docs.sh names too few"
cuda='^atomic[A-Z]\|^warpSize$' # CUDA's own spelling, for emulate
project "$directory/serial"
grep -v "$cuda" "$directory/names" | hover "$directory/serial" || fail "hovering, serial"
project "$directory/emulate" -DPORTABLE_TARGET_EMULATE=1 "-I$root"
grep -v -x PORTABLE_TARGET_EMULATE "$directory/names" | hover "$directory/emulate" ||
    fail "hovering, emulate"

# A user's project, with the header's directory given by -I.
project "$directory/own" "-I$root" "-I$root/host"
rm "$directory/own/portable.h"
for name in kernels/reduce kernels/scan kernels/tensor kernels/dynamic_parallelism host/cases/reduce; do
    cp "$root/$name.c" "$directory/own/$(echo "$name" | tr / _).c" || exit 1
done
clean "$directory/own" kernels_reduce.c kernels_scan.c kernels_tensor.c kernels_dynamic_parallelism.c \
    host_cases_reduce.c || fail "warnings in a project of the user's own"

# The test can fail: these must be found.
echo PORTABLE_LOOPS_THREADS_ | hover "$directory/serial" >"$directory/said" &&
    fail "a macro's body passes for a contract"
grep -q 'PORTABLE_LOOPS_THREADS_: its definition does not begin' "$directory/said" ||
    fail "$(cat "$directory/said")"
echo portable_exchange_int_ | hover "$directory/serial" >"$directory/said" &&
    fail "a function passes without a comment"
grep -q 'portable_exchange_int_: no comment' "$directory/said" || fail "$(cat "$directory/said")"
echo 'unsigned long f(void) { return sizeof(int) * sizeof(long); }' >"$directory/own/twin.c"
clean "$directory/own" twin.c >"$directory/said" && fail "clangd does not warn where it should"
grep -q 'bugprone-sizeof-expression' "$directory/said" || fail "$(cat "$directory/said")"

[ $failed -eq 0 ] && echo "clangd shows the contracts, and no warnings"
exit $failed
