// SPDX-License-Identifier: BSD-3-Clause
// Cooperative groups: the block, tiles of every size, and their members.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void block_members(unsigned *out)
{
    cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank();
    __shared__ unsigned ranks[64];
    ranks[rank] =
        rank + block.thread_index().x + 10 * block.thread_index().y + 100 * block.group_index().x;
    block.sync();
    if (rank == 0) {
        for (unsigned k = 0; k < block.num_threads(); k++)
            out[blockIdx.x * 80 + k] = ranks[block.size() - 1 - k];
        out[blockIdx.x * 80 + 64] = block.dim_threads().x * 100 + block.group_dim().y;
    }
    cg::thread_group any = block;
    any.sync();
    if (any.thread_rank() == 5)
        out[blockIdx.x * 80 + 65] = (unsigned)any.size();
    cg::thread_block::arrival_token token = block.barrier_arrive();
    block.barrier_wait(static_cast<cg::thread_block::arrival_token &&>(token));
    cg::sync(block);
    if (cg::thread_rank(block) == 1)
        out[blockIdx.x * 80 + 66] = cg::group_size(block);
    cg::invoke_one(
        block, [=](unsigned value) { out[blockIdx.x * 80 + 67] = value; }, 77u);
}

struct wide {
    int a[3];
    double b;
};

template <unsigned Size> __global__ void tile_members(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
    const int rank = (int)tile.thread_rank(), id = (int)block.thread_rank();
    int *const mine = out + 16 * id;
    volatile int own = id;
    mine[0] = tile.shfl(own, 1);
    mine[1] = tile.shfl_up(own, 1);
    mine[2] = tile.shfl_down(own, 1);
    mine[3] = tile.shfl_xor(own, Size / 2);
    mine[4] = tile.any(rank == 3);
    mine[5] = tile.all(id < 40);
    mine[6] = (int)tile.ballot(id % 3 == 0);
    mine[7] = (int)tile.match_any(id / 3);
    int all = -1;
    mine[8] = (int)tile.match_all(id / 16, all);
    mine[9] = all;
    mine[10] = (int)(tile.meta_group_rank() * 100 + tile.meta_group_size());
    mine[11] = (int)(tile.num_threads() * 100 + tile.size());
    wide value = {{id, id + 1, id + 2}, id * 0.5};
    value = tile.shfl(value, (int)Size - 1);
    mine[12] = value.a[0] + value.a[2] + (int)(2 * value.b);
    mine[13] = cg::invoke_one_broadcast(tile, [=] { return id + 1000; }) == id - rank + 1000;
    if constexpr (Size > 1) {
        const auto half = cg::tiled_partition<Size / 2>(tile);
        mine[14] = (int)(half.meta_group_rank() * 1000 + half.meta_group_size() * 100 +
                         half.thread_rank());
    } else {
        mine[14] = (int)cg::this_thread().thread_rank();
    }
    tile.sync();
    cg::thread_group part = cg::tiled_partition(block, Size);
    part.sync();
    mine[15] = (int)(part.size() * 100 + part.thread_rank());
}

// A tile exchanges values through shared memory, with no barrier of the block.
template <unsigned Size> __global__ void rotate(int *out)
{
    __shared__ int cell[128];
    auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    const unsigned id = threadIdx.x, base = id - tile.thread_rank();
    cell[id] = (int)id * 3;
    for (int round = 0; round < 3; round++) {
        tile.sync();
        const int next = cell[base + (tile.thread_rank() + 1) % Size];
        tile.sync();
        cell[id] = next;
    }
    out[id] = cell[id];
}

static int *out;

template <unsigned Size> void members()
{
    tile_members<Size><<<1, 64>>>(out);
    cudaDeviceSynchronize();
    unsigned sum[16] = {};
    for (unsigned t = 0; t < 64; t++)
        for (unsigned k = 0; k < 16; k++)
            sum[k] = sum[k] * 31 + (unsigned)out[16 * t + k];
    printf("tile %u:", Size);
    for (unsigned k = 0; k < 16; k++)
        printf(" %08x", sum[k]);
    printf("\n   thread 37:");
    for (unsigned k = 0; k < 16; k++)
        printf(" %d", out[16 * 37 + k]);
    printf("\n");
}

template <unsigned Size> int turn()
{
    rotate<Size><<<1, 128>>>(out);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (unsigned t = 0; t < 128; t++)
        wrong += out[t] != (int)(t / Size * Size + (t % Size + 3) % Size) * 3;
    printf("rotate in tiles of %u: %s\n", Size, wrong ? "wrong" : "right");
    return wrong;
}

int main()
{
    cudaMallocManaged(&out, 64 * 16 * sizeof(int));
    unsigned *const values = (unsigned *)out;
    block_members<<<2, dim3(8, 8)>>>(values);
    cudaDeviceSynchronize();
    for (int b = 0; b < 2; b++)
        printf("block %d: %u %u %u | %u %u %u %u\n", b, values[80 * b], values[80 * b + 9],
               values[80 * b + 63], values[80 * b + 64], values[80 * b + 65], values[80 * b + 66],
               values[80 * b + 67]);
    members<1>();
    members<2>();
    members<4>();
    members<8>();
    members<16>();
    members<32>();
    const int wrong = turn<4>() + turn<16>() + turn<32>() + turn<64>() + turn<128>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(out);
    return wrong != 0;
}
