// SPDX-License-Identifier: BSD-3-Clause
// error: cufft.h: portable-nvcc does not have cuFFT: use a CPU library such as FFTW, or build this file with nvcc
#include <cufft.h>

int main()
{
    return 0;
}
