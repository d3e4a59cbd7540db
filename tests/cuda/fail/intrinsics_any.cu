// SPDX-License-Identifier: BSD-3-Clause
// error: __any is not in CUDA any more: use __any_sync
__global__ void kernel(int *x)
{
    x[threadIdx.x] = __any(x[threadIdx.x] > 0);
}
