#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# refusals.sh NVCC SCRATCH
# Each program in tests/cuda/fail/ is refused with its sentence, and so is each of CUDA's headers
# that portable-nvcc does not have, unless there is one. Exit status: 0, or 1 if not.
set -u
LC_ALL=C
export LC_ALL
status=0
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
rm -rf "$2" && mkdir -p "$2/tmp" || exit 1
for program in "$here"/fail/*.cu; do
    "$here/run.sh" "$nvcc" "$2" "$program" || status=1
done

cd "$2" || exit 1
TMPDIR=$PWD/tmp NVCC_APPEND_FLAGS=--cccl=none
export TMPDIR NVCC_APPEND_FLAGS
unset CPATH CPLUS_INCLUDE_PATH
failed() {
    echo "$1:"
    head -n 8 errors
    status=1
}
# refuses PLACE HEADER SENTENCE OPTION...: the last line is the sentence, and there is no output
refuses() {
    place=$1 header=$2 sentence=$3
    shift 3
    rm -f output*
    "$nvcc" "$@" -o output >said 2>errors
    code=$?
    case $(tail -n 1 errors) in
    "$place: error: $header: $sentence" | "$place:"[0-9]*": error: $header: $sentence") ;;
    *) code=0 ;;
    esac
    if [ $code = 0 ] || [ -e output ] || [ -e output.d ]; then
        failed "$header, $*: not refused at $place with \"$sentence\""
    fi
}
# accepts WHAT OPTION...
accepts() {
    what=$1
    shift
    rm -f output*
    "$nvcc" "$@" -o output >said 2>errors || failed "$what: $*"
}

# Each header, with the sentence above it, whether the system has a toolkit or not.
while read -r line; do
    case $line in
    *' '*) sentence=$line ;;
    *)
        echo "#include <$line>" >header.cu
        refuses header.cu:1 "$line" "$sentence" -c header.cu
        ;;
    esac
done <<'HEADERS'
Thrust, CUB and libcu++ are NVIDIA's CCCL, which is not found: install a CUDA toolkit, Debian's libthrust-dev or PyPI's nvidia-cuda-cccl, or name its directory with --cccl=DIRECTORY
thrust/device_vector.h
thrust/iterator/zip_iterator.h
cub/cub.cuh
cuda/std/span
cuda/annotated_ptr
nv/target
portable-nvcc has cuFFT (cufft.h), not its FFTW interface: use FFTW's own, or build this file with nvcc
cufftw.h
portable-nvcc has cuSOLVER's dense calls (cusolverDn.h), not this: use those, or build this file with nvcc
cusolverMg.h
cusolverRf.h
cusolverSp.h
portable-nvcc has no MTGP32; use curandStatePhilox4_32_10_t or XORWOW
curand_mtgp32.h
portable-nvcc does not have cuDNN: use a CPU library, or build this file with nvcc
cudnn.h
portable-nvcc has NCCL's calls for the host (nccl.h), not this: use those, or build this file with nvcc
nccl_device.h
portable-nvcc does not have NPP: write the filter as a kernel, or build this file with nvcc
npp.h
nppi.h
portable-nvcc does not have nvJPEG: use a CPU library such as libjpeg, or build this file with nvcc
nvjpeg.h
portable-nvcc does not share memory with graphics: copy with cudaMemcpy, or build this file with nvcc
cudaEGL.h
cudaGL.h
cudaVDPAU.h
cuda_egl_interop.h
cuda_gl_interop.h
cuda_vdpau_interop.h
HEADERS

# Wherever the header is included, in each language, and for each kind of output.
thrust="Thrust, CUB and libcu++ are NVIDIA's CCCL, which is not found: install a CUDA toolkit, \
Debian's libthrust-dev or PyPI's nvidia-cuda-cccl, or name its directory with --cccl=DIRECTORY"
mkdir mine
printf '%s\n' '// mine' '#include "thrust/mine.h"' >mine/includes.h
echo '#include <includes.h>' >includes.cu
cp includes.cu includes.c && cp includes.cu includes.cpp
for source in includes.cu includes.c includes.cpp; do
    for write in -c '-c -MD' -M; do
        # shellcheck disable=SC2086 # two words
        refuses mine/includes.h:2 thrust/mine.h "$thrust" -Imine \
            -Xcompiler -fdiagnostics-color=always \
            $write $source
    done
done
# Any other header that is missing is the compiler's affair.
"$nvcc" -c includes.cu -o output >said 2>errors && failed "a missing header"
grep -q "error: .*: portable-nvcc" errors && failed "a sentence for another header"

# The user's own come first, and code may ask. One in the system's directories is a CUDA toolkit's.
printf '%s\n' '#if __has_include(<thrust/mine.h>)' '#include <thrust/mine.h>' '#endif' >asks.cu
accepts '__has_include' -c asks.cu
mkdir -p mine/thrust toolkit/include/thrust
echo '// mine' | tee mine/thrust/mine.h >toolkit/include/thrust/mine.h
for option in -Imine '-isystem mine' '-Xcompiler -Imine'; do
    # shellcheck disable=SC2086 # two words
    accepts "a header of the user's" $option -c includes.cu
done
CPLUS_INCLUDE_PATH=$PWD/toolkit/include
export CPLUS_INCLUDE_PATH
refuses asks.cu:2 thrust/mine.h "$thrust" -c asks.cu
accepts "a toolkit's header that an option asks for" -Imine/../toolkit/include -c asks.cu
mkdir toolkit/include/x86_64-linux-gnu # as on Debian
mv toolkit/include/thrust toolkit/include/x86_64-linux-gnu
CPLUS_INCLUDE_PATH=$PWD/toolkit/include/x86_64-linux-gnu
refuses asks.cu:2 thrust/mine.h "$thrust" -c asks.cu
accepts "a toolkit's header that an option asks for" -Imine/../toolkit/include/x86_64-linux-gnu \
    -c asks.cu
[ -z "$(ls tmp)" ] || failed "files are left: $(ls tmp)"
exit $status
