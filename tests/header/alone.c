/* SPDX-License-Identifier: BSD-3-Clause */
/* Only portable.h: it is self-contained, and unused parts cause no warnings. */
#include "portable.h"

/* ISO C requires a declaration in a translation unit. */
typedef int tests_header_alone;
