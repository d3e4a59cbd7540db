/* SPDX-License-Identifier: 0BSD */
/* The iteration in plain C, on host memory. Included, as kernels are. */

static REAL plain_row(const struct system *s, int row, const REAL *x)
{
    REAL sum = 0;

    for (int k = s->row_offsets[row]; k < s->row_offsets[row + 1]; k++)
        sum += s->values[k] * x[s->columns[k]];
    return sum;
}

static void plain_iterate(struct system *s)
{
    const double theta = s->largest * 31 / 60, delta = s->largest * 29 / 60;
    const REAL alpha = (REAL)s->scalars[ALPHA], scale = (REAL)(s->degree ? 1 / theta : 1);
    double rz = 0, rr = 0, pq = 0, rho = delta / theta;

    for (int i = 0; i < s->n; i++) {
        s->x[i] += alpha * s->p[i];
        s->r[i] -= alpha * s->q[i];
        s->z[i] = scale * s->inverse[i] * s->r[i];
        rr += (double)s->r[i] * (double)s->r[i];
        if (s->degree)
            s->before[i] = 0;
    }
    for (int step = 0; step < s->degree; step++) {
        const double next = 1 / (2 * theta / delta - rho);
        const REAL momentum = (REAL)(next * rho), length = (REAL)(2 * next / delta);
        REAL *const newest = s->before;

        for (int i = 0; i < s->n; i++)
            newest[i] = s->z[i] + momentum * (s->z[i] - newest[i]) +
                        length * s->inverse[i] * (s->r[i] - plain_row(s, i, s->z));
        s->before = s->z;
        s->z = newest;
        rho = next;
    }
    for (int i = 0; i < s->n; i++)
        rz += (double)s->r[i] * (double)s->z[i];
    const REAL beta = (REAL)(rz / s->scalars[RZ]);
    for (int i = 0; i < s->n; i++)
        s->p[i] = s->z[i] + beta * s->p[i];
    for (int i = 0; i < s->n; i++) {
        s->q[i] = plain_row(s, i, s->p);
        pq += (double)s->p[i] * (double)s->q[i];
    }
    s->scalars[BETA] = rz / s->scalars[RZ];
    s->scalars[RZ] = rz;
    s->scalars[RR] = rr;
    s->scalars[PQ] = pq;
    s->scalars[ALPHA] = rz / pq;
}
