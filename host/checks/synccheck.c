/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synccheck: barriers and warp operations that some of the required threads never reach. The
 * scheduler finds them; here they are reported, each once, and the launch continues as on a GPU,
 * with the threads that arrived.
 */
#include "host/checks/findings.h"
#include "host/emulate/check.h"

#include <stdlib.h> /* malloc, free */
#include <string.h> /* strcmp, strcpy, strcspn, strlen, strncat, strstr */

/* The reported divergences: the kernel's name, and the source lines of the message, because block
 * and thread numbers vary. */
static struct seen {
    struct seen *next;
    char places[];
} * seen;

/* Returns 1 the first time. */
static int is_new(const char *message)
{
    struct seen *const entry =
        (struct seen *)malloc(sizeof *entry + strlen(emulate.kernel) + strlen(message) + 1);
    if (!entry)
        return 1;
    strcpy(entry->places, emulate.kernel);
    for (const char *at = message; (at = strstr(at, " at ")) != NULL; at += strcspn(at, "\n"))
        strncat(entry->places, at, strcspn(at, "\n"));
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
        findings_diverged(message);
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
    .name = "synccheck",
    .goes_on = 1,
    .launch_begin = launch_begin,
    .diverged = on_divergence,
    .call = findings_call,
    .faulted = findings_given_up,
};
