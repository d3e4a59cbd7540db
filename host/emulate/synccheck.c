/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synccheck: barriers and warp operations that not all threads come to who must. The scheduler
 * finds them; here they are reported, each once, and the launch goes on as on a GPU: with whoever
 * came.
 */
#include "host/emulate/emulate.h"
#include "host/emulate/findings.h"

#include <stdlib.h> /* malloc, free */
#include <string.h> /* memcpy, strcmp, strcspn, strlen, strncmp */

/* The divergences that were reported: the kernel's name, and the source lines of the message. The
 * numbers of blocks and threads differ from one time to the next. */
static struct seen {
    struct seen *next;
    char places[];
} * seen;

/* 1 the first time. Of each line of the message, what follows the first " at " is its place: a path may
 * have " at " in it, and several of them. */
static int is_new(const char *message)
{
    static const char mark[] = " at ";
    const size_t kernel_length = strlen(emulate.kernel);
    struct seen *const entry =
        (struct seen *)malloc(sizeof *entry + kernel_length + strlen(message) + 1);
    if (!entry)
        return 1;
    char *end = entry->places + kernel_length;
    memcpy(entry->places, emulate.kernel, kernel_length);
    for (const char *line = message; *line;) {
        const size_t length = strcspn(line, "\n");
        size_t before = 0;
        while (before < length && strncmp(line + before, mark, strlen(mark)) != 0)
            before++;
        memcpy(end, line + before, length - before);
        end += length - before;
        line += length + (line[length] == '\n');
    }
    *end = '\0';
    for (const struct seen *s = seen; s; s = s->next)
        if (strcmp(s->places, entry->places) == 0) {
            free(entry);
            return 0;
        }
    entry->next = seen;
    seen = entry;
    return 1;
}

static void on_divergence(const char *message)
{
    if (is_new(message))
        findings_add(emulate.kernel, "divergence in kernel %s: %s", emulate.kernel, message);
}

static void launch_begin(void)
{
    findings_launch(emulate.kernel);
}

__attribute__((constructor)) static void open_synccheck(void)
{
    findings_open("synccheck", "divergence", "divergences");
}

struct emulate_check emulate_check = {
    .name = "synccheck", .goes_on = 1, .launch_begin = launch_begin, .diverged = on_divergence};
