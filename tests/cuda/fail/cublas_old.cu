// SPDX-License-Identifier: BSD-3-Clause
// error: cublas.h: portable-nvcc has the interface with handles only: include cublas_v2.h instead
#include <cublas.h>

int main()
{
    return 0;
}
