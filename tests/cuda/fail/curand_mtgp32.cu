// SPDX-License-Identifier: BSD-3-Clause
// error: curand_mtgp32.h: portable-nvcc has no MTGP32; use curandStatePhilox4_32_10_t or XORWOW
#include <curand_mtgp32.h>

int main()
{
    return 0;
}
