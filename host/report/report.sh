#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# report.sh [OPTION...] DIRECTORY TARGET=GALLERY... [-- CASE...]
# Runs check in each target's gallery, compares all with the first target's results, and writes
# DIRECTORY/index.html, the page that docs/report.md describes, with TARGET.results, for programs,
# and TARGET.log, the output of the check, beside it. Removes the files of an earlier report: dump/,
# *.results, *.log and index.html. Options:
#   --golden DIR   compare each target with the records under DIR as well
#   --inputs DIR   run cases on the files under DIR as well
#   --plots DIR, --note "KEY: VALUE", --missing "TARGET: WHY", --failed "TARGET: WHY"
#                  as for gallery report
# Exit status: 0 the results agree; 1 something differs or failed, as the page shows, or no target left
# results, and there is no page; 2 bad input. REQUIRE_GPU=1 makes a target without a device a
# failure.
set -u

bad() {
    echo "report.sh: $1" >&2
    exit 2
}

golden='' inputs='' page=''
# quoted WORD: appends it to gallery report's command line, quoted for eval
quoted() {
    page="$page '$(printf '%s' "$1" | sed "s/'/'\\\\''/g")'"
}
while [ $# -gt 0 ]; do
    case $1 in
    --golden | --inputs | --plots | --note | --missing | --failed)
        [ $# -gt 1 ] || bad "$1 needs a value"
        case $1 in
        --golden) golden=$2 ;;
        --inputs) inputs=$2 ;;
        *) quoted "$1"; quoted "$2" ;;
        esac
        shift 2
        ;;
    -*) bad "unknown option $1" ;;
    *) break ;;
    esac
done
[ $# -gt 1 ] || bad "expected a directory and TARGET=GALLERY"
directory=$1
shift
targets=''
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
    [a-z]*=?*) targets="$targets $1" ;;
    *) bad "expected TARGET=GALLERY, found $1" ;;
    esac
    shift
done
[ $# -gt 0 ] && shift # the cases remain

mkdir -p "$directory" || exit 2
rm -rf "$directory/dump" "$directory"/*.results "$directory"/*.log "$directory/index.html"
first='' writer='' results=''

# check NAME GALLERY ARGUMENT...: writes NAME.results and NAME.log. A target without results is
# missing if there is no device, and has failed otherwise.
check() {
    name=$1 gallery=$2
    shift 2
    "$gallery" check "$@" --results "$directory/$name.results" \
        >"$directory/$name.log" 2>"$directory/dump/errors"
    code=$?
    rm -f "$directory/$name.results".*.tmp # of a check that was interrupted
    cat "$directory/dump/errors" >>"$directory/$name.log"
    if [ -f "$directory/$name.results" ]; then
        tail -n 1 "$directory/$name.log"
        results="$results ${name%-recorded}=$directory/$name.results"
        return 0
    fi
    why=$(sed 's/^gallery: //' "$directory/dump/errors" | tail -n 3 | tr '\n' ' ')
    if [ $code = 77 ] && [ "${REQUIRE_GPU:-}" != 1 ]; then
        quoted --missing
    else
        quoted --failed
        [ $code = 77 ] || why="the check ended with exit status $code and left no results: ${why:-no output}"
    fi
    echo "$name: $why"
    quoted "$name: $why"
    return 1
}

mkdir -p "$directory/dump"
for pair in $targets; do
    target=${pair%%=*} gallery=${pair#*=}
    check "$target" "$gallery" "$@" --dump "$directory/dump/$target" \
        ${inputs:+--inputs "$inputs"} ${first:+--against "$first=$directory/dump/$first"} || continue
    [ -n "$first" ] || first=$target
    [ -n "$writer" ] || writer=$gallery
    [ -z "$golden" ] || check "$target-recorded" "$gallery" "$@" --golden "$golden"
done
if [ -z "$writer" ]; then
    echo "report.sh: no target left results, so there is no page" >&2
    exit 1
fi
# shellcheck disable=SC2086 # a list of words; make allows no blank in a path
eval '"$writer" report "$directory/index.html" $results' "$page"
code=$?
rm -rf "$directory/dump"
[ $code = 2 ] || echo "$directory/index.html"
exit $code
