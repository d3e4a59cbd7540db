/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/warp.c as CUDA written by hand. */
typedef float REAL;

struct add {
    static __device__ REAL of(REAL a, REAL b)
    {
        return a + b;
    }
};
struct minimum {
    static __device__ REAL of(REAL a, REAL b)
    {
        return fminf(a, b);
    }
};
struct maximum {
    static __device__ REAL of(REAL a, REAL b)
    {
        return fmaxf(a, b);
    }
};

/* The number of lanes of this thread's warp. */
static __device__ unsigned lanes_of_warp()
{
    return min(blockDim.x - threadIdx.x / 32 * 32, 32);
}

/* The reduction of a warp that may be partial, in all its lanes. */
template <class Op> static __device__ REAL warp_reduce(REAL value)
{
    const unsigned lane = threadIdx.x % 32, lanes = lanes_of_warp();
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const REAL other = __shfl_xor_sync(0xffffffff, value, delta);
        if ((lane ^ delta) < lanes)
            value = Op::of(value, other);
    }
    return __shfl_sync(0xffffffff, value, 0);
}

extern "C" __global__ void warp_reduce_real(const REAL *__restrict__ x, REAL *__restrict__ sums,
                                            REAL *__restrict__ lows, REAL *__restrict__ highs)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const REAL value = x[i];
    sums[i] = warp_reduce<add>(value);
    lows[i] = warp_reduce<minimum>(value);
    highs[i] = warp_reduce<maximum>(value);
}

/* The sum over a warp that may be partial, in its lane 0, and 0 in the others. */
template <class T> static __device__ T warp_sum(T sum)
{
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const T other = __shfl_down_sync(0xffffffff, sum, delta);
        if (threadIdx.x + delta < blockDim.x)
            sum += other;
    }
    return threadIdx.x % 32 == 0 ? sum : 0;
}

extern "C" __global__ void warp_sum_int(const int *__restrict__ x, int *__restrict__ sums)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = warp_sum(x[i]);
}

extern "C" __global__ void warp_sum_ull(const unsigned long long *__restrict__ x,
                                        unsigned long long *__restrict__ sums)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = warp_sum(x[i]);
}

extern "C" __global__ void warp_scan_double(const double *__restrict__ x,
                                            double *__restrict__ scanned)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    double sum = x[i];
    for (unsigned delta = 1; delta < 32; delta *= 2) {
        const double other = __shfl_up_sync(0xffffffff, sum, delta);
        if (lane >= delta)
            sum += other;
    }
    scanned[i] = sum;
}

extern "C" __global__ void warp_votes(const REAL *__restrict__ x, unsigned *__restrict__ ballots,
                                      int *__restrict__ anys, int *__restrict__ alls)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool positive = x[i] > 0;
    ballots[i] = __ballot_sync(0xffffffff, positive);
    anys[i] = __any_sync(0xffffffff, positive);
    alls[i] = __all_sync(0xffffffff, positive);
}

extern "C" __global__ void warp_gather(const REAL *__restrict__ x, const int *__restrict__ lanes,
                                       REAL *__restrict__ y)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = __shfl_sync(0xffffffff, x[i], lanes[i] % lanes_of_warp());
}
