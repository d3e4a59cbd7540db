// expect: SHUFFLE (or _UP, _DOWN, _XOR), BALLOT, ANY or ALL is a macro before this header
/* SPDX-License-Identifier: BSD-3-Clause */
// errors: 1
#ifndef CORRECTED
#define ANY(a, b) ((a) || (b))
#endif
#include "portable.h"
