/* SPDX-License-Identifier: BSD-3-Clause */
/* Textures of linear memory, of one and three dimensions, layered ones and cubemaps. */
#include <stdio.h>

__global__ void fetch(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, (int)threadIdx.x);
}
__global__ void fetch_pairs(cudaTextureObject_t texture, short2 *out)
{
    out[threadIdx.x] = tex1Dfetch<short2>(texture, (int)threadIdx.x);
}
__global__ void line(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex1D<float>(texture, (float)threadIdx.x * 0.5f - 1.25f);
}
__global__ void volume(cudaTextureObject_t texture, float *out)
{
    const float i = (float)threadIdx.x;
    out[threadIdx.x] = tex3D<float>(texture, i * 0.25f + 0.125f, i * 0.125f + 0.375f, 1.25f);
}
__global__ void layers(cudaTextureObject_t texture, float *out)
{
    const int i = (int)threadIdx.x;
    out[i] = tex2DLayered<float>(texture, (float)(i % 4) + 0.75f, 0.75f, i / 8);
}
__global__ void cube(cudaTextureObject_t texture, float *out)
{
    const int axis = (int)threadIdx.x / 2 % 3;
    const float major = threadIdx.x & 1 ? -1.0f : 1.0f;
    const float s = threadIdx.x < 6 ? 0.5f : -0.5f, t = threadIdx.x < 12 ? 0.25f : -0.25f;
    const float x = axis == 0 ? major : s, y = axis == 1 ? major : axis == 0 ? s : t;
    out[threadIdx.x] = texCubemap<float>(texture, x, y, axis == 2 ? major : t);
}

static float results[32];
static void show(const char *name, const float *out, int count)
{
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (int i = 0; i < count; i++)
        printf(" %g", results[i]);
    printf("\n");
}
static cudaTextureObject_t create(cudaArray_t array, cudaTextureFilterMode filter)
{
    cudaTextureObject_t texture = 0;
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    for (int i = 0; i < 3; i++)
        description.addressMode[i] = cudaAddressModeClamp;
    description.filterMode = filter;
    if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess)
        printf("no texture\n");
    return texture;
}
static cudaArray_t fill(cudaExtent extent, unsigned flags)
{
    static float texels[256];
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    if (cudaMalloc3DArray(&array, &format, extent, flags) != cudaSuccess)
        printf("no array\n");
    for (int i = 0; i < 256; i++)
        texels[i] = (float)i;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr =
        make_cudaPitchedPtr(texels, extent.width * sizeof *texels, extent.width, extent.height);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    if (cudaMemcpy3D(&copy) != cudaSuccess)
        printf("no copy\n");
    return array;
}

int main()
{
    float *out, *linear, numbers[24];
    short2 pairs[24];
    cudaMalloc(&out, sizeof results);
    cudaMemset(out, 0, sizeof results);
    cudaMalloc(&linear, sizeof numbers);
    for (int i = 0; i < 24; i++)
        numbers[i] = (float)i * 0.5f;
    cudaMemcpy(linear, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaTextureObject_t texture;
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = sizeof numbers;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    fetch<<<1, 32>>>(texture, out);
    show("tex1Dfetch", out, 32);
    cudaDestroyTextureObject(texture);
    for (int i = 0; i < 24; i++)
        pairs[i] = make_short2((short)i, (short)-i);
    cudaMemcpy(linear, pairs, sizeof pairs, cudaMemcpyHostToDevice);
    resource.res.linear.desc = cudaCreateChannelDesc<short2>();
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    fetch_pairs<<<1, 24>>>(texture, (short2 *)out);
    cudaMemcpy(pairs, out, sizeof pairs, cudaMemcpyDeviceToHost);
    printf("short2: %d %d, %d %d\n", pairs[1].x, pairs[1].y, pairs[23].x, pairs[23].y);
    cudaDestroyTextureObject(texture);
    cudaFree(linear);

    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, 12);
    cudaMemcpy2DToArray(array, 0, 0, numbers, 12 * sizeof *numbers, 12 * sizeof *numbers, 1,
                        cudaMemcpyHostToDevice);
    for (int filter = 0; filter < 2; filter++) {
        texture = create(array, (cudaTextureFilterMode)filter);
        line<<<1, 32>>>(texture, out);
        show(filter ? "tex1D linear" : "tex1D point", out, 32);
        cudaDestroyTextureObject(texture);
    }
    cudaFreeArray(array);

    array = fill(make_cudaExtent(8, 4, 3), 0);
    for (int filter = 0; filter < 2; filter++) {
        texture = create(array, (cudaTextureFilterMode)filter);
        volume<<<1, 32>>>(texture, out);
        show(filter ? "tex3D linear" : "tex3D point", out, 32);
        cudaDestroyTextureObject(texture);
    }
    cudaFreeArray(array);

    array = fill(make_cudaExtent(4, 4, 3), cudaArrayLayered);
    for (int filter = 0; filter < 2; filter++) {
        texture = create(array, (cudaTextureFilterMode)filter);
        layers<<<1, 24>>>(texture, out);
        show(filter ? "tex2DLayered linear" : "tex2DLayered point", out, 24);
        cudaDestroyTextureObject(texture);
    }
    cudaFreeArray(array);

    array = fill(make_cudaExtent(4, 4, 6), cudaArrayCubemap);
    texture = create(array, cudaFilterModePoint);
    cube<<<1, 24>>>(texture, out);
    show("texCubemap", out, 24);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(out);
    return cudaGetLastError() != cudaSuccess;
}
