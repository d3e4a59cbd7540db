/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of findings.c, for a test that includes a check's own file: the findings are counted, and the
 * last one is kept. */
#include <stdarg.h> /* va_list */
#include <stdio.h>  /* vsnprintf */

static int found;
static char finding[2048];

void findings_add(const char *kernel, const char *format, ...)
{
    va_list arguments;

    assert_ptr_equal(kernel, emulate.kernel);
    found++;
    va_start(arguments, format);
    vsnprintf(finding, sizeof finding, format, arguments);
    va_end(arguments);
}
