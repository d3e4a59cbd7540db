// SPDX-License-Identifier: BSD-3-Clause
// error: __shfl is not in CUDA any more: use __shfl_sync
__global__ void kernel(int *x)
{
    x[threadIdx.x] = __shfl(x[threadIdx.x], 0);
}
