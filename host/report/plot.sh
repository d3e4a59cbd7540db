#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# plot.sh DIRECTORY
# Plots the results of gallery bench in DIRECTORY/TARGET.tsv: CASE.svg, the speed of a case
# against its size on all targets, and roofline-TARGET.svg. The title of a plot states its finding.
# Text is readable at 390 pixels across; the colours follow the reader's light or dark mode. Needs
# gnuplot.
set -eu

directory=$1
if ! command -v gnuplot >/dev/null; then
    echo "no plots were drawn: gnuplot is not installed"
    exit 0
fi
set -- "$directory"/*.tsv
[ -e "$1" ] || { echo "no plots were drawn: $directory has no results"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Axes are logarithmic: a size of 0 has no place on them.
here=$(dirname "$0")
awk -v rows="$scratch/rows" -v limits="$scratch/limits" -f "$here/../bench/results.awk" "$@"
touch "$scratch/limits"
[ -s "$scratch/rows" ] || { echo "no plots were drawn: $directory has no results"; exit 0; }

. "$here/colours.sh"
colour_of() {
    case $1 in
    serial) echo "$serial" ;;
    openmp) echo "$openmp" ;;
    emulate) echo "$emulate" ;;
    *) echo "$cuda" ;;
    esac
}

common="$style
set logscale xy; set datafile missing '0'
set lmargin at screen 0.13; set bmargin at screen 0.15; set tmargin at screen 0.89"

# The finding: the share of the limit that the largest size reaches, on the GPU if there is one, and
# the smallest size whose speed is within a tenth of that.
finding() {
    awk -v name="$1" -v unit="$2" '
        $2 == name && $6 > 0 {
            speed[$1, $3] = $unit / $6
            if (!($1 in most) || $3 + 0 > most[$1]) { most[$1] = $3 + 0; share[$1] = $9; limit[$1] = $10 }
            sizes[$1] = sizes[$1] " " $3
        }
        function size(n,   k, power) {
            power = 1
            for (k = 0; power < n; k++) power *= 2
            return power == n && k >= 10 ? "2^" k : n
        }
        END {
            of = ("cuda" in most) ? "cuda" : ("openmp" in most) ? "openmp" : ("serial" in most) ? "serial" : "emulate"
            from = most[of]
            count = split(sizes[of], n)
            for (k = 1; k <= count; k++)
                for (j = 1; j < count; j++)
                    if (n[j] + 0 > n[j + 1] + 0) { t = n[j]; n[j] = n[j + 1]; n[j + 1] = t }
            for (k = count; k >= 1 && speed[of, n[k]] >= 0.9 * speed[of, most[of]]; k--)
                from = n[k]
            what = limit[of] == "memory" ? (of == "cuda" ? "of a copy'"'"'s speed" : "of the memory'"'"'s speed") : "of the peak"
            if (limit[of] != "-")
                printf "%s on %s: %.0f%% %s", name, of, 100 * share[of], what
            else
                printf "%s on %s", name, of
            printf from < most[of] ? " from n = %s on\n" : " at n = %s\n", size(from)
        }' "$scratch/rows"
}

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
    : >"$scratch/ends"
    # shellcheck disable=SC2013
    for target in $(cut -d' ' -f1 "$scratch/rows" | sort -u); do
        points=$scratch/$target-$file
        awk -v target="$target" -v name="$name" '$1 == target && $2 == name' "$scratch/rows" |
            sort -n -k 3 >"$points"
        [ -s "$points" ] || continue
        colour=$(colour_of "$target")
        curves="$curves, '$points' using 3:(1e-9 * \$$unit / \$6) with linespoints linewidth 2 pointtype 7 pointsize 0.4 linecolor '$colour' title '$target'"
        awk -v unit="$unit" -v colour="$colour" -v target="$target" 'END { print 1e-9 * $unit / $6, $3, colour, target }' "$points" >>"$scratch/ends"
        awk '$7 > 0 { found = 1 } END { exit !found }' "$points" || continue
        curves="$curves, '$points' using 3:(\$7 > 0 ? 1e-9 * \$$unit / \$7 : NaN) with lines dashtype 2 linewidth 2 linecolor '$colour' title 'plain loop, $target'"
        awk -v unit="$unit" -v colour="$colour" '$7 > 0 { y = 1e-9 * $unit / $7; x = $3 }
            END { print y, x, colour, "plain loop" }' "$points" >>"$scratch/ends"
    done
    # Each curve has its name beside its end; names that would overlap move apart.
    # Five decades: below them only the cost of a launch is visible.
    first=$(awk -v name="$name" '$2 == name { if ($3 > most) most = $3; n[NR] = $3 }
        { target[NR] = $1 }
        END {
            first = most
            for (k in n) {
                if (n[k] >= 1e-5 * most) { sizes[target[k]]++; if (n[k] < first) first = n[k] }
                if (!smallest || n[k] < smallest) smallest = n[k]
            }
            for (k in n) if (sizes[target[k]] < 2) first = smallest
            print first
        }' "$scratch/rows")
    low=$(awk -v name="$name" -v unit="$unit" -v first="$first" '$2 == name && $3 >= first { for (k = 6; k <= 7; k++) if ($k > 0 && $unit > 0) {
            y = 1e-9 * $unit / $k; if (!n++ || y < least) least = y; if (y > most) most = y } }
        END { print least, most }' "$scratch/rows")
    labels=$(sort -g -r "$scratch/ends" | awk -v range="$low" '
        BEGIN { split(range, of, " "); step = 0.075 * log(of[2] / of[1]); if (step <= 0) step = 0.1 }
        { y = log($1); if (NR > 1 && y > last - step) y = last - step; last = y
          text = $4; for (k = 5; k <= NF; k++) text = text " " $k
          printf "set label \"%s\" at first %g, first %.6g left offset 0.7,0 textcolor \"%s\"\n", text, $2, exp(y), $3 }')
    printf 'reset\n%s\nset rmargin at screen 0.80\nset format "10^{%%L}"\n%s\nset output "%s"\nset title "%s"\nset xlabel "n"\nset ylabel "%s"\nset xrange [%s:*]\nplot %s\n' \
        "$common" "$labels" "$directory/$file.svg" "$(finding "$name" "$unit")" "$label" "$first" "${curves#, }"
    echo "$directory/$file.svg" >>"$scratch/files"
done >"$scratch/script"

# The largest size of each case, below the roof, without those of libraries. Of each problem the
# best kernel has a name, if there is room: 600 x 440 pixels, a letter of 7 x 15.
while read -r target memory peak tensor; do
    awk -v target="$target" '$1 == target && $2 !~ /:/ && $4 > 0 && $5 > 0 && $3 >= n[$2] { n[$2] = $3
            line[$2] = $5 / $4 " " 1e-9 * $5 / $6 " " $2 " " $8 " " $9 }
        END { for (name in line) print line[name] }' "$scratch/rows" | sort -k 5,5gr -k 3,3 >"$scratch/points-$target"
    [ -s "$scratch/points-$target" ] || continue
    # Up to ten thousand operations for a byte, or to a hundred thousand; down to the slowest best
    # kernel.
    widest=$(awk '$1 > widest { widest = $1 } END { print (widest > 9e3 ? "1e5" : "1e4") }' "$scratch/points-$target")
    high=$(awk -v peak="$peak" -v tensor="$tensor" '{ if ($2 > most) most = $2; if (!seen[$4]++ && (!n++ || $2 < least)) least = $2 }
        END { top = 1e-9 * (tensor > peak ? tensor : peak); if (most > top) top = most
              low = 1; while (low > least) low /= 10; while (low * 10 <= least) low *= 10
              high = low; while (high < top) high *= 10; print low, high }' "$scratch/points-$target")
    low=${high% *} high=${high#* }
    # The memory's name is above the left end of its roof.
    named=$(awk -v memory="$memory" -v low="$low" -v high="$high" -v widest="$widest" 'BEGIN {
        y = 1e-9 * memory * exp(log(0.01) + 150 / 510 * log(100 * widest)); at = 374 - 326 * log(y / low) / log(high / low) - 8
        print 84, at < 56 ? 56 : at }')
    awk -v low="$low" -v high="$high" -v widest="$widest" -v ink="$ink" -v faint="$faint" \
        -v memory="$memory" -v peak="$peak" -v tensor="$tensor" -v named_x="${named% *}" -v named_y="${named#* }" '
        function at_x(x) { return 78 + (588 - 78) * (log(x) - log(0.01)) / (log(widest) - log(0.01)) }
        function at_y(y) { return 48 + (374 - 48) * (log(high) - log(y)) / (log(high) - log(low)) }
        function is_free(left, top, right, bottom,   k) {
            if (left < 80 || right > 596 || top < 46 || bottom > 374) return 0
            for (k = 1; k <= boxes; k++)
                if (left < r[k] && right > l[k] && top < b[k] && bottom > t[k]) return 0
            return 1
        }
        # A line to a point passes no name, and later names do not cover it.
        function line(from_x, from_y, to_x, to_y, taken,   k, x, y) {
            for (k = 0.15; k < 0.95; k += 0.05) {
                x = from_x + k * (to_x - from_x); y = from_y + k * (to_y - from_y)
                if (taken) take(x - 2, y - 2, x + 2, y + 2)
                else if (!is_clear(x, y)) return 0
            }
            return 1
        }
        function is_clear(x, y,   k) {
            for (k = 1; k <= names; k++)
                if (x > name_left[k] - 2 && x < name_right[k] + 2 && y > name_top[k] - 2 && y < name_bottom[k] + 2) return 0
            return 1
        }
        function name_at(left, top, right, bottom) {
            take(left, top, right, bottom)
            names++; name_left[names] = left; name_right[names] = right; name_top[names] = top; name_bottom[names] = bottom
        }
        function take(left, top, right, bottom) { boxes++; l[boxes] = left; t[boxes] = top; r[boxes] = right; b[boxes] = bottom }
        # The roof, and its names.
        BEGIN {
            for (px_ = 80; px_ < 588; px_ += 4) {
                ops = exp(log(0.01) + (px_ - 78) / 510 * log(100 * widest))
                roof = 1e-9 * memory * ops
                if (peak > 0 && roof > 1e-9 * peak) roof = 1e-9 * peak
                if (roof < high) take(px_ - 2, at_y(roof) - 3, px_ + 2, at_y(roof) + 3)
                roof = 1e-9 * memory * ops
                if (roof < 1e-9 * tensor) take(px_ - 2, at_y(roof) - 3, px_ + 2, at_y(roof) + 3)
            }
            if (peak > 0) name_at(450, at_y(1e-9 * peak) - 18, 596, at_y(1e-9 * peak) - 2)
            if (tensor > 0) name_at(400, at_y(1e-9 * tensor) - 18, 596, at_y(1e-9 * tensor) - 2)
            name_at(named_x, named_y - 8, named_x + 130, named_y + 8)
        }
        { x[NR] = at_x($1); y[NR] = at_y($2); name[NR] = $3; of[NR] = $4; px[NR] = $1; py[NR] = $2
          take(x[NR] - 4, y[NR] - 4, x[NR] + 4, y[NR] + 4) }
        END {
            for (k = 1; k <= NR; k++) {
                if (seen[of[k]]++) continue
                width = 7.1 * length(name[k])
                for (place = 0; place < 20; place++) {
                    # Right and left, then further up and down, with a line to the point.
                    side = place % 2
                    level = int((place + 2) / 4) * (int(place / 2) % 2 ? 1 : -1)
                    away = 7 + (level != 0) * 9
                    left = side == 0 ? x[k] + away : x[k] - away - width
                    middle = y[k] + 13 * level
                    end = side == 0 ? left : left + width
                    if (!is_free(left, middle - 6, left + width, middle + 6)) continue
                    if (level != 0 && !line(x[k], y[k], end, middle, 0)) continue
                    if (level != 0) line(x[k], y[k], end, middle, 1)
                    name_at(left, middle - 6, left + width, middle + 6)
                    printf "set label \"%s\" at screen %.4f, screen %.4f %s font \",13\" textcolor \"%s\" noenhanced\n",
                        name[k], end / 600, 1 - (middle + 1) / 440, side == 0 ? "left" : "right", ink
                    if (level != 0)
                        printf "set arrow from first %g, first %g to screen %.4f, screen %.4f nohead linewidth 0.7 linecolor \"%s\"\n",
                            px[k], py[k], (side == 0 ? left - 1 : left + width + 1) / 600, 1 - middle / 440, faint
                    break
                }
            }
        }
        ' "$scratch/points-$target" >"$scratch/labels"
    title=$(awk -v target="$target" '!seen[$4]++ { problems++; if ($5 >= 0.8) near++ }
        END { printf "%s: %d of %d problems at 80%% of the roofline or more", target, near, problems }' "$scratch/points-$target")
    awk '!seen[$4]++' "$scratch/points-$target" >"$scratch/best-$target"
    roof="1e-9 * $memory * x"
    awk -v memory="$memory" -v peak="$peak" -v tensor="$tensor" -v low="$low" -v high="$high" -v widest="$widest" -v faint="$faint" -v named_x="${named% *}" -v named_y="${named#* }" '
        function put(text, x, y, how) {
            printf "set label \"%s\" at first %g, first %g %s font \",13\" textcolor \"%s\" noenhanced\n", text, x, y, how, faint
        }
        function figure(value) { return value < 1e4 ? sprintf("%.0f G", value) : sprintf("%.0f T", value / 1e3) }
        BEGIN {
            printf "set label \"memory, %.0f GB/s\" at screen %.4f, screen %.4f left font \",13\" textcolor \"%s\" noenhanced\n",
                1e-9 * memory, named_x / 600, 1 - (named_y + 1) / 440, faint
            if (peak > 0) put("peak, " figure(1e-9 * peak) "FLOP/s", 0.9 * widest, 1e-9 * peak, "right offset 0,0.6")
            if (tensor > 0) put("tensor cores, " figure(1e-9 * tensor) "FLOP/s", 0.9 * widest, 1e-9 * tensor, "right offset 0,0.6")
        }' >>"$scratch/labels"
    awk -v peak="$peak" 'BEGIN { exit !(peak > 0) }' &&
        roof="($roof < 1e-9 * $peak ? $roof : 1e-9 * $peak)"
    tensor_roof=
    awk -v tensor="$tensor" 'BEGIN { exit !(tensor > 0) }' &&
        tensor_roof=", (1e-9 * $memory * x < 1e-9 * $tensor ? 1e-9 * $memory * x : 1e-9 * $tensor) with lines dashtype 2 linewidth 2 linecolor '$faint' title 'limit of the tensor cores'"
    printf 'reset\n%s\nset rmargin at screen 0.98\nset format "10^{%%L}"\n' "$common"
    cat "$scratch/labels"
    printf 'set output "%s"\nset title "%s"\nset xlabel "operations per byte"\nset ylabel "GFLOP/s"\nplot [0.01:%s] [%s:%s] %s with lines linewidth 2 linecolor "%s" title "limit"%s, "%s" using 1:2 with points pointtype 7 pointsize 0.35 linecolor "%s" title "others", "%s" using 1:2 with points pointtype 7 pointsize 0.55 linecolor "%s" title "best of a problem"\n' \
        "$directory/roofline-$target.svg" "$title" "$widest" "$low" "$high" "$roof" "$faint" "$tensor_roof" \
        "$scratch/points-$target" "$faint" "$scratch/best-$target" "$(colour_of "$target")"
    echo "$directory/roofline-$target.svg" >>"$scratch/files"
done <"$scratch/limits" >>"$scratch/script"

[ -s "$scratch/script" ] || { echo "no plots were drawn: the limits of the machine are unknown, and a curve needs two sizes"; exit 0; }
gnuplot "$scratch/script"
while read -r file; do
    dark "$file"
done <"$scratch/files"
if grep -q 'xlabel "n"' "$scratch/script"; then
    echo "plots: $directory/CASE.svg, $directory/roofline-TARGET.svg"
else
    echo "plots: $directory/roofline-TARGET.svg; a curve needs two sizes"
fi
