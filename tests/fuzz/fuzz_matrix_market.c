/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market files: the result is a valid matrix, and is equal after writing and reading it. */
#define _GNU_SOURCE
#include "host/matrix_market.h"
#include "tests/fuzz/fuzz.h"

#include <math.h> /* isfinite */

static void expect_consistent(const struct csr_matrix *matrix)
{
    FUZZ_EXPECT(matrix->rows >= 0 && matrix->columns >= 0 && matrix->row_offsets[0] == 0);
    FUZZ_EXPECT(matrix->row_offsets[matrix->rows] == matrix->nonzeros);
    for (int r = 0; r < matrix->rows; r++) {
        FUZZ_EXPECT(matrix->row_offsets[r] <= matrix->row_offsets[r + 1]);
        for (int k = matrix->row_offsets[r]; k < matrix->row_offsets[r + 1]; k++) {
            FUZZ_EXPECT(matrix->column_indices[k] >= 0);
            FUZZ_EXPECT(matrix->column_indices[k] < matrix->columns);
            FUZZ_EXPECT(isfinite(matrix->values[k]));
            FUZZ_EXPECT(k == matrix->row_offsets[r] ||
                        matrix->column_indices[k - 1] <= matrix->column_indices[k]);
        }
    }
}

static void expect_equal(const struct csr_matrix *a, const struct csr_matrix *b)
{
    const size_t nonzeros = (size_t)a->nonzeros;

    FUZZ_EXPECT(a->rows == b->rows && a->columns == b->columns && a->nonzeros == b->nonzeros);
    FUZZ_EXPECT(memcmp(a->row_offsets, b->row_offsets,
                       ((size_t)a->rows + 1) * sizeof *a->row_offsets) == 0);
    FUZZ_EXPECT(memcmp(a->column_indices, b->column_indices, nonzeros * sizeof(int)) == 0);
    FUZZ_EXPECT(memcmp(a->values, b->values, nonzeros * sizeof(double)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct csr_matrix matrix, again;
    struct io_error error;
    char path[PATH_MAX];

    if (matrix_market_read(fuzz_file(0, data, size), &matrix, &error) != 0)
        return 0;
    expect_consistent(&matrix);
    /* The written file may be shorter than the original, and then holds fewer empty rows. */
    if (matrix.rows <= MATRIX_MARKET_FREE_LINES && matrix.columns <= MATRIX_MARKET_FREE_LINES) {
        snprintf(path, sizeof path, "%.4000s/written.mtx", fuzz_directory());
        FUZZ_EXPECT(matrix_market_write(path, &matrix, &error) == 0);
        FUZZ_EXPECT(matrix_market_read(path, &again, &error) == 0);
        expect_equal(&matrix, &again);
        csr_free(&again);
    }
    csr_free(&matrix);
    return 0;
}
