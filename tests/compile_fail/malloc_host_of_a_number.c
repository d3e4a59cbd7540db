// expect-gcc: invalid type argument of unary '*'
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: indirection requires pointer operand
#include "portable.h"

portable_status allocate(int **pointer)
{
#ifdef CORRECTED
    return portable_malloc_host(pointer, 4);
#else
    return portable_malloc_host(*pointer, 4); /* where it points, and not where it is */
#endif
}
