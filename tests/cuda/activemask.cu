// SPDX-License-Identifier: BSD-3-Clause
// __activemask and coalesced groups: lanes that take one branch are active together, whatever the
// rest of the block waits for.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

// The counter grows by one atomic for all lanes that come here together.
__device__ int add_together(int *counter)
{
    const cg::coalesced_group active = cg::coalesced_threads();
    int old = 0;
    if (active.thread_rank() == 0)
        old = atomicAdd(counter, (int)active.size());
    return active.shfl(old, 0) + (int)active.thread_rank();
}

__global__ void branches(unsigned *out)
{
    const unsigned id = threadIdx.x;
    unsigned *const mine = out + 5 * id;
    mine[0] = __activemask();
    if (id % 2 == 0)
        mine[1] = __activemask();
    else
        mine[1] = __activemask();
    __syncwarp();
    // Some lanes wait for the block meanwhile.
    if (id % 4 == 3) {
        mine[2] = __activemask();
        __syncwarp(0x88888888u);
        mine[3] = __shfl_sync(0x88888888u, id, 31);
    } else {
        mine[2] = mine[3] = 0;
    }
    __syncthreads();
    if (id >= 40)
        return;
    mine[4] = __activemask();
}

__global__ void fill(const int *in, int n, int *counters, int *out)
{
    const int id = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (id < n) {
        if (in[id] % 3 == 0)
            out[add_together(&counters[0])] = in[id];
        else if (in[id] % 3 == 1)
            out[n + add_together(&counters[1])] = in[id];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&counters[2], 1);
}

// Each lane leaves the loop after a round of its own.
__global__ void rounds(int *lanes)
{
    for (unsigned round = 0; round <= threadIdx.x; round++) {
        const cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0)
            lanes[round] = (int)active.size();
    }
}

int main()
{
    unsigned *out;
    cudaMallocManaged(&out, 64 * 5 * sizeof *out);
    for (int k = 0; k < 64 * 5; k++)
        out[k] = 0;
    branches<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    for (int t : {0, 1, 3, 7, 32, 35, 63})
        printf("thread %d: %08x %08x %08x %u %08x\n", t, out[5 * t], out[5 * t + 1], out[5 * t + 2],
               out[5 * t + 3], out[5 * t + 4]);
    const int n = 1000;
    int *in, *filled, *counters, *lanes;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&filled, 2 * n * sizeof *filled);
    cudaMallocManaged(&counters, 3 * sizeof *counters);
    cudaMallocManaged(&lanes, 32 * sizeof *lanes);
    for (int k = 0; k < n; k++)
        in[k] = k * 7 % 1000;
    for (int k = 0; k < 2 * n; k++)
        filled[k] = 0;
    for (int k = 0; k < 3; k++)
        counters[k] = 0;
    fill<<<8, 128>>>(in, n, counters, filled);
    cudaDeviceSynchronize();
    int sums[2] = {}, wrong = 0;
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < counters[part]; k++) {
            sums[part] += filled[part * n + k];
            wrong += filled[part * n + k] % 3 != part;
        }
    printf("filled: %d %d, sums %d %d, %d blocks, %d wrong\n", counters[0], counters[1], sums[0],
           sums[1], counters[2], wrong);
    rounds<<<1, 32>>>(lanes);
    cudaDeviceSynchronize();
    int sum = 0;
    for (int k = 0; k < 32; k++)
        sum += lanes[k];
    printf("rounds: %d lanes in all, %d in the last\n", sum, lanes[31]);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(out);
    cudaFree(in);
    cudaFree(filled);
    cudaFree(counters);
    cudaFree(lanes);
    return wrong != 0;
}
