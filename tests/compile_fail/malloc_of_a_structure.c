// expect-gcc: invalid type argument of unary '*'
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: indirection requires pointer operand
#include "portable.h"

struct node {
    struct node *next;
};

portable_status allocate(struct node *node)
{
#ifdef CORRECTED
    return portable_malloc(&node->next, sizeof *node);
#else
    return portable_malloc(node, sizeof *node);
#endif
}
