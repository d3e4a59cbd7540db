// SPDX-License-Identifier: BSD-3-Clause
// Special values of functions that C lacks, functions of several arguments, and fast intrinsics.
#include <cstdio>
#include <cuda_runtime.h>
#include <math_constants.h>

enum { MOST = 200 };

// A list of results that grows; the names are numbers until the host prints them.
struct list {
    double *values;
    int count;
    __device__ void add(double value)
    {
        values[count++] = value;
    }
};

__global__ void compute(double *values, int *count)
{
    const double inf = CUDART_INF, nan = CUDART_NAN;
    list out = {values, 0};
    // 0: infinities, zeros and ends of ranges
    out.add(rsqrt(0.0));
    out.add(rsqrt(inf));
    out.add(rsqrt(-1.0));
    out.add(rsqrtf(4.0f));
    out.add(rcbrt(8.0));
    out.add(rcbrt(0.0));
    out.add(rcbrtf(-27.0f * 8));
    out.add(erfinv(1.0));
    out.add(erfinv(-1.0));
    out.add(erfinv(1.5));
    // 10
    out.add(erfinv(0.0));
    out.add(erfcinv(0.0));
    out.add(erfcinv(2.0));
    out.add(erfcinv(-1.0));
    out.add(erfcinvf(1.0f));
    out.add(normcdf(0.0));
    out.add(normcdf(inf));
    out.add(normcdf(-inf));
    out.add(normcdfinv(0.0));
    out.add(normcdfinv(1.0));
    // 20
    out.add(normcdfinv(0.5));
    out.add(normcdfinvf(1.5f));
    out.add(erfcx(-inf));
    out.add(erfcx(inf));
    out.add(erfcx(0.0));
    out.add(erfcxf(-30.0f));
    out.add(cyl_bessel_i0(0.0));
    out.add(cyl_bessel_i1(0.0));
    out.add(cyl_bessel_i0(inf));
    out.add(cyl_bessel_i1f(-200.0f));
    // 30
    out.add(sinpi(1.0));
    out.add(sinpi(0.5));
    out.add(sinpi(-1.5));
    out.add(sinpi(inf));
    out.add(cospi(0.5));
    out.add(cospi(1.0));
    out.add(cospi(1e300));
    out.add(sinpif(2.5f));
    out.add(cospif(1.5f));
    out.add(cospif(3.0f));
    // 40
    double s, c;
    sincospi(1.5, &s, &c);
    out.add(s);
    out.add(c);
    float t, d;
    sincospif(-0.5f, &t, &d);
    out.add(t);
    out.add(d);
    sincos(0.0f, &t, &d);
    out.add(t);
    out.add(d);
    out.add(norm3d(2.0, 3.0, 6.0));
    out.add(norm4d(2.0, 4.0, 4.0, 8.0));
    out.add(norm3df(2.0f, 3.0f, 6.0f));
    out.add(norm4df(1e30f, 1e30f, 1e30f, 1e30f) == 2e30f);
    // 50
    const double p[] = {1.0, 2.0, 4.0, 10.0};
    const float q[] = {1.0f, 2.0f, 4.0f, 10.0f};
    out.add(norm(4, p));
    out.add(normf(4, q));
    out.add(rnorm3d(0.0, 0.0, 0.0));
    out.add(rnorm4d(2.0, 4.0, 4.0, 8.0));
    out.add(rnorm3df(0.0f, 3.0f, 4.0f) == 0.2f);
    out.add(rnorm(4, p) * 11 > 0.999999);
    out.add(norm3d(inf, nan, 1.0));
    out.add(rnorm3d(nan, inf, 1.0));
    out.add(rhypot(3.0, 4.0) == 0.2);
    out.add(rhypotf(0.0f, 0.0f));
    // 60
    out.add(rhypot(inf, nan));
    out.add(exp10(3.0));
    out.add(exp10f(-inf));
    out.add(fdim(5.0, 3.0));
    out.add(fdim(3.0f, 5.0f));
    out.add(nearbyint(2.5));
    out.add(rint(-3.5f));
    out.add(round(-2.5));
    out.add((double)llround(2.5f));
    out.add((double)lrint(3.5));
    // 70
    out.add(fmin(nan, 2.0));
    out.add(fmaxf(2.0f, (float)nan));
    out.add(min(nan, 2.0));
    out.add(max(2.0f, (float)nan));
    out.add(__saturatef(-3.0f));
    out.add(__saturatef((float)nan));
    out.add(__saturatef(0.25f));
    out.add(__saturatef(inf));
    out.add(fdividef(6.0f, 3.0f));
    out.add(fdivide(6.0, 3.0));
    // 80: fast intrinsics
    out.add(__fdividef(6.0f, 3.0f));
    out.add(__fdividef(2.0f, 1e38f));
    out.add(__fdividef(inf, 1e38f));
    out.add(__powf(-2.0f, 2.0f));
    out.add(__powf(2.0f, 10.0f));
    out.add(__expf(-inf));
    out.add(__expf(inf));
    out.add(__logf(0.0f));
    out.add(__logf(-1.0f));
    out.add(__log2f(8.0f));
    // 90: near enough
    out.add(fabsf(__sinf(1.0f) - 0.8414710f) < 1e-6f);
    out.add(fabsf(__cosf(1.0f) - 0.5403023f) < 1e-6f);
    out.add(fabsf(__tanf(1.0f) - 1.5574077f) < 1e-5f);
    __sincosf(2.0f, &t, &d);
    out.add(fabsf(t - 0.9092974f) < 1e-6f && fabsf(d + 0.4161468f) < 1e-6f);
    out.add(fabsf(__expf(1.0f) - 2.7182818f) < 1e-5f);
    out.add(fabsf(__exp10f(2.0f) - 100.0f) < 1e-3f);
    out.add(fabsf(__log10f(1000.0f) - 3.0f) < 1e-5f);
    out.add(fabsf(__tanhf(0.5f) - 0.4621172f) < 1e-3f);
    out.add(fabsf(__powf(3.0f, 2.5f) - 15.588457f) < 1e-4f);
    out.add(fabs(jn(3, 2.0) - 0.12894324947440205) < 1e-8);
    // 100
    out.add(fabs(yn(2, 3.0) - -0.16040039348492372) < 1e-8);
    out.add(fabsf(jnf(2, 1.5f) - 0.2320877f) < 1e-5f);
    int quotient, exponent;
    out.add(remquo(29.0, 3.0, &quotient));
    out.add(quotient & 7);
    out.add(remainderf(29.0f, 4.0f));
    out.add(fmod(-7.5, 2.0));
    out.add(frexp(48.0, &exponent));
    out.add(exponent);
    out.add(ldexpf(0.75f, 4));
    double whole;
    out.add(modf(-3.25, &whole));
    // 110
    out.add(whole);
    out.add(logb(1000.0));
    out.add(ilogb(0.1f));
    out.add(scalbn(3.0, 5));
    out.add(scalblnf(3.0f, -1));
    out.add(nextafterf(1.0f, 2.0f) > 1.0f);
    out.add(copysign(3.0, -0.0));
    out.add(isnan(nan) + 2 * isinf(inf) + 4 * isfinite(1.0f) + 8 * signbit(-0.0f));
    out.add(atan2(1.0, -1.0) == CUDART_3PIO4);
    out.add(CUDART_PI_F == 3.14159274f);
    *count = out.count;
}

int main()
{
    static double values[MOST];
    double *device;
    int count, *device_count;
    cudaMalloc(&device, sizeof values);
    cudaMalloc(&device_count, sizeof count);
    cudaMemset(device, 0, sizeof values);
    compute<<<1, 1>>>(device, device_count);
    cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, device_count, sizeof count, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        if (values[i] != values[i])
            printf("%d: nan\n", i);
        else
            printf("%d: %.6g\n", i, values[i]);
    cudaFree(device);
    cudaFree(device_count);
    return cudaDeviceSynchronize() != cudaSuccess;
}
