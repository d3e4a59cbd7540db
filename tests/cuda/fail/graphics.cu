// SPDX-License-Identifier: BSD-3-Clause
// error: cuda_gl_interop.h: portable-nvcc does not share memory with graphics: copy with cudaMemcpy, or build this file with nvcc
#include <cuda_gl_interop.h>

int main()
{
    return 0;
}
