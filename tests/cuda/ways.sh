#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ways.sh PORTABLE_NVCC SCRATCH DIRECTORY...
#
# Compares the output of whole programs in every way in which portable-nvcc runs kernels: each thread
# on a stack (g++ -O0), in a loop (g++ -O2), and split into loops that clang++ -O3 vectorises, the last
# two on 1, 2 and 7 OS threads. The programs are those that programs.sh finds in the DIRECTORIES,
# copies of public code: their Makefiles build there, and a script `run` may give arguments. Lines with
# times do not count, nor which thread of a block made an invalid access. time() is the same in all
# runs, as it seeds random numbers; a program whose output still differs from run to run on stacks
# alone is left out.
#
# Prints a table, a part of each difference, and how many kernels clang++ split, or did not, for each
# reason. A program that fails everywhere with the same words is counted twice, in the column `failed`
# too. All outputs are in SCRATCH/WAY/NAME, and the reason for each kernel in SCRATCH/kernels.
#
# Environment: JOBS (2), LIMIT (120), the seconds of a run; WAYS ("split loop") to compare with stacks;
# NVCC_APPEND_FLAGS, as the libraries that programs without a Makefile need: -lcurand -lcuda.
#
# Exit status: 0 if no output differs; 1 if one does; 2 for wrong usage, or if no program was built.
set -u

error() { echo "ways.sh: $*" >&2 && exit 2; }
[ $# -ge 3 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
here=$(realpath "$(dirname "$0")") portable=$1
[ -x "$portable" ] || error "$portable is not there: make portable-nvcc builds it"
mkdir -p "$2" && scratch=$(realpath "$2") || exit 2
shift 2
directories=("$@") ways=${WAYS:-split loop} bad=0
for directory; do
    [ -d "$directory" ] || error "$directory is not a directory"
    find "$directory" -name '*.cu' | grep -q . || error "$directory has no .cu file"
done
doubled=$(for directory; do basename "$(realpath "$directory")"; done | sort | uniq -d)
[ -z "$doubled" ] || error "two directories have the name $doubled, under which their outputs would be"

# way NAME THREADS OPTION...: builds and runs all programs
way() {
    local name=$1 threads=$2
    shift 2
    echo "# $name: portable-nvcc $*" >&2
    CHECK="" THREADS=$threads NVCC_APPEND_FLAGS="$* ${NVCC_APPEND_FLAGS:-}" PORTABLE_REPORT=1 PRELOAD=$scratch/time.so \
        "$here/programs.sh" "$portable" "$scratch/$name" "${directories[@]}" >&2 || exit
}
status() { tail -n 1 "$1"; }
# over OUTPUT...: whether one of them was over the limit, after which more OS threads are not tried
over() {
    local one
    for one; do
        [ -e "$one" ] && [ "$(status "$one")" = "exit status 124" ] && return
    done
    return 1
}
# What it said; clang's __FILE__ has ./ before the name of a header, and g++'s has not.
said() {
    sed -f "$here/untimed.sed" -e "s,$scratch/[a-z]*/,,g" -e 's/ (PORTABLE_SPLIT=0 [^)]*)//' \
        -e 's,\(^\|[ (]\)\./,\1,g' \
        -e 's/\(invalid access in block ([0-9, ]*)\), thread ([0-9, ]*)/\1/' "$1"
}
# same OUTPUT OUTPUT
same() { cmp -s <(said "$1") <(said "$2"); }
# compare NAME THREADS: a line of the table
compare() {
    local reference other program same=0 failed=0 differs=0 varies=0 over=0 unbuilt=0
    while read -r program; do
        reference=$scratch/stacks/$program.1.said other=$scratch/$1/$program.$2.said
        if over "$reference" "$scratch/$1/$program".{1,2,7}.said; then over=$((over + 1))
        elif [ ! -e "$other" ]; then
            unbuilt=$((unbuilt + 1))
            echo "$1, OS threads: $2: $program is not built"
        elif same "$reference" "$other"; then
            same=$((same + 1))
            [ "$(status "$other")" = "exit status 0" ] || failed=$((failed + 1))
        elif ! same "$reference" "$scratch/stacks/$program.2.said"; then varies=$((varies + 1))
        else
            differs=$((differs + 1)) bad=1
            echo "$1, OS threads: $2: $program"
            diff <(said "$reference") <(said "$other") | head -n 8
        fi >>"$scratch/differences"
    done <"$scratch/programs"
    printf '| %s | %s | %d | %d | %d | %d | %d | %d |\n' "$1" "$2" $same $failed $differs $varies $over $unbuilt
}

echo 'long time(long *t) { return t ? *t = 7 : 7; }' >"$scratch/time.c"
gcc -shared -fPIC "$scratch/time.c" -o "$scratch/time.so" || exit 2
for name in $ways stacks; do
    case $name in
    loop) way loop "1 2 7" -ccbin g++ -O2 ;;
    split) way split "1 2 7" -ccbin clang++ -O3 ;;
    stacks) way stacks "1 2" -ccbin g++ -O0 ;;
    *) error "$name is no way to run kernels: loop and split are" ;;
    esac
done
(cd "$scratch/stacks" && find . -name '*.1.said' | sed 's,^\./,,; s,\.1\.said$,,' | sort) >"$scratch/programs"
[ -s "$scratch/programs" ] || error "no program was built: $scratch/stacks has what the compiler said"
: >"$scratch/differences"
echo '| way | OS threads | same output | of these failed | differs | differs from run to run | over the limit | not built |'
echo '|---|---|---|---|---|---|---|---|'
for name in $ways; do
    for threads in 1 2 7; do compare "$name" $threads; done
done
cat "$scratch/differences"
# A kernel in a header is compiled for several programs, and counted once for each.
(cd "$scratch" && find split -name '*.built' | while read -r built; do
    sed -nE 's/^(.*: )?kernel (.*): ([0-9]+ loops?|no loops: .*)$/\3\t\2/p' "$built" |
        sed -E 's/^[0-9]+ loops?\t/split\t/; s/^no loops: //; s/, [^ ,]*:[0-9]+\t/\t/' |
        sed "s,\$,\t${built#split/},; s/\.built\$//"
done) >"$scratch/kernels"
cut -f 1 "$scratch/kernels" | LC_ALL=C sort | uniq -c | LC_ALL=C sort -k1,1nr -k2
exit $bad
