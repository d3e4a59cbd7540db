// SPDX-License-Identifier: BSD-3-Clause
// error: cusparse.h: portable-nvcc does not have cuSPARSE: write the product as a kernel, or build this file with nvcc
#include <cusparse.h>

int main()
{
    return 0;
}
