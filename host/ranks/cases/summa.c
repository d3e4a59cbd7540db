/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A B of n x n matrices on a grid of ranks, each with one block of each matrix: SUMMA (R. van
 * de Geijn and J. Watts, "SUMMA: scalable universal matrix multiplication algorithm", Concurrency
 * 9, 1997). In each step the ranks that have some columns of A send them along their row of ranks,
 * and those that have the rows of B with the same numbers along their column; the next ones are on
 * their way meanwhile. Each element of C is one sum in ascending order. */
#include "cases.h"

#include <math.h> /* fabs */

enum { PANEL = 48 /* the most columns of A in a step */ };

/* C += A B.  a: rows x depth; b: depth x columns; c: rows x columns, row-major */
KERNEL(summa_update)(int rows, int columns, int depth, const REAL *RESTRICT a,
                     const REAL *RESTRICT b, REAL *RESTRICT c)
{
    GRID_STRIDE_LOOP_2D(j, i, columns, rows) {
        REAL sum = c[(long long)i * columns + j];
        for (int k = 0; k < depth; k++)
            sum += a[(long long)i * depth + k] * b[(long long)k * columns + j];
        c[(long long)i * columns + j] = sum;
    }
}

/* The grid of ranks, row-major, and the parts of the matrices' rows and columns. */
struct ranks_grid {
    int rows, columns, row, column;
    long long *row_starts, *column_starts;
};

static struct ranks_grid make_grid(int n, const struct portable_ranks *me)
{
    struct ranks_grid grid;

    portable_partition_grid(me->count, &grid.rows, &grid.columns);
    grid.row = me->rank / grid.columns;
    grid.column = me->rank % grid.columns;
    grid.row_starts = (long long *)case_memory((size_t)grid.rows + 1, sizeof(long long));
    grid.column_starts = (long long *)case_memory((size_t)grid.columns + 1, sizeof(long long));
    portable_partition_even(n, grid.rows, grid.row_starts);
    portable_partition_even(n, grid.columns, grid.column_starts);
    return grid;
}

static REAL element_of(int n, int matrix, long long row, long long column)
{
    return case_random(((unsigned long long)matrix << 50) +
                       (unsigned long long)row * (unsigned long long)n +
                       (unsigned long long)column);
}

/* This rank's block of A (0) or B (1). */
static REAL *make_block(int n, int matrix, const struct ranks_grid *grid)
{
    const long long top = grid->row_starts[grid->row], bottom = grid->row_starts[grid->row + 1];
    const long long left = grid->column_starts[grid->column];
    const long long width = grid->column_starts[grid->column + 1] - left;
    const size_t count = (size_t)((bottom - top) * width);
    REAL *host = (REAL *)case_memory(count, sizeof *host);

    for (long long row = top; row < bottom; row++)
        for (long long k = 0; k < width; k++)
            host[(row - top) * width + k] = element_of(n, matrix, row, left + k);
    REAL *device = case_device_reals(count, host);
    free(host);
    return device;
}

/* Columns first...end - 1 of A and the rows of B with these numbers, each on ranks of one column or
 * row of the grid, and the plans that bring them to every rank: from a_first elements on in its
 * block of A, and b_first in that of B. */
struct panel {
    long long first, end;
    int a_owner, b_owner;
    size_t a_first, b_first;
    struct portable_exchange *of_a, *of_b;
};

/* The plan that brings `send`, which rank `owner` of a line of ranks has, to all of the line. Rank
 * k of the line is rank line_first + k line_step. */
static struct portable_exchange *make_plan(int owner, int place, int line, int line_first,
                                           int line_step, const struct portable_region *send)
{
    struct portable_message *messages =
        (struct portable_message *)case_memory((size_t)line, sizeof *messages);
    struct portable_exchange *plan;
    const size_t count = send->length * (send->runs > 1 ? send->runs : 1);

    for (int k = 0; k < line; k++) {
        messages[k].to = place == owner ? line_first + k * line_step : PORTABLE_PROC_NULL;
        messages[k].from = k == 0 ? line_first + owner * line_step : PORTABLE_PROC_NULL;
        messages[k].send = *send;
        messages[k].receive.length = count;
    }
    PORTABLE_RANKS_CHECK(portable_exchange_create(&plan, sizeof(REAL), line, messages));
    free(messages);
    return plan;
}

/* The panel from column `first` on, which takes the plans of those before it that have the same
 * owner and width. */
static struct panel make_panel(long long first, int n, const struct ranks_grid *grid,
                               const struct panel *before, int before_count)
{
    struct panel panel = {first, first + PANEL < n ? first + PANEL : n, 0, 0, 0, 0, NULL, NULL};
    const size_t rows = (size_t)(grid->row_starts[grid->row + 1] - grid->row_starts[grid->row]);
    const long long left = grid->column_starts[grid->column], top = grid->row_starts[grid->row];
    const size_t columns = (size_t)(grid->column_starts[grid->column + 1] - left);
    struct portable_region of_a, of_b;

    panel.a_owner = portable_partition_owner(grid->column_starts, grid->columns, first);
    panel.b_owner = portable_partition_owner(grid->row_starts, grid->rows, first);
    const long long a_end = grid->column_starts[panel.a_owner + 1];
    const long long b_end = grid->row_starts[panel.b_owner + 1];
    panel.end = a_end < panel.end ? a_end : panel.end;
    panel.end = b_end < panel.end ? b_end : panel.end;
    const size_t width = (size_t)(panel.end - first);
    if (grid->column == panel.a_owner)
        panel.a_first = (size_t)(first - left);
    if (grid->row == panel.b_owner)
        panel.b_first = (size_t)(first - top) * columns;
    for (int k = 0; k < before_count; k++)
        if (before[k].end - before[k].first == panel.end - first) {
            panel.of_a = before[k].a_owner == panel.a_owner ? before[k].of_a : panel.of_a;
            panel.of_b = before[k].b_owner == panel.b_owner ? before[k].of_b : panel.of_b;
        }
    memset(&of_a, 0, sizeof of_a);
    memset(&of_b, 0, sizeof of_b);
    if (rows > 0) {
        of_a.length = width;
        of_a.runs = rows;
        of_a.stride = columns > width ? columns : width;
    }
    of_b.length = width * columns;
    if (!panel.of_a)
        panel.of_a = make_plan(panel.a_owner, grid->column, grid->columns,
                               grid->row * grid->columns, 1, &of_a);
    if (!panel.of_b)
        panel.of_b =
            make_plan(panel.b_owner, grid->row, grid->rows, grid->column, grid->columns, &of_b);
    return panel;
}

/* All panels in order; *count: their number. The caller frees them by free_panels. */
static struct panel *make_panels(int n, const struct ranks_grid *grid, int *count)
{
    const size_t most = (size_t)(n / PANEL + grid->rows + grid->columns) + 1;
    struct panel *panels = (struct panel *)case_memory(most, sizeof *panels);

    *count = 0;
    for (long long first = 0; first < n; first = panels[*count - 1].end) {
        panels[*count] = make_panel(first, n, grid, panels, *count);
        ++*count;
    }
    return panels;
}

static void free_panels(struct panel *panels, int count)
{
    for (int k = 0; k < count; k++) {
        struct portable_exchange *of_a = panels[k].of_a, *of_b = panels[k].of_b;

        PORTABLE_RANKS_CHECK(portable_exchange_destroy(of_a));
        PORTABLE_RANKS_CHECK(portable_exchange_destroy(of_b));
        for (int later = k; later < count; later++) {
            panels[later].of_a = panels[later].of_a == of_a ? NULL : panels[later].of_a;
            panels[later].of_b = panels[later].of_b == of_b ? NULL : panels[later].of_b;
        }
    }
    free(panels);
}

/* Starts to bring the panel to this rank. */
static void begin_panel(const struct panel *panel, const REAL *a, const REAL *b, REAL *panel_a,
                        REAL *panel_b, portable_stream stream)
{
    PORTABLE_RANKS_CHECK(portable_exchange_begin(panel->of_a, a + panel->a_first, panel_a, stream));
    PORTABLE_RANKS_CHECK(portable_exchange_begin(panel->of_b, b + panel->b_first, panel_b, stream));
}

static void check(int n, const REAL *block, const struct ranks_grid *grid)
{
    const long long top = grid->row_starts[grid->row], bottom = grid->row_starts[grid->row + 1];
    const long long left = grid->column_starts[grid->column];
    const long long right = grid->column_starts[grid->column + 1];

    for (long long row = top; row < bottom; row++)
        for (long long column = left; column < right; column++) {
            double sum = 0, size = 0;

            for (int k = 0; k < n; k++) {
                const double product =
                    (double)element_of(n, 0, row, k) * (double)element_of(n, 1, k, column);

                sum += product;
                size += fabs(product);
            }
            case_expect("summa", row * n + column,
                        (double)block[(row - top) * (right - left) + column - left], sum,
                        (n + 1) * REAL_EPSILON * size);
        }
}

/* Spreads a block over the rank's rows of a whole matrix, zero elsewhere. */
KERNEL(summa_spread)(int rows, int columns, int n, long long first, const REAL *RESTRICT block,
                     REAL *RESTRICT whole)
{
    GRID_STRIDE_LOOP_2D(j, i, columns, rows)
        whole[first + (long long)i * n + j] = block[(long long)i * columns + j];
}

/* The whole matrix on rank 0's part of a distributed one, to write it: each element is on one rank,
 * and the others add 0 to it. */
static void dump(const struct rank_options *options, const struct ranks_grid *grid, const REAL *c)
{
    const struct portable_ranks *me = &options->me;
    const int n = options->n;
    const size_t count = (size_t)n * (size_t)n;
    const long long top = grid->row_starts[grid->row], left = grid->column_starts[grid->column];
    const int rows = (int)(grid->row_starts[grid->row + 1] - top);
    const int columns = (int)(grid->column_starts[grid->column + 1] - left);
    long long *starts = (long long *)case_memory((size_t)me->count + 1, sizeof *starts);

    for (int r = 1; r <= me->count; r++)
        starts[r] = n;
    REAL *whole = case_device_reals(count, NULL);
    PORTABLE_RANKS_CHECK(portable_memset(whole, 0, count * sizeof *whole));
    if (rows > 0 && columns > 0)
        PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(
            summa_spread, DIM3((unsigned)(columns + 31) / 32, (unsigned)(rows + 7) / 8, 1),
            DIM3(32, 8, 1), 0, 0, rows, columns, n, top * n + left, c, whole));
    PORTABLE_RANKS_CHECK(
        portable_ranks_all_reduce(whole, count, PORTABLE_RANKS_REAL, PORTABLE_RANKS_SUM, 0));
    case_dump(options, "summa", whole, starts, (size_t)n);
    PORTABLE_RANKS_CHECK(portable_free(whole));
    free(starts);
}

static double run(const struct rank_options *options)
{
    const struct portable_ranks *me = &options->me;
    const int n = options->n;
    struct ranks_grid grid = make_grid(n, me);
    const int rows = (int)(grid.row_starts[grid.row + 1] - grid.row_starts[grid.row]);
    const int columns =
        (int)(grid.column_starts[grid.column + 1] - grid.column_starts[grid.column]);
    const size_t count = (size_t)rows * (size_t)columns;
    REAL *a = make_block(n, 0, &grid), *b = make_block(n, 1, &grid), first = 0;
    REAL *c = case_device_reals(count, NULL), *panels_a[2], *panels_b[2];
    int panel_count;
    struct panel *panels = make_panels(n, &grid, &panel_count);
    portable_stream stream;

    for (int k = 0; k < 2; k++) {
        panels_a[k] = case_device_reals((size_t)rows * PANEL, NULL);
        panels_b[k] = case_device_reals((size_t)columns * PANEL, NULL);
    }
    PORTABLE_RANKS_CHECK(portable_stream_create(&stream));
    for (int k = 0; case_goes_on(options, k); k++) {
        if (count > 0)
            PORTABLE_RANKS_CHECK(portable_memset_async(c, 0, count * sizeof *c, stream));
        begin_panel(&panels[0], a, b, panels_a[0], panels_b[0], stream);
        for (int step = 0; step < panel_count; step++) {
            const struct panel *here = &panels[step];
            const int next = (step + 1) % 2;

            PORTABLE_RANKS_CHECK(portable_exchange_wait(here->of_a, stream));
            PORTABLE_RANKS_CHECK(portable_exchange_wait(here->of_b, stream));
            if (step + 1 < panel_count)
                begin_panel(here + 1, a, b, panels_a[next], panels_b[next], stream);
            if (count > 0)
                PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(
                    summa_update, DIM3((unsigned)(columns + 31) / 32, (unsigned)(rows + 7) / 8, 1),
                    DIM3(32, 8, 1), 0, stream, rows, columns, (int)(here->end - here->first),
                    panels_a[step % 2], panels_b[step % 2], c));
        }
    }

    PORTABLE_RANKS_CHECK(portable_stream_synchronize(stream));
    PORTABLE_RANKS_CHECK(portable_stream_destroy(stream));
    free_panels(panels, panel_count);
    if (options->dump)
        dump(options, &grid, c);
    if (count > 0 && case_is_checked(options, (double)n * n * n)) {
        REAL *host = (REAL *)case_memory(count, sizeof *host);

        PORTABLE_RANKS_CHECK(portable_copy_to_host(host, c, count * sizeof *host));
        check(n, host, &grid);
        first = host[0];
        free(host);
    }
    for (int k = 0; k < 2; k++) {
        PORTABLE_RANKS_CHECK(portable_free(panels_a[k]));
        PORTABLE_RANKS_CHECK(portable_free(panels_b[k]));
    }
    PORTABLE_RANKS_CHECK(portable_free(a));
    PORTABLE_RANKS_CHECK(portable_free(b));
    PORTABLE_RANKS_CHECK(portable_free(c));
    free(grid.row_starts);
    free(grid.column_starts);
    return (double)first;
}

static double work(int n)
{
    return 2.0 * n * n * n;
}

const struct rank_case case_summa = {
    "summa", "product of matrices on a grid of ranks; panels overlap: the first element",
    130,     0,
    NULL,    0,
    work,    "flop",
    3,       run};
