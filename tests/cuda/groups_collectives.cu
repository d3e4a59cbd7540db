// SPDX-License-Identifier: BSD-3-Clause
// Cooperative groups: coalesced threads, partitions, reduce, scan and memcpy_async.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

static int *out;

static void show(const char *name, int threads, int each)
{
    const cudaError_t error = cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int k = 0; k < threads * each; k++)
        sum = sum * 31 + (unsigned)out[k];
    printf("%s: %08x, thread 13:", name, sum);
    for (int k = 0; k < each; k++)
        printf(" %d", out[13 * each + k]);
    printf(error ? " error %d\n" : "\n", (int)error);
}

// Each kernel writes `each` numbers per thread.
__global__ void coalesced(int *out)
{
    const int id = (int)threadIdx.x;
    int *const mine = out + 12 * id;
    for (int k = 0; k < 12; k++)
        mine[k] = -1;
    if (id % 3 == 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        mine[0] = (int)active.size();
        mine[1] = (int)active.thread_rank();
        mine[2] = active.shfl(id, 2);
        mine[3] = active.shfl_up(id, 1);
        mine[4] = active.shfl_down(id, 2);
        mine[5] = active.any(id == 4) + 2 * active.all(id > 0);
        mine[6] = (int)active.ballot(id % 2);
        mine[7] = (int)active.match_any(id / 8);
        int all;
        mine[8] = (int)active.match_all(id % 3, all) + all;
        mine[9] = cg::reduce(active, id, cg::plus<int>());
        mine[10] = cg::exclusive_scan(active, id);
        const auto four = cg::tiled_partition(active, 4);
        mine[11] = (int)(four.size() * 1000 + four.meta_group_rank() * 100 +
                         four.meta_group_size() * 10 + four.thread_rank());
        active.sync();
    }
}

__global__ void partitions(int *out)
{
    const int id = (int)threadIdx.x;
    int *const mine = out + 8 * id;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const cg::coalesced_group by_label = cg::labeled_partition(warp, id % 5);
    mine[0] = (int)(by_label.size() * 100 + by_label.thread_rank());
    mine[1] = (int)(by_label.meta_group_rank() * 100 + by_label.meta_group_size());
    mine[2] = cg::reduce(by_label, id, cg::greater<int>());
    const cg::coalesced_group halves = cg::binary_partition(warp, id % 32 < 11);
    mine[3] = (int)(halves.size() * 100 + halves.thread_rank());
    mine[4] = (int)(halves.meta_group_rank() * 100 + halves.meta_group_size());
    mine[5] = cg::inclusive_scan(halves, id, cg::plus<int>());
    const cg::coalesced_group again = cg::binary_partition(by_label, by_label.thread_rank() < 2);
    mine[6] = (int)(again.size() * 100 + again.thread_rank());
    const auto pairs = cg::labeled_partition(cg::tiled_partition<8>(warp), id / 2);
    mine[7] = (int)(pairs.meta_group_rank() * 100 + pairs.meta_group_size());
}

__device__ __forceinline__ int product(int a, int b)
{
    return a * b % 1009;
}
template <unsigned Size> __global__ void reductions(int *out)
{
    const int id = (int)threadIdx.x;
    int *const mine = out + 12 * id;
    cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(cg::this_thread_block());
    mine[0] = cg::reduce(tile, id, cg::plus<int>());
    mine[1] = cg::reduce(tile, id ^ 21, cg::less<int>());
    mine[2] = cg::reduce(tile, id ^ 21, cg::greater<int>());
    mine[3] = cg::reduce(tile, id | 64, cg::bit_and<int>());
    mine[4] = cg::reduce(tile, id, cg::bit_or<int>());
    mine[5] = cg::reduce(tile, id, cg::bit_xor<int>());
    const float sum = cg::reduce(tile, 1.0f / (float)(id + 1), cg::plus<float>());
    mine[6] = __float_as_int(sum);
    mine[7] = cg::reduce(tile, id % 7 + 1, product);
    mine[8] = cg::inclusive_scan(tile, id);
    mine[9] = cg::exclusive_scan(tile, id, cg::plus<int>());
    const float before = cg::exclusive_scan(tile, 1.0f / (float)(id + 1), cg::plus<float>());
    mine[10] = __float_as_int(before);
    mine[11] = cg::inclusive_scan(tile, id ^ 5, cg::greater<int>());
}

__global__ void copies(int *out, const int *in)
{
    __shared__ int tile[4][64];
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    cg::memcpy_async(block, tile[0], in, sizeof(int) * 64);
    cg::memcpy_async(block, tile[1], 64, in + 64, 100);
    cg::wait(block);
    cg::memcpy_async(warp, tile[2] + warp.meta_group_rank() * 32,
                     in + 128 + warp.meta_group_rank() * 32, sizeof(int) * 32);
    cg::wait_prior<0>(warp);
    const int id = (int)threadIdx.x;
    out[id] = tile[0][63 - id] + 1000 * tile[1][63 - id] + 1000000 * tile[2][id ^ 1];
}

__global__ void grid_sum(int *partial, int *total)
{
    cg::grid_group grid = cg::this_grid();
    const unsigned rank = (unsigned)grid.thread_rank();
    partial[rank] = (int)rank + 1;
    grid.sync();
    if (rank == 0)
        for (unsigned k = 0; k < grid.size(); k++)
            *total += partial[k];
    grid.sync();
    partial[rank] =
        *total + (int)grid.num_blocks() + (int)grid.block_rank() + 100000 * (int)grid.is_valid();
}

template <unsigned Size> static void reduce_all()
{
    reductions<Size><<<1, 128>>>(out);
    char name[32];
    snprintf(name, sizeof name, "reductions of %u", Size);
    show(name, 128, 12);
}

int main()
{
    cudaMallocManaged(&out, 128 * 12 * sizeof(int));
    memset(out, 0, 128 * 12 * sizeof(int));
    coalesced<<<1, 64>>>(out);
    show("coalesced", 64, 12);
    partitions<<<1, 64>>>(out);
    show("partitions", 64, 8);
    reduce_all<1>();
    reduce_all<4>();
    reduce_all<16>();
    reduce_all<32>();
    reduce_all<64>();
    reduce_all<128>();
    int *in;
    cudaMallocManaged(&in, 192 * sizeof(int));
    for (int k = 0; k < 192; k++)
        in[k] = k % 64 + k / 64;
    copies<<<1, 64>>>(out, in);
    show("copies", 64, 1);
    int *total = in;
    *total = 0;
    void *arguments[] = {&out, &total};
    cudaLaunchCooperativeKernel((void *)grid_sum, dim3(4), dim3(64), arguments, 0, 0);
    show("grid", 256, 1);
    printf("%d %s\n", *total, cudaGetErrorName(cudaGetLastError()));
    const int wrong = *total != 256 * 257 / 2;
    cudaFree(out);
    cudaFree(in);
    return wrong;
}
