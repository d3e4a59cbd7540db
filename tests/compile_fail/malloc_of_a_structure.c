// expect-gcc: type mismatch in conditional expression
/* SPDX-License-Identifier: BSD-3-Clause */
// expect-clang: incompatible operand types
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
