#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# blocks.sh GALLERY SCRATCH
# Every case at small sizes, with blocks that it takes or does not take: it agrees with its
# reference, or its one sentence names the blocks that it takes; none crashes, differs or hangs.
set -u

gallery=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
. "$(dirname "$0")/expect.sh"
cases=$("$gallery" list | grep -c '^  ')

for block in 1 7 32 33 1024 8x4 32x3 1x1x1 3x5 2x3x4; do
    for n in 1 2 32 33; do
        timeout 600 "$gallery" check --n $n --block $block >"$scratch/out" 2>"$scratch/refused"
        code=$?
        # One sentence: before the run, or from the case's prepare or launch.
        failures=$(grep -c ' FAILED' "$scratch/out")
        before=$(grep -c '^gallery: case .* does not take block .*; use ' "$scratch/refused")
        later=$(grep -c '^  case .*\(needs a \|: invalid launch: \)' "$scratch/out")
        agree=$(grep -c ' : reference .* ok ' "$scratch/out")
        said="block $block, n = $n: status $code, $before and $later refusals, $agree agree, $failures fail"
        case $code in
        0) [ "$before$later" = 00 ] || fail "$said" ;;
        2) [ "$before$later" != 00 ] || fail "$said" ;;
        *) fail "$said" ;;
        esac
        [ "$failures" = "$later" ] && [ $((before + later + agree)) = "$cases" ] &&
            [ "$before" = "$(wc -l <"$scratch/refused")" ] ||
            fail "$said, of $cases: $(cat "$scratch/refused" "$scratch/out")"
    done
done

echo "$failed failed"
[ $failed = 0 ]
