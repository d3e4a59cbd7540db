/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libnccl: NCCL for one process and its one device. A communicator has one rank, whose collective
 * calls are copies; what it sends in a group it receives there itself.
 */
#include "host/cudart/include/nccl.h"
#include "host/cudart/library.h"

#include <stdio.h>  /* fprintf */
#include <stdlib.h> /* calloc, free, realloc */
#include <string.h> /* memset */

struct ncclComm {
    int device;
};

#define REQUIRE(condition, error)                                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return error;                                                                          \
    } while (0)
#define REQUIRE_ARGUMENT(condition) REQUIRE(condition, ncclInvalidArgument)

static ncclResult_t result_of(cudaError_t error)
{
    return error == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}
static size_t bytes_of(ncclDataType_t type)
{
    static const size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return (unsigned)type < sizeof bytes / sizeof bytes[0] ? bytes[type] : 0;
}

/* ---- communicators ---- */

ncclResult_t ncclMemAlloc(void **memory, size_t bytes)
{
    return result_of(cudaMalloc(memory, bytes));
}
ncclResult_t ncclMemFree(void *memory)
{
    return result_of(cudaFree(memory));
}
ncclResult_t ncclGetVersion(int *version)
{
    REQUIRE_ARGUMENT(version);
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    REQUIRE_ARGUMENT(id);
    memset(id, 0, sizeof *id);
    return ncclSuccess;
}
static ncclResult_t create(const char *call, ncclComm_t *comm, int ranks, int rank)
{
    REQUIRE_ARGUMENT(comm && ranks >= 1 && rank >= 0 && rank < ranks);
    if (ranks > 1) {
        fprintf(stderr, "%s: portable-nvcc has one device, and NCCL one rank for each: not %d\n",
                call, ranks);
        return ncclInvalidUsage;
    }
    *comm = (ncclComm_t)calloc(1, sizeof **comm);
    return *comm ? ncclSuccess : ncclSystemError;
}
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank)
{
    (void)id;
    return create(__func__, comm, ranks, rank);
}
ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t *config)
{
    (void)id;
    (void)config;
    return create(__func__, comm, ranks, rank);
}
ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices)
{
    REQUIRE_ARGUMENT(comms && count >= 1);
    REQUIRE(count > 1 || !devices || devices[0] == 0, ncclUnhandledCudaError);
    return create(__func__, comms, count, 0);
}
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *part,
                           ncclConfig_t *config)
{
    (void)key;
    (void)config;
    REQUIRE_ARGUMENT(comm && part && color >= NCCL_SPLIT_NOCOLOR);
    *part = NCCL_COMM_NULL;
    return color == NCCL_SPLIT_NOCOLOR ? ncclSuccess : create(__func__, part, 1, 0);
}
ncclResult_t ncclCommFinalize(ncclComm_t comm)
{
    REQUIRE_ARGUMENT(comm);
    return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    free(comm);
    return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    return ncclCommDestroy(comm);
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result)
{
    REQUIRE_ARGUMENT(comm && result);
    *result = ncclSuccess;
    return ncclSuccess;
}
ncclResult_t ncclCommCount(const ncclComm_t comm, int *count)
{
    REQUIRE_ARGUMENT(comm && count);
    *count = 1;
    return ncclSuccess;
}
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device)
{
    REQUIRE_ARGUMENT(comm && device);
    *device = comm->device;
    return ncclSuccess;
}
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank)
{
    REQUIRE_ARGUMENT(comm && rank);
    *rank = 0;
    return ncclSuccess;
}
ncclResult_t ncclCommRegister(const ncclComm_t comm, void *memory, size_t bytes, void **handle)
{
    (void)bytes;
    REQUIRE_ARGUMENT(comm && handle);
    *handle = memory;
    return ncclSuccess;
}
ncclResult_t ncclCommDeregister(const ncclComm_t comm, void *handle)
{
    (void)handle;
    REQUIRE_ARGUMENT(comm);
    return ncclSuccess;
}
const char *ncclGetErrorString(ncclResult_t result)
{
    switch (result) {
    case ncclSuccess: return "no error";
    case ncclUnhandledCudaError:
        return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError: return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError:
        return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument: return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage: return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError: return "remote process exited or there was a network error";
    case ncclInProgress: return "NCCL operation in progress";
    default: return "unknown result code";
    }
}
const char *ncclGetLastError(ncclComm_t comm)
{
    (void)comm;
    return "";
}

/* ---- collective calls: copies ---- */

static ncclResult_t portable_cuda_collect_(const void *send, void *receive, size_t count,
                                           ncclDataType_t type, ncclRedOp_t op, int root,
                                           ncclComm_t comm, cudaStream_t stream)
{
    REQUIRE_ARGUMENT(comm && bytes_of(type) > 0 && (unsigned)op < ncclNumOps && root == 0);
    REQUIRE_ARGUMENT(count == 0 || (send && receive));
    return count == 0 ? ncclSuccess
                      : result_of(cudaMemcpyAsync(receive, send, count * bytes_of(type),
                                                  cudaMemcpyDeviceToDevice, stream));
}
ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream)
{
    return portable_cuda_collect_(send, receive, count, type, op, root, comm, stream);
}
ncclResult_t ncclBcast(void *memory, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream)
{
    return portable_cuda_collect_(memory, memory, count, type, ncclSum, root, comm, stream);
}
ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream)
{
    return portable_cuda_collect_(send, receive, count, type, ncclSum, root, comm, stream);
}
ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    return portable_cuda_collect_(send, receive, count, type, op, 0, comm, stream);
}
ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t receive_count,
                               ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                               cudaStream_t stream)
{
    return portable_cuda_collect_(send, receive, receive_count, type, op, 0, comm, stream);
}
ncclResult_t ncclAllGather(const void *send, void *receive, size_t send_count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream)
{
    return portable_cuda_collect_(send, receive, send_count, type, ncclSum, 0, comm, stream);
}
ncclResult_t ncclAlltoAll(const void *send, void *receive, size_t count, ncclDataType_t type,
                          ncclComm_t comm, cudaStream_t stream)
{
    return portable_cuda_collect_(send, receive, count, type, ncclSum, 0, comm, stream);
}
ncclResult_t ncclGather(const void *send, void *receive, size_t count, ncclDataType_t type,
                        int root, ncclComm_t comm, cudaStream_t stream)
{
    return portable_cuda_collect_(send, receive, count, type, ncclSum, root, comm, stream);
}
ncclResult_t ncclScatter(const void *send, void *receive, size_t count, ncclDataType_t type,
                         int root, ncclComm_t comm, cudaStream_t stream)
{
    return portable_cuda_collect_(send, receive, count, type, ncclSum, root, comm, stream);
}

/* ---- groups: the first send belongs to the first receive, and so on ---- */

struct message {
    ncclComm_t comm;
    void *memory;
    size_t bytes;
    cudaStream_t stream;
};
static _Thread_local int depth;
/* Of the thread's open group. */
static _Thread_local struct {
    struct message *messages;
    size_t count;
} sends, receives;

static ncclResult_t add(struct message **messages, size_t *number, void *memory, size_t count,
                        ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
    const struct message message = {comm, memory, count * bytes_of(type), stream};
    REQUIRE_ARGUMENT(comm && bytes_of(type) > 0 && peer == 0 && (count == 0 || memory));
    REQUIRE(depth > 0, ncclInvalidUsage); /* to itself, and nothing would be received */
    struct message *const more =
        (struct message *)realloc(*messages, (*number + 1) * sizeof **messages);
    REQUIRE(more, ncclSystemError);
    *messages = more;
    more[(*number)++] = message;
    return ncclSuccess;
}
ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream)
{
    return add(&sends.messages, &sends.count, (void *)(size_t)send, count, type, peer, comm,
               stream);
}
ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream)
{
    return add(&receives.messages, &receives.count, receive, count, type, peer, comm, stream);
}
ncclResult_t ncclGroupStart(void)
{
    depth++;
    return ncclSuccess;
}
static ncclResult_t portable_cuda_deliver_(void)
{
    REQUIRE(sends.count == receives.count, ncclInvalidUsage);
    for (size_t k = 0; k < sends.count; k++) {
        const struct message *const from = &sends.messages[k], *to = NULL;
        /* The next receive of that communicator. */
        for (size_t i = 0; i < receives.count && !to; i++)
            if (receives.messages[i].comm == from->comm)
                to = &receives.messages[i];
        REQUIRE(to && to->bytes == from->bytes, ncclInvalidUsage);
        const cudaError_t error = cudaMemcpyAsync(to->memory, from->memory, from->bytes,
                                                  cudaMemcpyDeviceToDevice, to->stream);
        REQUIRE(error == cudaSuccess, ncclUnhandledCudaError);
        receives.messages[to - receives.messages].comm = NULL;
    }
    return ncclSuccess;
}
ncclResult_t ncclGroupEnd(void)
{
    REQUIRE(depth > 0, ncclInvalidUsage);
    if (--depth > 0)
        return ncclSuccess;
    const ncclResult_t result = portable_cuda_deliver_();
    free(sends.messages);
    free(receives.messages);
    sends.messages = receives.messages = NULL;
    sends.count = receives.count = 0;
    return result;
}
