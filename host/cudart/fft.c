/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libcufft: cuFFT on FFTW. Each transform is gathered from the device's memory into an array of the
 * host's, in the order of cuFFT's layouts, transformed there, and scattered.
 *
 * Numbers are read and written one by one by volatile accesses: the compiler would make calls of
 * memcpy from loops, and memcheck does not let those touch device memory.
 */
#include "host/cudart/include/cufftXt.h"
#include "host/cudart/library.h"

#include <fftw3.h>
#include <pthread.h> /* pthread_mutex_t */
#include <stdio.h>   /* fputs */
#include <stdlib.h>  /* calloc, free, realloc */

enum { RANKS = 3 };

/* How the numbers of the input or the output lie in memory. */
struct layout {
    int is_complex;
    long long n[RANKS], embed[RANKS], stride, distance;
};
struct plan {
    int is_used, is_made;
    cudaStream_t stream;
    cufftType type;
    int rank, n[RANKS];
    long long batch;
    int is_basic; /* packed; real numbers in place are padded */
    struct layout input, output;
    void *from, *to; /* FFTW's arrays */
    fftw_plan forward, inverse;
    fftwf_plan forward_float, inverse_float;
};

/* A handle is an index of the table. FFTW's planner also needs the lock. */
static struct plan *plans;
static int plan_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REQUIRE(condition, error)                                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return error;                                                                          \
    } while (0)

static int is_double(cufftType type)
{
    return (type & 0x40) != 0;
}
static int is_type(cufftType type)
{
    return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
           type == CUFFT_D2Z || type == CUFFT_Z2D;
}
/* Of either precision. */
static int is_to_complex(cufftType type)
{
    return (type & 0xf) == (CUFFT_R2C & 0xf);
}
static int is_to_real(cufftType type)
{
    return (type & 0xf) == (CUFFT_C2R & 0xf);
}

/* ---- handles ---- */

static cufftResult add(cufftHandle *handle)
{
    int k = 0;
    pthread_mutex_lock(&lock);
    while (k < plan_count && plans[k].is_used)
        k++;
    if (k == plan_count) {
        struct plan *const more =
            (struct plan *)realloc(plans, (size_t)(plan_count + 16) * sizeof *plans);
        if (!more) {
            pthread_mutex_unlock(&lock);
            return CUFFT_ALLOC_FAILED;
        }
        plans = more;
        plan_count += 16;
        for (int i = k; i < plan_count; i++)
            plans[i].is_used = 0;
    }
    const struct plan empty = {.is_used = 1};
    plans[k] = empty;
    pthread_mutex_unlock(&lock);
    *handle = k + 1;
    return CUFFT_SUCCESS;
}
/* A copy: other threads may move the table. */
static struct plan plan_of(cufftHandle handle)
{
    struct plan plan = {.is_used = 0};
    pthread_mutex_lock(&lock);
    if (handle >= 1 && handle <= plan_count)
        plan = plans[handle - 1];
    pthread_mutex_unlock(&lock);
    return plan;
}
static void keep(cufftHandle handle, const struct plan *plan)
{
    pthread_mutex_lock(&lock);
    plans[handle - 1] = *plan;
    pthread_mutex_unlock(&lock);
}

cufftResult cufftCreate(cufftHandle *handle)
{
    REQUIRE(handle, CUFFT_INVALID_VALUE);
    REQUIRE(portable_cuda_enter_(0) == cudaSuccess, CUFFT_SETUP_FAILED);
    return add(handle);
}
cufftResult cufftDestroy(cufftHandle handle)
{
    const struct plan plan = plan_of(handle), none = {.is_used = 0};
    REQUIRE(plan.is_used, CUFFT_INVALID_PLAN);
    pthread_mutex_lock(&lock);
    fftw_destroy_plan(plan.forward);
    fftw_destroy_plan(plan.inverse);
    fftwf_destroy_plan(plan.forward_float);
    fftwf_destroy_plan(plan.inverse_float);
    pthread_mutex_unlock(&lock);
    fftw_free(plan.from);
    fftw_free(plan.to);
    keep(handle, &none);
    return CUFFT_SUCCESS;
}

/* ---- plans ---- */

static long long product(const long long *n, int rank)
{
    long long result = 1;
    for (int i = 0; i < rank; i++)
        result *= n[i];
    return result;
}
/* Counts and the packed layout of one side. */
static struct layout packed(const struct plan *plan, int is_complex, int is_in_place)
{
    struct layout layout = {.is_complex = is_complex, .stride = 1};
    const int last = plan->rank - 1,
              has_halves = is_to_complex(plan->type) || is_to_real(plan->type);
    for (int i = 0; i < plan->rank; i++)
        layout.n[i] = layout.embed[i] = plan->n[i];
    if (has_halves && is_complex)
        layout.n[last] = layout.embed[last] = plan->n[last] / 2 + 1;
    if (has_halves && !is_complex && is_in_place)
        layout.embed[last] = 2 * (plan->n[last] / 2 + 1);
    layout.distance = product(layout.embed, plan->rank);
    return layout;
}
static size_t array_bytes(const struct plan *plan, const struct layout *layout)
{
    return (size_t)product(layout->n, plan->rank) * (size_t)(layout->is_complex ? 2 : 1) *
           (is_double(plan->type) ? sizeof(double) : sizeof(float));
}

static int make_plans(struct plan *plan)
{
    const int rank = plan->rank, *const n = plan->n;
    void *const from = plan->from, *const to = plan->to;
    switch (plan->type) {
    case CUFFT_Z2Z:
        plan->forward = fftw_plan_dft(rank, n, (fftw_complex *)from, (fftw_complex *)to,
                                      FFTW_FORWARD, FFTW_ESTIMATE);
        plan->inverse = fftw_plan_dft(rank, n, (fftw_complex *)from, (fftw_complex *)to,
                                      FFTW_BACKWARD, FFTW_ESTIMATE);
        return plan->forward && plan->inverse;
    case CUFFT_D2Z:
        plan->forward =
            fftw_plan_dft_r2c(rank, n, (double *)from, (fftw_complex *)to, FFTW_ESTIMATE);
        return plan->forward != NULL;
    case CUFFT_Z2D:
        plan->inverse =
            fftw_plan_dft_c2r(rank, n, (fftw_complex *)from, (double *)to, FFTW_ESTIMATE);
        return plan->inverse != NULL;
    case CUFFT_C2C:
        plan->forward_float = fftwf_plan_dft(rank, n, (fftwf_complex *)from, (fftwf_complex *)to,
                                             FFTW_FORWARD, FFTW_ESTIMATE);
        plan->inverse_float = fftwf_plan_dft(rank, n, (fftwf_complex *)from, (fftwf_complex *)to,
                                             FFTW_BACKWARD, FFTW_ESTIMATE);
        return plan->forward_float && plan->inverse_float;
    case CUFFT_R2C:
        plan->forward_float =
            fftwf_plan_dft_r2c(rank, n, (float *)from, (fftwf_complex *)to, FFTW_ESTIMATE);
        return plan->forward_float != NULL;
    case CUFFT_C2R:
        plan->inverse_float =
            fftwf_plan_dft_c2r(rank, n, (fftwf_complex *)from, (float *)to, FFTW_ESTIMATE);
        return plan->inverse_float != NULL;
    }
    return 0;
}

/* Checks the parameters and fills in all but FFTW's part. */
static cufftResult describe(struct plan *plan, int rank, const long long *n,
                            const long long *inembed, long long istride, long long idist,
                            const long long *onembed, long long ostride, long long odist,
                            cufftType type, long long batch)
{
    REQUIRE(is_type(type), CUFFT_INVALID_TYPE);
    REQUIRE(rank >= 1 && rank <= RANKS && n, CUFFT_INVALID_VALUE);
    REQUIRE(batch >= 1, CUFFT_INVALID_SIZE);
    plan->type = type;
    plan->rank = rank;
    plan->batch = batch;
    for (int i = 0; i < rank; i++) {
        REQUIRE(n[i] >= 1 && n[i] <= 0x7fffffff, CUFFT_INVALID_SIZE);
        plan->n[i] = (int)n[i];
    }
    plan->is_basic = !inembed || !onembed;
    plan->input = packed(plan, !is_to_complex(type), 0);
    plan->output = packed(plan, !is_to_real(type), 0);
    if (plan->is_basic)
        return CUFFT_SUCCESS;
    REQUIRE(istride >= 1 && ostride >= 1 && idist >= 0 && odist >= 0, CUFFT_INVALID_VALUE);
    for (int i = 0; i < rank; i++) {
        /* The first one is not used. */
        REQUIRE(i == 0 || (inembed[i] >= 1 && onembed[i] >= 1), CUFFT_INVALID_VALUE);
        plan->input.embed[i] = inembed[i];
        plan->output.embed[i] = onembed[i];
    }
    plan->input.stride = istride;
    plan->input.distance = idist;
    plan->output.stride = ostride;
    plan->output.distance = odist;
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, long long *onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t *bytes)
{
    struct plan plan = plan_of(handle);
    REQUIRE(plan.is_used && !plan.is_made, CUFFT_INVALID_PLAN);
    const cufftResult error =
        describe(&plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
    REQUIRE(error == CUFFT_SUCCESS, error);
    plan.from = fftw_malloc(array_bytes(&plan, &plan.input));
    plan.to = fftw_malloc(array_bytes(&plan, &plan.output));
    pthread_mutex_lock(&lock);
    plan.is_made = plan.from && plan.to && make_plans(&plan);
    pthread_mutex_unlock(&lock);
    keep(handle, &plan);
    REQUIRE(plan.is_made, CUFFT_ALLOC_FAILED);
    if (bytes)
        *bytes = array_bytes(&plan, &plan.output);
    return CUFFT_SUCCESS;
}

/* The embeddings of the calls with int. */
struct wide {
    long long n[RANKS], inembed[RANKS], onembed[RANKS];
};
static void widen(struct wide *wide, int rank, const int *n, const int *inembed, const int *onembed)
{
    for (int i = 0; i < rank && i < RANKS; i++) {
        wide->n[i] = n ? n[i] : 0;
        wide->inembed[i] = inembed ? inembed[i] : 0;
        wide->onembed[i] = onembed ? onembed[i] : 0;
    }
}
cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *bytes)
{
    struct wide wide;
    widen(&wide, rank, n, inembed, onembed);
    return cufftMakePlanMany64(handle, rank, n ? wide.n : NULL, inembed ? wide.inembed : NULL,
                               istride, idist, onembed ? wide.onembed : NULL, ostride, odist, type,
                               batch, bytes);
}
cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *bytes)
{
    long long n[] = {nx};
    return cufftMakePlanMany64(handle, 1, n, NULL, 1, 0, NULL, 1, 0, type, batch, bytes);
}
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *bytes)
{
    long long n[] = {nx, ny};
    return cufftMakePlanMany64(handle, 2, n, NULL, 1, 0, NULL, 1, 0, type, 1, bytes);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                            size_t *bytes)
{
    long long n[] = {nx, ny, nz};
    return cufftMakePlanMany64(handle, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1, bytes);
}

/* A new handle with its plan, or none. */
#define PLAN(handle, make)                                                                         \
    do {                                                                                           \
        const cufftResult created_ = cufftCreate(handle);                                          \
        REQUIRE(created_ == CUFFT_SUCCESS, created_);                                              \
        const cufftResult made_ = make;                                                            \
        if (made_ != CUFFT_SUCCESS)                                                                \
            cufftDestroy(*(handle));                                                               \
        return made_;                                                                              \
    } while (0)
cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch)
{
    PLAN(handle, cufftMakePlan1d(*handle, nx, type, batch, NULL));
}
cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type)
{
    PLAN(handle, cufftMakePlan2d(*handle, nx, ny, type, NULL));
}
cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type)
{
    PLAN(handle, cufftMakePlan3d(*handle, nx, ny, nz, type, NULL));
}
cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride,
                          int idist, int *onembed, int ostride, int odist, cufftType type,
                          int batch)
{
    PLAN(handle, cufftMakePlanMany(*handle, rank, n, inembed, istride, idist, onembed, ostride,
                                   odist, type, batch, NULL));
}

/* ---- sizes: no work area is used, but programs allocate what these calls say ---- */

cufftResult cufftGetSizeMany64(cufftHandle handle, int rank, long long *n, long long *inembed,
                               long long istride, long long idist, long long *onembed,
                               long long ostride, long long odist, cufftType type, long long batch,
                               size_t *bytes)
{
    struct plan plan = plan_of(handle);
    REQUIRE(plan.is_used, CUFFT_INVALID_PLAN);
    REQUIRE(bytes, CUFFT_INVALID_VALUE);
    const cufftResult error =
        describe(&plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
    REQUIRE(error == CUFFT_SUCCESS, error);
    *bytes = array_bytes(&plan, &plan.output);
    return CUFFT_SUCCESS;
}
cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type, int batch, size_t *bytes)
{
    struct plan plan = {.is_used = 1};
    struct wide wide;
    REQUIRE(bytes, CUFFT_INVALID_VALUE);
    widen(&wide, rank, n, inembed, onembed);
    const cufftResult error =
        describe(&plan, rank, n ? wide.n : NULL, inembed ? wide.inembed : NULL, istride, idist,
                 onembed ? wide.onembed : NULL, ostride, odist, type, batch);
    REQUIRE(error == CUFFT_SUCCESS, error);
    *bytes = array_bytes(&plan, &plan.output);
    return CUFFT_SUCCESS;
}
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *bytes)
{
    int n[] = {nx};
    return cufftEstimateMany(1, n, NULL, 1, 0, NULL, 1, 0, type, batch, bytes);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *bytes)
{
    int n[] = {nx, ny};
    return cufftEstimateMany(2, n, NULL, 1, 0, NULL, 1, 0, type, 1, bytes);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *bytes)
{
    int n[] = {nx, ny, nz};
    return cufftEstimateMany(3, n, NULL, 1, 0, NULL, 1, 0, type, 1, bytes);
}
cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                             int idist, int *onembed, int ostride, int odist, cufftType type,
                             int batch, size_t *bytes)
{
    REQUIRE(plan_of(handle).is_used, CUFFT_INVALID_PLAN);
    return cufftEstimateMany(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                             bytes);
}
cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *bytes)
{
    REQUIRE(plan_of(handle).is_used, CUFFT_INVALID_PLAN);
    return cufftEstimate1d(nx, type, batch, bytes);
}
cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *bytes)
{
    REQUIRE(plan_of(handle).is_used, CUFFT_INVALID_PLAN);
    return cufftEstimate2d(nx, ny, type, bytes);
}
cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                           size_t *bytes)
{
    REQUIRE(plan_of(handle).is_used, CUFFT_INVALID_PLAN);
    return cufftEstimate3d(nx, ny, nz, type, bytes);
}
cufftResult cufftGetSize(cufftHandle handle, size_t *bytes)
{
    const struct plan plan = plan_of(handle);
    REQUIRE(plan.is_made, CUFFT_INVALID_PLAN);
    REQUIRE(bytes, CUFFT_INVALID_VALUE);
    *bytes = array_bytes(&plan, &plan.output);
    return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    (void)area;
    return plan_of(handle).is_used ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic)
{
    (void)automatic;
    return plan_of(handle).is_used ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/* ---- transforms ---- */

static long long row_offset(const struct plan *plan, const struct layout *layout, long long batch,
                            long long row)
{
    long long index[RANKS] = {0, 0, 0}, offset = 0;
    for (int i = plan->rank - 2; i >= 0; i--) {
        index[i] = row % layout->n[i];
        row /= layout->n[i];
    }
    for (int i = 0; i < plan->rank - 1; i++)
        offset = (offset + index[i]) * layout->embed[i + 1];
    return offset * layout->stride + batch * layout->distance;
}
/* Whether the side is memory of the device; tells the checks that the call uses it. */
static int portable_cuda_opens_side_(const char *call, const char *role, const struct plan *plan,
                                     const struct layout *layout, const void *data, int writes)
{
    const size_t element = (size_t)(layout->is_complex ? 2 : 1) *
                           (is_double(plan->type) ? sizeof(double) : sizeof(float));
    const long long last = layout->n[plan->rank - 1], rows = product(layout->n, plan->rank - 1);
    const struct layout whole = packed(plan, layout->is_complex, 0);
    int is_packed = layout->stride == 1 && layout->distance == whole.distance;
    for (int i = 1; i < plan->rank; i++)
        is_packed = is_packed && layout->embed[i] == whole.embed[i];
    if (is_packed)
        return portable_cuda_opens_array_(call, role, data, (size_t)(whole.distance * plan->batch),
                                          element, !writes, writes);
    for (long long b = 0; b < plan->batch; b++)
        for (long long row = 0; row < rows; row++) {
            const char *const start =
                (const char *)data + row_offset(plan, layout, b, row) * (long long)element;
            const int is_dense = layout->stride == 1;
            if (portable_cuda_operand_(call, role, start, (size_t)layout->stride * element,
                                       element * (is_dense ? (size_t)last : 1),
                                       is_dense ? 1 : (size_t)last, !writes, writes) != cudaSuccess)
                return 0;
        }
    return 1;
}
static void move(const struct plan *plan, void *to, long long to_index, const void *from,
                 long long from_index, int is_complex)
{
    const int words = is_complex ? 2 : 1;
    for (int i = 0; i < words; i++)
        if (is_double(plan->type))
            ((volatile double *)to)[to_index * words + i] =
                ((const volatile double *)from)[from_index * words + i];
        else
            ((volatile float *)to)[to_index * words + i] =
                ((const volatile float *)from)[from_index * words + i];
}
static void gather(const struct plan *plan, const struct layout *layout, const void *data,
                   long long batch)
{
    const long long last = layout->n[plan->rank - 1], rows = product(layout->n, plan->rank - 1);
    for (long long row = 0; row < rows; row++) {
        const long long start = row_offset(plan, layout, batch, row);
        for (long long i = 0; i < last; i++)
            move(plan, plan->from, row * last + i, data, start + i * layout->stride,
                 layout->is_complex);
    }
}
static void scatter(const struct plan *plan, const struct layout *layout, void *data,
                    long long batch)
{
    const long long last = layout->n[plan->rank - 1], rows = product(layout->n, plan->rank - 1);
    for (long long row = 0; row < rows; row++) {
        const long long start = row_offset(plan, layout, batch, row);
        for (long long i = 0; i < last; i++)
            move(plan, data, start + i * layout->stride, plan->to, row * last + i,
                 layout->is_complex);
    }
}

/* A call of cufftExecC2C and the like. */
struct transform {
    const char *call;
    cufftHandle handle;
    cufftType type;
    void *input, *output;
    int direction;
};
static cufftResult portable_cuda_transform_now_(const struct transform *transform)
{
    const char *const call = transform->call;
    const struct plan plan = plan_of(transform->handle);
    const cufftType type = transform->type;
    void *const input = transform->input, *const output = transform->output;
    const int direction = transform->direction;
    REQUIRE(plan.is_made, CUFFT_INVALID_PLAN);
    const struct layout from =
        plan.is_basic ? packed(&plan, plan.input.is_complex, input == output) : plan.input;
    const struct layout to =
        plan.is_basic ? packed(&plan, plan.output.is_complex, input == output) : plan.output;
    REQUIRE(portable_cuda_opens_side_(call, "input", &plan, &from, input, 0) &&
                portable_cuda_opens_side_(call, "output", &plan, &to, output, 1),
            CUFFT_EXEC_FAILED);
    const int is_inverse = is_to_real(type) || (direction == CUFFT_INVERSE && !is_to_complex(type));
    for (long long b = 0; b < plan.batch; b++) {
        gather(&plan, &from, input, b);
        if (is_double(type))
            fftw_execute(is_inverse ? plan.inverse : plan.forward);
        else
            fftwf_execute(is_inverse ? plan.inverse_float : plan.forward_float);
        scatter(&plan, &to, output, b);
    }
    return CUFFT_SUCCESS;
}
static void portable_cuda_transform_again_(void *data)
{
    if (portable_cuda_transform_now_((const struct transform *)data) != CUFFT_SUCCESS)
        portable_cuda_error_(cudaErrorUnknown);
}
/* A capture makes a node of it. */
static cufftResult portable_cuda_transform_(const char *call, cufftHandle handle, cufftType type,
                                            void *input, void *output, int direction)
{
    struct transform transform = {call, handle, type, input, output, direction};
    const struct plan plan = plan_of(handle);
    REQUIRE(plan.is_made, CUFFT_INVALID_PLAN);
    REQUIRE(plan.type == type, CUFFT_INVALID_TYPE);
    REQUIRE(input && output && (direction == CUFFT_FORWARD || direction == CUFFT_INVERSE),
            CUFFT_INVALID_VALUE);
    struct CUgraph_st *const graph = portable_cuda_capture_of_(plan.stream);
    if (graph) {
        portable_cuda_capture_host_(graph, portable_cuda_transform_again_, &transform,
                                    sizeof transform);
        return CUFFT_SUCCESS;
    }
    REQUIRE(portable_cuda_begin_library_(plan.stream) == cudaSuccess, CUFFT_EXEC_FAILED);
    return portable_cuda_transform_now_(&transform);
}
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *input, cufftComplex *output, int direction)
{
    return portable_cuda_transform_(__func__, plan, CUFFT_C2C, input, output, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *input, cufftComplex *output)
{
    return portable_cuda_transform_(__func__, plan, CUFFT_R2C, input, output, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *input, cufftReal *output)
{
    return portable_cuda_transform_(__func__, plan, CUFFT_C2R, input, output, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *input, cufftDoubleComplex *output,
                         int direction)
{
    return portable_cuda_transform_(__func__, plan, CUFFT_Z2Z, input, output, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *input, cufftDoubleComplex *output)
{
    return portable_cuda_transform_(__func__, plan, CUFFT_D2Z, input, output, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *input, cufftDoubleReal *output)
{
    return portable_cuda_transform_(__func__, plan, CUFFT_Z2D, input, output, CUFFT_INVERSE);
}

/* ---- settings ---- */

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    struct plan plan = plan_of(handle);
    REQUIRE(plan.is_used, CUFFT_INVALID_PLAN);
    plan.stream = stream;
    keep(handle, &plan);
    return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int *version)
{
    REQUIRE(version, CUFFT_INVALID_VALUE);
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
    REQUIRE(value && (unsigned)type <= PATCH_LEVEL, CUFFT_INVALID_VALUE);
    *value = parts[type];
    return CUFFT_SUCCESS;
}
cufftResult cufftSetPlanPropertyInt64(cufftHandle handle, cufftProperty property, long long value)
{
    (void)property;
    (void)value;
    return plan_of(handle).is_used ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetPlanPropertyInt64(cufftHandle handle, cufftProperty property, long long *value)
{
    (void)property;
    REQUIRE(plan_of(handle).is_used, CUFFT_INVALID_PLAN);
    REQUIRE(value, CUFFT_INVALID_VALUE);
    *value = 0;
    return CUFFT_SUCCESS;
}
cufftResult cufftResetPlanProperty(cufftHandle handle, cufftProperty property)
{
    (void)property;
    return plan_of(handle).is_used ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/* ---- cufftXt.h ---- */

/* The transform of these types, or 0. */
static cufftType type_of(cudaDataType input, cudaDataType output, cudaDataType execution)
{
    if (input == CUDA_C_32F && output == CUDA_C_32F && execution == CUDA_C_32F)
        return CUFFT_C2C;
    if (input == CUDA_R_32F && output == CUDA_C_32F && execution == CUDA_C_32F)
        return CUFFT_R2C;
    if (input == CUDA_C_32F && output == CUDA_R_32F && execution == CUDA_C_32F)
        return CUFFT_C2R;
    if (input == CUDA_C_64F && output == CUDA_C_64F && execution == CUDA_C_64F)
        return CUFFT_Z2Z;
    if (input == CUDA_R_64F && output == CUDA_C_64F && execution == CUDA_C_64F)
        return CUFFT_D2Z;
    if (input == CUDA_C_64F && output == CUDA_R_64F && execution == CUDA_C_64F)
        return CUFFT_Z2D;
    return (cufftType)0;
}
cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType input_type,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType output_type, long long batch, size_t *bytes,
                                cudaDataType execution_type)
{
    const cufftType type = type_of(input_type, output_type, execution_type);
    REQUIRE(type, CUFFT_NOT_SUPPORTED);
    return cufftMakePlanMany64(handle, rank, n, inembed, istride, idist, onembed, ostride, odist,
                               type, batch, bytes);
}
cufftResult cufftXtGetSizeMany(cufftHandle handle, int rank, long long *n, long long *inembed,
                               long long istride, long long idist, cudaDataType input_type,
                               long long *onembed, long long ostride, long long odist,
                               cudaDataType output_type, long long batch, size_t *bytes,
                               cudaDataType execution_type)
{
    const cufftType type = type_of(input_type, output_type, execution_type);
    REQUIRE(type, CUFFT_NOT_SUPPORTED);
    return cufftGetSizeMany64(handle, rank, n, inembed, istride, idist, onembed, ostride, odist,
                              type, batch, bytes);
}
cufftResult cufftXtExec(cufftHandle handle, void *input, void *output, int direction)
{
    return portable_cuda_transform_(__func__, handle, plan_of(handle).type, input, output,
                                    direction);
}
cufftResult cufftXtSetGPUs(cufftHandle handle, int count, int *devices)
{
    REQUIRE(plan_of(handle).is_used, CUFFT_INVALID_PLAN);
    REQUIRE(count == 1 && devices, CUFFT_INVALID_VALUE);
    return devices[0] == 0 ? CUFFT_SUCCESS : CUFFT_INVALID_DEVICE;
}
cufftResult cufftXtSetWorkArea(cufftHandle handle, void **areas)
{
    REQUIRE(areas, CUFFT_INVALID_VALUE);
    return cufftSetWorkArea(handle, areas[0]);
}
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle handle, cufftXtWorkAreaPolicy policy,
                                     size_t *bytes)
{
    (void)policy;
    (void)bytes;
    return plan_of(handle).is_used ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftXtSetCallback(cufftHandle handle, void **callbacks, cufftXtCallbackType type,
                               void **info)
{
    (void)callbacks;
    (void)type;
    (void)info;
    REQUIRE(plan_of(handle).is_used, CUFFT_INVALID_PLAN);
    fputs("cufftXtSetCallback: portable-nvcc does not call device functions from transforms: "
          "launch a kernel before or after\n",
          stderr);
    return CUFFT_NOT_IMPLEMENTED;
}
cufftResult cufftXtClearCallback(cufftHandle handle, cufftXtCallbackType type)
{
    (void)type;
    return plan_of(handle).is_used ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftXtSetCallbackSharedSize(cufftHandle handle, cufftXtCallbackType type, size_t bytes)
{
    (void)type;
    (void)bytes;
    return plan_of(handle).is_used ? CUFFT_NOT_IMPLEMENTED : CUFFT_INVALID_PLAN;
}
