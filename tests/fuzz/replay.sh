#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# replay.sh PROGRAMS: runs each fuzz target, linked with replay.c, on its corpus; and tests bad
# input to make fuzz.
set -u

here=$(cd "$(dirname "$0")" && pwd)
failed=0 files=0
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
for program; do
    name=$(basename "$program")
    corpus=$here/corpus/${name#fuzz_}
    if "$program" "$corpus" >"$TMPDIR/names" 2>"$TMPDIR/err"; then
        files=$((files + $(wc -l <"$TMPDIR/names")))
    else
        echo "FAILED: $name, exit status $?, at $(tail -n 1 "$TMPDIR/names")"
        head -n 20 "$TMPDIR/err"
        failed=$((failed + 1))
    fi
done

# refused TEXT CLANG
refused() {
    said=$("$here/compiler.sh" "$2" "$TMPDIR" 2>&1)
    code=$?
    if [ $code != 1 ] || [ "$(printf '%s\n' "$said" | wc -l)" != 1 ] || [ "${said#*"$1"}" = "$said" ]; then
        echo "FAILED: compiler.sh $2: exit status $code, expected 1 and \"$1\"; it said: $said"
        failed=$((failed + 1))
    fi
}
printf '%s\n' '#!/bin/sh' 'case $1 in -dumpversion) echo 17.0.6 ;; --version) echo "clang version 17.0.6" ;; *) exit 1 ;; esac' \
    >"$TMPDIR/clang-17"
printf '%s\n' '#!/bin/sh' 'echo "cc (Debian) 12.2.0"' >"$TMPDIR/cc"
chmod +x "$TMPDIR/clang-17" "$TMPDIR/cc"
refused "there is no no-clang-here (Debian: clang and libclang-rt-14-dev" no-clang-here
refused "its runtime is missing (Debian: libclang-rt-17-dev)" "$TMPDIR/clang-17"
refused "cc is no clang" "$TMPDIR/cc"

# found STATUS TEXT PROGRAM FLAGS...: the verdict of run.sh on a program in place of a fuzzer
found() {
    status=$1 text=$2 flag=$3
    printf '%s\n' '#!/bin/sh' "$4" >"$TMPDIR/npy"
    chmod +x "$TMPDIR/npy"
    said=$("$here/run.sh" $flag "$TMPDIR/npy" "$here/corpus/npy" "$TMPDIR/work" 1 2>&1)
    code=$?
    if [ $code != "$status" ] || [ "${said#*"$text"}" = "$said" ]; then
        echo "FAILED: run.sh $flag with '$4': exit status $code, expected $status and \"$text\"; it said: $said"
        failed=$((failed + 1))
    fi
}
crash='echo "ERROR: AddressSanitizer: heap-buffer-overflow"; for word; do case $word in -artifact_prefix=*) : >"${word#*=}crash-1" ;; esac; done; exit 77'
found 0 "npy: 5 inputs in 1 s, no finding" "" 'echo "stat::number_of_executed_units: 5"'
found 1 "shows again: $TMPDIR/npy $TMPDIR/work/found/crash-1" "" "$crash"
found 1 "npy ended with exit status 3" "" 'exit 3'
found 0 "the planted bug was found" --planted "$crash"
found 1 "the planted bug was not found in 1 s" --planted 'exit 0'
found 1 "the planted bug was not found in 1 s" --planted 'exit 1'

echo "$# targets, $files files, $failed failed"
[ $failed = 0 ]
