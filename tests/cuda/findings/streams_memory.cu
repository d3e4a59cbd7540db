// SPDX-License-Identifier: BSD-3-Clause
// Memory that is allocated and freed in the order of streams, and used in none. BUG names one
// mistake; with FIXED=1 it is corrected.
#include <cstdlib>
#include <cstring>

enum { N = 256, BYTES = N * sizeof(int) };
static const bool fixed = getenv("FIXED") != nullptr;
static cudaStream_t a, b;
static cudaEvent_t event;
static int *x, *p;

__global__ void fill(int *to)
{
    to[threadIdx.x] = threadIdx.x;
}
__global__ void copy(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}
__constant__ int factor;
__global__ void use_factor(int *to)
{
    *to = factor;
}
__global__ void parent(int *to)
{
    fill<<<1, N>>>(to);
}

static void allocated_in_another_stream()
{
    cudaMallocAsync(&p, BYTES, a);
    if (fixed) {
        cudaEventRecord(event, a);
        cudaStreamWaitEvent(b, event);
    }
    fill<<<1, N, 0, b>>>(p);
    cudaFreeAsync(p, b);
}
static void freed_in_another_stream()
{
    cudaMallocAsync(&p, BYTES, a);
    cudaStreamSynchronize(a);
    fill<<<1, N, 0, a>>>(p);
    cudaFreeAsync(p, fixed ? a : b);
}
// cudaFree waits, but not for memory of a pool.
static void freed_at_once()
{
    cudaMallocAsync(&p, BYTES, a);
    fill<<<1, N, 0, a>>>(p);
    if (fixed)
        cudaStreamSynchronize(a);
    cudaFree(p);
}
static void memory_of_cudaMalloc()
{
    cudaMalloc(&p, BYTES);
    copy<<<1, N, 0, a>>>(p, x);
    if (fixed)
        cudaFree(p); // waits for both
    fill<<<1, N, 0, b>>>(x);
    if (!fixed)
        cudaFree(p);
}
static void constant_is_written_early()
{
    const int value = 2;
    use_factor<<<1, 1, 0, a>>>(x);
    cudaMemcpyToSymbolAsync(factor, &value, sizeof value, 0, cudaMemcpyHostToDevice, fixed ? a : b);
}
static void child_of_a_kernel()
{
    parent<<<1, 1, 0, a>>>(x);
    if (fixed)
        cudaStreamSynchronize(a);
    fill<<<1, N, 0, b>>>(x);
}

#define RUN(name) (strcmp(getenv("BUG"), #name) == 0 ? name() : (void)0)
int main()
{
    cudaMalloc(&x, BYTES);
    cudaMemset(x, 0, BYTES);
    cudaStreamCreate(&a);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    RUN(allocated_in_another_stream);
    RUN(freed_in_another_stream);
    RUN(freed_at_once);
    RUN(memory_of_cudaMalloc);
    RUN(constant_is_written_early);
    RUN(child_of_a_kernel);
    return cudaDeviceSynchronize();
}
// streamcheck BUG=allocated_in_another_stream exits with 1:
//     streamcheck: missing wait in kernel fill: a write by block (0, 0, 0), thread (0, 0, 0) at streams_memory.cu:15, launched at streams_memory.cu:38 in non-blocking stream 2 (streams_memory.cu:87)
//         may come before the allocation by cudaMallocAsync at streams_memory.cu:33 in stream 1 (streams_memory.cu:86),
//         4 bytes at byte 0 of device array p of 1024 bytes, allocated at streams_memory.cu:33
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=allocated_in_another_stream FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=freed_in_another_stream exits with 1:
//     streamcheck: missing wait in host code: a free by cudaFreeAsync at streams_memory.cu:46 in non-blocking stream 2 (streams_memory.cu:87)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_memory.cu:15, launched at streams_memory.cu:45 in stream 1 (streams_memory.cu:86),
//         4 bytes at byte 0 of device array p of 1024 bytes, allocated at streams_memory.cu:43
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=freed_in_another_stream FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=freed_at_once exits with 1:
//     streamcheck: missing wait in host code: a free by cudaFree at streams_memory.cu:55
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_memory.cu:15, launched at streams_memory.cu:52 in stream 1 (streams_memory.cu:86),
//         4 bytes at byte 0 of device array p of 1024 bytes, allocated at streams_memory.cu:51
//         missing between them: cudaStreamSynchronize of stream 1, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=freed_at_once FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=memory_of_cudaMalloc exits with 1:
//     streamcheck: missing wait in kernel fill: a write by block (0, 0, 0), thread (0, 0, 0) at streams_memory.cu:15, launched at streams_memory.cu:63 in non-blocking stream 2 (streams_memory.cu:87)
//         may come before the read by kernel copy, block (0, 0, 0), thread (0, 0, 0) at streams_memory.cu:19, launched at streams_memory.cu:60 in stream 1 (streams_memory.cu:86),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_memory.cu:84
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=memory_of_cudaMalloc FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// streamcheck BUG=constant_is_written_early exits with 1:
//     streamcheck: missing wait in host code: a write by cudaMemcpyToSymbolAsync at streams_memory.cu:71 in non-blocking stream 2 (streams_memory.cu:87)
//         may come before the read by kernel use_factor, block (0, 0, 0), thread (0, 0, 0) at streams_memory.cu:24, launched at streams_memory.cu:70 in stream 1 (streams_memory.cu:86),
//         4 bytes at byte 0 of constant array factor
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=constant_is_written_early FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=child_of_a_kernel exits with 1:
//     streamcheck: missing wait in kernel fill: a write by block (0, 0, 0), thread (0, 0, 0) at streams_memory.cu:15, launched at streams_memory.cu:78 in non-blocking stream 2 (streams_memory.cu:87)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_memory.cu:15, launched at streams_memory.cu:75 in stream 1 (streams_memory.cu:86),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_memory.cu:84
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=child_of_a_kernel FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
