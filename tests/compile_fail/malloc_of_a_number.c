// expect-gcc: pointer/integer type mismatch in conditional expression
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: pointer/integer type mismatch in conditional expression
// flags: -Werror
#include "portable.h"

portable_status allocate(int **pointer)
{
#ifdef CORRECTED
    return portable_malloc(pointer, 4);
#else
    return portable_malloc(*pointer, 4); /* of an int, and not of a pointer to it */
#endif
}
