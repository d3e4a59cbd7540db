#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# race.sh
# Draws docs/figures/race.svg: racecheck's report of race.c beside the lines that it names. Run it
# in the root of the repository; it builds the check.
set -eu

source=docs/figures/race.c
report=$(mktemp)
trap 'rm -f "$report" "$report.svg"' EXIT
trap 'exit 1' HUP INT TERM
make -s racecheck SOURCES=$source 2>&1 | sed -n '/^racecheck: race/,/similar/p' >"$report" || true
grep -q similar "$report" || { echo "race.sh: racecheck did not report the race" >&2; exit 1; }

# The report comes first. Each access it names, "a WHAT by block B, thread T at FILE:LINE", is noted
# below its line. 480 units across, and 7.8 for a letter, which is readable on a telephone.
awk '
    function escaped(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); return text }
    function put(x, class, text) { body = body sprintf("<text x=\"%d\" y=\"%d\" class=\"%s\" xml:space=\"preserve\">%s</text>\n", x, y, class, escaped(text)) }
    function band(class, height) { body = body sprintf("<rect x=\"0\" y=\"%d\" width=\"480\" height=\"%d\" class=\"%s\"/>\n", y - 15, height, class) }
    FNR == NR {
        told = told (NR > 1 ? " " : "") $0
        rest = $0
        while (match(rest, /a (read|write) by block \([0-9, ]*\), thread \([0-9, ]*\) at [^ ,]*:[0-9]+/)) {
            access = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            line = access; sub(/.*:/, "", line)
            what[line] = access ~ /^a read/ ? "read" : "write"
            sub(/^a /, "", access); sub(/block [(][0-9, ]*[)], /, "", access); sub(/ at [^ ]*$/, "", access)
            by[line] = access
        }
        next
    }
    FNR == 1 { gsub(/ +/, " ", told); y = 24; put(12, "title", "racecheck names both accesses of a race, on a CPU"); y += 14 }
    /^KERNEL/ { shown = 1 }
    shown {
        y += 20
        if (FNR in by) {
            band(what[FNR], 40)
            put(12, "number", sprintf("%2d", FNR)); put(40, "code", $0)
            y += 19
            put(40 + 7.8 * (match($0, /[^ ]/) - 1), what[FNR] " note", "^ " by[FNR])
        } else {
            put(12, "number", sprintf("%2d", FNR)); put(40, "code", $0)
        }
    }
    /^}/ && shown { shown = 0 }
    END {
        y += 22
        body = body sprintf("<path d=\"M12 %dH468\" class=\"rule\"/>\n", y - 8)
        count = split(told, word, " ")
        line = ""
        for (k = 1; k <= count + 1; k++) {
            if (k > count || length(line) + 1 + length(word[k]) > 62) { y += 17; put(12, "told", line); line = "  " word[k] }
            else line = line (line == "" ? "" : " ") word[k]
        }
        height = y + 14
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 %d\" width=\"600\" height=\"%d\" role=\"img\">\n", height, height * 1.25
        print "<!-- SPDX-License-Identifier: BSD-3-Clause; drawn by docs/figures/race.sh -->"
        print "<title>A kernel without a barrier, and below it the race that racecheck reports</title>"
        print "<style>"
        print "text { font: 13px ui-monospace, Menlo, \"DejaVu Sans Mono\", monospace; fill: #1c1f22 }"
        print ".title { font: 600 16px Helvetica, Arial, sans-serif }"
        print ".number { fill: #6a7178 } .told { font-size: 12px } .note { font-weight: 600 }"
        print ".page { fill: #fff } .rule { stroke: #d9dde0 }"
        print "rect.write { fill: #fff1d6 } rect.read { fill: #fde4e1 } text.write { fill: #8a4b00 } text.read { fill: #a40e19 }"
        print "@media (prefers-color-scheme: dark) {"
        print "text { fill: #e8eaec } .number { fill: #9aa2aa } .page { fill: #14171a } .rule { stroke: #3a4046 }"
        print "rect.write { fill: #3a2a10 } rect.read { fill: #40191c } text.write { fill: #f5b765 } text.read { fill: #ff9b9b }"
        print "}"
        print "</style>"
        printf "<rect class=\"page\" width=\"480\" height=\"%d\"/>\n%s</svg>\n", height, body
    }' "$report" $source >"$report.svg"
cp "$report.svg" docs/figures/race.svg
