/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* mkdtemp, nftw */

#include "host/nvcc/process.h"

#include "host/nvcc/options.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h> /* PATH_MAX */
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h> /* waitpid */
#include <unistd.h>

extern char **environ;

/* Another process removes the directory of temporary files, and ends the compilers, as soon as this
 * one has ended, whatever ended it. It leads the process group that the compilers are in. */
static struct {
    pid_t process;
    pid_t of;   /* the process that started it */
    int socket; /* its other end is the guard's */
    char directory[PATH_MAX];
    char *base; /* TMPDIR of this process, or NULL */
} guard;

static int remove_entry(const char *name, const struct stat *status, int kind, struct FTW *level)
{
    (void)status;
    (void)kind;
    (void)level;
    return remove(name);
}

/* The process itself. */
__attribute__((noreturn)) static void run_guard(int socket)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    char byte;
    ssize_t got;
    for (size_t k = 0; k < sizeof ignored / sizeof ignored[0]; k++)
        signal(ignored[k], SIG_IGN);
    if (!mkdtemp(guard.directory)) {
        fprintf(stderr, "portable-nvcc: cannot make %s: %s\n", guard.directory, strerror(errno));
        _exit(EXIT_FAILURE);
    }
    if (write(socket, guard.directory, sizeof guard.directory) == sizeof guard.directory) {
        while ((got = read(socket, &byte, 1)) < 0 && errno == EINTR)
            ;
        if (got <= 0)
            kill(0, SIGTERM);
    }
    /* A compiler that is about to end may still write. */
    for (int tries = 0; tries < 1000; tries++) {
        if (nftw(guard.directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0)
            break;
        usleep(10000);
    }
    _exit(EXIT_SUCCESS);
}

static void end_guard(void)
{
    if (guard.of != getpid())
        return;
    const ssize_t ignored = write(guard.socket, "", 1);
    (void)ignored;
    close(guard.socket);
    while (waitpid(guard.process, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Where the directory is made: for -objtemp beside the output. */
static char *temporary_directory(void)
{
    const char *const slash = options.output ? strrchr(options.output, '/') : NULL;
    if (options.temporaries_beside && options.output)
        return slash ? format_text("%.*s", (int)(slash - options.output), options.output)
                     : copy_text(".");
    return copy_text(guard.base && guard.base[0] ? guard.base : "/tmp");
}

static void start_guard(void)
{
    int sockets[2];
    if (guard.directory[0])
        return;
    guard.base = getenv("TMPDIR") ? copy_text(getenv("TMPDIR")) : NULL;
    char *const base = temporary_directory();
    if (snprintf(guard.directory, sizeof guard.directory, "%s/portable-nvcc-XXXXXX", base) >=
        (int)sizeof guard.directory)
        fail("%s: the name is too long", base);
    free(base);
    if (options.dry_run)
        return;
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 ||
        (guard.process = fork()) < 0)
        fail("cannot start a process: %s", strerror(errno));
    setpgid(guard.process, guard.process);
    if (guard.process == 0) {
        close(sockets[0]);
        run_guard(sockets[1]);
    }
    close(sockets[1]);
    guard.of = getpid();
    guard.socket = sockets[0];
    if (recv(guard.socket, guard.directory, sizeof guard.directory, MSG_WAITALL) !=
        sizeof guard.directory)
        exit(EXIT_FAILURE);
    atexit(end_guard);
    setenv("TMPDIR", guard.directory, 1); /* the compilers' files too */
}

char *scratch_file(const char *suffix)
{
    static int count;
    start_guard();
    return format_text("%s/%d%s", guard.directory, count++, suffix);
}

void show_command(const struct list *command)
{
    fputs("#$", stderr);
    for (size_t k = 0; k < command->count; k++) {
        const int needs_quotes = strpbrk(command->item[k], " \"'\\$*;&|<>()") != NULL;
        fprintf(stderr, needs_quotes ? " '%s'" : " %s", command->item[k]);
    }
    fputc('\n', stderr);
}

/* What waitpid says of a child that has ended. */
static int status_of(pid_t process, const char *name)
{
    int status;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            fail("waiting for %s: %s", name, strerror(errno));
    return status;
}

int command_status(const struct list *command, const char *output, const char *errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t process;
    if (options.verbose)
        show_command(command);
    if (options.dry_run)
        return 0;
    start_guard();
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, guard.process);
    posix_spawn_file_actions_init(&actions);
    if (output) {
        setenv("LC_ALL", "C", 1);
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    const int error =
        posix_spawnp(&process, command->item[0], &actions, &attributes, command->item, environ);
    if (error != 0)
        fail("cannot run %s: %s", command->item[0], strerror(error));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    const int status = status_of(process, command->item[0]);
    if (WIFSIGNALED(status))
        fail("%s ended by signal %d", command->item[0], WTERMSIG(status));
    return WEXITSTATUS(status);
}

void run_command(const struct list *command)
{
    const int status = command_status(command, NULL, NULL);
    if (status != 0)
        exit(status);
}

int status_of_child(void (*function)(const void *), const void *argument, const char *errors)
{
    fflush(NULL);
    const pid_t process = fork();
    if (process < 0)
        fail("cannot start a process: %s", strerror(errno));
    if (process == 0) {
        if (!options.dry_run) {
            close(guard.socket); /* the guard waits for the parent alone */
            if (!freopen(errors, "w", stderr))
                _exit(EXIT_FAILURE);
        }
        function(argument);
        exit(EXIT_SUCCESS);
    }
    const int status = status_of(process, "a copy of portable-nvcc");
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

void become_command(const struct list *command)
{
    if (options.verbose)
        show_command(command);
    if (options.dry_run)
        return;
    if (guard.process) {
        end_guard();
        if (guard.base)
            setenv("TMPDIR", guard.base, 1);
        else
            unsetenv("TMPDIR");
    }
    execvp(command->item[0], command->item);
    fprintf(stderr, "portable-nvcc: cannot run %s: %s\n", command->item[0], strerror(errno));
    _exit(EXIT_FAILURE);
}
