/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* vasprintf */

#include "host/nvcc/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("portable-nvcc: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

void *check_memory(void *memory)
{
    if (!memory)
        fail("out of memory");
    return memory;
}

char *copy_text(const char *string)
{
    return (char *)check_memory(strdup(string));
}

char *format_text(const char *format, ...)
{
    char *result = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&result, format, arguments) < 0)
        fail("out of memory");
    va_end(arguments);
    return result;
}

void list_add(struct list *list, const char *item)
{
    list->item = (char **)check_memory(realloc(list->item, (list->count + 2) * sizeof *list->item));
    list->item[list->count++] = copy_text(item);
    list->item[list->count] = NULL;
}

void list_add_all(struct list *list, const struct list *items)
{
    for (size_t k = 0; k < items->count; k++)
        list_add(list, items->item[k]);
}

void list_remove(struct list *list, const char *item)
{
    size_t count = 0;
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->item[k], item) != 0)
            list->item[count++] = list->item[k];
    list->count = count;
    if (list->item)
        list->item[count] = NULL;
}

void *grown(void *memory, size_t bytes)
{
    return check_memory(realloc(memory, bytes));
}

void append(char **string, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    const size_t length = *string ? strlen(*string) : 0;
    if (more < 0)
        abort();
    *string = (char *)grown(*string, length + (size_t)more + 1);
    va_start(arguments, format);
    vsnprintf(*string + length, (size_t)more + 1, format, arguments);
    va_end(arguments);
}

void prepend(char **string, const char *text)
{
    char *whole = NULL;
    append(&whole, "%s%s", text, *string ? *string : "");
    free(*string);
    *string = whole;
}

/* Adds the parts of a text between separators; with `quotes`, between those that are not in double
 * quotes, which stay. A backslash keeps the next character. */
static void add_parts(struct list *list, const char *words, const char *separators, int quotes)
{
    char *const word = (char *)check_memory(malloc(strlen(words) + 1));
    int quoted = 0;
    for (const char *c = words; *c;) {
        size_t length = 0;
        c += strspn(c, separators);
        while (*c && (quoted || !strchr(separators, *c))) {
            quoted ^= quotes && *c == '"';
            c += *c == '\\' && c[1];
            word[length++] = *c++;
        }
        word[length] = '\0';
        if (length > 0)
            list_add(list, word);
    }
    free(word);
}

void list_add_split(struct list *list, const char *words, const char *separators)
{
    add_parts(list, words, separators, 0);
}

void list_add_quoted(struct list *list, const char *words, const char *separators)
{
    add_parts(list, words, separators, 1);
}

char *unquote(const char *word, const char *quotes)
{
    char *const result = copy_text(word), *end = result, quote = '\0';
    for (const char *c = word; *c; c++) {
        if (!quote && strchr(quotes, *c)) {
            quote = *c;
            continue;
        }
        if (quote && *c == quote) {
            quote = '\0';
            continue;
        }
        c += *c == '\\' && c[1] && quotes[1] && quote != '\'';
        *end++ = *c;
    }
    *end = '\0';
    return result;
}

int starts_with(const char *string, const char *prefix)
{
    return strncmp(string, prefix, strlen(prefix)) == 0;
}

int ends_with(const char *name, const char *suffix)
{
    const size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

const char *shown(const char *word)
{
    return word[0] ? word : "\"\"";
}

int is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return 1;
    return 0;
}
