/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/tensor.c"
#include "kernels/tiles.c"

#include "host/case.h"

#include <math.h> /* fabs */

static int whole_tiles(int n)
{
    return (n + FRAGMENT_SIZE - 1) / FRAGMENT_SIZE * FRAGMENT_SIZE;
}

/* A matrix of halves in [-1, 1), as the bytes that the harness knows. */
static void input_halves(struct run *run, const char *name, int rows, int columns)
{
    const size_t count = (size_t)rows * (size_t)columns;
    const size_t shape[2] = {(size_t)rows, (size_t)columns * sizeof(half)};
    half *values = (half *)(void *)run_input_bytes(run, name, 2, shape);

    RUN_FILL(values, i, count)
        values[i] = float_to_half((float)((double)run_random(run, name, i) / 2147483648.0 - 1));
}

static void prepare_matrices(struct run *run)
{
    run->rows = whole_tiles(run->n);
    run->columns = whole_tiles(run->timing ? run->n : run->n + run->n / 3);
    run->depth = whole_tiles(run->timing ? run->n : run->n + run->n / 2);
    input_halves(run, "a", run->rows, run->depth);
    input_halves(run, "b", run->depth, run->columns);
    run_output_array(run, "c", ARRAY_FLOAT32, (size_t)run->rows * (size_t)run->columns, OWNER_NONE);
    run->bytes = 2.0 * ((double)run->rows * run->depth + (double)run->depth * run->columns) +
                 4.0 * run->rows * run->columns;
    run->flops = 2.0 * run->rows * run->columns * run->depth;
}

static int prepare(struct run *run, struct io_error *error)
{
    prepare_matrices(run);
    run_stride(run, run->rows / FRAGMENT_SIZE * (run->columns / FRAGMENT_SIZE) * WARP_SIZE);
    return run_ready(run, error);
}

static int prepare_strips(struct run *run, struct io_error *error)
{
    const int strip = STRIP_WARPS * FRAGMENT_SIZE;

    prepare_matrices(run);
    run->grid = run->n > 0 ? DIM3((unsigned)(run->columns / FRAGMENT_SIZE),
                                  (unsigned)((run->rows + strip - 1) / strip), 1)
                           : DIM3(1, 1, 1);
    return run_ready(run, error);
}

/* Whether the device gives a block the shared memory of the run's kernel; if not, the case runs a
 * step that needs less. Asked for in prepare, because a launch is timed. */
static int fits;

static int has_shared(size_t bytes)
{
    struct portable_device device;

    return portable_device_properties(&device) == PORTABLE_SUCCESS &&
           device.shared_raised_bytes >= bytes;
}

/* For a kernel whose blocks compute rows x columns elements of C. */
static int prepare_tiled(struct run *run, int rows, int columns, struct io_error *error)
{
    if (!fits) {
        run->block = DIM3(STRIP_WARPS * WARP_SIZE, 1, 1);
        return prepare_strips(run, error);
    }
    prepare_matrices(run);
    run->grid = DIM3((unsigned)((run->columns + columns - 1) / columns),
                     (unsigned)((run->rows + rows - 1) / rows), 1);
    if (run->n == 0)
        run->grid = DIM3(1, 1, 1);
    return run_ready(run, error);
}

static int prepare_pipeline(struct run *run, struct io_error *error)
{
    fits = has_shared(PIPELINE_BYTES) &&
           KERNEL_SHARED_LIMIT(matmul_tensor_pipeline, PIPELINE_BYTES) == PORTABLE_SUCCESS;
    return prepare_tiled(run, PIPELINE_ROWS, PIPELINE_COLUMNS, error);
}

/* matmul_tiles has its blocks in one dimension. */
static int prepare_tiles(struct run *run, struct io_error *error)
{
    fits =
        has_shared(TILE_BYTES) && KERNEL_SHARED_LIMIT(matmul_tiles, TILE_BYTES) == PORTABLE_SUCCESS;
    const int status = prepare_tiled(run, TILE_ROWS, TILE_COLUMNS, error);
    if (fits)
        run->grid = DIM3(run->grid.x * run->grid.y, 1, 1);
    return status;
}

#define HALVES(name) ((const half *)(const void *)run_device(run, name))
#define HOST_HALVES(name) ((const half *)(const void *)run_host(run, name))

static portable_status launch_tensor(struct run *run)
{
    return KERNEL_LAUNCH(matmul_tensor, run->grid, run->block, 0, 0, run->rows, run->columns,
                         run->depth, HALVES("a"), HALVES("b"), DEVICE_FLOATS("c"));
}

/* There is no tile to compute without rows. */
static portable_status launch_shared(struct run *run)
{
    if (run->rows == 0)
        return PORTABLE_SUCCESS;
    return KERNEL_LAUNCH(matmul_tensor_shared, run->grid, run->block, 0, 0, run->rows, run->columns,
                         run->depth, HALVES("a"), HALVES("b"), DEVICE_FLOATS("c"));
}

static portable_status launch_pipeline(struct run *run)
{
    if (!fits)
        return launch_shared(run);
    return KERNEL_LAUNCH(matmul_tensor_pipeline, run->grid, run->block, PIPELINE_BYTES, 0,
                         run->rows, run->columns, run->depth, HALVES("a"), HALVES("b"),
                         DEVICE_FLOATS("c"));
}

/* Describes an array of the run, unless that is what it describes already. */
static portable_status describe(struct portable_matrix *matrix, const half *elements, int rows,
                                int columns)
{
    if (matrix->elements == elements && matrix->rows == rows && matrix->columns == columns)
        return PORTABLE_SUCCESS;
    return portable_matrix_init(matrix, elements, rows, columns);
}

static portable_status launch_tiles(struct run *run)
{
    static struct portable_matrix a, b;
    portable_status status;

    if (!fits || run->rows == 0)
        return launch_shared(run);
    status = describe(&a, HALVES("a"), run->rows, run->depth);
    if (status == PORTABLE_SUCCESS)
        status = describe(&b, HALVES("b"), run->depth, run->columns);
    if (status != PORTABLE_SUCCESS)
        return status;
    return KERNEL_LAUNCH(matmul_tiles, run->grid, run->block, TILE_BYTES, 0, run->rows,
                         run->columns, run->depth, a, b, DEVICE_FLOATS("c"));
}

/* Products of halves are exact in float. A tensor core adds q >= 4 of them and the sum so far at
 * once: it aligns the q + 1 numbers to the largest and cuts off what lies below its 24 bits, and
 * cuts the result (Fasi, Higham, Mikaitis, Pranesh: "Numerical behavior of NVIDIA tensor cores",
 * PeerJ CS 7:e330, 2021). So each of the depth / q steps errs by at most q + 2 times 2^-23 of the
 * largest, which the sum S of the magnitudes bounds: 1.5 depth 2^-23 S altogether. Rounding each
 * addition to nearest, as the CPU does, errs by at most a third of that. */
static const double cut = 1.5 / (1 << 23);

static void reference(struct run *run)
{
    const half *a = HOST_HALVES("a"), *b = HOST_HALVES("b");

    for (int row = 0; row < run->rows; row++)
        for (int column = 0; column < run->columns; column++) {
            double sum = 0, magnitude = 0;

            for (int i = 0; i < run->depth; i++) {
                const double term = (double)half_to_float(a[row * run->depth + i]) *
                                    (double)half_to_float(b[i * run->columns + column]);
                sum += term;
                magnitude += fabs(term);
            }
            run_expect(run, "c", (size_t)(row * run->columns + column), sum,
                       cut * run->depth * magnitude);
        }
}

/* The order i, k, j: the inner loop runs along rows of B and C. */
static void baseline(struct run *run)
{
    const int rows = run->rows, columns = run->columns, depth = run->depth;
    const half *RESTRICT a = HOST_HALVES("a"), *RESTRICT b = HOST_HALVES("b");
    float *RESTRICT c = HOST_FLOATS("c");

    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++)
            c[row * columns + column] = 0;
        for (int i = 0; i < depth; i++) {
            const float factor = half_to_float(a[row * depth + i]);

            for (int column = 0; column < columns; column++)
                c[row * columns + column] += factor * half_to_float(b[i * columns + column]);
        }
    }
}

/* Sums of at most 160 products below 1, a quarter on average: both sides within the bound above of
 * the exact sum are within 2e-3 of one another. */
/* clang-format off */
#define SIZES {0, 1, 16, 33, 100}
#define PIPELINE_SIZES {0, 1, 33, 100, 200}
#define TENSOR_CORE CASE_ABSREL(2e-3, 0, "the order and the rounding of a tensor core's additions")
#define WARPS {{128}, {32}, {96}, {1024}}

static const struct gallery_case cases[] = {
    {.family = "tensor", .name = "matmul_tensor",
     .summary = "C = A B of halves on tensor cores, a tile per warp", .problem = "matmul_half",
     .policy = TENSOR_CORE,
     .takes = CASE_WARPS, .blocks = WARPS, .sizes = SIZES, .timing_n = 512, .counts = CASE_EDGE,
     .prepare = prepare, .launch = launch_tensor, .reference = reference, .baseline = baseline},
    {.family = "tensor", .name = "matmul_tensor_shared",
     .summary = "C = A B of halves, a block's tiles of B in shared memory",
     .problem = "matmul_half", .policy = TENSOR_CORE,
     .blocks = {{STRIP_WARPS * WARP_SIZE}}, .sizes = SIZES, .timing_n = 512,
     .counts = CASE_EDGE,
     .prepare = prepare_strips, .launch = launch_shared, .reference = reference, .baseline = baseline},
    {.family = "tensor", .name = "matmul_tensor_pipeline",
     .summary = "C = A B of halves, 4 x 4 tiles a warp, copied ahead", .problem = "matmul_half",
     .policy = TENSOR_CORE,
     .blocks = {{PIPELINE_THREADS}}, .sizes = PIPELINE_SIZES, .timing_n = 512,
     .counts = CASE_EDGE,
     .prepare = prepare_pipeline, .launch = launch_pipeline, .reference = reference,
     .baseline = baseline},
    {.family = "tensor", .name = "matmul_tiles",
     .summary = "C = A B of halves, a tile of C per block, by portable_tiles.h",
     .problem = "matmul_half", .policy = TENSOR_CORE,
     .blocks = {{TILE_THREADS}}, .sizes = PIPELINE_SIZES, .timing_n = 512,
     .counts = CASE_EDGE,
     .prepare = prepare_tiles, .launch = launch_tiles, .reference = reference,
     .baseline = baseline},
};
/* clang-format on */
GALLERY_CASES(cases)
