/* SPDX-License-Identifier: BSD-3-Clause */
/* NCCL as a transport: device memory between the GPUs, without the host. Every rank needs a device
 * to itself. The host does not wait, so no message can be too long: sizes are size_t. */
#include "internal.h"

#if PORTABLE_RANKS_NCCL
#include <nccl.h>

static ncclComm_t communicator;

static portable_status from_nccl(ncclResult_t result, const char *call)
{
    return result == ncclSuccess
               ? PORTABLE_SUCCESS
               : portable_fail_(PORTABLE_ERROR_DEVICE, "%s: %s", call, ncclGetErrorString(result));
}

#define TRY_NCCL(call) RANKS_TRY(from_nccl((call), #call))

static const char *refuse(void)
{
    struct ranks_device *devices = ranks_devices();
    int is_shared = 0;

    if (!devices)
        return "a rank has no device";
    for (int r = 0; r < ranks_here.count; r++)
        for (int other = 0; other < r; other++)
            is_shared |= memcmp(devices[r].uuid, devices[other].uuid, sizeof devices[r].uuid) == 0;
    free(devices);
    return is_shared ? "NCCL needs a device for each rank" : NULL;
}

/* A rank that fails in ncclCommInitRank cannot tell the others, which wait there for it. */
static portable_status begin(void)
{
    ncclUniqueId id;
    portable_status status = PORTABLE_SUCCESS;

    if (ranks_here.rank == 0)
        status = from_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
    status = ranks_agree(status);
    if (status == PORTABLE_SUCCESS)
        ranks_broadcast_host(&id, sizeof id);
    if (status == PORTABLE_SUCCESS)
        PORTABLE_RANKS_CHECK(
            from_nccl(ncclCommInitRank(&communicator, ranks_here.count, id, ranks_here.rank),
                      "ncclCommInitRank"));
    return status;
}

static portable_status end(void)
{
    TRY_NCCL(ncclCommDestroy(communicator));
    return PORTABLE_SUCCESS;
}

static portable_status transfer_begin(struct ranks_transfer *transfer)
{
    ncclResult_t result = ncclGroupStart(), ended;
    const char *call = "ncclGroupStart";

    if (result != ncclSuccess)
        return from_nccl(result, call);
    for (int k = 0; k < transfer->receive_count && result == ncclSuccess; k++) {
        const struct ranks_part *part = &transfer->receives[k];

        call = "ncclRecv";
        result =
            ncclRecv(part->data, part->bytes, ncclChar, part->peer, communicator, transfer->stream);
    }
    for (int k = 0; k < transfer->send_count && result == ncclSuccess; k++) {
        const struct ranks_part *part = &transfer->sends[k];

        call = "ncclSend";
        result =
            ncclSend(part->data, part->bytes, ncclChar, part->peer, communicator, transfer->stream);
    }
    ended = ncclGroupEnd();
    return result != ncclSuccess ? from_nccl(result, call) : from_nccl(ended, "ncclGroupEnd");
}

static portable_status broadcast(void *data, size_t bytes, int root, portable_stream stream)
{
    TRY_NCCL(ncclBroadcast(data, data, bytes, ncclChar, root, communicator, stream));
    return PORTABLE_SUCCESS;
}

/* NCCL runs the broadcasts of a group at once. */
static portable_status all_gather(void *data, const size_t *offsets, portable_stream stream)
{
    ncclResult_t result = ncclGroupStart(), ended;

    if (result != ncclSuccess)
        return from_nccl(result, "ncclGroupStart");
    for (int r = 0; r < ranks_here.count && result == ncclSuccess; r++) {
        char *part = (char *)data + offsets[r];

        if (offsets[r + 1] > offsets[r])
            result = ncclBroadcast(part, part, offsets[r + 1] - offsets[r], ncclChar, r,
                                   communicator, stream);
    }
    ended = ncclGroupEnd();
    return result != ncclSuccess ? from_nccl(result, "ncclBroadcast")
                                 : from_nccl(ended, "ncclGroupEnd");
}

static portable_status all_reduce(void *data, size_t count, enum portable_ranks_type type,
                                  enum portable_ranks_operation operation, portable_stream stream)
{
    static const ncclDataType_t types[] = {ncclInt32,  ncclUint32,  ncclInt64,
                                           ncclUint64, ncclFloat32, ncclFloat64};
    static const ncclRedOp_t operations[] = {ncclSum, ncclMin, ncclMax};

    TRY_NCCL(
        ncclAllReduce(data, data, count, types[type], operations[operation], communicator, stream));
    return PORTABLE_SUCCESS;
}

const struct ranks_transport ranks_nccl = {"nccl",
                                           0,
                                           refuse,
                                           begin,
                                           end,
                                           ranks_transfer_nothing,
                                           ranks_transfer_nothing,
                                           transfer_begin,
                                           ranks_transfer_nothing,
                                           broadcast,
                                           all_gather,
                                           all_reduce};
#endif
