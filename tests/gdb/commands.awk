# SPDX-License-Identifier: BSD-3-Clause
#
# Compares what gdb printed with what a session expects. The first file is the session:
#
#     > COMMAND       a command of gdb
#     TEXT            stands in a line that the command above printed, after the lines expected
#                     before; ... stands for any text within it
#     ! TEXT          stands in no line that it printed
#
# and the second what gdb printed, with a line @@K after the K-th command. -v list=1 prints the
# commands of a session instead, so marked.
list {
    if (sub(/^> /, "")) {
        print
        print "echo \\n@@" ++commands "\\n"
    }
    next
}
FNR == NR && /^> / { text[++commands] = substr($0, 3); next }
FNR == NR { expected[commands, ++expects[commands]] = $0; next }
FNR == 1 { at = 1 }
/^@@[0-9]+$/ { at = substr($0, 3) + 1; next }
{ said[at, ++lines[at]] = $0 }
function holds(line, pattern,    parts, n, k, found) {
    n = split(pattern, parts, /\.\.\./)
    for (k = 1; k <= n; k++) {
        found = index(line, parts[k])
        if (!found)
            return 0
        line = substr(line, found + length(parts[k]))
    }
    return 1
}
END {
    if (list)
        exit
    if (at != commands + 1)
        wrong[1] = "gdb ended after " at - 1 " of " commands " commands"
    for (c = 1; c <= commands; c++) {
        line = 0
        for (k = 1; k <= expects[c]; k++) {
            pattern = expected[c, k]
            if (sub(/^! /, "", pattern)) {
                for (l = 1; l <= lines[c]; l++)
                    if (holds(said[c, l], pattern))
                        wrong[c] = wrong[c] "\n    said: " pattern
                continue
            }
            do
                line++
            while (line <= lines[c] && !holds(said[c, line], pattern))
            if (line > lines[c]) {
                wrong[c] = wrong[c] "\n    did not say: " pattern
                break
            }
        }
        if (c in wrong) {
            print "  (gdb) " text[c] wrong[c]
            for (l = 1; l <= lines[c]; l++)
                print "    | " said[c, l]
            status = 1
        } else
            checked += expects[c]
    }
    print checked + 0 >counted
    exit status
}
