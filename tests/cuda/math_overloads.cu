// SPDX-License-Identifier: BSD-3-Clause
// The overloads of math functions at global scope, with and without `using namespace std`: their
// types, at compile time, and a few results.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#define SAME(expression, type)                                                                     \
    static_assert(std::is_same<decltype(expression), type>::value, #expression " is " #type)

SAME(sin(1.0f), float);
SAME(sin(1.0), double);
SAME(sin(1), double);
SAME(pow(1.0f, 1.0f), float);
SAME(pow(1.0f, 2), double);
SAME(pow(2, 2), double);
SAME(sqrt(2.0f), float);
SAME(exp(2.0f), float);
SAME(log(2.0f), float);
SAME(floor(2.0f), float);
SAME(fabs(2.0f), float);
SAME(abs(-1), int);
SAME(abs(-1l), long);
SAME(abs(-1ll), long long);
SAME(abs(-1.0f), float);
SAME(abs(-1.0), double);
SAME(min(1, 2), int);
SAME(min(1u, 2), unsigned);
SAME(min(1, 2u), unsigned);
SAME(min(1l, 2l), long);
SAME(min(1ul, 2l), unsigned long);
SAME(max(1ll, 2ll), long long);
SAME(max(1ll, 2ull), unsigned long long);
SAME(max(1.0f, 2.0f), float);
SAME(max(1.0f, 2.0), double);
SAME(max(1.0, 2.0f), double);
SAME(fmaxf(1.0f, 2.0f), float);
SAME(fmax(1.0f, 2.0f), float);
SAME(fma(1.0f, 2.0f, 3.0f), float);
SAME(hypot(1.0f, 2.0f), float);
SAME(cbrt(1.0f), float);
SAME(round(1.0f), float);
SAME(lround(1.0f), long);
SAME(llrint(1.0f), long long);
SAME(rsqrt(1.0f), float);
SAME(rsqrt(1.0), double);
SAME(rcbrt(1.0f), float);
SAME(exp10(1.0f), float);
SAME(sinpi(1.0f), float);
SAME(cospi(1.0), double);
SAME(erfinv(0.5f), float);
SAME(erfcinv(0.5f), float);
SAME(erfcx(0.5f), float);
SAME(normcdf(0.5f), float);
SAME(normcdfinv(0.5), double);
SAME(j0(1.0f), float);
SAME(jn(2, 1.0f), float);
SAME(copysign(1.0, 1.0f), double);
SAME(copysign(1.0f, 1.0f), float);
SAME(umin(1u, 2u), unsigned);
SAME(llmax(1ll, 2ll), long long);

__global__ void without_using(double *out)
{
    const int i = (int)threadIdx.x;
    const unsigned n = 3;
    const size_t large = (size_t)1 << 40;
    out[0] = min(i + 7, 5) + max(n, 9u);
    out[1] = (double)min((size_t)n, large);
    out[2] = abs(-3) + abs(-4l) + abs(-5.5f);
    out[3] = std::fabs(-1.5f) + std::sqrt(4.0) + std::abs(-2.0);
    out[4] = isnan(0.0f / (float)i) ? 1 : 0;
    out[5] = std::isinf(1.0 / i) && !signbit(2.0) && std::signbit(-2.0f);
    out[6] = std::pow(2.0f, 3.0f) + pow(2.0, 3);
    out[7] = max(-1, 1u); // as unsigned
    out[8] = min(-1, (int)n);
}

namespace program
{
using namespace std;
__global__ void with_using(double *out)
{
    const int i = (int)threadIdx.x;
    out[0] = min(i + 7, 5) + max(3.5f, 2.0f) + max(1.0, 2.0);
    out[1] = abs(-3) + abs(-2.5f) + fabs(-1.5);
    out[2] = pow(2.0f, 0.5f) < sqrt(2.1f) && floor(2.5f) == 2 && sin(0.0f) == 0;
    out[3] = isnan(sqrt(-1.0 - i)) && isfinite(1.0f) && !isinf(1.0);
    out[4] = rsqrt(4.0f) + rsqrt(16.0);
    out[5] = fmod(5.5f, 2.0f) + ceil(1.2) + trunc(-1.5f) + (double)lround(2.5);
}
} // namespace program

int main()
{
    double out[15], *device;
    cudaMalloc(&device, sizeof out);
    without_using<<<1, 1>>>(device);
    program::with_using<<<1, 1>>>(device + 9);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 15; i++)
        printf("%d: %g\n", i, out[i]);
    printf("on the host: %g %d %g\n", (double)max(1.5f, 2.5f), min(3, 4), rsqrt(0.25));
    cudaFree(device);
    return cudaDeviceSynchronize() != cudaSuccess;
}
