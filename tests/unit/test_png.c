/* SPDX-License-Identifier: BSD-3-Clause */
/* host/png.h: a reader of chunks and of stored blocks recovers the pixels; checksums are those of
 * the standards. */
#include "host/png.h"

#include <stdlib.h> /* free, malloc */
#include <string.h> /* memset, strstr */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static uint32_t word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Annex D of the PNG standard, by a table. */
static uint32_t crc(const unsigned char *data, size_t size)
{
    uint32_t table[256], value = 0xffffffffu;

    for (uint32_t k = 0; k < 256; k++) {
        table[k] = k;
        for (int bit = 0; bit < 8; bit++)
            table[k] = table[k] & 1 ? 0xedb88320u ^ table[k] >> 1 : table[k] >> 1;
    }
    for (size_t i = 0; i < size; i++)
        value = table[(value ^ data[i]) & 255] ^ value >> 8;
    return ~value;
}

/* The data of the chunk `name` at *at, which moves behind it. */
static const unsigned char *chunk(const unsigned char *png, size_t size, size_t *at,
                                  const char *name, size_t *length)
{
    const unsigned char *const start = png + *at;

    assert_true(*at + 12 <= size);
    *length = word(start);
    assert_true(*length <= size - *at - 12);
    assert_memory_equal(start + 4, name, 4);
    assert_int_equal(word(start + 8 + *length), crc(start + 4, 4 + *length));
    *at += 12 + *length;
    return start + 8;
}

/* RFC 1950 with stored blocks only. Returns the number of bytes. */
static size_t inflate(const unsigned char *data, size_t size, unsigned char *out, size_t room)
{
    size_t at = 2, count = 0;
    uint64_t a = 1, b = 0;
    int last = 0;

    assert_int_equal(data[0] & 15, 8); /* deflate */
    assert_int_equal((data[0] << 8 | data[1]) % 31, 0);
    assert_int_equal(data[1] & 32, 0); /* no dictionary */
    while (!last) {
        assert_true(at + 5 <= size);
        assert_true(data[at] <= 1); /* stored */
        last = data[at];
        const size_t length = data[at + 1] | (size_t)data[at + 2] << 8;
        assert_int_equal(length ^ 0xffff, data[at + 3] | data[at + 4] << 8);
        at += 5;
        assert_true(length <= size - at && length <= room - count);
        for (size_t k = 0; k < length; k++, count++) {
            out[count] = data[at++];
            a += out[count];
            b += a;
        }
    }
    assert_int_equal(at + 4, size);
    assert_int_equal(word(data + at), b % 65521 << 16 | a % 65521);
    return count;
}

/* Encodes, decodes and compares. */
static void round_trip(size_t height, size_t width, int channels)
{
    static const unsigned char rest[2][5] = {{8, 0, 0, 0, 0}, {8, 2, 0, 0, 0}};
    const size_t row = width * (size_t)channels, count = height * row;
    const size_t shape[3] = {height, width, 3};
    unsigned char *png, *rows = (unsigned char *)malloc(count + height);
    struct io_error error;
    struct array image;
    size_t size, at = 8, length;

    assert_non_null(rows);
    assert_int_equal(array_allocate(&image, ARRAY_UINT8, channels == 1 ? 2 : 3, shape, &error), 0);
    for (size_t i = 0; i < count; i++)
        ((unsigned char *)image.data)[i] = (unsigned char)(i * 2654435761u >> 13 ^ i * 40503u >> 3);
    assert_int_equal(png_encode(&image, &png, &size, &error), 0);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    const unsigned char *const header = chunk(png, size, &at, "IHDR", &length);
    assert_int_equal(length, 13);
    assert_int_equal(word(header), width);
    assert_int_equal(word(header + 4), height);
    assert_memory_equal(header + 8, rest[channels == 3], 5);
    const unsigned char *const data = chunk(png, size, &at, "IDAT", &length);
    assert_int_equal(inflate(data, length, rows, count + height), count + height);
    chunk(png, size, &at, "IEND", &length);
    assert_int_equal(length, 0);
    assert_int_equal(at, size);
    for (size_t y = 0; y < height; y++) {
        assert_int_equal(rows[y * (row + 1)], 0); /* no filter */
        assert_memory_equal(rows + y * (row + 1) + 1, (unsigned char *)image.data + y * row, row);
    }
    free(rows);
    free(png);
    array_free(&image);
}

static void test_round_trips(void **state)
{
    (void)state;
    for (size_t side = 1; side < 40; side++) {
        round_trip(side, 41 - side, 1);
        round_trip(41 - side, side, 3);
    }
    /* One block that is full or not, and several. */
    round_trip(1, 65534, 1);
    round_trip(1, 65535, 1);
    round_trip(2, 65534, 1);
    round_trip(300, 401, 3);
}

static void test_refused(void **state)
{
    unsigned char bytes[4] = {0};
    const struct array bad[] = {
        {ARRAY_UINT8, 1, {4}, bytes},      {ARRAY_UINT8, 2, {0, 4}, bytes},
        {ARRAY_UINT8, 2, {4, 0}, bytes},   {ARRAY_UINT8, 3, {1, 2, 2}, bytes},
        {ARRAY_FLOAT32, 2, {1, 1}, bytes}, {ARRAY_UINT8, 2, {1, UINT32_MAX}, bytes},
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

static void test_file(void **state)
{
    static char directory[IO_PATH_SIZE];
    unsigned char pixels[35] = {0}, *png;
    const struct array image = {ARRAY_UINT8, 2, {5, 7}, pixels},
                       bad = {ARRAY_UINT8, 1, {35}, pixels};
    struct io_error error;
    char *data;
    size_t size, written;

    (void)state;
    assert_int_equal(io_make_directory("build", &error), 0);
    assert_int_equal(png_write("build", "test_png.png", &image, &error), 0);
    assert_int_equal(io_read_file("build/test_png.png", &data, &written, &error), 0);
    assert_int_equal(png_encode(&image, &png, &size, &error), 0);
    assert_int_equal(written, size);
    assert_memory_equal(data, png, size);
    remove("build/test_png.png");
    free(data);
    free(png);
    assert_int_equal(png_write("build", "test_png.png", &bad, &error), IO_BAD);
    assert_int_equal(png_write("build/no/such", "a.png", &image, &error), IO_BAD);
    memset(directory, 'x', sizeof directory - 1);
    assert_int_equal(png_write(directory, "a.png", &image, &error), IO_BAD);
    assert_non_null(strstr(error.text, "the path is too long"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_file),
    };

    return cmocka_run_group_tests_name("png", tests, NULL, NULL) != 0;
}
