/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/png.h"

#include <stdint.h> /* uint32_t */
#include <stdio.h>  /* snprintf */
#include <stdlib.h> /* malloc, calloc, free */
#include <string.h> /* memcpy */

/* Bytes that grow; `failed` when there was no memory for them. */
struct bytes {
    unsigned char *data;
    size_t size, room;
    uint32_t bits; /* not yet a byte, the lowest first */
    int bit_count;
    int failed;
};

static void put(struct bytes *bytes, unsigned byte)
{
    if (bytes->size == bytes->room && !bytes->failed) {
        const size_t room = 2 * bytes->room + 4096;
        unsigned char *const grown = (unsigned char *)realloc(bytes->data, room);

        if (grown) {
            bytes->data = grown;
            bytes->room = room;
        }
        bytes->failed = !grown;
    }
    if (!bytes->failed)
        bytes->data[bytes->size++] = (unsigned char)byte;
}

static void put_word(struct bytes *bytes, uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        put(bytes, word >> shift & 255);
}

/* ------------------------------------------------------------------------------------------------
 * Deflate
 * --------------------------------------------------------------------------------------------- */

/* The lowest bit first. */
static void put_bits(struct bytes *bytes, uint32_t value, int count)
{
    bytes->bits |= value << bytes->bit_count;
    bytes->bit_count += count;
    for (; bytes->bit_count >= 8; bytes->bit_count -= 8) {
        put(bytes, bytes->bits & 255);
        bytes->bits >>= 8;
    }
}

/* A Huffman code has its highest bit first. */
static void put_code(struct bytes *bytes, unsigned code, int count)
{
    unsigned turned = 0;

    for (int k = 0; k < count; k++)
        turned |= (code >> k & 1) << (count - 1 - k);
    put_bits(bytes, turned, count);
}

/* RFC 1951, 3.2.6. */
static void put_symbol(struct bytes *bytes, unsigned symbol)
{
    if (symbol < 144)
        put_code(bytes, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(bytes, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(bytes, symbol - 256, 7);
    else
        put_code(bytes, 0xc0 + symbol - 280, 8);
}

/*
 * RFC 1951, 3.2.5: lengths and distances are groups of 2^extra values that follow one another. The
 * first groups have one value each; then `groups` groups have the same number, and that doubles.
 */
static void put_group(struct bytes *bytes, unsigned value, unsigned groups, int is_length)
{
    unsigned code = 0, extra = 0, first = 0;

    while (first + (1u << extra) <= value) {
        first += 1u << extra;
        code++;
        if (code >= 2 * groups && code % groups == 0)
            extra++;
    }
    if (is_length)
        put_symbol(bytes, 257 + code);
    else
        put_code(bytes, code, 5);
    put_bits(bytes, value - first, (int)extra);
}

enum { HASHES = 1 << 14, WINDOW = 32768, SHORTEST = 3, LONGEST = 258 };

static unsigned hash(const unsigned char *data)
{
    return ((unsigned)data[0] << 16 | (unsigned)data[1] << 8 | data[2]) * 2654435761u >> 18;
}

/* One block, with the last place of the same three bytes as the only candidate for a match. */
static void deflate(struct bytes *out, const unsigned char *data, size_t size)
{
    size_t *const last =
        (size_t *)calloc(HASHES, sizeof *last); /* 1 more than the place; 0: none */
    size_t i = 0;

    if (!last) {
        out->failed = 1;
        return;
    }
    put_bits(out, 1, 1); /* the last block */
    put_bits(out, 1, 2); /* with fixed codes */
    while (i < size) {
        size_t length = 0, distance = 0;

        if (size - i >= SHORTEST) {
            size_t *const place = &last[hash(data + i)];

            distance = i + 1 - *place;
            if (*place > 0 && distance <= WINDOW)
                while (length < LONGEST && length < size - i &&
                       data[i + length] == data[i + length - distance])
                    length++;
            *place = i + 1;
        }
        if (length < SHORTEST) {
            put_symbol(out, data[i++]);
            continue;
        }
        if (length == LONGEST) /* has a code of its own */
            put_symbol(out, 285);
        else
            put_group(out, (unsigned)length - SHORTEST, 4, 1);
        put_group(out, (unsigned)distance - 1, 2, 0);
        i += length;
    }
    put_symbol(out, 256); /* the end of the block */
    put_bits(out, 0, 7);  /* to a whole byte */
    out->bits = 0;
    out->bit_count = 0;
    free(last);
}

/* RFC 1950: a header, the data, their checksum. */
static void zlib(struct bytes *out, const unsigned char *data, size_t size)
{
    uint32_t a = 1, b = 0;

    put(out, 0x78);
    put(out, 0x01);
    deflate(out, data, size);
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_word(out, b << 16 | a);
}

/* ------------------------------------------------------------------------------------------------
 * PNG
 * --------------------------------------------------------------------------------------------- */

static uint32_t crc(const unsigned char *data, size_t size)
{
    uint32_t value = 0xffffffffu;

    for (size_t i = 0; i < size; i++) {
        value ^= data[i];
        for (int k = 0; k < 8; k++)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
    }
    return ~value;
}

static void put_chunk(struct bytes *out, const char *name, const unsigned char *data, size_t size)
{
    const size_t start = out->size + 4;

    put_word(out, (uint32_t)size);
    for (int k = 0; k < 4; k++)
        put(out, (unsigned char)name[k]);
    for (size_t i = 0; i < size; i++)
        put(out, data[i]);
    if (!out->failed)
        put_word(out, crc(out->data + start, size + 4));
}

/* The rows of an image, each after its filter, "Up", and less the row above. */
static void filter(const struct array *image, size_t row, unsigned char *to)
{
    const unsigned char *line = (const unsigned char *)image->data;

    for (size_t y = 0; y < image->shape[0]; y++, line += row) {
        *to++ = 2;
        for (size_t x = 0; x < row; x++)
            *to++ = (unsigned char)(y > 0 ? line[x] - (line - row)[x] : line[x]);
    }
}

static void put_size(struct bytes *out, const struct array *image)
{
    put_word(out, (uint32_t)image->shape[1]);
    put_word(out, (uint32_t)image->shape[0]);
}

static void put_header(struct bytes *out, const struct array *image, int count, struct bytes *chunk)
{
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    for (size_t k = 0; k < sizeof signature; k++)
        put(out, signature[k]);
    put_size(chunk, image);
    put(chunk, 8);                        /* bits a sample */
    put(chunk, image->rank == 2 ? 0 : 2); /* grey or colour */
    put(chunk, 0);                        /* deflate */
    put(chunk, 0);                        /* filters by row */
    put(chunk, 0);                        /* not interlaced */
    put_chunk(out, "IHDR", chunk->data, chunk->size);
    if (count == 1)
        return;
    chunk->size = 0;
    put_word(chunk, (uint32_t)count);
    put_word(chunk, 0); /* repeats: forever */
    put_chunk(out, "acTL", chunk->data, chunk->size);
}

/* The place of a frame and its time, 1/12 second, or 3 seconds for the last one. */
static void put_control(struct bytes *out, const struct array *image, uint32_t sequence, int last,
                        struct bytes *chunk)
{
    chunk->size = 0;
    put_word(chunk, sequence);
    put_size(chunk, image);
    put_word(chunk, 0); /* left */
    put_word(chunk, 0); /* top */
    put_word(chunk, last ? 36u << 16 | 12 : 1u << 16 | 12);
    put(chunk, 0); /* leave the frame there */
    put(chunk, 0); /* replace the one before */
    put_chunk(out, "fcTL", chunk->data, chunk->size);
}

static int is_like(const struct array *image, const struct array *first)
{
    return image->type == ARRAY_UINT8 && image->rank == first->rank &&
           image->shape[0] == first->shape[0] && image->shape[1] == first->shape[1] &&
           (image->rank == 2 || (image->rank == 3 && image->shape[2] == 3));
}

static int encode(const struct array *images, int count, unsigned char **data, size_t *size,
                  struct io_error *error)
{
    const size_t height = images->shape[0], width = images->shape[1];
    const size_t row = width * (images->rank == 2 ? 1 : 3), bytes = height * (row + 1);
    struct bytes out = {NULL, 0, 0, 0, 0, 0}, chunk = out;
    uint32_t sequence = 0;

    *data = NULL;
    *size = 0;
    if (count < 1)
        return io_fail(error, "a PNG needs an image");
    for (int k = 0; k < count; k++)
        if (!is_like(&images[k], images) || height == 0 || width == 0 || bytes > UINT32_MAX / 4)
            return io_fail(error, "a PNG needs bytes in two dimensions, or in three with three "
                                  "channels, at most 1 GB, and frames of one size");
    unsigned char *const filtered = (unsigned char *)malloc(bytes);

    put_header(&out, images, count, &chunk);
    for (int k = 0; k < count && filtered && !out.failed && !chunk.failed; k++) {
        if (count > 1)
            put_control(&out, &images[k], sequence++, k + 1 == count, &chunk);
        chunk.size = 0;
        if (k > 0)
            put_word(&chunk, sequence++);
        filter(&images[k], row, filtered);
        zlib(&chunk, filtered, bytes);
        put_chunk(&out, k > 0 ? "fdAT" : "IDAT", chunk.data, chunk.size);
    }
    put_chunk(&out, "IEND", NULL, 0);
    const int failed = !filtered || chunk.failed || out.failed;

    free(filtered);
    free(chunk.data);
    if (failed) {
        free(out.data);
        return io_fail(error, "no memory for a PNG of %zu x %zu", width, height);
    }
    *data = out.data;
    *size = out.size;
    return 0;
}

int png_encode(const struct array *image, unsigned char **data, size_t *size,
               struct io_error *error)
{
    return encode(image, 1, data, size, error);
}

int png_write(const char *directory, const char *name, const struct array *images, int count,
              struct io_error *error)
{
    char path[IO_PATH_SIZE];
    unsigned char *data;
    size_t size;

    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
        return io_fail(error, "the path is too long: %s/%s", directory, name);
    if (encode(images, count, &data, &size, error) != 0)
        return IO_BAD;
    const int status = io_write_file(path, data, size, error);

    free(data);
    return status;
}
