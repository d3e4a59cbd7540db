// SPDX-License-Identifier: BSD-3-Clause
// error: nccl.h: portable-nvcc does not have NCCL, as there is one device: leave out its calls, or build this file with nvcc
#include <nccl.h>

int main()
{
    return 0;
}
