/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of emulate.c: where threads wait, for the report of a divergence. */
#ifndef PORTABLE_HOST_EMULATE_PLACES_H
#define PORTABLE_HOST_EMULATE_PLACES_H

#include "host/emulate/launch.h"
#include "host/emulate/stacks.h"
#include "host/emulate/switch.h"
#include "host/emulate/workers.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

unsigned emulate_thread_index(void)
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

char *emulate_where(char *text, size_t size, unsigned long long block_id, unsigned thread)
{
    const unsigned long long row = block_id / (emulate.grid[0] ? emulate.grid[0] : 1);
    const unsigned *const grid = emulate.grid, *const block = emulate.block;
    const unsigned line = thread / (block[0] ? block[0] : 1);
    snprintf(text, size, "block (%llu, %llu, %llu), thread (%u, %u, %u)",
             grid[0] ? block_id % grid[0] : 0, grid[1] ? row % grid[1] : 0,
             grid[1] ? row / grid[1] : 0, block[0] ? thread % block[0] : 0,
             block[1] ? line % block[1] : 0, block[1] ? line / block[1] : 0);
    return text;
}

/* "block (1, 0, 0)" */
static char *where_block(char *text, size_t size)
{
    emulate_where(text, size, now->block_id, 0);
    char *const comma = strstr(text, "), ");
    if (comma)
        comma[1] = '\0';
    return text;
}

static int same_place(const struct thread *a, const struct thread *b)
{
    if (a->state == ENDED || b->state == ENDED)
        return a->state == b->state;
    return a->state == b->state && a->line == b->line && strcmp(a->name, b->name) == 0 &&
           strcmp(a->file, b->file) == 0 && !a->call == !b->call &&
           (!a->call || strcmp(a->call, b->call) == 0);
}

/* The line that called the library in which a thread waits; or NULL. The thread is suspended, or it
 * is the last one that came, on whose stack this runs. */
static const char *call_of(const struct thread *thread)
{
    enum { CAPACITY = 32 };
    const void *return_addresses[CAPACITY];
    const char *frame = (const char *)__builtin_frame_address(0);
    if (!emulate_check.call || thread->state == ENDED || !thread->file)
        return NULL;
    if (!stack_has(thread->slot, frame, 1))
        frame = frame_pointer((const struct suspended *)thread->stopped);
    return emulate_check.call(thread->file, return_addresses,
                              stack_unwind(thread->slot, frame, return_addresses, CAPACITY));
}

/* Appends to the text as much as fits. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static struct thread *threads_of(const struct block *block)
{
    return block->remote ? block->remote->block : block->threads;
}

/* A path without the ./ that the compiler puts before a file that it finds by -I., as the checks
 * name files. */
static const char *shown(const char *file)
{
    while (file[0] == '.' && file[1] == '/')
        file += 2;
    return file;
}

/* Appends what a thread that waits or has ended does, and that many others with it. */
static void append_place(char *text, size_t size, const struct thread *thread, unsigned others)
{
    if (thread->state == ENDED)
        append(text, size, others > 0 ? " have ended" : " has ended");
    else if (thread->state == AT_POLL && thread->line > 0)
        append(text, size, " poll%s in %s at %s:%d", others > 0 ? "" : "s", thread->name,
               shown(thread->file), thread->line);
    else
        append(text, size, " wait%s at %s, %s:%d", others > 0 ? "" : "s", thread->name,
               shown(thread->file), thread->line);
    if (thread->call)
        append(text, size, ", called at %s", thread->call);
}

/* Appends where the threads [first, last) of the blocks are, one line for all at one place, with
 * those that have ended or without. */
static void append_places(char *text, size_t size, const struct block *blocks, size_t block_count,
                          unsigned first, unsigned last, int with_ended)
{
    const struct thread *listed[8];
    unsigned count = 0;
    char where[128];
    for (size_t b = 0; b < block_count; b++)
        for (unsigned t = first; blocks[b].state != UNUSED && t < last; t++)
            threads_of(&blocks[b])[t].call = call_of(&threads_of(&blocks[b])[t]);
    for (size_t b = 0; b < block_count; b++) {
        if (blocks[b].state == UNUSED)
            continue;
        for (unsigned t = first; t < last; t++) {
            const struct thread *const thread = &threads_of(&blocks[b])[t];
            unsigned known = 0, others = 0;
            while (known < count && !same_place(listed[known], thread))
                known++;
            if (known < count || count == sizeof listed / sizeof listed[0] ||
                (thread->state == ENDED && !with_ended))
                continue;
            listed[count++] = thread;
            for (size_t c = b; c < block_count; c++)
                for (unsigned other = c == b ? t + 1 : first; other < last; other++)
                    others += blocks[c].state != UNUSED &&
                              same_place(thread, &threads_of(&blocks[c])[other]);
            append(text, size, "\n    %s", emulate_where(where, sizeof where, blocks[b].id, t));
            if (others > 0)
                append(text, size, " and %u more", others);
            append_place(text, size, thread, others);
        }
    }
}

static void report_divergence(const char *text, int fails)
{
    if (emulate_check.diverged)
        emulate_check.diverged(text);
    if (!fails)
        return;
    now->failed = 1;
    if (portable_launch_.status == PORTABLE_SUCCESS)
        portable_launch_.status =
            portable_fail_(PORTABLE_ERROR_DIVERGED, "kernel %s: %s", emulate.kernel, text);
}

/* Reports a divergence in the running block: the sentence, then the places of threads [first,
 * last). A check gets the report; without one, the launch fails. */
static void report_threads(const char *sentence, unsigned first, unsigned last)
{
    char text[1500];
    now->failed |= !wait_for_head();
    if (now->failed) /* reported already */
        return;
    snprintf(text, sizeof text, "%s", sentence);
    append_places(text, sizeof text, now->running, 1, first, last, 1);
    report_divergence(text, !emulate_check.goes_on);
}

/* Does so with "block (1, 0, 0): " before the sentence. */
__attribute__((format(printf, 3, 4))) static void report_block(unsigned first, unsigned last,
                                                               const char *format, ...)
{
    char sentence[450], rest[300], where[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    snprintf(sentence, sizeof sentence, "%s: %s", where_block(where, sizeof where), rest);
    report_threads(sentence, first, last);
}

#endif
