// SPDX-License-Identifier: BSD-3-Clause
// Warp operations without a mask: of the lanes that take part.
#include <cstdio>
#include <cuda_fp16.h>

enum { VALUES = 12 };
__global__ void all(int *out)
{
    const int lane = threadIdx.x;
    int *const mine = out + lane * VALUES;
    float sum = (float)lane;
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor(sum, offset);
    mine[0] = (int)sum;
    mine[1] = __shfl(lane * 3, 5);
    mine[2] = __shfl_up(lane, 1, 8);
    mine[3] = (int)__shfl_down(lane * .5, 2);
    mine[4] = (int)(__shfl((long long)lane << 40, lane + 1, 16) >> 40);
    mine[5] = (int)__ballot(lane % 3 == 0);
    mine[6] = __any(lane == 40) * 2 + __all(lane < 40);
    mine[7] = (int)__half2float(__shfl_xor(__float2half((float)lane), 1));
    mine[8] = (int)__high2float(__shfl_down(__floats2half2_rn(1, (float)lane), 1));
    mine[9] = mine[10] = mine[11] = 0;
    if (lane % 2) {
        mine[9] = (int)__ballot(lane < 9);
        mine[10] = __shfl(lane, 7);
    } else {
        mine[9] = (int)__ballot(lane < 9);
        mine[11] = __all(lane % 2 == 0) * 2 + __any(lane % 2);
    }
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 32 * VALUES * sizeof *out);
    all<<<1, 32>>>(out);
    printf("%s\n", cudaGetErrorName(cudaThreadSynchronize()));
    for (int k = 0; k < VALUES; k++)
        for (int lane = 0; lane < 32; lane++)
            printf("%x%c", out[lane * VALUES + k], lane == 31 ? '\n' : ' ');
    cudaFree(out);
    return 0;
}
