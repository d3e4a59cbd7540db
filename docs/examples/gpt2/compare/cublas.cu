/* SPDX-License-Identifier: 0BSD */
/* The matrix products of one byte of text by cuBLAS, without the layers between them: what a
 * program with cuBLAS takes at least.
 * nvcc -O3 compare/cublas.cu -lcublas -o cublas && ./cublas LAYERS HEADS */
#include <cublas_v2.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != 0) {                                                                         \
            fprintf(stderr, "%s failed\n", #call);                                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

int main(int argc, char **argv)
{
    const int layers = argc > 1 ? atoi(argv[1]) : 6, c = 64 * (argc > 2 ? atoi(argv[2]) : 6);
    const size_t each = 12 * (size_t)c * c;
    const float one = 1, zero = 0;
    float *weights, *x, *y, logits[256];
    double times[51];
    cublasHandle_t cublas;

    CHECK(cudaMalloc(&weights, (layers * each + 256 * (size_t)c) * sizeof(float)));
    CHECK(cudaMemset(weights, 0, (layers * each + 256 * (size_t)c) * sizeof(float)));
    CHECK(cudaMalloc(&x, 4 * (size_t)c * sizeof(float)));
    CHECK(cudaMalloc(&y, 4 * (size_t)c * sizeof(float)));
    CHECK(cudaMemset(x, 0, 4 * (size_t)c * sizeof(float)));
    CHECK(cublasCreate(&cublas));
    for (double &time : times) {
        const auto begin = std::chrono::steady_clock::now();
        const auto multiply = [&](int outputs, int inputs, const float *w) {
            CHECK(cublasSgemv(cublas, CUBLAS_OP_T, inputs, outputs, &one, w, inputs, x, 1, &zero, y,
                              1));
        };

        for (int l = 0; l < layers; l++) {
            const float *const w = weights + l * each;
            multiply(3 * c, c, w);
            multiply(c, c, w + 3 * (size_t)c * c);
            multiply(4 * c, c, w + 4 * (size_t)c * c);
            multiply(c, 4 * c, w + 8 * (size_t)c * c);
        }
        multiply(256, c, weights + layers * each);
        CHECK(cudaMemcpy(logits, y, sizeof logits, cudaMemcpyDeviceToHost));
        time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    std::sort(times, times + 51);
    printf("cuBLAS, %d layers of %d channels: %.1f us a byte, %.0f bytes a second\n", layers, c,
           1e6 * times[25], 1 / times[25]);
    return 0;
}
