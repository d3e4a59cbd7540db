# SPDX-License-Identifier: BSD-3-Clause
# The text, the figure as it stands, or the number of a name in a line of JSON; "-" and 0 if it has
# none. For results of gallery bench and of gallery-ranks bench.
function text(name) {
    return match($0, "\"" name "\": \"[^\"]*\"") ? substr($0, RSTART + length(name) + 5, RLENGTH - length(name) - 6) : "-"
}
function figure(name) {
    return match($0, "\"" name "\": [-+0-9.e]+") ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4) : 0
}
function number(name) { return figure(name) + 0 }
