#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# loops.sh COMPILER FLAG... -- SOURCE...
# Whether the sources compile for serial and openmp, whose compiler alone refuses a name outside of
# its scope. Exit status: 0 they do; 3 a source is for emulate and cuda alone, by the compiler's
# word: it is CUDA C, or C++ with kernels; 1 the compiler refuses another one, and has said why.
set -u

compiler=''
quoted() {
    compiler="$compiler '$(printf '%s' "$1" | sed "s/'/'\\\\''/g")'"
}
while [ "$1" != -- ]; do
    quoted "$1"
    shift
done
shift
result=0
for source; do
    case $source in
    *.cpp | *.cc | *.cxx) standard=-std=c++17 ;;
    *) standard= ;;
    esac
    said=$(eval "$compiler" '-w $standard -fsyntax-only "$source"' 2>&1) && continue
    case $said in
    # The sentences of portable.h.
    *"CUDA C needs nvcc, or "* | *"a kernel of the serial and openmp targets must be in a C file"*)
        [ $result = 1 ] || result=3
        ;;
    *)
        printf '%s\n' "$said" >&2
        result=1
        ;;
    esac
done
exit $result
