/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lcusparse
/* cuSPARSE: products, triangular systems and conversions against loops over the dense matrix, for
 * each format, operation and type; what it refuses. */
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <vector>

template <class T> struct Memory {
    T *data;
    size_t n;
    explicit Memory(const std::vector<T> &x) : data(nullptr), n(x.size())
    {
        cudaMalloc(&data, (n + 1) * sizeof(T));
        cudaMemcpy(data, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    Memory(const Memory &) = delete;
    ~Memory()
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

static void *buffer_of(size_t bytes)
{
    void *buffer = nullptr;
    cudaMalloc(&buffer, bytes ? bytes : 1);
    return buffer;
}

enum { ROWS = 7, COLUMNS = 5, WIDTH = 3 };

static double value(int i)
{
    return ((i * 37 + 11) % 19 - 9) / 4.0;
}
/* A matrix with an empty row, and about half of the elements. */
static double element(int i, int j)
{
    return i == 2 || (i * 3 + j * 5) % 4 > 1 ? 0 : value(i * COLUMNS + j) + 0.125;
}

/* The elements in CSR, CSC and COO order. */
template <class T> struct Sparse {
    std::vector<int> row_offsets, column_indices, column_offsets, row_indices, rows;
    std::vector<T> by_rows, by_columns;
    Sparse(int m, int n, double (*at)(int, int), int base)
    {
        for (int i = 0; i < m; i++) {
            row_offsets.push_back((int)by_rows.size() + base);
            for (int j = 0; j < n; j++)
                if (at(i, j) != 0) {
                    rows.push_back(i + base);
                    column_indices.push_back(j + base);
                    by_rows.push_back((T)at(i, j));
                }
        }
        row_offsets.push_back((int)by_rows.size() + base);
        for (int j = 0; j < n; j++) {
            column_offsets.push_back((int)by_columns.size() + base);
            for (int i = 0; i < m; i++)
                if (at(i, j) != 0) {
                    row_indices.push_back(i + base);
                    by_columns.push_back((T)at(i, j));
                }
        }
        column_offsets.push_back((int)by_columns.size() + base);
    }
};

template <class T> struct Type;
template <> struct Type<float> {
    static const cudaDataType type = CUDA_R_32F;
    static constexpr double tolerance = 1e-5;
};
template <> struct Type<double> {
    static const cudaDataType type = CUDA_R_64F;
    static constexpr double tolerance = 1e-13;
};

template <class T> static void print(const char *name, const std::vector<T> &x, int status)
{
    printf("%s:", name);
    for (T number : x)
        printf(" %.2f", rint((double)number * 100) / 100 + 0.0);
    printf(" (%d)\n", status);
}
template <class T>
static void judge(const char *name, const std::vector<T> &got, const std::vector<double> &want,
                  int status)
{
    double error = 0;
    for (size_t i = 0; i < want.size(); i++)
        error = fmax(error, fabs((double)got[i] - want[i]));
    printf("%s: status %d, %s, %.2f\n", name, status,
           error < 20 * Type<T>::tolerance ? "right" : "wrong", rint(want[0] * 100) / 100 + 0.0);
}

template <class T> static void products(cusparseHandle_t handle, const char *precision)
{
    static const char *const formats[] = {"csr", "csc", "coo"};
    const T alpha = (T)1.5, beta = (T)-0.5;
    for (int format = 0; format < 3; format++)
        for (int base = 0; base < 2; base++)
            for (int transposed = 0; transposed < 2; transposed++) {
                const cusparseOperation_t op =
                    transposed ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
                const Sparse<T> sparse(ROWS, COLUMNS, element, base);
                const int nnz = (int)sparse.by_rows.size();
                const int m = transposed ? COLUMNS : ROWS, n = transposed ? ROWS : COLUMNS;
                Memory<int> first(format == 0   ? sparse.row_offsets
                                  : format == 1 ? sparse.column_offsets
                                                : sparse.rows);
                Memory<int> second(format == 1 ? sparse.row_indices : sparse.column_indices);
                Memory<T> values(format == 1 ? sparse.by_columns : sparse.by_rows);
                const cusparseIndexBase_t index_base =
                    base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
                cusparseSpMatDescr_t A;
                int status =
                    format == 2
                        ? cusparseCreateCoo(&A, ROWS, COLUMNS, nnz, first.data, second.data,
                                            values.data, CUSPARSE_INDEX_32I, index_base,
                                            Type<T>::type)
                        : (format ? cusparseCreateCsc : cusparseCreateCsr)(
                              &A, ROWS, COLUMNS, nnz, first.data, second.data, values.data,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, index_base, Type<T>::type);
                char name[64];

                std::vector<T> x, y;
                std::vector<double> want;
                for (int j = 0; j < n; j++)
                    x.push_back((T)value(j + 3));
                for (int i = 0; i < m; i++) {
                    double sum = 0;
                    for (int j = 0; j < n; j++)
                        sum += (transposed ? element(j, i) : element(i, j)) * x[(size_t)j];
                    y.push_back((T)value(i));
                    want.push_back(1.5 * sum - 0.5 * value(i));
                }
                Memory<T> device_x(x), device_y(y);
                cusparseDnVecDescr_t X, Y;
                size_t bytes = 0;
                status |= cusparseCreateDnVec(&X, n, device_x.data, Type<T>::type);
                status |= cusparseCreateDnVec(&Y, m, device_y.data, Type<T>::type);
                status |= cusparseSpMV_bufferSize(handle, op, &alpha, A, X, &beta, Y, Type<T>::type,
                                                  CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
                void *buffer = buffer_of(bytes);
                status |= cusparseSpMV(handle, op, &alpha, A, X, &beta, Y, Type<T>::type,
                                       CUSPARSE_SPMV_ALG_DEFAULT, buffer);
                cudaFree(buffer);
                snprintf(name, sizeof name, "%s %s base %d op %d vector", precision,
                         formats[format], base, op);
                judge(name, device_y.fetched(), want, status);
                status = cusparseDestroyDnVec(X) | cusparseDestroyDnVec(Y);

                /* B by rows and transposed, C by columns */
                std::vector<T> dense, result((size_t)(m * WIDTH), 0);
                for (int j = 0; j < WIDTH; j++)
                    for (int i = 0; i < n; i++)
                        dense.push_back((T)value(i * WIDTH + j));
                std::vector<double> product(result.size());
                for (int i = 0; i < m; i++)
                    for (int j = 0; j < WIDTH; j++)
                        for (int k = 0; k < n; k++)
                            product[(size_t)(i + j * m)] +=
                                1.5 * (transposed ? element(k, i) : element(i, k)) *
                                value(k * WIDTH + j);
                Memory<T> device_b(dense), device_c(result);
                cusparseDnMatDescr_t B, C;
                const T zero = 0;
                status |= cusparseCreateDnMat(&B, WIDTH, n, n, device_b.data, Type<T>::type,
                                              CUSPARSE_ORDER_ROW);
                status |= cusparseCreateDnMat(&C, m, WIDTH, m, device_c.data, Type<T>::type,
                                              CUSPARSE_ORDER_COL);
                status |= cusparseSpMM_bufferSize(handle, op, CUSPARSE_OPERATION_TRANSPOSE, &alpha,
                                                  A, B, &zero, C, Type<T>::type,
                                                  CUSPARSE_SPMM_ALG_DEFAULT, &bytes);
                buffer = buffer_of(bytes);
                status |= cusparseSpMM(handle, op, CUSPARSE_OPERATION_TRANSPOSE, &alpha, A, B,
                                       &zero, C, Type<T>::type, CUSPARSE_SPMM_ALG_DEFAULT, buffer);
                cudaFree(buffer);
                snprintf(name, sizeof name, "%s %s base %d op %d matrix", precision,
                         formats[format], base, op);
                judge(name, device_c.fetched(), product, status);
                cusparseDestroyDnMat(B);
                cusparseDestroyDnMat(C);
                cusparseDestroySpMat(A);
            }
}

static double lower(int i, int j)
{
    return j > i || (i != j && (i + j) % 3 == 0) ? 0 : i == j ? 2 + i % 3 : value(i * 5 + j) / 4;
}
static void triangles(cusparseHandle_t handle)
{
    const Sparse<double> sparse(ROWS, ROWS, lower, 0);
    Memory<int> offsets(sparse.row_offsets), columns(sparse.column_indices);
    Memory<double> values(sparse.by_rows);
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t X, Y;
    cusparseSpSVDescr_t plan;
    int status = cusparseCreateCsr(&A, ROWS, ROWS, (int64_t)sparse.by_rows.size(), offsets.data,
                                   columns.data, values.data, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
    status |= cusparseSpMatSetAttribute(A, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill);
    for (cusparseDiagType_t diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
        for (cusparseOperation_t op :
             {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
            const double alpha = 2;
            std::vector<double> x, want;
            for (int i = 0; i < ROWS; i++)
                want.push_back(value(i));
            for (int i = 0; i < ROWS; i++) {
                double sum = 0;
                for (int j = 0; j < ROWS; j++) {
                    double a = op == CUSPARSE_OPERATION_TRANSPOSE ? lower(j, i) : lower(i, j);
                    if (i == j && diagonal == CUSPARSE_DIAG_TYPE_UNIT)
                        a = 1;
                    sum += a * want[(size_t)j];
                }
                x.push_back(sum / alpha);
            }
            Memory<double> device_x(x), device_y(std::vector<double>(ROWS, 0));
            size_t bytes = 0;
            status |=
                cusparseSpMatSetAttribute(A, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal);
            status |= cusparseCreateDnVec(&X, ROWS, device_x.data, CUDA_R_64F);
            status |= cusparseCreateDnVec(&Y, ROWS, device_y.data, CUDA_R_64F);
            status |= cusparseSpSV_createDescr(&plan);
            status |= cusparseSpSV_bufferSize(handle, op, &alpha, A, X, Y, CUDA_R_64F,
                                              CUSPARSE_SPSV_ALG_DEFAULT, plan, &bytes);
            void *const buffer = buffer_of(bytes);
            status |= cusparseSpSV_analysis(handle, op, &alpha, A, X, Y, CUDA_R_64F,
                                            CUSPARSE_SPSV_ALG_DEFAULT, plan, buffer);
            status |= cusparseSpSV_solve(handle, op, &alpha, A, X, Y, CUDA_R_64F,
                                         CUSPARSE_SPSV_ALG_DEFAULT, plan);
            judge("triangle", device_y.fetched(), want, status);
            cudaFree(buffer);
            status = cusparseSpSV_destroyDescr(plan);
            cusparseDestroyDnVec(X);
            cusparseDestroyDnVec(Y);
        }
    cusparseDestroySpMat(A);
}

static void conversions(cusparseHandle_t handle)
{
    /* to dense and back */
    const Sparse<float> sparse(ROWS, COLUMNS, element, 1);
    const int nnz = (int)sparse.by_rows.size();
    Memory<int> offsets(sparse.row_offsets), columns(sparse.column_indices), rows(sparse.rows);
    Memory<float> values(sparse.by_rows), dense(std::vector<float>(ROWS * COLUMNS, 9));
    cusparseSpMatDescr_t A, B;
    cusparseDnMatDescr_t D;
    size_t bytes = 0;
    int status = cusparseCreateCsr(&A, ROWS, COLUMNS, nnz, offsets.data, columns.data, values.data,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE,
                                   CUDA_R_32F);
    status |=
        cusparseCreateDnMat(&D, ROWS, COLUMNS, ROWS, dense.data, CUDA_R_32F, CUSPARSE_ORDER_COL);
    status |=
        cusparseSparseToDense_bufferSize(handle, A, D, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes);
    void *buffer = buffer_of(bytes);
    status |= cusparseSparseToDense(handle, A, D, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer);
    cudaFree(buffer);
    print("dense", dense.fetched(), status);
    Memory<int> new_offsets(std::vector<int>(ROWS + 1, 0)), new_columns(std::vector<int>(nnz, 0));
    Memory<float> new_values(std::vector<float>(nnz, 0));
    status = cusparseCreateCsr(&B, ROWS, COLUMNS, 0, new_offsets.data, nullptr, nullptr,
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                               CUDA_R_32F);
    status |=
        cusparseDenseToSparse_bufferSize(handle, D, B, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes);
    buffer = buffer_of(bytes);
    status |=
        cusparseDenseToSparse_analysis(handle, D, B, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer);
    int64_t m = 0, n = 0, found = 0;
    status |= cusparseSpMatGetSize(B, &m, &n, &found);
    printf("nnz %lld of %d\n", (long long)found, nnz);
    status |= cusparseCsrSetPointers(B, new_offsets.data, new_columns.data, new_values.data);
    status |=
        cusparseDenseToSparse_convert(handle, D, B, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer);
    cudaFree(buffer);
    print("offsets", new_offsets.fetched(), status);
    print("columns", new_columns.fetched(), 0);
    print("values", new_values.fetched(), 0);
    cusparseDestroyDnMat(D);
    cusparseDestroySpMat(A);
    cusparseDestroySpMat(B);

    /* indices */
    Memory<int> from_rows(std::vector<int>(ROWS + 1, 0)), from_offsets(std::vector<int>(nnz, 0));
    status =
        cusparseXcoo2csr(handle, rows.data, nnz, ROWS, from_rows.data, CUSPARSE_INDEX_BASE_ONE);
    print("coo2csr", from_rows.fetched(), status);
    status = cusparseXcsr2coo(handle, offsets.data, nnz, ROWS, from_offsets.data,
                              CUSPARSE_INDEX_BASE_ONE);
    print("csr2coo", from_offsets.fetched(), status);
    Memory<int> csc_offsets(std::vector<int>(COLUMNS + 1, 0)), csc_rows(std::vector<int>(nnz, 0));
    Memory<float> csc_values(std::vector<float>(nnz, 0));
    status = cusparseCsr2cscEx2_bufferSize(handle, ROWS, COLUMNS, nnz, values.data, offsets.data,
                                           columns.data, csc_values.data, csc_offsets.data,
                                           csc_rows.data, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
                                           CUSPARSE_INDEX_BASE_ONE, CUSPARSE_CSR2CSC_ALG1, &bytes);
    buffer = buffer_of(bytes);
    status |= cusparseCsr2cscEx2(handle, ROWS, COLUMNS, nnz, values.data, offsets.data,
                                 columns.data, csc_values.data, csc_offsets.data, csc_rows.data,
                                 CUDA_R_32F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ONE,
                                 CUSPARSE_CSR2CSC_ALG1, buffer);
    cudaFree(buffer);
    printf("csr2csc %s %s %s, %d\n",
           csc_offsets.fetched() == sparse.column_offsets ? "right" : "wrong",
           csc_rows.fetched() == sparse.row_indices ? "right" : "wrong",
           csc_values.fetched() == sparse.by_columns ? "right" : "wrong", status);

    /* sorts */
    const std::vector<int> offsets3{0, 3, 5, 9}, shuffled{4, 0, 2, 3, 1, 8, 2, 5, 0};
    Memory<int> device_offsets(offsets3), device_columns(shuffled);
    Memory<int> permutation(std::vector<int>(9, 0));
    cusparseMatDescr_t description;
    status = cusparseCreateMatDescr(&description);
    status |= cusparseXcsrsort_bufferSizeExt(handle, 3, 9, 9, device_offsets.data,
                                             device_columns.data, &bytes);
    buffer = buffer_of(bytes);
    std::vector<int> identity;
    for (int i = 0; i < 9; i++)
        identity.push_back(i);
    cudaMemcpy(permutation.data, identity.data(), 9 * sizeof(int), cudaMemcpyHostToDevice);
    status |= cusparseXcsrsort(handle, 3, 9, 9, description, device_offsets.data,
                               device_columns.data, permutation.data, buffer);
    cudaFree(buffer);
    print("csrsort", device_columns.fetched(), status);
    print("permutation", permutation.fetched(), 0);
    cusparseDestroyMatDescr(description);
    Memory<int> coo_rows(shuffled), coo_columns(std::vector<int>{1, 2, 0, 1, 0, 2, 1, 1, 0});
    cudaMemcpy(permutation.data, identity.data(), 9 * sizeof(int), cudaMemcpyHostToDevice);
    status =
        cusparseXcoosort_bufferSizeExt(handle, 9, 3, 9, coo_rows.data, coo_columns.data, &bytes);
    buffer = buffer_of(bytes);
    status |= cusparseXcoosortByRow(handle, 9, 3, 9, coo_rows.data, coo_columns.data,
                                    permutation.data, buffer);
    cudaFree(buffer);
    print("coosort", coo_rows.fetched(), status);
    print("columns", coo_columns.fetched(), 0);
    print("permutation", permutation.fetched(), 0);
}

static void vectors(cusparseHandle_t handle)
{
    Memory<int> indices(std::vector<int>{1, 4, 6});
    Memory<float> values(std::vector<float>{2, -3, .5f});
    Memory<float> dense(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
    cusparseSpVecDescr_t X;
    cusparseDnVecDescr_t Y;
    const float alpha = 2, beta = .5f;
    float result = 0;
    size_t bytes = 0;
    int status = cusparseCreateSpVec(&X, 8, 3, indices.data, values.data, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    status |= cusparseCreateDnVec(&Y, 8, dense.data, CUDA_R_32F);
    status |= cusparseSpVV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, X, Y, &result,
                                      CUDA_R_32F, &bytes);
    void *const buffer = buffer_of(bytes);
    status |=
        cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, X, Y, &result, CUDA_R_32F, buffer);
    cudaFree(buffer);
    printf("SpVV %.2f (%d)\n", result, status);
    status = cusparseAxpby(handle, &alpha, X, &beta, Y);
    print("axpby", dense.fetched(), status);
    status = cusparseGather(handle, Y, X);
    print("gather", values.fetched(), status);
    cudaMemset(values.data, 0, 3 * sizeof(float));
    status = cusparseScatter(handle, X, Y);
    print("scatter", dense.fetched(), status);
    cusparseDestroySpVec(X);
    cusparseDestroyDnVec(Y);
}

static double square(int i, int j)
{
    return (i * 3 + j * 5) % 4 > 1 ? 0 : value(i * ROWS + j);
}
static void sparse_product(cusparseHandle_t handle)
{
    const Sparse<float> a(ROWS, ROWS, square, 0);
    Memory<int> offsets(a.row_offsets), columns(a.column_indices);
    Memory<float> values(a.by_rows);
    Memory<int> product_offsets(std::vector<int>(ROWS + 1, 0));
    cusparseSpMatDescr_t A, C;
    cusparseSpGEMMDescr_t plan;
    const float alpha = 2, beta = 0;
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    size_t bytes = 0, bytes2 = 0;
    int status = cusparseCreateCsr(&A, ROWS, ROWS, (int64_t)a.by_rows.size(), offsets.data,
                                   columns.data, values.data, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    status |= cusparseCreateCsr(&C, ROWS, ROWS, 0, product_offsets.data, nullptr, nullptr,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                CUDA_R_32F);
    status |= cusparseSpGEMM_createDescr(&plan);
    status |= cusparseSpGEMM_workEstimation(handle, op, op, &alpha, A, A, &beta, C, CUDA_R_32F,
                                            CUSPARSE_SPGEMM_DEFAULT, plan, &bytes, nullptr);
    void *const buffer = buffer_of(bytes);
    status |= cusparseSpGEMM_workEstimation(handle, op, op, &alpha, A, A, &beta, C, CUDA_R_32F,
                                            CUSPARSE_SPGEMM_DEFAULT, plan, &bytes, buffer);
    status |= cusparseSpGEMM_compute(handle, op, op, &alpha, A, A, &beta, C, CUDA_R_32F,
                                     CUSPARSE_SPGEMM_DEFAULT, plan, &bytes2, nullptr);
    void *const buffer2 = buffer_of(bytes2);
    status |= cusparseSpGEMM_compute(handle, op, op, &alpha, A, A, &beta, C, CUDA_R_32F,
                                     CUSPARSE_SPGEMM_DEFAULT, plan, &bytes2, buffer2);
    int64_t m, n, nnz;
    status |= cusparseSpMatGetSize(C, &m, &n, &nnz);
    Memory<int> product_columns(std::vector<int>((size_t)nnz, 0));
    Memory<float> product_values(std::vector<float>((size_t)nnz, 0));
    status |=
        cusparseCsrSetPointers(C, product_offsets.data, product_columns.data, product_values.data);
    status |= cusparseSpGEMM_copy(handle, op, op, &alpha, A, A, &beta, C, CUDA_R_32F,
                                  CUSPARSE_SPGEMM_DEFAULT, plan);
    std::vector<double> got(ROWS * ROWS), want(ROWS * ROWS);
    const std::vector<int> starts = product_offsets.fetched(), places = product_columns.fetched();
    const std::vector<float> numbers = product_values.fetched();
    for (int i = 0; i < ROWS; i++) {
        for (int k = starts[(size_t)i]; k < starts[(size_t)i + 1]; k++)
            got[(size_t)(i * ROWS + places[(size_t)k])] += numbers[(size_t)k];
        for (int j = 0; j < ROWS; j++)
            for (int k = 0; k < ROWS; k++)
                want[(size_t)(i * ROWS + j)] += 2 * square(i, k) * square(k, j);
    }
    double error = 0;
    for (size_t i = 0; i < want.size(); i++)
        error = fmax(error, fabs(got[i] - want[i]));
    printf("SpGEMM: status %d, nnz %lld, %s\n", status, (long long)nnz,
           error < 1e-4 ? "right" : "wrong");
    cudaFree(buffer);
    cudaFree(buffer2);
    cusparseSpGEMM_destroyDescr(plan);
    cusparseDestroySpMat(A);
    cusparseDestroySpMat(C);
}

static void tridiagonal(cusparseHandle_t handle)
{
    enum { N = 9 };
    std::vector<double> dl(N), d(N), du(N), x(N), b(N);
    for (size_t i = 0; i < N; i++) {
        dl[i] = i > 0 ? value((int)i) / 3 : 0;
        d[i] = 5 + value((int)i + 20) / 2;
        du[i] = i + 1 < N ? value((int)i + 40) / 3 : 0;
        x[i] = value((int)i + 60);
    }
    for (size_t i = 0; i < N; i++)
        b[i] = d[i] * x[i] + (i > 0 ? dl[i] * x[i - 1] : 0) + (i + 1 < N ? du[i] * x[i + 1] : 0);
    Memory<double> device_dl(dl), device_d(d), device_du(du), device_b(b);
    size_t bytes = 0;
    int status = cusparseDgtsv2_bufferSizeExt(handle, N, 1, device_dl.data, device_d.data,
                                              device_du.data, device_b.data, N, &bytes);
    void *const buffer = buffer_of(bytes);
    status |= cusparseDgtsv2(handle, N, 1, device_dl.data, device_d.data, device_du.data,
                             device_b.data, N, buffer);
    judge("tridiagonal", device_b.fetched(), x, status);
    cudaFree(buffer);
}

/* Complex numbers, products sampled at a matrix's elements, systems of many right sides. */
static void others(cusparseHandle_t handle)
{
    const Sparse<float> sparse(ROWS, ROWS, lower, 0);
    const int nnz = (int)sparse.by_rows.size();
    Memory<int> offsets(sparse.row_offsets), columns(sparse.column_indices);
    Memory<float> values(sparse.by_rows);
    std::vector<cuComplex> numbers, x;
    std::vector<double> want(2 * ROWS);
    for (int k = 0; k < nnz; k++)
        numbers.push_back(make_cuComplex(sparse.by_rows[(size_t)k], (float)value(k)));
    for (int i = 0; i < ROWS; i++)
        x.push_back(make_cuComplex((float)value(i), (float)value(i + 30)));
    for (int i = 0; i < ROWS; i++)
        for (int k = sparse.row_offsets[(size_t)i]; k < sparse.row_offsets[(size_t)i + 1]; k++) {
            const cuComplex y = cuCmulf(cuConjf(numbers[(size_t)k]), x[(size_t)i]);
            want[2 * (size_t)sparse.column_indices[(size_t)k]] += y.x;
            want[2 * (size_t)sparse.column_indices[(size_t)k] + 1] += y.y;
        }
    Memory<cuComplex> device_numbers(numbers), device_x(x),
        device_y(std::vector<cuComplex>(ROWS, make_cuComplex(0, 0)));
    const cuComplex one = make_cuComplex(1, 0), zero = make_cuComplex(0, 0);
    const cusparseOperation_t op = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                              plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    cusparseSpMatDescr_t Z, A;
    cusparseDnVecDescr_t X, Y;
    size_t bytes = 0;
    int status = cusparseCreateCsr(&Z, ROWS, ROWS, nnz, offsets.data, columns.data,
                                   device_numbers.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_BASE_ZERO, CUDA_C_32F);
    status |= cusparseCreateDnVec(&X, ROWS, device_x.data, CUDA_C_32F);
    status |= cusparseCreateDnVec(&Y, ROWS, device_y.data, CUDA_C_32F);
    status |= cusparseSpMV_bufferSize(handle, op, &one, Z, X, &zero, Y, CUDA_C_32F,
                                      CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    void *buffer = buffer_of(bytes);
    status |= cusparseSpMV(handle, op, &one, Z, X, &zero, Y, CUDA_C_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                           buffer);
    cudaFree(buffer);
    std::vector<float> parts;
    for (const cuComplex &y : device_y.fetched()) {
        parts.push_back(y.x);
        parts.push_back(y.y);
    }
    judge("complex", parts, want, status);
    cusparseDestroyDnVec(X);
    cusparseDestroyDnVec(Y);
    cusparseDestroySpMat(Z);

    /* A X = 2 B */
    std::vector<float> b(ROWS * WIDTH);
    want.assign(ROWS * WIDTH, 0);
    for (int j = 0; j < WIDTH; j++)
        for (int i = 0; i < ROWS; i++) {
            want[(size_t)(j * ROWS + i)] = value(3 * i + j);
            for (int k = 0; k < ROWS; k++)
                b[(size_t)(j * ROWS + i)] += (float)(lower(i, k) * value(3 * k + j) / 2);
        }
    Memory<float> device_b(b), device_c(std::vector<float>(ROWS * WIDTH, 0));
    cusparseDnMatDescr_t B, C;
    cusparseSpSMDescr_t plan;
    const float two = 2, half = .5f;
    status = cusparseCreateCsr(&A, ROWS, ROWS, nnz, offsets.data, columns.data, values.data,
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                               CUDA_R_32F);
    status |=
        cusparseCreateDnMat(&B, ROWS, WIDTH, ROWS, device_b.data, CUDA_R_32F, CUSPARSE_ORDER_COL);
    status |=
        cusparseCreateDnMat(&C, ROWS, WIDTH, ROWS, device_c.data, CUDA_R_32F, CUSPARSE_ORDER_COL);
    status |= cusparseSpSM_createDescr(&plan);
    status |= cusparseSpSM_bufferSize(handle, plain, plain, &two, A, B, C, CUDA_R_32F,
                                      CUSPARSE_SPSM_ALG_DEFAULT, plan, &bytes);
    buffer = buffer_of(bytes);
    status |= cusparseSpSM_analysis(handle, plain, plain, &two, A, B, C, CUDA_R_32F,
                                    CUSPARSE_SPSM_ALG_DEFAULT, plan, buffer);
    status |= cusparseSpSM_solve(handle, plain, plain, &two, A, B, C, CUDA_R_32F,
                                 CUSPARSE_SPSM_ALG_DEFAULT, plan);
    judge("SpSM", device_c.fetched(), want, status);
    cudaFree(buffer);
    cusparseSpSM_destroyDescr(plan);

    /* A = A / 2 + 2 B C' at the elements of A */
    want.clear();
    const std::vector<float> c = device_c.fetched();
    for (int i = 0; i < ROWS; i++)
        for (int k = sparse.row_offsets[(size_t)i]; k < sparse.row_offsets[(size_t)i + 1]; k++) {
            double sum = sparse.by_rows[(size_t)k] / 2;
            for (int j = 0; j < WIDTH; j++)
                sum += 2.0 * b[(size_t)(j * ROWS + i)] *
                       c[(size_t)(j * ROWS + sparse.column_indices[(size_t)k])];
            want.push_back(sum);
        }
    status = cusparseSDDMM_bufferSize(handle, plain, CUSPARSE_OPERATION_TRANSPOSE, &two, B, C,
                                      &half, A, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, &bytes);
    buffer = buffer_of(bytes);
    status |= cusparseSDDMM(handle, plain, CUSPARSE_OPERATION_TRANSPOSE, &two, B, C, &half, A,
                            CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, buffer);
    judge("SDDMM", values.fetched(), want, status);
    cudaFree(buffer);
    cusparseDestroyDnMat(B);
    cusparseDestroyDnMat(C);
    cusparseDestroySpMat(A);
}

static void errors(cusparseHandle_t handle)
{
    Memory<int> offsets(std::vector<int>{0, 1, 2}), columns(std::vector<int>{0, 1});
    Memory<float> values(std::vector<float>{1, 2}), x(std::vector<float>{1, 2, 3});
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t X;
    const float one = 1;
    printf("rows: %d\n", cusparseCreateCsr(&A, -1, 2, 2, offsets.data, columns.data, values.data,
                                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    cusparseCreateCsr(&A, 2, 2, 2, offsets.data, columns.data, values.data, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateDnVec(&X, 3, x.data, CUDA_R_32F);
    printf("sizes: %d\n", cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &one,
                                       X, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    printf("no handle: %d\n", cusparseSetStream(nullptr, nullptr));
    printf("%s: %s\n", cusparseGetErrorName(CUSPARSE_STATUS_INVALID_VALUE),
           cusparseGetErrorString(CUSPARSE_STATUS_INVALID_VALUE));
    cusparseDestroyDnVec(X);
    cusparseDestroySpMat(A);
}

int main()
{
    cusparseHandle_t handle;
    printf("create %d\n", cusparseCreate(&handle));
    products<float>(handle, "float");
    products<double>(handle, "double");
    triangles(handle);
    conversions(handle);
    vectors(handle);
    sparse_product(handle);
    tridiagonal(handle);
    others(handle);
    errors(handle);
    printf("destroy %d\n", cusparseDestroy(handle));
    return 0;
}
