/* SPDX-License-Identifier: BSD-3-Clause */
/* The gallery's command line, one word per line, the command first: accepted values are in
 * bounds. */
#define _GNU_SOURCE
#define main gallery_main
int gallery_main(int count, char **arguments);
#include "host/programs/gallery.c"
#undef main

#include "tests/fuzz/fuzz.h"

static void expect_texts(const struct options_texts *texts)
{
    FUZZ_EXPECT(texts->count >= 0 && texts->count <= OPTIONS_MOST);
    for (int k = 0; k < texts->count; k++)
        FUZZ_EXPECT(texts->texts[k] != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[FUZZ_WORDS + 1], *text;
    const int count = fuzz_words(data, size, '\n', &text, words);
    const struct gallery_case *test_case;
    const struct gallery_command *command;
    struct gallery_options options;

    command = count > 0 ? find_command(words[0]) : NULL;
    if (command && parse(command, count, words, &options) == 0) {
        expect_texts(&options.names);
        FUZZ_EXPECT(options.n >= -1 && options.n <= LARGEST_N);
        FUZZ_EXPECT(options.block.x <= 1024 && options.block.y <= 1024 && options.block.z <= 1024);
        FUZZ_EXPECT(options.repeats >= 1 && options.repeats <= 100000);
        FUZZ_EXPECT((options.against != NULL) == (options.against_name != NULL));
        expect_texts(&options.page.notes);
        expect_texts(&options.page.plots);
        expect_texts(&options.page.missing);
        expect_texts(&options.page.failed);
        for (int k = 0;
             check_names(&options, 0) == 0 && (test_case = selected_case(&options, 0, k)); k++)
            if (check_options(test_case, &options) == 0) {
                const struct run run = gallery_run(test_case, &options);

                FUZZ_EXPECT(run.test_case == test_case && run.n >= 0 && run.block.x > 0);
            }
    }
    free(text);
    return 0;
}
