// SPDX-License-Identifier: BSD-3-Clause
// Texture and surface references, which CUDA had until version 11.
#include <cstdio>

enum { WIDTH = 8, HEIGHT = 4 };
texture<float, 2> plane;
surface<void, 2> squares;
surface<void, cudaSurfaceType1D> line;

__global__ void fill()
{
    const int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite((float)(10 * y + x), squares, x * (int)sizeof(float), y);
    if (y == 0)
        surf1Dwrite((short)(x * x), line, x * (int)sizeof(short), cudaBoundaryModeZero);
}
__global__ void read(float *out)
{
    const int x = threadIdx.x, y = threadIdx.y;
    float here;
    surf2Dread(&here, squares, (WIDTH - 1 - x) * (int)sizeof(float), y);
    out[y * WIDTH + x] = here + 1000 * tex2D(plane, x + .5f, y + .5f) +
                         .5f * surf1Dread<short>(line, x * (int)sizeof(short));
}

int main()
{
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    const cudaChannelFormatDesc shorts = cudaCreateChannelDesc<short>();
    const surfaceReference *reference;
    cudaArray_t array, other, row;
    float *out;
    cudaMallocManaged(&out, WIDTH * HEIGHT * sizeof *out);
    cudaMallocArray(&array, &floats, WIDTH, HEIGHT, cudaArraySurfaceLoadStore);
    cudaMallocArray(&other, &floats, WIDTH, HEIGHT, cudaArraySurfaceLoadStore);
    cudaMallocArray(&row, &shorts, WIDTH, 0, cudaArraySurfaceLoadStore);
    printf("%d ", cudaBindSurfaceToArray(squares, other));
    printf("%d ", cudaBindSurfaceToArray(squares, array, floats));
    printf("%d ", cudaGetSurfaceReference(&reference, &line));
    printf("%d ", cudaBindSurfaceToArray(reference, row, &shorts));
    printf("%d\n", cudaBindTextureToArray(plane, array, floats));
    fill<<<1, dim3(WIDTH, HEIGHT)>>>();
    read<<<1, dim3(WIDTH, HEIGHT)>>>(out);
    printf("%d\n", cudaThreadSynchronize());
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        printf("%g%c", out[k], k % WIDTH == WIDTH - 1 ? '\n' : ' ');
    cudaUnbindTexture(plane);
    cudaFreeArray(array);
    cudaFreeArray(other);
    cudaFreeArray(row);
    cudaFree(out);
    return 0;
}
