/* SPDX-License-Identifier: BSD-3-Clause */
/* WRONG(code) is the mistake of a case, RIGHT(code) its correction. */
#include "portable.h"

#ifdef CORRECTED
#define WRONG(...)
#define RIGHT(...) __VA_ARGS__
#else
#define WRONG(...) __VA_ARGS__
#define RIGHT(...)
#endif
