/* SPDX-License-Identifier: BSD-3-Clause */
/* Surface objects: reads and writes of arrays in kernels, with each boundary mode. */
#include <stdio.h>

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 2 };

__global__ void fill(cudaSurfaceObject_t surface)
{
    const int x = (int)threadIdx.x, y = (int)threadIdx.y;
    surf2Dwrite((float)(10 * y + x), surface, x * (int)sizeof(float), y);
    surf2Dwrite(-1.0f, surface, (x + WIDTH) * (int)sizeof(float), y, cudaBoundaryModeZero);
}
__global__ void transpose(cudaSurfaceObject_t from, float *out)
{
    const int x = (int)threadIdx.x, y = (int)threadIdx.y;
    float value;
    surf2Dread(&value, from, x * (int)sizeof(float), y);
    out[x * HEIGHT + y] = value;
}
__global__ void edges(cudaSurfaceObject_t surface, float *out)
{
    const int x = ((int)threadIdx.x - 3) * (int)sizeof(float);
    out[threadIdx.x] = surf2Dread<float>(surface, x, 1, cudaBoundaryModeZero);
    out[threadIdx.x + 16] = surf2Dread<float>(surface, x, 7, cudaBoundaryModeClamp);
}
__global__ void boxes(cudaSurfaceObject_t surface, int *out)
{
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, z = (int)threadIdx.z;
    surf3Dwrite(make_int2(x + 10 * y, z), surface, x * (int)sizeof(int2), y, z);
    __syncthreads();
    const int2 pair = surf3Dread<int2>(surface, (WIDTH - 1 - x) * (int)sizeof(int2), y, z);
    out[(z * HEIGHT + y) * WIDTH + x] = pair.x + 1000 * pair.y;
}
__global__ void row(cudaSurfaceObject_t surface, unsigned char *out)
{
    surf1Dwrite((unsigned char)(threadIdx.x * 3), surface, (int)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = surf1Dread<unsigned char>(surface, (int)(threadIdx.x ^ 1u));
}

static cudaSurfaceObject_t create(cudaArray_t array)
{
    cudaSurfaceObject_t surface = 0;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess)
        printf("no surface\n");
    return surface;
}

int main()
{
    float results[64], *out;
    cudaMalloc(&out, sizeof results);
    cudaMemset(out, 0, sizeof results);
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &floats, WIDTH, HEIGHT, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t surface = create(array);
    fill<<<1, dim3(WIDTH, HEIGHT)>>>(surface);
    transpose<<<1, dim3(WIDTH, HEIGHT)>>>(surface, out);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        printf(" %g", results[i]);
    printf("\n");
    edges<<<1, 14>>>(surface, out);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 30; i++)
        if (i < 14 || i >= 16)
            printf(" %g", results[i]);
    printf("\n");
    cudaMemcpy2DFromArray(results, WIDTH * sizeof(float), array, 0, 0, WIDTH * sizeof(float),
                          HEIGHT, cudaMemcpyDeviceToHost);
    printf("array: %g %g\n", results[0], results[WIDTH * HEIGHT - 1]);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);

    const cudaChannelFormatDesc pairs = cudaCreateChannelDesc<int2>();
    cudaMalloc3DArray(&array, &pairs, make_cudaExtent(WIDTH, HEIGHT, DEPTH),
                      cudaArraySurfaceLoadStore);
    surface = create(array);
    boxes<<<1, dim3(WIDTH, HEIGHT, DEPTH)>>>(surface, (int *)out);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        printf(" %d", ((int *)results)[i]);
    printf("\n");
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);

    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    cudaMallocArray(&array, &bytes, 32, 0, cudaArraySurfaceLoadStore);
    surface = create(array);
    row<<<1, 32>>>(surface, (unsigned char *)out);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        printf(" %d", ((unsigned char *)results)[i]);
    printf("\n");
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
    cudaFree(out);
    return cudaGetLastError() != cudaSuccess;
}
