#!/bin/sh
# SPDX-License-Identifier: 0BSD
# A step of make check: cg's solution of a matrix that is given in a file, against SuperLU's.
python3 -c 'import scipy' 2>/dev/null || {
    echo "skipped: there is no SciPy (Debian: python3-scipy)"
    exit 77
}
matrix=${MATRIX:-../../../tests/data/mtx/bcsstk13.mtx}
[ -e "$matrix" ] || { echo "skipped: there is no $matrix; set MATRIX to a .mtx file"; exit 77; }
make -s build/serial/cg || exit 1
solution=$(mktemp -d) || exit 1
trap 'rm -rf "$solution"' EXIT
build/serial/cg --solution "$solution/x.npy" "$matrix" && python3 compare/direct.py "$matrix" "$solution/x.npy"
