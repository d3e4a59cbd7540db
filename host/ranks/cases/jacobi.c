/* SPDX-License-Identifier: BSD-3-Clause */
/* Jacobi's method for Laplace's equation on n x n points, with the norm of the change in each step:
 * the problem of NVIDIA's multi-gpu-programming-models. The first and the last column are fixed, to
 * sin(2 pi y / (n - 1)), the rows are periodic. Slabs of rows; the halo is on its way while the
 * inner rows are computed. */
#include "cases.h"

#include <math.h> /* fabs, sin, sqrt */

/* Columns that a block computes of each of its rows: a strip, at a multiple of this. */
enum { STRIP = 1024, BLOCK_ROWS = 16 };

/* A step in every apart-th of `rows` rows of n points: each inner point becomes the mean of its
 * four neighbours. changes[row * strips + strip] is the sum of the squared changes there, in an
 * order that depends on n alone. Rows stay in the cache from one to the next.
 * u, next: the first of these rows, with a row before it and behind; changes: rows * strips
 * elements; grid: strips x any */
KERNEL(jacobi_step)(int n, int rows, int apart, const REAL *RESTRICT u, REAL *RESTRICT next,
                    REAL *RESTRICT changes)
{
    FOR_EACH_BLOCK(256) {
        PRIVATE(REAL, sum);
        const int tall = apart > 1 ? apart : BLOCK_ROWS;
        for (int top = (int)blockIdx.y * tall; top < rows; top += (int)gridDim.y * tall) {
            const int end = top + tall < rows ? top + tall : rows;
            for (int row = top; row < end; row += apart) {
                const REAL *RESTRICT here = u + (long long)row * n;
                FOR_EACH_THREAD
                    MINE(sum) = 0;
                for (int first = 0; first < STRIP; first += 256) {
                    FOR_EACH_THREAD {
                        const int x = (int)blockIdx.x * STRIP + first + (int)threadIdx.x;
                        if (x > 0 && x < n - 1) {
                            const REAL value = (REAL)0.25 * ((here[x - 1] + here[x + 1]) +
                                                             (here[x - n] + here[x + n]));
                            const REAL change = value - here[x];
                            next[(long long)row * n + x] = value;
                            MINE(sum) += change * change;
                        }
                    }
                }
                BLOCK_REDUCE_ADD(sum, sum);
                FOR_THREADS_BELOW(1)
                    changes[(long long)row * gridDim.x + blockIdx.x] = MINE(sum);
            }
        }
    }
}

static REAL boundary(int n, long long y)
{
    return n > 1 ? (REAL)sin(2 * 3.14159265358979323846 * (double)y / (n - 1)) : 0;
}

/* The whole problem in double precision; the caller frees it. */
static double *expected(int n, int iterations)
{
    const size_t size = (size_t)n * (size_t)n;
    double *u = (double *)case_memory(2 * size, sizeof *u), *next = u + size, *swap;

    for (int y = 0; y < n; y++) {
        u[(size_t)y * (size_t)n] = next[(size_t)y * (size_t)n] = boundary(n, y);
        u[(size_t)y * (size_t)n + (size_t)n - 1] = next[(size_t)y * (size_t)n + (size_t)n - 1] =
            boundary(n, y);
    }
    for (int k = 0; k < iterations; k++, swap = u, u = next, next = swap)
        for (int y = 0; y < n; y++) {
            const double *above = u + (size_t)((y + n - 1) % n) * (size_t)n;
            const double *here = u + (size_t)y * (size_t)n;
            const double *below = u + (size_t)((y + 1) % n) * (size_t)n;

            for (int x = 1; x < n - 1; x++)
                next[(size_t)y * (size_t)n + (size_t)x] =
                    0.25 * (here[x - 1] + here[x + 1] + above[x] + below[x]);
        }
    swap = (double *)case_memory(size, sizeof *swap);
    memcpy(swap, u, size * sizeof *swap);
    free(u < next ? u : next);
    return swap;
}

static int strips_of(int n)
{
    return (n + STRIP - 1) / STRIP;
}

static portable_status step(int n, int rows, int apart, const REAL *u, REAL *next, REAL *changes,
                            portable_stream stream)
{
    const int tall = apart > 1 ? apart : BLOCK_ROWS, blocks = (rows + tall - 1) / tall;

    return rows > 0 ? KERNEL_LAUNCH(jacobi_step,
                                    DIM3((unsigned)strips_of(n),
                                         blocks < 65535 ? (unsigned)blocks : 65535, 1),
                                    256, 0, stream, n, rows, apart, u, next, changes)
                    : PORTABLE_SUCCESS;
}

/* The rank before this one and the one after it, of those that have rows. */
static struct portable_exchange *make_halo(int n, const long long *starts,
                                           const struct portable_ranks *me)
{
    const long long first = starts[me->rank], end = starts[me->rank + 1];
    const size_t width = (size_t)n, rows = (size_t)(end - first);
    struct portable_exchange *halo;
    struct portable_message messages[2];

    memset(messages, 0, sizeof messages);
    if (rows > 0) {
        const int above = portable_partition_owner(starts, me->count, (first + n - 1) % n);
        const int below = portable_partition_owner(starts, me->count, end % n);
        const struct portable_region first_row = {width, width, 1, 0, NULL};
        const struct portable_region last_row = {rows * width, width, 1, 0, NULL};
        const struct portable_region row_above = {0, width, 1, 0, NULL};
        const struct portable_region row_below = {(rows + 1) * width, width, 1, 0, NULL};
        const struct portable_message up = {above, below, first_row, row_below};
        const struct portable_message down = {below, above, last_row, row_above};

        messages[0] = up;
        messages[1] = down;
    }
    PORTABLE_RANKS_CHECK(portable_exchange_create(&halo, sizeof(REAL), rows > 0 ? 2 : 0, messages));
    return halo;
}

/* A checkpoint: the points, and the changes of the last iteration, for the result. */
enum { SAVED = 2 };
static void list_arrays(struct portable_ranks_array *arrays, const long long *starts, int n,
                        REAL *u, REAL *changes)
{
    const struct portable_ranks_array list[SAVED] = {
        {"u", PORTABLE_RANKS_REAL, (size_t)n, starts, u + n},
        {"changes", PORTABLE_RANKS_REAL, (size_t)strips_of(n), starts, changes}};

    memcpy(arrays, list, sizeof list);
}

static double run(const struct rank_options *options)
{
    const struct portable_ranks *me = &options->me;
    const int n = options->n;
    long long *starts = (long long *)case_memory((size_t)me->count + 1, sizeof *starts);
    portable_partition_even(n, me->count, starts);
    const int rows = (int)(starts[me->rank + 1] - starts[me->rank]);
    const size_t width = (size_t)n, size = ((size_t)rows + 2) * width;
    REAL *start = (REAL *)case_memory(size, sizeof *start), sum = 0;

    for (int row = 0; row < rows; row++) {
        REAL *at = start + (size_t)(row + 1) * width;
        at[0] = at[n - 1] = boundary(n, starts[me->rank] + row);
    }
    REAL *u = case_device_reals(size, start), *next = case_device_reals(size, start), *swap;
    const size_t strips = (size_t)strips_of(n);
    REAL *changes = case_device_reals((size_t)rows * strips, NULL);
    long long *change_starts = (long long *)case_memory((size_t)me->count + 1, sizeof *starts);
    for (int r = 0; r <= me->count; r++)
        change_starts[r] = starts[r] * (long long)strips;
    struct portable_exchange *halo = make_halo(n, starts, me);
    struct portable_ranks_array saved[SAVED];
    portable_stream stream;

    PORTABLE_RANKS_CHECK(portable_stream_create(&stream));
    list_arrays(saved, starts, n, u, changes);
    const int done = case_resume(options, "jacobi", SAVED, saved);
    if (done > 0)
        PORTABLE_RANKS_CHECK(portable_ranks_sum_begin(changes, NULL, change_starts, stream));
    for (int k = done; case_goes_on(options, k); k++, swap = u, u = next, next = swap) {
        PORTABLE_RANKS_CHECK(portable_exchange_begin(halo, u, u, stream));
        PORTABLE_RANKS_CHECK(
            step(n, rows - 2, 1, u + 2 * width, next + 2 * width, changes + strips, stream));
        PORTABLE_RANKS_CHECK(portable_exchange_wait(halo, stream));
        /* The first row and the last. */
        PORTABLE_RANKS_CHECK(
            step(n, rows, rows > 2 ? rows - 1 : 1, u + width, next + width, changes, stream));
        /* The norm of the last step comes while this one is computed. */
        if (k > 0)
            PORTABLE_RANKS_CHECK(portable_ranks_sum_wait(&sum));
        PORTABLE_RANKS_CHECK(portable_ranks_sum_begin(changes, NULL, change_starts, stream));
        list_arrays(saved, starts, n, next, changes);
        case_save(options, "jacobi", k + 1, SAVED, saved, stream);
    }
    if (options->iterations > 0)
        PORTABLE_RANKS_CHECK(portable_ranks_sum_wait(&sum));

    PORTABLE_RANKS_CHECK(portable_stream_synchronize(stream));
    case_dump(options, "jacobi", u + width, starts, width);
    if (case_is_checked(options, (double)n * n * (options->iterations + 1.0))) {
        REAL *whole = case_whole(u + width, starts, width, me);

        if (me->rank == 0) {
            double *exact = expected(n, options->iterations);

            for (size_t k = 0; k < width * width; k++)
                case_expect("jacobi", (long long)k, (double)whole[k], exact[k],
                            4.0 * (options->iterations + 1) * REAL_EPSILON);
            free(exact);
        }
        free(whole);
    }
    PORTABLE_RANKS_CHECK(portable_exchange_destroy(halo));
    PORTABLE_RANKS_CHECK(portable_stream_destroy(stream));
    PORTABLE_RANKS_CHECK(portable_free(u));
    PORTABLE_RANKS_CHECK(portable_free(next));
    PORTABLE_RANKS_CHECK(portable_free(changes));
    free(start);
    free(change_starts);
    free(starts);
    return sqrt((double)sum);
}

static double work(int n)
{
    return (double)n * n;
}

const struct rank_case case_jacobi = {
    "jacobi", "Jacobi's method in slabs; the halo overlaps with the inner rows: norm of the change",
    203,      60,
    NULL,     1,
    work,     "points",
    2,        run};
