/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/nvcc/image.h"

#include "host/cudart/image.h"
#include "host/nvcc/link.h"
#include "host/nvcc/options.h"
#include "host/nvcc/process.h"

#include <errno.h>
#include <inttypes.h> /* PRIx64 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *read_file(const char *name, size_t *bytes)
{
    enum { STEP = 1 << 16 };
    unsigned char *data = NULL;
    size_t got;
    FILE *const file = fopen(name, "rb");
    if (!file)
        fail("cannot open %s: %s", name, strerror(errno));
    *bytes = 0;
    do {
        data = (unsigned char *)grown(data, *bytes + STEP);
        got = fread(data + *bytes, 1, STEP, file);
        *bytes += got;
    } while (got > 0);
    if (ferror(file))
        fail("cannot read %s: %s", name, strerror(errno));
    fclose(file);
    return data;
}

/* Four digits for three bytes; the last may be for fewer. */
static void write_digits(const unsigned char *data, size_t bytes, FILE *out)
{
    static const char digits[] = PORTABLE_IMAGE_DIGITS_;
    enum { LINE = 57 };
    for (size_t k = 0; k < bytes; k += 3) {
        unsigned three = 0;
        for (size_t i = k; i < k + 3; i++)
            three = three << 8 | (i < bytes ? data[i] : 0u);
        if (k % LINE == 0)
            fputs(k > 0 ? "\n//" : "//", out);
        for (int shift = 18; shift >= 0; shift -= 6)
            putc(digits[three >> shift & 63], out);
    }
    putc('\n', out);
}

void write_image(const char *file, const char *kind, const char *output)
{
    size_t bytes;
    if (options.dry_run)
        return;
    unsigned char *const data = read_file(file, &bytes);
    FILE *const out = fopen(output, "w");
    if (!out)
        fail("cannot open %s: %s", output, strerror(errno));
    fprintf(out,
            PORTABLE_IMAGE_MAGIC_ "%s %zu %016" PRIx64
                                  ": kernels for the CPU by portable-nvcc; no GPU can run them\n",
            kind, bytes, portable_image_checksum_(data, bytes));
    write_digits(data, bytes, out);
    const int failed = ferror(out);
    if (fclose(out) != 0 || failed)
        fail("cannot write %s: %s", output, strerror(errno));
    free(data);
}

void link_image(const struct list *objects, const char *output)
{
    char *const library = scratch_file(".so");
    link_program(objects, library);
    write_image(library, PORTABLE_IMAGE_LIBRARY_, output);
    free(library);
}
