#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints the address of this checkout's remote for others to clone: https, without user name or
# password. Prints nothing if the remote is a directory, or if this is not the root of a checkout.
here=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(git -C "$here" rev-parse --show-toplevel 2>/dev/null)" = "$here" ] || exit 0
remote=$(git -C "$here" remote | grep -x origin || git -C "$here" remote | head -n 1)
git -C "$here" config --get "remote.$remote.url" |
    sed -n 's|^ssh://\([^/@]*@\)*\([^/:]*\)\(:[0-9]*\)*/|https://\2/|; s|^[^/@:]*@\([^/:]*\):/*|https://\1/|
        s|^\(https*://\)\([^/@]*@\)*|\1|p'
