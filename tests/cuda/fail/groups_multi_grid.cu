// SPDX-License-Identifier: BSD-3-Clause
// error: this_multi_grid: there is one device: use this_grid
#include <cooperative_groups.h>

__global__ void all_devices()
{
    cooperative_groups::multi_grid_group grid = cooperative_groups::this_multi_grid();
    grid.sync();
}

int main()
{
    all_devices<<<1, 32>>>();
    return cudaDeviceSynchronize();
}
