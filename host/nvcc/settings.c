/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* readlink, getline */

#include "host/nvcc/settings.h"

#include "host/nvcc/text.h"

#include <errno.h>
#include <limits.h> /* PATH_MAX */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h> /* readlink */

struct installation installation;

static struct list lines; /* NAME=VALUE */

void read_settings(void)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    char *line = NULL;
    size_t capacity = 0;
    if (length < 0)
        fail("cannot read /proc/self/exe: %s", strerror(errno));
    path[length] = '\0';
    installation.program = copy_text(path);
    for (int up = 0; up < 2; up++)
        *strrchr(path, '/') = '\0';
    installation.directory = format_text("%s/lib/portable", path);
    char *const name = format_text("%s/portable-nvcc.conf", installation.directory);
    FILE *const file = fopen(name, "r");
    if (!file)
        fail("cannot read %s: %s", name, strerror(errno));
    while (getline(&line, &capacity, file) > 0) {
        for (size_t end = strlen(line); end > 0 && strchr("\n ", line[end - 1]); end--)
            line[end - 1] = '\0';
        if (line[0] != '#' && strchr(line, '='))
            list_add(&lines, line);
    }
    free(name);
    free(line);
    fclose(file);
}

const char *setting_or_null(const char *name)
{
    const size_t length = strlen(name);
    for (size_t k = 0; k < lines.count; k++)
        if (starts_with(lines.item[k], name) && lines.item[k][length] == '=')
            return lines.item[k] + length + 1;
    return NULL;
}

const char *setting(const char *format, ...)
{
    char name[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    const char *const value = setting_or_null(name);
    if (!value)
        fail("%s/portable-nvcc.conf has no %s", installation.directory, name);
    return value;
}

char *installed_path(const char *path)
{
    return path[0] == '/' ? copy_text(path) : format_text("%s/%s", installation.directory, path);
}
