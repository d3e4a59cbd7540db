#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hints.sh --far RESULTS            the cases of RESULTS that are far from their limit
# hints.sh RESULTS COUNTS [GALLERY]
# RESULTS is of gallery bench --json, TARGET.json. For each case that is far from its limit, prints
# what counts show of the reason, one line at most, and writes it to RESULTS as its "hint". GALLERY,
# of the configuration `counts`, runs the case at its largest size to check; its counts
# (host/emulate/counts.c) are kept in the directory COUNTS for as long as GALLERY is older. Without
# GALLERY nothing is counted.
#
# Far is below half of the roofline, or over twice the plain loop's time. emulate is left out: its
# time goes into simulated threads.
set -eu

here=$(dirname "$0")
far() {
    awk -f "$here/fields.awk" -f - "$1" <<'AWK'
FNR == 1 { target = FILENAME; sub(/.*\//, "", target); sub(/\.json$/, "", target) }
# A case is judged at the size of the table, its first.
/^    \{"family": / && target != "emulate" && !seen[text("case")]++ {
    ratio = match($0, /"ratio": [{][^}]*"median": [0-9.e+-]+/) ? substr($0, RSTART, RLENGTH) : 0
    sub(/.* /, "", ratio)
    if ((text("limit") != "-" && number("share_of_limit") < 0.5) || ratio + 0 > 2)
        print text("case"), ratio + 0
}
AWK
}

if [ "${1:-}" = --far ]; then
    far "$2" | cut -d' ' -f1
    exit
fi
[ $# -ge 2 ] || { sed -n '3,4s/^# //p' "$0" >&2; exit 2; }
results=$1 counts=$2 gallery=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

target=$(basename "$results" .json)
far "$results" >"$scratch/far"
[ -s "$scratch/far" ] || exit 0
mkdir -p "$counts"
# Names of libraries, LIBRARY:NAME, are of no case that can be counted.
while read -r name ratio; do
    kept=$counts/$name
    case $name in *[!A-Za-z0-9_]*) gallery_of= ;; *) gallery_of=$gallery ;; esac
    if [ -n "$gallery_of" ] && [ -z "$(find "$kept" -newer "$gallery" 2>/dev/null)" ]; then
        : >"$scratch/count"
        PORTABLE_COUNTS=$scratch/count "$gallery" dump "$scratch/results" "$name" >/dev/null 2>&1 ||
            : >"$scratch/count"
        cp "$scratch/count" "$kept"
        rm -rf "$scratch/results"
    fi
    echo "$name $ratio $(cat "$kept" 2>/dev/null || true)"
done <"$scratch/far" >"$scratch/counted"

awk -v target="$target" '
    {
        split("", of)
        for (k = 3; k < NF; k += 2)
            of[$k] = $(k + 1)
        hint = ""
        if (of["existing"] > 0 && of["active"] <= 0.6 * of["existing"])
            hint = sprintf("divergent: %.0f of 32 threads of a warp take part in an access, on average",
                32 * of["active"] / of["existing"])
        else if (of["scattered_lanes"] >= 0.1 * of["lanes"] && of["scattered_lanes"] > 0)
            hint = sprintf("uncoalesced: %.0f bytes moved for %.0f used, in %.0f%% of the accesses to device memory",
                of["scattered_moved"] / of["scattered_lanes"],
                of["scattered_used"] / of["scattered_lanes"], 100 * of["scattered_lanes"] / of["lanes"])
        else if (target == "cuda" && of["turns"] >= 2 * of["least_turns"] && of["turns"] > 0)
            hint = sprintf("bank conflicts: an access to shared memory takes %.1f times the turns that it must",
                of["turns"] / of["least_turns"])
        else if (target != "serial" && of["atomics"] >= 0.5 * of["lanes"] && of["atomics"] > 0)
            hint = sprintf("atomics: %.1f on device memory for each other access to it",
                of["lanes"] > 0 ? of["atomics"] / of["lanes"] : of["atomics"])
        if ($2 > 2)
            hint = sprintf("%.1f times the plain loop'"'"'s time", $2) (hint != "" ? "; " hint \
                : ": docs/performance.md, \"What determines the speed on a CPU\"")
        if (hint != "")
            print $1, hint
    }' "$scratch/counted" >"$scratch/hints"
[ -s "$scratch/hints" ] || exit 0

echo
awk '{ name = $1; sub(/^[^ ]* /, ""); printf "%-22s %s\n", name, $0 }' "$scratch/hints"
awk -f "$here/fields.awk" -f - "$scratch/hints" "$results" >"$scratch/json" <<'AWK'
NR == FNR { name = $1; sub(/^[^ ]* /, ""); gsub(/["\\]/, "\\\\&"); gsub(/&/, "\\\\&"); hint[name] = $0; next }
/^    \{"family": / && text("case") in hint && !seen[text("case")]++ {
    sub(/"hint": (null|"([^"\\]|\\.)*")/, "\"hint\": \"" hint[text("case")] "\"")
}
{ print }
AWK
# In one step, so that nobody finds half a file.
cp "$scratch/json" "$results.hints" && mv "$results.hints" "$results"
