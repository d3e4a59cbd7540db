// SPDX-License-Identifier: BSD-3-Clause
// cuda::atomic and cuda::atomic_ref, and reductions of groups into them.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

struct totals {
    cuda::atomic<int, cuda::thread_scope_device> sum, least, most;
    cuda::atomic<unsigned, cuda::thread_scope_device> any, all, odd;
    cuda::atomic<float, cuda::thread_scope_system> real;
    cuda::atomic<unsigned long long, cuda::thread_scope_device> wide;
    int plain, scanned[64];
};

__global__ void count(totals *t)
{
    const int id = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    t->sum.fetch_add(id, cuda::memory_order_relaxed);
    t->least.fetch_min(-id);
    t->most.fetch_max(id);
    t->any.fetch_or(1u << id % 32);
    t->all.fetch_and(~(1u << id % 16));
    t->odd ^= (unsigned)id;
    t->real.fetch_add(0.5f);
    ++t->wide;
    t->wide += 10;
    cuda::atomic_ref<int, cuda::thread_scope_device> plain(t->plain);
    plain.fetch_sub(1);
    int expected = plain.load();
    while (!plain.compare_exchange_weak(expected, expected - 2))
        ;
}

// Threads of one block take turns.
__global__ void turns(int *order)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
    if (threadIdx.x == 0)
        turn.store(63);
    __syncthreads();
    while (turn.load(cuda::memory_order_acquire) != (int)threadIdx.x)
        ;
    order[63 - threadIdx.x] = (int)threadIdx.x;
    turn.store((int)threadIdx.x - 1, cuda::std::memory_order_release);
}

__global__ void of_groups(totals *t)
{
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    cuda::atomic_ref<int, cuda::thread_scope_device> plain(t->plain);
    cg::reduce_update_async(tile, t->sum, (int)threadIdx.x, cg::plus<int>());
    cg::reduce_update_async(tile, plain, (int)threadIdx.x, cg::greater<int>());
    if (tile.meta_group_rank() == 0) {
        t->scanned[tile.thread_rank()] =
            cg::exclusive_scan_update(tile, t->most, 2, cg::plus<int>());
        t->scanned[16 + tile.thread_rank()] = cg::inclusive_scan_update(tile, t->most, 1);
    }
}

static_assert(cuda::std::is_same<cuda::std::uint32_t, unsigned>::value, "the C++ library's own");

int main()
{
    totals *t;
    int *order;
    cudaMallocManaged(&t, sizeof *t);
    cudaMallocManaged(&order, 64 * sizeof *order);
    t->sum = 0;
    t->least = 0;
    t->most = 0;
    t->any = 0;
    t->all = ~0u;
    t->odd = 0;
    t->real = 0;
    t->wide = 0;
    t->plain = 0;
    count<<<4, 64>>>(t);
    cudaDeviceSynchronize();
    printf("%d %d %d %08x %08x %u %g %llu %d\n", t->sum.load(), t->least.load(), t->most.load(),
           t->any.load(), t->all.load(), t->odd.load(), (double)t->real.load(), t->wide.load(),
           t->plain);
    turns<<<1, 64>>>(order);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int k = 0; k < 64; k++)
        wrong += order[k] != 63 - k;
    of_groups<<<1, 64>>>(t);
    cudaDeviceSynchronize();
    printf("turns: %d wrong; %d %d %d; %d %d %d %d\n", wrong, t->sum.load(), t->plain,
           t->most.load(), t->scanned[0], t->scanned[15], t->scanned[16], t->scanned[31]);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(t);
    cudaFree(order);
    return wrong != 0;
}
