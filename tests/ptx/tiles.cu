/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/tiles.c as CUDA written by hand. */
#include <cuda.h>
#include <mma.h>

/* What host/tiles/portable_tiles.h passes to a kernel. */
struct matrix {
    CUtensorMap map;
    const half *elements;
    int rows, columns;
};

#define STAGES 3

__device__ __forceinline__ unsigned shared_address(const void *pointer)
{
    return (unsigned)__cvta_generic_to_shared(pointer);
}

/* The first row and column of a block's tile. */
__device__ __forceinline__ void find_tile(int m, int n, int &row, int &column)
{
    const int across = (n + 255) / 256, strip = (int)blockIdx.x / (8 * across) * 8;
    const int left = (m + 127) / 128 - strip, height = left < 8 ? left : 8;
    const int place = (int)blockIdx.x % (8 * across);
    row = (strip + place % height) * 128;
    column = place / height * 256;
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

__device__ __forceinline__ void wait(unsigned barrier, unsigned phase)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(barrier),
                 "r"(phase & 1)
                 : "memory");
}

__device__ __forceinline__ void arrive(unsigned barrier)
{
    if (threadIdx.x % 32 == 0)
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void copy(unsigned to, const CUtensorMap *map, int x, int y,
                                     unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                 "l"(map), "r"(x), "r"(y), "r"(barrier)
                 : "memory");
}

__device__ __forceinline__ unsigned long long descriptor(unsigned address)
{
    return (unsigned long long)(address >> 4) | 0x4000004002000000ull;
}

#define EIGHT(x, i)                                                                                \
    "+f"(x[i]), "+f"(x[i + 1]), "+f"(x[i + 2]), "+f"(x[i + 3]), "+f"(x[i + 4]), "+f"(x[i + 5]),    \
        "+f"(x[i + 6]), "+f"(x[i + 7])
#define THIRTY_TWO(x, i) EIGHT(x, i), EIGHT(x, i + 8), EIGHT(x, i + 16), EIGHT(x, i + 24)

__device__ __forceinline__ void multiply_add(float (&d)[128], unsigned long long a,
                                             unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
                 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
                 "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
                 "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
                 "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
                 "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
                 "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
                 "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"
                 "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127},"
                 "%128,%129,1,1,1,0,1;"
                 : THIRTY_TWO(d, 0), THIRTY_TWO(d, 32), THIRTY_TWO(d, 64), THIRTY_TWO(d, 96)
                 : "l"(a), "l"(b));
}

/* Boxes of 64 x 64 halves: two of A, then four of B. */
extern "C" __global__ void __launch_bounds__(256, 1)
    matmul_tiles(int m, int n, int k, const __grid_constant__ struct matrix a,
                 const __grid_constant__ struct matrix b, float *__restrict__ c)
{
    extern __shared__ __align__(16) unsigned char dynamic[];
    __shared__ unsigned long long empty[STAGES], full[STAGES];
    const int t = threadIdx.x, lane = t % 32;
    const unsigned stages = (shared_address(dynamic) + 1023) & ~1023u;
    float sum[128];
    int row, column;
    for (int i = 0; i < 128; i++)
        asm volatile("mov.f32 %0, 0f00000000;" : "=f"(sum[i]));
    if (t == 0) {
        for (int s = 0; s < STAGES; s++) {
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&full[s])));
            asm volatile("mbarrier.init.shared.b64 [%0], 8;" ::"r"(shared_address(&empty[s])));
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    find_tile(m, n, row, column);
    auto push = [&](unsigned p, int i) {
        if (t == 0) {
            const unsigned barrier = shared_address(&full[p % STAGES]);
            unsigned to = stages + p % STAGES * 49152;
            if (p >= STAGES)
                wait(shared_address(&empty[p % STAGES]), p / STAGES - 1);
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 49152;" ::"r"(barrier)
                         : "memory");
            copy(to, &a.map, i, row, barrier);
            copy(to + 8192, &a.map, i, row + 64, barrier);
            for (int q = 0; q < 4; q++)
                copy(to + (q + 2) * 8192, &b.map, column + q * 64, i, barrier);
        }
        __syncwarp();
    };
    for (int p = 0; p < STAGES - 1; p++)
        push(p, p * 64);
    unsigned done = 0, pushed = STAGES - 1, released = 0;
    for (int i = 0; i < k; i += 64) {
        const unsigned stage = stages + done % STAGES * 49152;
        const unsigned of_a = stage + t / 128 * 8192, of_b = stage + 2 * 8192;
        wait(shared_address(&full[done % STAGES]), done / STAGES);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int e = 0; e < 64; e += 16)
            multiply_add(sum, descriptor(of_a + e * 2), descriptor(of_b + e * 128));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (released < done) {
            arrive(shared_address(&empty[released % STAGES]));
            released++;
        }
        done++;
        push(pushed++, i + (STAGES - 1) * 64);
    }
    const int my_row = t / 32 * 16 + lane / 4, my_column = lane % 4 * 2;
    const int rows = m - row, columns = n - column;
    const size_t stride = n;
    float *to = c + row * stride + column;
    const bool pairs = ((size_t)to | stride * sizeof(float)) % sizeof(float2) == 0;
    to += my_row * stride + my_column;
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (; released < pushed; released++) {
        if (released >= done)
            wait(shared_address(&full[released % STAGES]), released / STAGES);
        arrive(shared_address(&empty[released % STAGES]));
    }
#pragma unroll
    for (int e = 0; e < 128; e += 2) {
        const int down = e / 2 % 2 * 8, across = e / 4 * 8;
        float *const at = to + down * stride + across;
        if (my_row + down < rows && my_column + across < columns) {
            if (pairs && my_column + across + 1 < columns)
                *(float2 *)at = make_float2(sum[e], sum[e + 1]);
            else {
                at[0] = sum[e];
                if (my_column + across + 1 < columns)
                    at[1] = sum[e + 1];
            }
        }
    }
}

#else

namespace wmma = nvcuda::wmma;

__device__ __forceinline__ void copy(half *to, int pitch, int rows, int columns,
                                     const struct matrix &x, int row, int column)
{
    const int parts = columns / 8;
    for (int part = threadIdx.x; part < rows * parts; part += 256) {
        const int r = row + part / parts, q = column + part % parts * 8;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                         shared_address(to + part / parts * pitch + part % parts * 8)),
                     "l"(__cvta_generic_to_global(x.elements + (size_t)r * x.columns + q)),
                     "r"(r < x.rows && q < x.columns ? 16 : 0)
                     : "memory");
    }
}

/* 64 x 64 elements per warp, rows padded by 16 bytes. */
extern "C" __global__ void __launch_bounds__(256, 1)
    matmul_tiles(int m, int n, int k, const __grid_constant__ struct matrix a,
                 const __grid_constant__ struct matrix b, float *__restrict__ c)
{
    extern __shared__ __align__(16) unsigned char dynamic[];
    half *const stages = reinterpret_cast<half *>(dynamic);
    float *const parts = reinterpret_cast<float *>(dynamic);
    const int t = threadIdx.x, warp = t / 32, stage = 128 * 72 + 64 * 264;
    const int warp_row = warp / 4 * 64, warp_column = warp % 4 * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][4];
    int row, column;
    for (int r = 0; r < 4; r++)
        for (int q = 0; q < 4; q++)
            wmma::fill_fragment(sum[r][q], 0.0f);
    find_tile(m, n, row, column);
    auto push = [&](unsigned p, int i) {
        copy(stages + p % STAGES * stage, 72, 128, 64, a, row, i);
        copy(stages + p % STAGES * stage + 128 * 72, 264, 64, 256, b, i, column);
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (int p = 0; p < STAGES - 1; p++)
        push(p, p * 64);
    unsigned done = 0, pushed = STAGES - 1;
    for (int i = 0; i < k; i += 64) {
        const half *const of_a = stages + done % STAGES * stage + warp_row * 72;
        const half *const of_b = stages + done % STAGES * stage + 128 * 72 + warp_column;
        if (pushed - done == STAGES - 1)
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        else
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
#pragma unroll 1
        for (int e = 0; e < 64; e += 16) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right[4];
#pragma unroll
            for (int q = 0; q < 4; q++)
                wmma::load_matrix_sync(right[q], of_b + e * 264 + q * 16, 264);
#pragma unroll
            for (int r = 0; r < 4; r++) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
                wmma::load_matrix_sync(left, of_a + r * 16 * 72 + e, 72);
#pragma unroll
                for (int q = 0; q < 4; q++)
                    wmma::mma_sync(sum[r][q], left, right[q], sum[r][q]);
            }
        }
        done++;
        push(pushed++, i + (STAGES - 1) * 64);
    }
    const int rows = m - row, columns = n - column;
    const size_t stride = n;
    float *const to = c + row * stride + column;
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++) {
            wmma::store_matrix_sync(parts + warp * 256, sum[r][q], 16, wmma::mem_row_major);
            __syncwarp();
            for (unsigned e = t % 32; e < 256; e += 32) {
                const int down = warp_row + r * 16 + (int)e / 16;
                const int across = warp_column + q * 16 + (int)e % 16;
                if (down < rows && across < columns)
                    to[down * stride + across] = parts[warp * 256 + e];
            }
            __syncwarp();
        }
}

#endif
