// SPDX-License-Identifier: BSD-3-Clause
// What the headers of C++ do is reported at the program's line, once.
#include <vector>

int main()
{
    std::vector<int> none;
    int *p;
    cudaMalloc(&p, 4);
    for (int k = 0; k < 3; k++) {
        cudaMemcpy(&none.front(), p, 0, cudaMemcpyDeviceToHost);
        cudaMemcpy(p, &none.front(), 0, cudaMemcpyHostToDevice);
    }
    cudaFree(p);
}
// memcheck exits with 1:
//     memcheck: error in host code: at empty_vector.cu:11: reference binding to null pointer of type 'int'
//     memcheck: 1 error in host code
