/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels/matmul.c as CUDA written by hand. */
typedef float REAL;

#define TILE 16

extern "C" __global__ void matmul_naive(int m, int n, int k, const REAL *__restrict__ a,
                                        const REAL *__restrict__ b, REAL *__restrict__ c)
{
    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < m; row += gridDim.y * blockDim.y) {
        for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < n;
             column += gridDim.x * blockDim.x) {
            REAL sum = 0;
            for (int i = 0; i < k; i++)
                sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
            c[(size_t)row * n + column] = sum;
        }
    }
}

extern "C" __global__ void matmul_tiled(int m, int n, int k, const REAL *__restrict__ a,
                                        const REAL *__restrict__ b, REAL *__restrict__ c)
{
    __shared__ REAL a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int column = blockIdx.x * TILE + threadIdx.x;
    REAL sum = 0;
    for (int first = 0; first < k; first += TILE) {
        const int a_column = first + threadIdx.x, b_row = first + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] =
            row < m && a_column < k ? a[(size_t)row * k + a_column] : 0;
        b_tile[threadIdx.y][threadIdx.x] =
            b_row < k && column < n ? b[(size_t)b_row * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}

struct __align__(16) vector
{
    REAL x[4];
};

/* 2 x 4 vectors per thread. */
extern "C" __global__ void __launch_bounds__(64, 1)
    matmul_registers(int m, int n, int k, const REAL *__restrict__ a, const REAL *__restrict__ b,
                     REAL *__restrict__ c)
{
    __shared__ __align__(16) REAL b_tile[64][64];
    vector sum[2][4];
    const int first_row = blockIdx.y * 32, first_column = blockIdx.x * 64;
    const int rows = m - first_row, columns = n - first_column < 64 ? n - first_column : 64;
    for (int r = 0; r < 2; r++)
        for (int v = 0; v < 4; v++)
            sum[r][v] = {};
    for (int i = 0; i < 64 && columns < 64; i++)
        b_tile[i][threadIdx.x] = 0;
    for (int first = 0; first < k && rows > 0; first += 64) {
        const int depth = k - first < 64 ? k - first : 64;
        __syncthreads();
        for (int i = 0; i < depth; i++)
            if ((int)threadIdx.x < columns)
                b_tile[i][threadIdx.x] =
                    b[(size_t)(first + i) * n + (size_t)first_column + threadIdx.x];
        __syncthreads();
        const int column = (int)threadIdx.x % 4 * 4;
        const REAL *of_a[2];
        for (int r = 0; r < 2; r++) {
            const int row = (int)threadIdx.x / 4 * 2 + r;
            of_a[r] = a + (size_t)(first_row + (row < rows ? row : 0)) * k + first;
        }
        for (int i = 0; i < depth; i++) {
#pragma unroll
            for (int v = 0; v < 4; v++) {
                vector of_b;
#pragma unroll
                for (int l = 0; l < 4; l++)
                    of_b.x[l] = b_tile[i][v * 16 + column + l];
#pragma unroll
                for (int r = 0; r < 2; r++)
#pragma unroll
                    for (int l = 0; l < 4; l++)
                        sum[r][v].x[l] += of_a[r][i] * of_b.x[l];
            }
        }
    }
    for (int r = 0; r < 2; r++) {
        const int row = (int)threadIdx.x / 4 * 2 + r;
        for (int v = 0; v < 4; v++)
            for (int l = 0; l < 4; l++) {
                const int column = v * 16 + (int)threadIdx.x % 4 * 4 + l;
                if (row < rows && column < columns)
                    c[(size_t)(first_row + row) * n + (size_t)(first_column + column)] =
                        sum[r][v].x[l];
            }
    }
}

template <unsigned bytes>
static __device__ void copy_async(bool condition, void *to, const void *from)
{
    const unsigned shared = (unsigned)__cvta_generic_to_shared(to), read = condition ? bytes : 0;
    if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared),
                     "l"(__cvta_generic_to_global(from)), "r"(read)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared),
                     "l"(__cvta_generic_to_global(from)), "r"(read)
                     : "memory");
}

static __device__ void copy(int t, int rows, int columns, int depth, int n, int k, const REAL *a,
                            const REAL *b, REAL (*a_tile)[132], REAL (*b_tile)[128], int check,
                            int aligned)
{
    const int column = t % 32 * 4;
#pragma unroll
    for (int ahead = 0; ahead < 16; ahead += 8)
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const int row = t / 8 + e * 32, i = t % 8 + ahead;
            copy_async<4>(!check || (row < rows && i < depth), &a_tile[i][row],
                          a + (size_t)(e * 32) * k + ahead);
        }
#pragma unroll
    for (int ahead = 0; ahead < 16; ahead += 8) {
        const int i = t / 32 + ahead;
        const REAL *from = b + (size_t)ahead * n;
        if (aligned)
            copy_async<16>(!check || (column < columns && i < depth), &b_tile[i][column], from);
        else
#pragma unroll
            for (int l = 0; l < 4; l++)
                copy_async<4>(column + l < columns && i < depth, &b_tile[i][column + l], from + l);
    }
}

static __device__ int row_of(unsigned t)
{
    return t / 64 * 32 + t / 8 % 2 * 8 + t / 2 % 2 * 4;
}
static __device__ int column_of(unsigned t)
{
    return t / 32 % 2 * 64 + t / 16 % 2 * 16 + t / 4 % 2 * 8 + t % 2 * 4;
}

static __device__ void add(const REAL *column, const REAL *row, REAL (*sum)[8])
{
#pragma unroll
    for (int first = 0; first < 8; first += 4)
#pragma unroll
        for (int down = 0; down < 8; down++) {
            const int r = first % 8 ? 7 - down : down;
#pragma unroll
            for (int there = 0; there < 4; there++) {
                const int q = first + (r % 2 ? 3 - there : there);
                sum[r][q] += column[r] * row[q];
            }
        }
}

struct thread {
    REAL sum[8][8], column[8], row[8];
    const REAL *a, *b, *a_part, *b_part;
};

/* The step that waits in own->column and own->row, and those of a tile but the last. */
static __device__ void multiply(struct thread *own, int from)
{
    const REAL *a_part = own->a_part + from * 16 * 132, *b_part = own->b_part + from * 16 * 128;
    REAL sum[8][8], column[2][8], row[2][8];
#pragma unroll
    for (int r = 0; r < 8; r++) {
#pragma unroll
        for (int q = 0; q < 8; q++)
            sum[r][q] = own->sum[r][q];
        column[1][r] = own->column[r];
        row[1][r] = own->row[r];
    }
#pragma unroll
    for (int i = 0; i < 16; i++) {
#pragma unroll
        for (int r = 0; r < 8; r++)
            column[i % 2][r] = a_part[i * 132 + r / 4 * 16 + r % 4];
#pragma unroll
        for (int q = 0; q < 8; q++)
            row[i % 2][q] = b_part[i * 128 + q / 4 * 32 + q % 4];
        add(column[1 - i % 2], row[1 - i % 2], sum);
    }
#pragma unroll
    for (int r = 0; r < 8; r++) {
#pragma unroll
        for (int q = 0; q < 8; q++)
            own->sum[r][q] = sum[r][q];
        own->column[r] = column[1][r];
        own->row[r] = row[1][r];
    }
}

/* 8 x 8 elements per thread, 128 x 128 per block. */
extern "C" __global__ void __launch_bounds__(256, 2)
    matmul_async(int m, int n, int k, const REAL *__restrict__ a, const REAL *__restrict__ b,
                 REAL *__restrict__ c)
{
    __shared__ __align__(16) REAL a_tiles[2][16][132], b_tiles[2][16][128];
    struct thread own;
    const unsigned t = threadIdx.x;
    const int first_row = blockIdx.y * 128, rows = m - first_row;
    const int first_column = blockIdx.x * 128, columns = n - first_column;
    const int aligned = n % 4 == 0 && (size_t)b % 16 == 0;
    const int inside = aligned && rows >= 128 && columns >= 128;
#pragma unroll
    for (int r = 0; r < 8; r++) {
#pragma unroll
        for (int q = 0; q < 8; q++)
            own.sum[r][q] = 0;
        own.column[r] = own.row[r] = 0;
    }
    own.a_part = &a_tiles[0][0][row_of(t)];
    own.b_part = &b_tiles[0][0][column_of(t)];
    own.a = a + ((size_t)first_row + t / 8) * k + t % 8;
    own.b = b + (size_t)(t / 32) * n + (size_t)first_column + t % 32 * 4;
    copy(t, rows, columns, k, n, k, own.a, own.b, a_tiles[0], b_tiles[0], 1, aligned);
    own.a += 16;
    own.b += (size_t)16 * n;
    asm volatile("cp.async.commit_group;" ::: "memory");
    int depth = k;
    for (; inside && depth >= 48; depth -= 32) {
#pragma unroll
        for (int from = 0; from < 2; from++) {
            asm volatile("cp.async.wait_group 0;" ::: "memory");
            __syncthreads();
            copy(t, rows, columns, depth, n, k, own.a, own.b, a_tiles[1 - from], b_tiles[1 - from],
                 0, 1);
            own.a += 16;
            own.b += (size_t)16 * n;
            asm volatile("cp.async.commit_group;" ::: "memory");
            multiply(&own, from);
        }
    }
    for (int from = 0; depth > 0; from = 1 - from) {
        depth -= 16;
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        copy(t, rows, columns, depth, n, k, own.a, own.b, a_tiles[1 - from], b_tiles[1 - from], 1,
             aligned);
        own.a += 16;
        own.b += (size_t)16 * n;
        asm volatile("cp.async.commit_group;" ::: "memory");
        multiply(&own, from);
    }
    add(own.column, own.row, own.sum);
#pragma unroll
    for (int r = 0; r < 8; r++) {
        const int down = row_of(t) + r / 4 * 16 + r % 4;
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const int across = column_of(t) + q / 4 * 32 + q % 4;
            if (down < rows && across < columns)
                c[(size_t)(first_row + down) * n + (size_t)(first_column + across)] = own.sum[r][q];
        }
    }
}
