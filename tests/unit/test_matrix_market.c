/* SPDX-License-Identifier: BSD-3-Clause */
/* host/matrix_market.h. */
#define _POSIX_C_SOURCE 200809L

#include "host/io.h"
#include "host/matrix_market.h"

#include <math.h>   /* INFINITY, isfinite, NAN */
#include <stdio.h>  /* fgets, fopen, snprintf, sscanf */
#include <stdlib.h> /* free, mkstemp */
#include <string.h> /* memcpy, memset, strlen, strrchr, strstr */
#include <unistd.h> /* close, unlink */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#ifndef TEST_DATA
#define TEST_DATA "tests/data"
#endif

#define BANNER "%%MatrixMarket matrix coordinate real general\n"
#define BANNER_FORMAT "%%%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define SKEW "%%MatrixMarket matrix coordinate real skew-symmetric\n"

static char scratch[] = "/tmp/test_matrix_market-XXXXXX";

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

static struct csr_matrix read_matrix(const char *path)
{
    struct csr_matrix matrix;
    struct io_error error;

    if (matrix_market_read(path, &matrix, &error) != 0)
        fail_msg("%s", error.text);
    return matrix;
}

static void assert_zeroed(const struct csr_matrix *matrix)
{
    assert_int_equal(matrix->rows, 0);
    assert_int_equal(matrix->columns, 0);
    assert_int_equal(matrix->nonzeros, 0);
    assert_null(matrix->row_offsets);
    assert_null(matrix->column_indices);
    assert_null(matrix->values);
}

static void assert_refused(const char *path, const char *words)
{
    struct csr_matrix matrix;
    struct io_error error;

    memset(&matrix, 0xff, sizeof matrix);
    if (matrix_market_read(path, &matrix, &error) != IO_BAD)
        fail_msg("expected a refusal with '%s', but the file was read", words);
    if (strstr(error.text, path) == NULL || strstr(error.text, words) == NULL)
        fail_msg("expected a sentence with '%s' and '%s', found '%s'", path, words, error.text);
    assert_zeroed(&matrix);
}

/* Reads `text`, compares the matrix with the expected one, and frees it. */
static void assert_matrix(const char *text, int rows, int columns, const int *row_offsets,
                          const int *column_indices, const double *values)
{
    struct csr_matrix matrix;

    put(text, strlen(text));
    matrix = read_matrix(scratch);
    assert_int_equal(matrix.rows, rows);
    assert_int_equal(matrix.columns, columns);
    assert_int_equal(matrix.nonzeros, row_offsets[rows]);
    for (int r = 0; r <= rows; r++)
        assert_int_equal(matrix.row_offsets[r], row_offsets[r]);
    for (int k = 0; k < matrix.nonzeros; k++) {
        assert_int_equal(matrix.column_indices[k], column_indices[k]);
        assert_true(matrix.values[k] == values[k]);
    }
    csr_free(&matrix);
    assert_zeroed(&matrix);
}

static void test_reads_general(void **state)
{
    const int offsets[] = {0, 2, 2, 3};
    const int columns[] = {1, 3, 0};
    const double values[] = {-1.5e-3, 4.0, 0.25};

    (void)state;
    assert_matrix(BANNER "3 4 3\n3 1 .25\n1 4 4\n1 2 -1.5E-3\n", 3, 4, offsets, columns, values);
}

static void test_reads_integer(void **state)
{
    const int offsets[] = {0, 3};
    const int columns[] = {0, 1, 2};
    const double values[] = {-7.0, 9007199254740991.0, 3.0};

    (void)state;
    assert_matrix("%%MatrixMarket matrix coordinate integer general\n"
                  "1 3 3\n1 1 -7\n1 2 9007199254740991\n1 3 +3\n",
                  1, 3, offsets, columns, values);
}

static void test_reads_pattern(void **state)
{
    const int offsets[] = {0, 1, 3};
    const int columns[] = {1, 0, 1};
    const double values[] = {1.0, 1.0, 1.0};

    (void)state;
    assert_matrix("%%MatrixMarket matrix coordinate pattern general\n2 2 3\n2 2\n2 1\n1 2\n", 2, 2,
                  offsets, columns, values);
    assert_matrix("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 2\n2 1\n", 2, 2,
                  offsets, columns, values);
}

static void test_expands_symmetric(void **state)
{
    const int offsets[] = {0, 3, 5, 6};
    const int columns[] = {0, 1, 2, 0, 1, 0};
    const double values[] = {1.0, 2.0, 3.0, 2.0, 5.0, 3.0};

    (void)state;
    assert_matrix(SYMMETRIC "3 3 4\n1 1 1\n2 1 2\n3 1 3\n2 2 5\n", 3, 3, offsets, columns, values);
}

static void test_expands_skew_symmetric(void **state)
{
    const int offsets[] = {0, 2, 3};
    const int columns[] = {0, 1, 0};
    const double values[] = {0.0, -2.0, 2.0};

    (void)state;
    assert_matrix(SKEW "2 2 2\n2 1 2\n1 1 0\n", 2, 2, offsets, columns, values);
}

static void test_keeps_duplicates_and_zeros_in_order(void **state)
{
    const int offsets[] = {0, 4, 7};
    const int columns[] = {0, 1, 1, 1, 0, 0, 0};
    const double values[] = {0.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0};

    (void)state;
    assert_matrix(SYMMETRIC "2 2 4\n2 1 3\n2 1 1\n1 1 0\n2 1 2\n", 2, 2, offsets, columns, values);
}

static void test_reads_empty_matrices(void **state)
{
    const int offsets[] = {0, 0, 0, 0};

    (void)state;
    assert_matrix(BANNER "0 0 0\n", 0, 0, offsets, NULL, NULL);
    assert_matrix(BANNER "3 5 0\n", 3, 5, offsets, NULL, NULL);
    assert_matrix(BANNER "0 5 0", 0, 5, offsets, NULL, NULL);
}

static void test_reads_any_spelling(void **state)
{
    static const char *const files[] = {
        BANNER "2 2 2\n1 1 1\n2 2 2",
        "%%matrixmarket MATRIX Coordinate REAL General\n2 2 2\n1 1 1\n2 2 2\n",
        "  %%MatrixMarket\tmatrix  coordinate real general \n2 2 2\n1 1 1\n2 2 2\n",
        "%%MatrixMarket matrix coordinate real general\r\n%\r\n2 2 2\r\n1 1 1\r\n2 2 2\r\n",
        BANNER "%\n\n% 9 9 9\n  \n2 2 2\n%\n1 1 1\n\n\n2 2 2\n\n% end\n  \n",
        BANNER "\t2  2\t2 \n 1 1 1.0e0\n2 2 +2.\n",
    };
    const int offsets[] = {0, 1, 2};
    const int columns[] = {0, 1};
    const double values[] = {1.0, 2.0};

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++)
        assert_matrix(files[k], 2, 2, offsets, columns, values);
}

static void test_refuses_broken_banners(void **state)
{
    static const struct {
        const char *file;
        const char *words;
    } cases[] = {
        {"", "line 1: expected the banner '%%MatrixMarket matrix coordinate FIELD SYMMETRY', found "
             "an empty file"},
        {"\n" BANNER, "line 1: expected the banner"},
        {"% a comment\n" BANNER, "line 1: expected the banner"},
        {"2 2 0\n", "line 1: expected the banner"},
        {"%MatrixMarket matrix coordinate real general\n2 2 0\n", "line 1: expected the banner"},
        {"%%MatrixMarket matrix coordinate real\n2 2 0\n", "line 1: expected the banner"},
        {"%%MatrixMarket matrix coordinate real general x\n2 2 0\n", "line 1: expected the banner"},
        {"%%MatrixMarket vector coordinate real general\n2 2 0\n",
         "line 1: object 'vector' is not supported, expected matrix"},
        {"%%MatrixMarket matrix array real general\n2 2\n",
         "line 1: format 'array' is not supported, expected coordinate"},
        {"%%MatrixMarket matrix coordinate complex general\n2 2 0\n",
         "line 1: field 'complex' is not supported, expected real, integer or pattern"},
        {"%%MatrixMarket matrix coordinate real hermitian\n2 2 0\n",
         "line 1: symmetry 'hermitian' is not supported, expected general, symmetric or skew-sym"},
        {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 0\n",
         "line 1: a pattern has no signs, expected general or symmetric, found skew-symmetric"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        put(cases[k].file, strlen(cases[k].file));
        assert_refused(scratch, cases[k].words);
    }
    assert_refused("/tmp", "found a directory");
    assert_refused("/nowhere/missing.mtx", "No such file");
}

static void test_refuses_broken_sizes(void **state)
{
    static const struct {
        const char *file;
        const char *words;
    } cases[] = {
        {BANNER, "line 1: expected the numbers of rows, columns and entries, found 0 words"},
        {BANNER "%\n%\n", "line 3: expected the numbers of rows, columns and entries, found 0"},
        {BANNER "2 2\n", "line 2: expected the numbers of rows, columns and entries, found 2"},
        {BANNER "2 2 0 0\n", "line 2: expected the numbers of rows, columns and entries, found 4"},
        {BANNER "-1 2 0\n",
         "line 2: expected the number of rows, from 0 to 2147483646, found '-1'"},
        {BANNER "2 -2 0\n",
         "line 2: expected the number of columns, from 0 to 2147483646, found '-2'"},
        {BANNER "2 2 -1\n",
         "line 2: expected the number of entries, from 0 to 2147483647, found '-1'"},
        {BANNER "2147483647 2 0\n", "line 2: expected the number of rows, from 0 to 2147483646"},
        {BANNER "2 2147483647 0\n", "line 2: expected the number of columns, from 0 to 2147483646"},
        {BANNER "2 2 2147483648\n", "line 2: expected the number of entries, from 0 to 2147483647"},
        {BANNER "99999999999999999999 2 0\n", "found '99999999999999999999'"},
        {BANNER "2.0 2 0\n", "line 2: expected the number of rows"},
        {BANNER "two 2 0\n", "line 2: expected the number of rows"},
        {SYMMETRIC "2 3 0\n",
         "line 2: expected as many columns as rows in a symmetric matrix, found 2 x 3"},
        {SKEW "3 2 0\n", "line 2: expected as many columns as rows"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        put(cases[k].file, strlen(cases[k].file));
        assert_refused(scratch, cases[k].words);
    }
}

static void test_refuses_broken_entries(void **state)
{
    static const struct {
        const char *file;
        const char *words;
    } cases[] = {
        {BANNER "2 3 3\n1 1 1\n2 2 2\n",
         "line 4: expected 3 entries, found 2 before the end of the file"},
        {BANNER "2 3 1\n", "line 2: expected 1 entries, found 0 before the end of the file"},
        {BANNER "2 3 1\n1 1 1\n\n2 2 2\n",
         "line 5: expected the end of the file after 1 entries, found '2'"},
        {BANNER "2 3 0\nx", "line 3: expected the end of the file after 0 entries, found 'x'"},
        {BANNER "2 3 1\n0 1 1\n", "line 3: expected a row, from 1 to 2, found '0'"},
        {BANNER "2 3 1\n3 1 1\n", "line 3: expected a row, from 1 to 2, found '3'"},
        {BANNER "2 3 1\n-1 1 1\n", "line 3: expected a row, from 1 to 2, found '-1'"},
        {BANNER "2 3 1\n1 0 1\n", "line 3: expected a column, from 1 to 3, found '0'"},
        {BANNER "2 3 1\n1 4 1\n", "line 3: expected a column, from 1 to 3, found '4'"},
        {BANNER "2 3 1\n4294967297 1 1\n", "expected a row, from 1 to 2, found '4294967297'"},
        {BANNER "2 3 1\n1x 1 1\n", "line 3: expected a row, from 1 to 2, found '1x'"},
        {BANNER "2 3 1\n1 1.5 1\n", "line 3: expected a column, from 1 to 3, found '1.5'"},
        {BANNER "2 3 1\n1 1\n", "line 3: expected a row, a column and a value, found 2 words"},
        {BANNER "2 3 1\n1 1 1 1\n", "line 3: expected a row, a column and a value, found 4 words"},
        {BANNER "2 3 1\n1 1 1 1 1 1 1 1\n", "found 8 words"},
        {BANNER "2 3 1\n1 1 nan\n", "line 3: expected a finite decimal number, found 'nan'"},
        {BANNER "2 3 1\n1 1 -inf\n", "line 3: expected a finite decimal number, found '-inf'"},
        {BANNER "2 3 1\n1 1 Infinity\n", "expected a finite decimal number, found 'Infinity'"},
        {BANNER "2 3 1\n1 1 1e999\n", "line 3: expected a finite decimal number, found '1e999'"},
        {BANNER "2 3 1\n1 1 0x10\n", "line 3: expected a finite decimal number, found '0x10'"},
        {BANNER "2 3 1\n1 1 1.0.0\n", "line 3: expected a finite decimal number, found '1.0.0'"},
        {BANNER "2 3 1\n1 1 -\n", "line 3: expected a finite decimal number, found '-'"},
        {BANNER "2 3 1\n1 1 1d0\n", "line 3: expected a finite decimal number, found '1d0'"},
        {BANNER "2 3 1\n1 1 x\n", "line 3: expected a finite decimal number, found 'x'"},
        {"%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 1 1.5\n",
         "line 3: expected a finite integer number, found '1.5'"},
        {"%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 1 1e2\n",
         "line 3: expected a finite integer number, found '1e2'"},
        {"%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 1 -9007199254740992\n",
         "line 3: expected an integer below 2^53, found '-9007199254740992'"},
        {"%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 1 9007199254740993\n",
         "line 3: expected an integer below 2^53, found '9007199254740993'"},
        {"%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1 1\n",
         "line 3: expected a row and a column, found 3 words"},
        {SYMMETRIC "2 2 1\n1 2 1\n",
         "line 3: expected the lower triangle of a symmetric matrix, found row 1, column 2 above"},
        {SKEW "2 2 1\n1 2 1\n", "line 3: expected the lower triangle"},
        {SKEW "2 2 1\n2 2 1.5\n",
         "line 3: expected a diagonal of zeros in a skew-symmetric matrix, found 1.5"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        put(cases[k].file, strlen(cases[k].file));
        assert_refused(scratch, cases[k].words);
    }
    put(BANNER "2 2 1\n1 1 1\0 2\n", strlen(BANNER) + 15);
    assert_refused(scratch, "byte 57: expected text, found a zero byte");
}

/* The size line claims 48 GB of memory. */
static void test_refuses_a_promise_that_the_file_cannot_keep(void **state)
{
    static const char general[] = BANNER "2 2 2000000000\n1 1 1\n2 2 2\n";
    static const char symmetric[] = SYMMETRIC "2 2 2147483647\n2 1 1\n2 1 2";

    (void)state;
    put(general, sizeof general - 1);
    assert_refused(scratch, "line 4: expected 2000000000 entries, found 2 before the end");
    put(symmetric, sizeof symmetric - 1);
    assert_refused(scratch, "line 4: expected 2147483647 entries, found 2 before the end");
}

/* Rows and columns without entries take no bytes: the limit is the file's bytes plus 2^20. */
static void test_refuses_a_claim_of_empty_rows(void **state)
{
    enum { FILE_SIZE = 128, MOST = MATRIX_MARKET_FREE_LINES + FILE_SIZE };
    static const struct {
        int rows, columns;
        const char *words; /* NULL: the file is read */
    } cases[] = {
        {MOST, 1, NULL},
        {1, MOST, NULL},
        {MOST + 1, 1,
         "line 2: expected at most 1048704 rows in a file of 128 bytes, found 1048705"},
        {1, MOST + 1,
         "line 2: expected at most 1048704 columns in a file of 128 bytes, found 1048705"},
        {1000000000, 3, "rows in a file of 128 bytes, found 1000000000"},
        {3, 2147483646, "columns in a file of 128 bytes, found 2147483646"},
    };

    (void)state;
    assert_int_equal(MATRIX_MARKET_FREE_LINES, 1048576);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char bytes[FILE_SIZE + 1];
        struct csr_matrix matrix;

        memset(bytes, '\n', sizeof bytes);
        bytes[snprintf(bytes, sizeof bytes, BANNER_FORMAT "%d %d 1\n1 1 1\n", cases[k].rows,
                       cases[k].columns)] = '\n';
        put(bytes, FILE_SIZE);
        if (cases[k].words) {
            assert_refused(scratch, cases[k].words);
            continue;
        }
        matrix = read_matrix(scratch);
        assert_int_equal(matrix.rows, cases[k].rows);
        assert_int_equal(matrix.columns, cases[k].columns);
        assert_int_equal(matrix.row_offsets[matrix.rows], 1);
        csr_free(&matrix);
    }
}

/* The shortest possible entries: as many as a file of that size can hold. */
static void test_reads_shortest_entries(void **state)
{
    static const char file[] = "%%MatrixMarket matrix coordinate pattern symmetric\n"
                               "2 2 5\n2 1\n2 1\n2 1\n2 1\n2 1";
    struct csr_matrix matrix;

    (void)state;
    put(file, sizeof file - 1);
    matrix = read_matrix(scratch);
    assert_int_equal(matrix.nonzeros, 10);
    csr_free(&matrix);
}

/* Prefixes that end in the last number are valid files: "-0.5" without its 5. */
static void test_refuses_every_prefix(void **state)
{
    static const char *const files[] = {
        BANNER "%\n2 3 3\n1 1 1\n\n2 3 -2.5e1\n2 2 -0.5\n",
        SYMMETRIC "3 3 2\n2 1 12.5\n3 3 7\n",
        "%%MatrixMarket matrix coordinate pattern general\n12 12 2\n1 1\n12 12\n",
    };

    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        size_t last = (size_t)(strrchr(files[k], ' ') + 1 - files[k]);
        struct csr_matrix matrix;

        for (size_t size = 0; size <= last; size++) {
            put(files[k], size);
            assert_refused(scratch, "expected");
        }
        put(files[k], strlen(files[k]));
        matrix = read_matrix(scratch);
        csr_free(&matrix);
    }
}

static void assert_consistent(const struct csr_matrix *matrix)
{
    assert_int_equal(matrix->row_offsets[0], 0);
    assert_int_equal(matrix->row_offsets[matrix->rows], matrix->nonzeros);
    for (int r = 0; r < matrix->rows; r++) {
        assert_true(matrix->row_offsets[r] <= matrix->row_offsets[r + 1]);
        for (int k = matrix->row_offsets[r]; k < matrix->row_offsets[r + 1]; k++) {
            assert_in_range(matrix->column_indices[k], 0, matrix->columns - 1);
            assert_true(isfinite(matrix->values[k]));
            if (k > matrix->row_offsets[r])
                assert_true(matrix->column_indices[k - 1] <= matrix->column_indices[k]);
        }
    }
}

/* A damaged file is read or refused, and has no other effect. */
static void test_survives_damage(void **state)
{
    static const char original[] = SYMMETRIC "%\n3 3 4\n1 1 1.5\n3 1 -2e-1\n2 2 7\n3 3 12\n";
    uint32_t random = 1;
    unsigned reads = 0, refusals = 0;

    (void)state;
    for (int round = 0; round < 10000; round++) {
        char bytes[sizeof original];
        struct csr_matrix matrix;
        struct io_error error;

        memcpy(bytes, original, sizeof bytes);
        for (int k = 0; k <= round % 3; k++) {
            static const char likely[] = "0123456789 \n.-+eE%\r\t";
            size_t place;

            random = random * 1664525 + 1013904223;
            place = (random >> 8) % (sizeof original - 1);
            if (round % 2 == 0) /* keep the banner, and use characters of numbers */
                bytes[sizeof SYMMETRIC - 1 + place % (sizeof original - sizeof SYMMETRIC)] =
                    likely[(random >> 24) % (sizeof likely - 1)];
            else
                bytes[place] = (char)(random >> 24);
        }
        put(bytes, sizeof bytes - 1);
        error.text[0] = '\0';
        if (matrix_market_read(scratch, &matrix, &error) == 0) {
            assert_consistent(&matrix);
            csr_free(&matrix);
            reads++;
        } else {
            assert_zeroed(&matrix);
            assert_non_null(strstr(error.text, scratch));
            refusals++;
        }
    }
    assert_true(reads > 100 && refusals > 100);
}

/* The number of entries with this place and value. */
static int count_entries(const struct csr_matrix *matrix, int row, int column, double value)
{
    int count = 0;

    for (int k = matrix->row_offsets[row]; k < matrix->row_offsets[row + 1]; k++)
        count += matrix->column_indices[k] == column && matrix->values[k] == value;
    return count;
}

/* Looks up every line of a file in the matrix read from it; returns the number of entries. */
static int check_against_file(const char *path, const struct csr_matrix *matrix)
{
    FILE *stream = fopen(path, "r");
    char line[1024];
    int symmetric, numbers = 0, entries = 0;

    assert_non_null(stream);
    assert_non_null(fgets(line, sizeof line, stream));
    symmetric = strstr(line, "symmetric") != NULL;
    while (fgets(line, sizeof line, stream) != NULL) {
        int row, column;
        double value = 1.0;

        if (line[0] == '%' || numbers++ == 0) /* comments and the size line */
            continue;
        assert_true(sscanf(line, "%d %d %lf", &row, &column, &value) >= 2);
        assert_int_equal(count_entries(matrix, row - 1, column - 1, value), 1);
        entries++;
        if (symmetric && row != column) {
            assert_int_equal(count_entries(matrix, column - 1, row - 1, value), 1);
            entries++;
        }
    }
    fclose(stream);
    return entries;
}

static const struct {
    const char *path;
    int rows;
    int columns;
    int nonzeros;
    int zeros; /* stored entries whose value is 0 */
} collection[] = {
    {TEST_DATA "/mtx/west0067.mtx", 67, 67, 294, 0},
    {TEST_DATA "/mtx/karate.mtx", 34, 34, 156, 0},
    {TEST_DATA "/mtx/lp_e226.mtx", 223, 472, 2768, 0},
    {TEST_DATA "/mtx/watt_2.mtx", 1856, 1856, 11550, 0},
    {TEST_DATA "/mtx/bcsstk13.mtx", 2003, 2003, 83883, 0},
    {TEST_DATA "/mtx/bayer10.mtx", 13436, 13436, 94926, 23332},
};

enum { COLLECTION_SIZE = sizeof collection / sizeof collection[0] };

static void test_reads_the_collection(void **state)
{
    (void)state;
    for (int f = 0; f < COLLECTION_SIZE; f++) {
        struct csr_matrix matrix = read_matrix(collection[f].path);
        int zeros = 0;

        assert_int_equal(matrix.rows, collection[f].rows);
        assert_int_equal(matrix.columns, collection[f].columns);
        assert_int_equal(matrix.nonzeros, collection[f].nonzeros);
        assert_consistent(&matrix);
        assert_int_equal(check_against_file(collection[f].path, &matrix), matrix.nonzeros);
        for (int k = 0; k < matrix.nonzeros; k++)
            zeros += matrix.values[k] == 0.0;
        assert_int_equal(zeros, collection[f].zeros);
        csr_free(&matrix);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int f = 0; f < COLLECTION_SIZE; f++) {
        struct csr_matrix matrix = read_matrix(collection[f].path);
        struct csr_matrix copy;
        struct io_error error;
        size_t nonzeros = (size_t)matrix.nonzeros;

        assert_int_equal(matrix_market_write(scratch, &matrix, &error), 0);
        copy = read_matrix(scratch);
        assert_int_equal(copy.rows, matrix.rows);
        assert_int_equal(copy.columns, matrix.columns);
        assert_int_equal(copy.nonzeros, matrix.nonzeros);
        assert_memory_equal(copy.row_offsets, matrix.row_offsets,
                            ((size_t)matrix.rows + 1) * sizeof *matrix.row_offsets);
        assert_memory_equal(copy.column_indices, matrix.column_indices,
                            nonzeros * sizeof *matrix.column_indices);
        assert_memory_equal(copy.values, matrix.values, nonzeros * sizeof *matrix.values);
        csr_free(&matrix);
        csr_free(&copy);
    }
}

static void test_writes_general(void **state)
{
    int offsets[] = {0, 2, 2};
    int columns[] = {0, 2};
    double values[] = {-0.0, 0.1};
    const struct csr_matrix matrix = {2, 3, 2, offsets, columns, values};
    struct io_error error;
    char *text;
    size_t size;

    (void)state;
    assert_int_equal(matrix_market_write(scratch, &matrix, &error), 0);
    assert_int_equal(io_read_file(scratch, &text, &size, &error), 0);
    assert_string_equal(text, BANNER "2 3 2\n1 1 -0\n1 3 0.10000000000000001\n");
    free(text);
}

static void test_write_refusals(void **state)
{
    int offsets[] = {0, 2};
    int columns[] = {0, 1};
    double values[] = {1.0, NAN};
    const struct csr_matrix matrix = {1, 2, 2, offsets, columns, values};
    struct io_error error;

    (void)state;
    assert_int_equal(matrix_market_write(scratch, &matrix, &error), IO_BAD);
    assert_non_null(strstr(error.text, scratch));
    assert_non_null(strstr(error.text, "expected finite values, found nan at entry 1"));
    values[1] = INFINITY;
    assert_int_equal(matrix_market_write(scratch, &matrix, &error), IO_BAD);
    assert_non_null(strstr(error.text, "found inf at entry 1"));
    values[1] = 1.0;
    assert_int_equal(matrix_market_write("/tmp", &matrix, &error), IO_BAD);
    assert_non_null(strstr(error.text, "/tmp: cannot write: it is a directory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_general),
        cmocka_unit_test(test_reads_integer),
        cmocka_unit_test(test_reads_pattern),
        cmocka_unit_test(test_expands_symmetric),
        cmocka_unit_test(test_expands_skew_symmetric),
        cmocka_unit_test(test_keeps_duplicates_and_zeros_in_order),
        cmocka_unit_test(test_reads_empty_matrices),
        cmocka_unit_test(test_reads_any_spelling),
        cmocka_unit_test(test_refuses_broken_banners),
        cmocka_unit_test(test_refuses_broken_sizes),
        cmocka_unit_test(test_refuses_broken_entries),
        cmocka_unit_test(test_refuses_a_promise_that_the_file_cannot_keep),
        cmocka_unit_test(test_refuses_a_claim_of_empty_rows),
        cmocka_unit_test(test_reads_shortest_entries),
        cmocka_unit_test(test_refuses_every_prefix),
        cmocka_unit_test(test_survives_damage),
        cmocka_unit_test(test_reads_the_collection),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_writes_general),
        cmocka_unit_test(test_write_refusals),
    };

    return cmocka_run_group_tests_name("matrix_market", tests, make_scratch, remove_scratch) != 0;
}
