/* SPDX-License-Identifier: BSD-3-Clause */
/* The translator of CUDA C++. It keeps the number of lines, and text without CUDA's words as it
 * is. The first byte has the options. */
#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

#include "host/nvcc/translate.h"

static size_t lines_of(const char *text, size_t size)
{
    size_t lines = 0;

    for (size_t k = 0; k < size; k++)
        lines += text[k] == '\n';
    return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const words[] = {"__", "<<<", "cudaMalloc", "unroll", "asm"};
    const struct translate_options options = {size > 0 && data[0] & 1,  size > 0 && data[0] & 2,
                                              size > 0 && data[0] & 4,  size > 0 && data[0] & 8,
                                              size > 0 && data[0] & 16, size > 0 && data[0] & 32};
    const char *const text = (const char *)data + (size > 0);
    const size_t bytes = size - (size > 0);
    char *result = NULL;
    size_t result_bytes = 0;
    FILE *const out = open_memstream(&result, &result_bytes);
    int special = 0;

    FUZZ_EXPECT(out != NULL);
    FUZZ_EXPECT(translate(text, bytes, &options, out) >= 0);
    FUZZ_EXPECT(fclose(out) == 0);
    FUZZ_EXPECT(lines_of(result, result_bytes) == lines_of(text, bytes));
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        special |= memmem(text, bytes, words[k], strlen(words[k])) != NULL;
    FUZZ_EXPECT(special || (result_bytes == bytes && memcmp(result, text, bytes) == 0));
    free(result);
    return 0;
}
