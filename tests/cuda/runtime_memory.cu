/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of memory, copies of one, two and three dimensions, memset, variables of the device. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) {                                                               \
            printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error_));              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__device__ int total, table[8];
__constant__ float weights[4];
__managed__ int shared_by_both = 5;
template <class T> struct pair {
    T a, b;
};
__device__ pair<double> two;

__global__ void twice(int *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
__global__ void weigh(float *out)
{
    out[threadIdx.x] = weights[threadIdx.x] * 10;
    table[threadIdx.x] = (int)threadIdx.x * 3;
    if (threadIdx.x == 0) {
        total = 42;
        two.a = 1.5;
        shared_by_both += 2;
    }
}
/* Adds 1 to each byte of the rows of a pitched box. */
__global__ void bump(cudaPitchedPtr box, cudaExtent extent)
{
    for (size_t z = 0; z < extent.depth; z++)
        for (size_t y = 0; y < extent.height; y++) {
            char *row = (char *)box.ptr + (z * box.ysize + y) * box.pitch;
            row[threadIdx.x] += 1;
        }
}

static int sum(const int *x, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

int main()
{
    enum { N = 1000 };
    int host[N], *device, *other, *managed, *pinned, *mapped, *seen;

    for (int i = 0; i < N; i++)
        host[i] = i;
    CHECK(cudaMalloc(&device, sizeof host));
    CHECK(cudaMalloc((void **)&other, sizeof host));
    CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    twice<<<4, 256>>>(device, N);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(other, device, sizeof host, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(host, other, sizeof host, cudaMemcpyDefault));
    printf("device %d\n", sum(host, N));

    CHECK(cudaMallocManaged(&managed, sizeof host));
    memcpy(managed, host, sizeof host);
    CHECK(cudaMemPrefetchAsync(managed, sizeof host, cudaMemLocation{cudaMemLocationTypeDevice, 0},
                               0));
    twice<<<4, 256>>>(managed, N);
    CHECK(cudaDeviceSynchronize());
    printf("managed %d\n", sum(managed, N));

    CHECK(cudaMallocHost(&pinned, sizeof host));
    memcpy(pinned, host, sizeof host);
    twice<<<4, 256>>>(pinned, N);
    CHECK(cudaDeviceSynchronize());
    printf("pinned %d\n", sum(pinned, N));

    CHECK(cudaHostAlloc(&mapped, sizeof host, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&seen, mapped, 0));
    memcpy(mapped, host, sizeof host);
    twice<<<4, 256>>>(seen, N);
    CHECK(cudaDeviceSynchronize());
    printf("mapped %d\n", sum(mapped, N));

    int *registered = (int *)malloc(sizeof host);
    memcpy(registered, host, sizeof host);
    CHECK(cudaHostRegister(registered, sizeof host, cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&seen, registered, 0));
    twice<<<4, 256>>>(seen, N);
    CHECK(cudaDeviceSynchronize());
    printf("registered %d\n", sum(registered, N));
    CHECK(cudaHostUnregister(registered));
    free(registered);

    int *stream_ordered;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocAsync(&stream_ordered, sizeof host, stream));
    CHECK(cudaMemsetAsync(stream_ordered, 1, sizeof host, stream));
    twice<<<4, 256, 0, stream>>>(stream_ordered, N);
    CHECK(cudaMemcpyAsync(pinned, stream_ordered, sizeof host, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(stream_ordered, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("stream-ordered %x\n", (unsigned)pinned[N - 1]);
    CHECK(cudaStreamDestroy(stream));

    float in[4] = {1, 2, 3, 4}, out[4], *result;
    int values[8];
    pair<double> both = {0, 2.5};
    CHECK(cudaMalloc(&result, sizeof out));
    CHECK(cudaMemcpyToSymbol(weights, in, sizeof in));
    CHECK(cudaMemcpyToSymbol(weights, in, 4, 12));
    CHECK(cudaMemcpyToSymbol(two, &both, sizeof both));
    CHECK(cudaMemset(result, 0, sizeof out));
    weigh<<<1, 4>>>(result);
    CHECK(cudaMemcpy(out, result, sizeof out, cudaMemcpyDeviceToHost));
    printf("constant %g %g %g %g\n", out[0], out[1], out[2], out[3]);
    int *address, got = 0;
    size_t bytes;
    CHECK(cudaGetSymbolAddress((void **)&address, table));
    CHECK(cudaGetSymbolSize(&bytes, table));
    CHECK(cudaMemcpy(values, address, sizeof values, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&got, total, sizeof got));
    CHECK(cudaMemcpyFromSymbol(&both, two, sizeof both));
    printf("symbols %d %d %d %zu, %g %g, managed %d\n", got, values[1], values[3], bytes, both.a,
           both.b, shared_by_both);

    /* 2D: 5 rows of 40 bytes. */
    char rows[5][64], back[5][64], *pitched;
    size_t pitch;
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 64; x++)
            rows[y][x] = (char)(10 * y + x % 10);
    memset(back, 0, sizeof back);
    CHECK(cudaMallocPitch(&pitched, &pitch, 40, 5));
    printf("pitch %zu\n", pitch % 32);
    CHECK(cudaMemset2D(pitched, pitch, 7, 40, 5));
    CHECK(cudaMemcpy2D(pitched, pitch, rows, 64, 20, 5, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(back, 64, pitched, pitch, 40, 5, cudaMemcpyDeviceToHost));
    printf("2D %d %d %d %d\n", back[4][19], back[4][20], back[2][39], back[2][40]);

    /* 3D: 3 slices of 4 rows of 8 bytes. */
    const cudaExtent extent = make_cudaExtent(8, 4, 3);
    cudaPitchedPtr box;
    char cube[3][4][8], cube_back[3][4][8];
    for (int k = 0; k < 96; k++)
        ((char *)cube)[k] = (char)k;
    CHECK(cudaMalloc3D(&box, extent));
    CHECK(cudaMemset3D(box, 0, extent));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(cube, 8, 8, 4);
    copy.dstPtr = box;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    bump<<<1, 8>>>(box, extent);
    cudaMemcpy3DParms part = {};
    memset(cube_back, 0, sizeof cube_back);
    part.srcPtr = box;
    part.srcPos = make_cudaPos(2, 1, 1);
    part.dstPtr = make_cudaPitchedPtr(cube_back, 8, 8, 4);
    part.dstPos = make_cudaPos(0, 0, 1);
    part.extent = make_cudaExtent(4, 3, 2);
    part.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&part));
    printf("3D %d %d %d %d\n", cube_back[1][0][0], cube_back[2][2][3], cube_back[1][0][4],
           cube_back[0][0][0]);

    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, device + 3));
    printf("%d %d %d\n", attributes.type == cudaMemoryTypeDevice,
           attributes.devicePointer == device + 3, attributes.hostPointer == NULL);
    CHECK(cudaPointerGetAttributes(&attributes, managed));
    printf("%d %d\n", attributes.type == cudaMemoryTypeManaged, attributes.hostPointer == managed);
    CHECK(cudaPointerGetAttributes(&attributes, pinned));
    printf("%d\n", attributes.type == cudaMemoryTypeHost);
    CHECK(cudaPointerGetAttributes(&attributes, host));
    printf("%d\n", attributes.type == cudaMemoryTypeUnregistered);
    size_t free_bytes, total_bytes;
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    printf("%d\n", free_bytes > 0 && free_bytes <= total_bytes);

    /* Arrays: 8 x 4 elements of float2. */
    float2 texels[4][8], texels_back[4][8];
    for (int k = 0; k < 32; k++)
        texels[k / 8][k % 8] = make_float2((float)k, (float)-k);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    cudaArray_t array, copied;
    printf("channels %d %d %d %d kind %d\n", format.x, format.y, format.z, format.w, format.f);
    CHECK(cudaMallocArray(&array, &format, 8, 4));
    CHECK(cudaMalloc3DArray(&copied, &format, make_cudaExtent(8, 4, 0)));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, 64, 64, 4, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms between = {};
    between.srcArray = array;
    between.dstArray = copied;
    between.extent = make_cudaExtent(8, 4, 1);
    between.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3D(&between));
    memset(texels_back, 0, sizeof texels_back);
    CHECK(cudaMemcpy2DFromArray(texels_back, 64, copied, 16, 1, 48, 3, cudaMemcpyDeviceToHost));
    printf("array %g %g %g\n", texels_back[0][0].x, texels_back[2][5].y, texels_back[3][0].x);
    cudaExtent size;
    cudaChannelFormatDesc found;
    unsigned flags;
    CHECK(cudaArrayGetInfo(&found, &size, &flags, copied));
    printf("%d %zu %zu %zu %u\n", found.y, size.width, size.height, size.depth, flags);
    CHECK(cudaFreeArray(array));
    CHECK(cudaFreeArray(copied));

    CHECK(cudaFree(device));
    CHECK(cudaFree(other));
    CHECK(cudaFree(managed));
    CHECK(cudaFree(result));
    CHECK(cudaFree(pitched));
    CHECK(cudaFree(box.ptr));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFreeHost(mapped));
    return 0;
}
