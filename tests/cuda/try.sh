#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# try.sh TOOLKIT SCRATCH
# host/nvcc/try.sh, which is `make try-cuda`: its table, its exit status, what it refuses, and that
# it leaves the project as it is. Exit status: 0 if all is as expected, or 1.
set -u
[ $# = 2 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
try=$(cd "$(dirname "$0")/../.." && pwd)/host/nvcc/try.sh
toolkit=$(cd "$1" && pwd)
rm -rf "$2" && mkdir -p "$2/clean" "$2/with race" "$2/empty" && cd "$2" || exit 1
unset PORTABLE_CHECK CONFIGURE BUILD_COMMAND TEST TIMEOUT JOBS
failed=0 passed=0

# says STATUS TEXT COMMAND...: the exit status, and a line of the output, whose blanks are one
says() {
    status=$1 text=$2
    shift 2
    "$@" >out.new 2>&1 </dev/null
    code=$?
    mv out.new out
    if [ $code = "$status" ] && { [ -z "$text" ] || tr -s ' ' <out | grep -q -- "$text"; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $*: status $code, expected $status and \"$text\":"
        sed 's/^/    /' out
    fi
}

cat >"with race/sum.cu" <<'END_OF_FILE'
#include <cstdio>
__global__ void sum(int *x)
{
    *x += threadIdx.x;
}
int main()
{
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    *x = 0;
    sum<<<1, 2>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", *x);
    return cudaFree(x) != cudaSuccess;
}
END_OF_FILE
# A toolkit's place that nothing but the command line can replace.
cat >"with race/Makefile" <<'END_OF_FILE'
NVCC = /usr/local/no-such-cuda/bin/nvcc
sum: sum.cu
	$(NVCC) -O2 -o $@ $<
.PHONY: test
test: sum
	./sum
END_OF_FILE
sed 's/\*x += /atomicAdd(x, /; s/threadIdx.x;/threadIdx.x);/' "with race/sum.cu" >clean/sum.cu
cp "with race/Makefile" clean
# A file that another toolkit has built.
echo 'not an executable' >clean/sum && chmod +x clean/sum
echo sum >clean/.gitignore
git -C clean init -q && git -C clean add sum.cu Makefile

find clean "with race" -type f -exec cksum {} + | sort >before
says 0 '^none - ok ok - ' "$try" "$toolkit" tried clean racecheck memcheck streamcheck
says 0 '^racecheck - ok ok 0 ' cat out
says 0 '^streamcheck - ok ok 0 ' cat out
says 0 '^memcheck - ok ok 0 ' cat out
says 1 '^racecheck - ok FAILED 1 ' "$try" "$toolkit" tried "with race" racecheck
says 0 '^none - ok ok - ' cat out
says 0 'race in kernel sum: a write by .* at sum.cu:4' cat out
# Tests that hide their programs' exit statuses hide neither a kernel that faults nor a program that dies.
mkdir faults dies
sed 's/<<<1, 2>>>(x)/<<<1, 2>>>(nullptr)/' clean/sum.cu >faults/sum.cu
sed 's/    cudaDeviceSynchronize();/    abort();/' clean/sum.cu >dies/sum.cu
for project in faults dies; do
    sed 's,./sum,./sum || true,' "with race/Makefile" >$project/Makefile
done
says 1 '^racecheck - ok ok 0+ ' "$try" "$toolkit" tried faults racecheck
says 0 ' racecheck: no race found, 1 kernel not checked to its end' cat out
says 1 '^racecheck - ok ok 0+ ' "$try" "$toolkit" tried dies racecheck
says 0 ' racecheck: no race found, the program not checked to its end: Aborted' cat out
find clean "with race" -type f -exec cksum {} + | sort >after
says 0 '' cmp before after

says 0 '^racecheck - ok - - ' env TEST= BUILD_COMMAND='nvcc sum.cu' "$try" "$toolkit" tried clean \
    racecheck
says 1 'no report' env TEST=true "$try" "$toolkit" tried clean racecheck
says 0 '^none ok ok ok - ' env CONFIGURE='cp sum.cu test.cu' \
    BUILD_COMMAND='$CUDACXX test.cu -o it' TEST=./it \
    "$try" "$toolkit" tried clean
says 1 '^none - FAILED' env BUILD_COMMAND='nvcc no-such.cu' "$try" "$toolkit" tried clean racecheck
says 0 '^racecheck not run' cat out
says 0 'cannot read no-such.cu' cat out
says 1 '^none - over 1 s' env TIMEOUT=1 BUILD_COMMAND='sleep 600' "$try" "$toolkit" tried clean
says 1 '^none - ok over 1 s' env TIMEOUT=1 BUILD_COMMAND=: TEST='sleep 600' "$try" "$toolkit" \
    tried clean

says 2 'REPO=directory names the CUDA project' "$try" "$toolkit" tried ''
says 2 'REPO=gone is not a directory' "$try" "$toolkit" tried gone
says 2 'has no CMakeLists.txt' "$try" "$toolkit" tried empty
says 2 'which is for copies' "$try" "$toolkit" tried tried/clean/none/source
says 2 'TIMEOUT=soon must be a number' env TIMEOUT=soon "$try" "$toolkit" tried clean

echo "$passed passed, $failed failed"
[ $failed = 0 ]
