// SPDX-License-Identifier: BSD-3-Clause
// error: npp.h: portable-nvcc does not have NPP: write the filter as a kernel, or build this file with nvcc
#include <npp.h>

int main()
{
    return 0;
}
