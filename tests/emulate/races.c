/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Racecheck finds every race, and nothing in correct kernels: for elements of 1 to 16 bytes, blocks
 * of 32 to 1024 threads, grids of 2 to 64 blocks, in shared and in global memory.
 *
 *     make racecheck SOURCES=tests/emulate/races.c [ARGS=all]
 *
 * With the argument `all` every combination is tried, without it a quarter of them.
 *
 * Each combination runs twice, as a wrong kernel and as a right one, each in its own process, whose
 * stderr and exit status have the findings. A wrong one must have exactly one report.
 */
#define _GNU_SOURCE /* fork, pipe */
#include "portable.h"

#include <sys/wait.h> /* waitpid */
#include <unistd.h>   /* fork, pipe, read */

enum { MOST_THREADS = 1024 };

/* The kernels in shared memory have this suffix. */
#define KERNELS(X)                                                                                 \
    X(neighbour_shared)                                                                            \
    X(neighbour_global)                                                                            \
    X(same_shared)                                                                                 \
    X(same_global)                                                                                 \
    X(shifted_shared)                                                                              \
    X(shifted_global)                                                                              \
    X(blocks_write)                                                                                \
    X(blocks_read)                                                                                 \
    X(last_block_reads)                                                                            \
    X(ticket_too_early)                                                                            \
    X(blocks_lock)                                                                                 \
    X(loop_carried)

#define TYPE char
#define NAME(word) word##_1
#include "tests/emulate/race_kernels.h"
#undef TYPE
#undef NAME

#define TYPE short
#define NAME(word) word##_2
#include "tests/emulate/race_kernels.h"
#undef TYPE
#undef NAME

#define TYPE int
#define NAME(word) word##_4
#define ATOMIC_TYPE
#include "tests/emulate/race_kernels.h"
#undef TYPE
#undef NAME

#define TYPE double
#define NAME(word) word##_8
#define ATOMIC_TYPE
#include "tests/emulate/race_kernels.h"
#undef TYPE
#undef NAME

#define TYPE float4
#define NAME(word) word##_16
#include "tests/emulate/race_kernels.h"
#undef TYPE
#undef NAME

static const struct {
    int bytes, atomics;
    void (*run)(const char *kernel, unsigned blocks, unsigned threads, int right);
} elements[] = {{1, 0, run_1}, {2, 0, run_2}, {4, 1, run_4}, {8, 1, run_8}, {16, 0, run_16}};
static const unsigned block_sizes[] = {32, 64, 128, 256, 512, 1024}, grids[] = {2, 4, 16, 64};
static const char *const kernels[] = {
#define AS_TEXT(name) #name,
    KERNELS(AS_TEXT) AS_TEXT(atomic_shared) AS_TEXT(atomic_global)
#undef AS_TEXT
};
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
enum { KERNELS_WITHOUT_ATOMICS = COUNT_OF(kernels) - 2 };

static char said[1 << 16];

/* Runs one combination in a process; its stderr is then in `said`. Returns its exit status. */
static int run_apart(size_t element, const char *kernel, unsigned blocks, unsigned threads,
                     int right)
{
    size_t length = 0;
    ssize_t got;
    int ends[2], status;
    pid_t child;

    fflush(NULL);
    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("races");
        exit(3);
    }
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        elements[element].run(kernel, blocks, threads, right);
        exit(0);
    }
    close(ends[1]);
    while ((got = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int count_of(const char *part)
{
    int count = 0;

    for (const char *at = said; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* Whether there is one report, of this kernel, two of its lines, and the object with the race. */
static int is_one_race(const char *kernel, int bytes, int status)
{
    const int shared = strstr(kernel, "_shared") != NULL;
    char report[128];

    snprintf(report, sizeof report, "racecheck: race in kernel %s_%d: ", kernel, bytes);
    return status == 1 && count_of("racecheck: race in ") == 1 && count_of(report) == 1 &&
           count_of("racecheck: 1 race in 1 kernel\n") == 1 &&
           count_of(" at tests/emulate/race_kernels.h:") == 2 + !shared &&
           count_of(shared ? " of shared array " : " of device array ") == 1;
}

/* A selection of the combinations; with each element and kernel, every block and every grid is in
 * it, and each block with each grid. */
static int is_selected(size_t e, size_t k, size_t t, size_t g)
{
    return (e + k + t) % COUNT_OF(grids) == g;
}

int main(int argc, char **argv)
{
    const int all = argc > 1 && strcmp(argv[1], "all") == 0;
    int right = 0, wrong = 0, failed = 0;

    for (size_t e = 0; e < COUNT_OF(elements); e++)
        for (size_t k = 0; k < COUNT_OF(kernels); k++)
            for (size_t t = 0; t < COUNT_OF(block_sizes); t++)
                for (size_t g = 0; g < COUNT_OF(grids); g++)
                    for (int is_right = 0; is_right < 2; is_right++) {
                        int status, as_it_must;

                        if ((k >= KERNELS_WITHOUT_ATOMICS && !elements[e].atomics) ||
                            !(all || is_selected(e, k, t, g)))
                            continue;
                        status = run_apart(e, kernels[k], grids[g], block_sizes[t], is_right);
                        as_it_must =
                            is_right ? status == 0 &&
                                           strcmp(said, "racecheck: no races in 1 kernel\n") == 0
                                     : is_one_race(kernels[k], elements[e].bytes, status);
                        *(is_right ? &right : &wrong) += as_it_must;
                        if (as_it_must)
                            continue;
                        if (++failed <= 5)
                            printf("%s: %d bytes, %u blocks of %u threads, %s: exit status %d:\n%s",
                                   kernels[k], elements[e].bytes, grids[g], block_sizes[t],
                                   is_right ? "right" : "wrong", status, said);
                    }
    printf("%d races found, once each; %d right kernels without a report; %d failed\n", wrong,
           right, failed);
    return failed > 0;
}
