#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh TARGET...: builds the program of each example in docs/examples for each target, and runs it
# with the arguments in NAME.args beside this script, where @OUT@ is a folder for its output.
# Exit status: 0 if every program ends with "NAME: verified: ..." and exit status 0, otherwise 1.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM
runs=0 failed=0
for makefile in "$root"/docs/examples/*/Makefile; do
    example=$(dirname "$makefile")
    name=$(basename "$example")
    [ -e "$here/$name.args" ] || { echo "examples: there is no tests/examples/$name.args"; exit 1; }
    arguments=$(sed "s,@OUT@,$out/$name,g" "$here/$name.args")
    mkdir "$out/$name" || exit 1
    build=$("${MAKE:-make}" -s --no-print-directory -C "$example" print-B | sed -n 's/^B = //p')
    for target in "$@"; do
        runs=$((runs + 1))
        if "${MAKE:-make}" -s --no-print-directory -C "$example" "$build/$target/$name" >"$out/log" 2>&1 &&
            # Split into words on purpose.
            (cd "$example" && "$build/$target/$name" $arguments) >"$out/log" 2>&1 &&
            tail -n 1 "$out/log" | grep "^$name: verified: " >"$out/line"; then
            printf '%-7s %s\n' "$target" "$(cat "$out/line")"
        else
            cat "$out/log"
            echo "$target  $name: FAILED: cd docs/examples/$name && make -s $target && $build/$target/$name $arguments"
            failed=$((failed + 1))
        fi
    done
done
echo "examples: $runs runs, $failed failed"
[ "$runs" -gt 0 ] && [ "$failed" = 0 ]
