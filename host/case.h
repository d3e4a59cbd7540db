/* SPDX-License-Identifier: BSD-3-Clause */
/* Public: projects include this header. */
/*
 * Cases: what a kernel needs to be run, compared and timed. A file in host/cases/ holds the cases
 * of one kernel family: inputs, launch, reference, policy. The harness does the rest.
 *
 *     #include "host/case.h"
 *
 *     KERNEL(third)(int n, const REAL *x, REAL *y)
 *     {
 *         GRID_STRIDE_LOOP(i, n)
 *             y[i] = x[i] / 3;
 *     }
 *     static int prepare(struct run *run, struct io_error *error)
 *     {
 *         run_input_real(run, "x", (size_t)run->n);
 *         run_output_real(run, "y", (size_t)run->n, OWNER_ELEMENT);
 *         run_stride(run, run->n);
 *         return run_ready(run, error);
 *     }
 *     static portable_status launch(struct run *run)
 *     {
 *         return KERNEL_LAUNCH(third, run->grid, run->block, 0, 0, run->n, DEVICE_REALS("x"),
 *                              DEVICE_REALS("y"));
 *     }
 *     static void reference(struct run *run)
 *     {
 *         for (int i = 0; i < run->n; i++) {
 *             const double y = (double)HOST_REALS("x")[i] / 3;
 *             run_expect(run, "y", (size_t)i, y, run_roundings(1) * (y < 0 ? -y : y));
 *         }
 *     }
 *     static const struct gallery_case cases[] = {
 *         {.family = "family", .name = "third", .summary = "y = x / 3",
 *          .takes = CASE_LINES, .timing_n = 1 << 20,
 *          .prepare = prepare, .launch = launch, .reference = reference},
 *     };
 *     GALLERY_CASES(cases)
 */
#ifndef PORTABLE_HOST_CASE_H
#define PORTABLE_HOST_CASE_H

#include "host/array.h"
#include "host/compare.h"
#include "host/io.h"
#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RUN_ARRAYS = 16, RUN_TEXTURES = 6, RUN_PINNED = 4, CASE_BLOCKS = 4, CASE_SIZES = 8 };

/* Which thread writes element i of an output: a mismatch names it. */
enum owner {
    OWNER_NONE,    /* an input, or many threads write an element */
    OWNER_ELEMENT, /* thread i of the grid, then in strides of the grid */
    OWNER_BLOCK,   /* the first thread of block i */
    OWNER_WARP,    /* the first lane of warp i of the grid */
    OWNER_PLANE    /* column and row, one thread each, then in strides of the grid */
};

enum role {
    ROLE_INPUT,
    ROLE_OUTPUT,
    ROLE_UPDATED, /* an input that the kernel writes its result into */
    ROLE_SCRATCH  /* for what one kernel hands to the next: never uploaded, compared or recorded */
};

/* One array of a run. The host copy holds the initial values of inputs and updated arrays before a
 * launch, and the results in outputs and updated arrays after run_fetch. */
struct run_array {
    const char *name;
    enum role role;
    enum owner owner;
    struct array host;
    void *initial;    /* ROLE_UPDATED: the values to start from again; to time, device memory */
    void *device;     /* from portable_malloc */
    double *expected; /* outputs with a reference: the value in double precision... */
    double *bound;    /* ...and how far a result may be from it; 0 is not at all */
    int elsewhere;    /* the reference covers it by another array */
};

static inline int run_array_is_given(const struct run_array *array)
{
    return array->role == ROLE_INPUT || array->role == ROLE_UPDATED;
}

static inline int run_array_is_result(const struct run_array *array)
{
    return array->role == ROLE_OUTPUT || array->role == ROLE_UPDATED;
}

/* One execution of a case. The caller sets n to seed; prepare sets the rest. */
struct run {
    union {
        const struct gallery_case *test_case;
        const struct gallery_case *which; /* its name in version 0.1.0 */
    };
    int n; /* the size of the problem: enum case_counts */
    dim3 block;
    unsigned long long seed; /* of the random inputs */
    const char *input;       /* a file to take the input from, or NULL */
    int timing;              /* 1: fill the device; 0: few blocks, so that loops iterate */

    dim3 grid;
    int rows, columns, depth; /* extents that the case derives from n or the input */
    double bytes, flops;      /* the least that one launch must move and do */
    struct run_array arrays[RUN_ARRAYS];
    int array_count;
    portable_texture textures[RUN_TEXTURES];
    int texture_count;
    void *pinned[RUN_PINNED]; /* from run_pinned_real */
    size_t own_bytes;         /* of host memory, in pinned memory and textures */
    struct io_error failure;  /* the first failure while preparing */
    int failed;
    int launched;           /* 1 from the first run_launch on */
    portable_status status; /* of the latest */
};

/* The blocks that a case takes: --block may name any of them. */
enum case_takes {
    CASE_LISTED_BLOCKS, /* only those of .blocks: the kernel has a fixed block */
    CASE_LINES,         /* any of one dimension */
    CASE_WARPS,         /* lines of whole warps */
    CASE_POWERS_OF_TWO, /* lines of a power of two */
    CASE_PLANES,        /* any of one or two dimensions */
    CASE_ANY_BLOCK
};

/* What n counts: case_timing_size scales each kind differently for a GPU and for `emulate`. */
enum case_counts {
    CASE_ELEMENTS,
    CASE_EDGE,    /* the edge of a square, or of a square matrix */
    CASE_EDGE_3D, /* the edge of a cube */
    CASE_FIXED    /* something else; every target is timed at the same n */
};

/*
 * A case: a kernel, or a short chain of them. A row of a table names the fields that it sets, in
 * this order, which C++ asks for; the comments tell which may be left out. case_check refuses a row
 * that makes no sense.
 */
struct gallery_case {
    const char *family, *name, *summary;
    /* What is computed from the inputs: one name for all cases that do it in different ways, so
     * that gallery bench can compare them. Left out: the name of the case. */
    const char *problem;
    struct policy policy; /* between targets: CASE_ABSREL; left out: every bit must agree */
    enum case_takes takes;
    /* To check, {256} or {32, 8} or {8, 8, 4} each; the first is also the one to time. Left out:
     * the usual ones of .takes, see case_block. Not dim3, whose extents C++ makes 1 where a row
     * has none. */
    unsigned blocks[CASE_BLOCKS][3];
    /* To check, in rising order; the first is the least that the case takes. Left out: 0, 1, 31,
     * 32, 33, 1000, 65537. */
    int sizes[CASE_SIZES];
    int timing_n;            /* to time on the serial and openmp targets */
    enum case_counts counts; /* left out: elements */
    const char *extension;   /* of its input files: ".mtx", ".pgm or .ppm"; left out: none */

    /* Makes the arrays and picks the grid. Returns 0, or IO_BAD with a sentence. */
    int (*prepare)(struct run *run, struct io_error *error);
    portable_status (*launch)(struct run *run);
    /* Sets expectations of every element of every output with run_expect; a run fails where it
     * forgets one. Never sees results. Left out: results are compared with other targets alone. */
    void (*reference)(struct run *run);
    /* The loop a C programmer would write, on the host arrays: what gallery bench compares with.
     * Left out: nothing to compare with. Cases of version 0.1.0 name it .plain. */
    union {
        void (*baseline)(struct run *run);
        void (*plain)(struct run *run);
    };
};

/* A tolerance between targets, and the reason for it, which the tables print. */
/* clang-format off */
#define CASE_ABSREL(absolute, relative, reason) {POLICY_ABSREL, 0, absolute, relative, reason}
/* clang-format on */

#if defined(__CUDACC__)
/* nvcc gives the host's compiler rows without the names of their fields. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

/* Registration, before main. */
void case_register(const struct gallery_case *cases, int count);
#define GALLERY_CASES(cases)                                                                       \
    __attribute__((constructor)) static void register_cases(void)                                  \
    {                                                                                              \
        case_register(cases, (int)(sizeof(cases) / sizeof(cases)[0]));                             \
    }

/* The registered cases, in order; NULL beyond the last, or when no case has the name. */
const struct gallery_case *case_at(int index);
const struct gallery_case *case_find(const char *name);

/* The case's problem, by default its name. */
const char *case_problem(const struct gallery_case *test_case);

/* 0, or IO_BAD with a sentence: the row makes no sense, or (case_check_all) two rows have one
 * name. */
int case_check(const struct gallery_case *test_case, struct io_error *error);
int case_check_all(struct io_error *error);

/* The blocks and sizes to check, numbered from 0. There is at least one of each. */
int case_block_count(const struct gallery_case *test_case);
dim3 case_block(const struct gallery_case *test_case, int k);
int case_size_count(const struct gallery_case *test_case);
int case_size(const struct gallery_case *test_case, int k);

/* 0, or IO_BAD with a sentence: the case does not take this block. It does not count its
 * threads: the launch does. */
int case_takes_block(const struct gallery_case *test_case, dim3 block, struct io_error *error);

/* "256", "32x8", "8x8x4". */
void block_text(dim3 block, char *text, size_t size);

/* The size to time on this target: timing_n, more on a GPU, less on `emulate`. */
int case_timing_size(const struct gallery_case *test_case);

/*
 * For prepare: each makes an array of `count` elements (a failure shows in run_ready) and returns
 * the host copy. Random values are uniform in [-1, 1), drawn from the seed and the array's name, so
 * that they do not depend on the order. Outputs and scratch are poisoned before a launch; updated
 * arrays start from the same values each time.
 */
REAL *run_input_real(struct run *run, const char *name, size_t count);
REAL *run_output_real(struct run *run, const char *name, size_t count, enum owner owner);
REAL *run_update_real(struct run *run, const char *name, size_t count, enum owner owner);
float *run_input_float(struct run *run, const char *name, size_t count);
float *run_update_float(struct run *run, const char *name, size_t count, enum owner owner);
int *run_input_int(struct run *run, const char *name, size_t count); /* zeros */
/* Of any type, zeros: for integers other than int, and for what is written that is not REAL. */
void *run_input_array(struct run *run, const char *name, enum array_type type, size_t count);
void *run_output_array(struct run *run, const char *name, enum array_type type, size_t count,
                       enum owner owner);
void *run_update_array(struct run *run, const char *name, enum array_type type, size_t count,
                       enum owner owner);
unsigned char *run_input_bytes(struct run *run, const char *name, int rank, const size_t *shape);
unsigned char *run_output_bytes(struct run *run, const char *name, int rank, const size_t *shape);
float *run_output_float(struct run *run, const char *name, int rank, const size_t *shape,
                        enum owner owner);
unsigned char *run_update_bytes(struct run *run, const char *name, int rank, const size_t *shape);

/* Device memory for intermediate results. It has a host copy for `baseline` alone. */
REAL *run_scratch_real(struct run *run, const char *name, size_t count);
void *run_scratch_array(struct run *run, const char *name, enum array_type type, size_t count);

/* For prepare: the next of run->textures, of `rows` rows of `columns` texels; 0 rows: of one
 * dimension. The run destroys it. */
void run_texture(struct run *run, const void *texels, int columns, int rows,
                 const portable_texture_settings *settings);

/* Pinned host memory, run->pinned[index], for a case that copies by itself. NULL if count is 0. */
REAL *run_pinned_real(struct run *run, int index, size_t count);

/* For prepare: a loop that fills a large input, over i from 0 to count - 1, unless `values` is
 * NULL. No iteration depends on another: where the compiler has OpenMP all cores share them. */
#if defined(_OPENMP)
#define RUN_PARALLEL_ _Pragma("omp parallel for")
#else
#define RUN_PARALLEL_
#endif
#define RUN_FILL(values, i, count)                                                                 \
    RUN_PARALLEL_                                                                                  \
    for (size_t i = 0; i < ((values) ? (size_t)(count) : 0); i++)

/* A random number for name: uniform in [0, 2^32), the same for the same seed, name and index. */
unsigned run_random(const struct run *run, const char *name, size_t index);

/* Grids of one axis: enough blocks for one thread per element, or about a third of that, so that
 * threads have several elements (to time: as many as fill the device). At least one block. */
void run_cover(struct run *run, int elements);
void run_stride(struct run *run, int elements);
/* The same for a plane, one thread per column and row. */
void run_cover_plane(struct run *run, int columns, int rows);

/* 0, or IO_BAD with the first failure. */
int run_ready(struct run *run, struct io_error *error);

/* For launch, reference and baseline: an array's device and host copies. The array must exist, and
 * have the type; run_device and run_host are for any type. LONGS are long long, LONG_WORDS unsigned
 * long long. Macros, here and below, so that a sentence about a mistake has its line. */
void *run_device(const struct run *run, const char *name);
void *run_host(const struct run *run, const char *name);
#define run_device(run, name) run_copy_(run, name, 1, RUN_ANY_TYPE_, __FILE__, __LINE__)
#define run_host(run, name) run_copy_(run, name, 0, RUN_ANY_TYPE_, __FILE__, __LINE__)
#define DEVICE_REALS(name) RUN_DEVICE_(REAL, name, RUN_REAL_TYPE_)
#define DEVICE_FLOATS(name) RUN_DEVICE_(float, name, ARRAY_FLOAT32)
#define DEVICE_DOUBLES(name) RUN_DEVICE_(double, name, ARRAY_FLOAT64)
#define DEVICE_INTS(name) RUN_DEVICE_(int, name, ARRAY_INT32)
#define DEVICE_WORDS(name) RUN_DEVICE_(unsigned, name, ARRAY_UINT32)
#define DEVICE_LONGS(name) RUN_DEVICE_(long long, name, ARRAY_INT64)
#define DEVICE_LONG_WORDS(name) RUN_DEVICE_(unsigned long long, name, ARRAY_UINT64)
#define DEVICE_BYTES(name) RUN_DEVICE_(unsigned char, name, ARRAY_UINT8)
#define HOST_REALS(name) RUN_HOST_(REAL, name, RUN_REAL_TYPE_)
#define HOST_FLOATS(name) RUN_HOST_(float, name, ARRAY_FLOAT32)
#define HOST_DOUBLES(name) RUN_HOST_(double, name, ARRAY_FLOAT64)
#define HOST_INTS(name) RUN_HOST_(int, name, ARRAY_INT32)
#define HOST_WORDS(name) RUN_HOST_(unsigned, name, ARRAY_UINT32)
#define HOST_LONGS(name) RUN_HOST_(long long, name, ARRAY_INT64)
#define HOST_LONG_WORDS(name) RUN_HOST_(unsigned long long, name, ARRAY_UINT64)
#define HOST_BYTES(name) RUN_HOST_(unsigned char, name, ARRAY_UINT8)
#define RUN_DEVICE_(type, name, array_type)                                                        \
    ((type *)run_copy_(run, name, 1, array_type, __FILE__, __LINE__))
#define RUN_HOST_(type, name, array_type)                                                          \
    ((type *)run_copy_(run, name, 0, array_type, __FILE__, __LINE__))
#define RUN_REAL_TYPE_ (sizeof(REAL) == sizeof(double) ? ARRAY_FLOAT64 : ARRAY_FLOAT32)
enum { RUN_ANY_TYPE_ = -1 };
void *run_copy_(const struct run *run, const char *name, int is_device, int type, const char *file,
                int line);

/* For reference: element `index` of the output is `value`, give or take a finite `bound`.
 * Without memory for it the run fails. */
void run_expect(struct run *run, const char *name, size_t index, double value, double bound);
#define run_expect(run, name, index, value, bound)                                                 \
    run_expect_(run, name, index, value, bound, __FILE__, __LINE__)
void run_expect_(struct run *run, const char *name, size_t index, double value, double bound,
                 const char *file, int line);

/* For reference: another output is computed from this one, and its expectations cover this one
 * too. Targets are compared in both. */
void run_expect_elsewhere(struct run *run, const char *name);
#define run_expect_elsewhere(run, name) run_expect_elsewhere_(run, name, __FILE__, __LINE__)
void run_expect_elsewhere_(struct run *run, const char *name, const char *file, int line);

/* The relative error of k roundings in a row: k u / (1 - k u) with the unit roundoff u, gamma_k in
 * N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1. Errors that
 * are independent grow with the square root: from k = 64 on it is 8 sqrt(k) in place of k, which
 * holds but for a probability of exp(-32) (N. J. Higham and T. Mary, "A new approach to
 * probabilistic rounding error analysis", SIAM J. Sci. Comput. 41, 2019). k is the longest chain of
 * operations behind a result, not their number. The same again for the reference itself, which in a
 * double-precision build rounds as coarsely. */
double run_roundings(double k);

/* For reference: the run fails, because there is no memory for so many bytes beside array
 * `name`. */
void run_lacks(struct run *run, const char *name, size_t bytes);

/*
 * For programs. run_prepare leaves the fields that the caller set, refuses a size and a block that
 * the case does not take, calls its prepare and uploads the inputs; run_launch fills outputs and
 * scratch with `poison` bytes, resets updated arrays, launches and waits; run_fetch copies the
 * results to the host. run_release frees everything, also after a failure. The two return
 * RUN_DAMAGED for IO_BAD if a kernel wrote outside of its memory: anything of this process may be
 * damaged.
 *
 * portable_malloc fills memory with 0xff on a CPU. With that poison the first launch finds outputs
 * and scratch as they were allocated, so initcheck still takes them for uninitialised.
 */
enum { RUN_DAMAGED = 3 };
int run_prepare(struct run *run, struct io_error *error);
int run_launch(struct run *run, int poison, struct io_error *error);
int run_reference(struct run *run, struct io_error *error); /* the case's, if it has one */
int run_fetch(struct run *run, struct io_error *error);
void run_release(struct run *run);

/* For programs: a function for the sentence of each failure of a run. With `ends` the case has no
 * pointer to go on with, and the function must not return; without one, the program then prints the
 * sentence and aborts. It may be called on any OS thread. */
void case_on_failure(void (*function)(const char *sentence, int ends));

/* The thread that wrote element `index` of the array: "block (2, 0, 0) thread (5, 0, 0)", or "". */
void run_owner_text(const struct run *run, const struct run_array *array, size_t index, char *text,
                    size_t size);

#ifdef __cplusplus
}
#endif

#endif
