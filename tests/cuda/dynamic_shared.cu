// SPDX-License-Identifier: BSD-3-Clause
// Dynamic shared memory as the lvalue that it is: bound to a reference, and its address.
#include <cstdio>

struct quad {
    int x[4];
};

extern __shared__ __align__(16) char of_file[];

template <class T> __global__ void as_lvalue(int *out)
{
    extern __shared__ __align__(16) char bytes[];
    T &cast = reinterpret_cast<T &>(bytes);
    T &c_cast = (T &)bytes;
    T &file_cast = reinterpret_cast<T &>(of_file);
    T *const address = reinterpret_cast<T *>(&bytes);
    T *const file_address = (T *)&of_file;
    const auto last = [=](int i) { return (int)bytes[i]; };
    cast.x[threadIdx.x] = 10 + (int)threadIdx.x;
    __syncthreads();
    const int left = (int)threadIdx.x ^ 1;
    int *const row = out + 6 * threadIdx.x;
    row[0] = cast.x[left];
    row[1] = c_cast.x[left];
    row[2] = file_cast.x[left];
    row[3] = address->x[left];
    row[4] = file_address->x[left];
    row[5] = last(0) + (bytes && &bytes[1] == bytes + 1);
}

// Other variables of these names are themselves.
template <int N> __device__ int last(int (&of_file)[N])
{
    return of_file[N - 1];
}

__global__ void other_names(int *out)
{
    int of_file = 5, bytes[3] = {1, 2, 3};
    int *const address = &of_file;
    *address |= 8;
    out[0] = (6) & of_file;
    out[1] = last(bytes);
    out[2] = (int)reinterpret_cast<unsigned &>(of_file);
}

int main()
{
    int *out, host[24];
    cudaMalloc(&out, sizeof host);
    as_lvalue<quad><<<1, 4, sizeof(quad)>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 24; i++)
        printf("%d%c", host[i], i % 6 == 5 ? '\n' : ' ');
    other_names<<<1, 1>>>(out);
    cudaMemcpy(host, out, 3 * sizeof *host, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0], host[1], host[2]);
    cudaFree(out);
    return 0;
}
