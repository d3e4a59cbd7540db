#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# robust.sh PROGRAMS SCRATCH
# The gallery and portable-compare with bad input: blocks that a case does not take, options of
# other commands, broken manifests, interrupted records, standard streams that are closed or full.
set -u

gallery=$1/gallery compare=$1/portable-compare scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
. "$(dirname "$0")/expect.sh"
precision=$("$gallery" info | sed -n 's/^precision: //p')

# A block that the case does not take is one sentence, wherever it comes from.
# refused BLOCK SENTENCE CASE
refused() {
    for command in "run $3" "check $3" "bench $3 --repeats 1"; do
        # shellcheck disable=SC2086 # a list of words
        expect 2 "gallery: case $3 does not take block $1; $2" timeout 600 "$gallery" $command --n 1 --block $1
    done
}
refused 1 "use a multiple of 32" matmul_tensor
refused 33 "use a multiple of 32" sum_warp
refused 64x2 "use a multiple of 32" matmul_tensor
refused 7 "use a power of two" sum_tree
refused 8x4 "use one dimension" saxpy
refused 8x4x2 "use one or two dimensions" matmul_naive
refused 32 "use 256" shared_banks_free
refused 256x2 "use 256" shared_banks_conflict
refused 8x8 "use 16x16" matmul_tiled
expect 2 "takes no --block" "$gallery" dump "$scratch/dump" --block 7
expect 0 "ok" "$gallery" run sum_tree --n 33 --block 64
expect 0 "ok" "$gallery" run matmul_tensor --n 1 --block 64
expect 0 "ok" "$gallery" run laplacian_3d --n 5 --block 2x3x4

# Each command refuses options that it does not use.
# takes COMMAND OPTION...
takes() {
    command=$1
    shift
    for option in --n --block --seed --input --dump --against --every --quick --inputs --golden --results --plots \
        --missing --failed --note --repeats --sweep --growth --itself --limit; do
        case " $* " in
        *" $option "*) ;;
        *) expect 2 "gallery: $command takes no $option; see gallery --help" timeout 600 \
            "$gallery" "$command" $option "$scratch/value" ;;
        esac
    done
}
takes list
takes info
takes run --n --block --seed --input --dump --limit
takes check --n --block --seed --input --dump --against --every --quick --inputs --golden --results --limit
takes report --plots --missing --failed --note
takes record --note
takes dump
takes accuracy
takes bench --n --block --input --repeats --budget --sweep --itself --results --note
takes counts --n --block --growth
takes demo --dump --against
expect 2 "case saxpy takes no --input" "$gallery" check saxpy --n 1000000 --input nosuch
expect 2 "case saxpy takes no --input" "$gallery" bench saxpy --input nosuch
expect 2 "--seed goes with --n" "$gallery" check saxpy --seed 7
expect 2 "--note goes with --results" "$gallery" bench saxpy --n 1 --note "commit: none"
expect 2 "list takes no saxpy" "$gallery" list saxpy
expect 2 "info takes no saxpy" "$gallery" info saxpy

# A new record replaces the old one when it is complete, not before.
golden=$scratch/golden
expect 0 "runs, " "$gallery" record "$golden" --note "commit: first"
record=$(ls -d "$golden"/*/*)
device=${record%/*} grown=${record%/*}/.$precision.new aside=${record%/*}/.$precision.old
case_number() { "$gallery" list | awk -v k="$1" '/^  / && --k == 0 { print $1 }'; }
cases=$("$gallery" list | grep -c '^  ')
first=$(case_number 1) middle=$(case_number $((cases / 3))) last=$(case_number "$cases")

child_of() { ps -o pid= --ppid "$1" | tr -d ' '; }
gone() { # the child of a killed program dies a moment later
    for _ in $(seq 3000); do
        case $(ps -o stat= -p "${1:-none}" 2>/dev/null) in "" | Z*) return ;; esac
        sleep 0.2
    done
}
sums() { find "$record" -type f -exec cksum {} + | LC_ALL=C sort; }
# still NOTE: the record is there, complete
still() {
    expect 0 "all agree" "$gallery" check "$first" saxpy "$last" --golden "$golden"
    grep -qx "commit: $1" "$record/manifest.txt" || fail "expected the record of commit: $1"
    [ "$(grep -c '^case: ' "$record/manifest.txt")" = "$cases" ] || fail "the record lacks cases"
}
# record_until PATH [NOTE]: starts a record, and returns when it has made PATH: a killed one may
# have left one there
record_until() {
    rm -rf "$1"
    "$gallery" record "$golden" --note "commit: ${2:-killed}" >"$scratch/log" 2>&1 &
    program=$!
    child=
    while [ -z "$child" ] && kill -0 $program 2>/dev/null; do child=$(child_of $program); done
    until [ -e "$1" ] || ! kill -0 $program 2>/dev/null; do :; done
}
kill_record() {
    kill -KILL $program "$child"
    wait $program 2>/dev/null
    gone "$child"
    [ -d "$grown" ] || fail "the record ended before it was killed"
}
for place in "$grown" "$grown/$first" "$grown/$middle"; do
    record_until "$place"
    kill_record
    still first
done
# Killed while the old record is set aside, on a file system that cannot exchange the two at once.
mv "$record" "$aside"
record_until "$grown/$first"
kill_record
still first

# Two at once. The remains of a killed one, by this version or an older one, do not matter.
: >"$record/manifest.txt.123-0.tmp"
: >"$record/$first/y.npy.123-0.tmp"
record_until "$grown/$first" second
kill -STOP "$child"
expect 2 "$device: another gallery record writes there" "$gallery" record "$golden"
kill -CONT "$child"
wait $program || fail "the first of two records failed: $(cat "$scratch/log")"
still second
[ "$(ls -A "$device")" = "$precision" ] || fail "more than the record: $(ls -A "$device")"
[ -z "$(find "$record" -name '*.tmp')" ] || fail "the record has files of an older one"

# Somebody else's file, wherever it is, is kept.
for file in "$record/notes" "$record/.notes" "$record/$first/notes.txt" "$record/$first/more/y.npy" "$device/.$precision.new/notes"; do
    mkdir -p "${file%/*}"
    echo mine >"$file"
    sums >"$scratch/before"
    case $file in
    */more/*) named=${file%/*} ;;
    *) named=$file ;;
    esac
    expect 2 "gallery: $named belongs to no record, and gallery record replaces nothing else" "$gallery" record "$golden"
    sums | cmp -s - "$scratch/before" || fail "record changed files beside $file"
    rm "$file"
    case $file in */more/*) rmdir "${file%/*}" ;; esac
done
still second

# A case without a run in the record agrees with nothing.
sed '/^run: saxpy /d' "$record/manifest.txt" >"$scratch/without"
cp "$record/manifest.txt" "$scratch/with"
cp "$scratch/without" "$record/manifest.txt"
mv "$record/saxpy" "$scratch/saxpy"
expect 77 "NOTHING WAS COMPARED" "$gallery" check saxpy --golden "$golden"
said "saxpy                  has no run in the record of"
mv "$scratch/saxpy" "$record/saxpy"
cp "$scratch/with" "$record/manifest.txt"
expect 0 "all agree" "$gallery" check saxpy --golden "$golden"
# Two values of one fact.
sed 's/^precision: .*/&\nprecision: half/' "$scratch/with" >"$record/manifest.txt"
expect 2 "precision is given twice" "$gallery" check saxpy --golden "$golden"
cp "$scratch/with" "$record/manifest.txt"

# Results that are compared with themselves, or with nothing, agree with nothing.
expect 0 "all agree" "$gallery" check saxpy --dump "$scratch/self"
ln -s self "$scratch/alias"
for directory in self alias; do
    expect 2 "--dump and --against name one directory" "$gallery" check saxpy --dump "$scratch/self" --against other="$scratch/$directory"
done
expect 2 "1 runs, NOTHING WAS COMPARED" "$gallery" check saxpy --n 0
expect 2 "--n is given twice" "$gallery" check saxpy --n 33 --n 0
mkdir -p "$scratch/inputs"
expect 2 "no file in $scratch/inputs is input of the checked cases" "$gallery" check csr_spmv --inputs "$scratch/inputs"
expect 2 "is input of the checked cases" "$gallery" check saxpy --inputs tests/data
# Results with a case left out.
expect 0 "all agree" "$gallery" check saxpy blur --results "$scratch/two.results"
sed '/^case.*\tblur\t/,/^done/d' "$scratch/two.results" >"$scratch/one.results"
expect 2 "lines are missing" "$gallery" report "$scratch/page.html" serial="$scratch/one.results"
expect 2 "is given twice" "$gallery" report "$scratch/page.html" serial="$scratch/two.results" serial="$scratch/two.results"

# A manifest is validated before anything runs.
cp "$record/manifest.txt" "$scratch/manifest.txt"
# manifest SCRIPT LINE SENTENCE: a manifest edited by sed is wrong in the first line with LINE
manifest() {
    sed "$1" "$scratch/manifest.txt" >"$record/manifest.txt"
    line=$(grep -nF -- "$2" "$record/manifest.txt" | head -n 1 | cut -d : -f 1)
    expect 2 "$record/manifest.txt:$line: $3" timeout 600 "$gallery" check saxpy statistics shared_banks_free \
        --golden "$golden"
    said "NOT ALL AGREE"
}
manifest '/^run: saxpy /s/block=256/block=1x0/' "saxpy n=0 block=1x0" "case saxpy, block 1x0x1: an extent is 0"
manifest '/^run: saxpy /s/block=256/block=1024x4294967295/' "block=1024x42" "block 1024x4294967295 has too many threads"
manifest '/^run: saxpy /s/block=256/block=64x64x64/' "block=64x64x64" "block 64x64x64 has too many threads"
manifest '/^run: saxpy /s/block=256/block=65536x65536/' "block=65536" "block 65536x65536 has too many threads"
manifest '/^run: saxpy /s/block=256/block=4294967552/' "block=4294967552" "expected \"run: NAME"
manifest '/^run: saxpy /s/block=256/block=256x/' "block=256x" "expected \"run: NAME"
manifest '/^run: saxpy /s/block=256/block=8x8x2x2/' "block=8x8x2x2" "expected \"run: NAME"
manifest '/^run: saxpy /s/block=256/block=8x4/' "saxpy n=0 block=8x4" "case saxpy does not take block 8x4"
manifest '/^run: shared_banks_free /s/block=256/block=32/' "free n=1 block=32" "case shared_banks_free does not take block 32"
manifest '1i\run: saxpy n=400000000 block=256 y[0:0]' "n=400000000" "a run of saxpy is among those of no case"
manifest '/^case: saxpy /i\case: none exact\nrun: saxpy n=400000000 block=256 y[0:0]' "n=400000000" "a run of saxpy is among those of none"
manifest '/^run: statistics /s/n=1 /n=0 /' "statistics n=0" "n is 0; a record of statistics has n from 1 to 1000"
manifest '/^run: saxpy /s/n=1000/n=1001/' "saxpy n=1001" "n is 1001; a record of saxpy has n from 0 to 1000"
manifest '/^run: saxpy /s/n=32/n=-32/' "saxpy n=-32" "expected \"run: NAME"
manifest '/^run: saxpy /s/n=1000/n=99999999999999999999/' "n=9999" "expected \"run: NAME"
manifest '/^run: saxpy n=32 /s/block/ block/' "n=32  block" "expected \"run: NAME"
manifest '/^run: saxpy n=32 /s/^run:/Run:/' "Run: saxpy n=32" "expected \"case: \" or \"run: \" after the first case"
manifest '1i\run: gone n=32 block=256 y[0:32]' "run: gone" "a run of gone is among those of no case"
manifest '/^case: saxpy /d' "run: saxpy n" "a run of saxpy is among those of"
manifest 's/^case: saxpy /case:saxpy /' "case:saxpy" "expected \"case: NAME POLICY\""
manifest 's/^case: saxpy /case:  saxpy /' "case:  saxpy" "expected \"case: NAME POLICY\""
manifest '/^run: saxpy n=32 /s/y\[/z[/' "block=256 z[64" "expected \"y[64:96]\", found \" z[64:96]\""
manifest '/^run: saxpy n=32 block=256/s/:96\]/:95]/' "y[64:95]" "expected \"y[64:96]\""
manifest '/^run: saxpy n=32 block=256/s/ y.*//' "run: saxpy n=32 block=256" "expected \"y[64:96]\", found \"\""
manifest '/^run: saxpy n=32 block=256/s/$/ z[0:1]/' "n=32 block=256 y[64:96] z[0:1]" "case saxpy has no such output:  z[0:1]"
for cut in 1 40; do
    head -c -$cut "$scratch/manifest.txt" >"$record/manifest.txt"
    expect 2 "$record/manifest.txt: is cut" "$gallery" check saxpy --golden "$golden"
done
tr '\n' '\000' <"$scratch/manifest.txt" >"$record/manifest.txt"
expect 2 "$record/manifest.txt: is cut, or is no text" "$gallery" check saxpy --golden "$golden"
: >"$record/manifest.txt"
expect 2 "$record/manifest.txt: is cut" "$gallery" check saxpy --golden "$golden"
cp "$scratch/manifest.txt" "$record/manifest.txt"
still second

# With a standard stream closed, output never goes into another file; output that cannot be written
# is a failure. in_shell REDIRECTIONS COMMAND...
in_shell() {
    redirections=$1
    shift
    sh -c "\"\$@\" $redirections" sh "$@"
}
expect 2 "gallery: stdout could not be written" in_shell '>&-' "$gallery" bench saxpy --n 10 --repeats 1 --results "$scratch/table"
grep -q '^saxpy\|^case' "$scratch/table" && fail "what is printed is in the file"
grep -q '	saxpy	' "$scratch/table" || fail "the results are not there"
for closed in '>&-' '<&- >&-' '<&- >&- 2>&-' '2>&-'; do
    rm -f "$scratch/results"
    in_shell "$closed" timeout 600 "$gallery" check matmul_tensor saxpy --n 33 --block 7 --results "$scratch/results" \
        >"$scratch/out" 2>&1
    code=$?
    [ $code = 2 ] || fail "check $closed: status $code"
    grep -q 'gallery: \|verdict worst\|NOT ALL' "$scratch/results" && fail "with $closed words are in the results"
    grep -q '^end	' "$scratch/results" || fail "with $closed the results have no end"
    in_shell "$closed" "$gallery" report "$scratch/page" "serial=$scratch/results"
    head -n 1 "$scratch/page" | grep -qi '^<!doctype' || fail "with $closed the page does not begin well"
done
expect 0 "all agree" "$gallery" check saxpy --dump "$scratch/a"
if [ -c /dev/full ]; then
    for words in "--help" "list" "info" "run saxpy --n 10" "check saxpy" "check saxpy --golden $golden" \
        "dump $scratch/full-dump saxpy" "bench saxpy --n 10 --repeats 1"; do
        for stdout in '>/dev/full' '>&-'; do
            # shellcheck disable=SC2086 # a list of words
            expect 2 "gallery: stdout could not be written" in_shell "$stdout" "$gallery" $words
            [ "$(grep -c written "$scratch/out")" = 1 ] || fail "$words says it more than once"
        done
    done
    expect 2 "gallery: stdout could not be written" in_shell '>/dev/full' "$gallery" record "$scratch/full"
    y=$scratch/a/saxpy/1000-256
    for words in "--help" "--version" "$y $y"; do
        for stdout in '>/dev/full' '>&-'; do
            # shellcheck disable=SC2086 # a list of words
            expect 2 "portable-compare: stdout could not be written" in_shell "$stdout" "$compare" $words
        done
    done
    for words in "--help" "--version" "--makefile" "$scratch/new"; do
        for stdout in '>/dev/full' '>&-'; do
            expect 1 "" in_shell "$stdout" host/project/portable-new.sh "$words"
            rm -rf "$scratch/new"
        done
    done
else
    echo "# LEFT OUT output that cannot be written: there is no /dev/full"
fi

echo "$failed failed"
[ $failed = 0 ]
