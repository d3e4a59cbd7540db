/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has what: parts of an index space, and the elements that a sparse matrix needs from
 * others. */
#include "internal.h"

void portable_partition_even(long long n, int count, long long *starts)
{
    starts[0] = 0;
    for (int r = 0; r < count; r++)
        starts[r + 1] = starts[r] + n / count + (r < n % count);
}

void portable_partition_rows(int rows, const int *row_offsets, int count, long long *starts)
{
    int row = 0;

    for (int r = 0; r < count; r++) {
        const double before = (double)row_offsets[rows] * r / count;

        while (row < rows && (double)row_offsets[row] < before)
            row++;
        starts[r] = row;
    }
    starts[0] = 0;
    starts[count] = rows;
}

void portable_partition_grid(int count, int *rows, int *columns)
{
    *rows = 1;
    for (int k = 1; k <= count / k; k++)
        if (count % k == 0)
            *rows = k;
    *columns = count / *rows;
}

int portable_partition_owner(const long long *starts, int count, long long index)
{
    int low = 0, high = count; /* starts[low] <= index < starts[high] */

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        if (starts[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ===============================================================================================
 * The elements of a vector that rows of a matrix multiply
 * ============================================================================================== */

static int compare_ints(const void *a, const void *b)
{
    const int left = *(const int *)a, right = *(const int *)b;

    return (left > right) - (left < right);
}

/* Sorts, and removes what occurs twice; the new number. */
static int sort_unique(int *values, int count)
{
    int kept = 0;

    if (count > 0)
        qsort(values, (size_t)count, sizeof *values, compare_ints);
    for (int k = 0; k < count; k++)
        if (kept == 0 || values[k] != values[kept - 1])
            values[kept++] = values[k];
    return kept;
}

/* Arrays of one element per rank, and lists of elements. */
struct needs {
    int *wanted;            /* columns that other ranks have, ascending */
    int *asked;             /* elements of this rank that others want, in the order of the ranks */
    size_t *bytes, *others; /* of `wanted` from each rank, and of `asked` by each */
    struct portable_message *messages;
};

static portable_status make_plan(struct portable_exchange **exchange, struct needs *needs, int rows,
                                 int wanted, const long long *starts)
{
    const int count = ranks_here.count, rank = ranks_here.rank;
    size_t asked = 0, offset = 0;
    int messages = 0;
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < wanted; k++)
        needs->bytes[portable_partition_owner(starts, count, needs->wanted[k])] +=
            sizeof *needs->wanted;
    ranks_exchange_hosts(needs->bytes, needs->others, sizeof *needs->bytes);
    for (int r = 0; r < count; r++)
        asked += needs->others[r] / sizeof *needs->asked;
    needs->asked = (int *)malloc((asked + 1) * sizeof *needs->asked);
    if (!needs->asked)
        status = portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for %zu indices", asked);
    status = ranks_agree(status);
    if (status != PORTABLE_SUCCESS)
        return status;
    ranks_exchange_hosts_of(needs->wanted, needs->bytes, needs->asked, needs->others);
    for (size_t k = 0; k < asked; k++)
        needs->asked[k] -= (int)starts[rank];
    asked = 0;
    for (int r = 0; r < count; r++) {
        const size_t in = needs->bytes[r] / sizeof(int);
        const size_t out = needs->others[r] / sizeof(int);

        if (in + out > 0) {
            const struct portable_message message = {out > 0 ? r : PORTABLE_NOBODY,
                                                     in > 0 ? r : PORTABLE_NOBODY,
                                                     {0, out, 1, 0, needs->asked + asked},
                                                     {(size_t)rows + offset, in, 1, 0, NULL}};
            needs->messages[messages++] = message;
        }
        offset += in;
        asked += out;
    }
    return portable_exchange_create(exchange, sizeof(REAL), messages, needs->messages);
}

portable_status portable_exchange_of_rows(struct portable_exchange **exchange, int *ghosts,
                                          const long long *starts, const int *row_offsets,
                                          int *column_indices)
{
    portable_status status = ranks_ready(__func__);

    *exchange = NULL;
    *ghosts = 0;
    if (status != PORTABLE_SUCCESS)
        return status;
    const size_t count = (size_t)ranks_here.count;
    const long long first = starts[ranks_here.rank], end = starts[ranks_here.rank + 1];
    const int rows = (int)(end - first), nonzeros = row_offsets[rows];
    struct needs needs = {(int *)malloc(((size_t)nonzeros + 1) * sizeof(int)), NULL,
                          (size_t *)calloc(count, sizeof(size_t)),
                          (size_t *)calloc(count, sizeof(size_t)),
                          (struct portable_message *)calloc(count, sizeof *needs.messages)};
    int wanted = 0;

    if (!needs.wanted || !needs.bytes || !needs.others || !needs.messages)
        status =
            portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for the plan of %d rows", rows);
    for (int k = 0; k < nonzeros && status == PORTABLE_SUCCESS; k++) {
        const int column = column_indices[k];

        if (column < 0 || column >= starts[count])
            status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                    "%s: column %d, but the matrix has %lld", __func__, column,
                                    starts[count]);
        else if (column < first || column >= end)
            needs.wanted[wanted++] = column;
    }
    status = ranks_agree(status);
    if (status == PORTABLE_SUCCESS) {
        wanted = sort_unique(needs.wanted, wanted);
        status = make_plan(exchange, &needs, rows, wanted, starts);
    }
    for (int k = 0; k < nonzeros && status == PORTABLE_SUCCESS; k++) {
        const int column = column_indices[k];
        const int *found = (const int *)(column >= first && column < end
                                             ? NULL
                                             : bsearch(&column, needs.wanted, (size_t)wanted,
                                                       sizeof column, compare_ints));

        column_indices[k] = found ? rows + (int)(found - needs.wanted) : column - (int)first;
    }
    *ghosts = status == PORTABLE_SUCCESS ? wanted : 0;
    free(needs.wanted);
    free(needs.asked);
    free(needs.bytes);
    free(needs.others);
    free(needs.messages);
    return status;
}
