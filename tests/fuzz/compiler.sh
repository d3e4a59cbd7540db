#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compiler.sh CLANG SCRATCH: succeeds if it can link a program with libFuzzer; prints one sentence
# if not.
set -u

cc=$1 scratch=$2
program=${cc%% *}
if ! command -v "$program" >/dev/null; then
    echo "make fuzz needs clang with its libFuzzer, and there is no $program (Debian: clang and libclang-rt-14-dev; FUZZ_CC names another)." >&2
    exit 1
fi
version=$($cc -dumpversion 2>/dev/null | cut -d. -f1)
case $($cc --version 2>/dev/null) in
*clang*) ;;
*)
    echo "make fuzz needs clang with its libFuzzer, and FUZZ_CC=$cc is no clang (Debian: clang and libclang-rt-14-dev)." >&2
    exit 1
    ;;
esac
mkdir -p "$scratch" || exit 1
works=$(mktemp -d "$scratch/compiler.XXXXXX") || exit 1
trap 'rm -rf "$works"' EXIT
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n > 99 ? 0 : 0; }' >"$works/x.c"
# shellcheck disable=SC2086 # a command and its options
if ! $cc -fsanitize=fuzzer,address,undefined "$works/x.c" -o "$works/x" 2>/dev/null; then
    echo "make fuzz cannot link with the libFuzzer of $cc: its runtime is missing (Debian: libclang-rt-$version-dev)." >&2
    exit 1
fi
