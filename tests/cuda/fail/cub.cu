// SPDX-License-Identifier: BSD-3-Clause
// error: cub/cub.cuh: portable-nvcc does not have CUB: use cooperative groups and warp functions, or build this file with nvcc
#include <cub/cub.cuh>

int main()
{
    return 0;
}
