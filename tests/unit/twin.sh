#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# twin.sh PROGRAM: a test that must fail, with the message that its source gives.
set -u

source=tests/unit/${1##*/}.c
message=$(sed -n 's/.*expect: \(.*\) \*\/.*/\1/p' "$source" | head -n 1)
[ -n "$message" ] || { echo "$source expects no message"; exit 1; }
"$1" && { echo "$1 passed, and must fail"; exit 1; }
"$1" 2>&1 | grep -F -- "$message" || { echo "$1 did not say: $message"; exit 1; }
