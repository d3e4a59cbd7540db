#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh GALLERY SCRATCH
# gallery-ranks bench: the messages that it counts are those counted by hand, it writes a table, and
# bad options are refused; the tables and the model's numbers of docs/scaling/scaling.py.
set -u

gallery=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
here=$(dirname "$0")
. "$here/mpi.sh"
. "$here/../cli/expect.sh"
bench=$here/../../host/ranks/bench.sh scaling=$here/../../docs/scaling/scaling.py
results=$scratch/results.tsv

# 20 measurements, all by one start of each number of ranks.
# measure RANKS ARGUMENT...
measure() {
    count=$1
    shift
    expect 0 " $count rank" ranks "$count" "$gallery" bench "$@"
}
options="--repeat 2 --results $results" jacobi="jacobi --n 20 --iterations 4"
# shellcheck disable=SC2086 # options
{
    measure 1 $jacobi $options + summa --n 8 $options
    measure 2 $jacobi $options + $jacobi --weak $options + cg --n 4 --iterations 2 $options + nbody --n 128 $options \
        + scan --n 131072 $options + summa --n 8 $options + pingpong $options
    measure 3 $jacobi $options
}
# counts RANKS CASE SCALING MESSAGES BYTES EXCHANGES SUMS COLLECTIVES, in an iteration of the rank
# that has the most
counts() {
    awk -F'\t' -v expected="$*" '
        NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        expected == $at["ranks"] " " $at["case"] " " $at["scaling"] " " $at["messages"] " " $at["bytes"] " " \
            $at["exchanges"] " " $at["sums"] " " $at["collectives"] { found = 1 }
        END { exit !found }' "$results" || fail "no row of $* in: $(cat "$results")"
}

# 20 rows in slabs of 10: two messages of 20 numbers. The exact sum sends as many numbers as the
# parts have nodes: [0, 10) has 8 + 2, [10, 20) has 2 + 4 + 4.
counts 1 jacobi strong 0 0 1 1 0
counts 2 jacobi strong 3 $((2 * 20 * 4 + 3 * 4)) 1 1 0
# Twice the points: 28 rows in slabs of 14, of 8 + 4 + 2 and 2 + 8 + 4.
counts 2 jacobi weak 3 $((2 * 28 * 4 + 3 * 4)) 1 1 0
# Three slabs of 7, 7 and 6: the second one, [7, 14), has 1 + 4 + 2, the first one 4 + 2 + 1.
counts 3 jacobi strong 3 $((2 * 20 * 4 + 3 * 4)) 1 1 0
# 16 rows in parts of 8, 4 ghosts, one node each.
counts 2 cg strong 3 $((4 * 4 + 2 * 4)) 1 2 0
# Two blocks of 64 bodies: each goes to the other rank.
counts 2 nbody strong 1 $((64 * 4 * 4)) 1 0 0
# The sum of a group for each rank, and 256 counts.
counts 2 scan strong 2 $((4 + 256 * 4)) 0 0 2
# Two panels of 4 columns on a row of two ranks: each sends its 8 x 4 numbers of A to the other.
# Those of B are on the rank already.
counts 2 summa strong 1 $((8 * 4 * 4)) 4 0 0
counts 1 summa strong 0 0 2 0 0
# The root alone sends; the rank with the most counts.
counts 2 broadcast none 1 1024 0 0 1
# A table of 20 rows; the share is the mean over the ranks, and the seconds are the slowest rank's.
awk -F'\t' '
    NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; columns = NF; next }
    function field(name) { return $at[name] }
    function is(condition, what) { if (!condition) { print NR ": not " what ": " $0; failed = 1 } }
    {
        is(NF == columns, columns " fields")
        for (k = 1; k <= NF; k++) is($k != "", "all fields")
        is(0 < field("seconds_minimum") && field("seconds_minimum") <= field("seconds") &&
            field("seconds") <= field("seconds_maximum"), "in order")
        each = field("seconds_per_iteration") * field("iterations") / field("seconds")
        is(0.9999 < each && each < 1.0001, "the seconds of an iteration")
        is(0 <= field("communication_share") && field("communication_share") <= 1, "a share")
        calls = field("exchanges") + field("sums") * (field("ranks") > 1) + field("collectives")
        is((field("communication_seconds") > 0) == (calls > 0), "communication")
        exchanges += field("case") == "exchange"
    }
    END { is(NR == 21, "20 rows"); is(exchanges == 8, "8 sizes of exchanges"); exit failed }' "$results" ||
    fail "the table is not as it should be"

expect 2 "--n takes an integer from 1 to 1073741824, not 0" ranks 1 "$gallery" bench --n 0
expect 2 "--iterations takes an integer from 1 to 1000000, not 0" ranks 1 "$gallery" bench jacobi --iterations 0
expect 2 "--repeat takes an integer from 1 to 1000, not none" ranks 1 "$gallery" bench jacobi --repeat none
expect 2 "bench takes no --dump" ranks 1 "$gallery" bench --dump "$scratch"
for option in "--n 9" "--iterations 9" --weak; do
    # shellcheck disable=SC2086
    expect 2 "pingpong takes no ${option% 9}" ranks 1 "$gallery" bench pingpong $option
done
expect 2 "run takes no --weak" ranks 1 "$gallery" run --weak
expect 2 "there is no case pingpong" ranks 1 "$gallery" run pingpong
expect 2 "none/x.tsv: cannot write" ranks 1 "$gallery" bench scan --n 9 --repeat 1 --results "$scratch/none/x.tsv"
expect 2 "--n 1073741824 is too large for 2 ranks with --weak" ranks 2 "$gallery" bench scan --n 1073741824 --weak
expect 2 "cg: it ended after 0 of 4 measurements, as it has converged" ranks 1 "$gallery" bench cg --n 1 --iterations 20 --repeat 3

expect 0 "cg  " ranks 1 "$gallery" bench

# The script of make bench-ranks: rows of a second run are used instead of those of the first.
expect 2 "RANKS=1 two: must be numbers of ranks" "$bench" serial "$gallery" "$scratch/x.tsv" "1 two"
expect 2 "RANKS=: must be numbers of ranks" "$bench" serial "$gallery" "$scratch/x.tsv" ""
expect 2 "usage: bench.sh TARGET " "$bench"
expect 2 "there is no case waves" "$bench" serial "$gallery" "$scratch/x.tsv" 1 waves
expect 2 "there is no case pingpong" "$bench" serial "$gallery" "$scratch/x.tsv" 1 pingpong:9
for run in 1 2; do
    expect 0 "jacobi" env MPIEXEC="$MPIEXEC" REPEATS=1 "$bench" serial "$gallery" "$scratch/table.tsv" "1 2" jacobi:40
done
[ "$(wc -l <"$scratch/table.tsv")" = 11 ] || fail "not ten rows: $(cat "$scratch/table.tsv")"
mkdir "$scratch/bin"
for tool in sh nproc mkdir dirname; do
    ln -s "$(command -v $tool)" "$scratch/bin"
done
expect 0 "the results are in $scratch/x.tsv; its tables and plots need python3" \
    env MPIEXEC=: PATH="$scratch/bin" "$bench" serial "$gallery" "$scratch/x.tsv" 1 jacobi

if ! command -v python3 >/dev/null; then
    echo "# LEFT OUT the tables and the model of scaling.py: there is no python3"
else
    # rows TEXT...: whether the last output has these rows, but for the width of their columns
    rows() {
        tr -s ' ' <"$scratch/out" >"$scratch/rows"
        for row; do
            grep -qF -- "$row" "$scratch/rows" || fail "no row \"$row\" in: $(cat "$scratch/out")"
        done
    }
    expect 0 "serial by mpi, strong scaling: one problem" "$scaling" "$scratch/table.tsv"
    said "serial by mpi, weak scaling: work in proportion to the ranks"
    [ "$(grep -c '^jacobi  *57  *2[ *] .*%  *3  *4[0-9][0-9]$' "$scratch/out")" = 1 ] ||
        fail "not one row of two ranks in: $(cat "$scratch/out")"
    expect 0 "serial by mpi: 2 ranks are " cat "$scratch/strong-serial-mpi.svg"
    said ">jacobi, n = 40<"
    said "@media (prefers-color-scheme: dark)"
    expect 0 "serial by mpi: 2 ranks at " cat "$scratch/weak-serial-mpi.svg"
    expect 0 "" python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$scratch/weak-serial-mpi.svg"

    # Each case takes a second on one rank. A message of 8 bytes takes 1 ms, as do a broadcast and a
    # sum; one of 16 MiB, 2.048 s more, so that of 8192 bytes takes 2 ms, and one of 18,432 bytes
    # 3.25. jacobi: half a second, its halo, a sum. cg: two sums of 28.5 numbers of each rank, at
    # 16.4 ns. nbody: an exchange of 8192 bytes, half of it in each of 2 turns. scan: two
    # collectives, and 16 sums that are not divided. summa: two steps, in each a panel of 96 x 48
    # numbers.
    cp "$here/model.tsv" "$scratch"
    expect 0 "latency of an exchange      1000.00 us    measured, 2 ranks" "$scaling" "$scratch/model.tsv" serial mpi
    said_not nccl
    rows "jacobi strong 1024 2 503000.0 - - 99.4%" "cg strong 1024 2 504001.9 - - 99.2%" \
        "nbody strong 1024 2 502000.0 - - 99.6%" "scan strong 1048576 2 502007.6 - - 99.6%" \
        "summa strong 96 2 506500.0 - - 98.7%" "jacobi weak 2048 4 1005000.1 - - 99.5%"
    # 64 ranks on 32 cores: a thirty-second of a second, 6 steps of a sum of 64 numbers.
    rows "jacobi strong 1024 64* 39251.0 40000.0 1.02 66.1%" "jacobi strong efficiency below 50% from 128 ranks on" \
        "jacobi 1024 64* 40000.0 2.621e+07 points/s 25.00 39% 25.0% 3 8196"
    # With NCCL the halo moves at the same time. The time of one rank is that of the other
    # transport.
    expect 0 "latency of an exchange        10.00 us    assumed" "$scaling" "$scratch/model.tsv" serial nccl
    rows "jacobi strong 1024 2 500000.0 500000.0 1.00 100.0%" "jacobi 1024 2 500000.0 2.097e+06 points/s 2.00 100%"
    # 8192 bytes at 4.096 MB/s and a sum of 0.1 s.
    expect 0 " 100000.00 us    given" \
        env LATENCY=1e-3 BANDWIDTH=4096000 SUM_LATENCY=.1 "$scaling" "$scratch/model.tsv" serial mpi
    rows "jacobi strong 1024 2 603000.0 - - 82.9%"

    expect 2 "usage: scaling.py " "$scaling"
    expect 2 "none.tsv: cannot read" "$scaling" "$scratch/none.tsv"
    expect 2 "LATENCY=1 us: must be a positive number" env LATENCY="1 us" "$scaling" "$scratch/model.tsv"
    expect 2 "model.tsv has no results of cuda" "$scaling" "$scratch/model.tsv" cuda
    : >"$scratch/empty.tsv"
    expect 2 "empty.tsv has no results" "$scaling" "$scratch/empty.tsv"
    # wrong SED-SCRIPT TEXT: the model's table after a planted mistake
    wrong() {
        sed "$1" "$here/model.tsv" >"$scratch/wrong.tsv"
        expect 2 "wrong.tsv$2" "$scaling" "$scratch/wrong.tsv"
    }
    wrong '1s/rate/speed/' ": not from gallery-ranks bench --results: it has no column 'rate'"
    wrong '3s/\t[^\t]*$//' ":3: not a row of gallery-ranks bench --results: it has not one field for each column"
    wrong '3s/$/\t1/' ":3: not a row of gallery-ranks bench --results: it has not one field for each column"
    wrong '4s/jacobi/waves/' ":4: not a row of gallery-ranks bench --results: there is no case waves with scaling strong"
    wrong '4s/mpi/\.\.\/mpi/' ":4: not a row of gallery-ranks bench --results: there is no target serial with transport ../mpi"
    wrong '4s/\t64\t/\t0\t/' ":4: not a row of gallery-ranks bench --results: 0 is not above 0 and below 1e30"
    wrong '4s/\t3\t/\tnan\t/' ":4: not a row of gallery-ranks bench --results: nan is not at least 0 and below 1e30"
    wrong '4s/\t3\t/\tthree\t/' ":4: not a row of gallery-ranks bench --results: could not convert string to float: 'three'"
    # The model leaves out cases that it cannot start from.
    sed '6s/\t1\t1\t/\t2\t2\t/' "$here/model.tsv" >"$scratch/two.tsv"
    expect 0 "cg       strong  left out: there is no strong scaling on one rank" "$scaling" "$scratch/two.tsv" serial mpi
    said_not nan
    sed '2s/\t1024\t1024\t/\t32\t32\t/' "$here/model.tsv" >"$scratch/slow.tsv"
    expect 0 "jacobi   strong  left out: n = 32 takes as long as n = 1024" "$scaling" "$scratch/slow.tsv" serial mpi
fi

unset MAKEFLAGS MAKELEVEL MFLAGS
expect 2 "Programs for many ranks cannot be built here: there is no MPI" \
    make -s -C "$here/../.." bench-ranks MPI_LIBS=" " BUILD="$(cd "$scratch" && pwd)/build"

echo "$failed failed"
[ $failed = 0 ]
