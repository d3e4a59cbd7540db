// SPDX-License-Identifier: BSD-3-Clause
// error: thrust/device_vector.h: portable-nvcc does not have Thrust: use kernels and cudaMalloc, or build this file with nvcc
#include <thrust/device_vector.h>

int main()
{
    return 0;
}
