/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * portable-nvcc.conf, which make writes: what the compilers are called, their flags for each check,
 * and where the headers and the runtime are.
 */
#ifndef PORTABLE_HOST_NVCC_SETTINGS_H
#define PORTABLE_HOST_NVCC_SETTINGS_H

/* Where this program is installed. */
extern struct installation {
    const char *program;
    const char *directory; /* of portable-nvcc.conf; its paths are relative to it */
} installation;

void read_settings(void);

/* The value of a name; the first ends the program if there is none, the second returns NULL. */
__attribute__((format(printf, 1, 2))) const char *setting(const char *format, ...);
const char *setting_or_null(const char *name);

/* The absolute path for one in the settings; the caller frees it. */
char *installed_path(const char *path);

#endif
