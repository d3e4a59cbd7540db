#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# lists.sh [EXTRA]
# Lists in the documentation are complete: the decisions in docs/decisions/README.md, the
# directories in CONTRIBUTING's tree, and the public headers in docs/architecture.md. EXTRA is the
# name of one more decision, directory or header, for tests/must_fail.sh. Exit status: 0, or 1 with
# the names that are in only one of both.
set -eu
cd "$(dirname "$0")/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# same PAGE WHAT: the names in $scratch/listed, from the page, are those in $scratch/there.
same() {
    sort -u "$scratch/listed" -o "$scratch/listed"
    sort -u "$scratch/there" -o "$scratch/there"
    comm -13 "$scratch/listed" "$scratch/there" | sed "s|.*|$1 lacks $2 &|"
    comm -23 "$scratch/listed" "$scratch/there" | sed "s|.*|$1 has $2 &, which does not exist|"
    cmp -s "$scratch/listed" "$scratch/there" || failed=1
    [ -s "$scratch/there" ] || { echo "$1: no $2 found"; failed=1; }
}

# add PATTERN: EXTRA is there too if the pattern matches it.
extra=${1:-}
add() {
    case $extra in
    $1) echo "$extra" >>"$scratch/there" ;;
    esac
}

sed -n 's/^- \[[0-9]*\](\([^)]*\)).*/\1/p' docs/decisions/README.md >"$scratch/listed"
(cd docs/decisions && ls [0-9]*.md) >"$scratch/there"
add '[0-9]*.md'
same docs/decisions/README.md decision

# Directories with files, two levels deep, without those that git ignores.
awk '/^## / { here = /Where things go/ } here && /^( ? ?)[.a-z][a-z_]*\/( |$)/ {
    name = $1
    if (/^ /) name = above name; else above = name
    print name }' docs/CONTRIBUTING.md >"$scratch/listed"
{ if [ -e .git ]; then git ls-files; else find . -path ./build -prune -o -type f -print; fi; } |
    sed -n 's|^\./||; s|^\([^/]*/\)[^/]*$|\1|p; s|^\([^/]*/\)\([^/]*/\).*|\1\n\1\2|p' >"$scratch/there"
add '*/'
same docs/CONTRIBUTING.md directory

awk '/^## / { here = /What is public/ } here' docs/architecture.md | grep -o '`host/[a-z_]*\.h`' |
    sed 's|`host/||; s|`||' >"$scratch/listed"
grep -l '^/\* Public: projects include this header' host/*.h | sed 's|^host/||' >"$scratch/there"
add '[a-z]*.h'
same docs/architecture.md 'public header'

exit $failed
