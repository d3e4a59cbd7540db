#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scaling.sh RESULTS
# Tables of the results of bench.sh, and plots beside them: strong-TARGET-TRANSPORT.svg has the
# speed-up, weak-TARGET-TRANSPORT.svg the efficiency. A title says what the plot shows. Plots need
# gnuplot.
set -eu

. "$(dirname "$0")/fields.sh"
. "$(dirname "$0")/../colours.sh"
[ $# = 1 ] || { echo "usage: scaling.sh RESULTS" >&2; exit 2; }
results=$1
[ -r "$results" ] || { echo "$results: cannot read" >&2; exit 2; }
directory=$(dirname "$results")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Lines "group ranks n seconds rate share messages bytes machine-ranks cores unit gain"; a group is
# "target transport scaling case base-n". The gain is over one rank, by this transport or else by
# any, as it needs none; without a result of one rank, over the fewest.
awk -v OFMT=%.10g "$fields"'
    is_result() { print text("target"), text("transport"), text("scaling"), text("case"), number("base_n"), number("ranks"), number("n"),
        number("seconds_per_iteration"), number("rate"), number("communication_share"), number("messages"), number("bytes"),
        number("ranks_of_machine"), text("target") == "cuda" ? number("devices") : number("cores"), text("unit") }' "$results" |
    sort -k1,4 -k5,5n -k6,6n >"$scratch/results"
[ -s "$scratch/results" ] || { echo "$results has no results" >&2; exit 1; }
awk '
    NR == FNR { if ($6 == 1) { by_one[$1 FS $3 FS $4 FS $5] = $9; by_one[$1 FS $2 FS $3 FS $4 FS $5] = $9 } next }
    { group = $1 FS $2 FS $3 FS $4 FS $5 }
    group != before {
        before = group; base_rate = $9; base_ranks = $6; any_transport = $1 FS $3 FS $4 FS $5
        if (group in by_one || any_transport in by_one) {
            base_rate = group in by_one ? by_one[group] : by_one[any_transport]
            base_ranks = 1
        }
    }
    { print $0, (base_rate > 0 ? $9 / base_rate * base_ranks : 0) }' "$scratch/results" "$scratch/results" >"$scratch/rows"

awk '
    $3 == "none" { next }
    $1 FS $2 FS $3 != section {
        section = $1 FS $2 FS $3
        printf "\n%s by %s, %s scaling: %s\n%-8s %10s %6s %14s %12s %-16s %8s %10s %13s %9s %12s\n", $1, $2, $3,
            $3 == "strong" ? "one problem" : "work in proportion to the ranks",
            "case", "n", "ranks", "us/iteration", "rate", "", "speed-up", "efficiency", "communication", "messages", "bytes"
    }
    {
        shared = $13 > $14
        any += shared
        printf "%-8s %10d %5d%s %14.1f %12.4g %-16s %8.2f %9.0f%% %12.1f%% %9.4g %12.10g\n", $4, $7, $6, shared ? "*" : " ", 1e6 * $8,
            $9, $15, $16, 100 * $16 / $6, 100 * $10, $11, $12
    }
    END { if (any) print "* more ranks than cores or GPUs: they take turns, so these are not the times of so many" }' "$scratch/rows"
awk '
    $3 != "none" { next }
    $1 FS $2 != section {
        section = $1 FS $2
        printf "\n%s by %s, single operations\n%-12s %10s %6s %12s %12s\n", $1, $2, "operation", "n", "ranks", "us", "10^6 n/s"
    }
    { printf "%-12s %10d %6d %12.2f %12.1f\n", $4, $7, $6, 1e6 * $8, 1e-6 * $9 }' "$scratch/rows"

if ! command -v gnuplot >/dev/null; then
    echo "no plots were drawn: gnuplot is not installed"
    exit 0
fi
plots=0
: >"$scratch/script"
for way in $(awk '$3 != "none" { print $1 "/" $2 "/" $3 }' "$scratch/rows" | sort -u); do
    target=${way%%/*} scaling=${way##*/} transport=${way#*/}
    transport=${transport%/*}
    # One file for each curve: ranks, and speed-up or efficiency in percent.
    rm -f "$scratch"/curve.*
    awk -v way="$way" -v prefix="$scratch/curve." '
        $1 "/" $2 "/" $3 != way { next }
        { print $6, $3 == "strong" ? $16 : 100 * $16 / $6 >(prefix $4 "." $5) }' "$scratch/rows"
    curves='' most=1 number=0
    : >"$scratch/ends"
    for curve in "$scratch"/curve.*; do
        [ "$(wc -l <"$curve")" -gt 1 ] || continue
        name=${curve#"$scratch"/curve.}
        last=$(awk 'END { print $1 }' "$curve")
        [ "$last" -le "$most" ] || most=$last
        number=$((number % 4 + 1))
        colour=$(echo "$cuda $serial $openmp $emulate" | cut -d' ' -f$number)
        cp "$curve" "$scratch/$(echo "$way" | tr / -)-$name"
        curves="$curves, '$scratch/$(echo "$way" | tr / -)-$name' using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.5 linecolor '$colour' title '${name%.*}, n = ${name#*.}'"
        awk -v colour="$colour" -v name="${name%.*} ${name#*.}" 'END { print $2, $1, colour, name }' "$curve" >>"$scratch/ends"
    done
    [ -n "$curves" ] || continue
    plots=$((plots + 1))
    # The finding: the range over the cases with the most ranks. Each curve has its name and n
    # beside its end; names that would overlap move apart.
    finding=$(awk -v most="$most" -v scaling="$scaling" -v target="$target" -v transport="$transport" '
        $2 == most { if (!n++ || $1 < low) low = $1; if ($1 > high) high = $1 }
        END {
            how = scaling == "strong" ? "%.1f" : "%.0f%%"
            least = sprintf(how, low); greatest = sprintf(how, high)
            range = least == greatest ? least : least " to " greatest
            if (scaling == "strong") printf "%s by %s: %d ranks are %s times as fast as one", target, transport, most, range
            else printf "%s by %s: %d ranks at %s efficiency", target, transport, most, range
        }' "$scratch/ends")
    # The axis: from below the ideal to above it, and further if a curve goes there.
    range=$(awk -v most="$most" -v scaling="$scaling" '
        BEGIN { low = scaling == "strong" ? 0.9 : 0; high = scaling == "strong" ? 1.2 * most : 108 }
        scaling == "strong" && $2 > 0 && $2 / 1.1 < low { low = $2 / 1.1 }
        $2 * 1.05 > high { high = $2 * 1.05 }
        END { print low ":" high }' "$scratch/$(echo "$way" | tr / -)"-*)
    {
        printf 'reset\n%s\nset output "%s/%s-%s-%s.svg"\nset title "%s"\nset xlabel "ranks"\n' "$style" "$directory" \
            "$scaling" "$target" "$transport" "$finding"
        printf 'set lmargin at screen 0.13; set rmargin at screen 0.70; set bmargin at screen 0.15; set tmargin at screen 0.89\n'
        printf 'set logscale x 2; set xrange [0.95:%s * 1.03]\n' "$most"
        sort -g -r "$scratch/ends" | awk -v scaling="$scaling" -v range="$range" '
            BEGIN { split(range, of, ":"); step = scaling == "strong" ? 0.075 * log(of[2] / of[1]) : 0.07 * of[2] }
            { y = scaling == "strong" ? log($1) : $1
              if (NR > 1 && y > last - step) y = last - step
              last = y
              printf "set label \"%s, n = %s\" at first %s, first %.6g left offset 1.2,0 font \",13\" textcolor \"%s\" noenhanced\n",
                  $4, $5, $2, scaling == "strong" ? exp(y) : y, $3 }'
        if [ "$scaling" = strong ]; then
            printf 'set ylabel "speed-up"; set logscale y 2; set yrange [%s]\nplot x' "$range"
        else
            printf 'set ylabel "efficiency, %%"; set yrange [%s]\nplot 100' "$range"
        fi
        printf ' with lines dashtype 2 linecolor "%s" title "ideal"%s\n' "$faint" "$curves"
    } >>"$scratch/script"
    echo "$directory/$scaling-$target-$transport.svg" >>"$scratch/files"
done
if [ $plots = 0 ]; then
    echo "no plots were drawn: a curve needs two numbers of ranks"
    exit 0
fi
gnuplot "$scratch/script"
while read -r file; do
    dark "$file"
done <"$scratch/files"
echo "plots: $directory/strong-TARGET-TRANSPORT.svg, $directory/weak-TARGET-TRANSPORT.svg"
