# SPDX-License-Identifier: BSD-3-Clause
# awk -f unknown_case.awk -v cases="NAME..." SOURCE...
# Prints the first of the cases that no source defines, as far as that can be seen without a
# compiler: .name = "NAME". The gallery judges names that begin with such a string and have more, as
# in .name = "NAME" SUFFIX, and every name if a source has other names, or none: a file that it
# includes may have them, unless that is one of the sources.
FNR == 1 {
    sources[FILENAME]
}
/^# *include *"/ {
    split($0, quoted, "\"")
    path = quoted[2]
    sub(/.*\//, "", path)
    for (k = 1; k < ARGC; k++)
        if (ARGV[k] == path || ARGV[k] ~ ("/" path "$"))
            seen[FILENAME]
}
{
    while (match($0, /\.name *=/)) {
        seen[FILENAME]
        $0 = substr($0, RSTART + RLENGTH)
        if (!match($0, /^ *"[^"]*"/)) {
            unknown = 1
            continue
        }
        name = substr($0, 1, RLENGTH - 1)
        sub(/^ *"/, "", name)
        $0 = substr($0, RLENGTH + 1)
        if ($0 ~ /^ *[,}]/)
            names[name]
        else
            beginnings[name]
    }
}
function is_known(name, b) {
    if (name in names)
        return 1
    for (b in beginnings)
        if (index(name, b) == 1)
            return 1
    return 0
}
END {
    for (file in sources)
        if (!(file in seen))
            unknown = 1
    count = split(cases, words, " ")
    for (k = 1; k <= count && !unknown; k++)
        if (!is_known(words[k])) {
            print words[k]
            exit
        }
}
