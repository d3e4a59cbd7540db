/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of texts: findings that were reported, kernels that were launched. */
#ifndef PORTABLE_HOST_CHECKS_TEXT_SET_H
#define PORTABLE_HOST_CHECKS_TEXT_SET_H

#include <stdio.h>  /* fprintf */
#include <stdlib.h> /* abort, realloc */
#include <string.h> /* strcmp, strdup */

struct text_set {
    char **texts;
    size_t count;
};

static inline int text_set_has(const struct text_set *set, const char *text)
{
    for (size_t k = set->count; k-- > 0;)
        if (strcmp(set->texts[k], text) == 0)
            return 1;
    return 0;
}

/* Returns 1 if the text is new. Without memory it ends the program. */
static inline int text_set_add(struct text_set *set, const char *text)
{
    if (text_set_has(set, text))
        return 0;
    char **const texts = (char **)realloc(set->texts, (set->count + 1) * sizeof *texts);
    char *const copy = strdup(text);
    if (texts == NULL || copy == NULL) {
        fprintf(stderr, "out of memory for the names of kernels and lines\n");
        abort();
    }
    set->texts = texts;
    texts[set->count++] = copy;
    return 1;
}

#endif
