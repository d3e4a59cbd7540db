/* SPDX-License-Identifier: BSD-3-Clause */
/* n bodies under their gravity, all pairs, in symplectic Euler steps. Each rank moves its own
 * bodies; copies of all parts go round a ring of ranks, and the next part is on its way while the
 * forces of this one are computed. The force of each fixed block of bodies is kept, and the blocks'
 * forces are added in their order, so the result does not depend on the ranks. */
#include "cases.h"

#include <math.h> /* fabs, sqrt, sqrtf */

enum { SOURCES = 64 /* bodies in a block */ };
#define SOFTENING ((REAL)0.0025) /* the square of the length below which gravity weakens */
#define TIME_STEP ((REAL)0.001)

DEVICE REAL root(REAL x)
{
    return PORTABLE_PRECISION_DOUBLE ? (REAL)sqrt((double)x) : (REAL)sqrtf((float)x);
}

/* forces[((first_block + b) own + i) 3 + axis]: the acceleration of body i by block b of `count`
 * others.  bodies: own, others: count rows of x, y, z, mass */
KERNEL(nbody_blocks)(int own, int count, int blocks, int first_block, const REAL *RESTRICT bodies,
                     const REAL *RESTRICT others, REAL *RESTRICT forces)
{
    GRID_STRIDE_LOOP_2D(i, b, own, blocks) {
        const REAL x = bodies[4 * i], y = bodies[4 * i + 1], z = bodies[4 * i + 2];
        const int end = (b + 1) * SOURCES < count ? (b + 1) * SOURCES : count;
        REAL ax = 0, ay = 0, az = 0;
        for (int j = b * SOURCES; j < end; j++) {
            const REAL dx = others[4 * j] - x, dy = others[4 * j + 1] - y;
            const REAL dz = others[4 * j + 2] - z;
            const REAL square = dx * dx + dy * dy + dz * dz + SOFTENING;
            const REAL weight = others[4 * j + 3] / (square * root(square));
            ax += weight * dx;
            ay += weight * dy;
            az += weight * dz;
        }
        REAL *force = forces + ((long long)(first_block + b) * own + i) * 3;
        force[0] = ax;
        force[1] = ay;
        force[2] = az;
    }
}

/* Adds the blocks' forces, and moves the bodies.
 * forces: blocks x own x 3; bodies: own rows of 4, velocities: own rows of 3 elements */
KERNEL(nbody_move)(int own, int blocks, const REAL *RESTRICT forces, REAL *RESTRICT bodies,
                   REAL *RESTRICT velocities)
{
    GRID_STRIDE_LOOP(i, own) {
        for (int axis = 0; axis < 3; axis++) {
            REAL sum = 0;
            for (int b = 0; b < blocks; b++)
                sum += forces[((long long)b * own + i) * 3 + axis];
            velocities[3 * i + axis] += TIME_STEP * sum;
            bodies[4 * i + axis] += TIME_STEP * velocities[3 * i + axis];
        }
    }
}

static REAL initial(int n, long long k)
{
    const REAL random = case_random((unsigned long long)k);

    return k % 4 == 3 ? (1 + random) / (REAL)n : random;
}

/* Ends all ranks unless the positions are those of a double-precision run. */
static void check(int n, int steps, const REAL *bodies)
{
    double *x = (double *)case_memory(4 * (size_t)n, sizeof *x);
    double *v = (double *)case_memory(3 * (size_t)n, sizeof *v), *a, most = 0;
    a = (double *)case_memory(3 * (size_t)n, sizeof *a);

    for (int k = 0; k < 4 * n; k++)
        x[k] = (double)initial(n, k);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++) {
            double sums[3] = {0, 0, 0}, size = 0;

            for (int j = 0; j < n; j++) {
                double d[3], square = (double)SOFTENING, weight;

                for (int axis = 0; axis < 3; axis++) {
                    d[axis] = x[4 * j + axis] - x[4 * i + axis];
                    square += d[axis] * d[axis];
                }
                weight = x[4 * j + 3] / (square * sqrt(square));
                for (int axis = 0; axis < 3; axis++)
                    sums[axis] += weight * d[axis];
                size += weight * sqrt(square);
            }
            most = size > most ? size : most;
            memcpy(a + 3 * i, sums, sizeof sums);
        }
        for (int k = 0; k < 3 * n; k++) {
            v[k] += (double)TIME_STEP * a[k];
            x[k / 3 * 4 + k % 3] += (double)TIME_STEP * v[k];
        }
    }
    /* Roundings of positions, and of forces: in blocks, over blocks and in each term. */
    const double time = (double)TIME_STEP * steps;
    const double bound = REAL_EPSILON * (4.0 * steps + 4 * time * time * most *
                                                           (SOURCES + n / (double)SOURCES + 40));
    for (int k = 0; k < 4 * n; k++)
        case_expect("nbody", k, (double)bodies[k], x[k], bound);
    free(x);
    free(v);
    free(a);
}

static double run(const struct rank_options *options)
{
    const struct portable_ranks *me = &options->me;
    const int n = options->n, blocks = (n + SOURCES - 1) / SOURCES;
    long long *of_blocks = (long long *)case_memory(2 * ((size_t)me->count + 1), sizeof *of_blocks);
    long long *starts = of_blocks + me->count + 1;

    portable_partition_even(blocks, me->count, of_blocks);
    for (int r = 0; r <= me->count; r++)
        starts[r] = of_blocks[r] * SOURCES < n ? of_blocks[r] * SOURCES : n;
    const long long first = starts[me->rank];
    const int own = (int)(starts[me->rank + 1] - first);
    const size_t longest = (size_t)of_blocks[1] * SOURCES; /* of all parts, rounded up to blocks */
    /* By far the largest array: too many bodies fail here. */
    REAL *forces = case_device_reals(3 * (size_t)own * (size_t)blocks, NULL);
    REAL *host = (REAL *)case_memory(4 * longest, sizeof *host);
    for (long long k = 0; k < 4LL * own; k++)
        host[k] = initial(n, 4 * first + k);
    REAL *bodies = case_device_reals(4 * longest, host);
    REAL *travelling[2] = {case_device_reals(4 * longest, NULL),
                           case_device_reals(4 * longest, NULL)};
    REAL *velocities = case_device_reals(3 * (size_t)own, NULL);
    struct portable_exchange *ring;
    portable_stream stream;
    const struct portable_message message = {(me->rank + 1) % me->count,
                                             (me->rank + me->count - 1) % me->count,
                                             {0, longest, 1, 0, NULL},
                                             {0, longest, 1, 0, NULL}};

    if (own > 0)
        PORTABLE_RANKS_CHECK(portable_memset(velocities, 0, 3 * (size_t)own * sizeof *velocities));
    PORTABLE_RANKS_CHECK(portable_stream_create(&stream));
    PORTABLE_RANKS_CHECK(portable_exchange_create(&ring, 4 * sizeof(REAL), 1, &message));
    const struct portable_ranks_array saved[] = {
        {"bodies", PORTABLE_RANKS_REAL, 4, starts, bodies},
        {"velocities", PORTABLE_RANKS_REAL, 3, starts, velocities}};
    for (int step = case_resume(options, "nbody", 2, saved); case_goes_on(options, step); step++) {
        PORTABLE_RANKS_CHECK(portable_copy_on_device_async(travelling[0], bodies,
                                                           4 * longest * sizeof *bodies, stream));
        for (int turn = 0; turn < me->count; turn++) {
            const REAL *here = travelling[turn % 2];
            const int owner = (me->rank + me->count - turn) % me->count;
            const int count = (int)(starts[owner + 1] - starts[owner]);
            const int count_blocks = (int)(of_blocks[owner + 1] - of_blocks[owner]);

            if (turn + 1 < me->count)
                PORTABLE_RANKS_CHECK(
                    portable_exchange_begin(ring, here, travelling[(turn + 1) % 2], stream));
            if (own > 0 && count > 0)
                PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(
                    nbody_blocks,
                    DIM3((unsigned)(own + 63) / 64, (unsigned)(count_blocks + 3) / 4, 1),
                    DIM3(64, 4, 1), 0, stream, own, count, count_blocks, (int)of_blocks[owner],
                    bodies, here, forces));
            if (turn + 1 < me->count)
                PORTABLE_RANKS_CHECK(portable_exchange_wait(ring, stream));
        }
        if (own > 0)
            PORTABLE_RANKS_CHECK(KERNEL_LAUNCH(nbody_move, (unsigned)(own + 127) / 128, 128, 0,
                                               stream, own, blocks, forces, bodies, velocities));
        case_save(options, "nbody", step + 1, 2, saved, stream);
    }

    PORTABLE_RANKS_CHECK(portable_stream_synchronize(stream));
    case_dump(options, "nbody", bodies, starts, 4);
    REAL *whole = case_whole(bodies, starts, 4, me);
    const double last = (double)whole[4 * (size_t)(n - 1)];
    if (me->rank == 0 && case_is_checked(options, 20.0 * n * n * options->iterations))
        check(n, options->iterations, whole);
    PORTABLE_RANKS_CHECK(portable_exchange_destroy(ring));
    PORTABLE_RANKS_CHECK(portable_stream_destroy(stream));
    PORTABLE_RANKS_CHECK(portable_free(bodies));
    PORTABLE_RANKS_CHECK(portable_free(travelling[0]));
    PORTABLE_RANKS_CHECK(portable_free(travelling[1]));
    PORTABLE_RANKS_CHECK(portable_free(velocities));
    PORTABLE_RANKS_CHECK(portable_free(forces));
    free(whole);
    free(host);
    free(of_blocks);
    return last;
}

static double work(int n)
{
    return (double)n * n;
}

const struct rank_case case_nbody = {
    "nbody", "all pairs of bodies in a ring of ranks; the ring overlaps: x of the last body",
    500,     3,
    NULL,    1,
    work,    "interactions",
    2,       run};
