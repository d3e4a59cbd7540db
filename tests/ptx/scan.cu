/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/scan.c as CUDA written by hand. */
typedef float REAL;

/* The inclusive scan of a warp. */
template <class T> static __device__ T warp_scan(T value, unsigned lane)
{
    for (unsigned delta = 1; delta < 32; delta *= 2) {
        const T other = __shfl_up_sync(0xffffffff, value, delta);
        if (lane >= delta)
            value += other;
    }
    return value;
}

/* The scan of a block of any size. */
template <bool inclusive, class T> static __device__ T block_scan(T value)
{
    __shared__ T of_warp[32], before_warp[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned lanes = min(blockDim.x - warp * 32, 32), warps = (blockDim.x + 31) / 32;
    value = warp_scan(value, lane);
    if (lane == lanes - 1)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        const T through = warp_scan(of_warp[lane < warps ? lane : 0], lane);
        if (lane < 31)
            before_warp[lane + 1] = through;
    }
    __syncthreads();
    if (!inclusive) {
        value = __shfl_up_sync(0xffffffff, value, 1);
        if (lane == 0)
            return warp == 0 ? 0 : before_warp[warp];
    }
    return warp == 0 ? value : before_warp[warp] + value;
}

/* The sum over the first `lanes` lanes of a warp, in lane 0. */
static __device__ int warp_sum(int value, unsigned lane, unsigned lanes)
{
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const int other = __shfl_xor_sync(0xffffffff, value, delta);
        if ((lane ^ delta) < lanes)
            value += other;
    }
    return value;
}

/* The sum over a block of any size, in all its threads. */
static __device__ int block_sum(int value)
{
    __shared__ int of_warp[32], of_block;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned warps = (blockDim.x + 31) / 32;
    value = warp_sum(value, lane, min(blockDim.x - warp * 32, 32));
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = warp_sum(of_warp[lane < warps ? lane : 0], lane, warps);
        if (lane == 0)
            of_block = value;
    }
    __syncthreads();
    return of_block;
}

extern "C" __global__ void scan_inclusive_blocks(int n, const REAL *__restrict__ x,
                                                 REAL *__restrict__ scanned,
                                                 REAL *__restrict__ sums)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const REAL through = block_scan<true>(i < n ? x[i] : 0);
    if (i < n)
        scanned[i] = through;
    if (threadIdx.x == blockDim.x - 1)
        sums[blockIdx.x] = through;
}

extern "C" __global__ void scan_exclusive_blocks(int n, const REAL *__restrict__ x,
                                                 REAL *__restrict__ scanned,
                                                 REAL *__restrict__ sums)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const REAL value = i < n ? x[i] : 0;
    const REAL before = block_scan<false>(value);
    if (i < n)
        scanned[i] = before;
    if (threadIdx.x == blockDim.x - 1)
        sums[blockIdx.x] = before + value;
}

extern "C" __global__ void scan_sums(int n, REAL *__restrict__ sums)
{
    __shared__ REAL carry;
    if (threadIdx.x == 0)
        carry = 0;
    __syncthreads();
    for (int first = 0; first < n; first += blockDim.x) {
        const int i = first + threadIdx.x;
        const REAL value = i < n ? sums[i] : 0;
        const REAL carried = carry;
        const REAL before = block_scan<false>(value);
        if (i < n)
            sums[i] = carried + before;
        if (threadIdx.x == blockDim.x - 1)
            carry = carried + (before + value);
        __syncthreads();
    }
}

extern "C" __global__ void scan_add_sums(int n, const REAL *__restrict__ sums,
                                         REAL *__restrict__ scanned)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        scanned[i] += sums[blockIdx.x];
}

extern "C" __global__ void compact_count(int n, REAL threshold, const REAL *__restrict__ x,
                                         int *__restrict__ kept)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int sum = block_sum(i < n && x[i] > threshold);
    if (threadIdx.x == 0)
        kept[blockIdx.x] = sum;
}

extern "C" __global__ void compact_offsets(int n, int *__restrict__ counts)
{
    __shared__ int carry;
    if (threadIdx.x == 0)
        carry = 0;
    __syncthreads();
    for (int first = 0; first < n; first += blockDim.x) {
        const int i = first + threadIdx.x;
        const int value = i < n ? counts[i] : 0;
        const int carried = carry;
        const int before = block_scan<false>(value);
        if (i < n)
            counts[i] = carried + before;
        if (threadIdx.x == blockDim.x - 1)
            carry = carried + before + value;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        counts[n] = carry;
}

extern "C" __global__ void compact_by_scan(int n, REAL threshold, const REAL *__restrict__ x,
                                           const int *__restrict__ offsets,
                                           REAL *__restrict__ packed)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const REAL value = i < n ? x[i] : threshold;
    const int keep = value > threshold;
    const int place = block_scan<false>(keep);
    if (keep)
        packed[offsets[blockIdx.x] + place] = value;
}

extern "C" __global__ void compact_by_ballot(int n, REAL threshold, const REAL *__restrict__ x,
                                             const int *__restrict__ offsets,
                                             REAL *__restrict__ packed)
{
    __shared__ int warp_count[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const REAL value = i < n ? x[i] : threshold;
    const bool keep = value > threshold;
    const unsigned votes = __ballot_sync(0xffffffff, keep);
    if (lane == 0)
        warp_count[warp] = __popc(votes);
    __syncthreads();
    if (keep) {
        int place = __popc(votes & ((1u << lane) - 1));
        for (unsigned w = 0; w < warp; w++)
            place += warp_count[w];
        packed[offsets[blockIdx.x] + place] = value;
    }
}
