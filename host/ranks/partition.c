/* SPDX-License-Identifier: BSD-3-Clause */
/* Partitions of an index space, and the plan that fetches the elements that rows of a sparse matrix
 * multiply. */
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

/* Sorts, and removes duplicates; returns the new number. */
static int sort_unique(int *values, int count)
{
    int unique = 0;

    if (count > 0)
        qsort(values, (size_t)count, sizeof *values, compare_ints);
    for (int k = 0; k < count; k++)
        if (unique == 0 || values[k] != values[unique - 1])
            values[unique++] = values[k];
    return unique;
}

/* Elements to receive and to send. The arrays of bytes and of messages have an element per rank. */
struct lists {
    int *ghosts;   /* columns that other ranks own, ascending */
    int *requests; /* elements of this rank that other ranks need, in the order of the ranks */
    size_t *ghost_bytes, *request_bytes; /* of `ghosts` from each rank, and of `requests` of each */
    struct portable_message *messages;
};

static portable_status make_plan(struct portable_exchange **exchange, struct lists *lists, int rows,
                                 int ghost_count, const long long *starts)
{
    const int count = ranks_here.count, rank = ranks_here.rank;
    size_t request_count = 0, offset = 0;
    int messages = 0;
    portable_status status = PORTABLE_SUCCESS;

    for (int k = 0; k < ghost_count; k++)
        lists->ghost_bytes[portable_partition_owner(starts, count, lists->ghosts[k])] +=
            sizeof *lists->ghosts;
    ranks_exchange_hosts(lists->ghost_bytes, lists->request_bytes, sizeof *lists->ghost_bytes);
    for (int r = 0; r < count; r++)
        request_count += lists->request_bytes[r] / sizeof *lists->requests;
    lists->requests = (int *)malloc((request_count + 1) * sizeof *lists->requests);
    if (!lists->requests)
        status = portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for %zu indices",
                                request_count);
    status = ranks_agree(status);
    if (status != PORTABLE_SUCCESS)
        return status;
    ranks_exchange_hosts_of(lists->ghosts, lists->ghost_bytes, lists->requests,
                            lists->request_bytes);
    for (size_t k = 0; k < request_count; k++)
        lists->requests[k] -= (int)starts[rank];
    request_count = 0;
    for (int r = 0; r < count; r++) {
        const size_t in = lists->ghost_bytes[r] / sizeof(int);
        const size_t out = lists->request_bytes[r] / sizeof(int);

        if (in + out > 0) {
            const struct portable_message message = {
                out > 0 ? r : PORTABLE_PROC_NULL,
                in > 0 ? r : PORTABLE_PROC_NULL,
                {0, out, 1, 0, lists->requests + request_count},
                {(size_t)rows + offset, in, 1, 0, NULL}};
            lists->messages[messages++] = message;
        }
        offset += in;
        request_count += out;
    }
    return portable_exchange_create(exchange, sizeof(REAL), messages, lists->messages);
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
    struct lists lists = {(int *)malloc(((size_t)nonzeros + 1) * sizeof(int)), NULL,
                          (size_t *)calloc(count, sizeof(size_t)),
                          (size_t *)calloc(count, sizeof(size_t)),
                          (struct portable_message *)calloc(count, sizeof *lists.messages)};
    int ghost_count = 0;

    if (!lists.ghosts || !lists.ghost_bytes || !lists.request_bytes || !lists.messages)
        status =
            portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for the plan of %d rows", rows);
    for (int k = 0; k < nonzeros && status == PORTABLE_SUCCESS; k++) {
        const int column = column_indices[k];

        if (column < 0 || column >= starts[count])
            status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                    "%s: column %d, but the matrix has %lld", __func__, column,
                                    starts[count]);
        else if (column < first || column >= end)
            lists.ghosts[ghost_count++] = column;
    }
    status = ranks_agree(status);
    if (status == PORTABLE_SUCCESS) {
        ghost_count = sort_unique(lists.ghosts, ghost_count);
        status = make_plan(exchange, &lists, rows, ghost_count, starts);
    }
    for (int k = 0; k < nonzeros && status == PORTABLE_SUCCESS; k++) {
        const int column = column_indices[k];
        const int *found = (const int *)(column >= first && column < end
                                             ? NULL
                                             : bsearch(&column, lists.ghosts, (size_t)ghost_count,
                                                       sizeof column, compare_ints));

        column_indices[k] = found ? rows + (int)(found - lists.ghosts) : column - (int)first;
    }
    *ghosts = status == PORTABLE_SUCCESS ? ghost_count : 0;
    free(lists.ghosts);
    free(lists.requests);
    free(lists.ghost_bytes);
    free(lists.request_bytes);
    free(lists.messages);
    return status;
}
