// SPDX-License-Identifier: BSD-3-Clause
/*
 * Structures by value: functions that return them, in registers or in memory, and take them; the
 * results go to shared and to global memory, and are read from there.
 */
#include <stdio.h>

struct pair {
    int a, b;
};
struct matrix {
    float m[3][3];
};
struct state {
    matrix rotation;
    pair count;
    double weight;
    __device__ state(int i);
};

__device__ pair make_pair_of(int a)
{
    pair p = {a, a * a};
    return p;
}
__device__ pair swapped(pair p)
{
    return {p.b, p.a};
}
__device__ matrix diagonal(float x)
{
    matrix d;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            d.m[i][j] = i == j ? x : 0;
    return d;
}
__device__ matrix product(matrix x, matrix y)
{
    matrix z;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            z.m[i][j] = 0;
            for (int k = 0; k < 3; k++)
                z.m[i][j] += x.m[i][k] * y.m[k][j];
        }
    return z;
}
__device__ float trace(matrix x)
{
    return x.m[0][0] + x.m[1][1] + x.m[2][2];
}
__device__ float4 halves(float4 v)
{
    return make_float4(v.x / 2, v.y / 2, v.z / 2, v.w / 2);
}
__device__ float4 operator+(float4 v, float4 w)
{
    return make_float4(v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w);
}
/* Members that are initialised by functions. */
__device__ state::state(int i) : rotation(diagonal(i)), count(make_pair_of(i)), weight(i / 4.0)
{
}
__device__ pair fibonacci(int n)
{
    if (n == 0)
        return {0, 1};
    const pair p = fibonacci(n - 1);
    return {p.b, p.a + p.b};
}
__device__ pair best(pair p, pair q)
{
    return p.b > q.b ? p : q;
}

template <class T> __device__ T twice(T x)
{
    return x + x;
}

/* Neighbours exchange structures through shared memory. */
__global__ void exchange(pair *pairs, float *traces)
{
    __shared__ pair tile[32];
    __shared__ matrix matrices[32];
    const int i = threadIdx.x;
    tile[i] = make_pair_of(i);
    matrices[i] = diagonal(i);
    __syncthreads();
    pairs[i] = swapped(tile[31 - i]);
    pairs[i].a += tile[i ^ 1].b;
    traces[i] = trace(product(matrices[31 - i], matrices[i])) + matrices[i ^ 1].m[2][2];
    __syncthreads();
    matrices[i] = product(matrices[i], diagonal(2));
    tile[i] = swapped(tile[i]);
    traces[i] += trace(matrices[i]);
    pairs[i] = best(pairs[i], tile[i]);
}

__global__ void vectors(float4 *v)
{
    const int i = threadIdx.x;
    v[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
    v[i] = halves(v[i]) + v[i];
    v[i] = twice(v[i]);
}

__global__ void states(state *s, pair *numbers)
{
    const int i = threadIdx.x;
    s[i] = state(i);
    s[i].count = swapped(s[i].count);
    numbers[i] = fibonacci(i % 8);
}

__global__ void sums(const state *s, const pair *numbers, double *sum)
{
    const int i = threadIdx.x;
    sum[i] = trace(s[i].rotation) + s[i].count.a + s[i].count.b + s[i].weight;
    sum[i] += best(numbers[i], s[i].count).b;
}

template <class T> static void print(const char *name, const T *values, void (*line)(const T &))
{
    T copies[32];
    cudaMemcpy(copies, values, sizeof copies, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i += 5) {
        printf("%-8s %2d  ", name, i);
        line(copies[i]);
    }
}

int main()
{
    pair *pairs;
    float *traces;
    float4 *v;
    state *s;
    double *sum;
    cudaMalloc(&pairs, 32 * sizeof *pairs);
    cudaMalloc(&traces, 32 * sizeof *traces);
    cudaMalloc(&v, 32 * sizeof *v);
    cudaMalloc(&s, 32 * sizeof *s);
    cudaMalloc(&sum, 32 * sizeof *sum);
    exchange<<<1, 32>>>(pairs, traces);
    vectors<<<1, 32>>>(v);
    print<pair>("pairs", pairs, [](const pair &p) { printf("%d %d\n", p.a, p.b); });
    print<float>("traces", traces, [](const float &x) { printf("%g\n", x); });
    print<float4>("vectors", v,
                  [](const float4 &x) { printf("%g %g %g %g\n", x.x, x.y, x.z, x.w); });
    states<<<1, 32>>>(s, pairs);
    sums<<<1, 32>>>(s, pairs, sum);
    print<pair>("numbers", pairs, [](const pair &p) { printf("%d %d\n", p.a, p.b); });
    print<double>("sums", sum, [](const double &x) { printf("%.10g\n", x); });
    cudaFree(pairs);
    cudaFree(traces);
    cudaFree(v);
    cudaFree(s);
    cudaFree(sum);
    return 0;
}
