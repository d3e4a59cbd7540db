/* SPDX-License-Identifier: BSD-3-Clause */
/* .npy files: every element is in memory, and the array is equal after writing and reading it. */
#define _GNU_SOURCE
#include "host/npy.h"
#include "tests/fuzz/fuzz.h"

/* The planted bug: a copy of a matrix of ints is one byte short. */
static void copy(const struct array *array, size_t bytes)
{
    const size_t lacking = FUZZ_PLANTED && array->type == ARRAY_INT32 && array->rank == 2;
    char *const memory = bytes > 0 ? (char *)malloc(bytes - lacking) : NULL;

    if (memory != NULL)
        memcpy(memory, array->data, bytes);
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct array array, again;
    struct io_error error;
    char path[PATH_MAX], text[ARRAY_TEXT_SIZE];

    if (npy_read(fuzz_file(0, data, size), &array, &error) != 0)
        return 0;
    const size_t count = array_count(&array), bytes = count * array_type_size(array.type);

    FUZZ_EXPECT(bytes == array_bytes(array.type, array.rank, array.shape) && bytes < size);
    for (size_t k = 0; k < count; k++) {
        (void)array_get(&array, k);
        array_element_text(&array, k, text, sizeof text);
        array_index_text(&array, k, text, sizeof text);
        FUZZ_EXPECT(text[strlen(text) - 1] == ']');
    }
    copy(&array, bytes);
    array_shape_text(array.rank, array.shape, text, sizeof text);
    FUZZ_EXPECT(text[strlen(text) - 1] == ')');
    snprintf(path, sizeof path, "%.4000s/written.npy", fuzz_directory());
    FUZZ_EXPECT(npy_write(path, &array, &error) == 0);
    FUZZ_EXPECT(npy_read(path, &again, &error) == 0);
    FUZZ_EXPECT(again.type == array.type && again.rank == array.rank);
    FUZZ_EXPECT(memcmp(again.shape, array.shape, (size_t)array.rank * sizeof *array.shape) == 0);
    FUZZ_EXPECT(memcmp(again.data, array.data, bytes) == 0);
    array_free(&again);
    array_free(&array);
    return 0;
}
