/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrix multiply C = A B in steps; all matrices are row-major.
 * A: m x k; B: k x n; C: m x n elements */
#include "portable.h"

/* The edge of a tile, and of the block that computes it. */
#ifndef MATMUL_TILE
#define MATMUL_TILE 16
#endif

/* The rows of a tile of C in step 4: 128, or 64 for matrices so small that tiles of 128 rows leave
 * multiprocessors idle; 0 leaves this step out, which takes long to compile. */
#ifndef MATMUL_ROWS
#define MATMUL_ROWS 128
#endif

/* 1. One element of C per thread: every thread reads a whole row of A and a whole column of B. */
KERNEL(matmul_naive)(int m, int n, int k, const REAL *RESTRICT a, const REAL *RESTRICT b,
                     REAL *RESTRICT c)
{
    GRID_STRIDE_LOOP_2D(column, row, n, m) {
        REAL sum = 0;
        for (int i = 0; i < k; i++)
            sum +=
                a[(size_t)row * (size_t)k + (size_t)i] * b[(size_t)i * (size_t)n + (size_t)column];
        c[(size_t)row * (size_t)n + (size_t)column] = sum;
    }
}

/* 2. A block computes one tile of C from tiles of A and B in shared memory, so that each element
 *    is read from memory once per tile instead of once per element of C. Tiles that extend beyond
 *    an edge are padded with zeros. The grid is ceil(n / tile) x ceil(m / tile). */
KERNEL(matmul_tiled)(int m, int n, int k, const REAL *RESTRICT a, const REAL *RESTRICT b,
                     REAL *RESTRICT c)
{
    FOR_EACH_BLOCK(MATMUL_TILE, MATMUL_TILE) {
        SHARED(REAL, a_tile, [MATMUL_TILE][MATMUL_TILE]);
        SHARED(REAL, b_tile, [MATMUL_TILE][MATMUL_TILE]);
        PRIVATE(int, row);
        PRIVATE(int, column);
        PRIVATE(REAL, sum);
        FOR_EACH_THREAD {
            MINE(row) = (int)(blockIdx.y * MATMUL_TILE + threadIdx.y);
            MINE(column) = (int)(blockIdx.x * MATMUL_TILE + threadIdx.x);
            MINE(sum) = 0;
        }
        for (int first = 0; first < k; first += MATMUL_TILE) {
            FOR_EACH_THREAD {
                const int i = first + (int)threadIdx.x;
                a_tile[threadIdx.y][threadIdx.x] =
                    MINE(row) < m && i < k ? a[(size_t)MINE(row) * (size_t)k + (size_t)i] : 0;
            }
            FOR_EACH_THREAD {
                const int i = first + (int)threadIdx.y;
                b_tile[threadIdx.y][threadIdx.x] =
                    i < k && MINE(column) < n ? b[(size_t)i * (size_t)n + (size_t)MINE(column)] : 0;
            }
            SYNC_THREADS();
            for (int i = 0; i < MATMUL_TILE; i++) {
                FOR_EACH_THREAD
                    MINE(sum) += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
            }
            SYNC_THREADS();
        }
        FOR_EACH_THREAD {
            if (MINE(row) < m && MINE(column) < n)
                c[(size_t)MINE(row) * (size_t)n + (size_t)MINE(column)] = MINE(sum);
        }
    }
}

/* 3. A thread computes 2 rows by 4 vectors of C in registers: each element of A that it reads is
 *    used for 4 vectors, each vector of B for 2 rows. B goes through shared memory, and A, of which
 *    a thread reads only its own rows, through the cache. The grid is ceil(n / MATMUL_WIDTH) x
 *    ceil(m / MATMUL_PART_ROWS). On one core of an EPYC, 512 x 512, it takes 0.56 of the time of a
 *    plain loop with gcc 12 and 0.59 with clang 14; step 2 takes 1.5 and 1.2. This is as fast as
 *    OpenBLAS with the same instructions, SSE. */
#define MATMUL_WIDTH 64
#define MATMUL_STEP 64
enum {
    MATMUL_DOWN = 2,                                                   /* per thread: rows, */
    MATMUL_ACROSS = 4,                                                 /* vectors */
    MATMUL_THREADS_ACROSS = MATMUL_WIDTH / MATMUL_ACROSS / REAL_LANES, /* in a row */
    MATMUL_PART_ROWS = MATMUL_WIDTH / MATMUL_THREADS_ACROSS * MATMUL_DOWN
};

KERNEL_LAUNCH_BOUNDS(matmul_registers, 64, 1)
(int m, int n, int k, const REAL *RESTRICT a, const REAL *RESTRICT b, REAL *RESTRICT c)
{
    FOR_EACH_BLOCK(MATMUL_WIDTH) {
        ALIGNED(16) SHARED(REAL, b_tile, [MATMUL_STEP][MATMUL_WIDTH]);
        PRIVATE(REAL_VECTOR, sum, [MATMUL_DOWN][MATMUL_ACROSS]);
        const int first_row = (int)blockIdx.y * MATMUL_PART_ROWS;
        const int first_column = (int)blockIdx.x * MATMUL_WIDTH;
        const int rows = m - first_row;
        const int columns = n - first_column < MATMUL_WIDTH ? n - first_column : MATMUL_WIDTH;
        FOR_EACH_THREAD {
            const REAL_VECTOR zero = {0};
            for (int r = 0; r < MATMUL_DOWN; r++)
                for (int v = 0; v < MATMUL_ACROSS; v++)
                    MINE(sum)[r][v] = zero;
        }
        for (int i = 0; i < MATMUL_STEP && columns < MATMUL_WIDTH; i++) {
            FOR_EACH_THREAD
                b_tile[i][threadIdx.x] = 0;
        }
        for (int first = 0; first < k && rows > 0; first += MATMUL_STEP) {
            const int depth = k - first < MATMUL_STEP ? k - first : MATMUL_STEP;
            SYNC_THREADS();
            for (int i = 0; i < depth; i++) {
                FOR_THREADS_BELOW(columns)
                    b_tile[i][threadIdx.x] =
                        b[(size_t)(first + i) * (size_t)n + (size_t)first_column + threadIdx.x];
            }
            SYNC_THREADS();
            FOR_EACH_THREAD {
                const int column = (int)threadIdx.x % MATMUL_THREADS_ACROSS * REAL_LANES;
                const REAL *of_a[MATMUL_DOWN];
                REAL_VECTOR part[MATMUL_DOWN][MATMUL_ACROSS];
                for (int r = 0; r < MATMUL_DOWN; r++) {
                    const int row = (int)threadIdx.x / MATMUL_THREADS_ACROSS * MATMUL_DOWN + r;
                    of_a[r] = a + (size_t)(first_row + (row < rows ? row : 0)) * (size_t)k + first;
                    for (int v = 0; v < MATMUL_ACROSS; v++)
                        part[r][v] = MINE(sum)[r][v];
                }
                for (int i = 0; i < depth; i++) {
                    REAL factor[MATMUL_DOWN];
                    UNROLL(MATMUL_DOWN)
                    for (int r = 0; r < MATMUL_DOWN; r++)
                        factor[r] = of_a[r][i];
                    UNROLL(MATMUL_ACROSS)
                    for (int v = 0; v < MATMUL_ACROSS; v++) {
                        const REAL_VECTOR of_b =
                            real_vector(&b_tile[i][v * MATMUL_WIDTH / MATMUL_ACROSS + column]);
                        UNROLL(MATMUL_DOWN)
                        for (int r = 0; r < MATMUL_DOWN; r++)
                            part[r][v] += factor[r] * of_b;
                    }
                }
                for (int r = 0; r < MATMUL_DOWN; r++)
                    for (int v = 0; v < MATMUL_ACROSS; v++)
                        MINE(sum)[r][v] = part[r][v];
            }
        }
        FOR_EACH_THREAD {
            for (int r = 0; r < MATMUL_DOWN; r++) {
                const int row = (int)threadIdx.x / MATMUL_THREADS_ACROSS * MATMUL_DOWN + r;
                for (int v = 0; v < MATMUL_ACROSS; v++)
                    for (int l = 0; l < REAL_LANES; l++) {
                        const int column = v * MATMUL_WIDTH / MATMUL_ACROSS +
                                           (int)threadIdx.x % MATMUL_THREADS_ACROSS * REAL_LANES +
                                           l;
                        if (row < rows && column < columns)
                            c[(size_t)(first_row + row) * (size_t)n +
                              (size_t)(first_column + column)] = MINE(sum)[r][v][l];
                    }
            }
        }
    }
}

#if MATMUL_ROWS
/* 4. For the GPU: a thread computes 8 x 8 elements, a block of 256 threads 128 x 128, or one of 128
 *    threads 64 x 128. Asynchronous copies fetch the next tiles of A and B during the
 *    multiplication, so one barrier per tile is enough; A is transposed on the way, so that a
 *    thread loads 4 rows at once. A thread loads its part of a step before it multiplies the step
 *    before, also across the barrier. Two tiles make one turn of the loop, so their addresses in
 *    shared memory are constants. A warp has 4 x 8 groups of 4 x 4; lanes that differ in bit 0 have
 *    the same rows, and lanes that differ in bit 1 the same columns, for then 16 lanes load at once
 *    instead of 8. The grid is ceil(n / 128) x ceil(m / MATMUL_ROWS). On an H200, 4096 x 4096, 51
 *    TFLOP/s, as cuBLAS, against 8 in step 2; 1024 x 1024 takes 97 us with 128 rows and 51 with 64,
 *    and from 2048 x 2048 on 128 rows are faster. */
enum {
    MATMUL_COLUMNS = 128,                                   /* of the tile of C */
    MATMUL_DEPTH = sizeof(REAL) == 4 ? MATMUL_ROWS / 8 : 8, /* of the tiles of A and B */
    MATMUL_PITCH = MATMUL_ROWS + 4, /* of A: different banks in the next row */
    MATMUL_PART = 8,                /* per thread: rows and columns */
    MATMUL_THREADS = MATMUL_ROWS * MATMUL_COLUMNS / 64,
    MATMUL_COPY_ROWS = MATMUL_THREADS / 8,          /* rows of A that the block copies at once */
    MATMUL_COPIES = MATMUL_ROWS / MATMUL_COPY_ROWS, /* of them, for 8 columns of A */
    MATMUL_COPY_LANES = 16 / sizeof(REAL),          /* elements of B that a thread copies at once */
    MATMUL_COPY_ACROSS = MATMUL_COLUMNS / MATMUL_COPY_LANES, /* threads for a row of B */
    MATMUL_COPY_STEPS = MATMUL_THREADS / MATMUL_COPY_ACROSS  /* rows of B at once */
};

/* Thread t's share of copying `depth` columns of A and rows of B, padded with zeros; a and b
 * point to its first elements. Without checks the tile has no padding. Rows of B are aligned to 16
 * bytes, or not. */
DEVICE void matmul_copy(int t, int rows, int columns, int depth, int n, int k, const REAL *a,
                        const REAL *b, REAL (*a_tile)[MATMUL_PITCH], REAL (*b_tile)[MATMUL_COLUMNS],
                        int check, int aligned)
{
    const int column = t % MATMUL_COPY_ACROSS * MATMUL_COPY_LANES;
    UNROLL(MATMUL_DEPTH / 8)
    for (int ahead = 0; ahead < MATMUL_DEPTH; ahead += 8) {
        const int i = t % 8 + ahead;
        UNROLL(MATMUL_COPIES)
        for (int e = 0; e < MATMUL_COPIES; e++) {
            const int row = t / 8 + e * MATMUL_COPY_ROWS;
            COPY_ASYNC_IF(!check || (row < rows && i < depth), &a_tile[i][row],
                          a + (size_t)(e * MATMUL_COPY_ROWS) * (size_t)k + ahead, sizeof(REAL));
        }
    }
    UNROLL(MATMUL_DEPTH / MATMUL_COPY_STEPS)
    for (int ahead = 0; ahead < MATMUL_DEPTH; ahead += MATMUL_COPY_STEPS) {
        const int i = t / MATMUL_COPY_ACROSS + ahead;
        const REAL *const from = b + (size_t)ahead * (size_t)n;
        if (aligned)
            COPY_ASYNC_IF(!check || (column < columns && i < depth), &b_tile[i][column], from, 16);
        else {
            UNROLL(MATMUL_COPY_LANES)
            for (int l = 0; l < MATMUL_COPY_LANES; l++)
                COPY_ASYNC_IF(column + l < columns && i < depth, &b_tile[i][column + l], from + l,
                              sizeof(REAL));
        }
    }
}

/* The first row and the first column of a thread; the others follow in groups of 4, 16 rows or 32
 * columns apart. */
DEVICE int matmul_row(unsigned t)
{
    return (int)(t / 64 * 32 + t / 8 % 2 * 8 + t / 2 % 2 * 4);
}
DEVICE int matmul_column(unsigned t)
{
    return (int)(t / 32 % 2 * 64 + t / 16 % 2 * 16 + t / 4 % 2 * 8 + t % 2 * 4);
}

/* Loads a thread's part of a column of A and of a row of B. */
DEVICE void matmul_load(const REAL *of_a, const REAL *of_b, REAL *column, REAL *row)
{
    UNROLL(MATMUL_PART)
    for (int r = 0; r < MATMUL_PART; r++)
        column[r] = of_a[r / 4 * 16 + r % 4];
    UNROLL(MATMUL_PART)
    for (int q = 0; q < MATMUL_PART; q++)
        row[q] = of_b[q / 4 * 32 + q % 4];
}

/* sum += column row, back and forth through four columns at a time: each product shares a factor
 * with the one before, and a GPU reads it from a register once. */
DEVICE void matmul_add(const REAL *column, const REAL *row, REAL (*sum)[MATMUL_PART])
{
    UNROLL(MATMUL_PART / 4)
    for (int first = 0; first < MATMUL_PART; first += 4) {
        UNROLL(MATMUL_PART)
        for (int down = 0; down < MATMUL_PART; down++) {
            const int r = first % 8 ? MATMUL_PART - 1 - down : down;
            UNROLL(4)
            for (int there = 0; there < 4; there++) {
                const int q = first + (r % 2 ? 3 - there : there);
                sum[r][q] += column[r] * row[q];
            }
        }
    }
}

/* What a thread keeps from tile to tile. */
struct matmul_thread {
    REAL sum[MATMUL_PART][MATMUL_PART];
    REAL column[MATMUL_PART], row[MATMUL_PART]; /* the last that it has loaded, to be multiplied */
    const REAL *a, *b;                          /* what it copies next */
    const REAL *of_a, *of_b;                    /* its part of the first tiles in shared memory */
};

/* A thread's work on a tile: multiplies the step that it has loaded before and all steps of tile
 * `from`, 0 or 1, but the last. */
DEVICE void matmul_turn(struct matmul_thread *own, int from)
{
    const REAL *const of_a = own->of_a + from * MATMUL_DEPTH * MATMUL_PITCH;
    const REAL *const of_b = own->of_b + from * MATMUL_DEPTH * MATMUL_COLUMNS;
    REAL sum[MATMUL_PART][MATMUL_PART], column[2][MATMUL_PART], row[2][MATMUL_PART];
    UNROLL(MATMUL_PART)
    for (int r = 0; r < MATMUL_PART; r++) {
        UNROLL(MATMUL_PART)
        for (int q = 0; q < MATMUL_PART; q++)
            sum[r][q] = own->sum[r][q];
        column[1][r] = own->column[r];
        row[1][r] = own->row[r];
    }
    UNROLL(MATMUL_DEPTH)
    for (int i = 0; i < MATMUL_DEPTH; i++) {
        matmul_load(of_a + i * MATMUL_PITCH, of_b + i * MATMUL_COLUMNS, column[i % 2], row[i % 2]);
        matmul_add(column[1 - i % 2], row[1 - i % 2], sum);
    }
    UNROLL(MATMUL_PART)
    for (int r = 0; r < MATMUL_PART; r++) {
        UNROLL(MATMUL_PART)
        for (int q = 0; q < MATMUL_PART; q++)
            own->sum[r][q] = sum[r][q];
        own->column[r] = column[1][r];
        own->row[r] = row[1][r];
    }
}

KERNEL_LAUNCH_BOUNDS(matmul_async, MATMUL_THREADS, 2)
(int m, int n, int k, const REAL *RESTRICT a, const REAL *RESTRICT b, REAL *RESTRICT c)
{
    FOR_EACH_BLOCK(MATMUL_THREADS) {
        ALIGNED(16) SHARED(REAL, a_tiles, [2][MATMUL_DEPTH][MATMUL_PITCH]);
        ALIGNED(16) SHARED(REAL, b_tiles, [2][MATMUL_DEPTH][MATMUL_COLUMNS]);
        PRIVATE(struct matmul_thread, own);
        const int first_row = (int)blockIdx.y * MATMUL_ROWS, rows = m - first_row;
        const int first_column = (int)blockIdx.x * MATMUL_COLUMNS, columns = n - first_column;
        const int aligned = n % MATMUL_COPY_LANES == 0 && (size_t)b % 16 == 0;
        const int inside = aligned && rows >= MATMUL_ROWS && columns >= MATMUL_COLUMNS;
        FOR_EACH_THREAD {
            const unsigned t = threadIdx.x;
            UNROLL(MATMUL_PART)
            for (int r = 0; r < MATMUL_PART; r++) {
                UNROLL(MATMUL_PART)
                for (int q = 0; q < MATMUL_PART; q++)
                    MINE(own).sum[r][q] = 0;
                MINE(own).column[r] = MINE(own).row[r] = 0;
            }
            MINE(own).of_a = &a_tiles[0][0][matmul_row(t)];
            MINE(own).of_b = &b_tiles[0][0][matmul_column(t)];
            MINE(own).a = a + ((size_t)first_row + t / 8) * (size_t)k + t % 8;
            MINE(own).b = b + (size_t)(t / MATMUL_COPY_ACROSS) * (size_t)n + (size_t)first_column +
                          t % MATMUL_COPY_ACROSS * MATMUL_COPY_LANES;
            matmul_copy((int)t, rows, columns, k, n, k, MINE(own).a, MINE(own).b, a_tiles[0],
                        b_tiles[0], 1, aligned);
            MINE(own).a += MATMUL_DEPTH;
            MINE(own).b += (size_t)MATMUL_DEPTH * (size_t)n;
        }
        COPY_COMMIT();
        int depth = k; /* that remains to be multiplied */
        for (; inside && depth >= 3 * MATMUL_DEPTH; depth -= 2 * MATMUL_DEPTH) {
            UNROLL(2)
            for (int from = 0; from < 2; from++) {
                COPY_WAIT(0);
                SYNC_THREADS();
                FOR_EACH_THREAD {
                    matmul_copy((int)threadIdx.x, rows, columns, depth, n, k, MINE(own).a,
                                MINE(own).b, a_tiles[1 - from], b_tiles[1 - from], 0, 1);
                    MINE(own).a += MATMUL_DEPTH;
                    MINE(own).b += (size_t)MATMUL_DEPTH * (size_t)n;
                }
                COPY_COMMIT();
                FOR_EACH_THREAD
                    matmul_turn(&MINE(own), from);
            }
        }
        for (int from = 0; depth > 0; from = 1 - from) {
            depth -= MATMUL_DEPTH;
            COPY_WAIT(0);
            SYNC_THREADS();
            FOR_EACH_THREAD {
                matmul_copy((int)threadIdx.x, rows, columns, depth, n, k, MINE(own).a, MINE(own).b,
                            a_tiles[1 - from], b_tiles[1 - from], 1, aligned);
                MINE(own).a += MATMUL_DEPTH;
                MINE(own).b += (size_t)MATMUL_DEPTH * (size_t)n;
            }
            COPY_COMMIT();
            FOR_EACH_THREAD
                matmul_turn(&MINE(own), from);
        }
        FOR_EACH_THREAD {
            matmul_add(MINE(own).column, MINE(own).row, MINE(own).sum);
            UNROLL(MATMUL_PART)
            for (int r = 0; r < MATMUL_PART; r++) {
                const int row = matmul_row(threadIdx.x) + r / 4 * 16 + r % 4;
                UNROLL(MATMUL_PART)
                for (int q = 0; q < MATMUL_PART; q++) {
                    const int column = matmul_column(threadIdx.x) + q / 4 * 32 + q % 4;
                    if (row < rows && column < columns)
                        c[(size_t)(first_row + row) * (size_t)n + (size_t)(first_column + column)] =
                            MINE(own).sum[r][q];
                }
            }
        }
    }
}
#endif
