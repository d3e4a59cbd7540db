/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between the GPUs of one machine, without NCCL. The receiver of a plan's messages has a
 * block of device memory for them, which CUDA opens to the other processes; the sender copies into
 * the block, and the receiver from there to the destination. Each rank has two events, on which
 * streams of the other processes wait: its copies have arrived, and its block is free again. An
 * empty MPI message follows each record of an event, without which they would not wait. Collective
 * operations are those of mpi.c, through the host. */
#include "internal.h"

#if PORTABLE_TARGET_CUDA

/* The handles with which other processes open a rank's block and events. */
struct opened {
    int has_block;
    cudaIpcMemHandle_t block;
    cudaIpcEventHandle_t copied, is_free;
};

/* Another rank, seen from this one. */
struct peer {
    int sends_here, receives_here; /* whether this rank gets messages from it, and sends it some */
    char *block;                   /* its block, at the first message of this rank; */
    void *opened;                  /* from cudaIpcOpenMemHandle, or NULL */
    cudaEvent_t copied, is_free;
};

struct state {
    void *block; /* of this rank; the messages by rank and order */
    cudaEvent_t copied, is_free;
    int is_sent; /* whether other ranks still have to free their blocks of this rank's copies */
    struct peer *peers;
    struct opened *handles; /* of all ranks */
    size_t *offsets;        /* in the blocks: [r] where messages from r are in this one, */
    size_t *theirs;         /*                [r] where messages to r are in that of r */
};

static portable_status from_cuda(cudaError_t error, const char *call)
{
    if (error != cudaSuccess)
        cudaGetLastError(); /* so that no later call reports it */
    return portable_from_cuda_(error, call);
}

#define TRY_CUDA(call) RANKS_TRY(from_cuda((call), #call))

/* Whether this process can copy to the device. */
static int can_reach(const struct ranks_device *device)
{
    int count, can_access;
    struct cudaDeviceProp properties;

    if (cudaGetDeviceCount(&count) != cudaSuccess)
        return 0;
    for (int d = 0; d < count; d++)
        if (cudaGetDeviceProperties(&properties, d) == cudaSuccess &&
            memcmp(properties.uuid.bytes, device->uuid, sizeof device->uuid) == 0)
            return d == ranks_here.device ||
                   (cudaDeviceCanAccessPeer(&can_access, ranks_here.device, d) == cudaSuccess &&
                    can_access);
    return 0;
}

/* Whether each rank can open memory of the next one; collective. */
static int can_open(void)
{
    struct mine {
        int is_shared;
        cudaIpcMemHandle_t handle;
    } mine, *all = (struct mine *)calloc((size_t)ranks_here.count, sizeof *all);
    const int next = (ranks_here.rank + 1) % ranks_here.count;
    void *memory = NULL, *opened = NULL;
    int can = 1;

    if (!all)
        portable_ranks_stop(EXIT_FAILURE, "no memory for the handles of %d ranks",
                            ranks_here.count);
    memset(&mine, 0, sizeof mine);
    mine.is_shared = cudaMalloc(&memory, 1) == cudaSuccess &&
                     cudaIpcGetMemHandle(&mine.handle, memory) == cudaSuccess;
    ranks_gather_hosts(&mine, all, sizeof mine);
    for (int r = 0; r < ranks_here.count; r++)
        can = can && all[r].is_shared;
    if (can && next != ranks_here.rank) {
        can = cudaIpcOpenMemHandle(&opened, all[next].handle, cudaIpcMemLazyEnablePeerAccess) ==
              cudaSuccess;
        if (can)
            cudaIpcCloseMemHandle(opened);
    }
    ranks_barrier();
    cudaGetLastError();
    cudaFree(memory);
    free(all);
    return can;
}

static const char *refuse(void)
{
    struct ranks_device *devices = ranks_devices();
    const char *why = NULL;

    if (!devices)
        return "a rank has no device";
    if (ranks_here.node_count < ranks_here.count)
        why = "the ranks are on several machines";
    for (int r = 0; r < ranks_here.count && !why; r++)
        if (!can_reach(&devices[r]))
            why = "this rank cannot copy to the device of each other rank";
    free(devices);
    if (!can_open() && !why)
        why = "CUDA does not share device memory between processes here";
    return why;
}

static portable_status make_block(const struct ranks_transfer *transfer, struct state *state,
                                  struct opened *mine)
{
    /* Other allocations must not be in a block that is opened to other processes. */
    const size_t unit = (size_t)2 << 20;
    size_t bytes = 0;

    for (int r = 0; r < ranks_here.count; r++) {
        state->offsets[r] = bytes;
        for (int k = 0; k < transfer->receive_count; k++)
            if (transfer->receives[k].peer == r) {
                bytes += (transfer->receives[k].bytes + 15) / 16 * 16;
                state->peers[r].sends_here = 1;
            }
    }
    for (int k = 0; k < transfer->send_count; k++)
        state->peers[transfer->sends[k].peer].receives_here = 1;
    TRY_CUDA(
        cudaEventCreateWithFlags(&state->copied, cudaEventInterprocess | cudaEventDisableTiming));
    TRY_CUDA(
        cudaEventCreateWithFlags(&state->is_free, cudaEventInterprocess | cudaEventDisableTiming));
    TRY_CUDA(cudaIpcGetEventHandle(&mine->copied, state->copied));
    TRY_CUDA(cudaIpcGetEventHandle(&mine->is_free, state->is_free));
    if (bytes > 0) {
        TRY_CUDA(cudaMalloc(&state->block, (bytes + unit - 1) / unit * unit));
        TRY_CUDA(cudaIpcGetMemHandle(&mine->block, state->block));
        mine->has_block = 1;
    }
    return PORTABLE_SUCCESS;
}

static portable_status open_others(struct state *state)
{
    for (int r = 0; r < ranks_here.count; r++) {
        struct peer *peer = &state->peers[r];

        if (r == ranks_here.rank) {
            peer->block = (char *)state->block + state->theirs[r];
            continue;
        }
        if (peer->sends_here)
            TRY_CUDA(cudaIpcOpenEventHandle(&peer->copied, state->handles[r].copied));
        if (!peer->receives_here)
            continue;
        TRY_CUDA(cudaIpcOpenEventHandle(&peer->is_free, state->handles[r].is_free));
        TRY_CUDA(cudaIpcOpenMemHandle(&peer->opened, state->handles[r].block,
                                      cudaIpcMemLazyEnablePeerAccess));
        peer->block = (char *)peer->opened + state->theirs[r];
    }
    return PORTABLE_SUCCESS;
}

static portable_status transfer_create(struct ranks_transfer *transfer)
{
    const size_t count = (size_t)ranks_here.count;
    struct state *state = (struct state *)calloc(1, sizeof *state);
    struct opened mine;
    portable_status status;

    memset(&mine, 0, sizeof mine);
    if (state) {
        state->peers = (struct peer *)calloc(count, sizeof *state->peers);
        state->handles = (struct opened *)calloc(count, sizeof *state->handles);
        state->offsets = (size_t *)calloc(count, sizeof *state->offsets);
        state->theirs = (size_t *)calloc(count, sizeof *state->theirs);
    }
    if (!state || !state->peers || !state->handles || !state->offsets || !state->theirs)
        portable_ranks_stop(EXIT_FAILURE, "no memory for a plan of %d ranks", ranks_here.count);
    transfer->state = state;
    status = ranks_agree(make_block(transfer, state, &mine));
    if (status != PORTABLE_SUCCESS)
        return status;
    ranks_gather_hosts(&mine, state->handles, sizeof mine);
    ranks_exchange_hosts(state->offsets, state->theirs, sizeof *state->offsets);
    return open_others(state);
}

/* The tags of messages that follow the record of an event. */
static int copied_tag(const struct ranks_transfer *transfer)
{
    return 2 * transfer->tag + 1;
}
static int free_tag(const struct ranks_transfer *transfer)
{
    return 2 * transfer->tag + 2;
}

/* Copies the parts, which are those of messages to or from each rank in their order, to or from
 * `blocks[rank]`. */
static portable_status copy_parts(const struct ranks_transfer *transfer, struct state *state,
                                  int is_send)
{
    const int count = is_send ? transfer->send_count : transfer->receive_count;
    const struct ranks_part *parts = is_send ? transfer->sends : transfer->receives;

    for (int k = 0; k < count; k++) {
        const struct ranks_part *part = &parts[k];
        char *place = is_send ? state->peers[part->peer].block
                              : (char *)state->block + state->offsets[part->peer];

        for (int before = 0; before < k; before++)
            if (parts[before].peer == part->peer)
                place += (parts[before].bytes + 15) / 16 * 16;
        TRY_CUDA(cudaMemcpyAsync(is_send ? place : part->data, is_send ? part->data : place,
                                 part->bytes, cudaMemcpyDeviceToDevice, transfer->stream));
    }
    return PORTABLE_SUCCESS;
}

/* Makes the stream wait for the events of all ranks that send to this one, or receive from it. */
static portable_status await(const struct ranks_transfer *transfer, const struct state *state,
                             int are_senders)
{
    for (int r = 0; r < ranks_here.count; r++) {
        const struct peer *peer = &state->peers[r];

        if (r == ranks_here.rank || !(are_senders ? peer->sends_here : peer->receives_here))
            continue;
        ranks_await_signal(r, are_senders ? copied_tag(transfer) : free_tag(transfer));
        TRY_CUDA(
            cudaStreamWaitEvent(transfer->stream, are_senders ? peer->copied : peer->is_free, 0));
    }
    return PORTABLE_SUCCESS;
}

/* Records this rank's event and signals all other ranks that wait for it. */
static portable_status announce(const struct ranks_transfer *transfer, const struct state *state,
                                int is_copied)
{
    TRY_CUDA(cudaEventRecord(is_copied ? state->copied : state->is_free, transfer->stream));
    for (int r = 0; r < ranks_here.count; r++) {
        const struct peer *peer = &state->peers[r];

        if (r != ranks_here.rank && (is_copied ? peer->receives_here : peer->sends_here))
            ranks_signal(r, is_copied ? copied_tag(transfer) : free_tag(transfer));
    }
    return PORTABLE_SUCCESS;
}

/* Memory must not be freed while another process has it open, so all ranks close theirs first. */
static portable_status transfer_destroy(struct ranks_transfer *transfer)
{
    struct state *state = (struct state *)transfer->state;
    portable_status status, freed;

    if (!state)
        return PORTABLE_SUCCESS;
    status = state->is_sent ? await(transfer, state, 0) : PORTABLE_SUCCESS;
    freed = portable_stream_synchronize(transfer->stream);
    status = status == PORTABLE_SUCCESS ? freed : status;
    for (int r = 0; r < ranks_here.count; r++) {
        const struct peer *peer = &state->peers[r];

        if (peer->opened && status == PORTABLE_SUCCESS)
            status = from_cuda(cudaIpcCloseMemHandle(peer->opened), "cudaIpcCloseMemHandle");
        if (peer->copied)
            cudaEventDestroy(peer->copied);
        if (peer->is_free)
            cudaEventDestroy(peer->is_free);
    }
    ranks_barrier();
    freed = from_cuda(cudaFree(state->block), "cudaFree");
    if (state->copied)
        cudaEventDestroy(state->copied);
    if (state->is_free)
        cudaEventDestroy(state->is_free);
    free(state->peers);
    free(state->handles);
    free(state->offsets);
    free(state->theirs);
    free(state);
    transfer->state = NULL;
    return status == PORTABLE_SUCCESS ? freed : status;
}

static portable_status transfer_begin(struct ranks_transfer *transfer)
{
    struct state *state = (struct state *)transfer->state;
    portable_status status = state->is_sent ? await(transfer, state, 0) : PORTABLE_SUCCESS;

    state->is_sent = 0;
    if (status == PORTABLE_SUCCESS)
        status = copy_parts(transfer, state, 1);
    if (status == PORTABLE_SUCCESS)
        status = announce(transfer, state, 1);
    state->is_sent = status == PORTABLE_SUCCESS;
    return status;
}

static portable_status transfer_wait(struct ranks_transfer *transfer)
{
    struct state *state = (struct state *)transfer->state;
    portable_status status = await(transfer, state, 1);

    if (status == PORTABLE_SUCCESS)
        status = copy_parts(transfer, state, 0);
    return status == PORTABLE_SUCCESS ? announce(transfer, state, 0) : status;
}

const struct ranks_transport ranks_peer = {"peer",
                                           0,
                                           refuse,
                                           ranks_do_nothing,
                                           ranks_mpi_end,
                                           transfer_create,
                                           transfer_destroy,
                                           transfer_begin,
                                           transfer_wait,
                                           ranks_mpi_broadcast,
                                           ranks_mpi_all_gather,
                                           ranks_mpi_all_reduce};
#endif
