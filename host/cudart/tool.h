/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs portable-nvcc from within a program: for nvrtc.h, and to link images.
 */
#ifndef PORTABLE_HOST_CUDART_TOOL_H
#define PORTABLE_HOST_CUDART_TOOL_H

#include <stddef.h> /* size_t */

/* Its temporary files, and what it said last. */
struct portable_tool_ {
    char directory[256];
    int guard, pipe; /* the process that removes the directory, and what it waits for */
    char *log;       /* owned; NULL for nothing */
    char path[4096]; /* of portable_tool_path_ */
};
/* Makes the directory, which is removed when the tool or this process ends. 0 on failure. */
int portable_tool_begin_(struct portable_tool_ *tool);
void portable_tool_end_(struct portable_tool_ *tool);
/* Runs it for the check of this process, with arguments up to NULL. Returns its exit status, or -1
 * if it cannot be run, which the log explains. */
int portable_tool_run_(struct portable_tool_ *tool, const char *const *arguments);

/* A file of the directory; the path is valid until the next call for this tool. */
const char *portable_tool_path_(struct portable_tool_ *tool, const char *name);
/* 0 on failure. The directories of the name are made, too. */
int portable_tool_write_(struct portable_tool_ *tool, const char *name, const void *data,
                         size_t bytes);

/* A whole file, with a zero byte behind it, which the caller frees; NULL on failure. */
char *portable_read_file_(const char *path, size_t *bytes);

#endif
