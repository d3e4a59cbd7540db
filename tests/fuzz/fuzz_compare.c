/* SPDX-License-Identifier: BSD-3-Clause */
/* portable-compare: the first line is its options, the halves of the rest are the two files. */
#define _GNU_SOURCE
#define main compare_main
int compare_main(int count, char **arguments);
#include "host/programs/portable-compare.c"
#undef main

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *const end = (const uint8_t *)memchr(data, '\n', size);
    const size_t line = end != NULL ? (size_t)(end - data) : size;
    const size_t rest = end != NULL ? size - line - 1 : 0;
    char *words[FUZZ_WORDS + 1], *arguments[FUZZ_WORDS + 4], *text;
    int count = fuzz_words(data, line, ' ', &text, words), status;

    arguments[0] = (char *)"portable-compare";
    memcpy(arguments + 1, words, (size_t)count * sizeof *words);
    arguments[++count] = (char *)fuzz_file(0, data + size - rest, rest / 2);
    arguments[++count] = (char *)fuzz_file(1, data + size - rest + rest / 2, rest - rest / 2);
    arguments[++count] = NULL;
    status = compare_main(count, arguments);
    FUZZ_EXPECT(status >= 0 && status <= IO_BAD);
    free(text);
    return 0;
}
