#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# format.sh [--check] FILE...
# Formats the files by .clang-format. With --check, only lists files that would change. Lists
# comments beyond 100 columns, which clang-format leaves as they are; lines that a test expects, and
# those of macros, may be longer. Exit status: 1 if there was something to list. clang-format
# misreads two things, which are hidden from it: FOR_EACH_THREAD, a loop without parentheses, and
# KERNEL(name)(parameters), a function.
set -eu

check=0
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
command -v clang-format >/dev/null || {
    echo "clang-format is not installed" >&2
    exit 1
}
status=0
result=$(mktemp)
trap 'rm -f "$result"' EXIT
trap 'exit 1' HUP INT TERM
for file in "$@"; do
    sed -e 's/\bFOR_EACH_THREAD\b\([^_"(]\|$\)/FOR_EACH_THREAD()\1/' \
        -e 's/^KERNEL(\([a-z0-9_]*\))(/KERNEL_\1_(/' \
        -e 's/^KERNEL_LAUNCH_BOUNDS(\([a-z0-9_]*\), \([0-9]*\), \([0-9]*\))(/KERNEL_BOUNDS_\1__\2__\3_(/' \
        "$file" |
        clang-format --style=file --assume-filename="$file" |
        sed -e '/^.\{100\}$/s/\bFOR_EACH_THREAD()\(.*\)\\$/FOR_EACH_THREAD\1  \\/' \
            -e 's/\bFOR_EACH_THREAD()/FOR_EACH_THREAD/' \
            -e 's/^KERNEL_BOUNDS_\([a-z0-9_]*\)__\([0-9]*\)__\([0-9]*\)_(/KERNEL_LAUNCH_BOUNDS(\1, \2, \3)(/' \
            -e 's/^KERNEL_\([a-z0-9_]*\)_(/KERNEL(\1)(/' >"$result"
    long=$(LC_ALL=C.UTF-8 grep -nE '^.{101,}$' "$result" | grep -E '^[0-9]+: *\*|/\*' |
        grep -vE '\\$|^[0-9]+: \* expect ' | cut -d: -f1)
    for line in $long; do
        echo "$file:$line: a comment beyond 100 columns"
        status=1
    done
    cmp -s "$file" "$result" && continue
    if [ $check = 1 ]; then
        echo "make format would change $file"
        status=1
    else
        cat "$result" >"$file"
        echo "formatted $file"
    fi
done
exit $status
