/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts that the checks parse: addr2line's answers, and the places in a message about a
 * divergence. */
#define _GNU_SOURCE
#define PORTABLE_TARGET_EMULATE 1
#include "tests/fuzz/fuzz.h"

#include "host/checks/findings.c"
#include "host/checks/synccheck.c"

struct emulate_state emulate;
__thread struct emulate_fault emulate_fault;
__thread int emulate_running;
struct emulate_uses emulate_uses;
char *emulate_file(const void *address, char *text, size_t size)
{
    (void)address;
    (void)size;
    text[0] = '\0';
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct place places[3] = {{1, 0, "a"}, {2, 1, "a"}, {3, 2, "a"}};
    FILE *const answers = size > 0 ? fmemopen((void *)data, size, "r") : NULL;
    char *const message = (char *)malloc(size + 1);

    FUZZ_EXPECT(message != NULL);
    memcpy(message, data, size);
    message[size] = '\0';
    emulate.kernel = "kernel";
    FUZZ_EXPECT(is_new(message) && !is_new(message));
    while (seen) {
        struct seen *const next = seen->next;

        free(seen);
        seen = next;
    }
    free(message);
    if (answers != NULL) {
        read_answers(answers, places, 3);
        fclose(answers);
    }
    for (size_t k = 0; k < line_count; k++) {
        FUZZ_EXPECT(lines[k].address >= 1 && lines[k].address <= 3);
        free((void *)lines[k].text);
    }
    line_count = 0;
    free(lines);
    lines = NULL;
    emulate.kernel = NULL;
    return 0;
}
