// SPDX-License-Identifier: BSD-3-Clause
// Host code reads what each kind of asynchronous copy brings to pageable memory, and must wait: CUDA
// says that such a copy "might be synchronous". With FIXED=1 the copy is the synchronous one, which
// returns when it is complete, or is waited for. BUG names the copy.
// link: -lcuda
#include <cstdlib>
#include <cstring>

#include <cuda.h>

enum { N = 8, ROW = N * sizeof(int), BYTES = N * ROW };
static const bool fixed = getenv("FIXED") != nullptr;
static int pageable[N * N];
static volatile int sum;
static void *x;
static cudaArray_t array;
__device__ int variable[N * N];

static void rows()
{
    if (fixed)
        cudaMemcpy2D(pageable, ROW, x, ROW, ROW, 2, cudaMemcpyDeviceToHost);
    else
        cudaMemcpy2DAsync(pageable, ROW, x, ROW, ROW, 2, cudaMemcpyDeviceToHost, 0);
    sum = pageable[N];
}
static void slices()
{
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(pageable, ROW, N, N);
    copy.extent = make_cudaExtent(N, 2, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    if (fixed)
        cudaMemcpy3D(&copy);
    else
        cudaMemcpy3DAsync(&copy, 0);
    sum = pageable[N];
}
static void rows_of_an_array()
{
    if (fixed)
        cudaMemcpy2DFromArray(pageable, ROW, array, 0, 0, ROW, 2, cudaMemcpyDeviceToHost);
    else
        cudaMemcpy2DFromArrayAsync(pageable, ROW, array, 0, 0, ROW, 2, cudaMemcpyDeviceToHost, 0);
    sum = pageable[N];
}
static void symbol()
{
    cudaMemcpyFromSymbolAsync(pageable, variable, BYTES, 0, cudaMemcpyDeviceToHost, 0);
    if (fixed)
        cudaStreamSynchronize(0);
    sum = pageable[N];
}
static void bytes_by_driver()
{
    if (fixed)
        cuMemcpyDtoH(pageable, (CUdeviceptr)x, BYTES);
    else
        cuMemcpyDtoHAsync(pageable, (CUdeviceptr)x, BYTES, nullptr);
    sum = pageable[N];
}
static void any_by_driver()
{
    if (fixed)
        cuMemcpy((CUdeviceptr)pageable, (CUdeviceptr)x, BYTES);
    else
        cuMemcpyAsync((CUdeviceptr)pageable, (CUdeviceptr)x, BYTES, nullptr);
    sum = pageable[N];
}
static void rows_by_driver()
{
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = (CUdeviceptr)x;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = pageable;
    copy.srcPitch = copy.dstPitch = copy.WidthInBytes = ROW;
    copy.Height = 2;
    if (fixed)
        cuMemcpy2D(&copy);
    else
        cuMemcpy2DAsync(&copy, nullptr);
    sum = pageable[N];
}

#define RUN(name) (strcmp(getenv("BUG"), #name) == 0 ? name() : (void)0)
int main()
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaMalloc(&x, BYTES);
    cudaMemset(x, 0, BYTES);
    cudaMallocArray(&array, &format, N, N);
    cudaMemcpy2DToArray(array, 0, 0, pageable, ROW, ROW, N, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    RUN(rows);
    RUN(slices);
    RUN(rows_of_an_array);
    RUN(symbol);
    RUN(bytes_by_driver);
    RUN(any_by_driver);
    RUN(rows_by_driver);
    return cudaDeviceSynchronize();
}
// streamcheck BUG=rows exits with 1:
//     streamcheck: missing wait in host code: a read at streams_copies.cu:25
//         may come before the write by cudaMemcpy2DAsync at streams_copies.cu:24 in the default stream,
//         4 bytes at byte 32 of variable pageable
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=rows FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=slices exits with 1:
//     streamcheck: missing wait in host code: a read at streams_copies.cu:38
//         may come before the write by cudaMemcpy3DAsync at streams_copies.cu:37 in the default stream,
//         4 bytes at byte 32 of variable pageable
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=slices FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=rows_of_an_array exits with 1:
//     streamcheck: missing wait in host code: a read at streams_copies.cu:46
//         may come before the write by cudaMemcpy2DFromArrayAsync at streams_copies.cu:45 in the default stream,
//         4 bytes at byte 32 of variable pageable
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=rows_of_an_array FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=symbol exits with 1:
//     streamcheck: missing wait in host code: a read at streams_copies.cu:53
//         may come before the write by cudaMemcpyFromSymbolAsync at streams_copies.cu:50 in the default stream,
//         4 bytes at byte 32 of variable pageable
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=symbol FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=bytes_by_driver exits with 1:
//     streamcheck: missing wait in host code: a read at streams_copies.cu:61
//         may come before the write by cudaMemcpyAsync at streams_copies.cu:60 in the default stream,
//         4 bytes at byte 32 of variable pageable
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=bytes_by_driver FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=any_by_driver exits with 1:
//     streamcheck: missing wait in host code: a read at streams_copies.cu:69
//         may come before the write by cudaMemcpyAsync at streams_copies.cu:68 in the default stream,
//         4 bytes at byte 32 of variable pageable
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=any_by_driver FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
// streamcheck BUG=rows_by_driver exits with 1:
//     streamcheck: missing wait in host code: a read at streams_copies.cu:84
//         may come before the write by cudaMemcpy3DAsync at streams_copies.cu:83 in the default stream,
//         4 bytes at byte 32 of variable pageable
//         missing between them: cudaStreamSynchronize of the default stream, or of an event recorded there
//     streamcheck: 1 missing wait in host code
// streamcheck BUG=rows_by_driver FIXED=1 exits with 0:
//     streamcheck: no missing waits, and no kernel was launched
