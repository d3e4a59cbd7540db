/* SPDX-License-Identifier: BSD-3-Clause */
/* cudaCreateChannelDesc<T>: the channel descriptor of a type. */
#ifndef PORTABLE_CUDA_CHANNEL_DESCRIPTOR_H
#define PORTABLE_CUDA_CHANNEL_DESCRIPTOR_H

#include "cuda_runtime_api.h"

#if defined(__cplusplus)
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1()
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2()
{
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4()
{
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define PORTABLE_CUDA_CHANNELS_(type, x, y, z, w, kind)                                            \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>()                         \
    {                                                                                              \
        return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind);                     \
    }
#define PORTABLE_CUDA_CHANNELS_OF_(scalar, vector, bits, kind)                                     \
    PORTABLE_CUDA_CHANNELS_(scalar, bits, 0, 0, 0, kind)                                           \
    PORTABLE_CUDA_CHANNELS_(vector##1, bits, 0, 0, 0, kind)                                        \
    PORTABLE_CUDA_CHANNELS_(vector##2, bits, bits, 0, 0, kind)                                     \
    PORTABLE_CUDA_CHANNELS_(vector##3, bits, bits, bits, 0, kind)                                  \
    PORTABLE_CUDA_CHANNELS_(vector##4, bits, bits, bits, bits, kind)
PORTABLE_CUDA_CHANNELS_(char, 8, 0, 0, 0, Signed)
PORTABLE_CUDA_CHANNELS_OF_(signed char, char, 8, Signed)
PORTABLE_CUDA_CHANNELS_OF_(unsigned char, uchar, 8, Unsigned)
PORTABLE_CUDA_CHANNELS_OF_(short, short, 16, Signed)
PORTABLE_CUDA_CHANNELS_OF_(unsigned short, ushort, 16, Unsigned)
PORTABLE_CUDA_CHANNELS_OF_(int, int, 32, Signed)
PORTABLE_CUDA_CHANNELS_OF_(unsigned int, uint, 32, Unsigned)
PORTABLE_CUDA_CHANNELS_OF_(float, float, 32, Float)
#undef PORTABLE_CUDA_CHANNELS_
#undef PORTABLE_CUDA_CHANNELS_OF_
#endif

#endif
