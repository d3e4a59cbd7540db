/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cases for many ranks. Each is one program for any number of ranks, which checks its result
 * against a plain computation on rank 0, if that is quick enough, and writes it to a directory on
 * request: the same bits for every number of ranks.
 */
#ifndef PORTABLE_RANKS_CASES_H
#define PORTABLE_RANKS_CASES_H

#include "portable_ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rank_options {
    struct portable_ranks me;
    int n;                    /* the size, at least 1 */
    int iterations;           /* at least 0 */
    const char *input;        /* a file, or NULL */
    const char *dump;         /* a directory for results, or NULL */
    struct case_bench *bench; /* of gallery-ranks bench, or NULL */
    const char *checkpoint;   /* a directory to continue from and to save to, or NULL */
    int every;                /* iterations between checkpoints, at least 1 */
};

struct rank_case {
    const char *name, *summary;
    int n, iterations;     /* the defaults, which make check uses; 0: the case has no iterations */
    const char *extension; /* of its input files; NULL: it takes none */
    int has_checkpoints;
    /* For gallery-ranks bench: the work of an iteration at size n, its unit, and the power of n
     * that it grows with. */
    double (*work)(int n);
    const char *unit;
    int power;
    /* Collective. Ends all ranks where something fails or is wrong. Returns a number that describes
     * the result, to print. */
    double (*run)(const struct rank_options *options);
};

extern const struct rank_case case_jacobi, case_cg, case_nbody, case_scan, case_summa;

/* Uniform in [-1, 1): the same for the same index on every machine. */
REAL case_random(unsigned long long index);

/* The condition of each case's loop over its iterations k from 0 on: whether there is another one.
 * gallery-ranks bench measures in it, and lets them go on for all its repeats. */
int case_goes_on(const struct rank_options *options, int k);

/* gallery-ranks bench: prints the time of an iteration of a case, or without a case, that of single
 * messages and collective operations, and appends it to a table in a file. */
struct bench_options {
    int repeats, is_weak;
    const char *results; /* the file, or NULL */
};
void case_measure(const struct rank_case *which, struct rank_options options,
                  const struct bench_options *bench);

/* Whether rank 0 repeats so many operations on the host to check the result: not if that would take
 * long, and not in bench, where the loop has gone on. */
int case_is_checked(const struct rank_options *options, double operations);

/* Writes rows of `columns` REALs to DIR/NAME.npy, if there is a directory. */
void case_dump(const struct rank_options *options, const char *name, const REAL *data,
               const long long *starts, size_t columns);

/* The iterations that the checkpoint of this case and problem has behind it, after reading its
 * arrays; 0 without one. */
int case_resume(const struct rank_options *options, const char *name, int count,
                const struct portable_ranks_array *arrays);

/* After so many iterations: replaces the checkpoint, if one is due; after the stream's work. */
void case_save(const struct rank_options *options, const char *name, int iterations, int count,
               const struct portable_ranks_array *arrays, portable_stream stream);

/* A whole distributed array, rows of `columns` REALs, on every rank's host; the caller frees it. */
REAL *case_whole(const REAL *data, const long long *starts, size_t columns,
                 const struct portable_ranks *me);

/* Ends all ranks unless |actual - expected| <= bound. */
void case_expect(const char *name, long long index, double actual, double expected, double bound);

/* Arrays on the device and on the host: a failure ends all ranks. `host` may be NULL. */
REAL *case_device_reals(size_t count, const REAL *host);
int *case_device_ints(size_t count, const int *host);
void *case_memory(size_t count, size_t size);

#ifdef __cplusplus
}
#endif

#endif
