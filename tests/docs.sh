#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every public name of portable.h needs an entry in docs/kernel-language.md: macros and functions
# without a trailing underscore, enumerators, and types.
#
#     tests/docs.sh [HEADER [PAGE]]
#     tests/docs.sh --names [HEADER]     prints the names
set -u

list=0
if [ "${1:-}" = --names ]; then
    list=1
    shift
fi
header=${1:-portable.h} page=${2:-docs/kernel-language.md}
names=$({
    sed -n 's/^#define \([A-Za-z][A-Za-z0-9_]*\).*/\1/p' "$header"
    sed -n 's/^\(static inline\|DEVICE\) [a-z_ ]*[ *]\([a-z][a-z0-9_]*\)(.*/\2/p' "$header"
    sed -n 's/^ *\(PORTABLE_[A-Z_]*\)\( = 0\)*,.*/\1/p' "$header"
    sed -n 's/^} \(__attribute__((aligned([0-9]*))) \)*\([a-z][a-z0-9_]*\);.*/\2/p' "$header"
    sed -n 's/^typedef .* [*]*\([A-Za-z][A-Za-z0-9_]*\);.*/\1/p; s/^struct \([a-z_]*\) {.*/\1/p' "$header"
} | grep -v -e '_$' -e '^PORTABLE_H$' -e '^PORTABLE_LIST_void$' -e '^double4$' -e '^make_double4$' -e '_scope$' \
    -e '^portable_extents$' | sort -u)
if [ $list = 1 ]; then
    echo "$names"
    exit
fi
count=$(echo "$names" | wc -l)
missing=0
for name in $names; do
    grep -qw -- "$name" "$page" || {
        echo "$page has no entry for $name"
        missing=$((missing + 1))
    }
done
echo "$count public names, $missing without an entry"
[ "$count" -gt 150 ] && [ $missing = 0 ]
