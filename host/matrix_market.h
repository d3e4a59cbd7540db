/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/*
 * Sparse matrices in Matrix Market files, coordinate format, as R. Boisvert, R. Pozo and
 * K. Remington define it in "The Matrix Market Exchange Formats: Initial Design", NISTIR 5935,
 * 1996: a banner, comments, a line with the numbers of rows, columns and entries, then a line
 * "row column value" for each entry, with indices that begin at 1.
 */
#ifndef PORTABLE_HOST_MATRIX_MARKET_H
#define PORTABLE_HOST_MATRIX_MARKET_H

#include "host/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Compressed sparse rows: row r has the entries row_offsets[r] to row_offsets[r + 1] - 1, and entry
 * k is values[k] in column column_indices[k]. Indices begin at 0. The matrix owns the arrays: rows
 * + 1 offsets, and `nonzeros` each of the others. "Nonzeros" are the entries stored: a value may be
 * 0, and a place may occur more than once, when it stands for the sum of its entries.
 */
struct csr_matrix {
    int rows;
    int columns;
    int nonzeros;
    int *row_offsets;
    int *column_indices;
    double *values;
};

/*
 * An empty row or column takes no bytes in the file, so their numbers are a claim that costs memory
 * and time. A file may claim as many of each as it has bytes, and these more: no matrix whose rows
 * have entries comes near it, and a short file cannot ask for gigabytes.
 */
enum { MATRIX_MARKET_FREE_LINES = 1 << 20 };

/*
 * Reads the fields real, integer (below 2^53 in size, so that a double is exact) and pattern
 * (every value is 1), and the symmetries general, symmetric and skew-symmetric. A symmetric file
 * holds the lower triangle; the matrix gets both. The columns of a row come in ascending order;
 * entries at the same place are kept, in the order of the file. Keywords may be in either case,
 * lines may end in CR LF, and blank lines and comments may stand anywhere after the banner. The
 * caller frees *matrix with csr_free.
 */
int matrix_market_read(const char *path, struct csr_matrix *matrix, struct io_error *error);

/*
 * Writes "real general", row by row, with as many digits as give the same doubles back. Refuses
 * values that are not finite: the format has no word for them.
 */
int matrix_market_write(const char *path, const struct csr_matrix *matrix, struct io_error *error);

/* Frees the arrays and zeroes *matrix. */
void csr_free(struct csr_matrix *matrix);

#ifdef __cplusplus
}
#endif

#endif
