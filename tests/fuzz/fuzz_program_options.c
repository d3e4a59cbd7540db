/* SPDX-License-Identifier: BSD-3-Clause */
/* host/options.h: a command line, one word per line; accepted values are in their ranges, and the
 * sentence of a refused one is one line. */
#define _GNU_SOURCE
#include "host/options.h"

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[FUZZ_WORDS + 1], *text;
    const int count = fuzz_words(data, size, '\n', &text, words);
    const char *out = "out", *image = "image";
    int quiet = 0, steps = 5, paths = 16;
    double rate = 0.25;
    const struct options_entry entries[] = {
        options_flag("--quiet", &quiet, "print less"),
        options_whole("--steps N", &steps, -3, 1000, "time steps"),
        options_power("--paths N", &paths, 4, 1 << 30, "a power of two"),
        options_number("--rate R", &rate, 0, 0.5, "interest"),
        options_text("--out FILE", &out, "the result"),
        options_text("IMAGE", &image, "a picture"),
    };
    struct io_error error;

    if (options_parse(count, words, entries, 6, &error) == 0) {
        FUZZ_EXPECT(quiet == 0 || quiet == 1);
        FUZZ_EXPECT(steps >= -3 && steps <= 1000);
        FUZZ_EXPECT(paths >= 4 && (paths & (paths - 1)) == 0);
        FUZZ_EXPECT(rate >= 0 && rate <= 0.5);
        FUZZ_EXPECT(out[0] != '\0' && image[0] != '\0' && image[0] != '-');
    } else
        FUZZ_EXPECT(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
    free(text);
    return 0;
}
