/* SPDX-License-Identifier: BSD-3-Clause
 *
 * portable_ranks.h: kernels of portable.h on many devices and machines, by MPI and NCCL.
 *
 *     struct portable_ranks me;
 *     PORTABLE_RANKS_CHECK(portable_ranks_begin(&me));
 *     ... kernels on this rank's part of the data; exchanges and reductions between the ranks ...
 *     PORTABLE_RANKS_CHECK(portable_ranks_end());
 *
 * A rank is one process with one device. All ranks run the same program, started by mpiexec; a
 * program that mpiexec has not started is rank 0 of 1. Functions marked "collective" are called by
 * every rank, in the same order.
 *
 * Data are in device memory (portable_malloc), and operations are queued on a stream: they see the
 * work queued before them, and work queued later sees their results. The host may wait meanwhile.
 * Functions return a status; only where MPI fails between the hosts, so that the ranks can no
 * longer agree on one, all ranks end.
 *
 * A distributed array of n elements has a contiguous part on each rank: `starts` holds count + 1
 * ascending numbers from 0 to n, and rank r has elements starts[r] to starts[r + 1] - 1. A part may
 * be empty. The same `starts` on every rank.
 *
 * Link host/ranks/ *.c, host/npy.c, host/array.c, host/io.c and MPI; portable.mk does. The page is
 * docs/ranks.md.
 */
#ifndef PORTABLE_RANKS_H
#define PORTABLE_RANKS_H

#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===============================================================================================
 * Begin, end and failures
 *
 * Environment, the same on every rank:
 *     RANKS_TRANSPORT=mpi      MPI on the arrays: on CPU targets, and where MPI takes GPU memory
 *                     staged   MPI on page-locked host copies: everywhere
 *                     nccl     NCCL: on cuda, a device for each rank, built where nccl.h was found
 *                     peer     copies between the GPUs of one machine: on cuda
 *     RANKS_MESSAGE_LIMIT=n    the most bytes in one MPI message, from 16 to 2^31 - 1, the default;
 *                              longer ones are sent in pieces
 * Without RANKS_TRANSPORT: cuda takes nccl, peer, mpi or staged, the first that all ranks can use;
 * emulate takes staged, whose copies its checks see; serial and openmp take mpi.
 * ============================================================================================== */

struct portable_ranks {
    int rank, count;           /* this process, from 0, and their number */
    int node_rank, node_count; /* the same among the ranks of this machine */
    int device;                /* the one selected: node_rank modulo the number of devices */
    const char *transport;     /* "mpi", "staged", "nccl" or "peer" */
    char library[64];          /* MPI's name and version, as "Open MPI v4.1.4" */
};

/** Collective, once: starts MPI, selects this rank's device and the transport, and fills *ranks,
 *  which may be NULL. Fails, on all ranks, unless they have one version of portable.h, one target,
 *  one precision and one transport; only portable_ranks_end may follow. */
portable_status portable_ranks_begin(struct portable_ranks *ranks);

/** Collective: ends MPI. A program that exits earlier, by any status, ends all ranks with
 *  EXIT_FAILURE. Does nothing before portable_ranks_begin. */
portable_status portable_ranks_end(void);

/** Ends all ranks with this exit status (for 0 EXIT_FAILURE) after one line on stderr:
 *  "rank R of N: " and the text, without a newline. If several ranks of a machine fail, only the
 *  first prints. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3), noreturn, cold))
#endif
void portable_ranks_stop(int exit_status, const char *format, ...);

#define PORTABLE_RANKS_CHECK(call)                                                                   \
    /* PORTABLE_CHECK for programs with ranks: when the status that the call returns is not        \
     * PORTABLE_SUCCESS, portable_ranks_stop with file, line, expression, message and hint. */ \
    do {                                                                                             \
        const portable_status portable_checked_ = (call);                                            \
        if (portable_checked_ != PORTABLE_SUCCESS)                                                   \
            portable_ranks_stop(EXIT_FAILURE, "%s:%d: %s: %s: %s. %s", __FILE__, __LINE__, #call,    \
                                portable_status_string(portable_checked_),                           \
                                portable_last_message(), portable_status_hint(portable_checked_));   \
    } while (0)

/* ===============================================================================================
 * Partitions
 * ============================================================================================== */

/** Parts of n elements, sizes at most one apart, larger ones first. starts: count + 1 elements. */
void portable_partition_even(long long n, int count, long long *starts);

/** Parts of the rows of a CSR matrix with about the same number of nonzeros each.
 *  row_offsets: rows + 1 elements, on the host; starts: count + 1 elements. */
void portable_partition_rows(int rows, const int *row_offsets, int count, long long *starts);

/** The grid of *rows x *columns = count ranks that is nearest to a square; *rows <= *columns. For
 *  blocks of a matrix or of a plane, partition each axis evenly. */
void portable_partition_grid(int count, int *rows, int *columns);

/** The rank that has the element, 0 <= index < starts[count]. */
int portable_partition_owner(const long long *starts, int count, long long index);

/* ===============================================================================================
 * Exchanges: messages between ranks by a plan made once
 *
 * A halo, for example: each rank sends its first row to the rank before it, and receives the row
 * after its own last one from the rank behind it. Elements are 4 bytes or a multiple.
 *
 *     const struct portable_message messages[] = {
 *         {.to = before, .from = behind, .send = {.first = width, .length = width},
 *          .receive = {.first = (rows + 1) * width, .length = width}},
 *     };
 *     PORTABLE_RANKS_CHECK(portable_exchange_create(&halo, sizeof(REAL), 1, messages));
 *     ...
 *     PORTABLE_RANKS_CHECK(portable_exchange_begin(halo, u, u, 0));
 *     PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(inner_rows, ...));
 *     PORTABLE_RANKS_CHECK(portable_exchange_wait(halo, 0));
 *     PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(outer_rows, ...));
 * ============================================================================================== */

enum {
    PORTABLE_PROC_NULL = -1,             /**< for `to` and `from`: nothing is sent, or received */
    PORTABLE_NOBODY = PORTABLE_PROC_NULL /**< deprecated: the same */
};

/** Elements of an array: `runs` times `length` of them, `stride` elements apart (0 runs are 1),
 *  from element `first` on. With `indices`, on the host, elements
 *  first + indices[0...length - 1]. */
struct portable_region {
    size_t first, length, runs, stride;
    const int *indices;
};

/** One message to a rank and one from a rank, which may be this rank itself. */
struct portable_message {
    int to, from;
    struct portable_region send, receive;
};

struct portable_exchange;

/** Collective: a plan of `count` messages, which are copied, with elements of element_bytes. The
 *  k-th message from a rank to another is the k-th that the other receives from it; fails on all
 *  ranks if their lengths differ. The caller destroys it. */
portable_status portable_exchange_create(struct portable_exchange **exchange, size_t element_bytes,
                                         int count, const struct portable_message *messages);

/** Collective: starts to send from array `from` and to receive into array `to`, after the stream's
 *  earlier work. Until portable_exchange_wait the elements sent must not be written, and those
 *  received neither read nor written; other work may go on, on CUDA in streams from
 *  portable_stream_create, as stream 0 waits for all others. Both arrays may be the same if no
 *  element is both sent and received. An array without messages may be NULL. After a failure
 *  nothing is received, and the plan can be destroyed. */
portable_status portable_exchange_begin(struct portable_exchange *exchange, const void *from,
                                        void *to, portable_stream stream);

/** Completes what portable_exchange_begin started: the stream's later work has the elements. */
portable_status portable_exchange_wait(struct portable_exchange *exchange, portable_stream stream);

/** Collective: frees the plan; does nothing for NULL. Fails, and leaves the plan as it is, between
 *  portable_exchange_begin and portable_exchange_wait. */
portable_status portable_exchange_destroy(struct portable_exchange *exchange);

/** Collective: the plan by which each rank gets the elements of a distributed vector of REALs that
 *  its rows of a square CSR matrix multiply. Row r of the matrix is on the rank that has element r
 *  of the vector. row_offsets: this rank's rows + 1 elements, from 0; column_indices: columns of
 *  the whole matrix, which become indices into this rank's copy of the vector: its own elements,
 *  then *ghosts from other ranks. Both are on the host. */
portable_status portable_exchange_of_rows(struct portable_exchange **exchange, int *ghosts,
                                          const long long *starts, const int *row_offsets,
                                          int *column_indices);

/* ===============================================================================================
 * Collective operations
 * ============================================================================================== */

enum portable_ranks_type {
    PORTABLE_RANKS_INT,
    PORTABLE_RANKS_UNSIGNED,
    PORTABLE_RANKS_LONG_LONG,
    PORTABLE_RANKS_UNSIGNED_LONG_LONG,
    PORTABLE_RANKS_FLOAT,
    PORTABLE_RANKS_DOUBLE
};
#define PORTABLE_RANKS_REAL                                                                        \
    /* The enum portable_ranks_type of REAL. */                                                    \
    (PORTABLE_PRECISION_DOUBLE ? PORTABLE_RANKS_DOUBLE : PORTABLE_RANKS_FLOAT)

enum portable_ranks_operation { PORTABLE_RANKS_SUM, PORTABLE_RANKS_MIN, PORTABLE_RANKS_MAX };

/** Collective: copies `bytes` bytes of device memory from rank `root` to all ranks. */
portable_status portable_ranks_broadcast(void *data, size_t bytes, int root,
                                         portable_stream stream);

/** Collective: gathers a distributed array on every rank. `data` has room for all starts[count]
 *  elements; each rank has filled in its own part. */
portable_status portable_ranks_all_gather(void *data, size_t element_bytes, const long long *starts,
                                          portable_stream stream);

/** Collective: element k becomes the sum, minimum or maximum of all ranks' elements k. Exact for
 *  integers, minimum and maximum without NaN. The order of a floating-point sum is the library's,
 *  and its last bits depend on the number of ranks: portable_ranks_sum is exact. */
portable_status portable_ranks_all_reduce(void *data, size_t count, enum portable_ranks_type type,
                                          enum portable_ranks_operation operation,
                                          portable_stream stream);

/** Collective: *sum = the sum of x[i], or of x[i] y[i] unless y is NULL, over a distributed vector,
 *  for every rank's host. x, y: this rank's part on the device. The same bits for every number of
 *  ranks, every partition and every target: the additions are those of one binary tree over the
 *  elements of the whole vector (P. Linz, "Accurate floating-point summation", CACM 13, 1970),
 *  0 for no elements. Waits for the result. */
portable_status portable_ranks_sum(const REAL *x, const REAL *y, const long long *starts,
                                   portable_stream stream, REAL *sum);

/** Collective: the same in two parts. The work between them does not wait for the sum, and does not
 *  change it: the elements are read in the order of the stream. `starts` stays until the wait. One
 *  sum at a time. */
portable_status portable_ranks_sum_begin(const REAL *x, const REAL *y, const long long *starts,
                                         portable_stream stream);
portable_status portable_ranks_sum_wait(REAL *sum);

/* ===============================================================================================
 * Measurements
 * ============================================================================================== */

/** Of one rank, between portable_ranks_measure_begin and portable_ranks_measure_end. */
struct portable_ranks_measurement {
    double seconds; /* from begin to end, with the device idle at both */
    /* The part of them for communication. On cuda the stream's, from the moment when the data are
     * ready until they have arrived, also while kernels run; elsewhere the time in the calls. Of
     * exact sums, the host's time after this rank's part is known. */
    double communication;
    /* To other ranks: a region of a plan, or a collective operation with data of this rank. A rank
     * alone sends none. */
    long long messages, bytes;
    long long exchanges, sums, collectives; /* calls; broadcasts and all_reduces are collectives */
};

/** Collective: waits for the device and for the other ranks, and starts to measure. On cuda this
 *  costs two events for each operation. No exchange may be under way here or at the end. */
portable_status portable_ranks_measure_begin(void);

/** Waits for the device, stops, and fills *measurement. */
portable_status portable_ranks_measure_end(struct portable_ranks_measurement *measurement);

/* ===============================================================================================
 * Files: a distributed array from and to NumPy's .npy, by rank 0
 * ============================================================================================== */

/** Collective: reads an array of `type` with one dimension or two, whose rows it spreads evenly.
 *  *data: this rank's rows, device memory that the caller frees; starts: count + 1 elements, in
 *  rows; *columns: elements in a row, 1 for an array of one dimension. Any failure is returned by
 *  all ranks. */
portable_status portable_ranks_read_npy(const char *path, enum portable_ranks_type type,
                                        void **data, long long *starts, size_t *columns);

/** Collective: writes rows of `columns` elements, those of this rank at `data`, as one array of two
 *  dimensions, or of one if columns is 1. The file is replaced in one step. Any failure is returned
 *  by all ranks. */
portable_status portable_ranks_write_npy(const char *path, enum portable_ranks_type type,
                                         const void *data, const long long *starts, size_t columns);

/* ===============================================================================================
 * Checkpoints: a directory with an .npy file for each array, and checkpoint.txt, which names them
 *
 * A crash at any moment leaves the last checkpoint or the one before it whole: checkpoint.txt is
 * replaced in one step when the arrays of the new one are on the disk, and then those of the old
 * one are removed. Only one program may use a directory at a time; where two save at once, one
 * fails.
 * ============================================================================================== */

/** A distributed array in a checkpoint: rows of `columns` elements, those of this rank at `data` in
 *  device memory. The name, of this array alone: letters, digits and '_'. */
struct portable_ranks_array {
    const char *name;
    enum portable_ranks_type type;
    size_t columns;
    const long long *starts;
    void *data;
};

/** Collective: replaces the checkpoint in the directory, which it makes if need be. `problem` is
 *  one line that describes all that the arrays depend on; step >= 0. Any failure is returned by all
 *  ranks, and leaves the checkpoint before it. */
portable_status portable_ranks_save(const char *directory, const char *problem, long long step,
                                    int count, const struct portable_ranks_array *arrays);

/** Collective: reads the checkpoint in the directory into the arrays, by any number of ranks; *step
 *  is that of its portable_ranks_save, or -1 if there is no checkpoint. Fails, on all ranks, if the
 *  checkpoint has another problem, precision or arrays, or is damaged. */
portable_status portable_ranks_restore(const char *directory, const char *problem, long long *step,
                                       int count, const struct portable_ranks_array *arrays);

#ifdef __cplusplus
}
#endif

#endif
