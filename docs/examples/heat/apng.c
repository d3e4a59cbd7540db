/* SPDX-License-Identifier: 0BSD */
#include "apng.h"

#include "host/png.h"

#include <stdint.h> /* uint32_t */
#include <stdlib.h> /* free */
#include <string.h> /* memcmp, memcpy */

static void put_number(unsigned char *bytes, uint32_t number, int count)
{
    for (int k = 0; k < count; k++)
        bytes[k] = (unsigned char)(number >> 8 * (count - 1 - k));
}

/* Writes a chunk: length, name, sequence number (unless negative), data, and the cyclic redundancy
 * check over everything but the length. */
static void write_chunk(FILE *file, const char *name, long sequence, const unsigned char *data,
                        size_t size)
{
    unsigned char head[12];
    const size_t extra = sequence < 0 ? 0 : 4;
    uint32_t crc = 0xffffffffu;

    put_number(head, (uint32_t)(size + extra), 4);
    memcpy(head + 4, name, 4);
    put_number(head + 8, (uint32_t)sequence, 4);
    for (size_t k = 4; k < 8 + extra + size; k++) {
        crc ^= k < 8 + extra ? head[k] : data[k - 8 - extra];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    fwrite(head, 1, 8 + extra, file);
    if (size > 0)
        fwrite(data, 1, size, file);
    put_number(head, ~crc, 4);
    fwrite(head, 1, 4, file);
}

/* Writes a frame's chunks. png: the frame as a complete PNG file */
static void write_frame(FILE *file, const unsigned char *png, size_t size, int frame, int count,
                        long *sequence)
{
    const unsigned char *const header =
        png + 8 + 8; /* IHDR, the first chunk, begins with the size */
    unsigned char control[22] = {0};

    if (frame == 0) {
        unsigned char animation[8] = {0};
        put_number(animation, (uint32_t)count, 4);
        write_chunk(file, "IHDR", -1, header, 13);
        write_chunk(file, "acTL", -1, animation, sizeof animation);
    }
    memcpy(control, header, 8);
    put_number(control + 16, frame + 1 < count ? 1 : 36, 2);
    put_number(control + 18, 12, 2);
    write_chunk(file, "fcTL", (*sequence)++, control, sizeof control);
    for (size_t at = 8; at + 12 <= size;) {
        const unsigned char *const chunk = png + at;
        const size_t length =
            (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | chunk[3];
        if (memcmp(chunk + 4, "IDAT", 4) == 0)
            write_chunk(file, frame ? "fdAT" : "IDAT", frame ? (*sequence)++ : -1, chunk + 8,
                        length);
        at += length + 12;
    }
}

int apng_write(const char *path, const struct array *frames, int count, struct io_error *error)
{
    struct io_writer writer;
    long sequence = 0;

    if (io_write_begin(&writer, path, error) != 0)
        return IO_BAD;
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, writer.stream);
    for (int k = 0; k < count; k++) {
        unsigned char *png;
        size_t size;

        if (png_encode(&frames[k], &png, &size, error) != 0) {
            io_write_abort(&writer);
            return IO_BAD;
        }
        write_frame(writer.stream, png, size, k, count, &sequence);
        free(png);
    }
    write_chunk(writer.stream, "IEND", -1, NULL, 0);
    return io_write_commit(&writer, error);
}
