# SPDX-License-Identifier: BSD-3-Clause
#
# Compares gdb's output with that expected by a session. The first file is the session:
#
#     > COMMAND       a command of gdb
#     TEXT            is in a line printed by the command above, after the lines expected before;
#                     ... stands for any text within the line
#     ! TEXT          is in no line that it printed
#
# The second is gdb's output, with a line @@K after the K-th command. -v list=1 prints the commands
# of a session instead, each followed by such a mark.
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
