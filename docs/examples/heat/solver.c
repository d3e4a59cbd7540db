/* SPDX-License-Identifier: 0BSD */
/* The heat in a plate: time steps, and the steady state by multigrid. Included, as kernels are. */
#include "kernels/heat.c"

#include <stdlib.h> /* calloc, free */
#include <string.h> /* memset */

enum { MOST_LEVELS = 16, SWEEPS = 2, COARSEST_SWEEPS = 16 };

/* A plate, as kernels/heat.c lays it out, in device memory. */
struct plate {
    int width, height;
    float *east, *south;
    double *heat, *u;
};

struct solver {
    struct plate levels[MOST_LEVELS]; /* the plate, then ever coarser ones */
    int count;
    double *next;    /* the temperatures after a time step */
    double *largest; /* 1 */
};

/* The elements of a plate with its frame. */
static size_t plate_count(int width, int height)
{
    return (size_t)(width + 2) * (size_t)(height + 2);
}

/* Conductances of the next coarser plate: a face of two is their mean, because its cells are twice
 * as far apart. `across` is the distance of the two in the fine plate.  width, height: coarse */
static float *coarse_faces(int width, int height, const float *fine, int is_south)
{
    const int pitch = width + 2, fine_pitch = 2 * width + 2;
    float *const coarse = (float *)calloc(plate_count(width, height), sizeof *coarse);

    for (int y = is_south ? 0 : 1; coarse && y <= height; y++)
        for (int x = is_south ? 1 : 0; x <= width; x++) {
            const float *const face = fine + 2 * y * fine_pitch + 2 * x;
            coarse[y * pitch + x] = (face[0] + face[is_south ? -1 : -fine_pitch]) / 2;
        }
    return coarse;
}

/* A solver for a plate with an even width, all of whose temperatures are 0; coarser plates follow
 * while the sizes are even and the coarse width is, too. east, south: the plate's faces, on the
 * host. The heat is the caller's to set. solver_free frees it, also after a failure. */
static portable_status solver_make(struct solver *solver, int width, int height,
                                   const float *east, const float *south)
{
    const size_t bytes = plate_count(width, height) * sizeof(double);
    const float *faces[2] = {east, south};

    memset(solver, 0, sizeof *solver);
    portable_status status = portable_malloc(&solver->next, bytes);

    if (status == PORTABLE_SUCCESS)
        status = portable_memset(solver->next, 0, bytes);
    if (status == PORTABLE_SUCCESS)
        status = portable_malloc(&solver->largest, sizeof(double));
    for (int more = 1; more && status == PORTABLE_SUCCESS; width /= 2, height /= 2) {
        struct plate *const plate = &solver->levels[solver->count++];
        const size_t count = plate_count(width, height);

        plate->width = width;
        plate->height = height;
        portable_malloc(&plate->east, count * sizeof(float));
        portable_malloc(&plate->south, count * sizeof(float));
        portable_malloc(&plate->heat, count * sizeof(double));
        portable_malloc(&plate->u, count * sizeof(double));
        portable_copy_to_device(plate->east, faces[0], count * sizeof(float));
        portable_copy_to_device(plate->south, faces[1], count * sizeof(float));
        portable_memset(plate->heat, 0, count * sizeof(double));
        portable_memset(plate->u, 0, count * sizeof(double));
        status = portable_last_error();
        more = width % 4 == 0 && height % 2 == 0 && solver->count < MOST_LEVELS;
        for (int k = 0; more && k < 2; k++) {
            const float *const coarse = coarse_faces(width / 2, height / 2, faces[k], k);
            if (solver->count > 1)
                free((void *)faces[k]);
            faces[k] = coarse;
        }
    }
    for (int k = 0; solver->count > 1 && k < 2; k++)
        free((void *)faces[k]);
    return status;
}

static void solver_free(struct solver *solver)
{
    for (int k = 0; k < solver->count; k++) {
        portable_free(solver->levels[k].east);
        portable_free(solver->levels[k].south);
        portable_free(solver->levels[k].heat);
        portable_free(solver->levels[k].u);
    }
    portable_free(solver->next);
    portable_free(solver->largest);
}

/* A launch with a thread for each cell. */
#define LAUNCH(kernel, columns, rows, ...)                                                         \
    KERNEL_LAUNCH(kernel, DIM3(((columns) + 31) / 32, ((rows) + 7) / 8, 1), DIM3(32, 8, 1), 0, 0,  \
                  __VA_ARGS__)

static void smooth(const struct plate *p, int sweeps)
{
    for (int k = 0; k < 2 * sweeps; k++)
        LAUNCH(relax, p->width / 2, p->height, p->width, p->height, k % 2, p->east,
                      p->south, p->heat, p->u);
}

/* One V-cycle of W. L. Briggs, V. E. Henson and S. F. McCormick, A Multigrid Tutorial, 2nd ed.,
 * from level k down: smooths, corrects by the coarser levels, smooths. */
static void v_cycle(const struct solver *solver, int k)
{
    const struct plate *const fine = &solver->levels[k], *const coarse = fine + 1;

    if (k + 1 == solver->count) {
        smooth(fine, COARSEST_SWEEPS);
        return;
    }
    smooth(fine, SWEEPS);
    LAUNCH(coarsen, coarse->width, coarse->height, coarse->width, coarse->height,
                  fine->east, fine->south, fine->heat, fine->u, coarse->heat, coarse->u);
    v_cycle(solver, k + 1);
    LAUNCH(correct, fine->width, fine->height, fine->width, fine->height,
                  coarse->east, coarse->south, coarse->u, fine->u);
    smooth(fine, SWEEPS);
}

/* *surplus: the largest heat that a cell gains or loses. */
static inline portable_status solver_surplus(const struct solver *solver, double *surplus)
{
    const struct plate *const p = &solver->levels[0];

    portable_memset(solver->largest, 0, sizeof(double));
    KERNEL_LAUNCH(largest_surplus, (p->width * p->height + 4095) / 4096, 256, 0, 0, p->width,
                  p->height, p->east, p->south, p->heat, p->u, solver->largest);
    return portable_copy_to_host(surplus, solver->largest, sizeof *surplus);
}

/* `steps` explicit steps of dt = ratio h^2. */
static inline portable_status solver_step(struct solver *solver, int steps, double ratio)
{
    struct plate *const p = &solver->levels[0];

    for (int k = 0; k < steps; k++) {
        double *const before = p->u;
        LAUNCH(heat_step, p->width, p->height, p->width, p->height, ratio, p->east,
                      p->south, p->heat, p->u, solver->next);
        p->u = solver->next;
        solver->next = before;
    }
    return portable_last_error();
}
