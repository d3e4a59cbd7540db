/* SPDX-License-Identifier: BSD-3-Clause */
/* A library for LD_PRELOAD that makes one rank fail at one of its calls of MPI (by MPI's profiling
 * interface) or of the file system's functions:
 *
 *     FAULT_RANK=R     the rank
 *     FAULT_AT=K       it fails as it begins its K-th call; 0: it does not fail, and
 *                      writes the numbers of calls to stderr at MPI_Finalize
 *     FAULT_CALL=NAME  count calls whose names begin so, as MPI_Waitall, or file: of file:open
 *     FAULT_HOW=kill   by SIGKILL, the default; error: the call does nothing and returns an error
 *
 * Calls count from MPI_Init_thread on. */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 32 };
static int rank = -1;
static long long calls;
static struct {
    const char *name;
    long long calls;
} names[NAMES];

/* Counts the call. 1: it is to fail. */
static int count_call(const char *name)
{
    int k = 0;
    const char *here = getenv("FAULT_RANK"), *at = getenv("FAULT_AT");
    const char *only = getenv("FAULT_CALL"), *how = getenv("FAULT_HOW");

    if (rank < 0 || !here || !at || atoi(here) != rank ||
        (only && strncmp(only, name, strlen(only)) != 0))
        return 0;
    while (k < NAMES - 1 && names[k].name && strcmp(names[k].name, name) != 0)
        k++;
    names[k].name = name;
    names[k].calls++;
    if (++calls != atoll(at))
        return 0;
    if (!how || strcmp(how, "error") != 0)
        raise(SIGKILL);
    return 1;
}

int MPI_Init_thread(int *count, char ***arguments, int required, int *provided)
{
    const int status = PMPI_Init_thread(count, arguments, required, provided);

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return status;
}

int MPI_Finalize(void)
{
    const char *here = getenv("FAULT_RANK"), *at = getenv("FAULT_AT");

    if (here && at && atoi(here) == rank && atoll(at) == 0) {
        fprintf(stderr, "calls: %lld\n", calls);
        for (int k = 0; k < NAMES && names[k].name; k++)
            fprintf(stderr, "calls of %s: %lld\n", names[k].name, names[k].calls);
    }
    return PMPI_Finalize();
}

#define MPI_CALL(name, parameters, arguments)                                                      \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        return count_call("MPI_" #name) ? MPI_ERR_OTHER : PMPI_##name arguments;                   \
    }

MPI_CALL(Allgather,
         (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c),
         (a, n, t, b, m, u, c))
MPI_CALL(Allgatherv,
         (const void *a, int n, MPI_Datatype t, void *b, const int *m, const int *places,
          MPI_Datatype u, MPI_Comm c),
         (a, n, t, b, m, places, u, c))
MPI_CALL(Alltoall,
         (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c),
         (a, n, t, b, m, u, c))
MPI_CALL(Allreduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
         (a, b, n, t, o, c))
MPI_CALL(Bcast, (void *a, int n, MPI_Datatype t, int root, MPI_Comm c), (a, n, t, root, c))
MPI_CALL(Send, (const void *a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c),
         (a, n, t, to, tag, c))
MPI_CALL(Recv, (void *a, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s),
         (a, n, t, from, tag, c, s))
MPI_CALL(Sendrecv,
         (const void *a, int n, MPI_Datatype t, int to, int tag, void *b, int m, MPI_Datatype u,
          int from, int other, MPI_Comm c, MPI_Status *s),
         (a, n, t, to, tag, b, m, u, from, other, c, s))
MPI_CALL(Isend, (const void *a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r),
         (a, n, t, to, tag, c, r))
MPI_CALL(Irecv, (void *a, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r),
         (a, n, t, from, tag, c, r))
MPI_CALL(Waitall, (int n, MPI_Request *r, MPI_Status *s), (n, r, s))
MPI_CALL(Barrier, (MPI_Comm c), (c))

static int fails(const char *name)
{
    errno = EIO;
    return count_call(name);
}

int fsync(int file)
{
    int (*next)(int);

    *(void **)&next = dlsym(RTLD_NEXT, "fsync");
    return fails("file:fsync") ? -1 : next(file);
}

int unlink(const char *path)
{
    int (*next)(const char *);

    *(void **)&next = dlsym(RTLD_NEXT, "unlink");
    return fails("file:unlink") ? -1 : next(path);
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);

    *(void **)&next = dlsym(RTLD_NEXT, "rename");
    return fails("file:rename") ? -1 : next(from, to);
}

int fclose(FILE *file)
{
    int (*next)(FILE *);

    *(void **)&next = dlsym(RTLD_NEXT, "fclose");
    return fails("file:fclose") ? -1 : next(file);
}
