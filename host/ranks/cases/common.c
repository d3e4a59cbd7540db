/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases.h"

REAL case_random(unsigned long long index)
{
    /* splitmix64: S. Vigna, https://prng.di.unimi.it/splitmix64.c */
    unsigned long long z = (index + 1) * 0x9e3779b97f4a7c15ULL;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return (REAL)((double)(int)(z >> 40) / 8388608.0 - 1.0);
}

int case_is_checked(const struct rank_options *options, double operations)
{
    return !options->bench && operations <= 5e8;
}

void case_dump(const struct rank_options *options, const char *name, const REAL *data,
               const long long *starts, size_t columns)
{
    char path[4096];

    if (!options->dump)
        return;
    if ((size_t)snprintf(path, sizeof path, "%s/%s.npy", options->dump, name) >= sizeof path)
        portable_ranks_stop(2, "the path %s is too long", options->dump);
    PORTABLE_RANKS_CHECK(
        portable_ranks_write_npy(path, PORTABLE_RANKS_REAL, data, starts, columns));
}

/* The directory of a case's checkpoint, and the text that identifies its problem. */
struct place {
    char directory[4096], problem[4096];
};

static void find_place(const struct rank_options *options, const char *name, struct place *place)
{
    const size_t directory = (size_t)snprintf(place->directory, sizeof place->directory, "%s/%s",
                                              options->checkpoint, name);
    const size_t problem = (size_t)(options->input ? snprintf(place->problem, sizeof place->problem,
                                                              "%s, %s", name, options->input)
                                                   : snprintf(place->problem, sizeof place->problem,
                                                              "%s, n = %d", name, options->n));

    if (directory >= sizeof place->directory || problem >= sizeof place->problem)
        portable_ranks_stop(2, "the path %s is too long",
                            options->input ? options->input : options->checkpoint);
}

int case_resume(const struct rank_options *options, const char *name, int count,
                const struct portable_ranks_array *arrays)
{
    struct place place;
    long long iterations;

    if (!options->checkpoint)
        return 0;
    find_place(options, name, &place);
    PORTABLE_RANKS_CHECK(
        portable_ranks_restore(place.directory, place.problem, &iterations, count, arrays));
    if (iterations > options->iterations)
        portable_ranks_stop(2, "%s: the checkpoint is of iteration %lld, beyond the %d to do",
                            place.directory, iterations, options->iterations);
    if (iterations >= 0 && options->me.rank == 0)
        printf("%-10s continues after iteration %lld of %s\n", name, iterations, place.directory);
    return iterations < 0 ? 0 : (int)iterations;
}

void case_save(const struct rank_options *options, const char *name, int iterations, int count,
               const struct portable_ranks_array *arrays, portable_stream stream)
{
    struct place place;

    if (!options->checkpoint || iterations % options->every != 0)
        return;
    find_place(options, name, &place);
    PORTABLE_RANKS_CHECK(portable_stream_synchronize(stream));
    PORTABLE_RANKS_CHECK(
        portable_ranks_save(place.directory, place.problem, iterations, count, arrays));
}

REAL *case_whole(const REAL *data, const long long *starts, size_t columns,
                 const struct portable_ranks *me)
{
    const size_t all = (size_t)starts[me->count] * columns;
    const size_t first = (size_t)starts[me->rank] * columns;
    const size_t mine = (size_t)starts[me->rank + 1] * columns - first;
    REAL *whole = case_device_reals(all, NULL);
    REAL *host = (REAL *)case_memory(all, sizeof *host);

    if (mine > 0)
        PORTABLE_RANKS_CHECK(portable_copy_on_device(whole + first, data, mine * sizeof *data));
    PORTABLE_RANKS_CHECK(portable_ranks_all_gather(whole, columns * sizeof *data, starts, 0));
    if (all > 0)
        PORTABLE_RANKS_CHECK(portable_copy_to_host(host, whole, all * sizeof *host));
    PORTABLE_RANKS_CHECK(portable_free(whole));
    return host;
}

void case_expect(const char *name, long long index, double actual, double expected, double bound)
{
    const double difference = actual - expected;

    if (!(difference <= bound && -difference <= bound))
        portable_ranks_stop(1, "%s: element %lld is %.9g, expected %.9g within %.3g", name, index,
                            actual, expected, bound);
}

static void *device_array(size_t bytes, const void *host)
{
    void *device;

    PORTABLE_RANKS_CHECK(portable_malloc(&device, bytes));
    if (host && bytes > 0)
        PORTABLE_RANKS_CHECK(portable_copy_to_device(device, host, bytes));
    return device;
}

REAL *case_device_reals(size_t count, const REAL *host)
{
    return (REAL *)device_array(count * sizeof *host, host);
}

int *case_device_ints(size_t count, const int *host)
{
    return (int *)device_array(count * sizeof *host, host);
}

void *case_memory(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);

    if (!memory)
        portable_ranks_stop(1, "cannot allocate %zu elements of %zu bytes", count, size);
    return memory;
}
