#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# splice.sh TABLE PAGE: replaces the text between PAGE's lines <!-- bugs: begin --> and <!-- bugs:
# end -->.
set -eu

table=$1 page=$2
grep -q '^<!-- bugs: begin -->$' "$page" && grep -q '^<!-- bugs: end -->$' "$page" || {
    echo "splice.sh: $page has no lines <!-- bugs: begin --> and <!-- bugs: end -->" >&2
    exit 1
}
awk -v table="$table" '
    /^<!-- bugs: begin -->$/ { print; while ((getline line < table) > 0) print line; skip = 1 }
    /^<!-- bugs: end -->$/ { skip = 0 }
    !skip { print }
' "$page" >"$page.new"
if cmp -s "$page" "$page.new"; then
    rm "$page.new"
else
    mv "$page.new" "$page"
    echo "$page: its table has changed"
fi
