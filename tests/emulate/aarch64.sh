#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs kernel tests on the emulate target for aarch64, under qemu: those in CUDA's own spelling, and
# the named ones of tests/target.
#
#     tests/emulate/aarch64.sh [DIRECTORY [TEST.c...]]     builds in DIRECTORY (a new one)
#
#     AARCH64_CC    the compiler (aarch64-linux-gnu-gcc)
#     QEMU_AARCH64  the emulator for its programs (qemu-aarch64)
#
# Exit status: 0 if all pass, 1 if one does not, 77 without the compiler or qemu.

set -u
LC_ALL=C
export LC_ALL
unset ORDER PORTABLE_BREAK PORTABLE_STACK

cc=${AARCH64_CC:-aarch64-linux-gnu-gcc}
qemu=${QEMU_AARCH64:-qemu-aarch64}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
root=$(CDPATH='' cd -- "$here/../.." && pwd) || exit 1
for tool in "$cc" "$qemu"; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "skipped: there is no $tool"
        exit 77
    }
done
if [ $# -ge 1 ]; then
    directory=$1
    mkdir -p "$directory" || exit 1
    shift
else
    directory=$(mktemp -d) || exit 1
    trap 'rm -rf "$directory"' EXIT
fi

failed=0
passed=0
for test in "$here/test_raw.c" "$@"; do
    for level in -O0 -O3; do
        program=$directory/$(basename "$test" .c)$level
        if "$cc" -static -std=c11 $level -ffp-contract=off -I"$here/standin" -I"$root" \
            -DPORTABLE_TARGET_EMULATE=1 "$test" "$root/host/emulate/emulate.c" \
            "$root/host/emulate/objects.c" -lm -o "$program" && timeout 300 "$qemu" "$program"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL $(basename "$test") $level"
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
