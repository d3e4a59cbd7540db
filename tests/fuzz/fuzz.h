/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Common code of the fuzz targets. A target is a file tests/fuzz/fuzz_NAME.c with libFuzzer's entry
 * point, which must survive any bytes; its corpus is tests/fuzz/corpus/NAME. `make fuzz` links it
 * with libFuzzer, `make check` with tests/fuzz/replay.c.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE before the first header: memfd_create"
#endif

#include <limits.h>   /* PATH_MAX */
#include <stddef.h>   /* size_t */
#include <stdint.h>   /* uint8_t */
#include <stdio.h>    /* fprintf, snprintf */
#include <stdlib.h>   /* abort, getenv, mkdtemp */
#include <string.h>   /* memcpy */
#include <sys/mman.h> /* memfd_create */
#include <unistd.h>   /* ftruncate, pwrite */

/* 1 for the target with a planted bug, which `make fuzz` must find. */
#ifndef FUZZ_PLANTED
#define FUZZ_PLANTED 0
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_EXPECT(condition)                                                                     \
    ((condition) ? (void)0 : fuzz_unexpected(#condition, __FILE__, __LINE__))
__attribute__((noreturn)) static inline void fuzz_unexpected(const char *condition,
                                                             const char *file, int line)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

enum { FUZZ_FILES = 2 };

/* Returns the path of file number `index`, with these bytes: in memory, and the same each time. */
static inline const char *fuzz_file(int index, const uint8_t *data, size_t size)
{
    static int descriptors[FUZZ_FILES];
    static char paths[FUZZ_FILES][32];

    if (paths[index][0] == '\0') {
        descriptors[index] = memfd_create("fuzz", 0);
        FUZZ_EXPECT(descriptors[index] >= 0);
        snprintf(paths[index], sizeof paths[index], "/proc/self/fd/%d", descriptors[index]);
    }
    FUZZ_EXPECT(ftruncate(descriptors[index], 0) == 0);
    FUZZ_EXPECT(pwrite(descriptors[index], data, size, 0) == (ssize_t)size);
    return paths[index];
}

/* A directory for a target's output under $TMPDIR, which the script that starts it removes. */
static inline const char *fuzz_directory(void)
{
    static char path[PATH_MAX];
    const char *const parent = getenv("TMPDIR");

    if (path[0] == '\0') {
        snprintf(path, sizeof path, "%s/fuzz-XXXXXX", parent != NULL ? parent : "/tmp");
        FUZZ_EXPECT(mkdtemp(path) != NULL);
    }
    return path;
}

enum { FUZZ_WORDS = 100 };

/* Splits the bytes at `separator` into words of a command line, followed by a NULL, and returns
 * their number. The words are parts of *text, which the caller frees. */
static inline int fuzz_words(const uint8_t *data, size_t size, char separator, char **text,
                             char *words[FUZZ_WORDS + 1])
{
    int count = 0;

    *text = (char *)malloc(size + 1);
    FUZZ_EXPECT(*text != NULL);
    memcpy(*text, data, size);
    (*text)[size] = '\0';
    for (char *word = *text; count < FUZZ_WORDS && word != NULL && *word != '\0';) {
        char *const end = strchr(word, separator);

        words[count++] = word;
        if (end != NULL)
            *end = '\0';
        word = end != NULL ? end + 1 : NULL;
    }
    words[count] = NULL;
    return count;
}

#endif
