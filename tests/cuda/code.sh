#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# code.sh NVCC SCRATCH COMPILER...
# Device code at -O2: integer intrinsics are instructions, not calls of the compiler's library, and
# a loop without an end or an effect is not removed. Exit status: 0 if so,
# or 1.
set -u
nvcc=$1 scratch=$2
shift 2
mkdir -p "$scratch"
cat >"$scratch/bits.cu" <<'END'
__global__ void bits(unsigned *x, unsigned long long *y, int *z)
{
    unsigned u = x[threadIdx.x];
    unsigned long long w = y[threadIdx.x];
    u += __popc(u) + __popcll(w) + __clz(u) + __clzll(w) + __ffs(u) + __ffsll(w) + __brev(u);
    w += __brevll(w) + __umul64hi(w, w) + __mul64hi(w, u) + __fns(u, 3, 2) + __byte_perm(u, 7, u);
    z[threadIdx.x] = __dp4a((int)u, 5, 3) + __dp2a_lo((int)u, 5, 3) + __sad(u, 3, 4u) +
                     __hadd(u, 3) + __rhadd(u, 3) + __mulhi((int)u, 3) + __mul24(u, 3) +
                     __vadd4(u, 3) + __vabsdiffu4(u, 3) + __vcmpgts2(u, 7) +
                     __funnelshift_l(u, 5, u) + abs((int)u) + min((int)u, 4) + max(w, 4ull) +
                     __popc(__activemask());
    x[threadIdx.x] = u;
    y[threadIdx.x] = w;
}
END
cat >"$scratch/endless.cu" <<'END'
__global__ void endless(int x)
{
    for (unsigned i = 0; i != 1; i += 2 * x) {
    }
}
int main()
{
    endless<<<1, 1>>>(1);
    return cudaDeviceSynchronize();
}
END
status=0
for compiler; do
    "$nvcc" -ccbin "$compiler" -O2 -c "$scratch/bits.cu" -o "$scratch/bits.o" || exit 1
    if nm -u "$scratch/bits.o" | grep -E ' __[a-z]+[sdt]i[23]$'; then
        echo "$compiler leaves calls of its library"
        status=1
    fi
    "$nvcc" -ccbin "$compiler" -O2 "$scratch/endless.cu" -o "$scratch/endless" || exit 1
    (ulimit -t 1 && exec "$scratch/endless") >"$scratch/said" 2>&1
    ended=$?
    if [ $ended != 137 ] && [ $ended != 152 ]; then
        echo "$compiler takes an endless loop out: exit status $ended"
        status=1
    fi
done
exit $status
