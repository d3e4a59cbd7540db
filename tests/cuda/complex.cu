// SPDX-License-Identifier: BSD-3-Clause
// cuComplex.h: arithmetic that is exact in these numbers, on the host and in a kernel.
#include <cstdio>
#include <cuComplex.h>

template <class Z> struct Results {
    Z z[5];
    double size;
};

__host__ __device__ static Results<cuDoubleComplex> compute(cuDoubleComplex a, cuDoubleComplex b)
{
    return {{cuCadd(a, b), cuCsub(a, b), cuCmul(a, b), cuCdiv(a, b), cuCfma(a, b, cuConj(a))},
            cuCabs(a)};
}
__host__ __device__ static Results<cuFloatComplex> compute(cuFloatComplex a, cuFloatComplex b)
{
    return {{cuCaddf(a, b), cuCsubf(a, b), cuCmulf(a, b), cuCdivf(a, b), cuCfmaf(a, b, cuConjf(a))},
            cuCabsf(a)};
}

template <class Z> __global__ void kernel(Z a, Z b, Results<Z> *out)
{
    *out = compute(a, b);
}

template <class Z> static void show(const char *name, const Results<Z> &r)
{
    printf("%s:", name);
    for (const Z &z : r.z)
        printf(" %g%+gi", (double)z.x, (double)z.y);
    printf(" |a| = %g\n", r.size);
}

template <class Z> static int run(const char *name, Z a, Z b)
{
    Results<Z> *device, host;
    cudaMalloc(&device, sizeof host);
    cudaMemset(device, 0, sizeof host);
    kernel<<<1, 1>>>(a, b, device);
    const cudaError_t error = cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
    show(name, compute(a, b));
    show(name, host);
    cudaFree(device);
    return error;
}

int main()
{
    return run("double", make_cuDoubleComplex(3, 4), make_cuDoubleComplex(1, -1)) +
           run("float", make_cuComplex(6, -8), make_cuComplex(0, 2)) +
           run("large", make_cuDoubleComplex(3e300, 4e300), make_cuDoubleComplex(2e300, 0));
}
