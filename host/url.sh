#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The address that this checkout came from, for others to clone: nothing if it came from a directory, or
# is not a checkout of its own; without a name or a password.
here=$(cd "$(dirname "$0")/.." && pwd)
[ "$(git -C "$here" rev-parse --show-toplevel 2>/dev/null)" = "$here" ] || exit 0
git -C "$here" config --get remote.origin.url | sed -n 's|^\(https*://\)\([^/@]*@\)*|\1|p'
