/* SPDX-License-Identifier: 0BSD */
/* The heat in a plate: time steps, and the steady state by multigrid. Included, as kernels are. */
#include "kernels/heat.c"

#include <string.h> /* memset */

enum { MOST_LEVELS = 16, SWEEPS = 2, COARSEST_SWEEPS = 16 };

/* A plate and ever coarser ones, all in device memory or all in host memory. Each array has one
 * after the other, as kernels/heat.c lays them out. */
struct plates {
    int count, width[MOST_LEVELS], height[MOST_LEVELS];
    size_t start[MOST_LEVELS], size; /* where each begins, and the elements of an array */
    float *east, *south;
    double *heat, *u;
    double *next;    /* temperatures after a time step */
    double *largest; /* 1 */
};

/* Plates of half as many cells each way, while the numbers are even. */
static struct plates plates_of(int width, int height)
{
    struct plates p;

    memset(&p, 0, sizeof p);
    for (;; width /= 2, height /= 2) {
        p.width[p.count] = width;
        p.height[p.count] = height;
        p.start[p.count++] = p.size;
        p.size += (size_t)(width + 2) * (size_t)(height + 2);
        if (width % 2 || height % 2 || p.count == MOST_LEVELS)
            return p;
    }
}

/* The faces of the coarse plates, from those of the first; in host memory. A face of a coarse cell
 * is two fine faces; it conducts as much as their mean, for its cells are twice as far apart. */
static void set_coarse_faces(const struct plates *p)
{
    for (int k = 1; k < p->count; k++) {
        const int pitch = p->width[k] + 2, fine = p->width[k - 1] + 2;
        const float *const fine_east = p->east + p->start[k - 1];
        const float *const fine_south = p->south + p->start[k - 1];

        for (int y = 0; y <= p->height[k]; y++)
            for (int x = 0; x <= p->width[k]; x++) {
                const int from = 2 * y * fine + 2 * x, to = y * pitch + x;
                if (y > 0)
                    p->east[p->start[k] + to] = (fine_east[from - fine] + fine_east[from]) / 2;
                if (x > 0)
                    p->south[p->start[k] + to] = (fine_south[from - 1] + fine_south[from]) / 2;
            }
    }
}

/* Blocks for columns x rows cells: one up to 32 x 32, so that openmp does not share so little. */
static dim3 grid_of(int columns, int rows)
{
    return columns <= 32 && rows <= 32 ? DIM3(1, 1, 1)
                                       : DIM3((columns + 31) / 32, (rows + 7) / 8, 1);
}

/* Launches for level k of p, with a thread for each of columns x rows cells. */
#define LAUNCH(kernel, columns, rows, ...)                                                         \
    KERNEL_LAUNCH(kernel, grid_of(columns, rows), DIM3(32, 8, 1), 0, 0, p->width[k], p->height[k], \
                  __VA_ARGS__)
#define FACES(k) p->east + p->start[k], p->south + p->start[k]

static void smooth(const struct plates *p, int k, int sweeps)
{
    for (int half = 0; half < 2 * sweeps; half++)
        LAUNCH(relax, (p->width[k] + 1) / 2, p->height[k], half % 2, FACES(k),
               p->heat + p->start[k], p->u + p->start[k]);
}

/* A V-cycle from level k down: smooths, corrects by the coarser plates, smooths. W. L. Briggs,
 * V. E. Henson and S. F. McCormick, A Multigrid Tutorial, 2nd edition, 2000. */
static portable_status v_cycle(const struct plates *p, int k)
{
    if (k + 1 == p->count) {
        smooth(p, k, COARSEST_SWEEPS);
        return portable_last_error();
    }
    smooth(p, k, SWEEPS);
    LAUNCH(coarsen, p->width[k + 1], p->height[k + 1], FACES(k), p->heat + p->start[k],
           p->u + p->start[k], p->heat + p->start[k + 1], p->u + p->start[k + 1]);
    v_cycle(p, k + 1);
    LAUNCH(correct, p->width[k], p->height[k], FACES(k + 1), p->u + p->start[k + 1],
           p->u + p->start[k]);
    smooth(p, k, SWEEPS);
    return portable_last_error();
}

/* The largest heat that a cell gains or loses goes to p->largest. */
static portable_status find_surplus(const struct plates *p)
{
    portable_memset(p->largest, 0, sizeof *p->largest);
    return KERNEL_LAUNCH(largest_surplus, p->height[0] < 1024 ? p->height[0] : 1024, 256, 0, 0,
                         p->width[0], p->height[0], FACES(0), p->heat, p->u, p->largest);
}

/* `steps` explicit steps of dt = ratio h^2. */
static portable_status time_steps(struct plates *p, int steps, double ratio)
{
    const int k = 0;

    for (int step = 0; step < steps; step++) {
        double *const before = p->u;
        LAUNCH(heat_step, p->width[0], p->height[0], ratio, FACES(0), p->heat, p->u, p->next);
        p->u = p->next;
        p->next = before;
    }
    return portable_last_error();
}
