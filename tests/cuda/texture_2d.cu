/* SPDX-License-Identifier: BSD-3-Clause */
/* Texture objects over 2D arrays and pitched memory: filters, addressing, normalised coordinates
 * and reads, element types, tex2Dgather. Texels and weights are such that results are exact. */
#include <stdio.h>

enum { WIDTH = 8, HEIGHT = 4, READS = 32 };

template <class T> __global__ void read(cudaTextureObject_t texture, const float2 *at, T *out)
{
    const float2 p = at[threadIdx.x];
    out[threadIdx.x] = tex2D<T>(texture, p.x, p.y);
}
__global__ void gather(cudaTextureObject_t texture, const float2 *at, float4 *out)
{
    const float2 p = at[threadIdx.x];
    tex2Dgather(&out[threadIdx.x], texture, p.x, p.y, 0);
}

static float2 places[READS], *device_places;
static void *out;

static cudaTextureDesc describe(cudaTextureAddressMode address, cudaTextureFilterMode filter,
                                cudaTextureReadMode read_mode, int normalised)
{
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = address;
    description.filterMode = filter;
    description.readMode = read_mode;
    description.normalizedCoords = normalised;
    description.borderColor[0] = 0.5f;
    return description;
}
static cudaTextureObject_t create(cudaArray_t array, const cudaTextureDesc &description)
{
    cudaTextureObject_t texture = 0;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess)
        printf("no texture\n");
    return texture;
}
static void show(const char *name, cudaTextureObject_t texture)
{
    float results[READS];
    read<float><<<1, READS>>>(texture, device_places, (float *)out);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (int i = 0; i < READS; i++)
        printf(" %g", results[i]);
    printf("\n");
    cudaDestroyTextureObject(texture);
}

int main()
{
    float texels[HEIGHT][WIDTH];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            texels[y][x] = (float)(16 * y + x);
    for (int i = 0; i < READS; i++) /* off the lines between texels */
        places[i] = make_float2((float)(i * 3 % 41) * 0.375f - 3.0625f,
                                (float)(i * 5 % 27) * 0.25f - 1.375f);
    cudaMalloc(&device_places, sizeof places);
    cudaMalloc(&out, READS * sizeof(float4));
    cudaMemcpy(device_places, places, sizeof places, cudaMemcpyHostToDevice);

    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArrayTextureGather);
    cudaMemcpy2DToArray(array, 0, 0, texels, sizeof *texels, sizeof *texels, HEIGHT,
                        cudaMemcpyHostToDevice);
    static const char *const modes[] = {"wrap", "clamp", "mirror", "border"};
    const cudaTextureReadMode as_is = cudaReadModeElementType;
    for (int mode = 1; mode < 4; mode += 2)
        for (int linear = 0; linear < 2; linear++) {
            printf("%s ", modes[mode]);
            show(linear ? "linear" : "point",
                 create(array, describe((cudaTextureAddressMode)mode, (cudaTextureFilterMode)linear,
                                        as_is, 0)));
        }
    const cudaTextureObject_t gathered =
        create(array, describe(cudaAddressModeClamp, cudaFilterModePoint, as_is, 0));
    float4 fours[READS];
    gather<<<1, READS>>>(gathered, device_places, (float4 *)out);
    cudaMemcpy(fours, out, sizeof fours, cudaMemcpyDeviceToHost);
    for (int i = 0; i < READS; i += 5)
        printf("gather %g %g: %g %g %g %g\n", places[i].x, places[i].y, fours[i].x, fours[i].y,
               fours[i].z, fours[i].w);
    cudaTextureDesc asked;
    cudaResourceDesc what;
    cudaGetTextureObjectTextureDesc(&asked, gathered);
    cudaGetTextureObjectResourceDesc(&what, gathered);
    printf("%d %d %d\n", asked.addressMode[0], asked.filterMode, what.res.array.array == array);
    cudaDestroyTextureObject(gathered);

    for (int i = 0; i < READS; i++) {
        places[i].x /= WIDTH;
        places[i].y /= HEIGHT;
    }
    cudaMemcpy(device_places, places, sizeof places, cudaMemcpyHostToDevice);
    for (int mode = 0; mode < 4; mode++)
        for (int linear = 0; linear < 2; linear++) {
            printf("normalised %s ", modes[mode]);
            show(linear ? "linear" : "point",
                 create(array, describe((cudaTextureAddressMode)mode, (cudaTextureFilterMode)linear,
                                        as_is, 1)));
        }
    cudaFreeArray(array);

    /* Bytes, read as they are and as fractions. */
    uchar4 colours[HEIGHT][WIDTH], colour_results[READS];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            colours[y][x] =
                make_uchar4((unsigned char)(51 * x), (unsigned char)y, 255, (unsigned char)(x + y));
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
    cudaMallocArray(&array, &bytes, WIDTH, HEIGHT);
    cudaMemcpy2DToArray(array, 0, 0, colours, sizeof *colours, sizeof *colours, HEIGHT,
                        cudaMemcpyHostToDevice);
    cudaTextureObject_t texture =
        create(array, describe(cudaAddressModeWrap, cudaFilterModePoint, as_is, 1));
    read<uchar4><<<1, READS>>>(texture, device_places, (uchar4 *)out);
    cudaMemcpy(colour_results, out, sizeof colour_results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < READS; i += 7)
        printf("uchar4: %d %d %d %d\n", colour_results[i].x, colour_results[i].y,
               colour_results[i].z, colour_results[i].w);
    cudaDestroyTextureObject(texture);
    texture = create(
        array, describe(cudaAddressModeWrap, cudaFilterModePoint, cudaReadModeNormalizedFloat, 1));
    read<float4><<<1, READS>>>(texture, device_places, (float4 *)out);
    cudaMemcpy(fours, out, sizeof fours, cudaMemcpyDeviceToHost);
    for (int i = 0; i < READS; i += 7)
        printf("float4: %.6f %.6f %.6f %.6f\n", fours[i].x, fours[i].y, fours[i].z, fours[i].w);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);

    /* Integers in pitched memory. */
    int *pitched, numbers[HEIGHT][WIDTH], number_results[READS];
    size_t pitch;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            numbers[y][x] = 1000 * y - x;
    cudaMallocPitch((void **)&pitched, &pitch, sizeof *numbers, HEIGHT);
    cudaMemcpy2D(pitched, pitch, numbers, sizeof *numbers, sizeof *numbers, HEIGHT,
                 cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pitched;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<int>();
    resource.res.pitch2D.width = WIDTH;
    resource.res.pitch2D.height = HEIGHT;
    resource.res.pitch2D.pitchInBytes = pitch;
    const cudaTextureDesc mirror = describe(cudaAddressModeMirror, cudaFilterModePoint, as_is, 1);
    cudaCreateTextureObject(&texture, &resource, &mirror, nullptr);
    read<int><<<1, READS>>>(texture, device_places, (int *)out);
    cudaMemcpy(number_results, out, sizeof number_results, cudaMemcpyDeviceToHost);
    printf("pitched:");
    for (int i = 0; i < READS; i++)
        printf(" %d", number_results[i]);
    printf("\n");
    cudaDestroyTextureObject(texture);
    cudaFree(pitched);
    cudaFree(out);
    cudaFree(device_places);
    return cudaGetLastError() != cudaSuccess;
}
