/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions of half and bfloat16 from and to float, double and integers, in each mode. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <string.h>

#define H(x) __half_as_ushort(x)
#define B(x) __bfloat16_as_ushort(x)

__global__ void from_float(const float *in, unsigned short *out)
{
    const int i = threadIdx.x;
    const float x = in[i];
    unsigned short *const o = out + 10 * i;
    o[0] = H(__float2half_rn(x)), o[1] = H(__float2half_rz(x));
    o[2] = H(__float2half_ru(x)), o[3] = H(__float2half_rd(x));
    o[4] = B(__float2bfloat16_rn(x)), o[5] = B(__float2bfloat16_rz(x));
    o[6] = B(__float2bfloat16_ru(x)), o[7] = B(__float2bfloat16_rd(x));
    o[8] = H(__double2half((double)x * 1.0000001)), o[9] = B(__double2bfloat16((double)x));
}
__global__ void from_integer(const long long *in, unsigned short *out)
{
    const int i = threadIdx.x;
    const long long x = in[i];
    unsigned short *const o = out + 14 * i;
    o[0] = H(__ll2half_rn(x)), o[1] = H(__ll2half_rz(x)), o[2] = H(__ll2half_ru(x));
    o[3] = H(__ull2half_rd((unsigned long long)x)), o[4] = H(__int2half_rn((int)x));
    o[5] = H(__uint2half_rz((unsigned)x)), o[6] = H(__short2half_ru((short)x));
    o[7] = H(__ushort2half_rd((unsigned short)x)), o[8] = B(__ll2bfloat16_rn(x));
    o[9] = B(__ll2bfloat16_ru(x)), o[10] = B(__ull2bfloat16_rn((unsigned long long)x));
    o[11] = B(__int2bfloat16_rd((int)x)), o[12] = B(__uint2bfloat16_rn((unsigned)x));
    o[13] = B(__short2bfloat16_rz((short)x));
}
__global__ void to_integer(const unsigned short *in, long long *out)
{
    const int i = threadIdx.x;
    const __half h = __ushort_as_half(in[i]);
    const __nv_bfloat16 b = __ushort_as_bfloat16(in[i]);
    long long *const o = out + 14 * i;
    o[0] = __half2int_rn(h), o[1] = __half2int_rz(h), o[2] = __half2int_ru(h);
    o[3] = __half2int_rd(h), o[4] = __half2uint_rn(h), o[5] = __half2short_rz(h);
    o[6] = __half2ushort_ru(h), o[7] = __half2ll_rn(h), o[8] = (long long)__half2ull_rd(h);
    o[9] = __half2char_rz(h), o[10] = __half2uchar_rz(h), o[11] = __bfloat162int_rn(b);
    o[12] = __bfloat162ll_rz(b), o[13] = (long long)__bfloat162ull_rn(b);
}
__global__ void to_float(const unsigned short *in, float *out)
{
    const int i = threadIdx.x;
    out[2 * i] = __half2float(__ushort_as_half(in[i]));
    out[2 * i + 1] = __bfloat162float(__ushort_as_bfloat16(in[i]));
}

static const unsigned floats[] = {
    0x00000000, 0x80000000, 0x3f800000, 0x3f801000, 0x3f803000, 0x3f800fff, 0x3f801001, 0xbf801000,
    0x477fefff, 0x477ff000, 0xc77ff000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0x33000000, 0x33000001, 0xb3000001, 0x38801234, 0x387fffff, 0x3f808000, 0x3f818000, 0x00000001};
static const long long integers[] = {0,
                                     1,
                                     -1,
                                     2049,
                                     2051,
                                     -2049,
                                     65519,
                                     65520,
                                     65535,
                                     65536,
                                     100000,
                                     -100000,
                                     1LL << 40,
                                     257,
                                     259,
                                     -257,
                                     32767,
                                     -32768,
                                     0x80808080LL,
                                     -9223372036854775807LL - 1,
                                     0x0101010101010101LL};
static const unsigned short halves[] = {0,      0x8000, 0x3800, 0x3e00, 0x4100, 0xb800, 0xbe00,
                                        0x5bf8, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
                                        0x3fc0, 0xbfc0, 0x4f00, 0x5f00, 0xdf00, 0x0001, 0x7f80};
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

int main()
{
    void *in, *out;
    static long long results[14 * 32];
    cudaMalloc(&in, sizeof results);
    cudaMalloc(&out, sizeof results);
    cudaMemcpy(in, floats, sizeof floats, cudaMemcpyHostToDevice);
    from_float<<<1, COUNT(floats)>>>((float *)in, (unsigned short *)out);
    cudaMemcpy(results, out, 20 * COUNT(floats), cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT(floats); i++) {
        printf("float %08x:", floats[i]);
        for (int k = 0; k < 10; k++)
            printf(" %04x", ((unsigned short *)results)[10 * i + k]);
        printf("\n");
    }
    cudaMemcpy(in, integers, sizeof integers, cudaMemcpyHostToDevice);
    from_integer<<<1, COUNT(integers)>>>((long long *)in, (unsigned short *)out);
    cudaMemcpy(results, out, 28 * COUNT(integers), cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT(integers); i++) {
        printf("integer %lld:", integers[i]);
        for (int k = 0; k < 14; k++)
            printf(" %04x", ((unsigned short *)results)[14 * i + k]);
        printf("\n");
    }
    cudaMemcpy(in, halves, sizeof halves, cudaMemcpyHostToDevice);
    to_integer<<<1, COUNT(halves)>>>((unsigned short *)in, (long long *)out);
    cudaMemcpy(results, out, 8 * 14 * COUNT(halves), cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT(halves); i++) {
        printf("bits %04x:", halves[i]);
        for (int k = 0; k < 14; k++)
            printf(" %lld", results[14 * i + k]);
        printf("\n");
    }
    to_float<<<1, COUNT(halves)>>>((unsigned short *)in, (float *)out);
    cudaMemcpy(results, out, 8 * COUNT(halves), cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT(halves); i++)
        printf("bits %04x: %08x %08x\n", halves[i], ((unsigned *)results)[2 * i],
               ((unsigned *)results)[2 * i + 1]);
    cudaFree(in);
    cudaFree(out);
    return cudaGetLastError() != cudaSuccess;
}
