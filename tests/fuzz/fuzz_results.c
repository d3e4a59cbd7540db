/* SPDX-License-Identifier: BSD-3-Clause */
/* The output of gallery check --results, and gallery report's page of it. */
#define _GNU_SOURCE
#include "host/report/page.h"
#include "host/results.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct page_options options;
    struct results results;
    struct io_error error;
    char path[PATH_MAX];
    int status;

    if (results_read(fuzz_file(0, data, size), &results, &error) != 0)
        return 0;
    FUZZ_EXPECT(results.target != NULL && results.verdict < VERDICT_COUNT_);
    snprintf(path, sizeof path, "%.4000s/page.html", fuzz_directory());
    status = page_write(path, &results, 1, &options, &error);
    FUZZ_EXPECT(status >= 0 && status <= IO_BAD);
    results_free(&results);
    return 0;
}
