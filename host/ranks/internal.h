/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inner interfaces of host/ranks, from the bottom up. A file calls only files below it, or the
 * harness's readers and portable.h:
 *
 *     ranks.c                             begin and end; the choice of a transport
 *     checkpoint.c
 *     npy.c
 *     partition.c                         partitions, and the plan of a sparse matrix's rows
 *     exchange.c, collectives.c, sum.c    communication, as programs call it
 *     nccl.c, peer.c                      transports, which the files above call through a table
 *     mpi.c                               two more; peer.c takes its collective operations
 *     transport.c, measure.c, device.c    that table; counts and times; GPUs
 *     hosts.c                             MPI between hosts, and failures
 *     kernels.c
 */
#ifndef PORTABLE_RANKS_INTERNAL_H
#define PORTABLE_RANKS_INTERNAL_H

#include "portable_ranks.h"

#ifndef PORTABLE_RANKS_NCCL
/* 1: NCCL is compiled, and linked with -lnccl. */
#if PORTABLE_TARGET_CUDA && __has_include(<nccl.h>)
#define PORTABLE_RANKS_NCCL 1
#else
#define PORTABLE_RANKS_NCCL 0
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the status of the call from the function unless it is PORTABLE_SUCCESS. */
#define RANKS_TRY(call)                                                                            \
    do {                                                                                           \
        const portable_status tried_ = (call);                                                     \
        if (tried_ != PORTABLE_SUCCESS)                                                            \
            return tried_;                                                                         \
    } while (0)

/* ===============================================================================================
 * kernels.c
 * ============================================================================================== */

/* The number of elements of the region. */
size_t ranks_elements(const struct portable_region *region);

/* Elements are `words` times 4 bytes; a region with indices has them on the device. */
portable_status ranks_pack(void *packed, const void *array, const struct portable_region *region,
                           size_t words, portable_stream stream);
portable_status ranks_unpack(void *array, const void *packed, const struct portable_region *region,
                             size_t words, portable_stream stream);
enum { RANKS_LEAVES = 256 };
/* sums[k]: the tree over RANKS_LEAVES elements of x, or of x y unless y is NULL, from
 * RANKS_LEAVES k on, for k < nodes. */
portable_status ranks_trees(long long nodes, const REAL *x, const REAL *y, REAL *sums,
                            portable_stream stream);

/* ===============================================================================================
 * hosts.c: MPI between hosts, and failures
 * ============================================================================================== */

/* Of this process, from portable_ranks_begin to portable_ranks_end. */
extern struct portable_ranks ranks_here;
extern size_t ranks_limit; /* bytes in a message */

/* RANKS_STARTED: MPI has begun, and portable_ranks_begin has not succeeded. RANKS_ENDING: this rank
 * has called portable_ranks_stop. */
enum ranks_state { RANKS_BEFORE, RANKS_STARTED, RANKS_RUNNING, RANKS_ENDING, RANKS_AFTER };
extern enum ranks_state ranks_state;

/* Starts MPI and fills ranks_here but for the device and the transport. */
portable_status ranks_begin_hosts(void);
portable_status ranks_end_hosts(void);
/* Sets ranks_limit. */
portable_status ranks_choose_limit(void);

/* Fails, and names the call, unless portable_ranks_begin has succeeded and portable_ranks_end has
 * not been called. */
portable_status ranks_ready(const char *call);

/* Collective: PORTABLE_SUCCESS if every rank passes it; else, on all ranks, the failure of the
 * first rank that passes one, with its message. */
portable_status ranks_agree(portable_status status);

/* Messages of host memory. The other ranks wait in a call that fails here, so a failure ends all
 * ranks. `values` and `all`: as MPI_Allgather and MPI_Alltoall have
 * them, of `bytes` bytes for each rank. */
void ranks_gather_hosts(const void *values, void *all, size_t bytes);
void ranks_exchange_hosts(const void *values, void *all, size_t bytes);
/* The same with bytes[r] bytes to rank r and all_bytes[r] from it, one after the other. */
void ranks_exchange_hosts_of(const void *values, const size_t *bytes, void *all,
                             const size_t *all_bytes);
void ranks_broadcast_host(void *data, size_t bytes);
void ranks_send_host(const void *data, size_t bytes, int to);
void ranks_receive_host(void *data, size_t bytes, int from);
/* An empty message: sent without waiting, and waited for. tag: from 1 to 2 RANKS_TAGS. */
void ranks_signal(int to, int tag);
void ranks_await_signal(int from, int tag);
void ranks_barrier(void);

/* MPI's clock. */
double ranks_seconds(void);

/* ===============================================================================================
 * device.c, measure.c and transport.c
 * ============================================================================================== */

/* Selects this rank's device. */
portable_status ranks_select_device(void);
#if PORTABLE_TARGET_CUDA
/* Collective: the device of every rank, which the caller frees; NULL, on all ranks, if a rank has
 * none. */
struct ranks_device {
    int is_known;
    char uuid[16];
};
struct ranks_device *ranks_devices(void);
#endif

/* The current measurement, or NULL. Operations add the messages that they send. */
extern struct portable_ranks_measurement *ranks_measured;

/* The time of one operation, added to ranks_measured->communication: on cuda what the stream needs
 * from begin to end, elsewhere what the host needs, without the time from pause to resume. */
struct ranks_interval {
    int number; /* -1: it is not measured */
    double since;
};
portable_status ranks_interval_begin(struct ranks_interval *interval, portable_stream stream);
void ranks_interval_pause(struct ranks_interval *interval);
void ranks_interval_resume(struct ranks_interval *interval);
portable_status ranks_interval_end(struct ranks_interval *interval, portable_stream stream);

/* Frees the events of measurements. */
portable_status ranks_measure_free(void);

/* One direction of a message: `bytes` of device memory at `data`, to or from a peer. */
struct ranks_part {
    int peer;
    size_t bytes;
    void *data;
    void *staging; /* page-locked, or NULL where the transport takes device memory */
};

/* All messages of one use of a plan. `tag` is less than RANKS_TAGS. */
struct ranks_transfer {
    int tag, send_count, receive_count;
    struct ranks_part *sends, *receives;
    void *state; /* the transport's */
    portable_stream stream;
};
enum { RANKS_TAGS = 16383 };

/* A way to send device memory to other ranks. Functions are collective. */
struct ranks_transport {
    const char *name;
    int is_staged;                /* parts need `staging` */
    const char *(*refusal)(void); /* NULL, or why this rank cannot use it */
    portable_status (*begin)(void);
    portable_status (*end)(void);
    /* Makes and frees transfer->state; the parts' peers and bytes are known, their data are not. */
    portable_status (*transfer_create)(struct ranks_transfer *transfer);
    portable_status (*transfer_destroy)(struct ranks_transfer *transfer);
    /* After the work of transfer->stream; wait's results are before the stream's later work. */
    portable_status (*transfer_begin)(struct ranks_transfer *transfer);
    portable_status (*transfer_wait)(struct ranks_transfer *transfer);
    portable_status (*broadcast)(void *data, size_t bytes, int root, portable_stream stream);
    /* Rank r has bytes offsets[r] to offsets[r + 1] - 1 of the data. */
    portable_status (*all_gather)(void *data, const size_t *offsets, portable_stream stream);
    portable_status (*all_reduce)(void *data, size_t count, enum portable_ranks_type type,
                                  enum portable_ranks_operation operation, portable_stream stream);
};

/* The one in use. */
extern const struct ranks_transport *ranks_transport;

size_t ranks_type_size(enum portable_ranks_type type);

/* Entries of transports that have nothing to do there. */
portable_status ranks_do_nothing(void);
portable_status ranks_transfer_nothing(struct ranks_transfer *transfer);

/* ===============================================================================================
 * The transports: mpi.c, nccl.c and peer.c
 * ============================================================================================== */

extern const struct ranks_transport ranks_mpi, ranks_staged;
#if PORTABLE_TARGET_CUDA
extern const struct ranks_transport ranks_peer;
#endif
#if PORTABLE_RANKS_NCCL
extern const struct ranks_transport ranks_nccl;
#endif

/* MPI's collective operations, on a page-locked copy of the data unless the transport is mpi. */
portable_status ranks_mpi_broadcast(void *data, size_t bytes, int root, portable_stream stream);
portable_status ranks_mpi_all_gather(void *data, const size_t *offsets, portable_stream stream);
portable_status ranks_mpi_all_reduce(void *data, size_t count, enum portable_ranks_type type,
                                     enum portable_ranks_operation operation,
                                     portable_stream stream);
/* Frees that copy. */
portable_status ranks_mpi_end(void);

/* ===============================================================================================
 * sum.c
 * ============================================================================================== */

/* Frees the memory of portable_ranks_sum. */
portable_status ranks_sum_end(void);

/* ===============================================================================================
 * npy.c
 * ============================================================================================== */

/* Collective: reads rows of `columns` elements as portable_ranks_write_npy writes them, to this
 * rank's part at `data`. */
portable_status ranks_read_rows(const char *path, enum portable_ranks_type type, size_t columns,
                                const long long *starts, void *data);

#ifdef __cplusplus
}
#endif

#endif
