/* SPDX-License-Identifier: BSD-3-Clause */
/* What every part of a page needs: text that is only text, and files within the file. */
#ifndef PORTABLE_HOST_HTML_H
#define PORTABLE_HOST_HTML_H

#include <stddef.h> /* size_t */
#include <stdio.h>  /* FILE */

#ifdef __cplusplus
extern "C" {
#endif

/* The text with &, <, >, " and ' escaped, control characters as blanks, and what is not UTF-8 as
 * question marks: for the content of an element and the value of an attribute. NULL is nothing. */
void html_text(FILE *stream, const char *text);

/* printf, its result through html_text; 512 bytes of it at most. */
void html_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A count with a narrow blank between thousands. */
void html_count(FILE *stream, double count);

/* "data:TYPE;base64,...": what stands in place of an address. */
void html_data(FILE *stream, const char *type, const void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
