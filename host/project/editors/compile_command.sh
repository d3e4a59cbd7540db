#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# compile_command.sh DATABASE SOURCE COMPILER ARGUMENT...
#
# Appends the command that compiles SOURCE in this directory to DATABASE, a compile_commands.json
# without its closing bracket.
set -eu
LC_ALL=C
export LC_ALL

database=$1
shift
if [ -s "$database" ]; then before=','; else before='['; fi
DIRECTORY=$(pwd) awk 'BEGIN {
    for (k = 1; k < 32; k++)
        control[sprintf("%c", k)] = sprintf("\\u%04x", k)
    source = ARGV[2]
    printf "%s\n{\"directory\": %s,\n \"file\": %s,\n \"arguments\": [", ARGV[1],
        string(ENVIRON["DIRECTORY"]), string(source)
    for (k = 3; k < ARGC; k++)
        printf "%s%s", (k > 3 ? ", " : ""), string(ARGV[k])
    printf "]}"
}
function string(text,    k, c, quoted) {
    for (k = 1; k <= length(text); k++) {
        c = substr(text, k, 1)
        quoted = quoted (c == "\\" || c == "\"" ? "\\" c : c in control ? control[c] : c)
    }
    return "\"" quoted "\""
}' "$before" "$@" >>"$database"
