// SPDX-License-Identifier: BSD-3-Clause
// error: cudnn.h: portable-nvcc does not have cuDNN: use a CPU library, or build this file with nvcc
#include <cudnn.h>

int main()
{
    return 0;
}
