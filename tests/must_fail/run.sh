#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh TARGET GALLERY SERIAL SCRATCH
# The gallery of cases.c must fail, with the right message, for each fault that WRONG can name: in
# any case, run, output or element, and whatever the others do. GALLERY is built for TARGET, and
# SERIAL is the same gallery for serial. Exit status: 0, 1, or 77 without a device.
set -u
LC_ALL=C
export LC_ALL

target=$1 gallery=$2 serial=$3 scratch=$4
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$scratch"
mkdir -p "$scratch"
. "$here/../cli/expect.sh"
unset WRONG ORDER GOLDEN CASES PORTABLE_LIMIT PORTABLE_NOTICE PORTABLE_NOTICE_FD

"$gallery" check begins >"$scratch/out" 2>&1
if [ $? = 77 ] && [ "$target" = cuda ]; then
    sed -n 's/.*was not run: /skipped: /p' "$scratch/out"
    exit 77
fi

# rows NUMBER [ROW]: the last table has that number of FAILED rows, and one begins with ROW
rows() {
    [ "$(grep -c ' FAILED' "$scratch/out")" = "$1" ] || fail "expected $1 failed rows in: $(cat "$scratch/out")"
    [ $# -lt 2 ] || grep -q "^$2.* FAILED" "$scratch/out" || fail "expected \"$2\" failed in: $(cat "$scratch/out")"
}

# fails FAULT RUNS TEXT ROW ARGUMENT...: gallery check fails with the fault, prints the text, and
# fails one row
fails() {
    fault=$1 runs=$2 text=$3 row=$4
    shift 4
    expect 1 "$text" env WRONG="$fault" "$gallery" check "$@"
    said "$target: $runs runs, NOT ALL AGREE"
    rows 1 "$row"
}
here_is="n = 33, block 32"
thread="[16] block (0, 0, 0) thread (16, 0, 0)"

# ---- against the reference ----

expect 0 "$target: 72 runs, all agree" "$gallery" check --dump "$scratch/right"
rows 0
fails last_place 72 "  begins, $here_is, $target : reference: 1 of 33 elements of y differ" "begins  *12  $target : reference"
said "    y$thread: "
fails all_runs 72 "12 of 12 runs fail; first failure shown above" "begins  *12 "
said "  begins, n = 1, block 256, $target : reference: 1 of 1 elements of y differ"
fails reference 72 "  begins, $here_is, $target : reference: 1 of 33 elements of y differ" "begins  *12 "
fails first_output 72 "  outputs, $here_is, $target : reference: 1 of 33 elements of first differ" "outputs  *12 "
said "    first$thread: "
fails updated_array 72 "  outputs, $here_is, $target : reference: 1 of 33 elements of updated differ" "outputs  *12 "
said "    updated$thread: "
fails last_output 72 "  outputs, $here_is, $target : reference: 1 of 33 elements of last differ" "outputs  *12 "
said "    last$thread: "
for output in first last; do
    fails unwritten_$output 72 "  filled, $here_is: 1 of 33 elements were never written; the first is $output$thread" "filled  *12 "
done
# A file of results tells more than the status.
for fault in unwritten_last:UNWRITTEN first_output:DIFFERS; do
    expect 1 "" env WRONG=${fault%:*} "$gallery" check --results "$scratch/results"
    grep -q "^done	12	1	${fault#*:}$" "$scratch/results" || fail "no ${fault#*:} in the results of ${fault%:*}"
done
# Uninitialised scratch is NaN, and so is a result that depends on it.
fails scratch 72 "  ends, $here_is, $target : reference: 1 of 33 elements of y differ" "ends  *12 "
said "nan, expected"
[ -z "$(find "$scratch" -name 'scratch.*')" ] || fail "a dump holds scratch"

expect 2 "  case filled, n = 1: its reference expects nothing of array last" env WRONG=no_reference "$gallery" check
said "$target: 72 runs, NOT ALL AGREE"
rows 1 "filled  *12 "

expect 2 "case ends, $here_is, $target: " env WRONG=launch "$gallery" check
said "$target: 72 runs, NOT ALL AGREE"
rows 1 "ends  *12 "

# A kernel that writes outside of an array may have damaged what it is compared with: it is not
# compared, nor are the runs after it. The right results are there each time.
if [ "$target" != cuda ]; then
    see="; to see where: make memcheck CASES"
    for case in "beyond_output begins kernel writes wrote beyond device array y" \
        "before_input begins kernel writes wrote before device array x" \
        "far_beyond_scratch ends a kernel wrote beyond device array scratch"; do
        fault=${case%% *} case=${case#* }
        name=${case%% *} sentence=${case#* }
        expect 1 "  $name, $here_is, $target: $sentence, at byte " env WRONG="$fault" "$gallery" check
        said "$see=$name ARGS=\"--n 33 --block 32\" (the case's remaining runs were skipped)"
        said "$target: 66 runs, NOT ALL AGREE"
        rows 1 "$name  *6 "
        expect 1 "$sentence, at byte " env WRONG="$fault" "$gallery" run "$name" --n 33 --block 32
        said "$see"
    done
fi

# A run that does not end. On CUDA a run of each child waits for the device to be ready.
limit=2
[ "$target" != cuda ] || limit=30
endless="begins, $here_is, $target: did not end within $limit s; to see where: make memcheck CASES=begins ARGS=\"--n 33 --block 32\""
expect 1 "  $endless" env WRONG=endless PORTABLE_NOTICE=1 "$gallery" check --limit $limit
said "still running begins, $here_is, $target, after 1 s; its limit is $limit s"
said "(the case's remaining runs were skipped)"
said "$target: 66 runs, NOT ALL AGREE"
rows 1 "begins  *6 "

# ---- the same, with the other ways to run a case ----

for case in "last_place begins" "first_output outputs" "unwritten_first filled" "unwritten_last filled"; do
    fault=${case% *} name=${case#* }
    fails "$fault" 1 "$name, $here_is" "$name  *1 " "$name" --n 33 --block 32
    expect 1 "$name, $here_is" env WRONG="$fault" "$gallery" run "$name" --n 33 --block 32
    rows 1 "$name  *1 "
    fails "$fault" 24 "$name, $here_is" "$name  *1 " "$name" ends --every
    expect 1 "$name, $here_is" env WRONG="$fault" "$gallery" record "$scratch/no-record"
    said "a case does not agree with its reference: nothing was recorded"
    [ -z "$(find "$scratch/no-record" -type f 2>/dev/null)" ] || fail "a wrong record was written: $(find "$scratch/no-record")"
done
if [ "$target" != cuda ]; then # there the program runs these itself
    for command in "run begins --limit 1" "bench begins"; do
        # shellcheck disable=SC2086 # a list of words
        expect 1 "gallery: begins, $here_is, $target: did not end within 1 s; to see where: " \
            env WRONG=endless PORTABLE_NOTICE=0 PORTABLE_LIMIT=1 "$gallery" $command --n 33 --block 32
        said_not "still running"
    done
fi
expect 1 "$scratch/dumped: 5 cases" env WRONG=all_runs "$gallery" dump "$scratch/dumped"
expect 0 "$scratch/dumped: 6 cases" "$gallery" dump "$scratch/dumped"

# ---- against another target ----

expect 0 "serial: 72 runs, all agree" "$serial" check --dump "$scratch/serial"
expect 0 "$target: 72 runs, all agree" "$gallery" check --against serial="$scratch/serial"
rows 0
# Within the reference's bound on both sides of the comparison.
for output in first updated last; do
    message="  targets, $here_is, serial: 1 of 33 elements of $output differ"
    fails target_$output 72 "$message" "targets  *12  $target : serial  *exact" --against serial="$scratch/serial"
    said "    $output$thread: "
    said "both sides lie within the reference's rounding bound"
    grep -q "^targets  *12  $target : reference .* ok" "$scratch/out" || fail "the reference's row is not ok"
    expect 1 "$target: 12 runs, NOT ALL AGREE" env WRONG=target_$output "$gallery" check targets --against serial="$scratch/serial"
    expect 0 "serial: 72 runs, all agree" env WRONG=target_$output "$serial" check --dump "$scratch/wrong"
    expect 1 "$message" "$gallery" check --against serial="$scratch/wrong"
    rows 1 "targets  *12  $target : serial  *exact"
done
fails last_place 72 "begins, $here_is, $target : reference: 1 of 33" "begins  *12  $target : reference" begins outputs targets \
    tolerance filled ends
expect 1 "$target: 72 runs, NOT ALL AGREE" env WRONG=last_place "$gallery" check --against serial="$scratch/serial"
rows 2 "begins  *12  $target : serial "
# Just above a tolerance, and just below it.
fails above_tolerance 72 "  tolerance, $here_is, serial: 1 of 33 elements of y differ" \
    "tolerance  *12  $target : serial  *absrel(0.00097[0-9]*, 0) .* \(>100\|10[1-9]\|11[0-9]\)%" --against serial="$scratch/serial"
expect 0 "$target: 72 runs, all agree" env WRONG=below_tolerance "$gallery" check --against serial="$scratch/serial"
grep -q "^tolerance  *12  $target : serial .* 98%" "$scratch/out" || fail "below_tolerance is nothing: $(cat "$scratch/out")"
# Outputs that the other target lacks.
rm "$scratch/serial/outputs/33-32/first.npy"
expect 2 "outputs/33-32/first.npy" "$gallery" check --against serial="$scratch/serial"
said "$target: 72 runs, NOT ALL AGREE"
rows 1 "outputs  *12  $target : serial"

# ---- against a record ----

expect 0 "36 runs, " "$serial" record "$scratch/golden"
device=$(ls "$scratch/golden")
[ -z "$(find "$scratch/golden" -name 'scratch.*')" ] || fail "a record holds scratch"
expect 0 "$target: 36 runs, all agree" "$gallery" check --golden "$scratch/golden"
for output in first updated last; do
    message="  targets, $here_is, $device: 1 of 33 elements of $output differ"
    fails target_$output 36 "$message" "targets  *6  $target : $device  *exact" --golden "$scratch/golden"
    expect 0 "36 runs, " env WRONG=target_$output "$serial" record "$scratch/wrong-golden"
    expect 1 "$message" "$gallery" check --golden "$scratch/wrong-golden"
    rows 1 "targets  *6  $target : $device  *exact"
done
fails above_tolerance 36 "  tolerance, $here_is, $device: 1 of 33 elements of y differ" \
    "tolerance  *6  $target : $device  *absrel" --golden "$scratch/golden"
expect 1 "  begins, $here_is, $target: did not end within $limit s" env WRONG=endless PORTABLE_LIMIT=$limit "$gallery" check --golden "$scratch/golden"
said "$target: 34 runs, NOT ALL AGREE"
rows 1 "begins "
# A result that agrees with the record must still agree with the reference.
for fault in reference unwritten_first unwritten_last; do
    expect 1 "$target: 36 runs, NOT ALL AGREE" env WRONG=$fault "$gallery" check --golden "$scratch/golden"
    rows 1
done
# A record that has none of the cases.
expect 0 "12 runs, all agree" "$gallery" check begins ends --golden "$scratch/golden"
sed -i '/[a-z]: ends /d' "$(ls "$scratch/golden/$device"/*/manifest.txt)"
rm -r "$scratch/golden/$device"/*/ends
expect 77 "$target: 0 runs, NOTHING WAS COMPARED" "$gallery" check ends --golden "$scratch/golden"
expect 0 "30 runs, all agree" "$gallery" check --golden "$scratch/golden"
expect 0 "36 runs, " "$serial" record "$scratch/golden"
# A record of another precision.
manifest=$(ls "$scratch/golden/$device"/*/manifest.txt)
cp "$manifest" "$scratch/manifest"
sed 's/^precision: .*/precision: other/' "$scratch/manifest" >"$manifest"
expect 2 "manifest.txt: it is not of " "$gallery" check --golden "$scratch/golden"
said "$target: 0 runs, NOT ALL AGREE"
cp "$scratch/manifest" "$manifest"
# Two records, the first of them wrong.
mkdir "$scratch/two"
cp -R "$scratch/wrong-golden/$device" "$scratch/two/a-device"
cp -R "$scratch/golden/$device" "$scratch/two/b-device"
expect 1 "$target: 72 runs, NOT ALL AGREE" "$gallery" check --golden "$scratch/two"
rows 1 "targets  *6  $target : a-device"

# ---- one verdict of many results ----

# The results of one check, and the page of several targets.
expect 1 "NOT ALL AGREE" env WRONG=first_output "$gallery" check --results "$scratch/results"
[ "$(grep -c '^done	12	1	DIFFERS$' "$scratch/results")" = 1 ] || fail "one case of $scratch/results should have failed"
grep -q '^end	72	1$' "$scratch/results" || fail "$scratch/results does not end as a failure"
expect 1 "" "$gallery" report "$scratch/page.html" "$target=$scratch/results"
grep -q "outputs, $here_is" "$scratch/page.html" || fail "the page does not say what is wrong"
expect 0 "all agree" "$gallery" check --results "$scratch/right.results"
expect 0 "" "$gallery" report "$scratch/page.html" "$target=$scratch/right.results"
expect 1 "" "$gallery" report "$scratch/page.html" "$target=$scratch/results" "other=$scratch/right.results"
# Another order, and the scripts of make check.
EXPECTED=$scratch/right
export EXPECTED
mkdir -p "$scratch/build/$target-exact"
ln -s "$(cd "$(dirname "$gallery")" && pwd)/gallery" "$scratch/build/$target-exact/gallery"
orders=$here/../../host/steps/orders.sh cross=$here/../../host/steps/cross_validate.sh
if [ "$target" != openmp ] && [ "$target" != cuda ]; then # whose order cannot be set
    expect 0 "all agree" "$orders" "$scratch/build" reverse "$target-exact"
    expect 1 "targets, $here_is, serial: 1 of 33 elements of first differ" \
        env WRONG=target_first "$orders" "$scratch/build" 2 "$target-exact"
fi
cross_validate() {
    env BUILD="$scratch/build" CHECK="$scratch" GOLDEN="$scratch/golden" NO_CUDA= HAVE_GPU=1 CASES= "$@"
}
rm -rf "$scratch/serial"
expect 0 "serial: 72 runs, all agree" "$serial" check --dump "$scratch/serial"
expect 0 "all agree" cross_validate "$cross" "$target" golden
expect 1 "NOT ALL AGREE" cross_validate WRONG=target_first "$cross" "$target" golden
expect 1 "NOT ALL AGREE" cross_validate WRONG=last_place "$cross" "$target"
[ "$target" = serial ] || expect 1 "NOT ALL AGREE" cross_validate WRONG=target_first "$cross" "$target"

echo "$failed failed"
[ $failed = 0 ]
