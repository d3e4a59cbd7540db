#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAMS SCRATCH
# The gallery and portable-compare as a user meets them: bad input ends with one sentence and exit
# status 2, results that differ with exit status 1, and the check can fail.
set -u

gallery=$1/gallery compare=$1/portable-compare scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
. "$(dirname "$0")/expect.sh"

expect 0 "csr_spmv" "$gallery" list
expect 0 "target: serial" "$gallery" info
expect 0 "usage:" "$gallery" --help
[ "$(awk 'length > 80' "$scratch/out")" = "" ] || fail "lines of the usage are longer than 80 characters"
said "       gallery run CASE [--n N] [--block X[xY[xZ]]] [--seed S] [--input FILE]"
said "[--note \"KEY: VALUE\"]..."
said "       gallery demo DATA_DIR [--dump DIR] [--against TARGET=DIR]"
expect 2 "usage:" "$gallery"
expect 2 "usage:" "$gallery" frobnicate
expect 2 "no case nothing" "$gallery" run nothing
expect 2 "no case nothing" "$gallery" check nothing
expect 2 "--n takes" "$gallery" run saxpy --n -1
expect 2 "--n takes" "$gallery" run saxpy --n 1e3
expect 2 "--n takes" "$gallery" run saxpy --n 99999999999999999999
expect 2 "--block takes" "$gallery" run saxpy --block 0
expect 2 "--block takes" "$gallery" run saxpy --block 8x8x8x8
expect 2 "1025" "$gallery" run saxpy --block 1025
expect 2 "2048 threads" "$gallery" run matmul_naive --n 10 --block 1024x2
said "case matmul_naive, n = 10, block 1024x2, serial: invalid launch"
expect 2 "needs a value" "$gallery" run saxpy --n
expect 2 "run takes no --m" "$gallery" run saxpy --m 3
expect 2 "takes no --input" "$gallery" run saxpy --input x.mtx
expect 2 "larger --n" "$gallery" run statistics --n 0
expect 2 "$scratch/absent.mtx" "$gallery" run csr_spmv --input "$scratch/absent.mtx"
expect 2 "directory" "$gallery" run csr_spmv --input "$scratch"
: >"$scratch/empty.mtx"
expect 2 "empty.mtx" "$gallery" run csr_spmv --input "$scratch/empty.mtx"
if "$gallery" info | grep -q '^precision: single'; then
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '2 2 1' '1 1 1e39' >"$scratch/large.mtx"
    expect 2 "large.mtx: the value 1e+39 exceeds the range of float" "$gallery" check csr_spmv --input "$scratch/large.mtx"
fi
printf '%s\n' '%%MatrixMarket matrix coordinate real general' '2 2 1' '3 1 1.0' >"$scratch/row.mtx"
expect 2 "row.mtx" "$gallery" run csr_spmv --input "$scratch/row.mtx"
expect 2 "FOR_EACH_BLOCK(32, 0, 1)" "$gallery" run transpose_tiled --n 5 --block 8x8

# The benchmark: a table, a file, and mutually exclusive options.
expect 2 "--repeats takes" "$gallery" bench saxpy --repeats 0
expect 2 "--n takes" "$gallery" bench saxpy --n 1.5
expect 2 "--budget takes" "$gallery" bench saxpy --budget -1
expect 2 "--results needs a value" "$gallery" bench saxpy --results
expect 2 "excludes --n and --input" "$gallery" bench saxpy --sweep --n 10
expect 2 "excludes --n and --input" "$gallery" bench csr_spmv --sweep --input x.mtx
expect 2 "counts no accesses: see make counts" "$gallery" counts saxpy
expect 2 "no case nothing" "$gallery" bench saxpy nothing
expect 2 "needs a multiple of 32" "$gallery" bench copy_strided --n 33
expect 2 "cannot write" "$gallery" bench saxpy --n 10 --repeats 1 --results "$scratch/absent/x.tsv"
expect 2 "it is a directory" "$gallery" bench saxpy --n 10 --repeats 1 --results "$scratch"
expect 0 "saxpy                          10 " "$gallery" bench saxpy --n 10 --repeats 3 \
    --results "$scratch/bench.tsv" --note "commit: none"
expect 0 "serial	vector	saxpy	saxpy	10	3	" cat "$scratch/bench.tsv"
said "# commit: none"
said "# complete: yes"
awk -F '\t' '!/^#/ && NF != 27' "$scratch/bench.tsv" | grep . && fail "lines with another number of fields"
# Progress is for a terminal, and the last of it is erased; elsewhere there is none.
expect 0 "" "$gallery" bench saxpy --n 10 --repeats 1
said_not "of 1 cases"
if script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "$gallery bench saxpy square --n 10 --repeats 1 >$scratch/log" "$scratch/typescript" >/dev/null 2>&1 </dev/null
    expect 0 "0 of 2 cases: saxpy, n = 10" cat "$scratch/typescript"
    said "1 of 2 cases: square, n = 10"
    erased=$(tr -d '\r\n' <"$scratch/typescript" | sed "s/.*$(printf '\033')\[K//; s/Script done.*//")
    [ -z "$erased" ] || fail "the progress line remains: $erased"
else
    echo "# LEFT OUT the progress line: there is no script(1), or no pseudo-terminal"
fi
# A run that is killed leaves the cases that it has measured; the next one reports that.
"$gallery" bench --repeats 1 --results "$scratch/killed.tsv" >"$scratch/log" 2>&1 &
killed=$!
while kill -0 "$killed" 2>/dev/null && [ ! -s "$scratch/killed.tsv" ]; do
    sleep 0.1
done
kill "$killed"
wait "$killed" 2>/dev/null || true
expect 0 "# complete: no" cat "$scratch/killed.tsv"
said "serial	"
expect 0 "a run that was interrupted" "$gallery" bench saxpy --n 10 --repeats 1 --results "$scratch/killed.tsv"
expect 0 "# complete: yes" cat "$scratch/killed.tsv"
expect 0 "saxpy" "$gallery" bench saxpy --sweep --repeats 1 --results "$scratch/sweep.tsv"
expect 0 "	saxpy	saxpy	1	" cat "$scratch/sweep.tsv"
said "	saxpy	saxpy	8192	"
mkdir -p "$scratch/same/a" "$scratch/same/b"
cp tests/data/img/camera.pgm "$scratch/same/a" && cp tests/data/img/camera.pgm "$scratch/same/b"
expect 2 "have one name" "$gallery" check blur --inputs "$scratch/same"
# result TARGET CASE SECONDS PLAIN SHARE [PROBLEM]: a line of a results file
result() {
    mkdir -p "$scratch/machines"
    file=$scratch/machines/$1.tsv
    [ -s "$file" ] || printf 'target\tcase\tproblem\tn\tbytes\tflops\tshare_of_limit\tseconds\tplain_seconds\n' >"$file"
    printf '%s\t%s\t%s\t100\t400\t100\t%s\t%s\t%s\n' "$1" "$2" "${6:-sum}" "$5" "$3" "$4" >>"$file"
}
# The shortest times are 1 s, the roofline's, and 2 s, a library's. sum_tree reaches 1/2 and 1/4 of
# them, 1/3 in the harmonic mean; sum_wide 1/8 and 1/2, so 1/5.
result serial sum_tree 2 "" 0.5
result serial sum_wide 8 3 ""
expect 0 "" host/bench/portability.sh "$scratch/machines"
said_not "portability"
result cuda sum_tree 8 "" ""
result cuda sum_wide 4 "" ""
result cuda cub:sum 2 "" ""
expect 0 "sum_tree                     50%  the roofline" host/bench/portability.sh "$scratch/machines"
said "25%  cub:sum                          33%"
said_not "sum_wide"
# Another problem of the family, with the same size, bytes and operations, has a separate row.
result serial largest 1 "" "" maximum
result cuda largest 1 "" "" maximum
expect 0 "sum                sum_tree                     50%  the roofline" host/bench/portability.sh "$scratch/machines"
said "maximum            largest                     100%"
if command -v gnuplot >/dev/null; then
    mkdir -p "$scratch/plots" && cp "$scratch/sweep.tsv" "$scratch/plots/serial.tsv"
    expect 0 "CASE.svg" host/report/plot.sh "$scratch/plots"
    expect 0 "</svg>" cat "$scratch/plots/saxpy.svg"
    said "@media (prefers-color-scheme: dark)"
    # A roofline names the kernels, but not a library that would come first.
    mkdir -p "$scratch/one"
    sed '/	saxpy	saxpy	/ { p; s//	cub:saxpy	saxpy	/; }' "$scratch/bench.tsv" >"$scratch/one/serial.tsv"
    expect 0 "	cub:saxpy	" cat "$scratch/one/serial.tsv"
    expect 0 "a curve needs two sizes" host/report/plot.sh "$scratch/one"
    expect 0 "</svg>" cat "$scratch/one/roofline-serial.svg"
    said "@media (prefers-color-scheme: dark)"
    said ">saxpy<"
    said_not "cub:"
    said_not "/points-"
    mkdir -p "$scratch/empty" "$scratch/zero"
    expect 0 "has no results" host/report/plot.sh "$scratch/empty"
    "$gallery" bench saxpy --n 0 --repeats 1 --results "$scratch/zero/serial.tsv" >"$scratch/log"
    expect 0 "has no results" host/report/plot.sh "$scratch/zero"
else
    echo "# LEFT OUT plots: there is no gnuplot"
fi

# Equal results agree; a changed bit or a missing file does not.
expect 0 "all agree" "$gallery" check saxpy --dump "$scratch/a"
expect 0 "all agree" "$gallery" check saxpy --dump "$scratch/b" --against other="$scratch/a"
expect 0 "" "$compare" "$scratch/a/saxpy/1000-256" "$scratch/b/saxpy/1000-256"
y=$scratch/a/saxpy/1000-256/y.npy
real=4
"$gallery" info | grep -q 'precision: double' && real=8
printf '\001' | dd of="$y" bs=1 seek=$((128 + real * 7 + real - 2)) conv=notrunc 2>/dev/null
expect 1 "y[7] block (0, 0, 0) thread (7, 0, 0)" "$gallery" check saxpy --against other="$scratch/a"
expect 1 "NOT ALL AGREE" "$gallery" check saxpy --against other="$scratch/a"
expect 1 "rounding does not explain this" "$gallery" check saxpy --against other="$scratch/a"
expect 1 "y.npy" "$compare" "$scratch/a/saxpy/1000-256" "$scratch/b/saxpy/1000-256"
rm "$y"
expect 2 "y.npy" "$gallery" check saxpy --against other="$scratch/a"

# A record: equal results agree; a changed bit does not; missing and surplus parts are reported.
golden=$scratch/golden
expect 0 "runs, " "$gallery" record "$golden" --note "commit: none"
record=$(ls -d "$golden"/*/*)
expect 0 "commit: none" cat "$record/manifest.txt"
expect 0 "run: saxpy n=1000 block=256 y[" cat "$record/manifest.txt"
expect 0 "all agree" "$gallery" check --golden "$golden"
expect 0 "12 runs, all agree" "$gallery" check saxpy --golden "$golden"
y=$record/saxpy/y.npy
cp "$y" "$scratch/y.npy"
printf '\001' | dd of="$y" bs=1 seek=$((128 + real * 200)) conv=notrunc 2>/dev/null
expect 1 "elements of y differ" "$gallery" check saxpy --golden "$golden"
expect 1 "y[6] block (0, 0, 0) thread (6, 0, 0)" "$gallery" check saxpy --golden "$golden"
expect 1 "NOT ALL AGREE" "$gallery" check --golden "$golden"
rm "$y"
expect 2 "saxpy/y.npy" "$gallery" check saxpy --golden "$golden"
expect 2 "NOT ALL AGREE" "$gallery" check saxpy --golden "$golden"
cp "$scratch/y.npy" "$y"
cp "$y" "$record/saxpy/w.npy"
expect 2 "w.npy: case saxpy has no such output" "$gallery" check saxpy --golden "$golden"
rm "$record/saxpy/w.npy"
cp "$record/sum_tree/total.npy" "$y"
expect 2 "saxpy/y.npy: ends before" "$gallery" check saxpy --golden "$golden"
cp "$record/blur/blurred.npy" "$y"
expect 2 "saxpy/y.npy: holds uint8" "$gallery" check saxpy --golden "$golden"
cp "$scratch/y.npy" "$y"
mkdir "$record/nothing"
expect 2 "nothing: manifest.txt does not name it" "$gallery" check saxpy --golden "$golden"
rmdir "$record/nothing"
cp "$record/manifest.txt" "$scratch/manifest.txt"
sed '/^run: saxpy n=1000/d' "$scratch/manifest.txt" >"$record/manifest.txt"
expect 2 "the runs of manifest.txt use" "$gallery" check saxpy --golden "$golden"
sed "/^[a-z]*: saxpy[_a-z0-9]* /d" "$scratch/manifest.txt" >"$record/manifest.txt"
rm -rf "$scratch/kept" && mkdir "$scratch/kept" && mv "$record"/saxpy* "$scratch/kept"
expect 0 "saxpy                  was not recorded" "$gallery" check saxpy vector_add --golden "$golden"
mv "$scratch"/kept/* "$record"
sed 's/^case: saxpy /case: gone /; s/^run: saxpy /run: gone /' "$scratch/manifest.txt" >"$record/manifest.txt"
mv "$record/saxpy" "$record/gone"
expect 2 "this gallery has no case gone" "$gallery" check --golden "$golden"
rm "$record/manifest.txt"
expect 2 "manifest.txt" "$gallery" check --golden "$golden"
expect 0 "runs, " "$gallery" record "$golden"
expect 0 "all agree" "$gallery" check --golden "$golden"
: >"$record/notes"
expect 2 "belongs to no record, and gallery record replaces nothing else" "$gallery" record "$golden"
expect 2 "holds no record" "$gallery" check --golden "$scratch/absent"
expect 2 "excludes" "$gallery" check --golden "$golden" --every
expect 2 "--quick excludes" "$gallery" check --golden "$golden" --quick
# Of seven sizes and four blocks, the largest size with one block.
expect 0 "serial: 25 runs, all agree" "$gallery" check saxpy --quick
expect 2 "--note takes" "$gallery" record "$golden" --note nothing
expect 2 "record takes the directory" "$gallery" record

# The digits that single precision loses.
expect 0 " cases" "$gallery" dump "$scratch/dump"
case ${record##*/} in
single) expect 2 "it is not of double precision" "$gallery" accuracy "$scratch/dump" "$scratch/dump" ;;
double) expect 2 "it is not of single precision" "$gallery" accuracy "$scratch/dump" "$scratch/dump" ;;
esac
expect 2 "two directories" "$gallery" accuracy "$scratch/dump"
for precision in single double; do
    rm -rf "$scratch/as-$precision"
    cp -r "$scratch/dump" "$scratch/as-$precision"
    sed "s/^precision: .*/precision: $precision/" "$scratch/dump/manifest.txt" \
        >"$scratch/as-$precision/manifest.txt"
done
expect 0 "transpose_naive" "$gallery" accuracy "$scratch/as-single" "$scratch/as-double"
rm "$scratch/as-double/saxpy/y.npy"
expect 2 "as-double/saxpy/y.npy" "$gallery" accuracy "$scratch/as-single" "$scratch/as-double"

# A full disk leaves no partial file.
expect 2 "" "$gallery" run saxpy --n 10 --dump /dev/null/there
expect 0 "ok" "$gallery" run blur --input tests/data/img/camera.pgm --dump "$scratch/blur"
for file in blurred.npy blurred.pgm manifest.txt; do
    [ -s "$scratch/blur/$file" ] || {
        echo "--dump did not leave $file"
        failed=$((failed + 1))
    }
done

# make run builds a user's files in any directory.
mkdir -p "$scratch/elsewhere"
cp tests/cli/program.c "$scratch/elsewhere/program.c"
make=${MAKE:-make}
expect 0 "84" "$make" -s run SOURCES="$scratch/elsewhere/program.c" ARGS="1 42" BUILD="$scratch/build"
expect 2 "1 to 16 numbers" "$make" -s run SOURCES="$scratch/elsewhere/program.c" BUILD="$scratch/build"
expect 2 "needs SOURCES" "$make" -s run BUILD="$scratch/build"
expect 2 "cannot read absent.c" "$make" -s run SOURCES=absent.c BUILD="$scratch/build"
expect 2 "TARGET=gpu: must be one of" "$make" -s run SOURCES=tests/cli/program.c TARGET=gpu
expect 2 "MATH=sloppy: must be one of" "$make" -s serial MATH=sloppy
expect 2 "there is no nvcc" "$make" -s cuda NVCC= BUILD="$scratch/build"
expect 2 "there is no nvcc" "$make" -s run TARGET=cuda NVCC= SOURCES=tests/cli/program.c
expect 2 "there is no nvcc" "$make" -s bench TARGET=cuda NVCC= BUILD="$scratch/build"
expect 2 "not found: nvcc" "$make" -s bench TARGET=cuda PEERS=1 NVCC= BUILD="$scratch/build"
expect 2 "does not take N=; goals that do: bench counts" "$make" -s growth N=5 CASES=saxpy
expect 2 "libraries for the GPU" "$make" -s bench PEERS=1 BUILD="$scratch/build"
expect 2 "make record needs a GPU: there is no nvcc" "$make" -s record NVCC= GOLDEN="$scratch/none"
expect 0 "make demo" "$make" help
expect 0 "CFLAGS = -Os" "$make" print-CFLAGS CFLAGS=-Os

echo "$failed failed"
[ $failed = 0 ]
