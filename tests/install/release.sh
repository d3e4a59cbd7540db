#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A release is consistent: the changelog, the citation and the language reference have the version
# of portable.h, every file has its licence and a name without spaces, and portable.pc lists the
# sources.
set -u

failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
number() { sed -n "s/^#define PORTABLE_VERSION_$1 //p" portable.h; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
echo "$version" | grep -qx '[0-9]*\.[0-9]*\.[0-9]*' || fail "portable.h has the version $version"
grep -qx "version: $version" CITATION.cff || fail "CITATION.cff has another version than $version"
[ "$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' docs/CHANGELOG.md | head -n 1)" = "$version" ] ||
    fail "the first section of docs/CHANGELOG.md is not $version"
grep -q "version $version\." docs/kernel-language.md || fail "docs/kernel-language.md has another version"

for file in host/ranks/*.c; do
    grep -q "^ranks_sources=.*/${file##*/} " host/project/package/portable.pc.in || fail "portable.pc.in does not list $file"
done

# Data has its licences in a separate file; records and plots are program output.
count=0
files=$(if git rev-parse -q --verify HEAD >/dev/null 2>&1; then git ls-files; else
    find . -type f ! -path './build*/*' | sed 's,^\./,,'; fi)
odd=$(echo "$files" | grep '[^A-Za-z0-9_./+-]')
[ -z "$odd" ] || fail "names with other characters than A-Za-z0-9_./+-: $odd"
for file in $files; do
    case $file in
    LICENSE | *.txt | tests/cuda/*.out | tests/cuda/*/*.out | *.tsv | *.npy | *.svg | *.png | tests/data/* | docs/examples/data/* | tests/examples/*.args | tests/fuzz/corpus/*/* | tests/golden/* | .gitignore | .clang-format | \
        config.mk | compile_commands.json) continue ;;
    esac
    [ -f "$file" ] || continue
    count=$((count + 1))
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: ' || fail "$file has no SPDX line"
done
[ $count -gt 200 ] || fail "only $count files were looked at"
echo "$version, $count files with their licence"
exit $failed
