#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# layers.sh [EXTRA]
# The files of the harness depend on one another in one direction: host/X.c and host/X.h are one module,
# and no chain of includes leads from a module back to itself. EXTRA is one more pair "module module", for
# tests/must_fail.sh. Exit status: 0, or 1 with the modules of a circle.
set -eu
cd "$(dirname "$0")/.."

for file in host/*.[ch]; do
    module=${file#host/}
    sed -n "s|^#include \"host/\([a-z_]*\)\.h\".*|${module%.*} \1|p" "$file"
done | { cat; echo "${1:-}"; } | awk '$1 != $2' | tsort >/dev/null
