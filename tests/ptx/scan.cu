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

/* 32 bits with a flag above them. */
static __device__ void publish(unsigned long long *word, unsigned bits)
{
    const unsigned long long value = 1ull << 32 | bits;
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

static __device__ unsigned await(const unsigned long long *word)
{
    unsigned long long seen;
    do
        asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(seen) : "l"(word) : "memory");
    while (seen >> 32 == 0);
    return (unsigned)seen;
}

static __device__ float4 scan_four(float4 v)
{
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    return v;
}

/* From the sum of each four of tile t to what is before it; returns the sum of the tiles before. */
static __device__ __forceinline__ float
scan_tile(unsigned t, float4 *fours, unsigned long long *tile_sums, unsigned long long *group_sums)
{
    __shared__ float whole;
    const unsigned thread = threadIdx.x;
    float4 low = scan_four(fours[2 * thread]), high = scan_four(fours[2 * thread + 1]);
    const float before = block_scan<false>(low.w + high.w);
    low = scan_four(fours[2 * thread]), high = scan_four(fours[2 * thread + 1]);
    const float middle = before + low.w;
    fours[2 * thread] = make_float4(before, before + low.x, before + low.y, before + low.z);
    fours[2 * thread + 1] = make_float4(middle, middle + high.x, middle + high.y, middle + high.z);
    if (thread == 255) {
        whole = middle + high.w;
        publish(&tile_sums[t], __float_as_uint(middle + high.w));
    }
    __syncthreads();
    const unsigned group = t / 256;
    float earlier = 0;
    if (thread < 128) {
        const unsigned window = group > 0 ? (group - 1) * 256 : 0;
        for (unsigned k = window + thread; k < t; k += 128)
            earlier += __uint_as_float(await(&tile_sums[k]));
        if (thread == 0 && group > 1)
            earlier += __uint_as_float(await(&group_sums[group - 2]));
    }
    earlier = block_sum(earlier);
    if (thread == 0 && t % 256 == 255)
        publish(&group_sums[group], __float_as_uint(earlier + whole));
    return earlier;
}

extern "C" __global__ void __launch_bounds__(256, 4)
    scan_single_pass(int n, const float *__restrict__ x, float *__restrict__ scanned,
                     unsigned *__restrict__ queue, unsigned long long *__restrict__ tile_sums,
                     unsigned long long *__restrict__ group_sums)
{
    __shared__ float4 fours[512];
    __shared__ unsigned ticket;
    const unsigned tiles = n > 0 ? n / 8192u : 0, thread = threadIdx.x;
    float *const four = (float *)fours;
    for (;;) {
        if (thread == 0)
            ticket = atomicAdd(queue, 1);
        __syncthreads();
        const unsigned t = ticket;
        if (t >= tiles)
            break;
        const int first = t * 8192;
        const float4 *const from = (const float4 *)(x + first);
        float4 *const to = (float4 *)(scanned + first);
#pragma unroll
        for (unsigned k = 0; k < 2048; k += 256)
            four[k + thread] = scan_four(from[k + thread]).w;
        __syncthreads();
        const float earlier = scan_tile(t, fours, tile_sums, group_sums);
#pragma unroll
        for (unsigned k = 0; k < 2048; k += 256) {
            const float start = earlier + four[k + thread];
            const float4 v = scan_four(from[k + thread]);
            to[k + thread] = make_float4(start + v.x, start + v.y, start + v.z, start + v.w);
        }
    }
    const int first = tiles * 8192;
    if (ticket == tiles && first < n) {
        for (int k = thread; k < 2048; k += 256) {
            const int start = first + 4 * k, end = n - start < 4 ? n : start + 4;
            float through = 0;
            for (int i = start; i < end; i++)
                through += x[i];
            four[k] = through;
        }
        __syncthreads();
        const float earlier = scan_tile(tiles, fours, tile_sums, group_sums);
        for (int k = thread; k < 2048; k += 256) {
            const int start = first + 4 * k, end = n - start < 4 ? n : start + 4;
            float through = 0;
            for (int i = start; i < end; i++) {
                through += x[i];
                scanned[i] = earlier + four[k] + through;
            }
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

static __device__ unsigned count_four(float4 v, float threshold)
{
    return (v.x > threshold) + (v.y > threshold) + (v.z > threshold) + (v.w > threshold);
}

static __device__ unsigned put(float *partition, unsigned place, unsigned behind, float v,
                               float threshold)
{
    const unsigned keep = v > threshold;
    partition[place + (1 - keep) * behind] = v;
    return place + keep;
}

static __device__ unsigned sum_of(uint4 v)
{
    return v.x + v.y + v.z + v.w;
}

static __device__ uint4 starts_of(unsigned start, uint4 v)
{
    return make_uint4(start, start + v.x, start + v.x + v.y, start + v.x + v.y + v.z);
}

/* The number kept of the tiles before t. */
static __device__ __forceinline__ unsigned
look_back(unsigned t, const unsigned long long *tile_counts, const unsigned long long *group_counts)
{
    const unsigned group = t / 256, thread = threadIdx.x;
    unsigned earlier = 0;
    if (thread < 128) {
        const unsigned window = group > 0 ? (group - 1) * 256 : 0;
        for (unsigned k = window + thread; k < t; k += 128)
            earlier += await(&tile_counts[k]);
        if (thread == 0 && group > 1)
            earlier += await(&group_counts[group - 2]);
    }
    return block_sum(earlier);
}

extern "C" __global__ void __launch_bounds__(256, 4)
    compact_single_pass(int n, float threshold, const float *__restrict__ x,
                        float *__restrict__ packed, unsigned *__restrict__ kept,
                        unsigned *__restrict__ queue, unsigned long long *__restrict__ tile_counts,
                        unsigned long long *__restrict__ group_counts)
{
    __shared__ float partition[8192];
    __shared__ uint4 fours[512];
    __shared__ unsigned whole, start_of_tile, ticket;
    const unsigned tiles = n > 0 ? n / 8192u : 0, thread = threadIdx.x;
    const int end = tiles * 8192;
    unsigned *const four = (unsigned *)fours;
    for (;;) {
        if (thread == 0)
            ticket = atomicAdd(queue, 1);
        __syncthreads();
        const unsigned t = ticket;
        if (t >= tiles)
            break;
        const float4 *const from = (const float4 *)(x + (int)t * 8192);
#pragma unroll
        for (unsigned k = 0; k < 2048; k += 256)
            four[k + thread] = count_four(from[k + thread], threshold);
        __syncthreads();
        const unsigned sum = sum_of(fours[2 * thread]) + sum_of(fours[2 * thread + 1]);
        const unsigned before = block_scan<false>(sum);
        const unsigned middle = before + sum_of(fours[2 * thread]);
        fours[2 * thread] = starts_of(before, fours[2 * thread]);
        fours[2 * thread + 1] = starts_of(middle, fours[2 * thread + 1]);
        if (thread == 255) {
            whole = before + sum;
            publish(&tile_counts[t], before + sum);
        }
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < 2048; k += 256) {
            const float4 v = from[k + thread];
            const unsigned behind = 8191 - 4 * (k + thread);
            unsigned place = four[k + thread];
            place = put(partition, place, behind, v.x, threshold);
            place = put(partition, place, behind - 1, v.y, threshold);
            place = put(partition, place, behind - 2, v.z, threshold);
            put(partition, place, behind - 3, v.w, threshold);
        }
        const unsigned earlier = look_back(t, tile_counts, group_counts);
        if (thread == 0) {
            start_of_tile = earlier;
            if (t % 256 == 255)
                publish(&group_counts[t / 256], earlier + whole);
            if (t == tiles - 1 && end == n)
                *kept = earlier + whole;
        }
        __syncthreads();
        const unsigned count = whole;
        for (unsigned k = 0; k < count; k += 256)
            if (thread < count - k)
                packed[start_of_tile + k + thread] = partition[k + thread];
    }
    if (ticket == tiles && end < n) {
        unsigned earlier = look_back(tiles, tile_counts, group_counts);
        const unsigned left = n - end;
        for (unsigned k = 0; k < left; k += 256) {
            const float value = k + thread < left ? x[end + k + thread] : threshold;
            const unsigned keep = value > threshold;
            const unsigned before = block_scan<false>(keep);
            if (keep)
                packed[earlier + before] = value;
            if (thread == 255)
                whole = before + keep;
            __syncthreads();
            earlier += whole;
        }
        if (thread == 0)
            *kept = earlier;
    }
}
