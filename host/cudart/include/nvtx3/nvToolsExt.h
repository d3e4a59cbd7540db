/* SPDX-License-Identifier: BSD-3-Clause */
/* NVTX, the annotations of NVIDIA's profilers: accepted, without effect. For C and C++. */
#ifndef PORTABLE_CUDA_NVTOOLSEXT_H
#define PORTABLE_CUDA_NVTOOLSEXT_H

#include <stddef.h> /* size_t, wchar_t */
#include <stdint.h> /* uint16_t and others */

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_t {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define PORTABLE_CUDA_NVTX_(type, name, parameters, value)                                         \
    static __inline__ type name parameters                                                         \
    {                                                                                              \
        return value;                                                                              \
    }
#if defined(__cplusplus)
#define PORTABLE_CUDA_UNUSED_(type, name) type
#else
#define PORTABLE_CUDA_UNUSED_(type, name) type name __attribute__((unused))
#endif
#define PORTABLE_CUDA_A_ PORTABLE_CUDA_UNUSED_(const nvtxEventAttributes_t *, attributes)
#define PORTABLE_CUDA_D_ PORTABLE_CUDA_UNUSED_(nvtxDomainHandle_t, domain)
#define PORTABLE_CUDA_T_ PORTABLE_CUDA_UNUSED_(const char *, text)
#define PORTABLE_CUDA_W_ PORTABLE_CUDA_UNUSED_(const wchar_t *, text)
#define PORTABLE_CUDA_R_ PORTABLE_CUDA_UNUSED_(nvtxRangeId_t, range)
#define PORTABLE_CUDA_N_ PORTABLE_CUDA_UNUSED_(uint32_t, number)
PORTABLE_CUDA_NVTX_(void, nvtxMarkEx, (PORTABLE_CUDA_A_), )
PORTABLE_CUDA_NVTX_(void, nvtxMarkA, (PORTABLE_CUDA_T_), )
PORTABLE_CUDA_NVTX_(void, nvtxMarkW, (PORTABLE_CUDA_W_), )
PORTABLE_CUDA_NVTX_(nvtxRangeId_t, nvtxRangeStartEx, (PORTABLE_CUDA_A_), 0)
PORTABLE_CUDA_NVTX_(nvtxRangeId_t, nvtxRangeStartA, (PORTABLE_CUDA_T_), 0)
PORTABLE_CUDA_NVTX_(nvtxRangeId_t, nvtxRangeStartW, (PORTABLE_CUDA_W_), 0)
PORTABLE_CUDA_NVTX_(void, nvtxRangeEnd, (PORTABLE_CUDA_R_), )
PORTABLE_CUDA_NVTX_(int, nvtxRangePushEx, (PORTABLE_CUDA_A_), 0)
PORTABLE_CUDA_NVTX_(int, nvtxRangePushA, (PORTABLE_CUDA_T_), 0)
PORTABLE_CUDA_NVTX_(int, nvtxRangePushW, (PORTABLE_CUDA_W_), 0)
PORTABLE_CUDA_NVTX_(int, nvtxRangePop, (void), 0)
PORTABLE_CUDA_NVTX_(void, nvtxNameCategoryA, (PORTABLE_CUDA_N_, PORTABLE_CUDA_T_), )
PORTABLE_CUDA_NVTX_(void, nvtxNameOsThreadA, (PORTABLE_CUDA_N_, PORTABLE_CUDA_T_), )
PORTABLE_CUDA_NVTX_(nvtxDomainHandle_t, nvtxDomainCreateA, (PORTABLE_CUDA_T_), NULL)
PORTABLE_CUDA_NVTX_(void, nvtxDomainDestroy, (PORTABLE_CUDA_D_), )
PORTABLE_CUDA_NVTX_(void, nvtxDomainMarkEx, (PORTABLE_CUDA_D_, PORTABLE_CUDA_A_), )
PORTABLE_CUDA_NVTX_(int, nvtxDomainRangePushEx, (PORTABLE_CUDA_D_, PORTABLE_CUDA_A_), 0)
PORTABLE_CUDA_NVTX_(int, nvtxDomainRangePop, (PORTABLE_CUDA_D_), 0)
PORTABLE_CUDA_NVTX_(nvtxRangeId_t, nvtxDomainRangeStartEx, (PORTABLE_CUDA_D_, PORTABLE_CUDA_A_), 0)
PORTABLE_CUDA_NVTX_(void, nvtxDomainRangeEnd, (PORTABLE_CUDA_D_, PORTABLE_CUDA_R_), )
PORTABLE_CUDA_NVTX_(nvtxStringHandle_t, nvtxDomainRegisterStringA,
                    (PORTABLE_CUDA_D_, PORTABLE_CUDA_T_), NULL)
#undef PORTABLE_CUDA_NVTX_
#undef PORTABLE_CUDA_UNUSED_
#undef PORTABLE_CUDA_A_
#undef PORTABLE_CUDA_D_
#undef PORTABLE_CUDA_T_
#undef PORTABLE_CUDA_W_
#undef PORTABLE_CUDA_R_
#undef PORTABLE_CUDA_N_

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif
