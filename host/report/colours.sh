# SPDX-License-Identifier: BSD-3-Clause
# The colours and the style of plots by gnuplot, for plot.sh: text is readable at 390
# pixels across, and colours follow the reader's light or dark mode.

# Those of the light mode; dark replaces each by another.
ink='#1c1f22' faint='#8a9096' rule='#d9dde0'
serial='#1b6ca8' openmp='#2a7f3f' emulate='#6f42a0' cuda='#b8500c'

# dark FILE: adds the dark mode to a plot by gnuplot, and its name
dark() {
    css='<style>@media (prefers-color-scheme: dark) {'
    while read -r light other; do
        red=$(printf '%d' "0x$(echo "$light" | cut -c2-3)")
        green=$(printf '%d' "0x$(echo "$light" | cut -c4-5)")
        blue=$(printf '%d' "0x$(echo "$light" | cut -c6-7)")
        # gnuplot writes rgb( 28,  31,  34) for lines and rgb(28,31,34) for text.
        for name in "$(printf 'rgb(%3d, %3d, %3d)' "$red" "$green" "$blue")" "rgb($red,$green,$blue)" "$light"; do
            css="$css [stroke=\"$name\"] { stroke: $other } [fill=\"$name\"], [color=\"$name\"] { fill: $other; color: $other }"
        done
    done <<COLOURS
#ffffff #14171a
$ink #e8eaec
$faint #8f979e
$rule #3a4046
$serial #6cb4ee
$openmp #6fce86
$emulate #c3a0f0
$cuda #f5a15b
COLOURS
    awk -v style="$css }</style>" -v name="$(basename "$1" .svg)" '{ sub(/<title>Gnuplot</, "<title>" name "<"); print } /<\/desc>/ && !done++ { print style }' "$1" >"$1.new"
    mv "$1.new" "$1"
}

style="set terminal svg size 600,440 dynamic background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
unset key
set border 3 linecolor '$faint'; set grid linecolor '$rule' linetype 1 linewidth 1
set tics nomirror textcolor '$ink'; set title textcolor '$ink' font ',16' noenhanced
set xlabel textcolor '$ink' offset 0,0.5; set ylabel textcolor '$ink' offset 1,0"
