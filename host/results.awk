# SPDX-License-Identifier: BSD-3-Clause
# Reads the results of gallery bench --json, TARGET.json, after fields.awk. Writes to the file `rows`
# the lines
#     target case n bytes flops seconds plain_seconds problem share_of_limit limit ratio least_plain
# with 0 or - for what is unknown, and to the file `limits`
#     target bytes_per_second flop_per_second tensor_flop_per_second
# Times and the ratio are medians; least_plain is the shortest time of the plain loop. Each line of a
# results file is one result, with its members in a fixed order. Sizes of 0 and machines without
# measured limits are left out.

function median(name) {
    return statistic(name, "median")
}
function statistic(name, which,   value) {
    if (!match($0, "\"" name "\": [{][^}]*\"" which "\": [-+0-9.e]+"))
        return 0
    value = substr($0, RSTART, RLENGTH)
    sub(/.* /, "", value)
    return value
}
FNR == 1 {
    target = FILENAME
    sub(/.*\//, "", target)
    sub(/\.json$/, "", target)
}
/^  "limits": / && number("memory_bytes_per_second") > 0 {
    print target, figure("memory_bytes_per_second"), figure("flop_per_second"),
        figure("tensor_flop_per_second") > limits
}
# Files of version 0.1.0 have no problem: there it was the family.
/^    \{"family": / && number("n") > 0 {
    problem = text("problem")
    print target, text("case"), figure("n"), figure("bytes"), figure("flops"), median("seconds"),
        median("plain_seconds"), problem == "-" ? text("family") : problem, figure("share_of_limit"),
        text("limit"), median("ratio"), statistic("plain_seconds", "minimum") > rows
}
