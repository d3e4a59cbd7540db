/* SPDX-License-Identifier: BSD-3-Clause */
/* host/npy.h and the arrays of host/array.h that it reads. */
#define _POSIX_C_SOURCE 200809L

#include "host/array.h"
#include "host/io.h"
#include "host/npy.h"

#include <stdlib.h> /* free, mkstemp */
#include <string.h> /* memcmp, memcpy, memset, strlen, strstr */
#include <unistd.h> /* close, unlink */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static char scratch[] = "/tmp/test_npy-XXXXXX";

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

/* Writes a version 1.0 file with this header, unchecked, and `size` bytes of data. */
static void put_npy(const char *header, size_t size)
{
    static char bytes[1024];
    size_t length = strlen(header);

    assert_true(length < 256 && size < 512);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, "\x93NUMPY\x01", 7);
    bytes[8] = (char)length;
    memcpy(bytes + 10, header, length);
    put(bytes, 10 + length + size);
}

static struct array read_scratch(void)
{
    struct array array;
    struct io_error error;

    if (npy_read(scratch, &array, &error) != 0)
        fail_msg("%s", error.text);
    return array;
}

static void assert_zeroed(const struct array *array)
{
    assert_null(array->data);
    assert_int_equal(array->rank, 0);
    for (int d = 0; d < ARRAY_MAX_RANK; d++)
        assert_int_equal(array->shape[d], 0);
}

static void assert_refused(const char *path, const char *words)
{
    struct array array;
    struct io_error error;

    memset(&array, 0xff, sizeof array);
    if (npy_read(path, &array, &error) != IO_BAD)
        fail_msg("expected a refusal with '%s', but the file was read", words);
    if (strstr(error.text, path) == NULL || strstr(error.text, words) == NULL)
        fail_msg("expected a sentence with '%s' and '%s', found '%s'", path, words, error.text);
    assert_zeroed(&array);
}

/* Written by numpy.save, NumPy 1.24. */
#define PAD_58 "                                                          "
static const char numpy_float32[] =
    "\x93NUMPY\x01\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" PAD_58 "\n"
    "\0\0\0\0\0\0\x80>\0\0\0?\0\0@?\0\0\x80?\0\0\xa0?";
static const char numpy_scalar[] =
    "\x93NUMPY\x01\0v\0{'descr': '<i8', 'fortran_order': False, 'shape': (), }    " PAD_58 "\n"
    "\xfd\xff\xff\xff\xff\xff\xff\xff";
static const char numpy_empty[] =
    "\x93NUMPY\x01\0v\0{'descr': '|u1', 'fortran_order': False, 'shape': (0, 3), }" PAD_58 "\n";
static const char numpy_version2[] =
    "\x93NUMPY\x02\0t\0\0\0{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }" PAD_58 "\n"
    "\0\0\0\0\0\0\xf8?\0\0\0\0\0\0\x04\xc0";
static const char numpy_version3[] =
    "\x93NUMPY\x03\0t\0\0\0{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }" PAD_58 "\n"
    "\0\0\0\0\0\0\xf8?\0\0\0\0\0\0\x04\xc0";

/* A literal's bytes without the NUL added by C. */
#define PUT_LITERAL(literal) put(literal, sizeof(literal) - 1)

static void test_reads_what_numpy_wrote(void **state)
{
    struct array array;

    (void)state;
    PUT_LITERAL(numpy_float32);
    array = read_scratch();
    assert_int_equal(array.type, ARRAY_FLOAT32);
    assert_int_equal(array.rank, 2);
    assert_int_equal(array.shape[0], 2);
    assert_int_equal(array.shape[1], 3);
    for (size_t i = 0; i < 6; i++)
        assert_true(array_get(&array, i) == (double)i / 4);
    array_free(&array);

    PUT_LITERAL(numpy_scalar);
    array = read_scratch();
    assert_int_equal(array.type, ARRAY_INT64);
    assert_int_equal(array.rank, 0);
    assert_int_equal(array_count(&array), 1);
    assert_true(array_get(&array, 0) == -3);
    array_free(&array);

    PUT_LITERAL(numpy_empty);
    array = read_scratch();
    assert_int_equal(array.type, ARRAY_UINT8);
    assert_int_equal(array.shape[0], 0);
    assert_int_equal(array.shape[1], 3);
    assert_int_equal(array_count(&array), 0);
    assert_non_null(array.data);
    array_free(&array);
}

static void test_reads_later_versions(void **state)
{
    struct array array;

    (void)state;
    for (int version = 2; version <= 3; version++) {
        if (version == 2)
            PUT_LITERAL(numpy_version2);
        else
            PUT_LITERAL(numpy_version3);
        array = read_scratch();
        assert_int_equal(array.type, ARRAY_FLOAT64);
        assert_int_equal(array_count(&array), 2);
        assert_true(array_get(&array, 0) == 1.5);
        assert_true(array_get(&array, 1) == -2.5);
        array_free(&array);
    }
}

static void test_writes_what_numpy_writes(void **state)
{
    const size_t shape[] = {2, 3};
    struct array array;
    struct io_error error;
    char *data;
    size_t size;

    (void)state;
    assert_int_equal(array_allocate(&array, ARRAY_FLOAT32, 2, shape, &error), 0);
    for (int i = 0; i < 6; i++)
        ((float *)array.data)[i] = (float)i / 4;
    assert_int_equal(npy_write(scratch, &array, &error), 0);
    array_free(&array);
    assert_int_equal(io_read_file(scratch, &data, &size, &error), 0);
    assert_int_equal(size, sizeof numpy_float32 - 1);
    assert_memory_equal(data, numpy_float32, size);
    free(data);
}

static void test_round_trip(void **state)
{
    const size_t shapes[][ARRAY_MAX_RANK] = {{3, 2, 4, 5}, {7, 1, 1, 2}, {2, 0, 3, 1}};

    (void)state;
    for (int t = ARRAY_UINT8; t <= ARRAY_FLOAT64; t++) {
        for (int rank = 0; rank <= ARRAY_MAX_RANK; rank++) {
            for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
                struct array written, array;
                struct io_error error;
                size_t bytes;

                assert_int_equal(
                    array_allocate(&written, (enum array_type)t, rank, shapes[s], &error), 0);
                bytes = array_count(&written) * array_type_size(written.type);
                /* All bit patterns are valid, including NaNs with payloads. */
                for (size_t i = 0; i < bytes; i++)
                    ((unsigned char *)written.data)[i] = (unsigned char)(251 * i + 0xf0);
                assert_int_equal(npy_write(scratch, &written, &error), 0);
                array = read_scratch();
                assert_int_equal(array.type, t);
                assert_int_equal(array.rank, rank);
                assert_memory_equal(array.shape, written.shape, (size_t)rank * sizeof(size_t));
                assert_int_equal(memcmp(array.data, written.data, bytes), 0);
                array_free(&written);
                array_free(&array);
            }
        }
    }
}

/* The data of a file that we write begin at a multiple of 64 bytes, whatever the shape. */
static void test_data_are_aligned(void **state)
{
    (void)state;
    for (size_t length = 1; length < 1000000; length *= 3) {
        const size_t shape[] = {length, 1, length, 0};
        struct array array;
        struct io_error error;
        char *data;
        size_t size;

        assert_int_equal(array_allocate(&array, ARRAY_FLOAT64, 4, shape, &error), 0);
        assert_int_equal(npy_write(scratch, &array, &error), 0);
        array_free(&array);
        assert_int_equal(io_read_file(scratch, &data, &size, &error), 0);
        assert_int_equal(size % 64, 0);
        assert_int_equal(data[size - 1], '\n');
        free(data);
        array = read_scratch();
        assert_int_equal(array.shape[2], length);
        array_free(&array);
    }
}

static void test_reads_any_spelling_of_the_header(void **state)
{
    static const char *const headers[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
        "{'shape': (2, 3), 'descr': '<f4', 'fortran_order': False}\n",
        "{'fortran_order':False,'shape':(2,3),'descr':'<f4'}",
        "  { \"descr\" : \"<f4\" , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , }  \n  \n",
    };

    (void)state;
    for (size_t k = 0; k < sizeof headers / sizeof headers[0]; k++) {
        struct array array;

        put_npy(headers[k], 24);
        array = read_scratch();
        assert_int_equal(array.type, ARRAY_FLOAT32);
        assert_int_equal(array.rank, 2);
        assert_int_equal(array.shape[0], 2);
        assert_int_equal(array.shape[1], 3);
        array_free(&array);
    }
}

static void test_refuses_broken_headers(void **state)
{
    static const struct {
        const char *header;
        const char *words;
    } cases[] = {
        {"", "byte 10: expected '{'"},
        {"[]", "byte 10: expected '{'"},
        {"{}", "expected the keys descr, fortran_order and shape"},
        {"{'descr': '<f4', 'shape': (2,)}", "expected the keys descr, fortran_order and shape"},
        {"{'descr': '<f4', 'fortran_order': False}", "expected the keys"},
        {"{'fortran_order': False, 'shape': (2,)}", "expected the keys"},
        {"{", "byte 11: expected a key in quotes"},
        {"{descr: '<f4'}", "byte 11: expected a key in quotes"},
        {"{'descr", "expected a closing quote"},
        {"{'descr' '<f4'}", "expected ':' after a key"},
        {"{'descr': '<f4' 'shape': (2,)}", "expected ',' or '}'"},
        {"{'title': 'x'}", "key 'title' is not known"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x", "nothing but blanks"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", "expected ',' or '}'"},

        {"{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}",
         "dtype '>f4' is big-endian, expected little-endian"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}",
         "dtype '<c8' is not supported, expected |u1, <i4, <u4, <i8, <u8, <f4 or <f8"},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", "dtype '|b1' is not"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", "dtype '|O' is not"},
        {"{'descr': '<f4<f4<f4<f4<f4<f4<f4<f4<f4<f4<f4<f4<f4', 'shape': (2,)}", "dtype '<f4<f4"},
        {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,)}",
         "expected a plain dtype such as '<f4'"},

        {"{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}",
         "the array is in Fortran order, expected C order"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}", "expected True or False"},

        {"{'descr': '<f4', 'fortran_order': False, 'shape': 2}", "expected '(' before the shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2)}", "expected ',' after a size"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 1)}", "expected ',' after a size"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", "expected a size of 0 or more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
         "byte 61: expected a size of 0 or more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2.0,)}", "expected ',' after a size"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2", "expected ',' after a size"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 2)}",
         "expected a shape of at most 4 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
         "expected a size of 0 or more that fits in memory"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         "shape (4294967296, 4294967296) of float32 does not fit in memory"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,)}",
         "shape (2305843009213693952,) of float64 does not fit in memory"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        put_npy(cases[k].header, 8);
        assert_refused(scratch, cases[k].words);
    }
}

/* C strings end at a zero byte, and the file's do not: '<f4\0...' is not '<f4'. */
static void test_refuses_zero_bytes(void **state)
{
    static const struct {
        const char *header; /* '#' stands for a zero byte */
        const char *words;
    } cases[] = {
        {"{'descr': '<f4#', 'fortran_order': False, 'shape': (2,)}",
         "byte 21: expected a string without zero bytes"},
        {"{'descr': '<f4#|u1', 'fortran_order': False, 'shape': (2,)}", "without zero bytes"},
        {"{'descr': '#<f4', 'fortran_order': False, 'shape': (2,)}", "without zero bytes"},
        {"{'descr#x': '<f4', 'fortran_order': False, 'shape': (2,)}",
         "byte 12: expected a string without zero bytes"},
        {"{'descr': '<f4', 'fortran_order#': False, 'shape': (2,)}", "without zero bytes"},
        {"{'descr': '<f4', 'fortran_order': False#, 'shape': (2,)}", "expected ',' or '}'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2#,)}", "expected ',' after a size"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}#",
         "expected nothing but blanks after '}'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)#", "expected ',' or '}'"},
        {"#", "expected '{'"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        static char bytes[256];
        const size_t length = strlen(cases[k].header);

        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, "\x93NUMPY\x01", 7);
        bytes[8] = (char)length;
        for (size_t i = 0; i < length; i++)
            bytes[10 + i] = (char)(cases[k].header[i] == '#' ? '\0' : cases[k].header[i]);
        put(bytes, 10 + length + 8);
        assert_refused(scratch, cases[k].words);
    }
}

static void test_refuses_other_files(void **state)
{
    (void)state;
    PUT_LITERAL("");
    assert_refused(scratch, "expected an NPY file");
    PUT_LITERAL("P5\n1 1\n255\nx");
    assert_refused(scratch, "expected an NPY file");
    PUT_LITERAL("\x93NUMPY");
    assert_refused(scratch, "truncated: expected at least 10 bytes, found 6");
    PUT_LITERAL("\x93NUMPY\x04\0\x02\0{}");
    assert_refused(scratch, "NPY version 4.0 is not supported, expected 1.0, 2.0 or 3.0");
    PUT_LITERAL("\x93NUMPY\0\0\x02\0{}");
    assert_refused(scratch, "NPY version 0.0");
    PUT_LITERAL("\x93NUMPY\x01\x01\x02\0{}");
    assert_refused(scratch, "NPY version 1.1");
    PUT_LITERAL("\x93NUMPY\x01\0\x03\0{}");
    assert_refused(scratch, "truncated: expected 3 bytes of NPY header, found 2");
    PUT_LITERAL("\x93NUMPY\x02\0\x02\0");
    assert_refused(scratch, "truncated: expected at least 12 bytes, found 10");
    PUT_LITERAL("\x93NUMPY\x02\0\xff\xff\xff\xff{}");
    assert_refused(scratch, "truncated: expected 4294967295 bytes of NPY header, found 2");
    assert_refused("/tmp", "found a directory");
    assert_refused("/nowhere/missing.npy", "No such file");
}

static void test_refuses_wrong_lengths(void **state)
{
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}";

    (void)state;
    put_npy(header, 23);
    assert_refused(scratch, "expected 24 bytes of data for shape (2, 3) of float32, found 23");
    put_npy(header, 25);
    assert_refused(scratch, "expected 24 bytes of data for shape (2, 3) of float32, found 25");
    put_npy(header, 0);
    assert_refused(scratch, "expected 24 bytes of data for shape (2, 3) of float32, found 0");
    put_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,)}", 4);
    assert_refused(scratch, "expected 4000000000000 bytes of data");
    put_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}", 1);
    assert_refused(scratch, "expected 0 bytes of data");
}

static void test_refuses_every_prefix(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof numpy_float32 - 1; size++) {
        put(numpy_float32, size);
        assert_refused(scratch, "expected");
    }
    for (size_t size = 0; size < sizeof numpy_version2 - 1; size++) {
        put(numpy_version2, size);
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
        char bytes[sizeof numpy_float32];
        struct array array;
        struct io_error error;

        memcpy(bytes, numpy_float32, sizeof bytes);
        for (int k = 0; k <= round % 3; k++) {
            random = random * 1664525 + 1013904223;
            bytes[(random >> 8) % 70] = (char)(random >> 24); /* most later bytes are blank */
        }
        put(bytes, sizeof bytes - 1);
        error.text[0] = '\0';
        if (npy_read(scratch, &array, &error) == 0) {
            double sum = 0.0;

            for (size_t i = 0; i < array_count(&array); i++)
                sum += array_get(&array, i);
            reads += sum == sum;
            array_free(&array);
        } else {
            assert_zeroed(&array);
            assert_non_null(strstr(error.text, scratch));
            refusals++;
        }
    }
    assert_true(reads > 0 && refusals > 0);
}

static void test_write_refuses_a_directory(void **state)
{
    struct array array;
    struct io_error error;

    (void)state;
    assert_int_equal(array_allocate(&array, ARRAY_UINT8, 0, NULL, &error), 0);
    assert_int_equal(npy_write("/tmp", &array, &error), IO_BAD);
    assert_non_null(strstr(error.text, "/tmp: cannot write: it is a directory"));
    array_free(&array);
}

static void test_array_types(void **state)
{
    static const char *const names[] = {"uint8",  "int32",   "uint32", "int64",
                                        "uint64", "float32", "float64"};
    static const size_t sizes[] = {1, 4, 4, 8, 8, 4, 8};

    (void)state;
    for (int t = ARRAY_UINT8; t <= ARRAY_FLOAT64; t++) {
        assert_string_equal(array_type_name((enum array_type)t), names[t]);
        assert_int_equal(array_type_size((enum array_type)t), sizes[t]);
    }
}

static void test_array_allocate(void **state)
{
    const size_t shape[] = {2, 3, 4, 5};
    const size_t empty[] = {SIZE_MAX, 0};
    const size_t wide[] = {SIZE_MAX / 2, 3};
    const size_t hidden[] = {0, SIZE_MAX / 2, 3};
    struct array array;
    struct io_error error;

    (void)state;
    assert_int_equal(array_allocate(&array, ARRAY_INT32, 4, shape, &error), 0);
    assert_int_equal(array_count(&array), 120);
    for (size_t i = 0; i < 120; i++)
        assert_true(array_get(&array, i) == 0);
    array_free(&array);
    assert_zeroed(&array);
    array_free(&array);

    assert_int_equal(array_allocate(&array, ARRAY_FLOAT64, 0, NULL, &error), 0);
    assert_int_equal(array_count(&array), 1);
    array_free(&array);

    assert_int_equal(array_bytes(ARRAY_INT32, 4, shape), 480);
    assert_int_equal(array_bytes(ARRAY_UINT8, 0, NULL), 1);
    assert_true(array_bytes(ARRAY_UINT8, 2, wide) == SIZE_MAX);
    assert_true(array_bytes(ARRAY_UINT8, 2, empty) == SIZE_MAX); /* also to NumPy */
    assert_true(array_bytes(ARRAY_UINT8, 3, hidden) == SIZE_MAX);

    assert_int_equal(array_allocate(&array, ARRAY_UINT8, 2, wide, &error), IO_BAD);
    assert_non_null(strstr(error.text, "not enough memory for a uint8 array of shape ("));
    assert_zeroed(&array);
    assert_int_equal(array_allocate(&array, ARRAY_UINT8, 5, shape, &error), IO_BAD);
    assert_non_null(strstr(error.text, "0 to 4 dimensions, not 5"));
    assert_int_equal(array_allocate(&array, ARRAY_UINT8, -1, shape, &error), IO_BAD);
}

static void test_array_texts(void **state)
{
    const size_t shape[] = {2, 3, 4, 5};
    const size_t largest[] = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    int64_t whole = INT64_MIN;
    uint64_t natural = UINT64_MAX;
    float single = 0.1f;
    double precise = 0.1;
    unsigned char byte = 255;
    struct array array = {ARRAY_INT32, 4, {2, 3, 4, 5}, NULL};
    char text[ARRAY_TEXT_SIZE];

    (void)state;
    array_shape_text(0, shape, text, sizeof text);
    assert_string_equal(text, "()");
    array_shape_text(1, shape, text, sizeof text);
    assert_string_equal(text, "(2,)");
    array_shape_text(4, shape, text, sizeof text);
    assert_string_equal(text, "(2, 3, 4, 5)");
    array_shape_text(4, largest, text, sizeof text);
    assert_int_equal(text[strlen(text) - 1], ')');
    array_shape_text(4, shape, text, 6);
    assert_string_equal(text, "(2, 3");

    array_index_text(&array, 0, text, sizeof text);
    assert_string_equal(text, "[0, 0, 0, 0]");
    array_index_text(&array, 119, text, sizeof text);
    assert_string_equal(text, "[1, 2, 3, 4]");
    array_index_text(&array, 66, text, sizeof text);
    assert_string_equal(text, "[1, 0, 1, 1]");
    array.rank = 0;
    array_index_text(&array, 0, text, sizeof text);
    assert_string_equal(text, "[]");

    array.type = ARRAY_INT64;
    array.data = &whole;
    array_element_text(&array, 0, text, sizeof text);
    assert_string_equal(text, "-9223372036854775808");
    array.type = ARRAY_UINT64;
    array.data = &natural;
    array_element_text(&array, 0, text, sizeof text);
    assert_string_equal(text, "18446744073709551615");
    array.type = ARRAY_FLOAT32;
    array.data = &single;
    array_element_text(&array, 0, text, sizeof text);
    assert_string_equal(text, "0.100000001");
    array.type = ARRAY_FLOAT64;
    array.data = &precise;
    array_element_text(&array, 0, text, sizeof text);
    assert_string_equal(text, "0.10000000000000001");
    array.type = ARRAY_UINT8;
    array.data = &byte;
    array_element_text(&array, 0, text, sizeof text);
    assert_string_equal(text, "255");
}

static void test_array_get(void **state)
{
    int32_t whole = -7;
    uint32_t natural = UINT32_MAX;
    int64_t long_whole = -7;
    uint64_t long_natural = 7;
    struct array array = {ARRAY_INT32, 0, {0}, NULL};

    (void)state;
    array.data = &whole;
    assert_true(array_get(&array, 0) == -7.0);
    array.type = ARRAY_UINT32;
    array.data = &natural;
    assert_true(array_get(&array, 0) == 4294967295.0);
    array.type = ARRAY_INT64;
    array.data = &long_whole;
    assert_true(array_get(&array, 0) == -7.0);
    array.type = ARRAY_UINT64;
    array.data = &long_natural;
    assert_true(array_get(&array, 0) == 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_what_numpy_wrote),
        cmocka_unit_test(test_reads_later_versions),
        cmocka_unit_test(test_writes_what_numpy_writes),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_data_are_aligned),
        cmocka_unit_test(test_reads_any_spelling_of_the_header),
        cmocka_unit_test(test_refuses_broken_headers),
        cmocka_unit_test(test_refuses_zero_bytes),
        cmocka_unit_test(test_refuses_other_files),
        cmocka_unit_test(test_refuses_wrong_lengths),
        cmocka_unit_test(test_refuses_every_prefix),
        cmocka_unit_test(test_survives_damage),
        cmocka_unit_test(test_write_refuses_a_directory),
        cmocka_unit_test(test_array_types),
        cmocka_unit_test(test_array_allocate),
        cmocka_unit_test(test_array_texts),
        cmocka_unit_test(test_array_get),
    };

    return cmocka_run_group_tests_name("npy", tests, make_scratch, remove_scratch) != 0;
}
