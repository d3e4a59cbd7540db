/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI for hosts.c and the transports of mpi.c: the communicator of all ranks, and failures. */
#ifndef PORTABLE_RANKS_COMMUNICATOR_H
#define PORTABLE_RANKS_COMMUNICATOR_H

#include "internal.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

extern MPI_Comm ranks_communicator;

/* PORTABLE_SUCCESS, or a failure with the call and MPI's text. */
portable_status ranks_from_mpi(int error, const char *call);

#define TRY_MPI(call) RANKS_TRY(ranks_from_mpi((call), #call))
/* For calls in which the other ranks wait for this one: a failure cannot be reported to them. */
#define CHECK_MPI(call)                                                                            \
    do {                                                                                           \
        if (ranks_from_mpi((call), #call) != PORTABLE_SUCCESS)                                     \
            portable_ranks_stop(EXIT_FAILURE, "%s", portable_last_message());                      \
    } while (0)

/* The bytes of the message that begins at byte `done` of `bytes`. */
static inline int ranks_piece(size_t bytes, size_t done)
{
    return (int)(bytes - done < ranks_limit ? bytes - done : ranks_limit);
}

#ifdef __cplusplus
}
#endif

#endif
