// SPDX-License-Identifier: BSD-3-Clause
// error: nvjpeg.h: portable-nvcc does not have nvJPEG: use a CPU library such as libjpeg, or build this file with nvcc
#include <nvjpeg.h>

int main()
{
    return 0;
}
