/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/array.h"

#include <inttypes.h> /* PRId64, PRIu64 */
#include <stdint.h>   /* int64_t and its family, SIZE_MAX, PTRDIFF_MAX */
#include <stdio.h>    /* snprintf */
#include <stdlib.h>   /* calloc, free */
#include <string.h>   /* memset */

/* In the order of enum array_type. */
static const struct {
    const char *name;
    size_t size;
} types[] = {
    {"uint8", 1},  {"int32", 4},   {"uint32", 4},  {"int64", 8},
    {"uint64", 8}, {"float32", 4}, {"float64", 8},
};

size_t array_type_size(enum array_type type)
{
    return types[type].size;
}

const char *array_type_name(enum array_type type)
{
    return types[type].name;
}

size_t array_count(const struct array *array)
{
    size_t count = 1;

    for (int d = 0; d < array->rank; d++)
        count *= array->shape[d];
    return count;
}

size_t array_bytes(enum array_type type, int rank, const size_t *shape)
{
    size_t bytes = types[type].size; /* leaving out sizes of 0, so that their order is no matter */
    int empty = 0;

    for (int d = 0; d < rank; d++) {
        if (shape[d] == 0)
            empty = 1;
        else if (bytes > (size_t)PTRDIFF_MAX / shape[d])
            return SIZE_MAX;
        else
            bytes *= shape[d];
    }
    return empty ? 0 : bytes;
}

int array_allocate(struct array *array, enum array_type type, int rank, const size_t *shape,
                   struct io_error *error)
{
    char text[ARRAY_TEXT_SIZE];
    size_t bytes;

    memset(array, 0, sizeof *array);
    if (rank < 0 || rank > ARRAY_MAX_RANK)
        return io_fail(error, "an array has 0 to %d dimensions, not %d", ARRAY_MAX_RANK, rank);
    bytes = array_bytes(type, rank, shape);
    if (bytes != SIZE_MAX)
        array->data = calloc(bytes > 0 ? bytes : 1, 1);
    if (array->data == NULL) {
        array_shape_text(rank, shape, text, sizeof text);
        return io_fail(error, "not enough memory for a %s array of shape %s: %s%.0f bytes",
                       types[type].name, text, bytes == SIZE_MAX ? "over " : "",
                       bytes == SIZE_MAX ? (double)PTRDIFF_MAX : (double)bytes);
    }
    array->type = type;
    array->rank = rank;
    for (int d = 0; d < rank; d++)
        array->shape[d] = shape[d];
    return 0;
}

void array_free(struct array *array)
{
    free(array->data);
    memset(array, 0, sizeof *array);
}

double array_get(const struct array *array, size_t index)
{
    switch (array->type) {
    case ARRAY_UINT8: return ((const uint8_t *)array->data)[index];
    case ARRAY_INT32: return ((const int32_t *)array->data)[index];
    case ARRAY_UINT32: return ((const uint32_t *)array->data)[index];
    case ARRAY_INT64: return (double)((const int64_t *)array->data)[index];
    case ARRAY_UINT64: return (double)((const uint64_t *)array->data)[index];
    case ARRAY_FLOAT32: return ((const float *)array->data)[index];
    case ARRAY_FLOAT64: break;
    }
    return ((const double *)array->data)[index];
}

void array_element_text(const struct array *array, size_t index, char *buffer, size_t size)
{
    if (array->type == ARRAY_INT64)
        snprintf(buffer, size, "%" PRId64, ((const int64_t *)array->data)[index]);
    else if (array->type == ARRAY_UINT64)
        snprintf(buffer, size, "%" PRIu64, ((const uint64_t *)array->data)[index]);
    else if (array->type == ARRAY_FLOAT32)
        snprintf(buffer, size, "%.9g", array_get(array, index));
    else
        snprintf(buffer, size, "%.17g", array_get(array, index));
}

/* "3, 4": what a shape and an index have in common. */
static void list_text(int rank, const size_t *values, char *buffer, size_t size)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (int d = 0; d < rank && length < size; d++)
        length +=
            (size_t)snprintf(buffer + length, size - length, d == 0 ? "%zu" : ", %zu", values[d]);
}

void array_index_text(const struct array *array, size_t index, char *buffer, size_t size)
{
    char list[ARRAY_TEXT_SIZE];
    size_t place[ARRAY_MAX_RANK];

    for (int d = array->rank - 1; d >= 0; d--) {
        place[d] = index % array->shape[d];
        index /= array->shape[d];
    }
    list_text(array->rank, place, list, sizeof list);
    snprintf(buffer, size, "[%s]", list);
}

void array_shape_text(int rank, const size_t *shape, char *buffer, size_t size)
{
    char list[ARRAY_TEXT_SIZE];

    list_text(rank, shape, list, sizeof list);
    snprintf(buffer, size, rank == 1 ? "(%s,)" : "(%s)", list);
}
