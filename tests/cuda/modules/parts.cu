// SPDX-License-Identifier: BSD-3-Clause
// With -DPART=1 and 2, the halves of a module that is linked at run time.
#if PART == 1
extern __device__ int twice(int x);
extern __device__ int offset;
extern "C" __global__ void linked(int *x)
{
    x[threadIdx.x] = twice(x[threadIdx.x]) + offset;
}
#else
__device__ int offset = 100;
__device__ int twice(int x)
{
    return 2 * x;
}
#endif
