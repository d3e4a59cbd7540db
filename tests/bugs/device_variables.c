/* SPDX-License-Identifier: BSD-3-Clause */
/* bug: all threads add to two device variables without an atomic
 * found by: racecheck
 * expect racecheck: race in kernel count
 * expect racecheck: variable total
 * expect racecheck: variable table
 */
#include "bug.h"

__device__ int total;
static __device__ int table[4];

__global__ void count(void)
{
#if FIXED
    atomicAdd(&total, 1);
    atomicAdd(&table[threadIdx.x % 4], 1);
#else
    total += 1;
    table[threadIdx.x % 4] += 1;
#endif
}

int main(void)
{
    LAUNCH(count, 2, 64, 0, 0);
    EXPECT(total == 128);
    EXPECT(table[0] == 32 && table[3] == 32);
    return 0;
}
