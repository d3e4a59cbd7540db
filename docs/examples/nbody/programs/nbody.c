/* SPDX-License-Identifier: 0BSD */
/* nbody: the solar system for fifty years, and a cluster of stars: nbody --help */
#include "kernels/cluster.c"
#include "kernels/planets.c"

#include "host/line_plot.h"
#include "host/program.h"
#include "host/timer.h"

#include <stdio.h>  /* printf, sscanf */
#include <stdlib.h> /* free */
#include <string.h> /* memcpy, strcmp, strcspn */

static const char about[] =
    "Integrates the solar system from the first date of an ephemeris to its others, and compares.\n"
    "Then a cluster of stars, each attracted by all. The ephemeris has lines\n"
    "date,body,GM,x,y,z,vx,vy,vz in AU and days, the Sun first.";

enum { MOST_DATES = 16, MOST_DAYS = 1000000, SAMPLES = 200, STARS_STEPS = 20 };
static const double au = 149597870.7;                /* km */
static const double speed_of_light = 173.1446326847; /* AU per day */

/* 3/4 f a^2 for the Earth and the Moon, whose masses are 1 - m and m of the two: f = m (1 - m), m =
 * 0.0121506, a = 0.00256955 AU, and a^2 is larger by 1.5 e^2 on average. The mean quadrupole of two
 * bodies on a circle in the plane of the force is f a^2 / 4. */
static const double moon_ring = 0.75 * 0.012003 * 6.6326e-6;

struct state {
    double x[MOST_PLANETS][3], v[MOST_PLANETS][3];
};

/* States on some dates, by Julian day. */
struct ephemeris {
    int bodies, dates;
    char names[MOST_PLANETS][16];
    double date[MOST_DATES], gm[MOST_PLANETS];
    struct state states[MOST_DATES];
};

static void read_ephemeris(const char *path, struct ephemeris *e)
{
    struct io_error error;
    char *text;
    size_t size;
    int line = 0, count = 0, good = 1;

    program_check(io_read_text(path, &text, &size, &error), &error);
    for (const char *next = text; *next && good; next += *next == '\n') {
        double date = 0, gm = 0, x[3] = {0}, v[3] = {0};
        char name[16], after = '\n';

        line++;
        if (*next != '#' && *next != '\n') {
            const int read = sscanf(next, "%lf,%15[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf%c", &date, name,
                                    &gm, x, x + 1, x + 2, v, v + 1, v + 2, &after);
            const double sum = x[0] + x[1] + x[2] + v[0] + v[1] + v[2];

            if (read < 9 || !strchr("\r\n", after) || !(gm > 0) || !isfinite(gm + sum))
                program_fail("%s:%d: expected date,body,GM,x,y,z,vx,vy,vz", path, line);
            if ((count == 0 || date == e->date[0]) && e->bodies < MOST_PLANETS) {
                memcpy(e->names[e->bodies], name, sizeof name);
                e->gm[e->bodies++] = gm;
            }
            const int d = count / e->bodies, body = count % e->bodies;
            if (body == 0 && d < MOST_DATES)
                e->date[d] = date;
            good = d < MOST_DATES && date == e->date[d] && strcmp(name, e->names[body]) == 0 &&
                   (d == 0 || (date > e->date[d - 1] && date - e->date[0] <= MOST_DAYS));
            if (good) {
                memcpy(e->states[d].x[body], x, sizeof x);
                memcpy(e->states[d].v[body], v, sizeof v);
                e->dates = d + 1;
                count++;
            }
        }
        next += strcspn(next, "\n");
    }
    free(text);
    if (!good || e->dates < 2 || e->bodies < 2 || count % e->bodies != 0)
        program_fail("%s:%d: expected 2 to %d dates, rising, within %d days, with the same 2 to %d "
                     "bodies",
                     path, line, MOST_DATES, MOST_DAYS, MOST_PLANETS);
}

/* The bodies on the device. */
struct planets {
    int n;
    double *gm, *position, *velocity;
};

static void set_state(const struct planets *p, const struct state *s)
{
    PORTABLE_CHECK(portable_copy_to_device(p->position, s->x, sizeof s->x));
    PORTABLE_CHECK(portable_copy_to_device(p->velocity, s->v, sizeof s->v));
}

static void get_state(const struct planets *p, struct state *s)
{
    PORTABLE_CHECK(portable_copy_to_host(s->x, p->position, sizeof s->x));
    PORTABLE_CHECK(portable_copy_to_host(s->v, p->velocity, sizeof s->v));
}

static void advance(const struct planets *p, double days, double per_day, int order,
                    struct forces forces)
{
    const int steps = (int)ceil(days * per_day - 1e-6);

    PORTABLE_CHECK(KERNEL_LAUNCH(integrate, 1, MOST_PLANETS, 0, 0, p->n, steps, days / steps, order,
                                 forces, p->gm, p->position, p->velocity));
}

/* The distance in km between two positions. */
static double distance(const double *a, const double *b)
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

    return au * sqrt(x * x + y * y + z * z);
}

/* G times the energy, and the length of G times the angular momentum. */
static void invariants(const struct ephemeris *e, const struct state *s, double invariant[2])
{
    double l[3] = {0, 0, 0}, energy = 0;

    for (int i = 0; i < e->bodies; i++) {
        for (int k = 0; k < 3; k++) {
            const int next = (k + 1) % 3, last = (k + 2) % 3;
            energy += e->gm[i] * s->v[i][k] * s->v[i][k] / 2;
            l[k] += e->gm[i] * (s->x[i][next] * s->v[i][last] - s->x[i][last] * s->v[i][next]);
        }
        for (int j = 0; j < i; j++)
            energy -= e->gm[i] * e->gm[j] / (distance(s->x[i], s->x[j]) / au);
    }
    invariant[0] = energy;
    invariant[1] = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
}

static const struct forces newton = {0, -1, 0};

/* Prints the distances in km from the ephemeris, without and with the corrections. The latter are
 * within 10 km and 2 km more each year, for what is still left out: asteroids, moons of other
 * planets, and the real orbit of ours; and within the error of order 4 of the steps, of which
 * Mercury has most. */
static void compare(const struct planets *p, const struct ephemeris *e, double per_day)
{
    static struct state states[2][MOST_DATES];
    struct forces all = {1 / (speed_of_light * speed_of_light), -1, moon_ring};
    int near = 1;

    for (int i = 0; i < e->bodies; i++)
        if (strcmp(e->names[i], "earthmoon") == 0)
            all.ring = i;
    for (int model = 0; model < 2; model++) {
        set_state(p, &e->states[0]);
        for (int d = 1; d < e->dates; d++) {
            advance(p, e->date[d] - e->date[d - 1], per_day, 4, model ? all : newton);
            get_state(p, &states[model][d]);
        }
    }
    printf("km from the ephemeris: with Newton's forces alone, and with relativity and the Moon\n"
           "after years  ");
    for (int d = 1; d < e->dates; d++)
        printf("%21.2f", (e->date[d] - e->date[0]) / 365.25);
    printf("\n");
    for (int i = 0; i < e->bodies; i++) {
        printf("%-13s", e->names[i]);
        for (int d = 1; d < e->dates; d++) {
            const double years = (e->date[d] - e->date[0]) / 365.25;
            const double left = distance(states[1][d].x[i], e->states[d].x[i]);

            printf("%12.0f %8.1f", distance(states[0][d].x[i], e->states[d].x[i]), left);
            near &= left <= 10 + 2 * years + 16 * years * pow(8 / per_day, 4);
        }
        printf("\n");
    }
    verify(near, "with both, all bodies are near the ephemeris");
}

/* The order of an integrator: how its error after a year falls when the steps are halved. */
static double measured_order(const struct planets *p, const struct ephemeris *e, int order)
{
    static struct state states[3];
    double apart[2] = {0, 0};

    for (int k = 0; k < 3; k++) {
        set_state(p, &e->states[0]);
        advance(p, 360, 0.5 * (1 << k), order, newton);
        get_state(p, &states[k]);
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < e->bodies; i++)
            apart[k] = larger_error(apart[k], distance(states[k].x[i], states[k + 1].x[i]));
    return log2(apart[0] / apart[1]);
}

/* The relative errors of energy and angular momentum over the dates, in SAMPLES, and the largest of
 * each. */
static void find_drift(const struct planets *p, const struct ephemeris *e, double per_day,
                       int order, double drift[2][SAMPLES], double largest[2])
{
    const double days = (e->date[e->dates - 1] - e->date[0]) / SAMPLES;
    static struct state state;
    double first[2], now[2];

    invariants(e, &e->states[0], first);
    set_state(p, &e->states[0]);
    largest[0] = largest[1] = 0;
    for (int k = 0; k < SAMPLES; k++) {
        advance(p, days, per_day, order, newton);
        get_state(p, &state);
        invariants(e, &state, now);
        for (int which = 0; which < 2; which++) {
            drift[which][k] = fabs(now[which] / first[which] - 1);
            largest[which] = larger_error(largest[which], drift[which][k]);
        }
    }
}

static void write_plot(const char *path, double years, double drifts[2][2][SAMPLES],
                       const double largest[2][2])
{
    double x[SAMPLES];
    struct io_error error;
    char title[200];

    for (int k = 0; k < SAMPLES; k++)
        x[k] = years * (k + 1) / SAMPLES;
    snprintf(title, sizeof title,
             "Energy errs by at most %.0e with leapfrog, by %.0e at order 4, without a trend",
             largest[0][0], largest[1][0]);
    const struct line_plot plot = {.title = title,
                                   .x_label = "years",
                                   .y_label = "relative error",
                                   .log_x = 0,
                                   .log_y = 10,
                                   .limit = 0,
                                   .limit_label = NULL,
                                   .series_count = 3,
                                   .series = {{"leapfrog", SAMPLES, x, drifts[0][0]},
                                              {"order 4", SAMPLES, x, drifts[1][0]},
                                              {"momentum", SAMPLES, x, drifts[1][1]}}};
    program_check(line_plot_write(path, &plot, &error), &error);
}

/* Uniform in (0, 1). */
static double uniform(unsigned long long *state)
{
    return ((double)(splitmix64(state) >> 11) + 0.5) * 0x1p-53;
}

/* Writes a vector of this length, in a random direction, to to[0], to[stride] and to[2 stride]. */
static void direct(unsigned long long *state, double length, REAL *to, size_t stride)
{
    const double z = 2 * uniform(state) - 1, turn = 2 * acos(-1.0) * uniform(state);

    to[0] = (REAL)(length * sqrt(1 - z * z) * cos(turn));
    to[stride] = (REAL)(length * sqrt(1 - z * z) * sin(turn));
    to[2 * stride] = (REAL)(length * z);
}

/* Bodies on the device. */
struct stars {
    int n, blocks;
    REAL *mass, *x, *y, *z, *vx, *vy, *vz;
    double *sums;
};

static const REAL soft = (REAL)1e-3;

/* Plummer's sphere: S. J. Aarseth, M. Henon and R. Wielen, Astronomy and Astrophysics 37, 1974. */
static struct stars make_stars(int n)
{
    const size_t count = (size_t)n;
    REAL *const host = (REAL *)program_host(7 * count, sizeof *host);
    unsigned long long state = 1;
    struct stars s;

    for (size_t i = 0; i < count; i++) {
        const double radius = 1 / sqrt(pow(0.999 * uniform(&state), -2.0 / 3) - 1);
        double q, g;

        do {
            q = uniform(&state);
            g = 0.1 * uniform(&state);
        } while (g > q * q * pow(1 - q * q, 3.5));
        host[i] = (REAL)(1.0 / n);
        direct(&state, radius, host + count + i, count);
        direct(&state, q * sqrt(2.0) * pow(1 + radius * radius, -0.25), host + 4 * count + i,
               count);
    }
    s.n = n;
    s.blocks = (n + TILE - 1) / TILE;
    s.mass = (REAL *)program_upload(host, 7 * count * sizeof *host);
    s.x = s.mass + count, s.y = s.x + count, s.z = s.y + count;
    s.vx = s.z + count, s.vy = s.vx + count, s.vz = s.vy + count;
    s.sums = (double *)program_device(2 * (size_t)s.blocks, sizeof *s.sums);
    return s;
}

/* total: the energy and the angular momentum around z */
static void measure_stars(const struct stars *s, double total[2])
{
    double *const sums = (double *)program_host(2 * (size_t)s->blocks, sizeof *sums);

    PORTABLE_CHECK(KERNEL_LAUNCH(measure, s->blocks, TILE, 0, 0, s->n, soft, s->mass, s->x, s->y,
                                 s->z, s->vx, s->vy, s->vz, s->sums));
    PORTABLE_CHECK(portable_copy_to_host(sums, s->sums, 2 * (size_t)s->blocks * sizeof *sums));
    total[0] = total[1] = 0;
    for (int b = 0; b < 2 * s->blocks; b++)
        total[b % 2] += sums[b];
}

static void drift_stars(const struct stars *s, REAL step)
{
    PORTABLE_CHECK(KERNEL_LAUNCH(drift, s->blocks, TILE, 0, 0, s->n, step, s->vx, s->vy, s->vz,
                                 s->x, s->y, s->z));
}

/* A star cluster in equilibrium, whose energy and angular momentum stay. */
static void cluster(int n)
{
    const struct stars s = make_stars(n);
    const REAL step = (REAL)(1.0 / 256);
    const double sphere = -3 * acos(-1.0) / 64;
    double before[2], after[2];

    measure_stars(&s, before);
    const double start = timer_seconds();
    drift_stars(&s, step / 2);
    for (int k = 1; k <= STARS_STEPS; k++) {
        PORTABLE_CHECK(KERNEL_LAUNCH(kick, s.blocks, TILE, 0, 0, n, step, soft, s.mass, s.x, s.y,
                                     s.z, s.vx, s.vy, s.vz));
        drift_stars(&s, k < STARS_STEPS ? step : step / 2);
    }
    PORTABLE_CHECK(portable_synchronize());
    const double seconds = timer_seconds() - start;
    measure_stars(&s, after);
    printf("cluster: %d bodies, %d steps in %.3f s: %.3g pairs per second\n", n, STARS_STEPS,
           seconds, (double)n * n * STARS_STEPS / seconds);
    verify(fabs(before[0] / sphere - 1) <= 3 / sqrt((double)n),
           "its energy is %.5f, of Plummer's sphere %.5f", before[0], sphere);
    verify(fabs(after[0] / before[0] - 1) <= 1e-4 && fabs(after[1] - before[1]) <= 1e-5,
           "it drifts by %.1e, the angular momentum by %.1e", fabs(after[0] / before[0] - 1),
           fabs(after[1] - before[1]));
}

int main(int argc, char **argv)
{
    const char *path = "../data/planets_de421.csv", *plot = NULL;
    int per_day = 16, stars = -1;
    const struct options_entry options[] = {
        options_whole("--per-day N", &per_day, 2, 256, "steps per day"),
        options_whole("--bodies N", &stars, 0, 10000000,
                      "bodies of the cluster; by default 100000 on a GPU, 4096 on a CPU"),
        options_text("--svg FILE", &plot, "plot the errors of energy and angular momentum"),
        options_text("PLANETS.csv", &path, "the ephemeris"),
    };
    static struct ephemeris e;
    static double drifts[2][2][SAMPLES];
    double largest[2][2];
    struct portable_device device;

    program_begin("nbody", about, options, sizeof options / sizeof *options, argc, argv);
    PORTABLE_CHECK(portable_device_properties(&device));
    read_ephemeris(path, &e);
    const struct planets p = {e.bodies, (double *)program_upload(e.gm, sizeof e.gm),
                              (double *)program_device(MOST_PLANETS, 3 * sizeof(double)),
                              (double *)program_device(MOST_PLANETS, 3 * sizeof(double))};

    printf("nbody: on %s\n", PORTABLE_TARGET_NAME);
    const double start = timer_seconds();
    compare(&p, &e, per_day);
    printf("both in %.3f s\n", timer_seconds() - start);
    for (int k = 0; k < 2; k++) {
        const int order = 2 * k + 2;
        const double measured = measured_order(&p, &e, order);

        find_drift(&p, &e, per_day, order, drifts[k], largest[k]);
        verify(fabs(measured - order) <= 0.25, "order %d: measured %.2f", order, measured);
        verify(largest[k][0] <= (k ? largest[0][0] : 1e-6) && largest[k][1] <= 1e-12,
               "the energy errs by at most %.1e, the angular momentum by %.1e", largest[k][0],
               largest[k][1]);
    }
    if (stars < 0)
        stars = device.major > 0 ? 100000 : 4096;
    if (stars > 0)
        cluster(stars);
    if (plot)
        write_plot(plot, (e.date[e.dates - 1] - e.date[0]) / 365.25, drifts, largest);
    return program_end("the ephemeris, the orders, energy and angular momentum");
}
