// SPDX-License-Identifier: BSD-3-Clause
// Texture references and the calls for them, which nvcc has no more.
#include <cstdio>

texture<float, 1, cudaReadModeElementType> line;
texture<float, 2> plane;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
static texture<int2> pairs;

__global__ void read(float *to, int count)
{
    const int i = (int)threadIdx.x;
    if (i < count) {
        const int2 pair = tex1Dfetch(pairs, i);
        const float4 colour = tex2D(colours, i + 0.5f, 0.5f);
        to[4 * i] = tex1Dfetch(line, i);
        to[4 * i + 1] = tex2D(plane, i + 0.5f, 1.5f);
        to[4 * i + 2] = (float)(pair.x * 10 + pair.y);
        to[4 * i + 3] = colour.x + colour.w;
    }
}

int main()
{
    enum { N = 4 };
    float numbers[2 * N], result[4 * N], *memory, *to;
    int2 two[N], *two_memory;
    uchar4 *colour_memory, colour[N];
    cudaArray *array;
    size_t offset = 1, pitch;
    for (int i = 0; i < 2 * N; i++)
        numbers[i] = (float)i * 1.5f;
    for (int i = 0; i < N; i++) {
        two[i] = make_int2(i, i + 1);
        colour[i] = make_uchar4((unsigned char)(51 * i), 0, 0, 255);
    }
    cudaMalloc((void **)&memory, sizeof numbers);
    cudaMalloc((void **)&to, sizeof result);
    cudaMalloc((void **)&two_memory, sizeof two);
    cudaMallocPitch((void **)&colour_memory, &pitch, sizeof colour, 1);
    cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemcpy(two_memory, two, sizeof two, cudaMemcpyHostToDevice);
    cudaMemcpy2D(colour_memory, pitch, colour, sizeof colour, sizeof colour, 1,
                 cudaMemcpyHostToDevice);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, N, 2);
    cudaMemcpyToArray(array, 0, 0, numbers, sizeof numbers, cudaMemcpyHostToDevice);

    plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
    plane.filterMode = cudaFilterModePoint;
    plane.normalized = false;
    printf("%d", (int)cudaBindTexture(&offset, line, memory, sizeof numbers));
    printf(" %d",
           (int)cudaBindTexture(0, pairs, two_memory, cudaCreateChannelDesc<int2>(), sizeof two));
    printf(" %d", (int)cudaBindTextureToArray(plane, array, format));
    printf(" %d", (int)cudaBindTexture2D(NULL, colours, colour_memory, N, 1, pitch));
    printf(", offset %d\n", (int)offset);
    read<<<1, 32>>>(to, N);
    printf("%d\n", (int)cudaThreadSynchronize());
    cudaMemcpy(result, to, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        printf("%g %g %g %g\n", result[4 * i], result[4 * i + 1], result[4 * i + 2],
               result[4 * i + 3]);

    const textureReference *reference;
    cudaGetTextureReference(&reference, &line);
    cudaBindTexture(&offset, reference, memory + 4, &reference->channelDesc, 16);
    read<<<1, 32>>>(to, 1);
    cudaMemcpy(result, to, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", result[0]);
    cudaUnbindTexture(line);
    cudaUnbindTexture(plane);
    cudaUnbindTexture(colours);
    cudaUnbindTexture(pairs);
    cudaFreeArray(array);
    cudaFree(memory);
    cudaFree(to);
    cudaFree(two_memory);
    cudaFree(colour_memory);
    cudaThreadExit();
    return 0;
}
