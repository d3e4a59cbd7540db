// SPDX-License-Identifier: BSD-3-Clause
// Calls that wait for more than they seem to, or for less: the situations of CuSan's tests that need
// no MPI. BUG names one mistake; with FIXED=1 it is corrected.
#include <cstdlib>
#include <cstring>

enum { N = 256, BYTES = N * sizeof(int), STREAMS = 4, CHUNK = N / STREAMS };
static const bool fixed = getenv("FIXED") != nullptr;
static cudaStream_t blocking, apart; // the second one does not wait for the default stream
static int *x, *y, *pinned, *managed;
int sum;

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}
struct pair {
    int *from, *to;
};
__global__ void copy(pair arrays)
{
    arrays.to[threadIdx.x] = arrays.from[threadIdx.x];
}
__global__ void copy_behind(const pair *arrays)
{
    arrays->to[-1 - (int)threadIdx.x] = arrays->from[threadIdx.x];
}
template <class F> __global__ void apply(F f)
{
    f(threadIdx.x);
}

// Work of the default stream comes before later work of a blocking one.
static void wait_for_later_work()
{
    const cudaStream_t stream = fixed ? blocking : apart;
    fill<<<1, N>>>(managed, 1);
    fill<<<1, N, 0, stream>>>(x, 1);
    cudaStreamSynchronize(stream);
    sum = managed[0];
}
static void wait_for_the_default_stream()
{
    fill<<<1, N, 0, fixed ? blocking : apart>>>(managed, 1);
    cudaStreamSynchronize(0);
    sum = managed[0];
}
// Copies on the host wait for their stream.
static void copy_on_the_host()
{
    static int from[N], to[N];
    fill<<<1, N>>>(managed, 1);
    cudaMemcpyAsync(to, from, sizeof to, cudaMemcpyHostToHost, fixed ? blocking : apart);
    sum = managed[0];
}
static void memset_waits_for_pinned_memory()
{
    fill<<<1, N>>>(managed, 1);
    cudaMemset(fixed ? pinned : x, 0, BYTES);
    sum = managed[0];
}
static void rows()
{
    if (fixed)
        cudaMemcpy2D(pinned, 64, x, 64, 32, 16, cudaMemcpyDefault);
    else
        cudaMemcpy2DAsync(pinned, 64, x, 64, 32, 16, cudaMemcpyDefault);
    sum = pinned[16];
}
static void pitched_memory()
{
    char *image;
    size_t pitch;
    cudaMallocPitch(&image, &pitch, 100, 8);
    cudaMemset2DAsync(image, pitch, 0, 100, 8, blocking);
    cudaMemset2DAsync(image + (fixed ? 100 : 99), pitch, 1, 4, 8, apart);
    cudaFree(image);
}
static void chunks()
{
    cudaStream_t streams[STREAMS];
    for (int k = 0; k < STREAMS; k++) {
        int *const to = x + k * CHUNK, *const from = pinned + k * CHUNK;
        cudaStreamCreate(&streams[k]);
        cudaMemcpyAsync(to, from, CHUNK * sizeof *to, cudaMemcpyHostToDevice, streams[k]);
        fill<<<1, CHUNK + (!fixed && k + 1 < STREAMS), 0, streams[k]>>>(to, k);
        cudaMemcpyAsync(from, to, CHUNK * sizeof *to, cudaMemcpyDeviceToHost, streams[k]);
    }
    for (const cudaStream_t stream : streams)
        cudaStreamSynchronize(stream);
    for (int i = 0; i < N; i++)
        sum += pinned[i];
}
// A kernel's arguments do not show what it uses.
static void pointers_in_a_structure()
{
    fill<<<1, N, 0, blocking>>>(x, 1);
    if (fixed)
        cudaDeviceSynchronize();
    copy<<<1, N, 0, apart>>>(pair{x, y});
}
static void pointers_behind_a_pointer()
{
    *(pair *)managed = pair{y, x + N};
    fill<<<1, N / 2, 0, blocking>>>(x, 1);
    copy_behind<<<1, fixed ? N / 2 : N / 2 + 1, 0, apart>>>((const pair *)managed);
}
static void captured_pointers()
{
    int *const p = x;
    apply<<<1, N, 0, blocking>>>([p] __device__(int i) { p[i] = i; });
    apply<<<1, N, 0, fixed ? blocking : apart>>>([p] __device__(int i) { p[i]++; });
}

#define RUN(name) (strcmp(getenv("BUG"), #name) == 0 ? name() : (void)0)
int main()
{
    cudaMalloc(&x, BYTES);
    cudaMalloc(&y, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMallocManaged(&managed, BYTES);
    memset(pinned, 0, BYTES);
    cudaMemset(x, 0, BYTES);
    cudaStreamCreate(&blocking);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    RUN(wait_for_later_work);
    RUN(wait_for_the_default_stream);
    RUN(copy_on_the_host);
    RUN(memset_waits_for_pinned_memory);
    RUN(rows);
    RUN(pitched_memory);
    RUN(chunks);
    RUN(pointers_in_a_structure);
    RUN(pointers_behind_a_pointer);
    RUN(captured_pointers);
    return cudaDeviceSynchronize();
}
// streamcheck BUG=wait_for_later_work exits with 1:
//     streamcheck: missing wait in host code: a read at streams_waits.cu:40
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_waits.cu:15, launched at streams_waits.cu:37 in the default stream,
//         4 bytes at byte 0 of managed memory of 1024 bytes, allocated at streams_waits.cu:121
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=wait_for_later_work FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=wait_for_the_default_stream exits with 1:
//     streamcheck: missing wait in host code: a read at streams_waits.cu:46
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_waits.cu:15, launched at streams_waits.cu:44 in non-blocking stream 2 (streams_waits.cu:125),
//         4 bytes at byte 0 of managed memory of 1024 bytes, allocated at streams_waits.cu:121
//         missing between them: cudaStreamSynchronize of stream 2, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=wait_for_the_default_stream FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=copy_on_the_host exits with 1:
//     streamcheck: missing wait in host code: a read at streams_waits.cu:54
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_waits.cu:15, launched at streams_waits.cu:52 in the default stream,
//         4 bytes at byte 0 of managed memory of 1024 bytes, allocated at streams_waits.cu:121
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=copy_on_the_host FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=memset_waits_for_pinned_memory exits with 1:
//     streamcheck: missing wait in host code: a read at streams_waits.cu:60
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_waits.cu:15, launched at streams_waits.cu:58 in the default stream,
//         4 bytes at byte 0 of managed memory of 1024 bytes, allocated at streams_waits.cu:121
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=memset_waits_for_pinned_memory FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=rows exits with 1:
//     streamcheck: missing wait in host code: a read at streams_waits.cu:68
//         may come before the write by cudaMemcpy2DAsync at streams_waits.cu:67 in the default stream,
//         4 bytes at byte 64 of pinned memory of 1024 bytes, allocated at streams_waits.cu:120
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=rows FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=pitched_memory exits with 1:
//     streamcheck: missing wait in host code: a write by cudaMemset2DAsync at streams_waits.cu:76 in non-blocking stream 2 (streams_waits.cu:125)
//         may come before the write by cudaMemset2DAsync at streams_waits.cu:75 in stream 1 (streams_waits.cu:124),
//         1 byte at byte 99 of device memory of 4096 bytes, allocated at streams_waits.cu:74
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=pitched_memory FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=chunks exits with 1:
//     streamcheck: missing wait in host code: a write by cudaMemcpyAsync at streams_waits.cu:85 in stream 4 (streams_waits.cu:84)
//         may come before the write by kernel fill, block (0, 0, 0), thread (64, 0, 0) at streams_waits.cu:15, launched at streams_waits.cu:86 in stream 3 (streams_waits.cu:84),
//         4 bytes at byte 256 of device array x of 1024 bytes, allocated at streams_waits.cu:118
//         missing between them: an event, recorded in stream 3 (cudaEventRecord), for which stream 4 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=chunks FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
// streamcheck BUG=pointers_in_a_structure exits with 1:
//     streamcheck: missing wait in kernel copy: a read by block (0, 0, 0), thread (0, 0, 0) at streams_waits.cu:22, launched at streams_waits.cu:100 in non-blocking stream 2 (streams_waits.cu:125)
//         may come before the write by kernel fill, block (0, 0, 0), thread (0, 0, 0) at streams_waits.cu:15, launched at streams_waits.cu:97 in stream 1 (streams_waits.cu:124),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_waits.cu:118
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=pointers_in_a_structure FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// streamcheck BUG=pointers_behind_a_pointer exits with 1:
//     streamcheck: missing wait in kernel copy_behind: a write by block (0, 0, 0), thread (128, 0, 0) at streams_waits.cu:26, launched at streams_waits.cu:106 in non-blocking stream 2 (streams_waits.cu:125)
//         may come before the write by kernel fill, block (0, 0, 0), thread (127, 0, 0) at streams_waits.cu:15, launched at streams_waits.cu:105 in stream 1 (streams_waits.cu:124),
//         4 bytes at byte 508 of device array x of 1024 bytes, allocated at streams_waits.cu:118
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=pointers_behind_a_pointer FIXED=1 exits with 0:
//     streamcheck: no missing waits in 2 kernels
// streamcheck BUG=captured_pointers exits with 1:
//     streamcheck: missing wait in kernel apply: a read by block (0, 0, 0), thread (0, 0, 0) at streams_waits.cu:112, launched at streams_waits.cu:112 in non-blocking stream 2 (streams_waits.cu:125)
//         may come before the write by kernel apply, block (0, 0, 0), thread (0, 0, 0) at streams_waits.cu:111, launched at streams_waits.cu:111 in stream 1 (streams_waits.cu:124),
//         4 bytes at byte 0 of device array x of 1024 bytes, allocated at streams_waits.cu:118
//         missing between them: an event, recorded in stream 1 (cudaEventRecord), for which stream 2 waits (cudaStreamWaitEvent)
//     streamcheck: 1 missing wait in 1 kernel
// streamcheck BUG=captured_pointers FIXED=1 exits with 0:
//     streamcheck: no missing waits in 1 kernel
