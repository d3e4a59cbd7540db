#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh GALLERY SCRATCH
# gallery-ranks bench: the messages that it counts are those counted by hand, its file is JSON, and
# bad options are refused; the tables of make bench-ranks.
set -u

gallery=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
here=$(dirname "$0")
. "$here/mpi.sh"
. "$here/../cli/expect.sh"
scripts=$here/../../host/ranks

# 20 measurements, all by one start of each number of ranks.
# measure RANKS ARGUMENT...
measure() {
    count=$1
    shift
    expect 0 " $count rank" ranks "$count" "$gallery" bench "$@"
}
json="--repeat 2 --json $scratch/all.jsonl" jacobi="jacobi --n 20 --iterations 4"
# shellcheck disable=SC2086 # options
{
    measure 1 $jacobi $json + summa --n 8 $json
    measure 2 $jacobi $json + $jacobi --weak $json + cg --n 4 --iterations 2 $json + nbody --n 128 $json \
        + scan --n 131072 $json + summa --n 8 $json + pingpong $json
    measure 3 $jacobi $json
}
# counts RANKS CASE SCALING MESSAGES BYTES EXCHANGES SUMS COLLECTIVES, in an iteration of the rank
# that has the most
counts() {
    grep "\"case\": \"$2\", \"scaling\": \"$3\", .*\"ranks\": $1," "$scratch/all.jsonl" >"$scratch/line"
    grep -qF "\"messages\": $4, \"bytes\": $5, \"exchanges\": $6, \"sums\": $7, \"collectives\": $8}" "$scratch/line" ||
        fail "$2 on $1 ranks: expected messages, bytes, exchanges, sums, collectives $4 $5 $6 $7 $8: $(cat "$scratch/line")"
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
[ "$(grep -c '"case": "exchange"' "$scratch/all.jsonl")" = 8 ] || fail "not eight sizes: $(cat "$scratch/all.jsonl")"
if command -v python3 >/dev/null; then
    python3 - "$scratch/all.jsonl" <<'END' || fail "the file is not as it should be"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
text = {"case", "scaling", "target", "precision", "transport", "library", "device", "compiler", "unit"}
numbers = {"n", "base_n", "ranks", "ranks_of_machine", "cores", "devices", "iterations", "repeats",
           "seconds_per_iteration", "rate", "communication_seconds", "communication_share",
           "messages", "bytes", "exchanges", "sums", "collectives"}
assert len(lines) == 20, len(lines)
for line in lines:
    assert set(line) == text | numbers | {"seconds"}, line
    assert all(isinstance(line[name], str) and line[name] for name in text), line
    assert all(isinstance(line[name], (int, float)) and line[name] >= 0 for name in numbers), line
    seconds = line["seconds"]
    assert 0 < seconds["minimum"] <= seconds["median"] <= seconds["maximum"], line
    assert abs(line["seconds_per_iteration"] * line["iterations"] / seconds["median"] - 1) < 1e-4, line
    # The mean over the ranks, and the slowest rank's time.
    assert 0 <= line["communication_share"] <= 1, line
    assert (line["communication_seconds"] > 0) == (line["exchanges"] + line["sums"] * (line["ranks"] > 1)
                                                   + line["collectives"] > 0), line
END
else
    echo "# LEFT OUT the syntax of the JSON: there is no python3"
fi

expect 2 "--n takes a number from 1 to 1073741824, not 0" ranks 1 "$gallery" bench --n 0
expect 2 "--iterations takes a number from 1 to 1000000, not 0" ranks 1 "$gallery" bench jacobi --iterations 0
expect 2 "--repeat takes a number from 1 to 1000, not none" ranks 1 "$gallery" bench jacobi --repeat none
expect 2 "no option --dump, or no value for it" ranks 1 "$gallery" bench --dump "$scratch"
for option in "--n 9" "--iterations 9" --weak; do
    # shellcheck disable=SC2086
    expect 2 "pingpong takes no ${option% 9}" ranks 1 "$gallery" bench pingpong $option
done
expect 2 "no option --weak" ranks 1 "$gallery" run --weak
expect 2 "there is no case pingpong" ranks 1 "$gallery" run pingpong
expect 2 "none/x.jsonl: cannot write" ranks 1 "$gallery" bench scan --n 9 --repeat 1 --json "$scratch/none/x.jsonl"
expect 2 "--n 1073741824 is too large for 2 ranks with --weak" ranks 2 "$gallery" bench scan --n 1073741824 --weak
expect 2 "cg: it ended after 0 of 4 measurements, as it has converged" ranks 1 "$gallery" bench cg --n 1 --iterations 20 --repeat 3

expect 0 "cg  " ranks 1 "$gallery" bench

# The scripts of make bench-ranks: a second run replaces the lines of the first.
for run in 1 2; do
    expect 0 "jacobi" env MPIEXEC="$MPIEXEC" REPEATS=1 "$scripts/bench.sh" "$gallery" "$scratch/table.jsonl" "1 2" jacobi:40
done
[ "$(wc -l <"$scratch/table.jsonl")" = 5 ] || fail "not five lines: $(cat "$scratch/table.jsonl")"
expect 0 "serial by mpi, strong scaling: one problem" "$scripts/scaling.sh" "$scratch/table.jsonl"
said "serial by mpi, weak scaling: work in proportion to the ranks"
grep -q '^jacobi  *57  *2[ *] .*%  *3  *4[0-9][0-9]$' "$scratch/out" || fail "no row of two ranks in: $(cat "$scratch/out")"
if command -v gnuplot >/dev/null; then
    expect 0 "serial by mpi: 2 ranks are " cat "$scratch/strong-serial-mpi.svg"
    said ">jacobi, n = 40<"
    said_not "using 1:2"
    said "@media (prefers-color-scheme: dark)"
    expect 0 "serial by mpi: 2 ranks at " cat "$scratch/weak-serial-mpi.svg"
else
    said "no plots were drawn: gnuplot is not installed"
fi
expect 2 "RANKS=1 two: must be numbers of ranks" env MPIEXEC="$MPIEXEC" "$scripts/bench.sh" "$gallery" "$scratch/x.jsonl" "1 two"
expect 2 "RANKS=: must be numbers of ranks" env MPIEXEC="$MPIEXEC" "$scripts/bench.sh" "$gallery" "$scratch/x.jsonl" ""
for script in bench scaling model; do
    expect 2 "usage: $script.sh " "$scripts/$script.sh"
done
expect 2 "none.jsonl: cannot read" "$scripts/scaling.sh" "$scratch/none.jsonl"
expect 2 "none.jsonl: cannot read" "$scripts/model.sh" "$scratch/none.jsonl"
expect 2 "LATENCY=1 us: must be a number" env LATENCY="1 us" "$scripts/model.sh" "$scratch/all.jsonl"
# Lines that are no results, or are cut off.
{ echo no; sed -n '1s/.$//p' "$scratch/all.jsonl"; } >"$scratch/cut.jsonl"
expect 1 "cut.jsonl has no results" "$scripts/scaling.sh" "$scratch/cut.jsonl"
expect 1 "cut.jsonl has no results" "$scripts/model.sh" "$scratch/cut.jsonl"
sed -n '/"ranks": 2,/p' "$scratch/all.jsonl" >"$scratch/two.jsonl"
expect 1 "no strong scaling on one rank" "$scripts/model.sh" "$scratch/two.jsonl"
{ cat "$scratch/two.jsonl" && sed -n '/"case": "jacobi".*"ranks": 1,/p' "$scratch/all.jsonl"; } >"$scratch/mixed.jsonl"
expect 0 "nbody    strong  left out: there is no strong scaling on one rank" "$scripts/model.sh" "$scratch/mixed.jsonl"
said_not nan
expect 1 "all.jsonl has no results of cuda" "$scripts/model.sh" "$scratch/all.jsonl" cuda
expect 2 "there is no case waves" env MPIEXEC="$MPIEXEC" "$scripts/bench.sh" "$gallery" "$scratch/x.jsonl" 1 waves
: >"$scratch/empty.jsonl"
expect 1 "has no results" "$scripts/scaling.sh" "$scratch/empty.jsonl"

# The model: a second for 1024 x 1024 points, on two ranks half of it, 1 ms + 8192 bytes / 8.192
# MB/s for the halo and 1 ms for the sum.
sed -n '/"case": "jacobi", .*"ranks": 1,/{s/"n": 20, "base_n": 20/"n": 1024, "base_n": 1024/;s/"seconds_per_iteration": [^,]*/"seconds_per_iteration": 1/;p;}' \
    "$scratch/all.jsonl" >"$scratch/model.jsonl"
expect 0 "latency of an exchange      1000.00 us    given" \
    env LATENCY=1e-3 BANDWIDTH=8192000 SUM_LATENCY=1e-3 "$scripts/model.sh" "$scratch/model.jsonl"
grep -q '^jacobi  *strong  *1024  *2  *503000\.0  *-  *-  *99\.4%$' "$scratch/out" || fail "not 503 ms in: $(cat "$scratch/out")"
said "jacobi   strong  efficiency below 50% from 128 ranks on"
expect 1 "has no results" "$scripts/model.sh" "$scratch/empty.jsonl"

unset MAKEFLAGS MAKELEVEL MFLAGS
expect 2 "Programs for many ranks cannot be built here: there is no MPI" \
    make -s -C "$here/../.." bench-ranks MPI_LIBS=" " BUILD="$(cd "$scratch" && pwd)/build"

echo "$failed failed"
[ $failed = 0 ]
