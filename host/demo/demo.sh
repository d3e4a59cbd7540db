#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh BUILD [NO_CUDA]
# Runs the gallery's demo on real input, on serial and on cuda. NO_CUDA is why cuda cannot run, if
# it cannot. Prints one table; the results are in BUILD/demo.
set -u

build=$1
data=tests/data
rm -rf "$build/demo"
echo "Sparse matrices times vectors, images blurred, a million numbers summed: each result is"
echo "compared with a reference in double precision, and with that of the other target."
echo
"$build/serial-exact/gallery" demo $data --dump "$build/demo/serial"
status=$?
if [ -n "$2" ]; then
    echo
    echo "cuda was not run: $2; serial was compared with the references alone."
else
    "$build/cuda-exact/gallery" demo $data --dump "$build/demo/cuda" \
        --against serial="$build/demo/serial" 2>"$build/demo/cuda.err"
    code=$?
    if [ $code = 77 ]; then
        echo
        echo "$(sed 's/^gallery: //' "$build/demo/cuda.err"); serial was compared with the references alone."
    else
        cat "$build/demo/cuda.err" >&2
        [ $code -gt $status ] && status=$code
    fi
fi
rm -f "$build/demo/cuda.err"
echo
if [ $status = 0 ]; then
    echo "All results agree. They are under $build/demo: .npy for every array, .pgm and .ppm for images."
else
    echo "NOT ALL RESULTS AGREE."
fi
exit $status
