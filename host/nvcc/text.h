/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strings, lists of strings, and errors. The caller frees the strings, or leaves them to the end of
 * the program; lists live until then. Without memory the functions end the program.
 */
#ifndef PORTABLE_HOST_NVCC_TEXT_H
#define PORTABLE_HOST_NVCC_TEXT_H

#include <stddef.h> /* size_t */

/* Prints the error after the program's name, and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/* Returns the memory, unless it is NULL. */
void *check_memory(void *memory);

char *copy_text(const char *string);
__attribute__((format(printf, 1, 2))) char *format_text(const char *format, ...);

/* Changes the size of a block. */
void *grown(void *memory, size_t bytes);
/* Appends the formatted text to a string that is owned, or NULL; inserts one at its beginning. */
__attribute__((format(printf, 2, 3))) void append(char **string, const char *format, ...);
void prepend(char **string, const char *text);

int starts_with(const char *string, const char *prefix);
/* Whether it has the suffix, and something before it. */
int ends_with(const char *string, const char *suffix);
/* The word, or "" in quotes, for messages. */
const char *shown(const char *word);
/* The words end with NULL. */
int is_one_of(const char *word, const char *const *words);

/* The word without those quotes that are in `quotes`: "\"", or "\"'" for a shell's. A shell's
 * backslashes are removed too. */
char *unquote(const char *word, const char *quotes);

/* A list of strings, which ends with NULL. */
struct list {
    char **item;
    size_t count;
};

void list_add(struct list *list, const char *item);
void list_add_all(struct list *list, const struct list *items);
/* Removes all items that are equal to this one. */
void list_remove(struct list *list, const char *item);
/* Adds the parts of a text between separators. A backslash keeps the next character. The second
 * does not separate inside double quotes, which it keeps. */
void list_add_split(struct list *list, const char *words, const char *separators);
void list_add_quoted(struct list *list, const char *words, const char *separators);

#endif
