/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lcusolver
/* cuSOLVER's dense calls: each factorisation is multiplied out, each solution put into its system;
 * what it refuses. */
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <type_traits>
#include <vector>

typedef std::complex<double> Complex;

/* The calls for a type, and how its numbers are on the device. */
template <class T> struct Solver;
#define SOLVER(L, Q, E, type, real, TYPE)                                                          \
    template <> struct Solver<type> {                                                              \
        typedef real Real;                                                                         \
        static const cudaDataType data_type = TYPE;                                                \
        static constexpr auto potrf_size = cusolverDn##L##potrf_bufferSize;                        \
        static constexpr auto potrf = cusolverDn##L##potrf;                                        \
        static constexpr auto potrs = cusolverDn##L##potrs;                                        \
        static constexpr auto potri_size = cusolverDn##L##potri_bufferSize;                        \
        static constexpr auto potri = cusolverDn##L##potri;                                        \
        static constexpr auto potrf_batched = cusolverDn##L##potrfBatched;                         \
        static constexpr auto potrs_batched = cusolverDn##L##potrsBatched;                         \
        static constexpr auto getrf_size = cusolverDn##L##getrf_bufferSize;                        \
        static constexpr auto getrf = cusolverDn##L##getrf;                                        \
        static constexpr auto getrs = cusolverDn##L##getrs;                                        \
        static constexpr auto gesv_size = cusolverDn##L##L##gesv_bufferSize;                       \
        static constexpr auto gesv = cusolverDn##L##L##gesv;                                       \
        static constexpr auto geqrf_size = cusolverDn##L##geqrf_bufferSize;                        \
        static constexpr auto geqrf = cusolverDn##L##geqrf;                                        \
        static constexpr auto orgqr_size = cusolverDn##L##Q##gqr_bufferSize;                       \
        static constexpr auto orgqr = cusolverDn##L##Q##gqr;                                       \
        static constexpr auto ormqr_size = cusolverDn##L##Q##mqr_bufferSize;                       \
        static constexpr auto ormqr = cusolverDn##L##Q##mqr;                                       \
        static constexpr auto syevd_size = cusolverDn##L##E##evd_bufferSize;                       \
        static constexpr auto syevd = cusolverDn##L##E##evd;                                       \
        static constexpr auto syevj_size = cusolverDn##L##E##evj_bufferSize;                       \
        static constexpr auto syevj = cusolverDn##L##E##evj;                                       \
        static constexpr auto sygvd_size = cusolverDn##L##E##gvd_bufferSize;                       \
        static constexpr auto sygvd = cusolverDn##L##E##gvd;                                       \
        static constexpr auto gesvd_size = cusolverDn##L##gesvd_bufferSize;                        \
        static constexpr auto gesvd = cusolverDn##L##gesvd;                                        \
        static constexpr auto gesvdj_size = cusolverDn##L##gesvdj_bufferSize;                      \
        static constexpr auto gesvdj = cusolverDn##L##gesvdj;                                      \
    };
SOLVER(S, or, sy, float, float, CUDA_R_32F)
SOLVER(D, or, sy, double, double, CUDA_R_64F)
SOLVER(C, un, he, cuComplex, float, CUDA_C_32F)
SOLVER(Z, un, he, cuDoubleComplex, double, CUDA_C_64F)

static void set(float &x, Complex z)
{
    x = (float)z.real();
}
static void set(double &x, Complex z)
{
    x = z.real();
}
static void set(cuComplex &x, Complex z)
{
    x = make_cuComplex((float)z.real(), (float)z.imag());
}
static void set(cuDoubleComplex &x, Complex z)
{
    x = make_cuDoubleComplex(z.real(), z.imag());
}
static Complex got(float x)
{
    return x;
}
static Complex got(double x)
{
    return x;
}
static Complex got(cuComplex x)
{
    return Complex(x.x, x.y);
}
static Complex got(cuDoubleComplex x)
{
    return Complex(x.x, x.y);
}

/* A matrix by columns. */
struct Matrix {
    int rows, columns;
    std::vector<Complex> x;
    Matrix(int m, int n) : rows(m), columns(n), x((size_t)(m * n))
    {
    }
    Complex &operator()(int i, int j)
    {
        return x[(size_t)(i + j * rows)];
    }
    Complex operator()(int i, int j) const
    {
        return x[(size_t)(i + j * rows)];
    }
};
static Matrix operator*(const Matrix &a, const Matrix &b)
{
    Matrix c(a.rows, b.columns);
    for (int j = 0; j < b.columns; j++)
        for (int k = 0; k < a.columns; k++)
            for (int i = 0; i < a.rows; i++)
                c(i, j) += a(i, k) * b(k, j);
    return c;
}
static Matrix adjoint(const Matrix &a)
{
    Matrix b(a.columns, a.rows);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++)
            b(j, i) = std::conj(a(i, j));
    return b;
}
static Matrix identity(int n)
{
    Matrix a(n, n);
    for (int i = 0; i < n; i++)
        a(i, i) = 1;
    return a;
}

/* Device memory with a matrix, whose leading dimension is larger by one. */
template <class T> struct Memory {
    int rows, columns, ld;
    T *data;
    explicit Memory(const Matrix &a) : rows(a.rows), columns(a.columns), ld(a.rows + 1)
    {
        std::vector<T> x((size_t)(ld * columns));
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < ld; i++)
                set(x[(size_t)(i + j * ld)], i < rows ? a(i, j) : 0);
        cudaMalloc(&data, x.size() * sizeof(T));
        cudaMemcpy(data, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    Memory(const Memory &) = delete;
    ~Memory()
    {
        cudaFree(data);
    }
    Matrix fetched() const
    {
        std::vector<T> x((size_t)(ld * columns));
        Matrix a(rows, columns);
        cudaMemcpy(x.data(), data, x.size() * sizeof(T), cudaMemcpyDeviceToHost);
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                a(i, j) = got(x[(size_t)(i + j * ld)]);
        return a;
    }
};

struct Work {
    void *data;
    explicit Work(size_t bytes)
    {
        cudaMalloc(&data, bytes + 1);
    }
    ~Work()
    {
        cudaFree(data);
    }
};
template <class T> struct Values {
    T *data;
    size_t n;
    explicit Values(size_t count) : n(count)
    {
        cudaMalloc(&data, n * sizeof(T));
        cudaMemset(data, 0, n * sizeof(T));
    }
    ~Values()
    {
        cudaFree(data);
    }
    std::vector<T> fetched() const
    {
        std::vector<T> x(n);
        cudaMemcpy(x.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
        return x;
    }
};

static double element(int i)
{
    unsigned h = (unsigned)i * 2654435761u;
    h = (h ^ h >> 15) * 2246822519u;
    return ((h ^ h >> 13) % 33) / 8.0 - 2;
}
template <class T> static Matrix general(int m, int n, int start)
{
    const bool is_complex =
        Solver<T>::data_type == CUDA_C_32F || Solver<T>::data_type == CUDA_C_64F;
    Matrix a(m, n);
    for (size_t i = 0; i < a.x.size(); i++)
        a.x[i] = Complex(element(start + (int)i), is_complex ? element(start + 7 * (int)i + 3) : 0);
    return a;
}
template <class T> static Matrix positive(int n, int start)
{
    const Matrix a = general<T>(n, n, start);
    Matrix b = a * adjoint(a);
    for (int i = 0; i < n; i++)
        b(i, i) += 1;
    return b;
}

template <class T>
static void judge(const char *name, const Matrix &a, const Matrix &b, int status, int info)
{
    double error = 0, size = 1;
    for (size_t i = 0; i < a.x.size(); i++) {
        error = fmax(error, std::abs(a.x[i] - b.x[i]));
        size = fmax(size, std::abs(b.x[i]));
    }
    const double tolerance = sizeof(typename Solver<T>::Real) == 4 ? 2e-4 : 1e-11;
    printf("  %s: status %d, info %d, %s\n", name, status, info,
           error < tolerance * size ? "right" : "wrong");
}

enum { N = 6, M = 8, RIGHT = 3 };

template <class T> static void cholesky(cusolverDnHandle_t handle, cublasFillMode_t uplo)
{
    typedef Solver<T> S;
    const Matrix a = positive<T>(N, 5), x = general<T>(N, RIGHT, 40);
    Memory<T> A(a), B(a * x);
    Values<int> info(1);
    int length = 0;
    int status = S::potrf_size(handle, uplo, N, A.data, A.ld, &length);
    Work work((size_t)length * sizeof(T));
    status |= S::potrf(handle, uplo, N, A.data, A.ld, (T *)work.data, length, info.data);
    Matrix factor = A.fetched();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (uplo == CUBLAS_FILL_MODE_LOWER ? j > i : j < i)
                factor(i, j) = 0;
    judge<T>("potrf",
             uplo == CUBLAS_FILL_MODE_LOWER ? factor * adjoint(factor) : adjoint(factor) * factor,
             a, status, info.fetched()[0]);
    status = S::potrs(handle, uplo, N, RIGHT, A.data, A.ld, B.data, B.ld, info.data);
    judge<T>("potrs", B.fetched(), x, status, info.fetched()[0]);
    status = S::potri_size(handle, uplo, N, A.data, A.ld, &length);
    Work work2((size_t)length * sizeof(T));
    status |= S::potri(handle, uplo, N, A.data, A.ld, (T *)work2.data, length, info.data);
    Matrix inverse = A.fetched();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (uplo == CUBLAS_FILL_MODE_LOWER ? j > i : j < i)
                inverse(i, j) = std::conj(inverse(j, i));
    judge<T>("potri", inverse * a, identity(N), status, info.fetched()[0]);
}
template <class T> static void cholesky_batched(cusolverDnHandle_t handle)
{
    typedef Solver<T> S;
    const Matrix a = positive<T>(N, 5), b = positive<T>(N, 9), x = general<T>(N, 1, 40);
    Memory<T> A(a), B(b), X(a * x), Y(b * x);
    T *const matrices[] = {A.data, B.data}, *const vectors[] = {X.data, Y.data};
    Values<T *> device_matrices(2), device_vectors(2);
    Values<int> info(2);
    cudaMemcpy(device_matrices.data, matrices, sizeof matrices, cudaMemcpyHostToDevice);
    cudaMemcpy(device_vectors.data, vectors, sizeof vectors, cudaMemcpyHostToDevice);
    int status = S::potrf_batched(handle, CUBLAS_FILL_MODE_LOWER, N, device_matrices.data, A.ld,
                                  info.data, 2);
    status |= S::potrs_batched(handle, CUBLAS_FILL_MODE_LOWER, N, 1, device_matrices.data, A.ld,
                               device_vectors.data, X.ld, info.data, 2);
    judge<T>("potrfBatched", X.fetched(), x, status, info.fetched()[0]);
    judge<T>("potrsBatched", Y.fetched(), x, status, info.fetched()[1]);
}
template <class T> static void lu(cusolverDnHandle_t handle)
{
    typedef Solver<T> S;
    const Matrix a = general<T>(N, N, 3), x = general<T>(N, RIGHT, 40);
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_C})
        for (bool has_pivots : {true, false}) {
            Memory<T> A(a), B((op == CUBLAS_OP_N ? a : adjoint(a)) * x);
            Values<int> pivots(N), info(1);
            int *const places = has_pivots ? pivots.data : nullptr;
            int length = 0;
            int status = S::getrf_size(handle, N, N, A.data, A.ld, &length);
            Work work((size_t)length * sizeof(T));
            status |= S::getrf(handle, N, N, A.data, A.ld, (T *)work.data, places, info.data);
            status |= S::getrs(handle, op, N, RIGHT, A.data, A.ld, places, B.data, B.ld, info.data);
            judge<T>(has_pivots ? "getrf, getrs" : "getrf, getrs without pivots", B.fetched(), x,
                     status, info.fetched()[0]);
            if (has_pivots && op == CUBLAS_OP_N) {
                printf("  pivots");
                for (int place : pivots.fetched())
                    printf(" %d", place);
                puts("");
            }
        }
    Memory<T> A(a), B(a * x), X(Matrix(N, RIGHT));
    Values<int> pivots(N), info(1);
    size_t bytes = 0;
    int iterations = 0;
    int status = S::gesv_size(handle, N, RIGHT, A.data, A.ld, pivots.data, B.data, B.ld, X.data,
                              X.ld, nullptr, &bytes);
    Work work(bytes);
    status |= S::gesv(handle, N, RIGHT, A.data, A.ld, pivots.data, B.data, B.ld, X.data, X.ld,
                      work.data, bytes, &iterations, info.data);
    judge<T>("gesv", X.fetched(), x, status, info.fetched()[0]);
    Matrix singular(N, N);
    Memory<T> zero(singular);
    int length = 0;
    status = S::getrf_size(handle, N, N, zero.data, zero.ld, &length);
    Work work2((size_t)length * sizeof(T));
    status |= S::getrf(handle, N, N, zero.data, zero.ld, (T *)work2.data, pivots.data, info.data);
    printf("  singular: status %d, info %d\n", status, info.fetched()[0]);
}
template <class T> static void qr(cusolverDnHandle_t handle)
{
    typedef Solver<T> S;
    const Matrix a = general<T>(M, N, 3), x = general<T>(M, RIGHT, 40);
    Memory<T> A(a), C(x);
    Values<T> tau(N);
    Values<int> info(1);
    int length = 0;
    int status = S::geqrf_size(handle, M, N, A.data, A.ld, &length);
    Work work((size_t)length * sizeof(T));
    status |= S::geqrf(handle, M, N, A.data, A.ld, tau.data, (T *)work.data, length, info.data);
    Matrix r(N, N);
    const Matrix factor = A.fetched();
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++)
            r(i, j) = factor(i, j);
    const cublasOperation_t op = std::is_floating_point<T>::value ? CUBLAS_OP_T : CUBLAS_OP_C;
    status |= S::ormqr_size(handle, CUBLAS_SIDE_LEFT, op, M, RIGHT, N, A.data, A.ld, tau.data,
                            C.data, C.ld, &length);
    Work work2((size_t)length * sizeof(T));
    status |= S::ormqr(handle, CUBLAS_SIDE_LEFT, op, M, RIGHT, N, A.data, A.ld, tau.data, C.data,
                       C.ld, (T *)work2.data, length, info.data);
    const Matrix turned = C.fetched();
    status |= S::orgqr_size(handle, M, N, N, A.data, A.ld, tau.data, &length);
    Work work3((size_t)length * sizeof(T));
    status |= S::orgqr(handle, M, N, N, A.data, A.ld, tau.data, (T *)work3.data, length, info.data);
    const Matrix q = A.fetched();
    judge<T>("geqrf", q * r, a, status, info.fetched()[0]);
    judge<T>("orgqr", adjoint(q) * q, identity(N), status, info.fetched()[0]);
    Matrix first(N, RIGHT);
    for (int j = 0; j < RIGHT; j++)
        for (int i = 0; i < N; i++)
            first(i, j) = turned(i, j);
    judge<T>("ormqr", first, adjoint(q) * x, status, info.fetched()[0]);
}
template <class T>
static void judge_vectors(const char *name, const Matrix &a, const Matrix &b, const Matrix &v,
                          const std::vector<typename Solver<T>::Real> &w, int status, int info)
{
    Matrix scaled = b * v;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            scaled(i, j) *= (double)w[(size_t)j];
    judge<T>(name, a * v, scaled, status, info);
    if (!std::is_sorted(w.begin(), w.end()))
        puts("  not sorted");
}
template <class T> static void eigenvalues(cusolverDnHandle_t handle, cublasFillMode_t uplo)
{
    typedef Solver<T> S;
    typedef typename S::Real Real;
    const Matrix g = general<T>(N, N, 3), b = positive<T>(N, 21);
    Matrix a = g;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a(i, j) = g(i, j) + std::conj(g(j, i));
    const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
    Memory<T> A(a), B(b), A2(a), A3(a), A4(a);
    Values<Real> w(N), w2(N);
    Values<int> info(1);
    int length = 0;
    int status = S::syevd_size(handle, with, uplo, N, A.data, A.ld, w.data, &length);
    Work work((size_t)length * sizeof(T));
    status |=
        S::syevd(handle, with, uplo, N, A.data, A.ld, w.data, (T *)work.data, length, info.data);
    judge_vectors<T>("syevd", a, identity(N), A.fetched(), w.fetched(), status, info.fetched()[0]);

    const cusolverEigMode_t without = CUSOLVER_EIG_MODE_NOVECTOR;
    status = S::syevd_size(handle, without, uplo, N, A2.data, A2.ld, w2.data, &length);
    Work work2((size_t)length * sizeof(T));
    status |= S::syevd(handle, without, uplo, N, A2.data, A2.ld, w2.data, (T *)work2.data, length,
                       info.data);
    Matrix one(N, 1), two(N, 1);
    for (int i = 0; i < N; i++) {
        one(i, 0) = (double)w.fetched()[(size_t)i];
        two(i, 0) = (double)w2.fetched()[(size_t)i];
    }
    judge<T>("syevd, values", two, one, status, info.fetched()[0]);

    syevjInfo_t parameters;
    status = cusolverDnCreateSyevjInfo(&parameters);
    status |= S::syevj_size(handle, with, uplo, N, A3.data, A3.ld, w.data, &length, parameters);
    Work work3((size_t)length * sizeof(T));
    status |= S::syevj(handle, with, uplo, N, A3.data, A3.ld, w.data, (T *)work3.data, length,
                       info.data, parameters);
    status |= cusolverDnDestroySyevjInfo(parameters);
    judge_vectors<T>("syevj", a, identity(N), A3.fetched(), w.fetched(), status, info.fetched()[0]);

    status = S::sygvd_size(handle, CUSOLVER_EIG_TYPE_1, with, uplo, N, A4.data, A4.ld, B.data, B.ld,
                           w.data, &length);
    Work work4((size_t)length * sizeof(T));
    status |= S::sygvd(handle, CUSOLVER_EIG_TYPE_1, with, uplo, N, A4.data, A4.ld, B.data, B.ld,
                       w.data, (T *)work4.data, length, info.data);
    judge_vectors<T>("sygvd", a, b, A4.fetched(), w.fetched(), status, info.fetched()[0]);
}
template <class T> static void singular_values(cusolverDnHandle_t handle)
{
    typedef Solver<T> S;
    typedef typename S::Real Real;
    const Matrix a = general<T>(M, N, 3);
    for (bool jacobi : {false, true}) {
        Memory<T> A(a), U(Matrix(M, M)), V(Matrix(N, N));
        Values<Real> s(N);
        Values<int> info(1);
        int length = 0, status;
        if (jacobi) {
            gesvdjInfo_t parameters;
            status = cusolverDnCreateGesvdjInfo(&parameters);
            status |= S::gesvdj_size(handle, CUSOLVER_EIG_MODE_VECTOR, 0, M, N, A.data, A.ld,
                                     s.data, U.data, U.ld, V.data, V.ld, &length, parameters);
            Work work((size_t)length * sizeof(T));
            status |=
                S::gesvdj(handle, CUSOLVER_EIG_MODE_VECTOR, 0, M, N, A.data, A.ld, s.data, U.data,
                          U.ld, V.data, V.ld, (T *)work.data, length, info.data, parameters);
            status |= cusolverDnDestroyGesvdjInfo(parameters);
        } else {
            status = S::gesvd_size(handle, M, N, &length);
            Work work((size_t)length * sizeof(T));
            status |= S::gesvd(handle, 'A', 'A', M, N, A.data, A.ld, s.data, U.data, U.ld, V.data,
                               V.ld, (T *)work.data, length, nullptr, info.data);
        }
        Matrix u = U.fetched(), middle(M, N);
        const Matrix v = V.fetched();
        const std::vector<Real> values = s.fetched();
        for (int i = 0; i < N; i++)
            middle(i, i) = (double)values[(size_t)i];
        judge<T>(jacobi ? "gesvdj" : "gesvd", u * middle * (jacobi ? adjoint(v) : v), a, status,
                 info.fetched()[0]);
        if (!std::is_sorted(values.rbegin(), values.rend()))
            puts("  not sorted");
    }
}

/* The calls with 64-bit sizes. */
static void wide(cusolverDnHandle_t handle)
{
    typedef double T;
    const Matrix a = positive<T>(N, 5), x = general<T>(N, RIGHT, 40), tall = general<T>(M, N, 3);
    Memory<T> A(a), B(a * x), A2(a), B2(a * x), A3(tall), A4(a), A5(tall), U(Matrix(M, M)),
        V(Matrix(N, N));
    Values<T> tau(N), w(N), s(N);
    Values<int64_t> pivots(N);
    Values<int> info(1);
    cusolverDnParams_t parameters;
    size_t device_bytes = 0, host_bytes = 0;
    std::vector<char> host;
    int status = cusolverDnCreateParams(&parameters);
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    status |= cusolverDnXpotrf_bufferSize(handle, parameters, lower, N, CUDA_R_64F, A.data, A.ld,
                                          CUDA_R_64F, &device_bytes, &host_bytes);
    Work work(device_bytes);
    host.resize(host_bytes + 1);
    status |= cusolverDnXpotrf(handle, parameters, lower, N, CUDA_R_64F, A.data, A.ld, CUDA_R_64F,
                               work.data, device_bytes, host.data(), host_bytes, info.data);
    status |= cusolverDnXpotrs(handle, parameters, lower, N, RIGHT, CUDA_R_64F, A.data, A.ld,
                               CUDA_R_64F, B.data, B.ld, info.data);
    judge<T>("Xpotrf", B.fetched(), x, status, info.fetched()[0]);
    status = cusolverDnXgetrf_bufferSize(handle, parameters, N, N, CUDA_R_64F, A2.data, A2.ld,
                                         CUDA_R_64F, &device_bytes, &host_bytes);
    Work work2(device_bytes);
    host.resize(host_bytes + 1);
    status |=
        cusolverDnXgetrf(handle, parameters, N, N, CUDA_R_64F, A2.data, A2.ld, pivots.data,
                         CUDA_R_64F, work2.data, device_bytes, host.data(), host_bytes, info.data);
    status |= cusolverDnXgetrs(handle, parameters, CUBLAS_OP_N, N, RIGHT, CUDA_R_64F, A2.data,
                               A2.ld, pivots.data, CUDA_R_64F, B2.data, B2.ld, info.data);
    judge<T>("Xgetrf", B2.fetched(), x, status, info.fetched()[0]);
    status =
        cusolverDnXgeqrf_bufferSize(handle, parameters, M, N, CUDA_R_64F, A3.data, A3.ld,
                                    CUDA_R_64F, tau.data, CUDA_R_64F, &device_bytes, &host_bytes);
    Work work3(device_bytes);
    host.resize(host_bytes + 1);
    status |=
        cusolverDnXgeqrf(handle, parameters, M, N, CUDA_R_64F, A3.data, A3.ld, CUDA_R_64F, tau.data,
                         CUDA_R_64F, work3.data, device_bytes, host.data(), host_bytes, info.data);
    Matrix r(N, N);
    const Matrix factor = A3.fetched();
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++)
            r(i, j) = factor(i, j);
    judge<T>("Xgeqrf", adjoint(r) * r, adjoint(tall) * tall, status, info.fetched()[0]);
    status = cusolverDnXsyevd_bufferSize(handle, parameters, CUSOLVER_EIG_MODE_VECTOR, lower, N,
                                         CUDA_R_64F, A4.data, A4.ld, CUDA_R_64F, w.data, CUDA_R_64F,
                                         &device_bytes, &host_bytes);
    Work work4(device_bytes);
    host.resize(host_bytes + 1);
    status |= cusolverDnXsyevd(handle, parameters, CUSOLVER_EIG_MODE_VECTOR, lower, N, CUDA_R_64F,
                               A4.data, A4.ld, CUDA_R_64F, w.data, CUDA_R_64F, work4.data,
                               device_bytes, host.data(), host_bytes, info.data);
    judge_vectors<T>("Xsyevd", a, identity(N), A4.fetched(), w.fetched(), status,
                     info.fetched()[0]);
    status = cusolverDnXgesvd_bufferSize(
        handle, parameters, 'A', 'A', M, N, CUDA_R_64F, A5.data, A5.ld, CUDA_R_64F, s.data,
        CUDA_R_64F, U.data, U.ld, CUDA_R_64F, V.data, V.ld, CUDA_R_64F, &device_bytes, &host_bytes);
    Work work5(device_bytes);
    host.resize(host_bytes + 1);
    status |=
        cusolverDnXgesvd(handle, parameters, 'A', 'A', M, N, CUDA_R_64F, A5.data, A5.ld, CUDA_R_64F,
                         s.data, CUDA_R_64F, U.data, U.ld, CUDA_R_64F, V.data, V.ld, CUDA_R_64F,
                         work5.data, device_bytes, host.data(), host_bytes, info.data);
    Matrix middle(M, N);
    for (int i = 0; i < N; i++)
        middle(i, i) = s.fetched()[(size_t)i];
    judge<T>("Xgesvd", U.fetched() * middle * V.fetched(), tall, status, info.fetched()[0]);
    cusolverDnDestroyParams(parameters);
}

template <class T> static void all(cusolverDnHandle_t handle, const char *type)
{
    puts(type);
    cholesky<T>(handle, CUBLAS_FILL_MODE_LOWER);
    cholesky<T>(handle, CUBLAS_FILL_MODE_UPPER);
    cholesky_batched<T>(handle);
    lu<T>(handle);
    qr<T>(handle);
    eigenvalues<T>(handle, CUBLAS_FILL_MODE_LOWER);
    eigenvalues<T>(handle, CUBLAS_FILL_MODE_UPPER);
    singular_values<T>(handle);
}

int main()
{
    cusolverDnHandle_t handle;
    printf("create %d\n", cusolverDnCreate(&handle));
    all<float>(handle, "S");
    all<double>(handle, "D");
    all<cuComplex>(handle, "C");
    all<cuDoubleComplex>(handle, "Z");
    puts("X");
    wide(handle);
    Matrix negative(N, N);
    for (int i = 0; i < N; i++)
        negative(i, i) = i == 3 ? -1 : 1;
    Memory<double> A(negative);
    Values<int> info(1);
    int length = 0;
    int status =
        cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, N, A.data, A.ld, &length);
    Work work((size_t)length * sizeof(double));
    status |= cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, N, A.data, A.ld, (double *)work.data,
                               length, info.data);
    printf("not positive: status %d, info %d\n", status, info.fetched()[0]);
    printf("short columns: %d\n", cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, N, A.data, N - 1,
                                                   (double *)work.data, length, info.data));
    printf("destroy %d\n", cusolverDnDestroy(handle));
    return 0;
}
