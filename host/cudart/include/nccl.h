/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NCCL for one process and its one device, for C and C++: the calls of host/cudart/nccl.c, for
 * -lnccl. docs/cuda-api.md lists them.
 */
#ifndef PORTABLE_CUDA_NCCL_H
#define PORTABLE_CUDA_NCCL_H
#define NCCL_H_

#include <limits.h> /* INT_MIN */

#include "cuda_runtime_api.h"
#if defined(__cplusplus)
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#define NCCL_MAJOR 2
#define NCCL_MINOR 28
#define NCCL_PATCH 0
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 22800
#define NCCL_VERSION(X, Y, Z)                                                                      \
    (((X) <= 2 && (Y) <= 8) ? (X)*1000 + (Y)*100 + (Z) : (X)*10000 + (Y)*100 + (Z))

typedef struct ncclComm *ncclComm_t;
#define NCCL_COMM_NULL NULL
#define NCCL_UNIQUE_ID_BYTES 128
typedef struct {
    char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;
typedef enum {
    ncclSuccess = 0,
    ncclUnhandledCudaError = 1,
    ncclSystemError = 2,
    ncclInternalError = 3,
    ncclInvalidArgument = 4,
    ncclInvalidUsage = 5,
    ncclRemoteError = 6,
    ncclInProgress = 7,
    ncclNumResults = 8
} ncclResult_t;
typedef enum {
    ncclSum = 0,
    ncclProd = 1,
    ncclMax = 2,
    ncclMin = 3,
    ncclAvg = 4,
    ncclNumOps = 5
} ncclRedOp_t;
typedef enum {
    ncclInt8 = 0,
    ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6,
    ncclHalf = 6,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8,
    ncclBfloat16 = 9,
    ncclFloat8e4m3 = 10,
    ncclFloat8e5m2 = 11,
    ncclNumTypes = 12
} ncclDataType_t;

#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_CONFIG_UNDEF_PTR NULL
#define NCCL_SPLIT_NOCOLOR -1
typedef struct ncclConfig_v22800 {
    size_t size;
    unsigned int magic, version;
    int blocking, cgaClusterSize, minCTAs, maxCTAs;
    const char *netName;
    int splitShare, trafficClass;
    const char *commName;
    int collnetEnable, CTAPolicy, shrinkShare, nvlsCTAs, nChannelsPerNetPeer, nvlinkCentricSched;
} ncclConfig_t;
#define NCCL_CONFIG_INITIALIZER                                                                    \
    {                                                                                              \
        sizeof(ncclConfig_t), 0xcafebeef, NCCL_VERSION_CODE, NCCL_CONFIG_UNDEF_INT,                \
            NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                   \
            NCCL_CONFIG_UNDEF_PTR, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                   \
            NCCL_CONFIG_UNDEF_PTR, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                   \
            NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                   \
            NCCL_CONFIG_UNDEF_INT                                                                  \
    }

/* A call. Its symbol begins with portable_, so that the checks report the line that calls it. */
#define PORTABLE_CUDA_NCCL_(name, ...) ncclResult_t name(__VA_ARGS__) __asm__("portable_" #name)

#if defined(__cplusplus)
extern "C" {
#endif

PORTABLE_CUDA_NCCL_(ncclMemAlloc, void **memory, size_t bytes);
PORTABLE_CUDA_NCCL_(ncclMemFree, void *memory);
PORTABLE_CUDA_NCCL_(ncclGetVersion, int *version);
PORTABLE_CUDA_NCCL_(ncclGetUniqueId, ncclUniqueId *id);
PORTABLE_CUDA_NCCL_(ncclCommInitRank, ncclComm_t *comm, int ranks, ncclUniqueId id, int rank);
PORTABLE_CUDA_NCCL_(ncclCommInitRankConfig, ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
                    ncclConfig_t *config);
PORTABLE_CUDA_NCCL_(ncclCommInitAll, ncclComm_t *comms, int count, const int *devices);
PORTABLE_CUDA_NCCL_(ncclCommSplit, ncclComm_t comm, int color, int key, ncclComm_t *part,
                    ncclConfig_t *config);
PORTABLE_CUDA_NCCL_(ncclCommFinalize, ncclComm_t comm);
PORTABLE_CUDA_NCCL_(ncclCommDestroy, ncclComm_t comm);
PORTABLE_CUDA_NCCL_(ncclCommAbort, ncclComm_t comm);
PORTABLE_CUDA_NCCL_(ncclCommGetAsyncError, ncclComm_t comm, ncclResult_t *result);
PORTABLE_CUDA_NCCL_(ncclCommCount, const ncclComm_t comm, int *count);
PORTABLE_CUDA_NCCL_(ncclCommCuDevice, const ncclComm_t comm, int *device);
PORTABLE_CUDA_NCCL_(ncclCommUserRank, const ncclComm_t comm, int *rank);
PORTABLE_CUDA_NCCL_(ncclCommRegister, const ncclComm_t comm, void *memory, size_t bytes,
                    void **handle);
PORTABLE_CUDA_NCCL_(ncclCommDeregister, const ncclComm_t comm, void *handle);
const char *ncclGetErrorString(ncclResult_t result);
const char *ncclGetLastError(ncclComm_t comm);

PORTABLE_CUDA_NCCL_(ncclReduce, const void *send, void *receive, size_t count, ncclDataType_t type,
                    ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclBcast, void *memory, size_t count, ncclDataType_t type, int root,
                    ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclBroadcast, const void *send, void *receive, size_t count,
                    ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclAllReduce, const void *send, void *receive, size_t count,
                    ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclReduceScatter, const void *send, void *receive, size_t receive_count,
                    ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclAllGather, const void *send, void *receive, size_t send_count,
                    ncclDataType_t type, ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclAlltoAll, const void *send, void *receive, size_t count,
                    ncclDataType_t type, ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclGather, const void *send, void *receive, size_t count, ncclDataType_t type,
                    int root, ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclScatter, const void *send, void *receive, size_t count, ncclDataType_t type,
                    int root, ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclSend, const void *send, size_t count, ncclDataType_t type, int peer,
                    ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclRecv, void *receive, size_t count, ncclDataType_t type, int peer,
                    ncclComm_t comm, cudaStream_t stream);
PORTABLE_CUDA_NCCL_(ncclGroupStart, void);
PORTABLE_CUDA_NCCL_(ncclGroupEnd, void);

#if defined(__cplusplus)
}
#endif
#undef PORTABLE_CUDA_NCCL_

#endif
