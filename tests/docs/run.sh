#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh CC SCRATCH
# The checker of the documentation finds known mistakes: the first line of each of pages/*.md is the
# message to expect. A page that passes expects "ok..."; any other must fail.
set -u

cc=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch/source/build" "$scratch/source/host/emulate"
cp portable.h "$scratch/source"
cp host/emulate/target.h host/emulate/protocol.h host/emulate/calls.h "$scratch/source/host/emulate"
: >"$scratch/source/build/not-copied"
$cc -std=c11 -Wall -Wextra -Werror -O1 tests/docs/check_docs.c -o "$scratch/check_docs" || exit 1
failed=0 passed=0

# check PAGE: with the environment of the page's line "with: "
check() {
    with=$(sed -n 's/^<!-- with: \(.*\) -->$/\1/p' "$1")
    # shellcheck disable=SC2086 # assignments, or none
    env -u REQUIRE_GPU CC="$cc" NVCC= HAVE_GPU= DOCS_TIME_LIMIT=1 $with \
        "$scratch/check_docs" "$scratch/source" "$scratch/tree" "$1" 2>&1
}

wrong() {
    echo "$page: $1; the checker said:"
    printf '%s\n' "$said" | sed 's/^/    /'
    failed=$((failed + 1))
}

for page in tests/docs/pages/*.md; do
    expected=$(sed -n '1s/^<!-- expect: \(.*\) -->$/\1/p' "$page")
    said=$(check "$page")
    code=$?
    case $expected in
    ok*) status=0 ;;
    *) status=1 ;;
    esac
    if [ -z "$expected" ]; then
        wrong "its first line expects nothing"
    elif [ $code != $status ]; then
        wrong "exit status $code, expected $status"
    elif ! printf '%s\n' "$said" | sed 's|tests/docs/pages/||' | grep -qF -- "$expected"; then
        wrong "expected \"$expected\""
    else
        passed=$((passed + 1))
    fi
done

# A page leaves nothing behind for the next one, except what it built from the tree's files.
mkdir -p "$scratch/tree/build"
: >"$scratch/tree/build/kept"
touch "$scratch/tree/build/x.o" "$scratch/tree/build/y.o"
echo "x.o: $(cd "$scratch/tree" && pwd).tmp/home/x.c" >"$scratch/tree/build/x.d"
echo "y.o: y.c" >"$scratch/tree/build/y.d"
echo changed >"$scratch/tree/portable.h"
: >"$scratch/tree/left"
tests/docs/tree.sh "$scratch/source" "$scratch/tree"
if [ "$(cd "$scratch/tree" && find . -type f | sort | tr '\n' ' ')" != \
    "./build/kept ./build/y.d ./build/y.o ./host/emulate/calls.h ./host/emulate/protocol.h ./host/emulate/target.h ./portable.h " ] ||
    ! cmp -s portable.h "$scratch/tree/portable.h"; then
    echo "tree.sh left:"
    find "$scratch/tree" -type f
    failed=$((failed + 1))
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 20 ]
