/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI as two transports: on the arrays themselves, where MPI can read them, and on page-locked
 * copies. Tag 0 is for hosts, the tags from 1 on for plans. */
#include "communicator.h"

#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h> /* MPIX_Query_cuda_support */
#endif

/* Whether collective operations work on device memory itself: only those of ranks_mpi do. */
static int takes_device_memory;

/* The page-locked copy of the other transports, which grows. */
static void *staging;
static size_t staging_bytes;

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

static portable_status begin_mpi(void)
{
    takes_device_memory = 1;
    return PORTABLE_SUCCESS;
}

portable_status ranks_mpi_end(void)
{
    const portable_status status = portable_free_host(staging);

    staging = NULL;
    staging_bytes = 0;
    return status;
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
            const int bytes = ranks_piece(parts[k].bytes, done), tag = transfer->tag + 1;

            if (is_send)
                TRY_MPI(MPI_Isend(data + done, bytes, MPI_BYTE, parts[k].peer, tag,
                                  ranks_communicator, request));
            else
                TRY_MPI(MPI_Irecv(data + done, bytes, MPI_BYTE, parts[k].peer, tag,
                                  ranks_communicator, request));
        }
    }
    return PORTABLE_SUCCESS;
}

static portable_status create_transfer(struct ranks_transfer *transfer)
{
    const size_t requests = (size_t)pieces_of(transfer->sends, transfer->send_count) +
                            (size_t)pieces_of(transfer->receives, transfer->receive_count);

    transfer->state = calloc(1, sizeof(struct messages) + requests * sizeof(MPI_Request));
    return transfer->state ? PORTABLE_SUCCESS
                           : portable_fail_(PORTABLE_ERROR_OUT_OF_MEMORY,
                                            "no memory for %zu requests", requests);
}

static portable_status destroy_transfer(struct ranks_transfer *transfer)
{
    free(transfer->state);
    return PORTABLE_SUCCESS;
}

/* Cancels the receives of a transfer that failed, so that nothing arrives in memory that the caller
 * may free. A send cannot be cancelled, and waiting for one could hang. */
static void cancel(struct ranks_transfer *transfer)
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
    /* Earlier work of the stream may still read the memory that messages overwrite. */
    RANKS_TRY(portable_stream_synchronize(transfer->stream));
    ((struct messages *)transfer->state)->count = 0;
    status = start_parts(transfer, 0);
    if (status == PORTABLE_SUCCESS)
        status = start_parts(transfer, 1);
    if (status != PORTABLE_SUCCESS)
        cancel(transfer);
    return status;
}

static portable_status wait_transfer(struct ranks_transfer *transfer)
{
    struct messages *messages = (struct messages *)transfer->state;
    MPI_Status *volatile ignored = MPI_STATUSES_IGNORE; /* MPICH's: gcc warns that it is no array */
    const int error = MPI_Waitall(messages->count, messages->requests, ignored);

    if (error != MPI_SUCCESS)
        cancel(transfer);
    RANKS_TRY(ranks_from_mpi(error, "MPI_Waitall"));
    for (int k = 0; k < transfer->receive_count; k++)
        if (transfer->receives[k].staging)
            RANKS_TRY(portable_copy_to_device_async(transfer->receives[k].data,
                                                    transfer->receives[k].staging,
                                                    transfer->receives[k].bytes, transfer->stream));
    return PORTABLE_SUCCESS;
}

/* *place: `bytes` of memory for MPI, after the stream's work: the device memory itself, or a host
 * copy of the `length` bytes from byte `first` on that this rank contributes. */
static portable_status open_data(void *data, size_t bytes, size_t first, size_t length,
                                 portable_stream stream, char **place)
{
    *place = (char *)data;
    if (!takes_device_memory) {
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

/* Copies the result back. The next operation reuses the host copy, so it waits. */
static portable_status close_data(void *data, size_t bytes, portable_stream stream)
{
    if (takes_device_memory)
        return PORTABLE_SUCCESS;
    RANKS_TRY(portable_copy_to_device_async(data, staging, bytes, stream));
    return portable_stream_synchronize(stream);
}

portable_status ranks_mpi_broadcast(void *data, size_t bytes, int root, portable_stream stream)
{
    char *place;

    RANKS_TRY(open_data(data, bytes, 0, ranks_here.rank == root ? bytes : 0, stream, &place));
    for (size_t done = 0; done < bytes; done += ranks_limit)
        TRY_MPI(
            MPI_Bcast(place + done, ranks_piece(bytes, done), MPI_BYTE, root, ranks_communicator));
    return ranks_here.rank == root ? PORTABLE_SUCCESS : close_data(data, bytes, stream);
}

/* Small parts in one call; larger ones one after the other, so that a host copy holds only one. */
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
        error = MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, place, lengths, places, MPI_BYTE,
                               ranks_communicator);
        status = ranks_from_mpi(error, "MPI_Allgatherv");
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
        TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, place + done, ranks_piece(bytes, done) / (int)size,
                              types[type], operations[operation], ranks_communicator));
    return close_data(data, bytes, stream);
}

const struct ranks_transport ranks_mpi = {"mpi",
                                          0,
                                          refuse_mpi,
                                          begin_mpi,
                                          ranks_mpi_end,
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
                                             ranks_mpi_end,
                                             create_transfer,
                                             destroy_transfer,
                                             begin_transfer,
                                             wait_transfer,
                                             ranks_mpi_broadcast,
                                             ranks_mpi_all_gather,
                                             ranks_mpi_all_reduce};
