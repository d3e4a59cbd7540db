// SPDX-License-Identifier: BSD-3-Clause
// Lane t + 1 repairs lane t's index; without __syncwarp lane t uses the one that is out of range.
#include <cstdio>

__global__ void fix_neighbour(int *out)
{
    __shared__ int slot[32];
    const int t = threadIdx.x;
    slot[t] = 1 << 30;
    if (t > 0)
        slot[t - 1] = t - 1;
    if (t < 31)
        out[slot[t]] = 1;
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    fix_neighbour<<<1, 32>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
// emulate exits with 0:
//     kernel fix_neighbour: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     an illegal memory access was encountered
// racecheck exits with 1:
//     racecheck: race in kernel fix_neighbour: a read by block (0, 0, 0), thread (0, 0, 0) at race_that_crashes.cu:13
//         and a write by block (0, 0, 0), thread (1, 0, 0) at race_that_crashes.cu:11,
//         4 bytes at byte 0 of shared array slot, with no barrier between them
//         and 30 similar races
//     racecheck: race in kernel fix_neighbour: a write by block (0, 0, 0), thread (0, 0, 0) at race_that_crashes.cu:9
//         and a write by block (0, 0, 0), thread (1, 0, 0) at race_that_crashes.cu:11,
//         4 bytes at byte 0 of shared array slot, with no barrier between them
//         and 30 similar races
//     racecheck: kernel fix_neighbour is not checked to its end: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     kernel fix_neighbour: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     an illegal memory access was encountered
//     racecheck: 2 races in 1 kernel, 1 kernel not checked to its end
// initcheck exits with 1:
//     initcheck: kernel fix_neighbour is not checked to its end: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     kernel fix_neighbour: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     an illegal memory access was encountered
//     initcheck: no error found, 1 kernel not checked to its end
// synccheck exits with 1:
//     synccheck: kernel fix_neighbour is not checked to its end: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     kernel fix_neighbour: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     an illegal memory access was encountered
//     synccheck: no divergence found, 1 kernel not checked to its end
// memcheck exits with 1:
//     memcheck: error in kernel fix_neighbour: a write by block (0, 0, 0), thread (0, 0, 0) at race_that_crashes.cu:13,
//         of address 0x..., where no object is
//     kernel fix_neighbour: invalid access in block (0, 0, 0), thread (0, 0, 0): address 0x...
//     an illegal memory access was encountered
//     memcheck: 1 error in 1 kernel, 1 kernel not checked to its end
