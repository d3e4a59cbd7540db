// SPDX-License-Identifier: BSD-3-Clause
// Work of two streams on the same bytes, with nothing that orders it. BUG names one mistake; with
// FIXED=1 it is corrected.
#include <cstdlib>
#include <cstring>

enum { N = 256, BYTES = N * sizeof(int) };
static const bool fixed = getenv("FIXED") != nullptr;
static cudaStream_t a, b, apart; // the last one does not wait for the default stream
static cudaEvent_t event;
static int *x, *y, *pinned;

__global__ void fill(int *p, int from, int to)
{
    for (int i = from + threadIdx.x; i < to; i += blockDim.x)
        p[i] = i;
}
__global__ void copy(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}
__global__ void count(int *p)
{
    atomicAdd(p, 1);
}

static void write_then_read()
{
    fill<<<1, N, 0, a>>>(x, 0, N);
    cudaEventRecord(event, a);
    if (fixed)
        cudaStreamWaitEvent(b, event);
    copy<<<1, N, 0, b>>>(y, x);
}
static void read_then_write()
{
    copy<<<1, N, 0, a>>>(y, x);
    cudaEventRecord(event, a);
    if (fixed)
        cudaStreamWaitEvent(b, event);
    cudaMemcpyAsync(x, pinned, BYTES, cudaMemcpyHostToDevice, b);
}
static void event_is_too_early()
{
    if (!fixed)
        cudaEventRecord(event, a);
    fill<<<1, N, 0, a>>>(x, 0, N);
    if (fixed)
        cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event);
    copy<<<1, N, 0, b>>>(y, x);
}
// The wait is for the event as it was last recorded.
static void event_is_recorded_again()
{
    fill<<<1, N, 0, a>>>(x, 0, N);
    cudaEventRecord(event, a);
    if (!fixed)
        cudaEventRecord(event, apart);
    cudaStreamWaitEvent(b, event);
    copy<<<1, N, 0, b>>>(y, x);
}
static void halves_overlap()
{
    fill<<<1, N, 0, a>>>(x, 0, N / 2);
    fill<<<1, N, 0, b>>>(x, fixed ? N / 2 : N / 2 - 1, N);
}
static void bytes_overlap()
{
    cudaMemsetAsync(x, 1, 5, a);
    cudaMemsetAsync((char *)x + (fixed ? 5 : 4), 2, 6, b);
}
static void memset_is_in_the_default_stream()
{
    cudaMemset(x, 0, BYTES);
    copy<<<1, N, 0, fixed ? b : apart>>>(y, x);
}
static void copy_on_the_device()
{
    cudaMemcpy(y, x, BYTES, cudaMemcpyDeviceToDevice); // the host does not wait for it
    if (fixed)
        cudaStreamSynchronize(0);
    copy<<<1, N, 0, apart>>>(x, y);
}
static void copy_of_pageable_memory()
{
    static int pageable[N];
    cudaMemcpy(x, fixed ? pinned : pageable, BYTES, cudaMemcpyHostToDevice);
    copy<<<1, N, 0, apart>>>(y, x);
}
static void destroyed_stream()
{
    cudaStream_t short_lived;
    cudaStreamCreate(&short_lived);
    fill<<<1, N, 0, short_lived>>>(x, 0, N);
    if (fixed)
        cudaStreamSynchronize(short_lived);
    cudaStreamDestroy(short_lived);
    copy<<<1, N, 0, a>>>(y, x);
}
// Two kernels may add to a counter, but one of them must not zero it.
static void atomics()
{
    count<<<1, 32, 0, a>>>(x);
    count<<<1, 32, 0, b>>>(x);
    if (fixed)
        cudaDeviceSynchronize();
    fill<<<1, 1, 0, b>>>(x, 0, 1);
}
// The second reader is ordered, the first one is not.
static void two_readers()
{
    copy<<<1, N, 0, a>>>(y, x);
    if (fixed)
        cudaStreamSynchronize(a);
    copy<<<1, N, 0, b>>>(pinned, x);
    fill<<<1, N, 0, b>>>(x, 0, N);
}

#define RUN(name) (strcmp(getenv("BUG"), #name) == 0 ? name() : (void)0)
int main()
{
    cudaMalloc(&x, BYTES);
    cudaMalloc(&y, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMemset(x, 0, BYTES);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    RUN(write_then_read);
    RUN(read_then_write);
    RUN(event_is_too_early);
    RUN(event_is_recorded_again);
    RUN(halves_overlap);
    RUN(bytes_overlap);
    RUN(memset_is_in_the_default_stream);
    RUN(copy_on_the_device);
    RUN(copy_of_pageable_memory);
    RUN(destroyed_stream);
    RUN(atomics);
    RUN(two_readers);
    return cudaDeviceSynchronize();
}
// streamcheck BUG=write_then_read exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:20, launched at streams_order.cu:33 in stream 2 (streams_order.cu:128)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:16, launched at streams_order.cu:29 in stream 1 (streams_order.cu:127),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=write_then_read FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// streamcheck BUG=read_then_write exits with 1:
//     streamcheck: missing wait in host code: a write by cudaMemcpyAsync at streams_order.cu:41 in stream 2 (streams_order.cu:128)
//         may come before the read by kernel copy, block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:20, launched at streams_order.cu:37 in stream 1 (streams_order.cu:127),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=read_then_write FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=event_is_too_early exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:20, launched at streams_order.cu:51 in stream 2 (streams_order.cu:128)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:16, launched at streams_order.cu:47 in stream 1 (streams_order.cu:127),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=event_is_too_early FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// streamcheck BUG=event_is_recorded_again exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:20, launched at streams_order.cu:61 in stream 2 (streams_order.cu:128)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:16, launched at streams_order.cu:56 in stream 1 (streams_order.cu:127),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=event_is_recorded_again FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// streamcheck BUG=halves_overlap exits with 1:
//     streamcheck: missing wait in kernel fill: a write by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:16, launched at streams_order.cu:66 in stream 2 (streams_order.cu:128)
//         may come before the write by kernel fill, block (0, 0, 0), thread (127, 0, 0) at streams_order.cu:16, launched at streams_order.cu:65 in stream 1 (streams_order.cu:127),
//         4 bytes at byte 508 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=halves_overlap FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=bytes_overlap exits with 1:
//     streamcheck: missing wait in host code: a write by cudaMemsetAsync at streams_order.cu:71 in stream 2 (streams_order.cu:128)
//         may come before the write by cudaMemsetAsync at streams_order.cu:70 in stream 1 (streams_order.cu:127),
//         1 byte at byte 4 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=bytes_overlap FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=memset_is_in_the_default_stream exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:20, launched at streams_order.cu:76 in non-blocking stream 3 (streams_order.cu:129)
//         may come before the write by cudaMemset at streams_order.cu:75 in the default stream,
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in the default stream (cudaEventRecord), for which stream 3 waits (cudaStreamWaitEvent)
//         a non-blocking stream and the default stream do not wait for each other
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=memset_is_in_the_default_stream FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=copy_on_the_device exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:20, launched at streams_order.cu:83 in non-blocking stream 3 (streams_order.cu:129)
//         may come before the write by cudaMemcpy at streams_order.cu:80 in the default stream,
//         4 bytes at byte 0 of device array y of 1024 bytes, allocated at streams_order.cu:124
//         missing between them: an event, recorded in the default stream (cudaEventRecord), for which stream 3 waits (cudaStreamWaitEvent)
//         a copy from pageable memory, or on the device, may go on after the call, and a non-blocking
//         stream does not wait for the default stream
//     streamcheck: missing wait in kernel copy: a write by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:20, launched at streams_order.cu:83 in non-blocking stream 3 (streams_order.cu:129)
//         may come before the read by cudaMemcpy at streams_order.cu:80 in the default stream,
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in the default stream (cudaEventRecord), for which stream 3 waits (cudaStreamWaitEvent)
//         a copy from pageable memory, or on the device, may go on after the call, and a non-blocking
//         stream does not wait for the default stream
//     streamcheck: 2 missing waits in 1 kernel
// streamcheck BUG=copy_on_the_device FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=copy_of_pageable_memory exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:20, launched at streams_order.cu:89 in non-blocking stream 3 (streams_order.cu:129)
//         may come before the write by cudaMemcpy at streams_order.cu:88 in the default stream,
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in the default stream (cudaEventRecord), for which stream 3 waits (cudaStreamWaitEvent)
//         a copy from pageable memory, or on the device, may go on after the call, and a non-blocking
//         stream does not wait for the default stream
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=copy_of_pageable_memory FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=destroyed_stream exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:20, launched at streams_order.cu:99 in stream 1 (streams_order.cu:127)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:16, launched at streams_order.cu:95 in stream 4 (streams_order.cu:94),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in stream 4 (cudaEventRecord), for which stream 1 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=destroyed_stream FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// streamcheck BUG=atomics exits with 1:
//     streamcheck: missing wait in kernel fill: a write by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:16, launched at streams_order.cu:108 in stream 2 (streams_order.cu:128)
//         may come before the atomic by kernel count, launched at streams_order.cu:104 in stream 1 (streams_order.cu:127),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=atomics FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// streamcheck BUG=two_readers exits with 1:
//     streamcheck: missing wait in kernel fill: a write by block (0, 0, 0), thread (0, 0, 0) at streams_order.cu:16, launched at streams_order.cu:117 in stream 2 (streams_order.cu:128)
//         may come before the read by kernel copy, launched at streams_order.cu:113 in stream 1 (streams_order.cu:127),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_order.cu:123
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=two_readers FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
