/* SPDX-License-Identifier: BSD-3-Clause */
/* host/png.h: a decoder for the few forms that it uses recovers the pixels. */
#include "host/png.h"

#include <stdlib.h> /* free */
#include <string.h> /* memcmp, memcpy, memset */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

struct reader {
    const unsigned char *data;
    size_t size, bit;
};

static unsigned bits(struct reader *reader, int count)
{
    unsigned value = 0;

    for (int k = 0; k < count; k++, reader->bit++) {
        assert_true(reader->bit / 8 < reader->size);
        value |= (reader->data[reader->bit / 8] >> reader->bit % 8 & 1u) << k;
    }
    return value;
}

static unsigned code(struct reader *reader, int count)
{
    unsigned value = 0;

    for (int k = 0; k < count; k++)
        value = value << 1 | bits(reader, 1);
    return value;
}

/* A literal or length symbol of the fixed code, from the table of RFC 1951, 3.2.6. */
static unsigned symbol(struct reader *reader)
{
    unsigned value = code(reader, 7);

    if (value <= 0x17)
        return value + 256;
    value = value << 1 | bits(reader, 1);
    if (value >= 0x30 && value <= 0xbf)
        return value - 0x30;
    if (value >= 0xc0 && value <= 0xc7)
        return value - 0xc0 + 280;
    value = value << 1 | bits(reader, 1);
    return value - 0x190 + 144;
}

/* Inflates one block of fixed codes. Returns the number of bytes. */
static size_t inflate(struct reader *reader, unsigned char *out, size_t room)
{
    static const unsigned lengths[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                       67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const int length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const unsigned distances[] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    size_t size = 0;

    assert_int_equal(bits(reader, 1), 1);
    assert_int_equal(bits(reader, 2), 1);
    for (;;) {
        const unsigned what = symbol(reader);

        if (what == 256)
            return size;
        if (what < 256) {
            assert_true(size < room);
            out[size++] = (unsigned char)what;
            continue;
        }
        assert_true(what <= 285);
        const unsigned length = lengths[what - 257] + bits(reader, length_bits[what - 257]);
        const unsigned group = code(reader, 5);

        assert_true(group < 30);
        const unsigned distance =
            distances[group] + bits(reader, group < 4 ? 0 : (int)group / 2 - 1);

        assert_true(distance <= size && size + length <= room);
        for (unsigned k = 0; k < length; k++, size++)
            out[size] = out[size - distance];
    }
}

static uint32_t word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Encodes, decodes and compares. Returns the bytes of the PNG. */
static size_t round_trip(size_t height, size_t width, int channels, unsigned (*sample)(size_t))
{
    const size_t row = width * (size_t)channels, count = height * row;
    const size_t shape[3] = {height, width, 3};
    unsigned char *png, *rows = (unsigned char *)malloc(count + height);
    struct io_error error;
    struct array image;
    struct reader reader;
    size_t size;

    assert_non_null(rows);
    assert_int_equal(array_allocate(&image, ARRAY_UINT8, channels == 1 ? 2 : 3, shape, &error), 0);
    for (size_t i = 0; i < count; i++)
        ((unsigned char *)image.data)[i] = (unsigned char)sample(i);
    assert_int_equal(png_encode(&image, &png, &size, &error), 0);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16);
    assert_int_equal(word(png + 16), width);
    assert_int_equal(word(png + 20), height);
    assert_int_equal(png[25], channels == 1 ? 0 : 2);
    assert_memory_equal(png + 37, "IDAT", 4);
    assert_memory_equal(png + size - 12, "\0\0\0\0IEND\xae\x42\x60\x82", 12);
    reader.data = png + 43; /* after zlib's header */
    reader.size = word(png + 33) - 2 - 4;
    reader.bit = 0;
    assert_int_equal(inflate(&reader, rows, count + height), count + height);
    for (size_t y = 0; y < height; y++) {
        const unsigned char *const line = rows + y * (row + 1);

        assert_int_equal(line[0], 2);
        for (size_t x = 0; x < row; x++) {
            const unsigned char *const at = (unsigned char *)image.data + y * row + x;

            assert_int_equal((unsigned char)(line[x + 1] + (y > 0 ? at[-(ptrdiff_t)row] : 0)), *at);
        }
    }
    free(rows);
    free(png);
    array_free(&image);
    return size;
}

static unsigned zero(size_t i)
{
    (void)i;
    return 0;
}

static unsigned noise(size_t i)
{
    return (unsigned)(i * 2654435761u >> 13 ^ i * 40503u >> 3) & 255;
}

static unsigned waves(size_t i)
{
    return (unsigned)(i % 300 < 200 ? i % 7 * (i / 4000) : noise(i)) & 255;
}

static void test_round_trips(void **state)
{
    (void)state;
    for (size_t side = 1; side < 40; side++) {
        round_trip(side, 41 - side, 1, noise);
        round_trip(41 - side, side, 3, waves);
    }
    round_trip(300, 401, 3, waves); /* matches farther back than the window */
    round_trip(300, 401, 1, noise);
    assert_true(round_trip(512, 512, 1, zero) < 4096); /* the longest match, again and again */
}

static void test_refused(void **state)
{
    unsigned char bytes[4] = {0};
    const struct array bad[] = {
        {ARRAY_UINT8, 1, {4}, bytes},
        {ARRAY_UINT8, 2, {0, 4}, bytes},
        {ARRAY_UINT8, 3, {1, 2, 2}, bytes},
        {ARRAY_FLOAT32, 2, {1, 1}, bytes},
    };
    unsigned char *png;
    size_t size;

    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct io_error error;

        assert_int_equal(png_encode(&bad[k], &png, &size, &error), IO_BAD);
        assert_null(png);
        assert_non_null(strstr(error.text, "PNG"));
    }
}

/* The chunks of an animation: their names, sizes and the numbers in sequence. */
static void test_animation(void **state)
{
    static const char path[] = "build/test_png.png";
    static char directory[IO_PATH_SIZE];
    static const char names[] = "IHDRacTLfcTLIDATfcTLfdATfcTLfdATIEND";
    struct array frames[3];
    const size_t shape[2] = {5, 7};
    struct io_error error;
    char *data;
    size_t size, at = 8;
    unsigned sequence = 0;

    (void)state;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(array_allocate(&frames[k], ARRAY_UINT8, 2, shape, &error), 0);
        memset(frames[k].data, 80 * k, 35);
    }
    assert_int_equal(io_make_directory("build", &error), 0);
    assert_int_equal(png_write("build", "test_png.png", frames, 3, &error), 0);
    assert_int_equal(io_read_file(path, &data, &size, &error), 0);
    const unsigned char *const png = (const unsigned char *)data;
    for (size_t k = 0; k + 1 < sizeof names; k += 4) {
        const unsigned char *const chunk = png + at;

        assert_true(at + 12 <= size);
        assert_memory_equal(chunk + 4, names + k, 4);
        if (memcmp(chunk + 4, "acTL", 4) == 0) {
            assert_int_equal(word(chunk + 8), 3);
            assert_int_equal(word(chunk + 12), 0);
        } else if (memcmp(chunk + 4, "fcTL", 4) == 0) {
            assert_int_equal(word(chunk), 26);
            assert_int_equal(word(chunk + 8), sequence++);
            assert_int_equal(word(chunk + 12), 7);
            assert_int_equal(word(chunk + 16), 5);
            assert_int_equal(chunk[29], sequence == 4 ? 36 : 1);
            assert_int_equal(chunk[31], 12);
        } else if (memcmp(chunk + 4, "fdAT", 4) == 0)
            assert_int_equal(word(chunk + 8), sequence++);
        at += word(chunk) + 12;
    }
    assert_int_equal(at, size);
    free(data);
    frames[2].shape[1] = 6;
    assert_int_equal(png_write("build", "test_png.png", frames, 3, &error), IO_BAD);
    assert_non_null(strstr(error.text, "frames of one size"));
    frames[2].shape[1] = 7;
    assert_int_equal(png_write("build", "test_png.png", frames, 0, &error), IO_BAD);
    assert_int_equal(png_write("build/no/such", "a.png", frames, 3, &error), IO_BAD);
    memset(directory, 'x', sizeof directory - 1);
    assert_int_equal(png_write(directory, "a.png", frames, 3, &error), IO_BAD);
    assert_non_null(strstr(error.text, "the path is too long"));
    remove(path);
    for (int k = 0; k < 3; k++)
        array_free(&frames[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_animation),
    };

    return cmocka_run_group_tests_name("png", tests, NULL, NULL) != 0;
}
