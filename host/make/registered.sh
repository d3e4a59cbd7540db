#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# registered.sh SOURCE OBJECT [SOURCE OBJECT...]
# Refuses a source with a table of cases that its object does not register: the compiler warns of an
# unused table at most, and the gallery would be without its cases.
set -u

status=0
while [ $# -ge 2 ]; do
    if grep -qE 'struct[[:space:]]+gallery_case[[:space:]]+[A-Za-z_0-9]+[[:space:]]*\[' "$1" &&
        ! grep -qE '^[[:space:]]*GALLERY_CASES' "$1" && ! grep -q register_cases "$2"; then
        echo "$1 has a table of cases and does not register it: add GALLERY_CASES(NAME_OF_THE_TABLE) behind it" >&2
        status=1
    fi
    shift 2
done
exit $status
