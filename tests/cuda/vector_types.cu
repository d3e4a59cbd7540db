// SPDX-License-Identifier: BSD-3-Clause
// All vector types: size, alignment, make_ functions and the places of their elements.
#include <cstdio>

#define HD __host__ __device__

/* Size, alignment, and the elements as they lie in memory. */
template <class V, class T> HD void describe(V v, long long *out)
{
    const T *const elements = (const T *)&v;
    out[0] = (long long)sizeof(V);
    out[1] = (long long)alignof(V);
    for (unsigned k = 0; k < 4; k++)
        out[2 + k] = k < sizeof(V) / sizeof(T) ? (long long)elements[k] : 0;
}
#define FOR_TYPES(X)                                                                               \
    X(char, signed char)                                                                           \
    X(uchar, unsigned char)                                                                        \
    X(short, short)                                                                                \
    X(ushort, unsigned short)                                                                      \
    X(int, int)                                                                                    \
    X(uint, unsigned int)                                                                          \
    X(long, long)                                                                                  \
    X(ulong, unsigned long)                                                                        \
    X(longlong, long long)                                                                         \
    X(ulonglong, unsigned long long)                                                               \
    X(float, float)                                                                                \
    X(double, double)
#define FOR_WIDE_TYPES(X)                                                                          \
    X(long, long)                                                                                  \
    X(ulong, unsigned long)                                                                        \
    X(longlong, long long)                                                                         \
    X(ulonglong, unsigned long long)                                                               \
    X(double, double)
enum { TYPES = 12 * 4 + 5 * 2, VALUES = 6 };

HD void describe_all(long long (*out)[VALUES])
{
    int n = 0;
#define DESCRIBE(name, T)                                                                          \
    describe<name##1, T>(make_##name##1((T)65), out[n++]);                                         \
    describe<name##2, T>(make_##name##2((T)65, (T)-2), out[n++]);                                  \
    describe<name##3, T>(make_##name##3((T)65, (T)-2, (T)3), out[n++]);                            \
    describe<name##4, T>(make_##name##4((T)65, (T)-2, (T)3, (T)-4), out[n++]);
    FOR_TYPES(DESCRIBE)
#undef DESCRIBE
#define DESCRIBE(name, T)                                                                          \
    describe<name##4_16a, T>(make_##name##4_16a((T)65, (T)-2, (T)3, (T)-4), out[n++]);             \
    describe<name##4_32a, T>(make_##name##4_32a((T)65, (T)-2, (T)3, (T)-4), out[n++]);
    FOR_WIDE_TYPES(DESCRIBE)
}
__global__ void on_device(long long (*out)[VALUES])
{
    describe_all(out);
}

int main()
{
    static const char *const names[TYPES] = {
#define NAMES(name, T) #name "1", #name "2", #name "3", #name "4",
        FOR_TYPES(NAMES)
#undef NAMES
#define NAMES(name, T) #name "4_16a", #name "4_32a",
            FOR_WIDE_TYPES(NAMES)};
    static long long device[TYPES][VALUES], host[TYPES][VALUES];
    long long(*memory)[VALUES];
    cudaMalloc(&memory, sizeof device);
    on_device<<<1, 1>>>(memory);
    cudaMemcpy(device, memory, sizeof device, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    describe_all(host);
    for (int k = 0; k < TYPES; k++) {
        printf("%-15s", names[k]);
        for (int n = 0; n < VALUES; n++) {
            printf(" %lld", device[k][n]);
            if (host[k][n] != device[k][n])
                printf(", host %lld", host[k][n]);
        }
        printf("\n");
    }
    return 0;
}
