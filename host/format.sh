#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# format.sh [--check] FILE...
# Lays the files out by .clang-format; with --check only says which would change, and exits 1.
# FOR_EACH_THREAD opens a loop without parentheses, which clang-format cannot be told: it is given
# them on the way in and loses them on the way out.
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
for file in "$@"; do
    sed 's/\bFOR_EACH_THREAD\b\([^_"(]\|$\)/FOR_EACH_THREAD()\1/' "$file" |
        clang-format --style=file --assume-filename="$file" |
        sed 's/\bFOR_EACH_THREAD()/FOR_EACH_THREAD/' >"$result"
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
