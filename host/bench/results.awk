# SPDX-License-Identifier: BSD-3-Clause
# Reads results of gallery bench: a table with tabs between its fields and the names of its columns
# above. Writes to the file `rows` the lines
#     target case n bytes flops seconds plain_seconds problem share_of_limit limit ratio least_plain
# with 0 or - for what is unknown, and to the file `limits`
#     target bytes_per_second flop_per_second tensor_flop_per_second
# Times and the ratio are medians; least_plain is the shortest time of the plain loop. Sizes of 0 and
# machines without measured limits are left out.
BEGIN { FS = "\t" }
function field(name) { return name in at ? $at[name] : "" }
function number(name) { return field(name) == "" ? 0 : field(name) }
function word(name) { return field(name) == "" ? "-" : field(name) }
FNR == 1 {
    split("", at)
    split("", limit)
}
/^# [a-z_]*_per_second: / {
    split(substr($0, 3), pair, ": ")
    limit[pair[1]] = pair[2]
}
/^#/ { next }
!("case" in at) {
    for (k = 1; k <= NF; k++)
        at[$k] = k
    next
}
number("n") > 0 {
    if (limit["memory_bytes_per_second"] > 0)
        print field("target"), limit["memory_bytes_per_second"], limit["flop_per_second"] + 0,
            limit["tensor_flop_per_second"] + 0 > limits
    limit["memory_bytes_per_second"] = 0
    print field("target"), field("case"), field("n"), number("bytes"), number("flops"), number("seconds"),
        number("plain_seconds"), field("problem"), number("share_of_limit"), word("limit"), number("ratio"),
        number("plain_minimum") > rows
}
