# SPDX-License-Identifier: BSD-3-Clause
# Prints "name count" for each function with a body in a PTX file: its instructions, including
# predicated ones, without directives and labels. A statement ends at its semicolon, on any line.

# The text before a brace or a semicolon, without labels and leading white space.
function statement(text)
{
    while (match(text, /^[ \t]*[A-Za-z_$%][A-Za-z0-9_$]*:( |\t|$)/))
        text = substr(text, RLENGTH + 1)
    sub(/^[ \t]+/, "", text)
    return text
}

function header_name(text)
{
    sub(/.*\.(entry|func)[ \t]*(\([^)]*\))?[ \t]*/, "", text)
    sub(/[^A-Za-z0-9_$].*/, "", text)
    return text
}

/^[ \t]*\.(loc|file|section|version|target|address_size)([ \t]|$)/ { next }

{
    sub(/\/\/.*/, "")
    rest = $0
    while (match(rest, /[;{}]/)) {
        text = text substr(rest, 1, RSTART - 1)
        mark = substr(rest, RSTART, 1)
        rest = substr(rest, RSTART + 1)
        begun = statement(text)
        if (depth == 0 && mark == "{" && begun ~ /\.(entry|func)[ \t(]/) {
            name = header_name(begun)
            depth = 1
            count = 0
            text = ""
        } else if (mark == ";" && braces == 0) {
            if (depth > 0 && begun != "" && begun !~ /^\./)
                count++
            text = ""
        } else if (depth > 0 && begun == "") { # a scope
            depth += mark == "{" ? 1 : -1
            if (depth == 0)
                print name, count
            text = ""
        } else { # a vector of operands or an initialiser
            braces += mark == "{" ? 1 : mark == "}" ? -1 : 0
            text = text mark
        }
    }
    text = text rest " "
}

END {
    if (depth != 0 || braces != 0) {
        print "the braces do not match" > "/dev/stderr"
        exit 1
    }
}
