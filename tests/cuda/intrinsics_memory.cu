// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores with cache hints, of each size; clocks, __nanosleep, __builtin_assume; the
// headers that are part of cuda_runtime.h.
#include <cstdio>
#include <device_functions.h>
#include <math_constants.h>
#include <math_functions.h>
#include <sm_60_atomic_functions.h>

template <class T> struct copies {
    T ldg, ldca, ldcg, ldcs, ldlu, ldcv, stwb, stcg, stcs, stwt;
};

template <class T> __global__ void copy(const T *from, copies<T> *to)
{
    to->ldg = __ldg(from);
    to->ldca = __ldca(from);
    to->ldcg = __ldcg(from);
    to->ldcs = __ldcs(from);
    to->ldlu = __ldlu(from);
    to->ldcv = __ldcv(from);
    __stwb(&to->stwb, *from);
    __stcg(&to->stcg, *from);
    __stcs(&to->stcs, *from);
    __stwt(&to->stwt, *from);
}

template <class T> void test(const char *name)
{
    unsigned char bytes[sizeof(T)], result[sizeof(copies<T>)];
    T *from;
    copies<T> *to;
    int wrong = 0;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(7 * i + 60);
    cudaMalloc(&from, sizeof *from);
    cudaMalloc(&to, sizeof *to);
    cudaMemcpy(from, bytes, sizeof bytes, cudaMemcpyHostToDevice);
    copy<<<1, 1>>>(from, to);
    cudaMemcpy(result, to, sizeof result, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < sizeof result; i++)
        wrong += result[i] != bytes[i % sizeof bytes];
    printf("%s: %s\n", name, wrong ? "wrong" : "ok");
    cudaFree(from);
    cudaFree(to);
}

__global__ void times(int *out)
{
    __shared__ int flag;
    const long long before = clock64();
    const clock_t start = clock();
    flag = 1;
    __builtin_assume(flag == 1);
    __nanosleep(100);
    __prof_trigger(0);
    out[0] = clock64() >= before;
    out[1] = clock() - start >= 0;
    out[2] = CUDART_INF_F > 1e38f && CUDART_NAN != CUDART_NAN;
}

int main()
{
    int out[3], *device;
    test<char>("char");
    test<signed char>("signed char");
    test<unsigned char>("unsigned char");
    test<short>("short");
    test<unsigned short>("unsigned short");
    test<int>("int");
    test<unsigned>("unsigned");
    test<long>("long");
    test<unsigned long>("unsigned long");
    test<long long>("long long");
    test<unsigned long long>("unsigned long long");
    test<float>("float");
    test<double>("double");
    test<char2>("char2");
    test<char4>("char4");
    test<uchar2>("uchar2");
    test<uchar4>("uchar4");
    test<short2>("short2");
    test<short4>("short4");
    test<ushort2>("ushort2");
    test<ushort4>("ushort4");
    test<int2>("int2");
    test<int4>("int4");
    test<uint2>("uint2");
    test<uint4>("uint4");
    test<longlong2>("longlong2");
    test<ulonglong2>("ulonglong2");
    test<float2>("float2");
    test<float4>("float4");
    test<double2>("double2");
    cudaMalloc(&device, sizeof out);
    times<<<1, 1>>>(device);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", out[0], out[1], out[2]);
    cudaFree(device);
    return cudaDeviceSynchronize() != cudaSuccess;
}
