/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/png.h"

#include <stdint.h> /* uint32_t */
#include <stdio.h>  /* snprintf */
#include <stdlib.h> /* malloc, free */
#include <string.h> /* memcpy */

/* The most bytes of a stored block of RFC 1951. */
enum { BLOCK = 65535 };

static unsigned char *put(unsigned char *to, const void *bytes, size_t size)
{
    memcpy(to, bytes, size);
    return to + size;
}

static unsigned char *put_word(unsigned char *to, size_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        *to++ = (unsigned char)(word >> shift);
    return to;
}

/* Ends the chunk that begins at `chunk`, with its size and its name, by the checksum of the name
 * and the data. */
static unsigned char *end_chunk(unsigned char *chunk, unsigned char *end)
{
    uint32_t crc = 0xffffffffu;

    put_word(chunk, (size_t)(end - chunk) - 8);
    for (const unsigned char *byte = chunk + 4; byte < end; byte++) {
        crc ^= *byte;
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return put_word(end, ~crc);
}

/* RFC 1950: a header, the rows in stored blocks, each row after its filter, 0 for none, and their
 * checksum. */
static unsigned char *put_rows(unsigned char *to, const unsigned char *rows, size_t height,
                               size_t row)
{
    size_t left = height * (row + 1), block = 0;
    uint32_t a = 1, b = 0;

    to = put(to, "\x78\x01", 2);
    for (size_t k = 0; left > 0; k++, left--, block--) {
        if (block == 0) {
            block = left < BLOCK ? left : BLOCK;
            *to++ = left == block;
            for (int part = 0; part < 4; part++)
                *to++ = (unsigned char)((part < 2 ? block : ~block) >> part % 2 * 8);
        }
        *to = k % (row + 1) == 0 ? 0 : *rows++;
        a = (a + *to++) % 65521;
        b = (b + a) % 65521;
    }
    return put_word(to, (size_t)b << 16 | a);
}

int png_encode(const struct array *image, unsigned char **data, size_t *size,
               struct io_error *error)
{
    const size_t height = image->shape[0], width = image->shape[1];
    const size_t row = width * (image->rank == 2 ? 1 : 3), bytes = height * (row + 1);

    *data = NULL;
    *size = 0;
    if (image->type != ARRAY_UINT8 ||
        !(image->rank == 2 || (image->rank == 3 && image->shape[2] == 3)) || height == 0 ||
        width == 0 || bytes > UINT32_MAX / 4)
        return io_fail(error, "a PNG needs bytes in two dimensions, or in three with three "
                              "channels, at most 1 GB");
    /* The signature, three chunks of 12 bytes more than their data, and of a block 5 more. */
    *data = (unsigned char *)malloc(8 + 3 * 12 + 13 + 6 + bytes + 5 * (bytes / BLOCK + 1));
    if (!*data)
        return io_fail(error, "no memory for a PNG of %zu x %zu", width, height);
    unsigned char *const header = put(*data, "\x89PNG\r\n\x1a\n", 8);
    unsigned char *to = put_word(put_word(put(header, "sizeIHDR", 8), width), height);

    /* 8 bits a sample, grey or colour, deflated, filtered by row, not interlaced. */
    to = put(to, image->rank == 2 ? "\x8\0\0\0" : "\x8\x2\0\0", 5);
    unsigned char *const samples = end_chunk(header, to);

    to = put(samples, "sizeIDAT", 8);
    to = end_chunk(samples, put_rows(to, (const unsigned char *)image->data, height, row));
    to = end_chunk(to, put(to, "sizeIEND", 8));
    *size = (size_t)(to - *data);
    return 0;
}

int png_write(const char *directory, const char *name, const struct array *image,
              struct io_error *error)
{
    char path[IO_PATH_SIZE];
    unsigned char *data;
    size_t size;

    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
        return io_fail(error, "the path is too long: %s/%s", directory, name);
    if (png_encode(image, &data, &size, error) != 0)
        return IO_BAD;
    const int status = io_write_file(path, data, size, error);

    free(data);
    return status;
}
