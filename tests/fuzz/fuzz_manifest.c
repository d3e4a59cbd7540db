/* SPDX-License-Identifier: BSD-3-Clause */
/* The manifest of a golden record, and of the results that gallery accuracy compares. The gallery
 * has the cases of host/cases/vector.c, and the record an array of zeros for each. */
#define _GNU_SOURCE
#include "host/accuracy.h"
#include "host/case.h"
#include "host/golden.h"
#include "host/isolate.h"
#include "host/npy.h"
#include "tests/fuzz/fuzz.h"

/* Replaces host/isolate.c: the fuzzer's own process must crash, and no memory is mapped. */
void *isolate_shared(size_t size)
{
    static double memory[1 << 16];

    FUZZ_EXPECT(size <= sizeof memory);
    return memset(memory, 0, size);
}

void isolate_note(const struct run *run)
{
    (void)run;
}

void isolate_note_launch(void)
{
}

void isolate_crash(const char *cause, struct io_error *error)
{
    (void)cause;
    (void)error;
}

const char *isolate_command(void)
{
    return NULL;
}

int isolate(int count, void (*step)(int k, void *context),
            void (*crashed)(int k, enum verdict verdict, const char *sentence, void *context),
            void *context)
{
    (void)crashed;
    for (int k = 0; k < count; k++)
        step(k, context);
    return 0;
}

static void make_record(char *root, char *record, size_t size)
{
    const size_t shape[1] = {2048};
    struct io_error error;
    struct array zeros;

    snprintf(root, size, "%.3800s/golden", fuzz_directory());
    snprintf(record, size, "%.3900s/device/%s", root,
             sizeof(REAL) == sizeof(double) ? "double" : "single");
    FUZZ_EXPECT(array_allocate(&zeros,
                               sizeof(REAL) == sizeof(double) ? ARRAY_FLOAT64 : ARRAY_FLOAT32, 1,
                               shape, &error) == 0);
    for (int k = 0; k < 2; k++) {
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%.4000s/%.60s", record, k ? "saxpy" : "vector_add");
        FUZZ_EXPECT(io_make_directory(path, &error) == 0);
        snprintf(path, sizeof path, "%.4000s/%.60s", record,
                 k ? "saxpy/y.npy" : "vector_add/c.npy");
        FUZZ_EXPECT(npy_write(path, &zeros, &error) == 0);
    }
    array_free(&zeros);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char root[PATH_MAX], record[PATH_MAX], manifest[PATH_MAX + 16];
    struct io_error error;
    int runs = 0, status;

    if (root[0] == '\0') {
        make_record(root, record, sizeof root);
        snprintf(manifest, sizeof manifest, "%s/manifest.txt", record);
    }
    FUZZ_EXPECT(io_write_file(manifest, data, size, &error) == 0);
    FUZZ_EXPECT(golden_check(root, NULL, 0, NULL, &runs) < VERDICT_COUNT_ && runs >= 0);
    status = accuracy_print_heading(record, record, &error);
    FUZZ_EXPECT(status == 0 || status == IO_BAD);
    return 0;
}
