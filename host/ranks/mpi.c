/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI: between hosts, and as two transports: on the arrays themselves, where MPI can read them, and
 * on page-locked copies. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "internal.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h> /* MPIX_Query_cuda_support */
#endif
#include <time.h>   /* nanosleep */
#include <unistd.h> /* _exit */

static MPI_Comm all_ranks = MPI_COMM_NULL, node = MPI_COMM_NULL;
static MPI_Win failures; /* one int on each machine: whether a rank of it has failed */
static int *node_failed;

/* A page-locked copy for collective operations, which grows. */
static void *staging;
static size_t staging_bytes;

static portable_status from_mpi(int error, const char *call)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length;

    if (error == MPI_SUCCESS)
        return PORTABLE_SUCCESS;
    MPI_Error_string(error, text, &length);
    return portable_fail_(PORTABLE_ERROR_DEVICE, "%s: %s", call, text);
}

#define TRY_MPI(call) RANKS_TRY(from_mpi((call), #call))
/* For calls in which the other ranks wait for this one, so that no later call can tell them. */
#define CHECK_MPI(call)                                                                            \
    do {                                                                                           \
        if (from_mpi((call), #call) != PORTABLE_SUCCESS)                                           \
            portable_ranks_stop(EXIT_FAILURE, "%s", portable_last_message());                      \
    } while (0)

/* ===============================================================================================
 * Between hosts
 * ============================================================================================== */

portable_status ranks_begin_hosts(void)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, unit, has_begun, level;
    MPI_Aint bytes;

    TRY_MPI(MPI_Initialized(&has_begun));
    if (has_begun)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "MPI_Init was called before portable_ranks_begin, which calls it");
    TRY_MPI(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level));
    TRY_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &all_ranks));
    TRY_MPI(MPI_Comm_set_errhandler(all_ranks, MPI_ERRORS_RETURN));
    TRY_MPI(MPI_Comm_rank(all_ranks, &ranks_here.rank));
    TRY_MPI(MPI_Comm_size(all_ranks, &ranks_here.count));
    TRY_MPI(MPI_Comm_split_type(all_ranks, MPI_COMM_TYPE_SHARED, ranks_here.rank, MPI_INFO_NULL,
                                &node));
    TRY_MPI(MPI_Comm_rank(node, &ranks_here.node_rank));
    TRY_MPI(MPI_Comm_size(node, &ranks_here.node_count));
    TRY_MPI(MPI_Win_allocate_shared(ranks_here.node_rank == 0 ? sizeof(int) : 0, sizeof(int),
                                    MPI_INFO_NULL, node, &node_failed, &failures));
    TRY_MPI(MPI_Win_shared_query(failures, 0, &bytes, &unit, &node_failed));
    if (ranks_here.node_rank == 0)
        *node_failed = 0;
    TRY_MPI(MPI_Barrier(node));
    TRY_MPI(MPI_Get_library_version(library, &length));
    snprintf(ranks_here.library, sizeof ranks_here.library, "%.*s", (int)strcspn(library, ",\n\t"),
             library);
    return PORTABLE_SUCCESS;
}

portable_status ranks_end_hosts(void)
{
    portable_free_host(staging);
    staging = NULL;
    staging_bytes = 0;
    TRY_MPI(MPI_Win_free(&failures));
    TRY_MPI(MPI_Comm_free(&node));
    TRY_MPI(MPI_Comm_free(&all_ranks));
    TRY_MPI(MPI_Finalize());
    return PORTABLE_SUCCESS;
}

double ranks_seconds(void)
{
    return MPI_Wtime();
}

int ranks_first_to_fail(void)
{
    int nobody = 0;

    return __atomic_compare_exchange_n(node_failed, &nobody, 1, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

void ranks_abort(int exit_status, int is_first)
{
    /* mpiexec must have passed on the line of the first before it ends all. */
    const struct timespec delay = {is_first ? 0 : 5, is_first ? 200000000 : 0};

    nanosleep(&delay, NULL);
    if (ranks_here.count > 1)
        MPI_Abort(MPI_COMM_WORLD, exit_status);
    _exit(exit_status);
}

void ranks_gather_hosts(const void *values, void *all, size_t bytes)
{
    CHECK_MPI(MPI_Allgather(values, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, all_ranks));
}

void ranks_exchange_hosts(const void *values, void *all, size_t bytes)
{
    CHECK_MPI(MPI_Alltoall(values, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, all_ranks));
}

/* The bytes of the piece that begins at byte `done` of `bytes`. */
static int piece(size_t bytes, size_t done)
{
    return (int)(bytes - done < ranks_limit ? bytes - done : ranks_limit);
}

void ranks_exchange_hosts_of(const void *values, const size_t *bytes, void *all,
                             const size_t *all_bytes)
{
    const int rank = ranks_here.rank, count = ranks_here.count;

    for (int distance = 0; distance < count; distance++) {
        const int to = (rank + distance) % count, from = (rank + count - distance) % count;
        const size_t out = bytes[to], in = all_bytes[from];
        const char *send = (const char *)values;
        char *receive = (char *)all;

        for (int r = 0; r < to; r++)
            send += bytes[r];
        for (int r = 0; r < from; r++)
            receive += all_bytes[r];
        for (size_t done = 0; done < out || done < in; done += ranks_limit) {
            const int has_out = done < out, has_in = done < in;

            CHECK_MPI(MPI_Sendrecv(send + (has_out ? done : 0), has_out ? piece(out, done) : 0,
                                   MPI_BYTE, has_out ? to : MPI_PROC_NULL, 0,
                                   receive + (has_in ? done : 0), has_in ? piece(in, done) : 0,
                                   MPI_BYTE, has_in ? from : MPI_PROC_NULL, 0, all_ranks,
                                   MPI_STATUS_IGNORE));
        }
    }
}

void ranks_broadcast_host(void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += ranks_limit)
        CHECK_MPI(MPI_Bcast((char *)data + done, piece(bytes, done), MPI_BYTE, 0, all_ranks));
}

void ranks_send_host(const void *data, size_t bytes, int to)
{
    for (size_t done = 0; done < bytes; done += ranks_limit)
        CHECK_MPI(
            MPI_Send((const char *)data + done, piece(bytes, done), MPI_BYTE, to, 0, all_ranks));
}

void ranks_receive_host(void *data, size_t bytes, int from)
{
    for (size_t done = 0; done < bytes; done += ranks_limit)
        CHECK_MPI(MPI_Recv((char *)data + done, piece(bytes, done), MPI_BYTE, from, 0, all_ranks,
                           MPI_STATUS_IGNORE));
}

void ranks_signal(int to, int tag)
{
    MPI_Request request;

    CHECK_MPI(MPI_Isend(NULL, 0, MPI_BYTE, to, tag, all_ranks, &request));
    CHECK_MPI(MPI_Request_free(&request));
}

void ranks_await_signal(int from, int tag)
{
    CHECK_MPI(MPI_Recv(NULL, 0, MPI_BYTE, from, tag, all_ranks, MPI_STATUS_IGNORE));
}

void ranks_barrier(void)
{
    CHECK_MPI(MPI_Barrier(all_ranks));
}

/* ===============================================================================================
 * The transports. Tag 0 is for hosts, the tags from 1 on for plans.
 * ============================================================================================== */

static const char *refuse_mpi(void)
{
#if PORTABLE_TARGET_CUDA
    int takes_gpu_memory = 0;

#if defined(MPIX_GPU_SUPPORT_CUDA)
    if (MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &takes_gpu_memory) != MPI_SUCCESS)
        takes_gpu_memory = 0;
#elif defined(MPIX_CUDA_AWARE_SUPPORT)
    takes_gpu_memory = MPIX_Query_cuda_support();
#endif
    return takes_gpu_memory ? NULL : "this MPI does not say that it takes GPU memory";
#else
    return NULL;
#endif
}

static const char *refuse_nothing(void)
{
    return NULL;
}

/* The messages of a transfer: room for all its parts in pieces of ranks_limit bytes. */
struct messages {
    int count;
    MPI_Request requests[];
};

static int pieces_of(const struct ranks_part *parts, int count)
{
    int pieces = 0;

    for (int k = 0; k < count; k++)
        pieces += (int)((parts[k].bytes + ranks_limit - 1) / ranks_limit);
    return pieces;
}

static portable_status start_parts(struct ranks_transfer *transfer, int is_send)
{
    const struct ranks_part *parts = is_send ? transfer->sends : transfer->receives;
    const int count = is_send ? transfer->send_count : transfer->receive_count;
    struct messages *messages = (struct messages *)transfer->state;

    for (int k = 0; k < count; k++) {
        char *data = (char *)(parts[k].staging ? parts[k].staging : parts[k].data);

        for (size_t done = 0; done < parts[k].bytes; done += ranks_limit) {
            MPI_Request *request = &messages->requests[messages->count++];
            *request = MPI_REQUEST_NULL; /* in case the call fails */
            const int bytes = piece(parts[k].bytes, done), tag = transfer->tag + 1;

            if (is_send)
                TRY_MPI(MPI_Isend(data + done, bytes, MPI_BYTE, parts[k].peer, tag, all_ranks,
                                  request));
            else
                TRY_MPI(MPI_Irecv(data + done, bytes, MPI_BYTE, parts[k].peer, tag, all_ranks,
                                  request));
        }
    }
    return PORTABLE_SUCCESS;
}

static portable_status create_transfer(struct ranks_transfer *transfer)
{
    const size_t most = (size_t)pieces_of(transfer->sends, transfer->send_count) +
                        (size_t)pieces_of(transfer->receives, transfer->receive_count);

    transfer->state = calloc(1, sizeof(struct messages) + most * sizeof(MPI_Request));
    return transfer->state
               ? PORTABLE_SUCCESS
               : portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY, "no memory for %zu requests", most);
}

static portable_status destroy_transfer(struct ranks_transfer *transfer)
{
    free(transfer->state);
    return PORTABLE_SUCCESS;
}

/* Takes back what is left of a transfer that failed, so that nothing arrives in memory that the
 * caller may free. MPI cannot take back a send, and waiting for one could hang. */
static void withdraw(struct ranks_transfer *transfer)
{
    const int receives = pieces_of(transfer->receives, transfer->receive_count);
    struct messages *messages = (struct messages *)transfer->state;

    for (int k = 0; k < messages->count; k++) {
        if (messages->requests[k] == MPI_REQUEST_NULL)
            continue;
        if (k < receives) {
            MPI_Cancel(&messages->requests[k]);
            MPI_Wait(&messages->requests[k], MPI_STATUS_IGNORE);
        } else
            MPI_Request_free(&messages->requests[k]);
    }
}

static portable_status begin_transfer(struct ranks_transfer *transfer)
{
    portable_status status;

    for (int k = 0; k < transfer->send_count; k++)
        if (transfer->sends[k].staging)
            RANKS_TRY(portable_copy_to_host_async(transfer->sends[k].staging,
                                                  transfer->sends[k].data, transfer->sends[k].bytes,
                                                  transfer->stream));
    /* Until then, earlier work may still read what the messages replace. */
    RANKS_TRY(portable_stream_synchronize(transfer->stream));
    ((struct messages *)transfer->state)->count = 0;
    status = start_parts(transfer, 0);
    if (status == PORTABLE_SUCCESS)
        status = start_parts(transfer, 1);
    if (status != PORTABLE_SUCCESS)
        withdraw(transfer);
    return status;
}

static portable_status wait_transfer(struct ranks_transfer *transfer)
{
    struct messages *messages = (struct messages *)transfer->state;
    MPI_Status *volatile ignored = MPI_STATUSES_IGNORE; /* MPICH's: gcc warns that it is no array */
    const int error = MPI_Waitall(messages->count, messages->requests, ignored);

    if (error != MPI_SUCCESS)
        withdraw(transfer);
    RANKS_TRY(from_mpi(error, "MPI_Waitall"));
    for (int k = 0; k < transfer->receive_count; k++)
        if (transfer->receives[k].staging)
            RANKS_TRY(portable_copy_to_device_async(transfer->receives[k].data,
                                                    transfer->receives[k].staging,
                                                    transfer->receives[k].bytes, transfer->stream));
    return PORTABLE_SUCCESS;
}

/* *place: where MPI finds `bytes` of device memory: the memory itself, or a host copy made when the
 * stream's work is done. The copy has the `length` bytes from byte `first` on that this rank
 * contributes. */
static portable_status open_data(void *data, size_t bytes, size_t first, size_t length,
                                 portable_stream stream, char **place)
{
    *place = (char *)data;
    if (ranks_transport != &ranks_mpi) {
        if (bytes > staging_bytes) {
            RANKS_TRY(portable_free_host(staging));
            staging_bytes = 0;
            RANKS_TRY(portable_malloc_host(&staging, bytes));
            staging_bytes = bytes;
        }
        *place = (char *)staging;
        if (length > 0)
            RANKS_TRY(
                portable_copy_to_host_async(*place + first, (char *)data + first, length, stream));
    }
    return portable_stream_synchronize(stream);
}

/* The copy is reused, so its contents must have arrived. */
static portable_status close_data(void *data, size_t bytes, portable_stream stream)
{
    if (ranks_transport == &ranks_mpi)
        return PORTABLE_SUCCESS;
    RANKS_TRY(portable_copy_to_device_async(data, staging, bytes, stream));
    return portable_stream_synchronize(stream);
}

portable_status ranks_mpi_broadcast(void *data, size_t bytes, int root, portable_stream stream)
{
    char *place;

    RANKS_TRY(open_data(data, bytes, 0, ranks_here.rank == root ? bytes : 0, stream, &place));
    for (size_t done = 0; done < bytes; done += ranks_limit)
        TRY_MPI(MPI_Bcast(place + done, piece(bytes, done), MPI_BYTE, root, all_ranks));
    return ranks_here.rank == root ? PORTABLE_SUCCESS : close_data(data, bytes, stream);
}

/* Small parts at once; larger ones one after the other, each with a copy of its own length. */
portable_status ranks_mpi_all_gather(void *data, const size_t *offsets, portable_stream stream)
{
    enum { AT_ONCE = 1 << 26 };
    const int count = ranks_here.count;
    const size_t bytes = offsets[count];
    char *place;
    int error;

    if (bytes > AT_ONCE || bytes > ranks_limit) {
        for (int r = 0; r < count; r++)
            RANKS_TRY(ranks_mpi_broadcast((char *)data + offsets[r], offsets[r + 1] - offsets[r], r,
                                          stream));
        return PORTABLE_SUCCESS;
    }
    int *lengths = (int *)calloc(2 * (size_t)count, sizeof *lengths), *places = lengths + count;
    if (!lengths)
        portable_ranks_stop(EXIT_FAILURE, "no memory for the parts of %d ranks", count);
    for (int r = 0; r < count; r++) {
        lengths[r] = (int)(offsets[r + 1] - offsets[r]);
        places[r] = (int)offsets[r];
    }
    const size_t first = offsets[ranks_here.rank];
    portable_status status =
        open_data(data, bytes, first, offsets[ranks_here.rank + 1] - first, stream, &place);
    if (status == PORTABLE_SUCCESS) {
        error =
            MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, place, lengths, places, MPI_BYTE, all_ranks);
        status = from_mpi(error, "MPI_Allgatherv");
    }
    free(lengths);
    return status == PORTABLE_SUCCESS ? close_data(data, bytes, stream) : status;
}

portable_status ranks_mpi_all_reduce(void *data, size_t count, enum portable_ranks_type type,
                                     enum portable_ranks_operation operation,
                                     portable_stream stream)
{
    const MPI_Datatype types[] = {MPI_INT,   MPI_UNSIGNED, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG,
                                  MPI_FLOAT, MPI_DOUBLE};
    const MPI_Op operations[] = {MPI_SUM, MPI_MIN, MPI_MAX};
    const size_t size = ranks_type_size(type), bytes = count * size;
    char *place;

    RANKS_TRY(open_data(data, bytes, 0, bytes, stream, &place));
    for (size_t done = 0; done < bytes; done += ranks_limit)
        TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, place + done, piece(bytes, done) / (int)size,
                              types[type], operations[operation], all_ranks));
    return close_data(data, bytes, stream);
}

const struct ranks_transport ranks_mpi = {"mpi",
                                          0,
                                          refuse_mpi,
                                          ranks_do_nothing,
                                          ranks_do_nothing,
                                          create_transfer,
                                          destroy_transfer,
                                          begin_transfer,
                                          wait_transfer,
                                          ranks_mpi_broadcast,
                                          ranks_mpi_all_gather,
                                          ranks_mpi_all_reduce};
const struct ranks_transport ranks_staged = {"staged",
                                             1,
                                             refuse_nothing,
                                             ranks_do_nothing,
                                             ranks_do_nothing,
                                             create_transfer,
                                             destroy_transfer,
                                             begin_transfer,
                                             wait_transfer,
                                             ranks_mpi_broadcast,
                                             ranks_mpi_all_gather,
                                             ranks_mpi_all_reduce};
