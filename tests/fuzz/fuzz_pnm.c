/* SPDX-License-Identifier: BSD-3-Clause */
/* PGM and PPM images: equal after writing and reading them, and can be encoded as PNG. */
#define _GNU_SOURCE
#include "host/png.h"
#include "host/pnm.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct array image, again;
    struct io_error error;
    char path[PATH_MAX];
    unsigned char *encoded;
    size_t encoded_size;

    if (pnm_read(fuzz_file(0, data, size), &image, &error) != 0)
        return 0;
    FUZZ_EXPECT(image.type == ARRAY_UINT8 && array_count(&image) > 0);
    FUZZ_EXPECT(array_count(&image) < size);
    snprintf(path, sizeof path, "%.4000s/written.pnm", fuzz_directory());
    FUZZ_EXPECT(pnm_write(path, &image, &error) == 0);
    FUZZ_EXPECT(pnm_read(path, &again, &error) == 0);
    FUZZ_EXPECT(again.rank == image.rank);
    FUZZ_EXPECT(memcmp(again.shape, image.shape, (size_t)image.rank * sizeof *image.shape) == 0);
    FUZZ_EXPECT(memcmp(again.data, image.data, array_count(&image)) == 0);
    FUZZ_EXPECT(png_encode(&image, &encoded, &encoded_size, &error) == 0);
    FUZZ_EXPECT(encoded_size > 57 && memcmp(encoded, "\x89PNG", 4) == 0);
    free(encoded);
    array_free(&again);
    array_free(&image);
    return 0;
}
