/* SPDX-License-Identifier: BSD-3-Clause */
// link: -lcufft
/* cuFFT: transforms of each type against sums in double, in each layout; what it refuses. */
#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

typedef std::complex<double> Complex;
typedef std::vector<Complex> Array;

static double value(int i)
{
    return ((i * 7919 + 13) % 101 - 50) / 50.0;
}

/* The transform of an array of n[0] x n[1] x n[2], without scaling. */
static Array transform(const Array &x, const std::vector<int> &n, int sign)
{
    Array y(x);
    size_t stride = x.size();
    for (int length : n) {
        stride /= (size_t)length;
        const Array from(y);
        for (size_t i = 0; i < y.size(); i++) {
            const size_t k = i / stride % (size_t)length, base = i - k * stride;
            y[i] = 0;
            for (size_t j = 0; j < (size_t)length; j++)
                y[i] +=
                    from[base + j * stride] *
                    std::polar(1.0, sign * 2 * M_PI * (double)(j * k % (size_t)length) / length);
        }
    }
    return y;
}

/* Two places, without the sign of a zero. */
static double rounded(double x)
{
    return rint(x * 100) / 100 + 0.0;
}
static void judge(const char *name, const std::vector<double> &got, const std::vector<double> &want,
                  double tolerance, int status)
{
    double error = 0, size = 0;
    for (size_t i = 0; i < want.size(); i++) {
        error = fmax(error, fabs(got[i] - want[i]));
        size = fmax(size, fabs(want[i]));
    }
    printf("%-24s status %d, %s, %.2f %.2f\n", name, status,
           error <= tolerance * size ? "right" : "wrong", rounded(got[2]),
           rounded(got[want.size() - 1]));
}

/* Memory of the device with these numbers. */
template <class T> struct Memory {
    T *data;
    size_t n;
    explicit Memory(const std::vector<T> &x) : n(x.size())
    {
        cudaMalloc(&data, n * sizeof(T));
        cudaMemcpy(data, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Memory()
    {
        cudaFree(data);
    }
    std::vector<double> fetched() const
    {
        std::vector<T> x(n);
        cudaMemcpy(x.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
        return std::vector<double>(x.begin(), x.end());
    }
};

static std::vector<int> last_halved(std::vector<int> n)
{
    n.back() = n.back() / 2 + 1;
    return n;
}
static size_t product(const std::vector<int> &n)
{
    size_t result = 1;
    for (int length : n)
        result *= (size_t)length;
    return result;
}

template <class T> struct Calls;
template <> struct Calls<float> {
    static const cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
    static cufftResult complex(cufftHandle plan, float *from, float *to, int sign)
    {
        return cufftExecC2C(plan, (cufftComplex *)from, (cufftComplex *)to, sign);
    }
    static cufftResult to_complex(cufftHandle plan, float *from, float *to)
    {
        return cufftExecR2C(plan, from, (cufftComplex *)to);
    }
    static cufftResult to_real(cufftHandle plan, float *from, float *to)
    {
        return cufftExecC2R(plan, (cufftComplex *)from, to);
    }
};
template <> struct Calls<double> {
    static const cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
    static cufftResult complex(cufftHandle plan, double *from, double *to, int sign)
    {
        return cufftExecZ2Z(plan, (cufftDoubleComplex *)from, (cufftDoubleComplex *)to, sign);
    }
    static cufftResult to_complex(cufftHandle plan, double *from, double *to)
    {
        return cufftExecD2Z(plan, from, (cufftDoubleComplex *)to);
    }
    static cufftResult to_real(cufftHandle plan, double *from, double *to)
    {
        return cufftExecZ2D(plan, (cufftDoubleComplex *)from, to);
    }
};

static cufftResult make(cufftHandle *plan, const std::vector<int> &n, cufftType type, int batch)
{
    switch (n.size()) {
    case 1: return cufftPlan1d(plan, n[0], type, batch);
    case 2: return cufftPlan2d(plan, n[0], n[1], type);
    default: return cufftPlan3d(plan, n[0], n[1], n[2], type);
    }
}

template <class T> static void shapes(const char *precision, double tolerance)
{
    const struct {
        std::vector<int> n;
        int batch;
    } all[] = {{{60}, 1}, {{97}, 3}, {{16}, 5}, {{12, 10}, 1}, {{7, 9}, 1}, {{4, 6, 10}, 1}};
    for (const auto &shape : all) {
        const size_t count = product(shape.n), batch = (size_t)shape.batch;
        const size_t halves = product(last_halved(shape.n));
        const size_t last = (size_t)shape.n.back(), half = last / 2 + 1;
        char name[64];
        int length = snprintf(name, sizeof name, "%s", precision);
        for (int n : shape.n)
            length += snprintf(name + length, sizeof name - (size_t)length, " %d", n);
        printf("%s, %d times\n", name, shape.batch);

        /* complex, forward and in place back */
        std::vector<T> x(2 * count * batch);
        std::vector<double> want(x.size()), real_want(2 * halves * batch), reals, back;
        for (size_t i = 0; i < x.size(); i++)
            x[i] = (T)value((int)i);
        for (size_t b = 0; b < batch; b++) {
            Array one(count), real(count);
            for (size_t i = 0; i < count; i++) {
                one[i] = Complex(x[2 * (b * count + i)], x[2 * (b * count + i) + 1]);
                real[i] = x[b * count + i];
            }
            const Array y = transform(one, shape.n, -1), z = transform(real, shape.n, -1);
            for (size_t i = 0; i < count; i++) {
                want[2 * (b * count + i)] = y[i].real();
                want[2 * (b * count + i) + 1] = y[i].imag();
                const size_t place = b * halves + i / last * half + i % last;
                if (i % last < half) {
                    real_want[2 * place] = z[i].real();
                    real_want[2 * place + 1] = z[i].imag();
                }
            }
        }
        cufftHandle plan;
        Memory<T> from(x), to(std::vector<T>(x.size(), T(0)));
        int status = make(&plan, shape.n, Calls<T>::c2c, shape.batch);
        status |= Calls<T>::complex(plan, from.data, to.data, CUFFT_FORWARD);
        judge("complex", to.fetched(), want, tolerance, status);
        status = Calls<T>::complex(plan, to.data, to.data, CUFFT_INVERSE);
        for (T &number : x)
            back.push_back((double)number * (double)count);
        judge("complex, in place, back", to.fetched(), back, tolerance, status);
        status = cufftDestroy(plan);

        /* real to complex and back */
        x.resize(count * batch);
        Memory<T> real(x), complex(std::vector<T>(2 * halves * batch, T(0)));
        status |= make(&plan, shape.n, Calls<T>::r2c, shape.batch);
        status |= Calls<T>::to_complex(plan, real.data, complex.data);
        judge("real to complex", complex.fetched(), real_want, tolerance, status);
        status = cufftDestroy(plan);
        status |= make(&plan, shape.n, Calls<T>::c2r, shape.batch);
        status |= Calls<T>::to_real(plan, complex.data, real.data);
        back.resize(count * batch);
        judge("complex to real", real.fetched(), back, tolerance, status);
        status = cufftDestroy(plan);

        /* in place: rows of real numbers are padded */
        std::vector<T> padded(2 * halves * batch, T(0));
        for (size_t i = 0; i < x.size(); i++)
            padded[i / last * 2 * half + i % last] = x[i];
        Memory<T> place(padded);
        status |= make(&plan, shape.n, Calls<T>::r2c, shape.batch);
        status |= Calls<T>::to_complex(plan, place.data, place.data);
        judge("real, in place", place.fetched(), real_want, tolerance, status);
        status = cufftDestroy(plan);
        status |= make(&plan, shape.n, Calls<T>::c2r, shape.batch);
        status |= Calls<T>::to_real(plan, place.data, place.data);
        const std::vector<double> got = place.fetched();
        for (size_t i = 0; i < x.size(); i++)
            reals.push_back(got[i / last * 2 * half + i % last]);
        judge("real, in place, back", reals, back, tolerance, status);
        cufftDestroy(plan);
    }
}

/* Columns of a matrix; a part of a larger array; batches that alternate. */
static void layouts()
{
    enum { ROWS = 6, COLUMNS = 8 };
    std::vector<float> x(2 * ROWS * COLUMNS);
    std::vector<double> want(x.size());
    for (size_t i = 0; i < x.size(); i++)
        x[i] = (float)value((int)i);
    for (int c = 0; c < COLUMNS; c++) {
        Array column(ROWS);
        for (int r = 0; r < ROWS; r++)
            column[(size_t)r] =
                Complex(x[(size_t)(2 * (r * COLUMNS + c))], x[(size_t)(2 * (r * COLUMNS + c) + 1)]);
        const Array y = transform(column, {ROWS}, -1);
        for (int r = 0; r < ROWS; r++) {
            want[(size_t)(2 * (r * COLUMNS + c))] = y[(size_t)r].real();
            want[(size_t)(2 * (r * COLUMNS + c) + 1)] = y[(size_t)r].imag();
        }
    }
    cufftHandle plan;
    int n[] = {ROWS}, embed[] = {ROWS};
    Memory<float> columns(x);
    int status =
        cufftPlanMany(&plan, 1, n, embed, COLUMNS, 1, embed, COLUMNS, 1, CUFFT_C2C, COLUMNS);
    cudaStream_t stream;
    status |= cudaStreamCreate(&stream);
    status |= cufftSetStream(plan, stream);
    status |= cufftExecC2C(plan, (cufftComplex *)columns.data, (cufftComplex *)columns.data,
                           CUFFT_FORWARD);
    status |= cudaStreamSynchronize(stream);
    judge("columns", columns.fetched(), want, 4e-6, status);
    status = cufftDestroy(plan) | cudaStreamDestroy(stream);

    /* 4 x 6 reals with stride 2 in rows of 8, twice, to halves in rows of 5 */
    int n2[] = {4, 6}, inembed[] = {4, 8}, onembed[] = {4, 5};
    std::vector<float> parts(2 * 70, 9);
    std::vector<double> parts_want(2 * 20 * 2, 0);
    for (int b = 0; b < 2; b++) {
        Array part(24);
        for (int i = 0; i < 24; i++) {
            part[(size_t)i] = value(100 * b + i);
            parts[(size_t)(70 * b + (i / 6 * 8 + i % 6) * 2)] = (float)value(100 * b + i);
        }
        const Array y = transform(part, {4, 6}, -1);
        for (int i = 0; i < 24; i++)
            if (i % 6 < 4) {
                const size_t place = (size_t)(2 * (20 * b + i / 6 * 5 + i % 6));
                parts_want[place] = y[(size_t)i].real();
                parts_want[place + 1] = y[(size_t)i].imag();
            }
    }
    Memory<float> from(parts), to(std::vector<float>(2 * 20 * 2, 0));
    size_t bytes = 0;
    status |= cufftCreate(&plan);
    status |= cufftSetAutoAllocation(plan, 0);
    status |= cufftMakePlanMany(plan, 2, n2, inembed, 2, 70, onembed, 1, 20, CUFFT_R2C, 2, &bytes);
    void *area;
    status |= cudaMalloc(&area, bytes + 1);
    status |= cufftSetWorkArea(plan, area);
    status |= cufftExecR2C(plan, from.data, (cufftComplex *)to.data);
    judge("parts", to.fetched(), parts_want, 4e-6, status);
    cufftDestroy(plan);

    long long wide[] = {ROWS};
    Memory<float> first(std::vector<float>(x.begin(), x.begin() + 2 * ROWS));
    status = cufftCreate(&plan);
    status |= cufftXtMakePlanMany(plan, 1, wide, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0,
                                  CUDA_C_32F, 1, &bytes, CUDA_C_32F);
    status |= cufftXtExec(plan, first.data, first.data, CUFFT_INVERSE);
    Array row(ROWS);
    for (size_t i = 0; i < ROWS; i++)
        row[i] = Complex(x[2 * i], x[2 * i + 1]);
    const Array y = transform(row, {ROWS}, 1);
    std::vector<double> row_want;
    for (const Complex &z : y) {
        row_want.push_back(z.real());
        row_want.push_back(z.imag());
    }
    judge("Xt", first.fetched(), row_want, 4e-6, status);
    cufftDestroy(plan);
    cudaFree(area);
}

static void errors()
{
    cufftHandle plan;
    size_t bytes;
    printf("length 0: %d\n", cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
    printf("batch 0: %d\n", cufftPlan1d(&plan, 8, CUFFT_C2C, 0));
    printf("type: %d\n", cufftPlan1d(&plan, 8, (cufftType)7, 1));
    printf("no plan: %d\n", cufftExecC2C(12345, nullptr, nullptr, CUFFT_FORWARD));
    printf("no plan: %d\n", cufftDestroy(12345));
    printf("estimate: %d\n", cufftEstimate2d(8, 8, CUFFT_C2C, &bytes));
    cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
    Memory<float> x(std::vector<float>(16, 1));
    cufftComplex *const data = (cufftComplex *)x.data;
    printf("direction: %d\n", cufftExecC2C(plan, data, data, 0));
    printf("again: %d\n", cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes));
    cufftDestroy(plan);
    printf("destroyed: %d\n", cufftExecC2C(plan, data, data, CUFFT_FORWARD));
}

/* A graph makes the transform at each launch, of what is there by then. */
static void captured()
{
    Memory<float> x(std::vector<float>{1, 0, 2, 0, 3, 0, 4, 0});
    cufftComplex *const data = (cufftComplex *)x.data;
    cufftHandle plan;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamCreate(&stream);
    cufftPlan1d(&plan, 4, CUFFT_C2C, 1);
    cufftSetStream(plan, stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    printf("in capture: %d\n", cufftExecC2C(plan, data, data, CUFFT_FORWARD));
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 3; i++) {
        float host[8];
        cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
        for (int j = 0; j < 8; j++)
            printf(" %g", (double)host[j] + 0);
        printf("\n");
        cudaGraphLaunch(executable, stream);
        cudaStreamSynchronize(stream);
    }
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cufftDestroy(plan);
    cudaStreamDestroy(stream);
}

int main()
{
    shapes<float>("float", 4e-6);
    shapes<double>("double", 1e-13);
    layouts();
    errors();
    captured();
    return 0;
}
