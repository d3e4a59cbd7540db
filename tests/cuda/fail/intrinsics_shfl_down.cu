// SPDX-License-Identifier: BSD-3-Clause
// error: __shfl_down is not in CUDA any more: use __shfl_down_sync
__global__ void kernel(int *x)
{
    x[threadIdx.x] = __shfl_down(x[threadIdx.x], 1, 16);
}
