/* SPDX-License-Identifier: BSD-3-Clause */
/* translate [clang] [rdc] [lockstep] [image] [workers]: stdin, translated, to stdout. Exit status: the number
 * of errors. */
#include "host/nvcc/translate.h"

#include <string.h> /* strcmp */

int main(int count, char **words)
{
    static char text[1 << 16];
    struct translate_options options = {0, 0, 0, 0, 0};

    for (int k = 1; k < count; k++)
        *(strcmp(words[k], "clang") == 0      ? &options.clang
          : strcmp(words[k], "lockstep") == 0 ? &options.lockstep
          : strcmp(words[k], "image") == 0    ? &options.image
          : strcmp(words[k], "workers") == 0  ? &options.workers
                                              : &options.relocatable) = 1;
    const size_t size = fread(text, 1, sizeof text, stdin);
    return translate(text, size, &options, stdout);
}
