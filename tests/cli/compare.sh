#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh BUILT CC SCRATCH
# make compare: what differs between targets is reported, what may differ is not; and the checks of
# SOURCES refuse what serial does. BUILT is a build directory of make check with the runtimes of all
# checks and portable-compare.
set -u

built=$(cd "$1" && pwd) cc=$2 scratch=$3
make=${MAKE:-make}
rm -rf "$scratch"
mkdir -p "$scratch/run/b" "$scratch/project/build"
scratch=$(cd "$scratch" && pwd)
. "$(dirname "$0")/expect.sh"
checkout=$PWD
unset MAKELEVEL MAKEFLAGS MFLAGS BUILD SOURCES ARGS IGNORE LIMIT ORDER REQUIRE_GPU

# ------------------------------------------------------------------------------------------------
# The script, on programs that are scripts
# ------------------------------------------------------------------------------------------------

# compared STATUS TEXT SERIAL EMULATE: expects this of two programs, each a line of sh
compared() {
    wanted=$1 text=$2
    printf '#!/bin/sh\n%s\n' "$3" >"$scratch/run/b/serial"
    printf '#!/bin/sh\n%s\n' "$4" >"$scratch/run/b/emulate"
    chmod +x "$scratch/run/b/serial" "$scratch/run/b/emulate"
    cd "$scratch/run" || exit 1
    # shellcheck disable=SC2016 # the programs'
    expect "$wanted" "$text" "$checkout/host/steps/compare.sh" --missing "cuda: no GPU was found" \
        b/c serial=b/serial emulate=b/emulate -- 'a b' c
    cd "$checkout" || exit 1
}
# The same: lines, arguments, no input, and what is not run.
# shellcheck disable=SC2016 # the programs'
compared 0 "compare: all targets print the same: serial, emulate" 'echo "$#: $1-$2 $0"; cat' 'echo "$#: $1-$2 $0"; cat'
said "compare: not run: cuda: no GPU was found"
grep -qx "2: a b-c .*" "$scratch/run/b/c/emulate/stdout" || fail "the arguments were $(cat "$scratch/run/b/c/emulate/stdout")"
compared 0 "all targets print the same, and exit with status 3" 'echo a; exit 3' 'echo a; exit 3'
compared 0 "nothing printed or written; all targets exit with status 0" : :
# The target's name, however wide its column is; a word that has it as a part.
compared 0 "the same" 'echo "serial  | serial"; echo 1 cuda' 'echo "emulate | emulate"; echo 1 cuda'
compared 1 "different lines" 'echo serials' 'echo emulates'

# The first line that differs, as it was printed; numbers that are equal in another notation.
compared 1 "    serial:   line 2: 1.0" 'echo a; echo 1.0; echo 2' 'echo a; echo 1; echo 3'
said "compare: serial and emulate print different lines"
said "    emulate:  line 2: 1"
said_not "line 3"
said "a variable at block scope that should be a PRIVATE"
said "b/c has what each of them printed and wrote"
compared 1 "    serial:   ends after line 1" 'echo a' 'echo a; echo b'
said "    emulate:  line 2: b"
compared 1 "    emulate:  ends after line 0" 'echo a' ''
# Exit statuses, with the last words.
compared 1 "compare: serial exits with status 0, emulate with 3" : 'echo why >&2; exit 3'
said "    emulate: why"
# Crashes and hangs, also if all do.
# shellcheck disable=SC2016 # the programs'
for other in 'echo a' 'kill -SEGV $$'; do
    compared 1 "compare: serial crashes: SIGSEGV" 'echo why >&2; kill -SEGV $$' "$other"
    said "    serial: why"
    said_not "the same:"
done
said "compare: emulate crashes: SIGSEGV"
LIMIT=5
export LIMIT
compared 1 "compare: emulate was ended after 5 s (LIMIT=SECONDS allows more)" 'echo a' 'echo a; sleep 1000'
LIMIT=0
compared 0 "the same" 'echo a' 'echo a'
unset LIMIT

# Files: new ones are moved, with their directories, so that the second run finds none; those that
# were there are compared too; hidden files are not.
before() { (cd "$scratch/run" && find . ! -path './b/*' -print | sort); }
tree=$(before)
writes='[ ! -e made ] && mkdir -p "made/a b" .hid && echo serial >"made/a b/serial.txt" && echo $$ >.hid/x'
# shellcheck disable=SC2016 # the programs'
compared 0 "the same: serial, emulate" "$writes" "$(echo "$writes" | sed 's/serial/emulate/g')"
rm -rf "$scratch/run/.hid"
[ "$(before)" = "$tree" ] || fail "files remain: $(before)"
[ "$(cat "$scratch/run/b/c/emulate/files/made/a b/emulate.txt")" = emulate ] || fail "a written file is lost"
compared 1 "compare: serial and emulate write a different made/x.txt" 'mkdir made; echo a >made/x.txt' 'mkdir made; echo b >made/x.txt'
said "    emulate:  line 1: b"
echo old >"$scratch/run/old.txt"
echo old >"$scratch/run/untouched.txt"
compared 1 "write a different old.txt" 'echo a >old.txt' 'echo b >old.txt'
compared 1 "compare: serial writes old.txt, and emulate does not" 'echo a >old.txt' ''
compared 1 "compare: emulate writes new, and serial does not" '' 'echo a >new'
said_not untouched
compared 1 "write a different x: from byte 3 on" 'printf "a\000b" >x' 'printf "a\000c" >x'
compared 1 "write a different x: of 3 and 2 bytes" 'printf "a\000b" >x' 'printf "a\000" >x'
# Arrays, with portable-compare and without.
"$built/serial-exact/gallery" run saxpy --n 9 --dump "$scratch/dump" >/dev/null
array=$(find "$scratch/dump" -name y.npy)
damaged="cp '$array' y.npy; printf '\\101' | dd of=y.npy bs=1 seek=131 conv=notrunc 2>/dev/null"
compared 0 "the same" "cp '$array' y.npy" "cp '$array' y.npy"
compared 1 "write a different y.npy: from byte 132 on" "cp '$array' y.npy" "$damaged"
PORTABLE_COMPARE=$built/serial-exact/portable-compare
export PORTABLE_COMPARE
compared 1 "write a different y.npy: 1 of 9" "cp '$array' y.npy" "$damaged"
said "    [0]: expected"
compared 1 "write a different y.npy: not both are arrays" "cp '$array' y.npy" "echo a >y.npy"

# What may differ is left out: lines, and files by their names.
IGNORE='^time: [0-9.]+ s$|\.log$'
export IGNORE
compared 0 "the same" 'echo "time: 1.5 s"; echo a; echo 1 >x.log' 'echo a; echo "time: 2 s"; echo 2 >y.log'
compared 1 "    emulate:  line 3: b" 'echo "time: 1.5 s"; echo a' 'echo "time: 2 s"; echo "time: 2 s"; echo b'
said "    serial:   line 2: a"
compared 0 "nothing printed or written" 'echo "time: 1.5 s"' 'echo 1 >x.log'
IGNORE='('
compared 2 "IGNORE=(: must be an extended regular expression" : :
unset IGNORE
expect 77 "compare: nothing to compare: this program runs only on emulate here" host/steps/compare.sh \
    --missing "cuda: there is no nvcc" "$scratch/none" emulate=/bin/true
said "compare: not run: cuda: there is no nvcc"

# ------------------------------------------------------------------------------------------------
# make
# ------------------------------------------------------------------------------------------------

# In a project, with the objects of BUILT: make builds again what has other flags.
(cd "$built" && cp -a CACHEDIR.TAG emulate-runtime "$scratch/project/build") || exit 1
printf 'include %s/host/portable.mk\n' "$checkout" >"$scratch/project/Makefile"
# own STATUS TEXT GOAL ARGUMENT...
own() {
    wanted=$1 text=$2
    shift 2
    expect "$wanted" "$text" "$make" -s -C "$scratch/project" CC="$cc" "$@"
}
cat >"$scratch/project/main.h" <<'END'
#include <stdlib.h> /* atoi */
int main(int argc, char **argv)
{
    int host[64], *x;
    FILE *file = NULL;

    PORTABLE_CHECK(portable_malloc(&x, sizeof host));
    PORTABLE_CHECK(portable_memset(x, 0, sizeof host));
    PORTABLE_CHECK(KERNEL_LAUNCH(k, 1, 64, 0, 0, x));
    PORTABLE_CHECK(portable_copy_to_host(host, x, sizeof host));
    PORTABLE_CHECK(portable_free(x));
    printf("%s: %d %d\n", PORTABLE_TARGET_NAME, host[0], host[63]);
    if (argc > 1)
        file = fopen(argv[1], "w");
    if (file) {
        fprintf(file, "%d\n", host[63] + (argc > 2) * (PORTABLE_TARGET_NAME[0] == 'e'));
        fclose(file);
    }
    return argc > 3 && PORTABLE_TARGET_NAME[0] == 'e' ? atoi(argv[3]) : 0;
}
END
# kernel NAME BODY: a program with this kernel
kernel() {
    printf '#include "portable.h"\nKERNEL(k)(int *x)\n{\n%s\n}\n#include "main.h"\n' "$2" >"$scratch/project/$1.c"
}
kernel agrees 'FOR_EACH_BLOCK(64)
    FOR_EACH_THREAD
        x[threadIdx.x] = (int)threadIdx.x;'
kernel block_scope 'FOR_EACH_BLOCK(64) {
#ifdef FIXED
    PRIVATE(int, sum);
    FOR_EACH_THREAD
        MINE(sum) = (int)threadIdx.x + 1;
    FOR_EACH_THREAD
        x[threadIdx.x] = MINE(sum);
#else
    int sum = 0;
    FOR_EACH_THREAD
        sum += (int)threadIdx.x + 1;
    FOR_EACH_THREAD
        x[threadIdx.x] = sum;
#endif
    }'
kernel nested 'FOR_EACH_BLOCK(64) {
    FOR_EACH_THREAD {
        FOR_EACH_THREAD
            x[threadIdx.x] += 1;
    }
    }'
kernel barrier 'FOR_EACH_BLOCK(64)
    FOR_EACH_THREAD {
        x[threadIdx.x] = 1;
        SYNC_THREADS();
    }'
sed 's/KERNEL(k)/__global__ void k/; s/FOR_EACH_BLOCK(64)//; s/FOR_EACH_THREAD//' "$scratch/project/agrees.c" \
    >"$scratch/project/cuda.c"

own 0 "compare: all targets print the same: serial, " compare SOURCES=agrees.c ARGS=out.txt
own 2 "serial and emulate write a different out.txt" compare SOURCES=agrees.c ARGS="out.txt 1"
own 2 "compare: serial exits with status 0, emulate with 3" compare SOURCES=agrees.c ARGS="out.txt 1 3"
own 0 "exit with status 0" compare SOURCES=agrees.c ARGS=out.txt IGNORE=": '|^[a-z]+: 0 63$|txt"
[ ! -e "$scratch/project/out.txt" ] || fail "make compare leaves what the program wrote"

# The variable of a block that each thread takes for its own is found by make compare, with which
# make checks ends.
for goal in compare checks; do
    own 2 "    serial:   line 1: serial: 2080 2080" $goal SOURCES=block_scope.c CHECKS=synccheck
    said "    emulate:  line 1: emulate: 1 64"
done
said "synccheck: no divergences in 1 kernel"
own 0 "all targets print the same" checks SOURCES=block_scope.c CHECKS=synccheck CHECK_CFLAGS="-O1 -g -DFIXED"

# Every check refuses what serial does, in the compiler's words; make checks does so once.
for check in $("$make" -s -C "$scratch/project" CC="$cc" print-ALL_CHECKS | sed 's/.*= //'); do
    own 2 "FOR_EACH_THREAD belongs at block scope: inside FOR_EACH_BLOCK" "$check" SOURCES=nested.c
    said "make $check: SOURCES must also compile for serial, unless they are CUDA C (__global__)"
    said_not "$check: no"
done
for goal in checks compare; do
    own 2 "SYNC_THREADS belongs at block scope" $goal SOURCES="agrees.c barrier.c"
    [ "$(grep -c 'must also compile for serial' "$scratch/out")" = 1 ] || fail "make $goal goes on: $(cat "$scratch/out")"
done
# CUDA C need not compile for serial. Then nothing may be left to compare, which make checks forgives.
own 2 "compare: nothing to compare: this program runs only on emulate here" compare SOURCES=cuda.c HAVE_GPU=
said "compare: not run: serial and openmp: they run neither CUDA C nor kernels in C++; cuda: "
own 0 "compare: nothing to compare" checks SOURCES=cuda.c CHECKS=synccheck HAVE_GPU=
said "synccheck: no divergences in 1 kernel"
expect 0 "serial and openmp: they run neither CUDA C" "$make" -n compare SOURCES=tests/cuda/launches.cu HAVE_GPU= CC="$cc"
# C++ has kernels on emulate, and calls those of C files on every target.
if printf 'int main() { return 0; }\n' | "$cc" -x c++ - -lstdc++ -o "$scratch/cxx" 2>/dev/null; then
    printf '#include <vector>\n#define PLUS (int)std::vector<int>(7).size()\n#include "block_scope.c"\n' >"$scratch/project/kernel.cpp"
    own 0 "synccheck: no divergences in 1 kernel" checks SOURCES=kernel.cpp CHECKS=synccheck HAVE_GPU=
    said "compare: nothing to compare"
    said_not warning
    sed '/KERNEL/,/^}/d; s/#include "main.h"/KERNEL(k)(int *x);\n&/' "$scratch/project/agrees.c" >"$scratch/project/host.cpp"
    sed '/main.h/d' "$scratch/project/agrees.c" >"$scratch/project/kernel.c"
    own 0 "all targets print the same: serial, " compare SOURCES="host.cpp kernel.c"
fi

# A GPU, by an nvcc that builds a script.
cat >"$scratch/nvcc" <<'END'
#!/bin/sh
for word; do
    [ "${last:-}" != -o ] || { printf '#!/bin/sh\necho cuda: 0 63\n' >"$word" && chmod +x "$word"; }
    last=$word
done
END
chmod +x "$scratch/nvcc"
own 0 "emulate, cuda" compare SOURCES=agrees.c HAVE_GPU=1 CUDA_ARCH=native NVCC="$scratch/nvcc"
sed 's/= (int)/= 1 + (int)/' "$scratch/project/cuda.c" >"$scratch/project/other.c"
own 2 "compare: emulate and cuda print different lines" compare SOURCES=other.c HAVE_GPU=1 CUDA_ARCH=native NVCC="$scratch/nvcc"
said "    cuda:     line 1: cuda: 0 63"
said_not "PRIVATE"

own 2 "make check does not take SOURCES=" check SOURCES=agrees.c
said "on all targets: make compare SOURCES="
own 2 "LIMIT=1e3: must be a whole number of seconds" compare SOURCES=agrees.c LIMIT=1e3
own 2 "does not take IGNORE=; goals that do: compare checks" run SOURCES=agrees.c IGNORE=a
own 2 "make compare needs SOURCES" compare
own 2 "cannot read absent.c" compare SOURCES=absent.c

echo "$failed failed"
[ $failed = 0 ]
