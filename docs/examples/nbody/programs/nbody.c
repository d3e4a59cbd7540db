/* SPDX-License-Identifier: 0BSD */
/* nbody: the solar system for fifty years, and a cluster of stars: nbody --help */
#include "kernels/cluster.c"
#include "kernels/planets.c"

#include "host/io.h"
#include "host/output.h"
#include "host/timer.h"

#include <stdio.h>  /* printf, fprintf, sscanf */
#include <stdlib.h> /* strtod, malloc, free */
#include <string.h> /* strcmp */

static const char usage[] =
    "usage: nbody [--per-day N] [--bodies N] [--svg FILE] [PLANETS.csv]\n"
    "\n"
    "Integrates the solar system from the first date of an ephemeris to its others, and compares.\n"
    "Then a cluster of stars, each attracted by all.\n"
    "\n"
    "  PLANETS.csv    lines date,body,GM,x,y,z,vx,vy,vz in AU and days, the Sun first;\n"
    "                 ../data/planets_de421.csv\n"
    "  --per-day N    steps per day: 1 to 256; 16\n"
    "  --bodies N     of the cluster: 0 to 10000000; 100000 on a GPU, 4096 on a CPU\n"
    "  --svg FILE     plot the errors of energy and angular momentum\n"
    "\n"
    "Exit status: 0 verified, 1 a check failed, 2 bad input.\n";

enum { MOST_DATES = 16, SAMPLES = 200, STARS_STEPS = 20 };
static const double au = 149597870.7;                /* km */
static const double speed_of_light = 173.1446326847; /* AU per day */

/* 3/4 f a^2 for the Earth and the Moon, whose masses are 1 - m and m of the two: f = m (1 - m), m =
 * 0.0121506, a = 0.00256955 AU, and a^2 is larger by 1.5 e^2 on average. The mean quadrupole of two
 * bodies on a circle in the plane of the force is f a^2 / 4. */
static const double moon_ring = 0.75 * 0.012003 * 6.6326e-6;

/* An ephemeris: states[date][body] is x, y, z, vx, vy, vz. */
struct ephemeris {
    int bodies, dates;
    char names[MOST_PLANETS][16];
    double date[MOST_DATES], gm[MOST_PLANETS], states[MOST_DATES][MOST_PLANETS][6];
};

static int fail(const char *sentence)
{
    fprintf(stderr, "nbody: %s\n", sentence);
    return IO_BAD;
}

static int read_ephemeris(const char *path, struct ephemeris *e, struct io_error *error)
{
    char *text;
    size_t size;
    int line = 0, body = 0;

    memset(e, 0, sizeof *e);
    if (io_read_text(path, &text, &size, error) != 0)
        return IO_BAD;
    for (const char *next = text; *next; next += strcspn(next, "\n"), next += *next == '\n') {
        double date, gm, s[6];
        char name[16];

        line++;
        if (*next == '#' || *next == '\n')
            continue;
        if (sscanf(next, "%lf,%15[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf", &date, name, &gm, s, s + 1,
                   s + 2, s + 3, s + 4, s + 5) != 9 ||
            !(gm > 0)) {
            free(text);
            return io_fail(error, "%s:%d: expected date,body,GM,x,y,z,vx,vy,vz", path, line);
        }
        if (e->dates == 0 || date != e->date[e->dates - 1]) {
            if (e->dates == MOST_DATES || (e->dates > 0 && date < e->date[e->dates - 1]) ||
                (e->dates > 1 && body != e->bodies))
                break;
            e->date[e->dates++] = date;
            body = 0;
        }
        if (e->dates == 1) {
            if (body == MOST_PLANETS)
                break;
            memcpy(e->names[body], name, sizeof name);
            e->gm[body] = gm;
            e->bodies = body + 1;
        } else if (body >= e->bodies || strcmp(name, e->names[body]) != 0)
            break;
        memcpy(e->states[e->dates - 1][body++], s, sizeof s);
    }
    const int good = e->dates >= 2 && e->bodies >= 2 && body == e->bodies;
    free(text);
    if (!good)
        return io_fail(error, "%s:%d: expected 2 to %d dates, rising, with the same 2 to %d bodies",
                       path, line, MOST_DATES, MOST_PLANETS);
    return 0;
}

/* The bodies on the device. */
struct planets {
    int n;
    double *gm, *position, *velocity;
};

static void set_states(const struct planets *p, double (*states)[6])
{
    double x[MOST_PLANETS][3], v[MOST_PLANETS][3];

    for (int i = 0; i < p->n; i++) {
        memcpy(x[i], states[i], sizeof x[i]);
        memcpy(v[i], states[i] + 3, sizeof v[i]);
    }
    PORTABLE_CHECK(portable_copy_to_device(p->position, x, (size_t)p->n * sizeof *x));
    PORTABLE_CHECK(portable_copy_to_device(p->velocity, v, (size_t)p->n * sizeof *v));
}

static void get_states(const struct planets *p, double (*states)[6])
{
    double x[MOST_PLANETS][3], v[MOST_PLANETS][3];

    PORTABLE_CHECK(portable_copy_to_host(x, p->position, (size_t)p->n * sizeof *x));
    PORTABLE_CHECK(portable_copy_to_host(v, p->velocity, (size_t)p->n * sizeof *v));
    for (int i = 0; i < p->n; i++) {
        memcpy(states[i], x[i], sizeof x[i]);
        memcpy(states[i] + 3, v[i], sizeof v[i]);
    }
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
static void invariants(const struct ephemeris *e, double (*s)[6], double *energy, double *momentum)
{
    double l[3] = {0, 0, 0};

    *energy = 0;
    for (int i = 0; i < e->bodies; i++) {
        for (int k = 0; k < 3; k++) {
            const int next = (k + 1) % 3, last = (k + 2) % 3;
            *energy += e->gm[i] * s[i][3 + k] * s[i][3 + k] / 2;
            l[k] += e->gm[i] * (s[i][next] * s[i][3 + last] - s[i][last] * s[i][3 + next]);
        }
        for (int j = 0; j < i; j++)
            *energy -= e->gm[i] * e->gm[j] / (distance(s[i], s[j]) / au);
    }
    *momentum = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
}

/* Prints the distances in km from the ephemeris, without and with the corrections. Returns whether
 * the latter are within 10 km and 2 km more each year, for what is still left out: asteroids, moons
 * of other planets, and the real orbit of ours. */
static int compare(const struct planets *p, struct ephemeris *e, double per_day)
{
    const struct forces newton = {0, -1, 0};
    struct forces all = {1 / (speed_of_light * speed_of_light), -1, moon_ring};
    double states[2][MOST_DATES][MOST_PLANETS][6];
    int good = 1;

    for (int i = 0; i < e->bodies; i++)
        if (strcmp(e->names[i], "earthmoon") == 0)
            all.ring = i;
    for (int model = 0; model < 2; model++) {
        set_states(p, e->states[0]);
        for (int d = 1; d < e->dates; d++) {
            advance(p, e->date[d] - e->date[d - 1], per_day, 4, model ? all : newton);
            get_states(p, states[model][d]);
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
            const double apart = distance(states[0][d][i], e->states[d][i]);
            const double left = distance(states[1][d][i], e->states[d][i]);
            const double years = (e->date[d] - e->date[0]) / 365.25;

            printf("%12.0f %8.1f", apart, left);
            /* The last term is for the error of order 4 of the steps, of which Mercury has most. */
            good &= left <= 10 + 2 * years + 16 * years * pow(8 / per_day, 4);
        }
        printf("\n");
    }
    return good;
}

/* The order of an integrator: how its error after a year falls when the steps are halved. */
static double measured_order(const struct planets *p, struct ephemeris *e, int order)
{
    const struct forces newton = {0, -1, 0};
    double states[3][MOST_PLANETS][6], apart[2] = {0, 0};

    for (int k = 0; k < 3; k++) {
        set_states(p, e->states[0]);
        advance(p, 360, 0.5 * (1 << k), order, newton);
        get_states(p, states[k]);
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < e->bodies; i++)
            apart[k] = fmax(apart[k], distance(states[k][i], states[k + 1][i]));
    return log2(apart[0] / apart[1]);
}

/* The relative errors of energy and angular momentum over the dates, in SAMPLES. */
static void find_drift(const struct planets *p, struct ephemeris *e, double per_day, int order,
                       double (*drift)[2])
{
    const struct forces newton = {0, -1, 0};
    const double days = (e->date[e->dates - 1] - e->date[0]) / SAMPLES;
    double states[MOST_PLANETS][6], energy, momentum, first[2];

    invariants(e, e->states[0], first, first + 1);
    set_states(p, e->states[0]);
    for (int k = 0; k < SAMPLES; k++) {
        advance(p, days, per_day, order, newton);
        get_states(p, states);
        invariants(e, states, &energy, &momentum);
        drift[k][0] = fabs(energy / first[0] - 1);
        drift[k][1] = fabs(momentum / first[1] - 1);
    }
}

static double largest(double (*drift)[2], int which)
{
    double most = 0;

    for (int k = 0; k < SAMPLES; k++)
        most = fmax(most, drift[k][which]);
    return most;
}

static int write_plot(const char *path, double years, double (*drifts[2])[2],
                      struct io_error *error)
{
    static const char *const names[3] = {"energy, leapfrog", "energy, order 4", "angular momentum"};
    struct io_writer writer;

    if (io_write_begin(&writer, path, error) != 0)
        return IO_BAD;
    fputs(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 400\">\n"
        "<title>Errors of the solar system's energy and angular momentum</title>\n<style>text{"
        "font:14px sans-serif;fill:#333}path{fill:none;stroke-width:1.5}.grid{stroke:#8884}"
        ".c0{stroke:#c45500}.c1{stroke:#0969da}.c2{stroke:#1a7f37}@media(prefers-color-scheme:"
        "dark){text{fill:#ddd}.c0{stroke:#f0883e}.c1{stroke:#58a6ff}.c2{stroke:#3fb950}}</style>\n"
        "<text x=\"20\" y=\"26\">relative error</text>\n"
        "<text x=\"310\" y=\"390\" text-anchor=\"middle\">years</text>\n",
        writer.stream);
    for (int power = -17; power <= -5; power += 2)
        fprintf(writer.stream,
                "<path class=\"grid\" d=\"M70 %dH550\"/><text x=\"64\" y=\"%d\" "
                "text-anchor=\"end\">1e%d</text>\n",
                350 - 25 * (power + 17), 355 - 25 * (power + 17), power);
    for (int k = 0; k <= 5; k++)
        fprintf(writer.stream, "<text x=\"%d\" y=\"370\" text-anchor=\"middle\">%.0f</text>\n",
                70 + 96 * k, k * years / 5);
    for (int c = 0; c < 3; c++) {
        fprintf(writer.stream, "<path class=\"c%d\" d=\"", c);
        for (int k = 0; k < SAMPLES; k++)
            fprintf(writer.stream, "%c%.1f %.1f", k ? 'L' : 'M', 70 + 480.0 * (k + 1) / SAMPLES,
                    350 - 25 * (17 + log10(fmax(drifts[c > 0][k][c == 2], 1e-17))));
        fprintf(writer.stream,
                "\"/><path class=\"c%d\" d=\"M562 %dh16\"/><text x=\"582\" y=\"%d\">%s</text>\n", c,
                80 + 24 * c, 85 + 24 * c, names[c]);
    }
    fprintf(writer.stream, "</svg>\n");
    return io_write_commit(&writer, error);
}

/* Uniform in (0, 1): S. Vigna's SplitMix64. */
static double uniform(unsigned long long *state)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/* Writes a vector of this length, in a random direction, to to[0], to[stride] and to[2 stride]. */
static void direct(unsigned long long *state, double length, REAL *to, size_t stride)
{
    const double z = 2 * uniform(state) - 1, turn = 2 * acos(-1.0) * uniform(state);

    to[0] = (REAL)(length * sqrt(1 - z * z) * cos(turn));
    to[stride] = (REAL)(length * sqrt(1 - z * z) * sin(turn));
    to[2 * stride] = (REAL)(length * z);
}

/* A star cluster in equilibrium, Plummer's sphere: S. J. Aarseth, M. Henon and R. Wielen, Astronomy
 * and Astrophysics 37, 1974. Returns whether its energy and angular momentum stay. */
static int cluster(int n)
{
    const size_t count = (size_t)n;
    const int blocks = (n + TILE - 1) / TILE;
    const REAL soft = (REAL)1e-3, step = (REAL)(1.0 / 256);
    REAL *const host = (REAL *)malloc(7 * count * sizeof *host), *all;
    double *const sums = (double *)malloc(2 * (size_t)blocks * sizeof *sums), *on_device;
    double total[2][2] = {{0, 0}, {0, 0}}, seconds = 0;
    unsigned long long state = 1;

    if (!host || !sums)
        return fail("there is not enough memory for the cluster");
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
    PORTABLE_CHECK(portable_malloc(&all, 7 * count * sizeof *all));
    PORTABLE_CHECK(portable_malloc(&on_device, 2 * (size_t)blocks * sizeof *on_device));
    PORTABLE_CHECK(portable_copy_to_device(all, host, 7 * count * sizeof *all));
    REAL *const x = all + count, *const y = x + count, *const z = y + count;
    REAL *const vx = z + count, *const vy = vx + count, *const vz = vy + count;
    for (int turn = 0; turn < 2; turn++) {
        PORTABLE_CHECK(KERNEL_LAUNCH(measure, blocks, TILE, 0, 0, n, soft, all, x, y, z, vx, vy, vz,
                                     on_device));
        PORTABLE_CHECK(portable_copy_to_host(sums, on_device, 2 * (size_t)blocks * sizeof *sums));
        for (int b = 0; b < 2 * blocks; b++)
            total[turn][b % 2] += sums[b];
        if (turn)
            break;
        const double start = timer_seconds();
        PORTABLE_CHECK(KERNEL_LAUNCH(drift, blocks, TILE, 0, 0, n, step / 2, vx, vy, vz, x, y, z));
        for (int k = 1; k <= STARS_STEPS; k++) {
            PORTABLE_CHECK(
                KERNEL_LAUNCH(kick, blocks, TILE, 0, 0, n, step, soft, all, x, y, z, vx, vy, vz));
            PORTABLE_CHECK(KERNEL_LAUNCH(drift, blocks, TILE, 0, 0, n,
                                         k < STARS_STEPS ? step : step / 2, vx, vy, vz, x, y, z));
        }
        PORTABLE_CHECK(portable_synchronize());
        seconds = timer_seconds() - start;
    }
    PORTABLE_CHECK(portable_free(all));
    PORTABLE_CHECK(portable_free(on_device));
    free(host);
    free(sums);
    const double energy = fabs(total[1][0] / total[0][0] - 1);
    const double momentum = fabs(total[1][1] - total[0][1]), sphere = -3 * acos(-1.0) / 64;
    printf("cluster: %d bodies, %d steps in %.3f s: %.3g pairs per second\n", n, STARS_STEPS,
           seconds, (double)n * n * STARS_STEPS / seconds);
    printf(
        "cluster: energy %.5f, of Plummer's sphere %.5f; it drifts by %.1e, the angular momentum "
        "by %.1e\n",
        total[0][0], sphere, energy, momentum);
    return energy <= 1e-4 && momentum <= 1e-5 &&
           fabs(total[0][0] / sphere - 1) <= 3 / sqrt((double)n);
}

int main(int argc, char **argv)
{
    static struct ephemeris e;
    static double drifts[2][SAMPLES][2];
    double(*of_order[2])[2] = {drifts[0], drifts[1]};
    const char *path = NULL, *plot = NULL;
    double per_day = 16, bodies = -1;
    struct portable_device device;
    struct io_error error;
    struct planets p;
    int good = 1, devices;

    output_begin();
    for (int k = 1; k < argc; k++) {
        const char *const value = k + 1 < argc ? argv[k + 1] : "";
        double *const number = strcmp(argv[k], "--per-day") == 0  ? &per_day
                               : strcmp(argv[k], "--bodies") == 0 ? &bodies
                                                                  : NULL;
        char *end;

        if (strcmp(argv[k], "--help") == 0) {
            fputs(usage, stdout);
            return output_end("nbody", 0);
        }
        if (argv[k][0] != '-' && !path) {
            path = argv[k];
            continue;
        }
        if (number) {
            *number = strtod(value, &end);
            if (end == value || *end ||
                !(*number >= 0 && *number <= 1e7 && *number == floor(*number)))
                return fail("expected a whole number after an option; see nbody --help");
        } else if (strcmp(argv[k], "--svg") == 0 && *value)
            plot = value;
        else
            return fail("unknown or incomplete option; see nbody --help");
        k++;
    }
    if (per_day < 1 || per_day > 256)
        return fail("--per-day must be from 1 to 256");
    if (portable_device_count(&devices) != PORTABLE_SUCCESS)
        return fail(portable_last_message());
    if (read_ephemeris(path ? path : "../data/planets_de421.csv", &e, &error) != 0)
        return fail(error.text);
    PORTABLE_CHECK(portable_device_properties(&device));
    p.n = e.bodies;
    PORTABLE_CHECK(portable_malloc(&p.gm, sizeof e.gm));
    PORTABLE_CHECK(portable_malloc(&p.position, 3 * sizeof e.gm));
    PORTABLE_CHECK(portable_malloc(&p.velocity, 3 * sizeof e.gm));
    PORTABLE_CHECK(portable_copy_to_device(p.gm, e.gm, sizeof e.gm));

    printf("nbody: on %s\n", PORTABLE_TARGET_NAME);
    const double start = timer_seconds();
    good &= compare(&p, &e, per_day);
    printf("both in %.3f s\n", timer_seconds() - start);
    for (int k = 0; k < 2; k++) {
        const double order = measured_order(&p, &e, 2 * k + 2);
        find_drift(&p, &e, per_day, 2 * k + 2, drifts[k]);
        printf("order %d: measured %.2f; the energy errs by at most %.1e, the angular momentum by "
               "%.1e\n",
               2 * k + 2, order, largest(drifts[k], 0), largest(drifts[k], 1));
        good &= fabs(order - (2 * k + 2)) <= 0.25 && largest(drifts[k], 1) <= 1e-12;
    }
    good &= largest(drifts[0], 0) <= 1e-6 && largest(drifts[1], 0) <= largest(drifts[0], 0);
    PORTABLE_CHECK(portable_free(p.gm));
    PORTABLE_CHECK(portable_free(p.position));
    PORTABLE_CHECK(portable_free(p.velocity));
    const int stars = bodies >= 0 ? (int)bodies : device.major > 0 ? 100000 : 4096;
    if (stars > 0) {
        const int stays = cluster(stars);
        if (stays == IO_BAD)
            return IO_BAD;
        good &= stays;
    }
    if (plot && write_plot(plot, (e.date[e.dates - 1] - e.date[0]) / 365.25, of_order, &error) != 0)
        return fail(error.text);
    printf("nbody: %s\n", good ? "verified: the ephemeris, the orders, energy and angular momentum"
                               : "FAILED: a distance, an order or a drift is too large");
    return output_end("nbody", good ? 0 : 1);
}
