/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of an HTML page: escaped text, and files embedded in it. */
#ifndef PORTABLE_HOST_HTML_H
#define PORTABLE_HOST_HTML_H

#include <stddef.h> /* size_t */
#include <stdio.h>  /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

/* The text with &, <, >, " and ' escaped, control characters as blanks, and invalid UTF-8 as
 * question marks: for the content of an element and the value of an attribute. NULL is nothing. */
void html_text(FILE *stream, const char *text);

/* Writes the format, which is HTML, and the arguments of %s, and of %.*s (511 bytes at most),
 * through html_text. %d, %zu, %f, %g and %% are those of printf; there are no others. */
void html_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A count with a narrow blank between thousands. */
void html_count(FILE *stream, double count);

/* A data URL, "data:TYPE;base64,...". */
void html_data(FILE *stream, const char *type, const void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
