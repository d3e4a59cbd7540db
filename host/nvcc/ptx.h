/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inline PTX as C++: a statement that calls the functions of portable_cuda/ptx.h. The instructions
 * are those of ptx_table.h.
 */
#ifndef PORTABLE_HOST_NVCC_PTX_H
#define PORTABLE_HOST_NVCC_PTX_H

#include <stddef.h> /* size_t */

struct ptx_operand {
    char constraint; /* r, l, h, f, d, q, n */
    int is_written, is_read;
    char *expression; /* owned by the caller */
};

/* In the text, this and a digit for an operand; the % of a register's name is itself. */
enum { PTX_OPERAND = 1 };

/* Returns the statement, which the caller frees. An instruction that is not in the table becomes a
 * call that ends the launch with its text; unknown gets the first of them, which the caller frees,
 * or NULL. number: of this statement in the file. */
char *ptx_statement(const char *text, const struct ptx_operand *operands, size_t count, int number,
                    char **unknown);

#endif
