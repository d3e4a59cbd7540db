/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lcurand
/* cuRAND's host library: the bits of each generator, in each order, from the start and from an
 * offset; the distributions; what it refuses. */
#include <cuda_runtime.h>
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

static unsigned hash(const void *data, size_t bytes)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 16777619u;
    return h;
}

/* The array that a call fills, on the host or on the device. */
template <class T> struct Numbers {
    std::vector<T> host;
    T *device;
    bool on_host;
    Numbers(size_t n, bool on_host_) : host(n), device(nullptr), on_host(on_host_)
    {
        if (!on_host)
            cudaMalloc(&device, n * sizeof(T));
    }
    ~Numbers()
    {
        cudaFree(device);
    }
    T *data()
    {
        return on_host ? host.data() : device;
    }
    const std::vector<T> &fetched()
    {
        if (!on_host)
            cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return host;
    }
};

static curandGenerator_t made(curandRngType_t type, bool on_host)
{
    curandGenerator_t generator = nullptr;
    const curandStatus_t status = on_host ? curandCreateGeneratorHost(&generator, type)
                                          : curandCreateGenerator(&generator, type);
    if (status != CURAND_STATUS_SUCCESS)
        printf("create %d: %d\n", type, status);
    return generator;
}

static void sequence(const char *name, curandRngType_t type, curandOrdering_t ordering,
                     unsigned long long seed, unsigned long long offset, bool on_host)
{
    curandGenerator_t generator = made(type, on_host);
    const bool quasi = type >= CURAND_RNG_QUASI_DEFAULT;
    int refused = 0;
    if (quasi) {
        refused |= curandSetQuasiRandomGeneratorDimensions(generator, 7);
    } else {
        refused |= curandSetGeneratorOrdering(generator, ordering);
        refused |= curandSetPseudoRandomGeneratorSeed(generator, seed);
    }
    if (offset > 0)
        refused |= curandSetGeneratorOffset(generator, offset);
    printf("%-10s order %d seed %llu offset %llu:", name, ordering, seed, offset);
    if (type == CURAND_RNG_QUASI_SOBOL64) {
        Numbers<unsigned long long> bits(7 * 300, on_host);
        refused |= curandGenerateLongLong(generator, bits.data(), 7 * 300);
        const std::vector<unsigned long long> &x = bits.fetched();
        printf(" %016llx %08x", x[8], hash(x.data(), 7 * 300 * 8));
    } else {
        /* In two parts, the first of which ends within a turn. */
        const size_t first = 7 * 201, n = 7 * 14001;
        Numbers<unsigned> bits(n, on_host);
        refused |= curandGenerate(generator, bits.data(), first);
        refused |= curandGenerate(generator, bits.data() + first, n - first);
        const std::vector<unsigned> &x = bits.fetched();
        printf(" %08x %08x %08x", x[0], x[n - 1], hash(x.data(), n * 4));
    }
    Numbers<float> uniform(7 * 14001, on_host);
    refused |= curandGenerateUniform(generator, uniform.data(), 7 * 14001);
    printf(" %08x", hash(uniform.fetched().data(), 7 * 14001 * 4));
    Numbers<double> uniform2(7 * 2001, on_host);
    refused |= curandGenerateUniformDouble(generator, uniform2.data(), 7 * 2001);
    printf(" %08x", hash(uniform2.fetched().data(), 7 * 2001 * 8));
    printf(" %d\n", refused);
    curandDestroyGenerator(generator);
}

template <class T> static void moments(const char *name, const std::vector<T> &x)
{
    double sum = 0, squares = 0;
    for (T value : x) {
        sum += (double)value;
        squares += (double)value * (double)value;
    }
    const double mean = sum / (double)x.size();
    printf("%s: %.4f %.4f %.4f, mean %.2f, deviation %.2f\n", name, (double)x[0], (double)x[1],
           (double)x[x.size() - 1], mean, sqrt(squares / (double)x.size() - mean * mean));
}

static void distributions(const char *name, curandRngType_t type, bool on_host)
{
    const size_t n = 20000;
    curandGenerator_t generator = made(type, on_host);
    int refused = 0;
    printf("%s\n", name);
    Numbers<float> x(n, on_host);
    Numbers<double> y(n, on_host);
    refused |= curandGenerateNormal(generator, x.data(), n, 1, 2);
    moments("normal", x.fetched());
    refused |= curandGenerateNormalDouble(generator, y.data(), n, 1, 2);
    moments("normal, double", y.fetched());
    printf("%.9f\n", y.host[0]);
    refused |= curandGenerateLogNormal(generator, x.data(), n, 0, .5f);
    moments("log-normal", x.fetched());
    refused |= curandGenerateLogNormalDouble(generator, y.data(), n, 0, .5);
    moments("log-normal, double", y.fetched());
    printf("refused %d\n", refused);
    curandDestroyGenerator(generator);
}

/* cuRAND's Poisson numbers come from a table whose layout is its own: only their distribution. */
static void poisson(curandRngType_t type, double lambda)
{
    const size_t n = 20000;
    curandGenerator_t generator = made(type, false);
    Numbers<unsigned> x(n, false);
    const int refused = curandGeneratePoisson(generator, x.data(), n, lambda);
    double sum = 0, squares = 0;
    for (unsigned value : x.fetched()) {
        sum += value;
        squares += (double)value * value;
    }
    const double mean = sum / n, variance = squares / n - mean * mean;
    printf("poisson %g: mean %s, variance %s, %d\n", lambda,
           fabs(mean / lambda - 1) < .03 ? "right" : "wrong",
           fabs(variance / lambda - 1) < .06 ? "right" : "wrong", refused);
    curandDestroyGenerator(generator);
}

static void errors()
{
    curandGenerator_t generator = made(CURAND_RNG_PSEUDO_DEFAULT, false), none = nullptr;
    Numbers<unsigned> bits(8, false);
    Numbers<unsigned long long> long_bits(8, false);
    Numbers<float> x(8, false);
    printf("null %d\n", curandGenerate(none, bits.data(), 8));
    printf("odd normals %d\n", curandGenerateNormal(generator, x.data(), 7, 0, 1));
    printf("long numbers %d\n", curandGenerateLongLong(generator, long_bits.data(), 8));
    printf("dimensions %d\n", curandSetQuasiRandomGeneratorDimensions(generator, 2));
    printf("ordering %d\n", curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT));
    curandDestroyGenerator(generator);
    printf("type %d\n", curandCreateGenerator(&generator, (curandRngType_t)77));
    generator = made(CURAND_RNG_PSEUDO_MTGP32, false);
    printf("offset %d\n", curandSetGeneratorOffset(generator, 1));
    curandDestroyGenerator(generator);
    generator = made(CURAND_RNG_QUASI_DEFAULT, false);
    printf("seed %d\n", curandSetPseudoRandomGeneratorSeed(generator, 1));
    printf("no dimensions %d\n", curandSetQuasiRandomGeneratorDimensions(generator, 0));
    printf("three dimensions %d\n", curandSetQuasiRandomGeneratorDimensions(generator, 3));
    printf("of eight numbers %d\n", curandGenerate(generator, bits.data(), 8));
    curandDestroyGenerator(generator);
}

int main()
{
    for (bool on_host : {true, false}) {
        puts(on_host ? "on the host" : "on the device");
        for (curandOrdering_t ordering :
             {CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_LEGACY})
            for (unsigned long long seed : {0ull, 77ull, 0x123456789abcull})
                for (unsigned long long offset : {0ull, 10007ull}) {
                    sequence("XORWOW", CURAND_RNG_PSEUDO_XORWOW, ordering, seed, offset, on_host);
                    sequence("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, ordering, seed, offset,
                             on_host);
                    if (seed == 77)
                        sequence("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, ordering, seed, offset,
                                 on_host);
                    if (offset == 0)
                        sequence("MTGP32", CURAND_RNG_PSEUDO_MTGP32, ordering, seed, offset,
                                 on_host);
                }
        for (unsigned long long offset : {0ull, 10007ull}) {
            sequence("Sobol32", CURAND_RNG_QUASI_SOBOL32, CURAND_ORDERING_QUASI_DEFAULT, 0, offset,
                     on_host);
            sequence("Sobol64", CURAND_RNG_QUASI_SOBOL64, CURAND_ORDERING_QUASI_DEFAULT, 0, offset,
                     on_host);
        }
        distributions("XORWOW", CURAND_RNG_PSEUDO_XORWOW, on_host);
        distributions("MTGP32", CURAND_RNG_PSEUDO_MTGP32, on_host);
        distributions("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, on_host);
        distributions("Sobol32", CURAND_RNG_QUASI_SOBOL32, on_host);
    }
    poisson(CURAND_RNG_PSEUDO_XORWOW, 3.5);
    poisson(CURAND_RNG_PSEUDO_PHILOX4_32_10, 100);
    poisson(CURAND_RNG_QUASI_SOBOL64, 3000);
    errors();
    return 0;
}
