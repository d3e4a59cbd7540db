/* SPDX-License-Identifier: BSD-3-Clause */
/* A distributed array from and to .npy files, which rank 0 reads and writes. */
#include "internal.h"

#include "host/npy.h"

static const enum array_type array_types[] = {ARRAY_INT32,  ARRAY_UINT32,  ARRAY_INT64,
                                              ARRAY_UINT64, ARRAY_FLOAT32, ARRAY_FLOAT64};

/* Whether the call may begin, with elements of this type. */
static portable_status ready_for(const char *call, enum portable_ranks_type type)
{
    const portable_status status = ranks_ready(call);

    if (status == PORTABLE_SUCCESS && ranks_type_size(type) == 0)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s: there is no type %d", call,
                              (int)type);
    return status;
}

/* Rank 0: reads the file, and checks it. */
static portable_status read_whole(const char *path, enum portable_ranks_type type,
                                  struct array *array)
{
    struct io_error error;

    if (npy_read(path, array, &error) != 0)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s", error.text);
    if (array->type != array_types[type])
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s: the type is %s, expected %s", path,
                              array_type_name(array->type), array_type_name(array_types[type]));
    if (array->rank != 1 && array->rank != 2)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "%s: the array has %d dimensions, expected 1 or 2", path,
                              array->rank);
    return PORTABLE_SUCCESS;
}

/* Sends each rank its rows of rank 0's array, `row` bytes long, to `data` on its device; after
 * `status`, which may differ between the ranks. */
static portable_status scatter(portable_status status, const struct array *array,
                               const long long *starts, size_t row, void *data)
{
    const int rank = ranks_here.rank;
    const size_t bytes = (size_t)(starts[rank + 1] - starts[rank]) * row;
    char *part = NULL;

    if (status == PORTABLE_SUCCESS && rank != 0 && !(part = (char *)malloc(bytes + 1)))
        status = portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes", bytes);
    status = ranks_agree(status);
    for (int r = 1; r < ranks_here.count && status == PORTABLE_SUCCESS && rank == 0; r++)
        ranks_send_host((const char *)array->data + (size_t)starts[r] * row,
                        (size_t)(starts[r + 1] - starts[r]) * row, r);
    if (status == PORTABLE_SUCCESS && rank != 0)
        ranks_receive_host(part, bytes, 0);
    if (status == PORTABLE_SUCCESS && bytes > 0)
        status = portable_copy_to_device(data, part ? (const void *)part : array->data, bytes);
    free(part);
    return ranks_agree(status);
}

portable_status portable_ranks_read_npy(const char *path, enum portable_ranks_type type,
                                        void **data, long long *starts, size_t *columns)
{
    struct array array = {ARRAY_UINT8, 0, {0}, NULL};
    unsigned long long shape[2] = {0, 1};
    portable_status status = ready_for(__func__, type);

    *data = NULL;
    if (status != PORTABLE_SUCCESS)
        return status;
    const int rank = ranks_here.rank;
    if (rank == 0)
        status = read_whole(path, type, &array);
    status = ranks_agree(status);
    if (status == PORTABLE_SUCCESS) {
        if (rank == 0) {
            shape[0] = array.shape[0];
            shape[1] = array.rank == 2 ? array.shape[1] : 1;
        }
        ranks_broadcast_host(shape, sizeof shape);
    }
    const size_t row = (size_t)shape[1] * ranks_type_size(type);
    portable_partition_even((long long)shape[0], ranks_here.count, starts);
    *columns = (size_t)shape[1];
    if (status == PORTABLE_SUCCESS) {
        status = portable_malloc(data, (size_t)(starts[rank + 1] - starts[rank]) * row);
        status = scatter(status, &array, starts, row, *data);
    }
    array_free(&array);
    if (status != PORTABLE_SUCCESS) {
        portable_free(*data);
        *data = NULL;
    }
    return status;
}

portable_status ranks_read_rows(const char *path, enum portable_ranks_type type, size_t columns,
                                const long long *starts, void *data)
{
    const size_t rows = (size_t)starts[ranks_here.count];
    struct array array = {ARRAY_UINT8, 0, {0}, NULL};
    char shape[ARRAY_TEXT_SIZE];
    portable_status status = PORTABLE_SUCCESS;

    if (ranks_here.rank == 0) {
        status = read_whole(path, type, &array);
        if (status == PORTABLE_SUCCESS &&
            (array.shape[0] != rows || (array.rank == 2 ? array.shape[1] : 1) != columns)) {
            array_shape_text(array.rank, array.shape, shape, sizeof shape);
            status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                                    "%s: the shape is %s, expected %zu rows of %zu", path, shape,
                                    rows, columns);
        }
    }
    status = scatter(status, &array, starts, columns * ranks_type_size(type), data);
    array_free(&array);
    return status;
}

portable_status portable_ranks_write_npy(const char *path, enum portable_ranks_type type,
                                         const void *data, const long long *starts, size_t columns)
{
    const int rank = ranks_here.rank, count = ranks_here.count;
    struct array array = {ARRAY_UINT8, 0, {0}, NULL};
    struct io_error error;
    char *part = NULL;
    portable_status status = ready_for(__func__, type);

    if (status != PORTABLE_SUCCESS)
        return status;
    const size_t row = columns * ranks_type_size(type);
    const size_t bytes = (size_t)(starts[rank + 1] - starts[rank]) * row;
    if (rank == 0) {
        const size_t shape[] = {(size_t)starts[count], columns};

        if (array_allocate(&array, array_types[type], columns == 1 ? 1 : 2, shape, &error) != 0)
            status = portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "%s: %s", path, error.text);
    } else if (!(part = (char *)malloc(bytes + 1)))
        status = portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes", bytes);
    if (status == PORTABLE_SUCCESS && bytes > 0)
        status = portable_copy_to_host(part ? (void *)part : array.data, data, bytes);
    status = ranks_agree(status);
    if (status == PORTABLE_SUCCESS && rank != 0)
        ranks_send_host(part, bytes, 0);
    for (int r = 1; r < count && status == PORTABLE_SUCCESS && rank == 0; r++)
        ranks_receive_host((char *)array.data + (size_t)starts[r] * row,
                           (size_t)(starts[r + 1] - starts[r]) * row, r);
    if (status == PORTABLE_SUCCESS && rank == 0 && npy_write(path, &array, &error) != 0)
        status = portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s", error.text);
    free(part);
    array_free(&array);
    return ranks_agree(status);
}
