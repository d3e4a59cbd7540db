/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "host/output.h"

#include "host/io.h"

#include <errno.h>  /* errno, EBADF */
#include <fcntl.h>  /* fcntl, open */
#include <stdio.h>  /* fflush, fprintf */
#include <stdlib.h> /* exit */
#include <string.h> /* strerror */

static int failed, cause;

void output_begin(void)
{
    for (int number = 0; number < 3; number++)
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY) != number)
            exit(IO_BAD);
}

int output_failed(void)
{
    if (fflush(stdout) != 0) {
        cause = errno;
        failed = 1;
    }
    failed |= ferror(stdout) != 0;
    return failed;
}

void output_note_failed(void)
{
    failed = 1;
}

int output_end(const char *program, int status)
{
    if (!output_failed())
        return status;
    fprintf(stderr, "%s: stdout could not be written%s%s\n", program, cause ? ": " : "",
            cause ? strerror(cause) : "");
    return IO_BAD;
}
