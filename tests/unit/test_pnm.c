/* SPDX-License-Identifier: BSD-3-Clause */
/* host/pnm.h. */
#define _POSIX_C_SOURCE 200809L

#include "host/array.h"
#include "host/io.h"
#include "host/pnm.h"

#include <stdlib.h> /* free, mkstemp */
#include <string.h> /* memcpy, memset, strlen, strstr */
#include <unistd.h> /* close, unlink */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#ifndef TEST_DATA
#define TEST_DATA "tests/data"
#endif

static char scratch[] = "/tmp/test_pnm-XXXXXX";

static int make_scratch(void **state)
{
    int descriptor = mkstemp(scratch);

    (void)state;
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_scratch(void **state)
{
    (void)state;
    return unlink(scratch);
}

static void put(const void *bytes, size_t size)
{
    struct io_error error;

    if (io_write_file(scratch, bytes, size, &error) != 0)
        fail_msg("%s", error.text);
}

static struct array read_image(const char *path)
{
    struct array image;
    struct io_error error;

    if (pnm_read(path, &image, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(image.type, ARRAY_UINT8);
    return image;
}

static void assert_refused(const char *path, const char *words)
{
    struct array image;
    struct io_error error;

    memset(&image, 0xff, sizeof image);
    if (pnm_read(path, &image, &error) != IO_BAD)
        fail_msg("expected a refusal with '%s', but the file was read", words);
    if (strstr(error.text, path) == NULL || strstr(error.text, words) == NULL)
        fail_msg("expected a sentence with '%s' and '%s', found '%s'", path, words, error.text);
    assert_null(image.data);
    assert_int_equal(image.rank, 0);
}

static const char grey[] = "P5\n# a comment\n3 2\n255\n\0\x01\x02\x7f\x80\xff";
static const char colour[] = "P6 2 1 255\nabcdef";

static void test_reads_grey(void **state)
{
    struct array image;

    (void)state;
    put(grey, sizeof grey - 1);
    image = read_image(scratch);
    assert_int_equal(image.rank, 2);
    assert_int_equal(image.shape[0], 2);
    assert_int_equal(image.shape[1], 3);
    assert_memory_equal(image.data, "\0\x01\x02\x7f\x80\xff", 6);
    array_free(&image);
}

static void test_reads_colour(void **state)
{
    struct array image;

    (void)state;
    put(colour, sizeof colour - 1);
    image = read_image(scratch);
    assert_int_equal(image.rank, 3);
    assert_int_equal(image.shape[0], 1);
    assert_int_equal(image.shape[1], 2);
    assert_int_equal(image.shape[2], 3);
    assert_memory_equal(image.data, "abcdef", 6);
    array_free(&image);
}

static void test_reads_any_spelling_of_the_header(void **state)
{
    static const char *const files[] = {
        "P5 2 1 255 ab",     "P5\t2\r\n1\v255\fab", "P5#2 3\n2#x\n#y\r1\n##\n255\nab",
        "P5 002 01 0255 ab", "P5 2 1 98 ab", /* samples are not scaled */
    };
    struct array image;

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        put(files[k], strlen(files[k]));
        image = read_image(scratch);
        assert_int_equal(image.shape[0], 1);
        assert_int_equal(image.shape[1], 2);
        assert_memory_equal(image.data, "ab", 2);
        array_free(&image);
    }
    /* The header ends with one blank: a second one is a sample. */
    put("P5 2 1 255\n\n#", 13);
    image = read_image(scratch);
    assert_memory_equal(image.data, "\n#", 2);
    array_free(&image);
}

static void test_reads_photographs(void **state)
{
    struct array image;

    (void)state;
    image = read_image(TEST_DATA "/img/camera.pgm");
    assert_int_equal(image.rank, 2);
    assert_int_equal(image.shape[0], 512);
    assert_int_equal(image.shape[1], 512);
    assert_true(array_get(&image, 0) == 0xc8);
    array_free(&image);

    image = read_image(TEST_DATA "/img/chelsea.ppm");
    assert_int_equal(image.rank, 3);
    assert_int_equal(image.shape[0], 300);
    assert_int_equal(image.shape[1], 451);
    assert_int_equal(image.shape[2], 3);
    assert_memory_equal(image.data, "\x8f\x78\x68\x8f\x78", 5);
    array_free(&image);
}

/* The photographs have the header that we write, so the files must be identical. */
static void test_round_trip(void **state)
{
    static const char *const paths[] = {TEST_DATA "/img/camera.pgm", TEST_DATA "/img/chelsea.ppm"};

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct array image = read_image(paths[k]);
        struct io_error error;
        char *original, *copy;
        size_t size, copy_size;

        assert_int_equal(pnm_write(scratch, &image, &error), 0);
        array_free(&image);
        assert_int_equal(io_read_file(paths[k], &original, &size, &error), 0);
        assert_int_equal(io_read_file(scratch, &copy, &copy_size, &error), 0);
        assert_int_equal(size, copy_size);
        assert_memory_equal(original, copy, size);
        free(original);
        free(copy);
    }
}

static void test_refuses_broken_headers(void **state)
{
    static const struct {
        const char *file;
        const char *words;
    } cases[] = {
        {"", "expected a PGM or PPM image, which begins with P5 or P6"},
        {"P", "expected a PGM or PPM image"},
        {"PNG", "expected a PGM or PPM image"},
        {"P4 8 1\nx", "expected a PGM or PPM image"},
        {"P7\nWIDTH 1", "expected a PGM or PPM image"},
        {"P2 1 1 255 7", "the image is in the plain format P2, expected raw P5 or P6"},
        {"P3 1 1 255 7 7 7", "the image is in the plain format P3, expected raw P5 or P6"},
        {"P5", "byte 2: expected a blank and the image's width"},
        {"P51 1 255 x", "byte 2: expected a blank and the image's width"},
        {"P5 # no end", "byte 11: expected a blank and the image's width"},
        {"P5 -1 1 255 x", "byte 3: expected a blank and the image's width, from 1 to"},
        {"P5 0 1 255 x", "image's width, from 1 to"},
        {"P5 one 1 255 x", "image's width, from 1 to"},
        {"P5 1", "image's height"},
        {"P5 1 -1 255 x", "image's height, from 1 to"},
        {"P5 1 0 255 ", "image's height, from 1 to"},
        {"P5 1x1 255 x", "image's height, from 1 to"},
        {"P5 99999999999999999999 1 255 x", "image's width, from 1 to"},
        {"P5 1 1", "image's largest sample"},
        {"P5 1 1 0 x", "image's largest sample, from 1 to"},
        {"P5 1 1 256 xx", "16-bit samples (up to 256) are not supported, expected 255"},
        {"P5 1 1 65535 xx", "16-bit samples (up to 65535) are not supported"},
        {"P5 1 1 255", "byte 10: expected one blank before the samples"},
        {"P5 1 1 255# x", "byte 10: expected one blank before the samples"},
        {"P5 4294967296 4294967296 255 x", "4294967296 x 4294967296 does not fit in memory"},
        {"P6 4611686018427387904 1 255 x", "4611686018427387904 x 1 does not fit in memory"},
        {"P5 2 1 98 ac", "byte 11: expected a sample up to 98, found 99"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        put(cases[k].file, strlen(cases[k].file));
        assert_refused(scratch, cases[k].words);
    }
    assert_refused("/tmp", "found a directory");
    assert_refused("/nowhere/missing.pgm", "No such file");
}

static void test_refuses_wrong_lengths(void **state)
{
    (void)state;
    put("P5 3 2 255 abcde", 16);
    assert_refused(scratch, "expected 6 bytes of samples for 3 x 2, found 5");
    put("P5 3 2 255 abcdefg", 18);
    assert_refused(scratch, "expected 6 bytes of samples for 3 x 2, found 7");
    put("P6 1 2 255 abcde", 16);
    assert_refused(scratch, "expected 6 bytes of samples for 1 x 2, found 5");
    put("P5 100000 100000 255 abcde", 26);
    assert_refused(scratch, "expected 10000000000 bytes of samples for 100000 x 100000, found 5");
}

static void test_refuses_every_prefix(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof grey - 1; size++) {
        put(grey, size);
        assert_refused(scratch, "expected");
    }
    for (size_t size = 0; size < sizeof colour - 1; size++) {
        put(colour, size);
        assert_refused(scratch, "expected");
    }
}

/* A damaged file is read or refused, and has no other effect. */
static void test_survives_damage(void **state)
{
    uint32_t random = 1;
    unsigned reads = 0, refusals = 0;

    (void)state;
    for (int round = 0; round < 5000; round++) {
        char bytes[sizeof grey];
        struct array image;
        struct io_error error;

        memcpy(bytes, grey, sizeof bytes);
        for (int k = 0; k <= round % 3; k++) {
            random = random * 1664525 + 1013904223;
            bytes[(random >> 8) % (sizeof grey - 1)] = (char)(random >> 24);
        }
        put(bytes, sizeof bytes - 1);
        error.text[0] = '\0';
        if (pnm_read(scratch, &image, &error) == 0) {
            double sum = 0.0;

            for (size_t i = 0; i < array_count(&image); i++)
                sum += array_get(&image, i);
            reads += sum >= 0.0;
            array_free(&image);
        } else {
            assert_null(image.data);
            assert_non_null(strstr(error.text, scratch));
            refusals++;
        }
    }
    assert_true(reads > 0 && refusals > 0);
}

static void test_writes_images_only(void **state)
{
    static const struct {
        struct array array;
        const char *words;
    } cases[] = {
        {{ARRAY_FLOAT32, 2, {1, 1}, NULL}, "found float32 of shape (1, 1)"},
        {{ARRAY_UINT8, 1, {1}, NULL}, "found uint8 of shape (1,)"},
        {{ARRAY_UINT8, 3, {1, 1, 4}, NULL}, "found uint8 of shape (1, 1, 4)"},
        {{ARRAY_UINT8, 4, {1, 1, 3, 1}, NULL}, "found uint8 of shape (1, 1, 3, 1)"},
        {{ARRAY_UINT8, 2, {0, 1}, NULL}, "found uint8 of shape (0, 1)"},
    };
    struct io_error error;
    char *data;
    size_t size;

    (void)state;
    put("old", 3);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_int_equal(pnm_write(scratch, &cases[k].array, &error), IO_BAD);
        assert_non_null(strstr(error.text, scratch));
        assert_non_null(strstr(error.text, "cannot write: expected uint8"));
        if (strstr(error.text, cases[k].words) == NULL)
            fail_msg("expected '%s', found '%s'", cases[k].words, error.text);
    }
    assert_int_equal(io_read_file(scratch, &data, &size, &error), 0);
    assert_string_equal(data, "old");
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_grey),
        cmocka_unit_test(test_reads_colour),
        cmocka_unit_test(test_reads_any_spelling_of_the_header),
        cmocka_unit_test(test_reads_photographs),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_refuses_broken_headers),
        cmocka_unit_test(test_refuses_wrong_lengths),
        cmocka_unit_test(test_refuses_every_prefix),
        cmocka_unit_test(test_survives_damage),
        cmocka_unit_test(test_writes_images_only),
    };

    return cmocka_run_group_tests_name("pnm", tests, make_scratch, remove_scratch) != 0;
}
