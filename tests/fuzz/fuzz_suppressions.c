/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of suppressions: it is refused in a sentence, or each suppression is whole. */
#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

#include "host/checks/suppressions.c"

#include <setjmp.h> /* longjmp */

static jmp_buf refused;
void bad_setting(const char *name, const char *value, const char *what)
{
    FUZZ_EXPECT(name[0] != '\0' && value[0] != '\0' && what[0] != '\0');
    longjmp(refused, 1);
}
static void forget(void)
{
    for (size_t k = 0; k < suppression_count; k++) {
        free(suppressions[k].place);
        free(suppressions[k].name);
        free(suppressions[k].tool);
        free(suppressions[k].kernel);
        for (int f = 0; f < MOST_FILES; f++)
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
