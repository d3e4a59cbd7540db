/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/transpose.c"

#include "host/case.h"

/* The input is rows x columns. */
static int prepare_any(struct run *run, struct io_error *error)
{
    const int width = run->n, height = run->timing ? run->n : run->n - run->n / 3;
    const size_t count = (size_t)width * (size_t)height;

    run_input_real(run, "in", count);
    run_output_real(run, "out", count, OWNER_NONE);
    run->columns = width;
    run->rows = height;
    run_cover_plane(run, width, height);
    run->bytes = 2.0 * (double)count * sizeof(REAL);
    return run_ready(run, error);
}

/* A block turns a whole tile, whatever its height. */
static void cover_by_tiles(struct run *run, int tile)
{
    run->grid = DIM3((unsigned)(run->columns + tile - 1) / (unsigned)tile,
                     (unsigned)(run->rows + tile - 1) / (unsigned)tile, 1);
    if (run->columns == 0 || run->rows == 0)
        run->grid = DIM3(1, 1, 1);
}

static int prepare_tiles(struct run *run, struct io_error *error)
{
    const int status = prepare_any(run, error);

    if (TRANSPOSE_TILE % run->block.y != 0)
        return io_fail(error, "case %s needs a block whose height divides %d", run->test_case->name,
                       TRANSPOSE_TILE);
    cover_by_tiles(run, TRANSPOSE_TILE);
    return status;
}

static int prepare_wide(struct run *run, struct io_error *error)
{
    const int status = prepare_any(run, error);

    cover_by_tiles(run, TRANSPOSE_WIDE);
    return status;
}

#define LAUNCH(kernel)                                                                             \
    static portable_status launch_##kernel(struct run *run)                                        \
    {                                                                                              \
        return KERNEL_LAUNCH(kernel, run->grid, run->block, 0, 0, run->columns, run->rows,         \
                             DEVICE_REALS("in"), DEVICE_REALS("out"));                             \
    }
LAUNCH(transpose_naive)
LAUNCH(transpose_tiled)
LAUNCH(transpose_padded)
LAUNCH(transpose_wide)

static void reference(struct run *run)
{
    const REAL *in = HOST_REALS("in");
    const size_t width = (size_t)run->columns, height = (size_t)run->rows;

    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            run_expect(run, "out", x * height + y, (double)in[y * width + x], 0);
}

static void baseline(struct run *run)
{
    const size_t width = (size_t)run->columns, height = (size_t)run->rows;
    const REAL *RESTRICT in = HOST_REALS("in");
    REAL *RESTRICT out = HOST_REALS("out");

    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            out[x * height + y] = in[y * width + x];
}

/* clang-format off */
#define SIZES {0, 1, 31, 32, 33, 100, 257}
#define TILE_BLOCKS {{32, 8}, {32}, {32, 4}, {32, 32}}

static const struct gallery_case cases[] = {
    {.family = "transpose", .name = "transpose_naive", .summary = "one element per thread",
     .problem = "transpose",
     .takes = CASE_PLANES, .sizes = SIZES, .timing_n = 4096, .counts = CASE_EDGE,
     .prepare = prepare_any, .launch = launch_transpose_naive, .reference = reference,
     .baseline = baseline},
    {.family = "transpose", .name = "transpose_tiled", .summary = "tiles in shared memory",
     .problem = "transpose",
     .takes = CASE_PLANES, .blocks = TILE_BLOCKS, .sizes = SIZES, .timing_n = 4096,
     .counts = CASE_EDGE,
     .prepare = prepare_tiles, .launch = launch_transpose_tiled, .reference = reference,
     .baseline = baseline},
    {.family = "transpose", .name = "transpose_padded",
     .summary = "padded tiles, without bank conflicts", .problem = "transpose",
     .takes = CASE_PLANES, .blocks = TILE_BLOCKS, .sizes = SIZES, .timing_n = 4096,
     .counts = CASE_EDGE,
     .prepare = prepare_tiles, .launch = launch_transpose_padded, .reference = reference,
     .baseline = baseline},
    {.family = "transpose", .name = "transpose_wide",
     .summary = "16 loads in flight in each thread", .problem = "transpose",
     .takes = CASE_PLANES, .blocks = {{32, 8}}, .sizes = SIZES, .timing_n = 4096,
     .counts = CASE_EDGE,
     .prepare = prepare_wide, .launch = launch_transpose_wide, .reference = reference,
     .baseline = baseline},
};
/* clang-format on */
GALLERY_CASES(cases)
