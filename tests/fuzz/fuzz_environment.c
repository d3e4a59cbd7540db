/* SPDX-License-Identifier: BSD-3-Clause */
/* ORDER, PORTABLE_BREAK, PORTABLE_STACK, PORTABLE_NOTICE and PORTABLE_LIMIT, as the emulate target
 * reads them: one per line. */
#define _GNU_SOURCE
#define PORTABLE_TARGET_EMULATE 1
#include "tests/fuzz/fuzz.h"

#include <setjmp.h> /* longjmp */

/* Replaces the exit of the program at an invalid option by a return to the target. */
static jmp_buf ended;
__attribute__((noreturn)) static void end_reading(int status)
{
    FUZZ_EXPECT(status == 2);
    longjmp(ended, 1);
}
#define _Exit(status) end_reading(status)
#include "host/emulate/emulate.c"
#include "host/emulate/objects.c"
#undef _Exit

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { NAMES = 5 };
    static const char *const names[NAMES] = {"ORDER", "PORTABLE_BREAK", "PORTABLE_STACK",
                                             "PORTABLE_NOTICE", "PORTABLE_LIMIT"};
    char *words[FUZZ_WORDS + 1], *text;
    const int count = fuzz_words(data, size, '\n', &text, words);

    for (int k = 0; k < NAMES; k++)
        setenv(names[k], k < count ? words[k] : "", 1);
    free(text);
    memset(&options, 0, sizeof options);
    if (setjmp(ended) == 0) {
        read_options();
        FUZZ_EXPECT(options.stack >= 16 << 10 && options.stack <= (size_t)1 << 30);
        FUZZ_EXPECT(options.stop_thread < PORTABLE_BLOCK_LIMIT_);
        FUZZ_EXPECT(options.notice <= 1000000 && options.limit <= 1000000);
        for (unsigned i = 0; i < 5; i++)
            FUZZ_EXPECT(portable_shuffled_(i, 5, portable_order_.seed) < 5);
    }
    return 0;
}
