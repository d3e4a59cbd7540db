# SPDX-License-Identifier: BSD-3-Clause
# Reads the results of gallery bench --json, TARGET.json. Writes to the file `rows` the lines
#     target case n bytes flops seconds plain_seconds family share_of_limit
# with 0 for what is unknown, and to the file `limits`
#     target bytes_per_second flop_per_second tensor_flop_per_second
# Each line of a results file is one result, with its members in a fixed order. Sizes of 0 and
# machines without measured limits are left out.

# The number at the end of the text that matches, or 0.
function last(pattern,   text) {
    if (!match($0, pattern "[-+0-9.e]+"))
        return 0
    text = substr($0, RSTART, RLENGTH)
    sub(/.* /, "", text)
    return text
}
function number(name) { return last("\"" name "\": ") }
function median(name) { return last("\"" name "\": [{][^}]*\"median\": ") }
function text(name) {
    match($0, "\"" name "\": \"[^\"]*\"")
    return substr($0, RSTART + length(name) + 5, RLENGTH - length(name) - 6)
}
FNR == 1 {
    target = FILENAME
    sub(/.*\//, "", target)
    sub(/\.json$/, "", target)
}
/^  "limits": / && number("memory_bytes_per_second") > 0 {
    print target, number("memory_bytes_per_second"), number("flop_per_second"),
        number("tensor_flop_per_second") > limits
}
/^    \{"family": / && number("n") > 0 {
    print target, text("case"), number("n"), number("bytes"), number("flops"),
        median("seconds"), median("plain_seconds"), text("family"), number("share_of_limit") > rows
}
