// SPDX-License-Identifier: BSD-3-Clause
// cuBLAS for symmetric, Hermitian, triangular, banded and packed matrices, complex numbers and
// batches, on small integers, whose sums are exact in any order. Each result is that of a plain
// product with the whole matrix.
#include <complex>
#include <cstdio>
#include <cublas_v2.h>
#include <type_traits>
#include <vector>

typedef std::complex<double> Complex;
template <class T> struct Blas;
#define NAME(call) static constexpr auto call
#define COMMON(L)                                                                                  \
    NAME(gbmv) = cublas##L##gbmv;                                                                  \
    NAME(symv) = cublas##L##symv;                                                                  \
    NAME(trmv) = cublas##L##trmv;                                                                  \
    NAME(trsv) = cublas##L##trsv;                                                                  \
    NAME(tbmv) = cublas##L##tbmv;                                                                  \
    NAME(tbsv) = cublas##L##tbsv;                                                                  \
    NAME(tpmv) = cublas##L##tpmv;                                                                  \
    NAME(tpsv) = cublas##L##tpsv;                                                                  \
    NAME(syr) = cublas##L##syr;                                                                    \
    NAME(syr2) = cublas##L##syr2;                                                                  \
    NAME(symm) = cublas##L##symm;                                                                  \
    NAME(syrk) = cublas##L##syrk;                                                                  \
    NAME(syr2k) = cublas##L##syr2k;                                                                \
    NAME(syrkx) = cublas##L##syrkx;                                                                \
    NAME(trmm) = cublas##L##trmm;                                                                  \
    NAME(trsm) = cublas##L##trsm;                                                                  \
    NAME(trsm_batched) = cublas##L##trsmBatched;                                                   \
    NAME(dgmm) = cublas##L##dgmm;                                                                  \
    NAME(geam) = cublas##L##geam;                                                                  \
    NAME(gemv) = cublas##L##gemv;                                                                  \
    NAME(gemv_strided) = cublas##L##gemvStridedBatched;                                            \
    NAME(gemv_batched) = cublas##L##gemvBatched;                                                   \
    NAME(gemm) = cublas##L##gemm;                                                                  \
    NAME(gemm_strided) = cublas##L##gemmStridedBatched;                                            \
    NAME(gemm_batched) = cublas##L##gemmBatched;                                                   \
    NAME(getrf) = cublas##L##getrfBatched;                                                         \
    NAME(getrs) = cublas##L##getrsBatched;                                                         \
    NAME(getri) = cublas##L##getriBatched;                                                         \
    NAME(matinv) = cublas##L##matinvBatched;
#define REAL(L)                                                                                    \
    NAME(sbmv) = cublas##L##sbmv;                                                                  \
    NAME(spmv) = cublas##L##spmv;                                                                  \
    NAME(spr) = cublas##L##spr;
template <> struct Blas<float> {
    COMMON(S)
    REAL(S)
};
template <> struct Blas<double> {
    COMMON(D)
    REAL(D)
};
#define COMPLEX(L, l, R, r)                                                                        \
    NAME(hemv) = cublas##L##hemv;                                                                  \
    NAME(hbmv) = cublas##L##hbmv;                                                                  \
    NAME(hpmv) = cublas##L##hpmv;                                                                  \
    NAME(hemm) = cublas##L##hemm;                                                                  \
    NAME(her) = cublas##L##her;                                                                    \
    NAME(her2) = cublas##L##her2;                                                                  \
    NAME(herk) = cublas##L##herk;                                                                  \
    NAME(her2k) = cublas##L##her2k;                                                                \
    NAME(axpy) = cublas##L##axpy;                                                                  \
    NAME(scal) = cublas##L##scal;                                                                  \
    NAME(real_scal) = cublas##L##r##scal;                                                          \
    NAME(copy) = cublas##L##copy;                                                                  \
    NAME(swap) = cublas##L##swap;                                                                  \
    NAME(dotu) = cublas##L##dotu;                                                                  \
    NAME(dotc) = cublas##L##dotc;                                                                  \
    NAME(nrm2) = cublas##R##l##nrm2;                                                               \
    NAME(asum) = cublas##R##l##asum;                                                               \
    NAME(amax) = cublasI##l##amax;                                                                 \
    NAME(geru) = cublas##L##geru;                                                                  \
    NAME(gerc) = cublas##L##gerc;
template <> struct Blas<cuComplex> {
    typedef float Real;
    COMMON(C)
    COMPLEX(C, c, S, s)
};
template <> struct Blas<cuDoubleComplex> {
    typedef double Real;
    COMMON(Z)
    COMPLEX(Z, z, D, d)
};

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
template <class T> static T number(double re, double im = 0)
{
    T x;
    set(x, Complex(re, im));
    return x;
}
template <class T> static bool is_complex()
{
    return sizeof(T) != sizeof(float) && got(number<T>(0, 1)) != Complex(0);
}

/* A matrix by columns, of one column for a vector. */
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
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.columns; j++)
            for (int k = 0; k < a.columns; k++)
                c(i, j) += a(i, k) * b(k, j);
    return c;
}
static Matrix operator*(Complex f, Matrix a)
{
    for (Complex &x : a.x)
        x *= f;
    return a;
}
static Matrix operator+(Matrix a, const Matrix &b)
{
    for (size_t i = 0; i < a.x.size(); i++)
        a.x[i] += b.x[i];
    return a;
}
static Matrix turned(const Matrix &a, cublasOperation_t op)
{
    if (op == CUBLAS_OP_N)
        return a;
    Matrix b(a.columns, a.rows);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++)
            b(j, i) = op == CUBLAS_OP_C ? std::conj(a(i, j)) : a(i, j);
    return b;
}
template <class T> static Matrix integers(int m, int n, int start)
{
    Matrix a(m, n);
    for (size_t i = 0; i < a.x.size(); i++) {
        const unsigned h = ((unsigned)i + (unsigned)start * 101u) * 2654435761u;
        a.x[i] = Complex((int)(h >> 20) % 7 - 3, is_complex<T>() ? (int)(h >> 9) % 5 - 2 : 0);
    }
    return a;
}

template <class T> struct Memory {
    T *data;
    size_t n;
    explicit Memory(const std::vector<Complex> &x) : data(nullptr), n(x.size())
    {
        std::vector<T> numbers(n);
        for (size_t i = 0; i < n; i++)
            set(numbers[i], x[i]);
        cudaMalloc(&data, n * sizeof(T));
        cudaMemcpy(data, numbers.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    explicit Memory(const Matrix &a) : Memory(a.x)
    {
    }
    Memory(const Memory &) = delete;
    ~Memory()
    {
        cudaFree(data);
    }
    std::vector<Complex> fetched() const
    {
        std::vector<T> numbers(n);
        std::vector<Complex> x;
        cudaMemcpy(numbers.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
        for (const T &z : numbers)
            x.push_back(got(z));
        return x;
    }
};
template <class T> struct List {
    T **data;
    explicit List(const std::vector<T *> &x) : data(nullptr)
    {
        cudaMalloc(&data, x.size() * sizeof(T *));
        cudaMemcpy(data, x.data(), x.size() * sizeof(T *), cudaMemcpyHostToDevice);
    }
    List(const List &) = delete;
    ~List()
    {
        cudaFree(data);
    }
};

static int failures;
static void judge(const char *name, int status, const std::vector<Complex> &is, const Matrix &want,
                  double tolerance = 0)
{
    double error = is.size() == want.x.size() ? 0 : 1e9;
    for (size_t i = 0; i < want.x.size() && i < is.size(); i++)
        error = std::max(error, std::abs(is[i] - want.x[i]));
    const bool right = status == 0 && error <= tolerance;
    failures += !right;
    printf(" %s%s", name, right ? "" : " WRONG");
}

enum { N = 5, M = 4, K = 3 };

template <class T> static void all(const char *type)
{
    typedef Blas<T> B;
    const T alpha = number<T>(2), beta = number<T>(-1), one = number<T>(1), zero = number<T>(0);
    const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    cublasHandle_t blas;
    cublasCreate(&blas);
    failures = 0;
    printf("%s:", type);

    for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        const bool upper = fill == CUBLAS_FILL_MODE_UPPER;
        const Matrix a = integers<T>(N, N, 1), x = integers<T>(N, 1, 2), y = integers<T>(N, 1, 3);
        const Matrix b = integers<T>(N, M, 4), c = integers<T>(N, M, 5);
        Matrix mirrored(N, N), band(N, N), triangle(N, N), triangle_band(N, N), unit(N, N);
        std::vector<Complex> packed, packed_unit, banded((size_t)(3 * N)), banded_unit;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const bool stored = upper ? i <= j : i >= j;
                mirrored(i, j) = stored ? a(i, j) : a(j, i);
                band(i, j) = std::abs(i - j) <= 2 ? mirrored(i, j) : 0;
                triangle(i, j) = stored ? a(i, j) : 0;
                unit(i, j) = i == j ? 1 : triangle(i, j);
                triangle_band(i, j) = std::abs(i - j) <= 2 ? unit(i, j) : 0;
                if (stored)
                    packed.push_back(a(i, j));
                if (stored)
                    packed_unit.push_back(unit(i, j));
                if (stored && std::abs(i - j) <= 2)
                    banded[(size_t)((upper ? 2 : 0) + i - j + 3 * j)] = a(i, j);
            }
        banded_unit = banded;
        Memory<T> A(a), P(packed), D(banded), U(unit), PU(packed_unit);
        int status;
        {
            Memory<T> X(x), Y(y);
            status = B::symv(blas, fill, N, &alpha, A.data, N, X.data, 1, &beta, Y.data, 1);
            judge("symv", status, Y.fetched(), Complex(2) * (mirrored * x) + Complex(-1) * y);
            if constexpr (std::is_floating_point_v<T>) {
                Memory<T> Y2(y);
                status = B::spmv(blas, fill, N, &alpha, P.data, X.data, 1, &beta, Y2.data, 1);
                judge("spmv", status, Y2.fetched(), Complex(2) * (mirrored * x) + Complex(-1) * y);
                Memory<T> Y3(y);
                status = B::sbmv(blas, fill, N, 2, &alpha, D.data, 3, X.data, 1, &beta, Y3.data, 1);
                judge("sbmv", status, Y3.fetched(), Complex(2) * (band * x) + Complex(-1) * y);
            }
        }
        for (cublasOperation_t op : ops) {
            Memory<T> X(x), X2(x), X3(x);
            status = B::trmv(blas, fill, op, CUBLAS_DIAG_NON_UNIT, N, A.data, N, X.data, 1);
            judge("trmv", status, X.fetched(), turned(triangle, op) * x);
            status = B::tpmv(blas, fill, op, CUBLAS_DIAG_UNIT, N, P.data, X2.data, 1);
            judge("tpmv", status, X2.fetched(), turned(unit, op) * x);
            status = B::tpsv(blas, fill, op, CUBLAS_DIAG_UNIT, N, P.data, X2.data, 1);
            judge("tpsv", status, X2.fetched(), x);
            status = B::tbmv(blas, fill, op, CUBLAS_DIAG_UNIT, N, 2, D.data, 3, X3.data, 1);
            judge("tbmv", status, X3.fetched(), turned(triangle_band, op) * x);
            status = B::tbsv(blas, fill, op, CUBLAS_DIAG_UNIT, N, 2, D.data, 3, X3.data, 1);
            judge("tbsv", status, X3.fetched(), x);
            Memory<T> X4(turned(unit, op) * x);
            status = B::trsv(blas, fill, op, CUBLAS_DIAG_NON_UNIT, N, U.data, N, X4.data, 1);
            judge("trsv", status, X4.fetched(), x);

            Memory<T> L(b), C(c), R(turned(b, CUBLAS_OP_T)), C2(turned(c, CUBLAS_OP_T));
            status = B::trmm(blas, CUBLAS_SIDE_LEFT, fill, op, CUBLAS_DIAG_UNIT, N, M, &alpha,
                             A.data, N, L.data, N, C.data, N);
            judge("trmm", status, C.fetched(), Complex(2) * (turned(unit, op) * b));
            status = B::trmm(blas, CUBLAS_SIDE_RIGHT, fill, op, CUBLAS_DIAG_NON_UNIT, M, N, &alpha,
                             A.data, N, R.data, M, C2.data, M);
            judge("trmm", status, C2.fetched(),
                  Complex(2) * (turned(b, CUBLAS_OP_T) * turned(triangle, op)));
            Memory<T> S(turned(unit, op) * b), S2(turned(b, CUBLAS_OP_T) * turned(unit, op));
            status = B::trsm(blas, CUBLAS_SIDE_LEFT, fill, op, CUBLAS_DIAG_UNIT, N, M, &alpha,
                             A.data, N, S.data, N);
            judge("trsm", status, S.fetched(), Complex(2) * b);
            List<T> list_a({A.data}), list_b({S2.data});
            status = B::trsm_batched(blas, CUBLAS_SIDE_RIGHT, fill, op, CUBLAS_DIAG_UNIT, M, N,
                                     &alpha, list_a.data, N, list_b.data, M, 1);
            judge("trsmBatched", status, S2.fetched(), Complex(2) * turned(b, CUBLAS_OP_T));
        }
        {
            Matrix rank = a, rank2 = a;
            std::vector<Complex> packed_rank;
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    if (upper ? i <= j : i >= j) {
                        rank(i, j) += 2.0 * x(i, 0) * x(j, 0);
                        rank2(i, j) += 2.0 * (x(i, 0) * y(j, 0) + y(i, 0) * x(j, 0));
                        packed_rank.push_back(rank(i, j));
                    }
            Matrix packed_want((int)packed_rank.size(), 1);
            packed_want.x = packed_rank;
            Memory<T> X(x), Y(y), A1(a), A2(a), P2(packed);
            status = B::syr(blas, fill, N, &alpha, X.data, 1, A1.data, N);
            judge("syr", status, A1.fetched(), rank);
            status = B::syr2(blas, fill, N, &alpha, X.data, 1, Y.data, 1, A2.data, N);
            judge("syr2", status, A2.fetched(), rank2);
            if constexpr (std::is_floating_point_v<T>) {
                status = B::spr(blas, fill, N, &alpha, X.data, 1, P2.data);
                judge("spr", status, P2.fetched(), packed_want);
            }
        }
        for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
            const Matrix g = integers<T>(op == CUBLAS_OP_N ? N : K, op == CUBLAS_OP_N ? K : N, 6);
            const Matrix h = integers<T>(g.rows, g.columns, 7);
            const Matrix u = turned(g, op), v = turned(h, op);
            const Matrix full = u * turned(u, CUBLAS_OP_T), mixed = u * turned(v, CUBLAS_OP_T);
            Matrix want = a, want2 = a, want_x = a;
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    if (upper ? i <= j : i >= j) {
                        want(i, j) = 2.0 * full(i, j) - a(i, j);
                        want2(i, j) = 2.0 * (mixed(i, j) + mixed(j, i)) - a(i, j);
                        want_x(i, j) = 2.0 * mixed(i, j) - a(i, j);
                    }
            Memory<T> G(g), H(h), C(a), C2(a), C3(a);
            status = B::syrk(blas, fill, op, N, K, &alpha, G.data, g.rows, &beta, C.data, N);
            judge("syrk", status, C.fetched(), want);
            status = B::syr2k(blas, fill, op, N, K, &alpha, G.data, g.rows, H.data, g.rows, &beta,
                              C2.data, N);
            judge("syr2k", status, C2.fetched(), want2);
            status = B::syrkx(blas, fill, op, N, K, &alpha, G.data, g.rows, H.data, g.rows, &beta,
                              C3.data, N);
            judge("syrkx", status, C3.fetched(), want_x);
        }
        Memory<T> L(b), C(c), R(turned(b, CUBLAS_OP_T)), C2(turned(c, CUBLAS_OP_T));
        status = B::symm(blas, CUBLAS_SIDE_LEFT, fill, N, M, &alpha, A.data, N, L.data, N, &beta,
                         C.data, N);
        judge("symm", status, C.fetched(), Complex(2) * (mirrored * b) + Complex(-1) * c);
        status = B::symm(blas, CUBLAS_SIDE_RIGHT, fill, M, N, &alpha, A.data, N, R.data, M, &beta,
                         C2.data, M);
        judge("symm", status, C2.fetched(),
              Complex(2) * (turned(b, CUBLAS_OP_T) * mirrored) +
                  Complex(-1) * turned(c, CUBLAS_OP_T));
    }
    puts("");

    /* general matrices */
    const Matrix a = integers<T>(N, M, 1), c = integers<T>(N, M, 5);
    Matrix band(N, M);
    std::vector<Complex> banded((size_t)(4 * M));
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            if (i - j <= 2 && j - i <= 1) {
                band(i, j) = a(i, j);
                banded[(size_t)(1 + i - j + 4 * j)] = a(i, j);
            }
    Memory<T> A(a), D(banded);
    int status;
    for (cublasOperation_t op : ops) {
        const int n = op == CUBLAS_OP_N ? M : N, m = op == CUBLAS_OP_N ? N : M;
        const Matrix x = integers<T>(n, 1, 2), y = integers<T>(m, 1, 3);
        Memory<T> X(x), Y(y), Y2(y), Y3(y), Y4(y);
        status = B::gbmv(blas, op, N, M, 2, 1, &alpha, D.data, 4, X.data, 1, &beta, Y.data, 1);
        judge("gbmv", status, Y.fetched(), Complex(2) * (turned(band, op) * x) + Complex(-1) * y);
        const Matrix want = Complex(2) * (turned(a, op) * x) + Complex(-1) * y;
        status = B::gemv(blas, op, N, M, &alpha, A.data, N, X.data, 1, &beta, Y2.data, 1);
        judge("gemv", status, Y2.fetched(), want);
        status = B::gemv_strided(blas, op, N, M, &alpha, A.data, N, 0, X.data, 1, 0, &beta, Y3.data,
                                 1, 0, 1);
        judge("gemvStridedBatched", status, Y3.fetched(), want);
        List<T> list_a({A.data}), list_x({X.data}), list_y({Y4.data});
        status = B::gemv_batched(blas, op, N, M, &alpha, list_a.data, N, list_x.data, 1, &beta,
                                 list_y.data, 1, 1);
        judge("gemvBatched", status, Y4.fetched(), want);
        for (cublasOperation_t op_b : ops) {
            const Matrix b =
                integers<T>(op_b == CUBLAS_OP_N ? n : K, op_b == CUBLAS_OP_N ? K : n, 4);
            const Matrix product = turned(a, op) * turned(b, op_b), old = integers<T>(m, K, 8);
            const Matrix all_want = Complex(2) * product + Complex(-1) * old;
            Memory<T> F(b), C(old), C2(old), C3(old);
            status = B::gemm(blas, op, op_b, m, K, n, &alpha, A.data, N, F.data, b.rows, &beta,
                             C.data, m);
            judge("gemm", status, C.fetched(), all_want);
            status = B::gemm_strided(blas, op, op_b, m, K, n, &alpha, A.data, N, 0, F.data, b.rows,
                                     0, &beta, C2.data, m, (long long)m * K, 1);
            judge("gemmStridedBatched", status, C2.fetched(), all_want);
            List<T> list_f({F.data}), list_c({C3.data});
            status = B::gemm_batched(blas, op, op_b, m, K, n, &alpha, list_a.data, N, list_f.data,
                                     b.rows, &beta, list_c.data, m, 1);
            judge("gemmBatched", status, C3.fetched(), all_want);
        }
    }
    {
        const Matrix x = integers<T>(N, 1, 2);
        Matrix want = a;
        for (int j = 0; j < M; j++)
            for (int i = 0; i < N; i++)
                want(i, j) *= x(i, 0);
        Memory<T> X(x), C(c), C2(c), E(integers<T>(M, N, 9));
        status = B::dgmm(blas, CUBLAS_SIDE_LEFT, N, M, A.data, N, X.data, 1, C.data, N);
        judge("dgmm", status, C.fetched(), want);
        status = B::geam(blas, CUBLAS_OP_N, CUBLAS_OP_C, N, M, &alpha, A.data, N, &beta, E.data, M,
                         C2.data, N);
        judge("geam", status, C2.fetched(),
              Complex(2) * a + Complex(-1) * turned(integers<T>(M, N, 9), CUBLAS_OP_C));
    }

    /* factorisations */
    Matrix one_matrix = integers<T>(N, N, 11), two_matrix = integers<T>(N, N, 12);
    for (int i = 0; i < N; i++) {
        one_matrix(i, (i + 2) % N) += 9;
        two_matrix(i, i) += 11;
    }
    const Matrix x = integers<T>(N, K, 13);
    Matrix identity(N, N);
    for (int i = 0; i < N; i++)
        identity(i, i) = 1;
    for (cublasOperation_t op : ops) {
        Memory<T> F(one_matrix), G(two_matrix), X(turned(one_matrix, op) * x),
            Y(turned(two_matrix, op) * x), I(identity), J(identity);
        List<T> factors({F.data, G.data}), sides({X.data, Y.data}), inverses({I.data, J.data});
        int *pivots, *infos, info = 7;
        cudaMalloc(&pivots, 2 * N * sizeof(int));
        cudaMalloc(&infos, 2 * sizeof(int));
        status = B::matinv(blas, N, factors.data, N, inverses.data, N, infos, 2);
        const std::vector<Complex> inverse = I.fetched();
        Matrix product(N, N);
        product.x = inverse;
        judge("matinvBatched", status, (product * one_matrix).x, identity, 1e-5);
        status = B::getrf(blas, N, factors.data, N, pivots, infos, 2);
        status |= B::getrs(blas, op, N, K, factors.data, N, pivots, sides.data, N, &info, 2);
        judge("getrfBatched", status | info, X.fetched(), x, 1e-4);
        judge("getrsBatched", status, Y.fetched(), x, 1e-4);
        status = B::getri(blas, N, factors.data, N, pivots, inverses.data, N, infos, 2);
        product.x = J.fetched();
        judge("getriBatched", status, (product * two_matrix).x, identity, 1e-5);
        cudaFree(pivots);
        cudaFree(infos);
    }
    (void)one;
    (void)zero;
    printf("\n%s: %d wrong\n", type, failures);
    cublasDestroy(blas);
}

template <class T> static void complex_only(const char *type)
{
    typedef Blas<T> B;
    typedef typename B::Real Real;
    const T alpha = number<T>(2, 1), beta = number<T>(-1, 1);
    const Real two = 2, minus = -1;
    cublasHandle_t blas;
    cublasCreate(&blas);
    failures = 0;
    printf("%s:", type);
    const Matrix x = integers<T>(N, 1, 2), y = integers<T>(N, 1, 3);
    int status;
    for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        const bool upper = fill == CUBLAS_FILL_MODE_UPPER;
        const Matrix a = integers<T>(N, N, 1), b = integers<T>(N, M, 4), c = integers<T>(N, M, 5);
        Matrix mirrored(N, N), band(N, N);
        std::vector<Complex> packed, banded((size_t)(3 * N));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const bool stored = upper ? i <= j : i >= j;
                mirrored(i, j) = i == j ? a(i, j).real() : stored ? a(i, j) : std::conj(a(j, i));
                band(i, j) = std::abs(i - j) <= 2 ? mirrored(i, j) : 0;
                if (stored)
                    packed.push_back(a(i, j));
                if (stored && std::abs(i - j) <= 2)
                    banded[(size_t)((upper ? 2 : 0) + i - j + 3 * j)] = a(i, j);
            }
        Memory<T> A(a), P(packed), D(banded), X(x), Y(y), Y2(y), Y3(y), L(b), C(c);
        const Complex f(2, 1), g(-1, 1);
        status = B::hemv(blas, fill, N, &alpha, A.data, N, X.data, 1, &beta, Y.data, 1);
        judge("hemv", status, Y.fetched(), f * (mirrored * x) + g * y);
        status = B::hpmv(blas, fill, N, &alpha, P.data, X.data, 1, &beta, Y2.data, 1);
        judge("hpmv", status, Y2.fetched(), f * (mirrored * x) + g * y);
        status = B::hbmv(blas, fill, N, 2, &alpha, D.data, 3, X.data, 1, &beta, Y3.data, 1);
        judge("hbmv", status, Y3.fetched(), f * (band * x) + g * y);
        status = B::hemm(blas, CUBLAS_SIDE_LEFT, fill, N, M, &alpha, A.data, N, L.data, N, &beta,
                         C.data, N);
        judge("hemm", status, C.fetched(), f * (mirrored * b) + g * c);

        /* updates of a Hermitian matrix, whose diagonal becomes real */
        const Matrix t = integers<T>(N, K, 6), v = integers<T>(N, K, 7);
        const Matrix full = t * turned(t, CUBLAS_OP_C), mixed = t * turned(v, CUBLAS_OP_C);
        Matrix want = a, want2 = a, want_k = a, want_2k = a;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                if (upper ? i <= j : i >= j) {
                    want(i, j) += 2.0 * x(i, 0) * std::conj(x(j, 0));
                    want2(i, j) += f * x(i, 0) * std::conj(y(j, 0)) +
                                   std::conj(f) * y(i, 0) * std::conj(x(j, 0));
                    want_k(i, j) = 2.0 * full(i, j) - a(i, j);
                    want_2k(i, j) = f * mixed(i, j) + std::conj(f * mixed(j, i)) - a(i, j);
                    for (Matrix *matrix : {&want, &want2, &want_k, &want_2k})
                        if (i == j)
                            (*matrix)(i, j) = (*matrix)(i, j).real();
                }
        Memory<T> U(a), U2(a), UK(a), U2K(a), W(y), T1(t), V(v);
        status = B::her(blas, fill, N, &two, X.data, 1, U.data, N);
        judge("her", status, U.fetched(), want);
        status = B::her2(blas, fill, N, &alpha, X.data, 1, W.data, 1, U2.data, N);
        judge("her2", status, U2.fetched(), want2);
        status = B::herk(blas, fill, CUBLAS_OP_N, N, K, &two, T1.data, N, &minus, UK.data, N);
        judge("herk", status, UK.fetched(), want_k);
        status = B::her2k(blas, fill, CUBLAS_OP_N, N, K, &alpha, T1.data, N, V.data, N, &minus,
                          U2K.data, N);
        judge("her2k", status, U2K.fetched(), want_2k);
    }
    const Complex f(2, 1);
    Memory<T> X(x), Y(y), Z(x), W(y), A(integers<T>(N, N, 1)), A2(integers<T>(N, N, 1));
    status = B::axpy(blas, N, &alpha, X.data, 1, Y.data, 1);
    judge("axpy", status, Y.fetched(), f * x + y);
    status = B::scal(blas, N, &alpha, Z.data, 1);
    judge("scal", status, Z.fetched(), f * x);
    status = B::real_scal(blas, N, &two, Z.data, 1);
    judge("real scal", status, Z.fetched(), 2.0 * f * x);
    status = B::copy(blas, N, X.data, 1, Z.data, 1);
    judge("copy", status, Z.fetched(), x);
    status = B::swap(blas, N, Z.data, 1, W.data, 1);
    judge("swap", status, Z.fetched(), y);
    T dot;
    Real size;
    int index;
    status = B::dotu(blas, N, X.data, 1, Z.data, 1, &dot);
    judge("dotu", status, {got(dot)}, turned(x, CUBLAS_OP_T) * y);
    status = B::dotc(blas, N, X.data, 1, Z.data, 1, &dot);
    judge("dotc", status, {got(dot)}, turned(x, CUBLAS_OP_C) * y);
    Matrix number_want(1, 1);
    double sum = 0;
    for (const Complex &z : x.x)
        sum += std::abs(z.real()) + std::abs(z.imag());
    number_want(0, 0) = sum;
    status = B::asum(blas, N, X.data, 1, &size);
    judge("asum", status, {Complex(size)}, number_want);
    number_want(0, 0) = std::sqrt((turned(x, CUBLAS_OP_C) * x)(0, 0));
    status = B::nrm2(blas, N, X.data, 1, &size);
    judge("nrm2", status, {Complex(size)}, number_want, 1e-5);
    status = B::amax(blas, N, X.data, 1, &index);
    printf(" amax %d %d", status, index);
    status = B::geru(blas, N, N, &alpha, X.data, 1, Z.data, 1, A.data, N);
    judge("geru", status, A.fetched(), f * (x * turned(y, CUBLAS_OP_T)) + integers<T>(N, N, 1));
    status = B::gerc(blas, N, N, &alpha, X.data, 1, Z.data, 1, A2.data, N);
    judge("gerc", status, A2.fetched(), f * (x * turned(y, CUBLAS_OP_C)) + integers<T>(N, N, 1));
    printf("\n%s: %d wrong\n", type, failures);
    cublasDestroy(blas);
}

static void others()
{
    cublasHandle_t blas;
    cublasCreate(&blas);
    float a = 3, b = 4, c, s;
    int status = cublasSrotg(blas, &a, &b, &c, &s);
    printf("rotg %d: %.3f %.3f %.3f %.3f\n", status, a, b, c, s);
    cuDoubleComplex u = make_cuDoubleComplex(3, 4), v = make_cuDoubleComplex(0, 12), sine;
    double cosine;
    status = cublasZrotg(blas, &u, &v, &cosine, &sine);
    printf("rotg %d: %.3f %.3f %.3f %.3f %.3f\n", status, u.x, u.y, cosine, sine.x, sine.y);
    const Matrix x = integers<float>(N, 1, 2);
    Memory<float> X(x), Y(x);
    const float two = 2;
    float result = 0;
    status = cublasAxpyEx(blas, N, &two, CUDA_R_32F, X.data, CUDA_R_32F, 1, Y.data, CUDA_R_32F, 1,
                          CUDA_R_32F);
    judge("AxpyEx", status, Y.fetched(), 3.0 * x);
    status = cublasScalEx(blas, N, &two, CUDA_R_32F, Y.data, CUDA_R_32F, 1, CUDA_R_32F);
    judge("ScalEx", status, Y.fetched(), 6.0 * x);
    status = cublasDotEx(blas, N, X.data, CUDA_R_32F, 1, Y.data, CUDA_R_32F, 1, &result, CUDA_R_32F,
                         CUDA_R_32F);
    judge("DotEx", status, {Complex(result)}, 6.0 * (turned(x, CUBLAS_OP_T) * x));
    status = cublasNrm2Ex(blas, N, Y.data, CUDA_R_32F, 1, &result, CUDA_R_32F, CUDA_R_32F);
    printf("\nNrm2Ex %d: %.3f\n", status, result);
    printf("fill %d\n", cublasSsymv(blas, CUBLAS_FILL_MODE_LOWER, -1, &two, X.data, 1, X.data, 1,
                                    &two, Y.data, 1));
    printf("increment %d\n", cublasStrsv(blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                                         CUBLAS_DIAG_UNIT, 1, X.data, 1, Y.data, 0));
    printf("columns %d\n", cublasCgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 1, 1, nullptr, nullptr, 1,
                                       nullptr, 1, nullptr, nullptr, 4));
    cublasDestroy(blas);
}

int main()
{
    all<float>("S");
    all<double>("D");
    all<cuComplex>("C");
    all<cuDoubleComplex>("Z");
    complex_only<cuComplex>("C");
    complex_only<cuDoubleComplex>("Z");
    others();
    return 0;
}
