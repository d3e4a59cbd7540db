# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034
# For awk programs that read the lines of JSON of gallery-ranks bench: whether the line is one, and
# its text or number of a name; "-" and 0 if it has none.
fields='
function is_result() { return /^[{]"case": .*[}]$/ }
function text(name) {
    return match($0, "\"" name "\": \"[^\"]*\"") ? substr($0, RSTART + length(name) + 5, RLENGTH - length(name) - 6) : "-"
}
function number(name) {
    return match($0, "\"" name "\": [-+0-9.e]+") ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4) + 0 : 0
}'
