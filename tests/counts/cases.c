/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels whose accesses to memory can be counted by hand; tests/counts/run.sh has the counts.
 * Blocks have 32 threads. x: 8 n words; y: n */
#include "host/case.h"

enum { STRIDE = 8 /* words in a sector */ };

KERNEL(copy_words)(int n, int stride, const unsigned *x, unsigned *y)
{
    GRID_STRIDE_LOOP(i, n)
        y[i] = x[stride * i];
}

/* Every stride-th bank, once for a store and once for a load. */
KERNEL(use_banks)(int n, unsigned stride, unsigned *y)
{
    FOR_EACH_BLOCK(32) {
        SHARED(unsigned, words, [32 * 32]);
        FOR_EACH_THREAD {
            const unsigned i = blockIdx.x * 32 + threadIdx.x;
            words[stride * threadIdx.x] = i;
            if (i < (unsigned)n)
                y[i] = words[stride * threadIdx.x];
        }
    }
}

KERNEL(add_all)(int n, const unsigned *x, unsigned *y)
{
    GRID_STRIDE_LOOP(i, n)
        ATOMIC_ADD(y, x[i]);
}

KERNEL(store_half)(int n, unsigned *y)
{
    GRID_STRIDE_LOOP(i, n)
        if (i % 32 < 16)
            y[i] = 1;
}

/* The k-th lane of a warp reads k words. */
KERNEL(read_rows)(int n, const unsigned *x, unsigned *y)
{
    GRID_STRIDE_LOOP(i, n) {
        unsigned sum = 0;
        for (int k = 0; k < i % 32; k++)
            sum += x[k];
        y[i] = sum;
    }
}

/* Each element reads `each` words. */
KERNEL(read_each)(int n, int each, const unsigned *x, unsigned *y)
{
    GRID_STRIDE_LOOP(i, n) {
        unsigned sum = 0;
        for (int k = 0; k < each; k++)
            sum += x[k];
        y[i] = sum;
    }
}

static int prepare(struct run *run, struct io_error *error)
{
    run_input_array(run, "x", ARRAY_UINT32, (size_t)run->n * STRIDE);
    run_update_array(run, "y", ARRAY_UINT32, (size_t)run->n, OWNER_NONE);
    run_cover(run, run->n);
    run->bytes = 8.0 * run->n;
    return run_ready(run, error);
}

#define LAUNCH(name, kernel, ...)                                                                  \
    static portable_status name(struct run *run)                                                   \
    {                                                                                              \
        return KERNEL_LAUNCH(kernel, run->grid, run->block, 0, 0, run->n, __VA_ARGS__);            \
    }
#define X DEVICE_WORDS("x")
#define Y DEVICE_WORDS("y")
LAUNCH(launch_coalesced, copy_words, 1, X, Y)
LAUNCH(launch_strided, copy_words, STRIDE, X, Y)
LAUNCH(launch_banks, use_banks, 1, Y)
LAUNCH(launch_conflicts, use_banks, 32, Y)
LAUNCH(launch_atomics, add_all, X, Y)
LAUNCH(launch_divergent, store_half, Y)
LAUNCH(launch_uneven, read_rows, X, Y)
LAUNCH(launch_quadratic, read_each, run->n, X, Y)
/* From the largest size on, an element takes eight times as long. */
LAUNCH(launch_cliff, read_each, run->n < case_timing_size(run->test_case) ? 4 : 32, X, Y)

/* clang-format off */
#define CASE(called) {.family = "counts", .name = #called, .summary = "", .blocks = {{32}}, \
    .sizes = {1, 64}, .timing_n = 1 << 14, .prepare = prepare, .launch = launch_##called}
static const struct gallery_case cases[] = {
    CASE(coalesced), CASE(strided), CASE(banks), CASE(conflicts), CASE(atomics), CASE(divergent),
    CASE(uneven), CASE(quadratic), CASE(cliff),
    {.family = "counts", .name = "small", .summary = "", .blocks = {{32}}, .sizes = {1024},
     .timing_n = 1 << 14, .prepare = prepare, .launch = launch_coalesced},
};
/* clang-format on */
GALLERY_CASES(cases)
