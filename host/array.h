/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/* A dense array of numbers whose type and shape are known at run time: what a file can hold. */
#ifndef PORTABLE_HOST_ARRAY_H
#define PORTABLE_HOST_ARRAY_H

#include "host/io.h"

#include <stddef.h> /* size_t */

#ifdef __cplusplus
extern "C" {
#endif

enum { ARRAY_MAX_RANK = 4 };

enum array_type {
    ARRAY_UINT8,
    ARRAY_INT32,
    ARRAY_UINT32,
    ARRAY_INT64,
    ARRAY_UINT64,
    ARRAY_FLOAT32,
    ARRAY_FLOAT64
};

/* Row-major (C) order. Rank 0 is one element. The array owns `data`, which malloc gave. */
struct array {
    enum array_type type;
    int rank;
    size_t shape[ARRAY_MAX_RANK];
    void *data;
};

/* Bytes in one element. */
size_t array_type_size(enum array_type type);

/* NumPy's name of the type: "float32". */
const char *array_type_name(enum array_type type);

/* The number of elements: the product of the shape. */
size_t array_count(const struct array *array);

/* Bytes of data that such an array has, or SIZE_MAX when no memory can hold them. */
size_t array_bytes(enum array_type type, int rank, const size_t *shape);

/* Makes an array of zeros; array_free frees it. `shape` has `rank` sizes, each may be 0. */
int array_allocate(struct array *array, enum array_type type, int rank, const size_t *shape,
                   struct io_error *error);

/* Frees the data and zeroes *array. */
void array_free(struct array *array);

/* Element `index`, counted in memory order, as a double: 64-bit integers may be rounded. */
double array_get(const struct array *array, size_t index);

/* The functions below write text for people into buffer[size], cut if it does not fit. */
enum { ARRAY_TEXT_SIZE = 96 }; /* enough for any of them */

/* An element with as many digits as tell any two values of its type apart. */
void array_element_text(const struct array *array, size_t index, char *buffer, size_t size);

/* Where element `index` is: "[1, 7]" in a matrix. */
void array_index_text(const struct array *array, size_t index, char *buffer, size_t size);

/* A shape as Python writes it: "()", "(3,)", "(3, 4)". */
void array_shape_text(int rank, const size_t *shape, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
