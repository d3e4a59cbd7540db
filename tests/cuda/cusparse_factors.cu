/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lcusparse
/* Incomplete factorisations of cuSPARSE: the product of the factors is the matrix, where it has
 * elements; zero pivots, boosts, and what is refused. */
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

enum { SIDE = 5, ROWS = SIDE * SIDE };

template <class T> struct calls;
#define CALLS(letter, element, made)                                                               \
    template <> struct calls<made> {                                                               \
        static constexpr auto lu_bytes = cusparse##letter##csrilu02_bufferSize;                    \
        static constexpr auto lu_analysis = cusparse##letter##csrilu02_analysis;                   \
        static constexpr auto lu = cusparse##letter##csrilu02;                                     \
        static constexpr auto boost = cusparse##letter##csrilu02_numericBoost;                     \
        static constexpr auto bytes = cusparse##letter##csric02_bufferSize;                        \
        static constexpr auto analysis = cusparse##letter##csric02_analysis;                       \
        static constexpr auto cholesky = cusparse##letter##csric02;                                \
        typedef element type;                                                                      \
    }
CALLS(S, float, float);
CALLS(D, double, double);
CALLS(C, cuComplex, std::complex<float>);
CALLS(Z, cuDoubleComplex, std::complex<double>);

/* Of a plane's grid: five elements in an inner row. */
template <class T> static void element(T &x, double re, double)
{
    x = (T)re;
}
template <class T> static void element(std::complex<T> &x, double re, double im)
{
    x = std::complex<T>((T)re, (T)im);
}
static double conjugated(double x)
{
    return x;
}
static std::complex<double> conjugated(std::complex<double> x)
{
    return std::conj(x);
}

template <class T> struct Matrix {
    std::vector<int> offsets, columns;
    std::vector<T> values;
    int base;
    Matrix(int base_, bool is_hermitian) : base(base_)
    {
        for (int i = 0; i < ROWS; i++) {
            offsets.push_back((int)values.size() + base);
            for (int j = 0; j < ROWS; j++) {
                const int x = i % SIDE - j % SIDE, y = i / SIDE - j / SIDE;
                if (std::abs(x) + std::abs(y) > 1)
                    continue;
                T value;
                element(value, i == j ? 4.5 : -1 + (is_hermitian ? 0 : (i - j) / 64.0),
                        i == j ? 0 : (i - j) / 16.0);
                columns.push_back(j + base);
                values.push_back(value);
            }
        }
        offsets.push_back((int)values.size() + base);
    }
};

/* The sum of factor(i, k) * other(k, j), against the matrix's own elements. */
template <class T, class W>
static double error_of(const Matrix<T> &a, const std::vector<T> &made, bool is_cholesky)
{
    std::vector<W> lower(ROWS * ROWS), upper(ROWS * ROWS);
    for (int i = 0; i < ROWS; i++)
        for (int k = a.offsets[(size_t)i]; k < a.offsets[(size_t)i + 1]; k++) {
            const int j = a.columns[(size_t)(k - a.base)] - a.base;
            const W value(made[(size_t)(k - a.base)]);
            if (is_cholesky && j <= i) {
                lower[(size_t)(i * ROWS + j)] = value;
                upper[(size_t)(j * ROWS + i)] = conjugated(value);
            } else if (!is_cholesky)
                (j < i ? lower : upper)[(size_t)(i * ROWS + j)] = value;
        }
    for (int i = 0; !is_cholesky && i < ROWS; i++)
        lower[(size_t)(i * ROWS + i)] = W(1);
    double worst = 0;
    for (int i = 0; i < ROWS; i++)
        for (int k = a.offsets[(size_t)i]; k < a.offsets[(size_t)i + 1]; k++) {
            const int j = a.columns[(size_t)(k - a.base)] - a.base;
            if (is_cholesky && j > i)
                continue;
            W sum(0);
            for (int l = 0; l < ROWS; l++)
                sum += lower[(size_t)(i * ROWS + l)] * upper[(size_t)(l * ROWS + j)];
            worst = std::fmax(worst, std::abs(sum - W(a.values[(size_t)(k - a.base)])));
        }
    return worst;
}

template <class T> static T *on_device(const std::vector<T> &x)
{
    T *memory;
    cudaMalloc(&memory, x.size() * sizeof(T));
    cudaMemcpy(memory, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}

static const cusparseSolvePolicy_t policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;

template <class T, class W> static void factors(cusparseHandle_t handle, const char *name)
{
    typedef calls<T> call;
    for (int base = 0; base < 2; base++) {
        for (int is_cholesky = 0; is_cholesky < 2; is_cholesky++) {
            const Matrix<T> a(base, is_cholesky);
            const int n = (int)a.values.size();
            int *const offsets = on_device(a.offsets), *const columns = on_device(a.columns);
            T *const values = on_device(a.values);
            auto *const x = (typename call::type *)values;
            cusparseMatDescr_t descriptor;
            csrilu02Info_t lu;
            csric02Info_t cholesky;
            int bytes = 0, position = 5;
            void *buffer;
            cusparseCreateMatDescr(&descriptor);
            cusparseSetMatIndexBase(descriptor, (cusparseIndexBase_t)base);
            cusparseCreateCsrilu02Info(&lu);
            cusparseCreateCsric02Info(&cholesky);
            int status = is_cholesky ? call::bytes(handle, ROWS, n, descriptor, x, offsets, columns,
                                                   cholesky, &bytes)
                                     : call::lu_bytes(handle, ROWS, n, descriptor, x, offsets,
                                                      columns, lu, &bytes);
            cudaMalloc(&buffer, (size_t)bytes);
            status |= is_cholesky ? call::analysis(handle, ROWS, n, descriptor, x, offsets, columns,
                                                   cholesky, policy, buffer)
                                  : call::lu_analysis(handle, ROWS, n, descriptor, x, offsets,
                                                      columns, lu, policy, buffer);
            status |= is_cholesky ? call::cholesky(handle, ROWS, n, descriptor, x, offsets, columns,
                                                   cholesky, policy, buffer)
                                  : call::lu(handle, ROWS, n, descriptor, x, offsets, columns, lu,
                                             policy, buffer);
            status |= is_cholesky ? cusparseXcsric02_zeroPivot(handle, cholesky, &position)
                                  : cusparseXcsrilu02_zeroPivot(handle, lu, &position);
            std::vector<T> made(a.values.size());
            cudaMemcpy(made.data(), values, made.size() * sizeof(T), cudaMemcpyDeviceToHost);
            const double error = error_of<T, W>(a, made, is_cholesky);
            printf("%-14s %s base %d: status %d, zero pivot %d, %s\n", name,
                   is_cholesky ? "IC" : "LU", base, status, position,
                   error < 1e-5 ? "ok" : "wrong");
            if (!(error < 1e-5))
                printf("  error %g\n", error);
            cusparseDestroyCsrilu02Info(lu);
            cusparseDestroyCsric02Info(cholesky);
            cusparseDestroyMatDescr(descriptor);
            cudaFree(buffer);
            cudaFree(offsets);
            cudaFree(columns);
            cudaFree(values);
        }
    }
}

/* The second pivot becomes 0: 1 2 0, 2 4 1, 0 1 3; and one that is not there. */
static void pivots(cusparseHandle_t handle)
{
    for (int is_missing = 0; is_missing < 2; is_missing++)
        for (int boosts = 0; boosts < 2; boosts++) {
            const std::vector<int> rows =
                is_missing ? std::vector<int>{0, 2, 4, 6} : std::vector<int>{0, 2, 5, 7};
            const std::vector<int> in = is_missing ? std::vector<int>{0, 1, 0, 2, 1, 2}
                                                   : std::vector<int>{0, 1, 0, 1, 2, 1, 2};
            const std::vector<float> x = is_missing ? std::vector<float>{1, 2, 2, 1, 1, 3}
                                                    : std::vector<float>{1, 2, 2, 4, 1, 1, 3};
            int *const offsets = on_device(rows), *const columns = on_device(in);
            float *const values = on_device(x), with = 8;
            double tolerance = 1e-6;
            const int n = (int)x.size();
            int bytes = 0, position = -2, later = -2;
            cusparseMatDescr_t descriptor;
            csrilu02Info_t info;
            void *buffer;
            cusparseCreateMatDescr(&descriptor);
            cusparseCreateCsrilu02Info(&info);
            cusparseScsrilu02_numericBoost(handle, info, boosts, &tolerance, &with);
            cusparseScsrilu02_bufferSize(handle, 3, n, descriptor, values, offsets, columns, info,
                                         &bytes);
            cudaMalloc(&buffer, (size_t)bytes);
            cusparseScsrilu02_analysis(handle, 3, n, descriptor, values, offsets, columns, info,
                                       policy, buffer);
            const int found = cusparseXcsrilu02_zeroPivot(handle, info, &position);
            printf("%s, %s: analysis %d at %d", is_missing ? "missing" : "zero",
                   boosts ? "boosted" : "plain", found, position);
            if (!is_missing) {
                std::vector<float> made(x.size());
                const int status = cusparseScsrilu02(handle, 3, n, descriptor, values, offsets,
                                                     columns, info, policy, buffer);
                const int zero = cusparseXcsrilu02_zeroPivot(handle, info, &later);
                cudaMemcpy(made.data(), values, made.size() * sizeof(float),
                           cudaMemcpyDeviceToHost);
                printf("; factors %d, %d at %d, pivot %g", status, zero, later, made[3]);
            }
            printf("\n");
            cusparseDestroyCsrilu02Info(info);
            cusparseDestroyMatDescr(descriptor);
            cudaFree(buffer);
            cudaFree(offsets);
            cudaFree(columns);
            cudaFree(values);
        }
}

int main()
{
    cusparseHandle_t handle;
    cusparseCreate(&handle);
    factors<float, double>(handle, "float");
    factors<double, double>(handle, "double");
    factors<std::complex<float>, std::complex<double>>(handle, "complex");
    factors<std::complex<double>, std::complex<double>>(handle, "double complex");
    pivots(handle);
    printf("no information: %d\n", cusparseXcsrilu02_zeroPivot(handle, nullptr, nullptr));
    cusparseDestroy(handle);
    return 0;
}
