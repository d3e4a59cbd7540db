#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The address that this checkout came from, for others to clone: by https, without a name or a password.
# Nothing if it came from a directory, or is not a checkout of its own.
here=$(cd "$(dirname "$0")/.." && pwd)
[ "$(git -C "$here" rev-parse --show-toplevel 2>/dev/null)" = "$here" ] || exit 0
remote=$(git -C "$here" remote | grep -x origin || git -C "$here" remote | head -n 1)
git -C "$here" config --get "remote.$remote.url" |
    sed -n 's|^ssh://\([^/@]*@\)*\([^/:]*\)\(:[0-9]*\)*/|https://\2/|; s|^[^/@:]*@\([^/:]*\):/*|https://\1/|
        s|^\(https*://\)\([^/@]*@\)*|\1|p'
