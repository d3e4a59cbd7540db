// expect: PORTABLE_PRECISION_DOUBLE, _ATOMICS_CAS, _CHECKS and _CLONES are 0 or 1
/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef CORRECTED
#define PORTABLE_CLONES 1
#else
#define PORTABLE_CLONES 2
#endif
#include "portable.h"

REAL one(void);
REAL one(void)
{
    return 1;
}
