#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# links.sh PAGE...: each relative link of the pages leads to a file, and its anchor to a heading
# there. Exit status: 1 if one does not, else 0.
set -u

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# The anchors of a page: its headings in lower case, without punctuation, spaces as -; repeated ones
# end in -1, -2...
anchors() {
    awk '/^(```|~~~)/ { fenced = !fenced }
        !fenced && /^#+ / {
            sub(/^#+ /, "")
            gsub(/\]\([^)]*\)/, "")
            $0 = tolower($0)
            gsub(/[^a-z0-9 _-]/, "")
            gsub(/ /, "-")
            print $0 (seen[$0]++ ? "-" seen[$0] - 1 : "")
        }' "$1"
}

count=0 failed=0
for page in "$@"; do
    awk '/^(```|~~~)/ { fenced = !fenced }
        !fenced {
            gsub(/`[^`]*`/, "")
            text = text " " $0
        }
        END {
            while (match(text, /\]\([^) ]*\)/)) {
                print substr(text, RSTART + 2, RLENGTH - 3)
                text = substr(text, RSTART + RLENGTH)
            }
        }' "$page" >"$scratch/links"
    while IFS= read -r link; do
        case $link in
        *://* | mailto:*) continue ;;
        esac
        count=$((count + 1))
        file=${link%%#*}
        [ -n "$file" ] && file=$(dirname "$page")/$file || file=$page
        if [ ! -e "$file" ]; then
            echo "$page: there is no $file"
            failed=1
            continue
        fi
        case $link in
        *#*) anchors "$file" | grep -qxF -- "${link#*#}" || {
            echo "$page: $file has no heading for #${link#*#}"
            failed=1
        } ;;
        esac
    done <"$scratch/links"
done
echo "$# pages, $count links"
exit $failed
