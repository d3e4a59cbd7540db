/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dladdr, mkdtemp, pipe2 */

#include "host/cudart/tool.h"

#include "host/emulate/check.h"

#include <dlfcn.h> /* dladdr */
#include <errno.h>
#include <fcntl.h>  /* O_CLOEXEC */
#include <limits.h> /* PATH_MAX */
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h> /* mkdir */
#include <sys/wait.h> /* waitpid */
#include <unistd.h>

extern char **environ;

static void set_log(struct portable_tool_ *tool, char *log)
{
    free(tool->log);
    tool->log = log;
}

int portable_tool_begin_(struct portable_tool_ *tool)
{
    /* Whatever ends this process closes the pipe. A compiler that outlives it may still add a file
     * while the directory is removed. */
    static char script[] =
        "trap '' HUP INT QUIT TERM PIPE; read -r end; "
        "for try in 1 2 3 4 5 6 7 8 9; do rm -rf \"$0\" 2>/dev/null && break; sleep 1; done";
    static char *const guard[] = {(char *)"/bin/sh", (char *)"-c", script, NULL, NULL};
    const char *const base = getenv("TMPDIR") && getenv("TMPDIR")[0] ? getenv("TMPDIR") : "/tmp";
    char *command[sizeof guard / sizeof *guard];
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t process;
    memset(tool, 0, sizeof *tool);
    if (snprintf(tool->directory, sizeof tool->directory, "%s/portable-image-XXXXXX", base) >=
            (int)sizeof tool->directory ||
        !mkdtemp(tool->directory))
        return 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        rmdir(tool->directory);
        return 0;
    }
    memcpy(command, guard, sizeof guard);
    command[3] = tool->directory;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    char *none[] = {NULL};
    const int error = posix_spawn(&process, command[0], &actions, NULL, command, none);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    tool->guard = (int)process;
    tool->pipe = ends[1];
    if (error != 0) {
        close(ends[1]);
        rmdir(tool->directory);
    }
    return error == 0;
}

static int status_of(pid_t process)
{
    int status;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void portable_tool_end_(struct portable_tool_ *tool)
{
    close(tool->pipe);
    status_of((pid_t)tool->guard);
    free(tool->log);
}

/* PORTABLE_NVCC, or nvcc in the toolkit's bin, beside the lib64 that this runtime is in. */
static int find_program(char *path, size_t size)
{
    static const char lib64[] = "/lib64/";
    const char *const variable = getenv("PORTABLE_NVCC");
    char whole[PATH_MAX];
    Dl_info info;
    if (variable && variable[0])
        return snprintf(path, size, "%s", variable) < (int)size;
    if (!dladdr((const void *)lib64, &info) || !realpath(info.dli_fname, whole))
        return 0;
    char *end = NULL;
    for (char *at = strstr(whole, lib64); at; at = strstr(at + 1, lib64))
        end = at;
    if (!end)
        return 0;
    return snprintf(path, size, "%.*s/bin/nvcc", (int)(end - whole), whole) < (int)size &&
           access(path, X_OK) == 0;
}

/* Without what is meant for this process, or for nvcc alone. The caller frees it. */
static char **environment(void)
{
    static const char *const left_out[] = {
        "LD_PRELOAD=", "PORTABLE_CHECK=", "NVCC_PREPEND_FLAGS=", "NVCC_APPEND_FLAGS="};
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **const result = (char **)malloc((count + 1) * sizeof *result);
    for (size_t k = 0; result && k < count; k++) {
        int is_kept = 1;
        for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
            is_kept &= strncmp(environ[k], left_out[i], strlen(left_out[i])) != 0;
        if (is_kept)
            result[kept++] = environ[k];
    }
    if (result)
        result[kept] = NULL;
    return result;
}

int portable_tool_run_(struct portable_tool_ *tool, const char *const *arguments)
{
    char program[PATH_MAX], check[64];
    size_t count = 0, given = 0, bytes;
    while (arguments[given])
        given++;
    if (!find_program(program, sizeof program)) {
        set_log(tool, strdup("portable-nvcc is not found: PORTABLE_NVCC=... names it\n"));
        return -1;
    }
    const char **const command = (const char **)malloc((given + 3) * sizeof *command);
    char **const variables = environment();
    char *const log = strdup(portable_tool_path_(tool, "log"));
    posix_spawn_file_actions_t actions;
    pid_t process;
    int status = -1;
    if (command && variables && log) {
        command[count++] = program;
        if (emulate_check.name) {
            snprintf(check, sizeof check, "--check=%s", emulate_check.name);
            command[count++] = check;
        }
        memcpy(command + count, arguments, (given + 1) * sizeof *arguments);
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_adddup2(&actions, 1, 2);
        const int error = posix_spawn(&process, program, &actions, NULL,
                                      (char *const *)(uintptr_t)command, variables);
        posix_spawn_file_actions_destroy(&actions);
        if (error == 0) {
            status = status_of(process);
            set_log(tool, portable_read_file_(log, &bytes));
        } else {
            char sentence[PATH_MAX + 128];
            snprintf(sentence, sizeof sentence, "cannot run %s: %s\n", program, strerror(error));
            set_log(tool, strdup(sentence));
        }
    }
    free(log);
    free(variables);
    free((void *)command);
    return status;
}

const char *portable_tool_path_(struct portable_tool_ *tool, const char *name)
{
    snprintf(tool->path, sizeof tool->path, "%s/%s", tool->directory, name);
    return tool->path;
}

int portable_tool_write_(struct portable_tool_ *tool, const char *name, const void *data,
                         size_t bytes)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", portable_tool_path_(tool, name));
    for (char *slash = path + strlen(tool->directory) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *const file = fopen(path, "wbe");
    if (!file)
        return 0;
    const int written = fwrite(data, 1, bytes, file) == bytes;
    return fclose(file) == 0 && written;
}

char *portable_read_file_(const char *path, size_t *bytes)
{
    enum { STEP = 1 << 16 };
    FILE *const file = fopen(path, "rbe");
    char *data = NULL;
    size_t got = 0;
    *bytes = 0;
    do {
        char *const larger = file ? (char *)realloc(data, *bytes + STEP + 1) : NULL;
        if (!larger)
            break;
        data = larger;
        got = fread(data + *bytes, 1, STEP, file);
        *bytes += got;
        data[*bytes] = '\0';
    } while (got > 0);
    if (!file || got > 0 || ferror(file)) {
        free(data);
        data = NULL;
    }
    if (file)
        fclose(file);
    return data;
}
