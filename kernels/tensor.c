/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrix multiply C = A B on tensor cores: half products, float sums; all matrices are
 * row-major, their extents multiples of 16.  A: m x k; B: k x n halves; C: m x n floats */
#include "portable.h"

/* 1. A warp computes one fragment of C at a time, loading its fragments of A and B from memory. */
KERNEL(matmul_tensor)(int m, int n, int k, const half *RESTRICT a, const half *RESTRICT b,
                      float *RESTRICT c)
{
    FOR_EACH_BLOCK(0) {
        FOR_EACH_WARP
        {
            const int columns = n / FRAGMENT_SIZE, tiles = m / FRAGMENT_SIZE * columns;
            const int warps = (int)(blockDim.x / WARP_SIZE), stride = (int)gridDim.x * warps;
            for (int tile = (int)blockIdx.x * warps + (int)WARP_INDEX(); tile < tiles;
                 tile += stride) {
                const half *const rows = a + (size_t)(tile / columns * FRAGMENT_SIZE) * (size_t)k;
                const int column = tile % columns * FRAGMENT_SIZE;
                FRAGMENT_A(a_fragment);
                FRAGMENT_B(b_fragment);
                FRAGMENT_C(sum);
                FRAGMENT_FILL(sum, 0.0f);
                for (int i = 0; i < k; i += FRAGMENT_SIZE) {
                    FRAGMENT_LOAD(a_fragment, rows + i, k);
                    FRAGMENT_LOAD(b_fragment, b + (size_t)i * (size_t)n + column, n);
                    FRAGMENT_MULTIPLY_ADD(sum, a_fragment, b_fragment, sum);
                }
                FRAGMENT_STORE(c + (size_t)(tile / columns * FRAGMENT_SIZE) * (size_t)n + column,
                               sum, n);
            }
        }
    }
}

/* The warps of a block, with vertically adjacent fragments of C. */
#define STRIP_WARPS 4

/* 2. The warps of a block share each fragment of B: it is loaded into shared memory once per block
 *    instead of once per warp. A block computes a strip of STRIP_WARPS fragments of C; warps whose
 *    fragment is below C only help to copy. The grid is n / 16 x ceil(m / 16 / STRIP_WARPS). */
KERNEL(matmul_tensor_shared)(int m, int n, int k, const half *RESTRICT a, const half *RESTRICT b,
                             float *RESTRICT c)
{
    FOR_EACH_BLOCK(STRIP_WARPS *WARP_SIZE) {
        ALIGNED(32) SHARED(half, b_shared, [FRAGMENT_SIZE * FRAGMENT_SIZE]);
        FRAGMENT_C(sum);
        const int column = (int)blockIdx.x * FRAGMENT_SIZE;
        const int first_row = (int)blockIdx.y * STRIP_WARPS * FRAGMENT_SIZE;
        FOR_EACH_WARP
        {
            const int row = first_row + (int)WARP_INDEX() * FRAGMENT_SIZE;
            if (row < m)
                FRAGMENT_FILL(sum, 0.0f);
        }
        for (int i = 0; i < k; i += FRAGMENT_SIZE) {
            FOR_EACH_THREAD {
                for (int e = (int)threadIdx.x; e < FRAGMENT_SIZE * FRAGMENT_SIZE;
                     e += STRIP_WARPS * WARP_SIZE)
                    b_shared[e] = b[(size_t)(i + e / FRAGMENT_SIZE) * (size_t)n +
                                    (size_t)(column + e % FRAGMENT_SIZE)];
            }
            SYNC_THREADS();
            FOR_EACH_WARP
            {
                const int row = first_row + (int)WARP_INDEX() * FRAGMENT_SIZE;
                if (row < m) {
                    FRAGMENT_A(a_fragment);
                    FRAGMENT_B(b_fragment);
                    FRAGMENT_LOAD(a_fragment, a + (size_t)row * (size_t)k + i, k);
                    FRAGMENT_LOAD(b_fragment, b_shared, FRAGMENT_SIZE);
                    FRAGMENT_MULTIPLY_ADD(sum, a_fragment, b_fragment, sum);
                }
            }
            SYNC_THREADS();
        }
        FOR_EACH_WARP
        {
            const int row = first_row + (int)WARP_INDEX() * FRAGMENT_SIZE;
            if (row < m)
                FRAGMENT_STORE(c + (size_t)row * (size_t)n + column, sum, n);
        }
    }
}

/* 3. A block of 8 warps computes 128 x 256 elements of C, a warp 4 x 4 fragments, so that each
 *    fragment is multiplied four times per load. Shared memory holds three stages of A and B, 64
 *    deep, which asynchronous copies fill ahead of time, padding with zeros beyond the edges. A
 *    warp loads its fragments one step ahead, also across the barrier between two stages, so that
 *    the tensor cores need not wait. Rows are padded by 16 bytes, so the 8 rows loaded at once are
 *    in different banks. The grid is ceil(n / 256) x ceil(m / 128), and the block has
 *    PIPELINE_BYTES of shared memory: KERNEL_SHARED_LIMIT. On an H200, 4096 x 4096, 420 TFLOP/s,
 *    against 31 in step 2, 700 for cuBLAS, and 490 for FRAGMENT_MULTIPLY_ADD without any loads. */
enum {
    PIPELINE_ROWS = 128,
    PIPELINE_COLUMNS = 256,
    PIPELINE_DEPTH = 64,
    PIPELINE_STAGES = 3,
    PIPELINE_THREADS = 256,
    PIPELINE_PART = 4,                               /* per warp: fragments down and across */
    PIPELINE_EDGE = PIPELINE_PART * FRAGMENT_SIZE,   /* the same in elements */
    PIPELINE_STEPS = PIPELINE_DEPTH / FRAGMENT_SIZE, /* per stage */
    PIPELINE_CHUNK = 8,                              /* halves per copy */
    PIPELINE_A_PITCH = PIPELINE_DEPTH + 8,
    PIPELINE_B_PITCH = PIPELINE_COLUMNS + 8,
    PIPELINE_A = PIPELINE_ROWS * PIPELINE_A_PITCH, /* halves of A per stage */
    PIPELINE_STAGE = PIPELINE_A + PIPELINE_DEPTH * PIPELINE_B_PITCH,
    PIPELINE_BYTES = PIPELINE_STAGES * PIPELINE_STAGE * 2,
    /* Rows of A and of B that the block copies at once, and how often for one step of a stage. */
    PIPELINE_A_ROWS = PIPELINE_THREADS * PIPELINE_CHUNK / PIPELINE_DEPTH,
    PIPELINE_B_ROWS = PIPELINE_THREADS * PIPELINE_CHUNK / PIPELINE_COLUMNS,
    PIPELINE_A_COPIES = PIPELINE_ROWS / PIPELINE_A_ROWS / PIPELINE_STEPS,
    PIPELINE_B_COPIES = PIPELINE_DEPTH / PIPELINE_B_ROWS / PIPELINE_STEPS
};

/* Thread t's share of the copies for one step of a stage, with `depth` columns of A and rows of B
 * remaining before it; a and b point to the thread's first elements. */
DEVICE void pipeline_copy(int t, int step, half *stage, int rows, int columns, int depth, int n,
                          int k, const half *a, const half *b)
{
    for (int e = step * PIPELINE_A_COPIES; e < (step + 1) * PIPELINE_A_COPIES; e++) {
        const int i = t % (PIPELINE_DEPTH / PIPELINE_CHUNK) * PIPELINE_CHUNK;
        const int row = t / (PIPELINE_DEPTH / PIPELINE_CHUNK) + e * PIPELINE_A_ROWS;
        COPY_ASYNC_IF(row < rows && i < depth, stage + row * PIPELINE_A_PITCH + i,
                      a + (size_t)(e * PIPELINE_A_ROWS) * (size_t)k, 16);
    }
    for (int e = step * PIPELINE_B_COPIES; e < (step + 1) * PIPELINE_B_COPIES; e++) {
        const int column = t % (PIPELINE_COLUMNS / PIPELINE_CHUNK) * PIPELINE_CHUNK;
        const int i = t / (PIPELINE_COLUMNS / PIPELINE_CHUNK) + e * PIPELINE_B_ROWS;
        COPY_ASYNC_IF(column < columns && i < depth,
                      stage + PIPELINE_A + i * PIPELINE_B_PITCH + column,
                      b + (size_t)(e * PIPELINE_B_ROWS) * (size_t)n, 16);
    }
}

/* The start of a warp's fragments for one step in a stage. */
DEVICE int pipeline_a(int warp, int step)
{
    const int row = warp / (PIPELINE_COLUMNS / PIPELINE_EDGE) * PIPELINE_EDGE;
    return row * PIPELINE_A_PITCH + step * FRAGMENT_SIZE;
}
DEVICE int pipeline_b(int warp, int step)
{
    const int column = warp % (PIPELINE_COLUMNS / PIPELINE_EDGE) * PIPELINE_EDGE;
    return PIPELINE_A + step * FRAGMENT_SIZE * PIPELINE_B_PITCH + column;
}

KERNEL_LAUNCH_BOUNDS(matmul_tensor_pipeline, 256, 1)(int m, int n, int k, const half *RESTRICT a,
                                              const half *RESTRICT b, float *RESTRICT c)
{
    FOR_EACH_BLOCK(PIPELINE_THREADS) {
        SHARED_DYNAMIC(half, stages);
        FRAGMENT_A(a_fragments, [2][PIPELINE_PART]);
        FRAGMENT_B(b_fragments, [2][PIPELINE_PART]);
        FRAGMENT_C(sum, [PIPELINE_PART][PIPELINE_PART]);
        PRIVATE(const half *, of_a);
        PRIVATE(const half *, of_b);
        const int first_row = (int)blockIdx.y * PIPELINE_ROWS, rows = m - first_row;
        const int first_column = (int)blockIdx.x * PIPELINE_COLUMNS, columns = n - first_column;
        int put = 0, get = 0; /* the stages to copy to and to load from */
        FOR_EACH_THREAD {
            const int t = (int)threadIdx.x;
            MINE(of_a) = a +
                         (size_t)(first_row + t / (PIPELINE_DEPTH / PIPELINE_CHUNK)) * (size_t)k +
                         t % (PIPELINE_DEPTH / PIPELINE_CHUNK) * PIPELINE_CHUNK;
            MINE(of_b) = b + (size_t)(t / (PIPELINE_COLUMNS / PIPELINE_CHUNK)) * (size_t)n +
                         first_column + t % (PIPELINE_COLUMNS / PIPELINE_CHUNK) * PIPELINE_CHUNK;
        }
        for (int next = 0; next < (PIPELINE_STAGES - 1) * PIPELINE_DEPTH; next += PIPELINE_DEPTH) {
            FOR_EACH_THREAD {
                UNROLL(PIPELINE_STEPS)
                for (int step = 0; step < PIPELINE_STEPS; step++)
                    pipeline_copy((int)threadIdx.x, step, stages + put * PIPELINE_STAGE, rows,
                                  columns, k - next, n, k, MINE(of_a), MINE(of_b));
                MINE(of_a) += PIPELINE_DEPTH;
                MINE(of_b) += (size_t)PIPELINE_DEPTH * (size_t)n;
            }
            COPY_COMMIT();
            put++;
        }
        COPY_WAIT(PIPELINE_STAGES - 2);
        SYNC_THREADS();
        FOR_EACH_WARP
        {
            const half *const from_a = stages + pipeline_a((int)WARP_INDEX(), 0);
            const half *const from_b = stages + pipeline_b((int)WARP_INDEX(), 0);
            UNROLL(PIPELINE_PART)
            for (int r = 0; r < PIPELINE_PART; r++) {
                FRAGMENT_LOAD(a_fragments[0][r], from_a + r * FRAGMENT_SIZE * PIPELINE_A_PITCH,
                              PIPELINE_A_PITCH);
                FRAGMENT_LOAD(b_fragments[0][r], from_b + r * FRAGMENT_SIZE, PIPELINE_B_PITCH);
                UNROLL(PIPELINE_PART)
                for (int q = 0; q < PIPELINE_PART; q++)
                    FRAGMENT_FILL(sum[r][q], 0.0f);
            }
        }
        for (int first = 0; first < k; first += PIPELINE_DEPTH) {
            const int depth = k - first - (PIPELINE_STAGES - 1) * PIPELINE_DEPTH;
            UNROLL(PIPELINE_STEPS)
            for (int step = 0; step < PIPELINE_STEPS; step++) {
                /* The last step needs the next stage. */
                if (step == PIPELINE_STEPS - 1) {
                    COPY_COMMIT();
                    COPY_WAIT(PIPELINE_STAGES - 2);
                    SYNC_THREADS();
                    put = put + 1 == PIPELINE_STAGES ? 0 : put + 1;
                    get = get + 1 == PIPELINE_STAGES ? 0 : get + 1;
                }
                FOR_EACH_WARP
                {
                    const int ahead = (step + 1) % PIPELINE_STEPS;
                    const half *const from_a =
                        stages + get * PIPELINE_STAGE + pipeline_a((int)WARP_INDEX(), ahead);
                    const half *const from_b =
                        stages + get * PIPELINE_STAGE + pipeline_b((int)WARP_INDEX(), ahead);
                    UNROLL(PIPELINE_PART)
                    for (int r = 0; r < PIPELINE_PART; r++)
                        FRAGMENT_LOAD(a_fragments[ahead % 2][r],
                                      from_a + r * FRAGMENT_SIZE * PIPELINE_A_PITCH,
                                      PIPELINE_A_PITCH);
                    UNROLL(PIPELINE_PART)
                    for (int q = 0; q < PIPELINE_PART; q++)
                        FRAGMENT_LOAD(b_fragments[ahead % 2][q], from_b + q * FRAGMENT_SIZE,
                                      PIPELINE_B_PITCH);
                }
                /* The last step's copies are part of the step before, ahead of its barrier. */
                if (step < PIPELINE_STEPS - 1)
                    FOR_EACH_THREAD {
                        pipeline_copy((int)threadIdx.x, step, stages + put * PIPELINE_STAGE, rows,
                                      columns, depth, n, k, MINE(of_a), MINE(of_b));
                        if (step == PIPELINE_STEPS - 2) {
                            pipeline_copy((int)threadIdx.x, step + 1, stages + put * PIPELINE_STAGE,
                                          rows, columns, depth, n, k, MINE(of_a), MINE(of_b));
                            MINE(of_a) += PIPELINE_DEPTH;
                            MINE(of_b) += (size_t)PIPELINE_DEPTH * (size_t)n;
                        }
                    }
                FOR_EACH_WARP
                {
                    UNROLL(PIPELINE_PART)
                    for (int r = 0; r < PIPELINE_PART; r++) {
                        UNROLL(PIPELINE_PART)
                        for (int q = 0; q < PIPELINE_PART; q++)
                            FRAGMENT_MULTIPLY_ADD(sum[r][q], a_fragments[step % 2][r],
                                                  b_fragments[step % 2][q], sum[r][q]);
                    }
                }
            }
        }
        FOR_EACH_WARP
        {
            const int across = PIPELINE_COLUMNS / PIPELINE_EDGE;
            const int row = (int)WARP_INDEX() / across * PIPELINE_EDGE;
            const int column = (int)WARP_INDEX() % across * PIPELINE_EDGE;
            UNROLL(PIPELINE_PART)
            for (int r = 0; r < PIPELINE_PART; r++) {
                UNROLL(PIPELINE_PART)
                for (int q = 0; q < PIPELINE_PART; q++)
                    if (row + r * FRAGMENT_SIZE < rows && column + q * FRAGMENT_SIZE < columns)
                        FRAGMENT_STORE(
                            c + (size_t)(first_row + row + r * FRAGMENT_SIZE) * (size_t)n +
                                (first_column + column + q * FRAGMENT_SIZE),
                            sum[r][q], n);
            }
        }
    }
}
