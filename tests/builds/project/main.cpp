/* SPDX-License-Identifier: BSD-3-Clause */
// main [BUG]: tests the library. Exit status: 0, or 1 if the sum is wrong or a call fails.
#include "smooth.cuh"

#include <cstdio>
#include <cstring>
#include <vector>

static bool ok(cudaError_t error)
{
    if (error != cudaSuccess)
        std::fprintf(stderr, "smooth: %s\n", cudaGetErrorString(error));
    return error == cudaSuccess;
}

int test(const char *name)
{
    static const char *const names[] = {"", "bounds", "race", "unwritten", "barrier", "stream"};
    const int n = 200;
    std::vector<float> values(n, 1.5f);
    const size_t size = n * sizeof values[0];
    float *in = nullptr, *out = nullptr, sum = 0;
    int planted = NO_BUG;
    while (planted < STREAM && std::strcmp(name, names[planted]) != 0)
        planted++;
    if (!ok(cudaMalloc(&in, size)) || !ok(cudaMalloc(&out, size)))
        return 1;
    if (planted != UNWRITTEN && !ok(cudaMemcpy(in, values.data(), size, cudaMemcpyHostToDevice)))
        return 1;
    if (!ok(smooth(in, out, n, static_cast<bug>(planted))) || !ok(total(out, n, &sum)))
        return 1;
    if (!ok(cudaFree(in)) || !ok(cudaFree(out)))
        return 1;
    std::printf("smooth, %s: the sum is %g\n", built(), sum);
    return sum == n * mixed(1, 2) ? 0 : 1;
}

int main(int count, char **arguments)
{
    return test(count > 1 ? arguments[1] : "");
}
