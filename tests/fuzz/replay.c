/* SPDX-License-Identifier: BSD-3-Clause */
/* replay DIRECTORY: runs the target linked with this on each file of a corpus, as libFuzzer does,
 * so that any compiler builds the targets, and a bug that a fuzzer has found stays fixed. */
#define _GNU_SOURCE
#include "host/io.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h> /* scandir */

int main(int count, char **arguments)
{
    struct dirent **entries;
    const int files = count == 2 ? scandir(arguments[1], &entries, io_is_visible, alphasort) : -1;
    FILE *const told = fdopen(dup(STDOUT_FILENO), "w");

    if (files <= 0 || told == NULL || freopen("/dev/null", "w", stdout) == NULL) {
        fprintf(stderr, "replay: expected a directory with files\n");
        return IO_BAD;
    }
    for (int k = 0; k < files; k++) {
        char path[PATH_MAX], *data;
        struct io_error error;
        size_t size;

        snprintf(path, sizeof path, "%.3800s/%.255s", arguments[1], entries[k]->d_name);
        free(entries[k]);
        fprintf(told, "%s\n", path); /* the last one crashed, if any did */
        fflush(told);
        if (io_read_file(path, &data, &size, &error) != 0) {
            fprintf(stderr, "replay: %s\n", error.text);
            return IO_BAD;
        }
        LLVMFuzzerTestOneInput((const uint8_t *)data, size);
        free(data);
    }
    free(entries);
    fclose(told);
    return 0;
}
