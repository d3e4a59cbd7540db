#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# plot.sh DIRECTORY
# Plots the results of gallery bench --json in DIRECTORY/TARGET.json: CASE.svg, the speed of a case
# against its size on all targets, and roofline-TARGET.svg. Needs gnuplot.
set -eu

directory=$1
if ! command -v gnuplot >/dev/null; then
    echo "no plots were drawn: gnuplot is not installed"
    exit 0
fi
set -- "$directory"/*.json
[ -e "$1" ] || { echo "no plots were drawn: $directory has no results"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Axes are logarithmic: a size of 0 has no place on them.
awk -v rows="$scratch/rows" -v limits="$scratch/limits" -f "$(dirname "$0")/fields.awk" -f "$(dirname "$0")/results.awk" "$@"
touch "$scratch/limits"
[ -s "$scratch/rows" ] || { echo "no plots were drawn: $directory has no results"; exit 0; }

common='set terminal svg size 720,480 dynamic background "white"; set logscale xy; set grid;
    set key outside right; set format "10^{%L}"; set datafile missing "0"'

# One curve for each target, and one for its plain loop, if it has one. Names have no spaces.
# shellcheck disable=SC2013
for name in $(cut -d' ' -f2 "$scratch/rows" | sort -u); do
    file=$(echo "$name" | tr ':/' '--')
    # A curve needs two sizes.
    awk -v name="$name" '$2 == name && !seen[$3]++ { count++ } END { exit count < 2 }' "$scratch/rows" || continue
    # The column of the work: bytes, or operations or elements for a case without.
    unit=$(awk -v name="$name" '$2 == name && $3 > most { most = $3; b = $4; f = $5 }
        END { print (b > 0 && 10 * b >= f ? 4 : f > 0 ? 5 : b > 0 ? 4 : 3) }' "$scratch/rows")
    case $unit in
    4) label='GB/s' ;;
    5) label='GFLOP/s' ;;
    *) label='10^9 elements/s' ;;
    esac
    curves=
    # shellcheck disable=SC2013
    for target in $(cut -d' ' -f1 "$scratch/rows" | sort -u); do
        awk -v target="$target" -v name="$name" '$1 == target && $2 == name' "$scratch/rows" |
            sort -n -k 3 >"$scratch/$target-$file"
        [ -s "$scratch/$target-$file" ] || continue
        curves="$curves, '$scratch/$target-$file' using 3:(1e-9 * \$$unit / \$6) with linespoints title '$target'"
        awk '$7 > 0 { found = 1 } END { exit !found }' "$scratch/$target-$file" &&
            curves="$curves, '$scratch/$target-$file' using 3:(\$7 > 0 ? 1e-9 * \$$unit / \$7 : NaN) with lines dashtype 2 title 'plain loop, $target'"
    done
    printf '%s\nset output "%s"\nset title "%s" noenhanced\nset xlabel "n"\nset ylabel "%s"\nplot %s\n' \
        "$common" "$directory/$file.svg" "$name" "$label" "${curves#, }"
done >"$scratch/script"

# The largest size of each case, below the roof.
while read -r target memory peak tensor; do
    awk -v target="$target" '$1 == target && $4 > 0 && $5 > 0 && $3 >= n[$2] { n[$2] = $3
            line[$2] = $5 / $4 " " 1e-9 * $5 / $6 " " $2 }
        END { for (name in line) print line[name] }' "$scratch/rows" >"$scratch/points-$target"
    [ -s "$scratch/points-$target" ] || continue
    roof="1e-9 * $memory * x"
    awk -v peak="$peak" 'BEGIN { exit !(peak > 0) }' &&
        roof="($roof < 1e-9 * $peak ? $roof : 1e-9 * $peak)"
    tensor_roof=
    awk -v tensor="$tensor" 'BEGIN { exit !(tensor > 0) }' &&
        tensor_roof=", (1e-9 * $memory * x < 1e-9 * $tensor ? 1e-9 * $memory * x : 1e-9 * $tensor) with lines dashtype 2 title \"tensor cores\""
    printf '%s\nset output "%s"\nset title "%s"\nset xlabel "%s"\nset ylabel "%s"\nplot [0.01:1e4] %s with lines linewidth 2 title "%s"%s, "%s" using 1:2 with points pointtype 7 title "cases", "" using 1:2:3 with labels left offset 0.5,0 font ",7" noenhanced notitle\n' \
        "$common" "$directory/roofline-$target.svg" "$target" "operations per byte" "GFLOP/s" \
        "$roof" "memory and peak" "$tensor_roof" "$scratch/points-$target"
done <"$scratch/limits" >>"$scratch/script"

gnuplot "$scratch/script"
if grep -q 'xlabel "n"' "$scratch/script"; then
    echo "plots: $directory/CASE.svg, $directory/roofline-TARGET.svg"
else
    echo "plots: $directory/roofline-TARGET.svg; a curve needs two sizes"
fi
