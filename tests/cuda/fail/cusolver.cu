// SPDX-License-Identifier: BSD-3-Clause
// error: cusolverDn.h: portable-nvcc does not have cuSOLVER: use a CPU library such as LAPACK, or build this file with nvcc
#include <cusolverDn.h>

int main()
{
    return 0;
}
