// SPDX-License-Identifier: BSD-3-Clause
// error: nvrtc.h: portable-nvcc does not compile at run time: put the kernel into the source, or build this file with nvcc
#include <nvrtc.h>

int main()
{
    return 0;
}
