#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scripts.sh [FILE...]
#
# Parses all shell scripts, and the FILEs, without running any: bash's by bash -n, if there is bash, all
# others by sh -n. Exit status: 1 if one does not parse.
set -u
failed=0 parsed=0
# shellcheck disable=SC2046 # no name has blanks
for file in $(find "$(dirname "$0")/.." \( -name build -o -name .git \) -prune -o -type f \
    \( -name '*.sh' -o -path '*/.ci/run' \) -print) "$@"; do
    read -r first <"$file" || continue
    case $first in '#!'*bash*) shell=bash ;; *) shell=sh ;; esac
    command -v $shell >/dev/null || continue
    parsed=$((parsed + 1))
    $shell -n "$file" || failed=1
done
echo "$parsed scripts"
[ $parsed -gt 100 ] || exit 1
exit $failed
