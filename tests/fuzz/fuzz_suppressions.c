/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of suppressions: it is refused in a sentence, or each suppression is whole. */
#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

#include <setjmp.h> /* longjmp */

/* Replaces the end of the program by a return to the target. */
static jmp_buf refused;
__attribute__((noreturn)) static void refuse(int status)
{
    FUZZ_EXPECT(status == 2);
    longjmp(refused, 1);
}
#define _Exit(status) refuse(status)
#include "host/checks/suppressions.c"
#undef _Exit

static void forget(void)
{
    for (size_t k = 0; k < suppression_count; k++) {
        free(suppressions[k].place);
        free(suppressions[k].name);
        free(suppressions[k].tool);
        free(suppressions[k].kernel);
        for (int f = 0; f < MAX_FILES; f++)
            free(suppressions[k].files[f].path);
    }
    free(suppressions);
    suppressions = NULL;
    suppression_count = 0;
}

/* Reads the file; returns 0 if it is refused. */
static int reads(const char *path)
{
    setenv("PORTABLE_SUPPRESSIONS", path, 1);
    if (setjmp(refused) != 0) {
        forget();
        return 0;
    }
    suppressions_open("racecheck");
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct finding finding = {FINDING_RACE, "reduce<int>", NULL, {{"src/a.cu:12", NULL}}};

    if (reads(fuzz_file(0, data, size))) {
        for (size_t k = 0; k < suppression_count; k++) {
            const struct suppression *const s = &suppressions[k];

            FUZZ_EXPECT(s->name && s->tool && s->kind && !(s->host && s->kernel));
            for (int f = 0; f < s->file_count; f++)
                FUZZ_EXPECT(s->files[f].path && s->files[f].first <= s->files[f].last);
        }
        suppression_of(&finding);
        forget();
    }
    return 0;
}
