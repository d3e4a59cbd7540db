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
template <class T> static __device__ T warp_sum(T value, unsigned lane, unsigned lanes)
{
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const T other = __shfl_xor_sync(0xffffffff, value, delta);
        if ((lane ^ delta) < lanes)
            value += other;
    }
    return value;
}

/* The sum over a block of any size, in all its threads. */
template <class T> static __device__ T block_sum(T value)
{
    __shared__ T of_warp[32], of_block;
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

/* A sum with a flag above it. */
static __device__ void publish(unsigned long long *word, float sum)
{
    const unsigned long long value = 1ull << 32 | __float_as_uint(sum);
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

static __device__ float await(const unsigned long long *word)
{
    unsigned long long seen;
    do
        asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(seen) : "l"(word) : "memory");
    while (seen >> 32 == 0);
    return __uint_as_float((unsigned)seen);
}

static __device__ unsigned slot(unsigned i)
{
    return i ^ i / 8 % 8;
}

extern "C" __global__ void __launch_bounds__(512, 3)
    scan_single_pass(int n, const float *__restrict__ x, float *__restrict__ scanned,
                     unsigned *__restrict__ queue, unsigned long long *__restrict__ tile_sums,
                     unsigned long long *__restrict__ group_sums)
{
    extern __shared__ float4 tile[];
    __shared__ unsigned ticket;
    const unsigned tiles = n > 0 ? (n + 16383u) / 16384 : 0, thread = threadIdx.x;
    for (;;) {
        if (thread == 0)
            ticket = atomicAdd(queue, 1);
        __syncthreads();
        const unsigned t = ticket;
        if (t >= tiles)
            break;
        const unsigned first = t * 16384, count = min(n - first, 16384u);
        if (count == 16384) {
#pragma unroll
            for (unsigned k = 0; k < 4096; k += 512)
                tile[slot(k + thread)] = ((const float4 *)x)[first / 4 + k + thread];
        } else {
            for (unsigned i = thread; i < 16384; i += 512)
                ((float *)&tile[slot(i / 4)])[i % 4] = i < count ? x[first + i] : 0;
        }
        __syncthreads();
        float4 four = make_float4(0, 0, 0, 0);
#pragma unroll
        for (unsigned k = 0; k < 8; k++) {
            const float4 v = tile[slot(thread * 8 + k)];
            four = make_float4(four.x + v.x, four.y + v.y, four.z + v.z, four.w + v.w);
        }
        const float sum = (four.x + four.y) + (four.z + four.w);
        const float before = block_scan<false>(sum);
        const unsigned group = t / 64, window = group > 0 ? (group - 1) * 64 : 0;
        if (thread == 511)
            publish(&tile_sums[t], before + sum);
        float prefix = 0;
        if (thread >= 480) {
#pragma unroll
            for (unsigned k = thread - 480; k < 128; k += 32)
                prefix += window + k < t ? await(&tile_sums[window + k]) : 0;
            if (thread == 511 && group > 1)
                prefix += await(&group_sums[group - 2]);
        }
        prefix = block_sum(prefix);
        if (thread == 511 && t % 64 == 63)
            publish(&group_sums[group], prefix + (before + sum));
        float through = prefix + before;
#pragma unroll
        for (unsigned k = 0; k < 8; k++) {
            float4 v = tile[slot(thread * 8 + k)];
            v.x = through + v.x;
            v.y = v.x + v.y;
            v.z = v.y + v.z;
            v.w = v.z + v.w;
            tile[slot(thread * 8 + k)] = v;
            through = v.w;
        }
        __syncthreads();
        if (count == 16384) {
#pragma unroll
            for (unsigned k = 0; k < 4096; k += 512)
                ((float4 *)scanned)[first / 4 + k + thread] = tile[slot(k + thread)];
        } else {
            for (unsigned i = thread; i < count; i += 512)
                scanned[first + i] = ((float *)&tile[slot(i / 4)])[i % 4];
        }
    }
}

extern "C" __global__ void compact_count(int n, REAL threshold, const REAL *__restrict__ x,
                                         int *__restrict__ kept)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int sum = block_sum<int>(i < n && x[i] > threshold);
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
