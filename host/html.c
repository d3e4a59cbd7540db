/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/html.h"

#include <stdarg.h> /* va_list */
#include <string.h> /* strcmp, strcspn, strlen */

/* The bytes of the character at c in UTF-8, or 0 if it is none. */
static int character_size(const unsigned char *c)
{
    int size = 0;

    if (c[0] < 0x80)
        size = 1;
    else if (c[0] >= 0xc2 && c[0] <= 0xdf)
        size = 2;
    else if (c[0] >= 0xe0 && c[0] <= 0xef)
        size = 3;
    else if (c[0] >= 0xf0 && c[0] <= 0xf4)
        size = 4;
    for (int k = 1; k < size; k++)
        if ((c[k] & 0xc0) != 0x80)
            return 0;
    /* Longer than it has to be; half of a UTF-16 pair; beyond the last character. */
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
        return 0;
    return size;
}

void html_text(FILE *stream, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; c && *c;) {
        const int size = character_size(c);

        switch (*c) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\'': fputs("&#39;", stream); break;
        default:
            if (size == 0)
                putc('?', stream);
            else if (*c < ' ' || *c == 127)
                putc(' ', stream);
            else
                fwrite(c, 1, (size_t)size, stream);
        }
        c += size > 0 ? size : 1;
    }
}

void html_print(FILE *stream, const char *format, ...)
{
    va_list arguments;
    char conversion[16], text[512];

    va_start(arguments, format);
    for (const char *c = format; *c;) {
        const size_t literal = strcspn(c, "%"),
                     size = c[literal] ? 2 + strcspn(c + literal + 1, "sdufg%") : 0;

        fwrite(c, 1, literal, stream);
        snprintf(conversion, sizeof conversion, "%.*s", (int)size, c + literal);
        c += literal + size;
        switch (size > 0 ? c[-1] : 0) {
        case 'd': fprintf(stream, conversion, va_arg(arguments, int)); break;
        case 'u': fprintf(stream, conversion, va_arg(arguments, size_t)); break;
        case 'f':
        case 'g': fprintf(stream, conversion, va_arg(arguments, double)); break;
        case '%': putc('%', stream); break;
        case 's':
            if (strcmp(conversion, "%s") == 0) {
                html_text(stream, va_arg(arguments, const char *));
            } else {
                const int length = va_arg(arguments, int);

                snprintf(text, sizeof text, "%.*s", length, va_arg(arguments, const char *));
                html_text(stream, text);
            }
        }
    }
    va_end(arguments);
}

void html_count(FILE *stream, double count)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%.0f", count);
    for (size_t k = 0, length = strlen(digits); k < length; k++)
        fprintf(stream, "%s%c", k > 0 && (length - k) % 3 == 0 ? "&#8239;" : "", digits[k]);
}

void html_data(FILE *stream, const char *type, const void *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *const bytes = (const unsigned char *)data;

    fprintf(stream, "data:%s;base64,", type);
    for (size_t k = 0; k < size; k += 3) {
        const unsigned second = k + 1 < size ? bytes[k + 1] : 0;
        const unsigned third = k + 2 < size ? bytes[k + 2] : 0;
        const unsigned word = (unsigned)bytes[k] << 16 | second << 8 | third;

        putc(digits[word >> 18], stream);
        putc(digits[word >> 12 & 63], stream);
        putc(k + 1 < size ? digits[word >> 6 & 63] : '=', stream);
        putc(k + 2 < size ? digits[word & 63] : '=', stream);
    }
}
