// expect-gcc: '_Generic' selector of type 'int *' is not compatible
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: controlling expression type 'int *' not compatible
#include "portable.h"

portable_status allocate(char **pointer, size_t *pitch, int *wrong)
{
    (void)pitch;
    (void)wrong;
#ifdef CORRECTED
    return portable_malloc_pitch(pointer, pitch, 4, 4);
#else
    return portable_malloc_pitch(pointer, wrong, 4, 4);
#endif
}
