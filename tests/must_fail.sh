#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# must_fail.sh STATUS COMMAND...: succeeds if the command ends with that exit status.
expected=$1
shift
"$@"
code=$?
[ $code = "$expected" ] || { echo "exit status $code, and expected was $expected"; exit 1; }
