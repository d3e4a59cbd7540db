/* SPDX-License-Identifier: BSD-3-Clause */
/* portable.h and nothing else: it brings what it needs, and says nothing of what is not used. */
#include "portable.h"

/* A translation unit has at least one declaration of its own. */
typedef int tests_header_alone;
