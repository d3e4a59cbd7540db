// SPDX-License-Identifier: BSD-3-Clause
// error: __ballot is not in CUDA any more: use __ballot_sync
__global__ void kernel(int *x)
{
    x[threadIdx.x] = (int)__ballot(x[threadIdx.x] > 0);
}
