#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tree.sh SOURCE TREE
# Makes TREE a copy of the sources in SOURCE: git's files if it is a git checkout, otherwise all
# files except build/ and the directory that holds TREE. TREE/build stays; all other files that are
# not in SOURCE are removed.
set -eu

source=$(cd "$1" && pwd)
mkdir -p "$2"
tree=$(cd "$2" && pwd)
top=${tree#"$source"/}
top=${top%%/*}
[ -n "$top" ] || top=build # TREE is outside SOURCE

files() {
    cd "$source"
    if [ -e .git ]; then
        git ls-files --cached --others --exclude-standard | while IFS= read -r file; do
            [ ! -f "$file" ] || echo "$file"
        done
    else
        find . -path ./build -prune -o -path "./$top" -prune -o -type f -print
    fi
}

files | sed 's|^\./||' | grep -v "^$top/" | LC_ALL=C sort >"$tree.files"
(cd "$source" && tar -cf - -T "$tree.files") | (cd "$tree" && tar -xpf -)
cd "$tree"
find . -path ./build -prune -o ! -type d -print | sed 's|^\./||' | LC_ALL=C sort |
    LC_ALL=C comm -13 "$tree.files" - | while IFS= read -r file; do
    rm -f "$file"
done
# A page may have built from files in its HOME, which no longer exist; make would look for them.
[ ! -d build ] || find build -name '*.d' -exec grep -lF "$tree.tmp/" {} + | while IFS= read -r file; do
    rm -f "$file" "${file%.d}.o"
done
find . -depth -type d ! -path ./build ! -path './build/*' -empty -exec rmdir {} \;
