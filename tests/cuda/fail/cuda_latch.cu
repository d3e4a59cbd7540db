// SPDX-License-Identifier: BSD-3-Clause
// error: cuda/latch: portable-nvcc does not have this header
#include <cuda/latch>

int main()
{
    return 0;
}
