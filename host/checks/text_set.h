/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of texts, for reporting each finding once. */
#ifndef PORTABLE_HOST_CHECKS_TEXT_SET_H
#define PORTABLE_HOST_CHECKS_TEXT_SET_H

#include <stdlib.h> /* realloc */
#include <string.h> /* strcmp, strdup */

struct text_set {
    char **texts;
    size_t count;
};

/* Returns 1 if the text is new. Without memory for a copy, it is new the next time, too. */
static inline int text_set_add(struct text_set *set, const char *text)
{
    char **texts;

    for (size_t k = set->count; k-- > 0;)
        if (strcmp(set->texts[k], text) == 0)
            return 0;
    texts = (char **)realloc(set->texts, (set->count + 1) * sizeof *texts);
    if (texts == NULL)
        return 1;
    set->texts = texts;
    texts[set->count] = strdup(text);
    set->count += texts[set->count] != NULL;
    return 1;
}

#endif
