/* SPDX-License-Identifier: BSD-3-Clause
 *
 * portable_tiles.h: products of matrices of halves, a tile of the result for each block, with the
 * tensor cores and the copy engine of a GPU.
 *
 *     KERNEL_LAUNCH_BOUNDS(multiply, TILE_THREADS, 1)(int m, int n, int k, TILE_MATRIX(a),
 *                                                     TILE_MATRIX(b), float *RESTRICT c)
 *     {
 *         FOR_EACH_BLOCK(TILE_THREADS) {
 *             TILE_PRODUCT(product, a, b);
 *             const int row = blockIdx.y * TILE_ROWS, column = blockIdx.x * TILE_COLUMNS;
 *             for (int i = 0; i < TILE_AHEAD; i++)
 *                 TILE_PUSH(product, row, i * TILE_DEPTH, column);
 *             for (int i = 0; i < k; i += TILE_DEPTH) {
 *                 TILE_MULTIPLY_ADD(product);
 *                 TILE_PUSH(product, row, i + TILE_AHEAD * TILE_DEPTH, column);
 *             }
 *             TILE_STORE(product, c + (size_t)row * n + column, n, m - row, n - column);
 *         }
 *     }
 *
 * A product is a sum of TILE_ROWS x TILE_COLUMNS floats, which the threads of a block hold between
 * them, and a queue of pairs of tiles in shared memory: TILE_ROWS x TILE_DEPTH of the left matrix
 * and TILE_DEPTH x TILE_COLUMNS of the right one. TILE_PUSH starts the copies of a pair, and
 * TILE_MULTIPLY_ADD waits for the oldest pair and adds its product. All waiting and all barriers
 * are theirs. Launch with TILE_THREADS threads and TILE_BYTES of dynamic shared memory:
 * KERNEL_SHARED_LIMIT.
 *
 * CUDA, compiled for sm_90a: bulk copies by a tensor map, and wgmma, which runs while the block
 * copies ahead (PTX ISA, sections "Asynchronous Warpgroup Level Matrix Instructions" and
 * "cp.async.bulk.tensor"). Other CUDA: COPY_ASYNC and FRAGMENT_MULTIPLY_ADD, on a GPU with
 * TILE_BYTES of shared memory. CPU: the same as loops; a push to a full queue and a product of an
 * empty one, undefined on CUDA, are errors. The last bits differ between them, as those of
 * fragments do.
 *
 * The page is docs/kernel-language.md.
 */
#ifndef PORTABLE_TILES_H
#define PORTABLE_TILES_H

#include "portable.h"

#if PORTABLE_TARGET_CUDA
#include <cuda.h> /* CUtensorMap */
#endif

/* ===============================================================================================
 * The language
 * ============================================================================================== */

/* The extents of a product, and of the tiles that it multiplies; how many pairs may wait; the
 * threads and the dynamic shared memory of a block. */
enum {
    TILE_ROWS = 128,
    TILE_COLUMNS = 256,
    TILE_DEPTH = 64,
    TILE_AHEAD = 2,
    TILE_THREADS = 256,
    TILE_BYTES =
        (TILE_AHEAD + 1) * 2 * (TILE_ROWS * (TILE_DEPTH + 8) + TILE_DEPTH * (TILE_COLUMNS + 8))
};

/* A matrix of halves in device memory, row-major without gaps, for kernels to copy tiles from: what
 * TILE_MATRIX takes. It does not own the elements. */
struct portable_matrix {
#if PORTABLE_TARGET_CUDA
    CUtensorMap map; /* of the current device, if that is of compute capability 9.0 */
#endif
    const half *elements;
    int rows, columns;
};

#define TILE_MATRIX(name)                                                                          \
    /* A parameter of a kernel: a struct portable_matrix, by value. */                             \
    PORTABLE_CUDA_(const __grid_constant__ struct portable_matrix name)                            \
    PORTABLE_CPU_(const struct portable_matrix name)
#if PORTABLE_KERNELS_
#define TILE_PRODUCT(name, a, b)                                                                     \
    /* At block scope, once: declares a product of matrices a and b, which are TILE_MATRIX: a sum  \
     * of zeros and an empty queue. It uses the block's dynamic shared memory. */ \
    SHARED_DYNAMIC(half, name##_stages);                                                             \
    PORTABLE_TILE_SUM_(name##_sum);                                                                  \
    struct portable_tile_queue_ name;                                                                \
    BLOCK_CALL(portable_tile_begin_, &name, name##_sum, name##_stages, &(a), &(b))
#define TILE_PUSH(name, row, i, column)                                                              \
    /* At block scope: starts copies of the left matrix's tile from (row, i) on and of the right   \
     * one's from (i, column) on, with zeros beyond their edges. At most TILE_AHEAD pairs wait. */ \
    BLOCK_CALL(portable_tile_push_, &name, (row), (i), (column))
#define TILE_MULTIPLY_ADD(name)                                                                      \
    /* At block scope: waits for the oldest pair of tiles, removes it from the queue, and adds its \
     * product to the sum. */ \
    BLOCK_CALL(portable_tile_multiply_add_, &name, name##_sum)
#define TILE_STORE(name, to, stride, rows, columns)                                                  \
    /* At block scope: writes the sum's first `rows` rows and `columns` columns, or all that it    \
     * has, to rows of `to` that are `stride` floats apart, and sets it to zeros. Pairs that still \
     * wait are dropped. */ \
    BLOCK_CALL(portable_tile_store_, &name, name##_sum, (to), (size_t)(stride), (rows), (columns))
#endif

/* Describes `elements`, rows x columns halves, at least one, for kernels on the current device. The
 * address and the columns are multiples of 16 bytes and of 8; PORTABLE_ERROR_INVALID_VALUE
 * otherwise. */
static inline PORTABLE_UNUSED_ portable_status portable_matrix_init(struct portable_matrix *matrix,
                                                                    const half *elements, int rows,
                                                                    int columns);

/* ===============================================================================================
 * The host's side
 * ============================================================================================== */

#if PORTABLE_TARGET_CUDA
enum { PORTABLE_TILE_EDGE_ = 64 }; /* of what one bulk copy takes: 64 rows of 128 bytes */

/* Fills the tensor map: boxes of 64 x 64 halves, each row's 16-byte parts permuted as wgmma reads
 * them without bank conflicts (128-byte swizzle). */
static inline portable_status portable_tile_map_(struct portable_matrix *matrix)
{
    int device = 0, major = 0, minor = 0;
    void *address = NULL;
    enum cudaDriverEntryPointQueryResult found;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    if (error == cudaSuccess && (major != 9 || minor != 0))
        return PORTABLE_SUCCESS;
    if (error == cudaSuccess)
        error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &address, 12000,
                                                 cudaEnableDefault, &found);
    if (error != cudaSuccess)
        return portable_from_cuda_(error, "portable_matrix_init");
    if (found != cudaDriverEntryPointSuccess)
        return PORTABLE_INVALID_("%s: the driver has no cuTensorMapEncodeTiled",
                                 "portable_matrix_init");

    typedef CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                               const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                               const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    const cuuint64_t extents[2] = {(cuuint64_t)matrix->columns, (cuuint64_t)matrix->rows};
    const cuuint64_t row_bytes = extents[0] * sizeof(half);
    const cuuint32_t box[2] = {PORTABLE_TILE_EDGE_, PORTABLE_TILE_EDGE_}, steps[2] = {1, 1};
    const CUresult result = ((encode)address)(
        &matrix->map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, (void *)(size_t)matrix->elements, extents,
        &row_bytes, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS
               ? PORTABLE_SUCCESS
               : PORTABLE_INVALID_("portable_matrix_init: cuTensorMapEncodeTiled failed: %d",
                                   (int)result);
}
#endif

static inline portable_status portable_matrix_init(struct portable_matrix *matrix,
                                                   const half *elements, int rows, int columns)
{
    if (!matrix)
        return PORTABLE_INVALID_("%s: no place for the matrix", "portable_matrix_init");
    if (rows <= 0 || columns <= 0 || columns % 8 != 0)
        return PORTABLE_INVALID_(
            "portable_matrix_init: %d x %d elements; there is at least one row, "
            "and the columns are a multiple of 8",
            rows, columns);
    if (!elements || (size_t)elements % 16 != 0)
        return PORTABLE_INVALID_("portable_matrix_init: the address %p is not a multiple of 16",
                                 (const void *)elements);
    memset(matrix, 0, sizeof *matrix);
    matrix->elements = elements;
    matrix->rows = rows;
    matrix->columns = columns;
#if PORTABLE_TARGET_CUDA
    return portable_tile_map_(matrix);
#else
    return PORTABLE_SUCCESS;
#endif
}

#if PORTABLE_KERNELS_

enum { PORTABLE_TILE_STAGES_ = TILE_AHEAD + 1 };

/* Pairs are numbered; pair p is in stage p % PORTABLE_TILE_STAGES_. Each thread has this structure,
 * with the same contents. */
struct portable_tile_queue_ {
    const struct portable_matrix *a, *b;
    half *stages;
    unsigned pushed, multiplied; /* how many pairs */
    unsigned released; /* those whose stage may be copied to again: one less than multiplied, while
                        * that product runs */
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* ===============================================================================================
 * Compute capability 9.0a: bulk copies and wgmma
 *
 * A stage is two boxes of A, one below the other, and then four of B, side by side. Two barriers
 * for each stage: `full` completes when its bytes have arrived, `empty` when all warps have read
 * them. Thread 0 waits for the latter and starts the copies.
 * ============================================================================================== */

enum {
    PORTABLE_TILE_BOX_ = 64 * 64 * 2, /* bytes */
    PORTABLE_TILE_BOXES_A_ = TILE_ROWS / 64,
    PORTABLE_TILE_BOXES_B_ = TILE_COLUMNS / 64,
    PORTABLE_TILE_STAGE_ = (PORTABLE_TILE_BOXES_A_ + PORTABLE_TILE_BOXES_B_) * PORTABLE_TILE_BOX_,
    PORTABLE_TILE_FLOATS_ = TILE_ROWS * TILE_COLUMNS / TILE_THREADS /* a thread's part of a sum */
};
static_assert(PORTABLE_TILE_STAGES_ * PORTABLE_TILE_STAGE_ + 1024 <= TILE_BYTES,
              "the stages, from a multiple of 1024 bytes on, fit into TILE_BYTES");

#define PORTABLE_TILE_SUM_(name) float name[PORTABLE_TILE_FLOATS_]

PORTABLE_DEVICE_ unsigned portable_tile_shared_(const void *pointer)
{
    return (unsigned)__cvta_generic_to_shared(pointer);
}
PORTABLE_DEVICE_ unsigned portable_tile_stage_(const struct portable_tile_queue_ *queue,
                                               unsigned pair)
{
    return ((portable_tile_shared_(queue->stages) + 1023) & ~1023u) +
           pair % PORTABLE_TILE_STAGES_ * PORTABLE_TILE_STAGE_;
}
/* The barriers of a pair's stage. */
PORTABLE_DEVICE_ unsigned portable_tile_barrier_(bool full, unsigned pair)
{
    __shared__ unsigned long long barriers[2][PORTABLE_TILE_STAGES_];
    return portable_tile_shared_(&barriers[full][pair % PORTABLE_TILE_STAGES_]);
}
/* Waits until a barrier has completed for that pair: a barrier's phases alternate. */
PORTABLE_DEVICE_ void portable_tile_wait_(bool full, unsigned pair)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(portable_tile_barrier_(full, pair)),
                 "r"(pair / PORTABLE_TILE_STAGES_ & 1)
                 : "memory");
}
/* This warp has read the pair. */
PORTABLE_DEVICE_ void portable_tile_release_(unsigned pair)
{
    if (threadIdx.x % WARP_SIZE == 0)
        asm volatile(
            "mbarrier.arrive.shared.b64 _, [%0];" ::"r"(portable_tile_barrier_(false, pair))
            : "memory");
}
PORTABLE_DEVICE_ void portable_tile_copy_(unsigned to, const struct portable_matrix *matrix,
                                          int column, int row, unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                 "l"(&matrix->map), "r"(column), "r"(row), "r"(barrier)
                 : "memory");
}

BLOCK_FUNCTION(void, portable_tile_begin_, (TILE_THREADS), struct portable_tile_queue_ *queue,
               float (&sum)[PORTABLE_TILE_FLOATS_], half *stages, const struct portable_matrix *a,
               const struct portable_matrix *b)
{
    *queue = {a, b, stages, 0, 0, 0};
    /* Zeros that the compiler does not know: after a loop without a product it would merge the
     * constants with sums that wgmma still works on. */
    for (float &part : sum)
        asm volatile("mov.f32 %0, 0f00000000;" : "=f"(part));
    if (threadIdx.x == 0) {
        for (unsigned stage = 0; stage < PORTABLE_TILE_STAGES_; stage++) {
            asm volatile(
                "mbarrier.init.shared.b64 [%0], 1;" ::"r"(portable_tile_barrier_(true, stage)));
            asm volatile(
                "mbarrier.init.shared.b64 [%0], %1;" ::"r"(portable_tile_barrier_(false, stage)),
                "r"(TILE_THREADS / 32));
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
}

BLOCK_FUNCTION(void, portable_tile_push_, (TILE_THREADS), struct portable_tile_queue_ *queue,
               int row, int i, int column)
{
    const unsigned pair = queue->pushed++;
    if (threadIdx.x == 0) {
        const unsigned full = portable_tile_barrier_(true, pair);
        unsigned to = portable_tile_stage_(queue, pair);
        if (pair >= PORTABLE_TILE_STAGES_)
            portable_tile_wait_(false, pair - PORTABLE_TILE_STAGES_);
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(full),
                     "r"((unsigned)PORTABLE_TILE_STAGE_)
                     : "memory");
        for (int box = 0; box < PORTABLE_TILE_BOXES_A_; box++, to += PORTABLE_TILE_BOX_)
            portable_tile_copy_(to, queue->a, i, row + box * 64, full);
        for (int box = 0; box < PORTABLE_TILE_BOXES_B_; box++, to += PORTABLE_TILE_BOX_)
            portable_tile_copy_(to, queue->b, column + box * 64, i, full);
    }
    __syncwarp();
}

/* A matrix descriptor: the address, the distance of boxes side by side, the distance of groups of 8
 * rows of 128 bytes, and the 128-byte swizzle. */
PORTABLE_DEVICE_ unsigned long long portable_tile_descriptor_(unsigned address)
{
    return (unsigned long long)(address >> 4) |
           (unsigned long long)(PORTABLE_TILE_BOX_ >> 4) << 16 |
           (unsigned long long)(1024 >> 4) << 32 | 1ull << 62;
}
/* sum += 64 x 16 halves of A times 16 x 256 of B, by four warps. */
#define PORTABLE_TILE_8_(x, i)                                                                     \
    "+f"(x[i]), "+f"(x[i + 1]), "+f"(x[i + 2]), "+f"(x[i + 3]), "+f"(x[i + 4]), "+f"(x[i + 5]),    \
        "+f"(x[i + 6]), "+f"(x[i + 7])
#define PORTABLE_TILE_32_(x, i)                                                                    \
    PORTABLE_TILE_8_(x, i), PORTABLE_TILE_8_(x, i + 8), PORTABLE_TILE_8_(x, i + 16),               \
        PORTABLE_TILE_8_(x, i + 24)
PORTABLE_DEVICE_ void portable_tile_wgmma_(float (&sum)[PORTABLE_TILE_FLOATS_],
                                           unsigned long long a, unsigned long long b)
{
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "
        "%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, "
        "%125, %126, %127}, %128, %129, 1, 1, 1, 0, 1;"
        : PORTABLE_TILE_32_(sum, 0), PORTABLE_TILE_32_(sum, 32), PORTABLE_TILE_32_(sum, 64),
          PORTABLE_TILE_32_(sum, 96)
        : "l"(a), "l"(b));
}

/* Four warps have the rows of one box of A. */
BLOCK_FUNCTION(void, portable_tile_multiply_add_, (TILE_THREADS),
               struct portable_tile_queue_ *queue, float (&sum)[PORTABLE_TILE_FLOATS_])
{
    const unsigned pair = queue->multiplied++, stage = portable_tile_stage_(queue, pair);
    const unsigned a = stage + threadIdx.x / 128 * PORTABLE_TILE_BOX_;
    const unsigned b = stage + PORTABLE_TILE_BOXES_A_ * PORTABLE_TILE_BOX_;
    portable_tile_wait_(true, pair);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (unsigned i = 0; i < TILE_DEPTH; i += 16)
        portable_tile_wgmma_(sum, portable_tile_descriptor_(a + i * 2),
                             portable_tile_descriptor_(b + i * 128));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    /* Until the product before this one is complete. */
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    if (queue->released < pair)
        portable_tile_release_(queue->released++);
}

/* Registers 4j to 4j + 3 of a lane: two floats in row lane / 4, and two eight rows below (PTX ISA,
 * "Register Fragments and Shared Memory Matrix Layouts" of wgmma.mma_async). */
BLOCK_FUNCTION(void, portable_tile_store_, (TILE_THREADS), struct portable_tile_queue_ *queue,
               float (&sum)[PORTABLE_TILE_FLOATS_], float *to, size_t stride, int rows, int columns)
{
    const int lane = (int)(threadIdx.x % WARP_SIZE);
    const int row = (int)(threadIdx.x / WARP_SIZE) * 16 + lane / 4, column = lane % 4 * 2;
    const bool pairs = ((size_t)to | stride * sizeof *to) % sizeof(float2) == 0;
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (; queue->released < queue->pushed; queue->released++) {
        if (queue->released >= queue->multiplied)
            portable_tile_wait_(true, queue->released);
        portable_tile_release_(queue->released);
    }
    queue->multiplied = queue->pushed;
    to += (size_t)row * stride + (size_t)column;
#pragma unroll
    for (int part = 0; part < PORTABLE_TILE_FLOATS_; part += 2) {
        const int down = part / 2 % 2 * 8, across = part / 4 * 8;
        float *const at = to + (size_t)down * stride + across;
        if (row + down < rows && column + across < columns) {
            if (pairs && column + across + 1 < columns)
                *reinterpret_cast<float2 *>(at) = make_float2(sum[part], sum[part + 1]);
            else {
                at[0] = sum[part];
                if (column + across + 1 < columns)
                    at[1] = sum[part + 1];
            }
        }
        sum[part] = sum[part + 1] = 0;
    }
}

#else

/* ===============================================================================================
 * Everywhere else: asynchronous copies and fragments
 *
 * A warp has 64 x 64 elements of the sum, 4 x 4 fragments. Rows of a stage are padded by 16 bytes,
 * so the 8 rows loaded at once are in different banks.
 * ============================================================================================== */

enum {
    PORTABLE_TILE_PART_ = 4, /* of a warp: fragments down and across */
    PORTABLE_TILE_ACROSS_ = TILE_COLUMNS / (PORTABLE_TILE_PART_ * FRAGMENT_SIZE), /* warps */
    PORTABLE_TILE_WARPS_ = TILE_THREADS / WARP_SIZE,
    PORTABLE_TILE_PITCH_A_ = TILE_DEPTH + 8,
    PORTABLE_TILE_PITCH_B_ = TILE_COLUMNS + 8,
    PORTABLE_TILE_A_ = TILE_ROWS * PORTABLE_TILE_PITCH_A_, /* halves */
    PORTABLE_TILE_STAGE_ = PORTABLE_TILE_A_ + TILE_DEPTH * PORTABLE_TILE_PITCH_B_
};

#define PORTABLE_TILE_SUM_(name) FRAGMENT_C(name, [PORTABLE_TILE_PART_][PORTABLE_TILE_PART_])
/* The sum as a parameter: in loops the warps are its last extent. */
#define PORTABLE_TILE_SUM_PARAMETER_                                                               \
    portable_fragment_c_ sum[][PORTABLE_TILE_PART_] PORTABLE_LOOPS_([PORTABLE_TILE_WARPS_])

/* The first row or column of a warp's part of the sum. */
DEVICE int portable_tile_row_(unsigned warp)
{
    return (int)warp / PORTABLE_TILE_ACROSS_ * PORTABLE_TILE_PART_ * FRAGMENT_SIZE;
}
DEVICE int portable_tile_column_(unsigned warp)
{
    return (int)warp % PORTABLE_TILE_ACROSS_ * PORTABLE_TILE_PART_ * FRAGMENT_SIZE;
}

BLOCK_FUNCTION(void, portable_tile_clear_, (TILE_THREADS), PORTABLE_TILE_SUM_PARAMETER_)
{
    FOR_EACH_WARP
    {
        UNROLL(PORTABLE_TILE_PART_)
        for (int r = 0; r < PORTABLE_TILE_PART_; r++) {
            UNROLL(PORTABLE_TILE_PART_)
            for (int q = 0; q < PORTABLE_TILE_PART_; q++)
                FRAGMENT_FILL(sum[r][q], 0.0f);
        }
    }
}

BLOCK_FUNCTION(void, portable_tile_begin_, (TILE_THREADS), struct portable_tile_queue_ *queue,
               PORTABLE_TILE_SUM_PARAMETER_, half *stages, const struct portable_matrix *a,
               const struct portable_matrix *b)
{
    queue->a = a;
    queue->b = b;
    queue->stages = stages;
    queue->pushed = queue->multiplied = queue->released = 0;
    BLOCK_CALL(portable_tile_clear_, sum);
}

/* A thread's share of copying rows x columns elements of a matrix, from (row, column) on. */
DEVICE void portable_tile_copy_(unsigned thread, half *to, int pitch, int rows, int columns,
                                const struct portable_matrix *matrix, int row, int column)
{
    const int parts = columns / 8;
    for (int part = (int)thread; part < rows * parts; part += TILE_THREADS) {
        const int r = row + part / parts, c = column + part % parts * 8;
        COPY_ASYNC_IF(r < matrix->rows && c < matrix->columns,
                      to + part / parts * pitch + part % parts * 8,
                      matrix->elements + (size_t)r * (size_t)matrix->columns + c, 16);
    }
}

BLOCK_FUNCTION(void, portable_tile_push_, (TILE_THREADS), struct portable_tile_queue_ *queue,
               int row, int i, int column)
{
    half *const stage =
        queue->stages + queue->pushed % PORTABLE_TILE_STAGES_ * PORTABLE_TILE_STAGE_;
    PORTABLE_CPU_(if (queue->pushed - queue->multiplied >= TILE_AHEAD) {
        portable_broken_(
            PORTABLE_ERROR_INVALID_VALUE,
            "TILE_PUSH: %d pairs of tiles wait for TILE_MULTIPLY_ADD already, TILE_AHEAD",
            TILE_AHEAD);
        return;
    })
    FOR_EACH_THREAD {
        portable_tile_copy_(threadIdx.x, stage, PORTABLE_TILE_PITCH_A_, TILE_ROWS, TILE_DEPTH,
                            queue->a, row, i);
        portable_tile_copy_(threadIdx.x, stage + PORTABLE_TILE_A_, PORTABLE_TILE_PITCH_B_,
                            TILE_DEPTH, TILE_COLUMNS, queue->b, i, column);
    }
    COPY_COMMIT();
    queue->pushed++;
}

BLOCK_FUNCTION(void, portable_tile_multiply_add_, (TILE_THREADS),
               struct portable_tile_queue_ *queue, PORTABLE_TILE_SUM_PARAMETER_)
{
    const half *const stage =
        queue->stages + queue->multiplied % PORTABLE_TILE_STAGES_ * PORTABLE_TILE_STAGE_;
    PORTABLE_CPU_(if (queue->pushed == queue->multiplied) {
        portable_broken_(PORTABLE_ERROR_INVALID_VALUE, "%s",
                         "TILE_MULTIPLY_ADD: no pair of tiles was pushed");
        return;
    })
    if (queue->pushed - queue->multiplied == TILE_AHEAD)
        COPY_WAIT(TILE_AHEAD - 1);
    else
        COPY_WAIT(0);
    SYNC_THREADS();
    FOR_EACH_WARP
    {
        const half *const a = stage + portable_tile_row_(WARP_INDEX()) * PORTABLE_TILE_PITCH_A_;
        const half *const b = stage + PORTABLE_TILE_A_ + portable_tile_column_(WARP_INDEX());
        UNROLL(1)
        for (int i = 0; i < TILE_DEPTH; i += FRAGMENT_SIZE) {
            FRAGMENT_B(right, [PORTABLE_TILE_PART_]);
            UNROLL(PORTABLE_TILE_PART_)
            for (int q = 0; q < PORTABLE_TILE_PART_; q++)
                FRAGMENT_LOAD(right[q], b + i * PORTABLE_TILE_PITCH_B_ + q * FRAGMENT_SIZE,
                              PORTABLE_TILE_PITCH_B_);
            UNROLL(PORTABLE_TILE_PART_)
            for (int r = 0; r < PORTABLE_TILE_PART_; r++) {
                FRAGMENT_A(left);
                FRAGMENT_LOAD(left, a + r * FRAGMENT_SIZE * PORTABLE_TILE_PITCH_A_ + i,
                              PORTABLE_TILE_PITCH_A_);
                UNROLL(PORTABLE_TILE_PART_)
                for (int q = 0; q < PORTABLE_TILE_PART_; q++)
                    FRAGMENT_MULTIPLY_ADD(sum[r][q], left, right[q], sum[r][q]);
            }
        }
    }
    queue->multiplied++;
}

/* A fragment at a time, by way of shared memory: the lanes know the order there. */
BLOCK_FUNCTION(void, portable_tile_store_, (TILE_THREADS), struct portable_tile_queue_ *queue,
               PORTABLE_TILE_SUM_PARAMETER_, float *to, size_t stride, int rows, int columns)
{
    float *const parts = (float *)(void *)queue->stages;
    COPY_WAIT(0);
    SYNC_THREADS();
    queue->multiplied = queue->pushed;
    UNROLL(PORTABLE_TILE_PART_)
    for (int r = 0; r < PORTABLE_TILE_PART_; r++) {
        UNROLL(PORTABLE_TILE_PART_)
        for (int q = 0; q < PORTABLE_TILE_PART_; q++) {
            FOR_EACH_WARP
            FRAGMENT_STORE(parts + WARP_INDEX() * FRAGMENT_SIZE * FRAGMENT_SIZE, sum[r][q],
                           FRAGMENT_SIZE);
            SYNC_WARP();
            FOR_EACH_THREAD {
                const unsigned warp = threadIdx.x / WARP_SIZE;
                const int row = portable_tile_row_(warp) + r * FRAGMENT_SIZE;
                const int column = portable_tile_column_(warp) + q * FRAGMENT_SIZE;
                for (unsigned e = threadIdx.x % WARP_SIZE; e < FRAGMENT_SIZE * FRAGMENT_SIZE;
                     e += WARP_SIZE) {
                    const int down = row + (int)e / FRAGMENT_SIZE;
                    const int across = column + (int)e % FRAGMENT_SIZE;
                    if (down < rows && across < columns)
                        to[(size_t)down * stride + (size_t)across] =
                            parts[warp * FRAGMENT_SIZE * FRAGMENT_SIZE + e];
                }
            }
            SYNC_WARP();
        }
    }
    SYNC_THREADS();
    BLOCK_CALL(portable_tile_clear_, sum);
}

#endif
#endif

#endif
