#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# steps.sh SCRATCH
# The steps of make check in a small project: passed, failed, skipped and partly left out steps are
# counted, a step runs again only when it must, and an unknown one is refused.
set -u

mkdir -p "$1"
scratch=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/expect.sh"
project=$scratch/project
rm -rf "$project"
mkdir -p "$project"
cd "$project" || exit 1
make=${MAKE:-make}
unset PORTABLE_NOTICE_FD MAKEFLAGS MAKELEVEL MFLAGS BUILD CASES GOLDEN ONLY EXCEPT FORCE ORDER REQUIRE_GPU CHECK

# write NAME LINES...: a script that adds a line to NAME.runs each time it runs
write() {
    file=$1.sh
    printf '%s\n' '#!/bin/sh' "echo run >>$1.runs" >"$file"
    shift
    printf '%s\n' "$@" >>"$file"
    chmod +x "$file"
}
# ran COUNT NAME
ran() {
    count=$(wc -l <"$2.runs" 2>/dev/null || echo 0)
    [ "$count" -eq "$1" ] || fail "step $2 ran $count times, expected $1"
}

write passes 'echo passed'
write fails 'echo the end of its log' 'exit 3'
write skips 'echo "skipped: no such tool"' 'exit 77'
write partly 'echo "# LEFT OUT the other half: no such tool"'
write cached 'test "${MAKELEVEL-unset}" = unset' # not a part of this make
echo 1 >input
cat >Makefile <<END
CHECK_STEPS := passes.sh partly.sh
QUICK_STEPS := passes partly cached skips fails reads nested cuda-% cross-% gpu-%
include $root/host/portable.mk
cached.proves = a step's file
cached.files = input
cached.command = ./cached.sh
skips.proves = a step that is skipped
skips.files = input
skips.command = ./skips.sh
fails.proves = a step that fails
fails.files = input
fails.command = ./fails.sh
long.of = one two
long.proves = a step of many: \$(of), one of make check-all
long.command = ./long.sh \$(of)
tool.of = \$(if \$(TOOL),x y)
tool.proves = what a tool does
tool.missing = \$(if \$(TOOL),,there is no tool)
tool.command = true
\$(call steps,cached skips \$(if \$(FAIL),fails) long tool)
\$(refuse_steps)
END
write long 'echo $1 >>words'

expect 0 "3 passed, 0 failed, 2 skipped" "$make" check
said "a step that is skipped: no such tool"
said "partly left out: the other half: no such tool"
ran 1 cached
ran 1 passes

# The last line says what was proven and what was not run, with the commands for the rest.
tail -n 1 "$scratch/out" | grep -q "^Proven on this machine: what 3 steps prove .* Not run: skips (no such tool), .*\(gcc\|clang\) (.*3 more steps (make check-all)\.$" ||
    fail "the last line: $(tail -n 1 "$scratch/out")"
[ ! -e words ] || fail "make check ran a step of make check-all"

# make check-all runs all steps; a family is one skipped step if it cannot run here.
expect 0 "5 passed, 0 failed, 3 skipped" "$make" check-all
said "a step of many: two, one of make check-all"
said "what a tool does: there is no tool"
[ "$(sort words | tr '\n' ' ')" = "one two " ] || fail "check-all ran long with: $(cat words)"
tail -n 1 "$scratch/out" | grep -q "more steps" && fail "more steps after make check-all: $(tail -n 1 "$scratch/out")"
expect 0 "2 passed, 0 failed, 0 skipped" "$make" check ONLY='tool-%' TOOL=1
expect 0 "Proven on this machine: what 1 step proves (make steps)." "$make" check ONLY=tool-x TOOL=1
expect 2 "Not proven: no step could run" "$make" check ONLY=tool
expect 0 "long-%" "$make" steps
grep -q "^long-% *check-all *a step of many: %, one of make check-all$" "$scratch/out" || fail "make steps: $(cat "$scratch/out")"
grep -q "^cached *check *a step's file$" "$scratch/out" || fail "make steps: $(cat "$scratch/out")"
: >passes.runs

# Up to date. CHECK_STEPS and skipped steps always run.
expect 0 "1 of the steps are unchanged" "$make" check
said "3 passed, 0 failed, 2 skipped"
ran 1 cached
ran 1 passes
ran 3 skips
expect 0 "3 passed" "$make" check FORCE=1
ran 2 cached
echo 2 >input
expect 0 "3 passed" "$make" check
ran 3 cached
# Another option is another setting.
expect 0 "3 passed" env ORDER=reverse "$make" check
ran 4 cached

# A failure shows the end of its log and the exit status, and runs again until it passes.
expect 2 "3 passed, 1 failed, 2 skipped" "$make" check FAIL=1
said "the end of its log"
said "exit status 3"
expect 2 "1 failed" "$make" check FAIL=1
ran 2 fails
write fails 'exit 0'
: >fails.runs
expect 0 "4 passed, 0 failed" "$make" check FAIL=1
expect 0 "4 passed, 0 failed" "$make" check FAIL=1
ran 1 fails

# One step, by its name or a pattern.
: >cached.runs
expect 0 "1 passed, 0 failed, 0 skipped" "$make" check ONLY=cached
ran 1 cached
expect 0 "2 passed" "$make" check ONLY='p%'
expect 2 "make check has no step nothing;" "$make" check ONLY=nothing
said "cached"
expect 2 "make check has no step nothing;" "$make" check ONLY='cached nothing'
ran 1 cached # the others are not run first
expect 0 "2 passed, 0 failed, 1 skipped" "$make" check EXCEPT='cached sk%'
expect 0 "1 passed, 0 failed, 0 skipped" "$make" check ONLY='p%' EXCEPT=partly
expect 2 "make check has no step nothing;" "$make" check EXCEPT='cached nothing'
expect 2 "leaves no step" "$make" check EXCEPT=%

# A file that changes while the step runs is newer than the result.
echo good >watched
cat >reads.mk <<END
reads.proves = a step that reads a file
reads.files = watched \$(wildcard data/*)
reads.command = ./reads.sh
\$(call steps,reads)
END
sed '/refuse_steps/e cat reads.mk' Makefile >reads
mv reads reads.mk
write reads 'was=$(cat watched)' 'if [ -e change ]; then sleep 1; rm change; echo bad >watched; fi' 'test "$was" = good'
: >change
expect 0 "1 passed" "$make" -f reads.mk check ONLY=reads
expect 2 "FAILED: reads" "$make" -f reads.mk check
echo good >watched

# A file that is added, renamed or deleted runs the step again.
mkdir data
echo 1 >data/one
expect 0 "passed" "$make" -f reads.mk check
: >reads.runs
expect 0 "2 of the steps are unchanged" "$make" -f reads.mk check
touch -r watched data/two
expect 0 "passed" "$make" -f reads.mk check
ran 1 reads
mv data/two data/three
expect 0 "passed" "$make" -f reads.mk check
ran 2 reads
rm data/three
expect 0 "step.sh reads" "$make" -n -f reads.mk check # writes nothing
expect 0 "passed" "$make" -f reads.mk check
ran 3 reads
expect 0 "2 of the steps are unchanged" "$make" -f reads.mk check
ran 3 reads

# make -t runs no step, so it must not mark one as passed.
write reads 'exit 1'
rm data/one
expect 2 "FAILED: reads" "$make" -f reads.mk check
for option in -t --touch -st; do
    expect 2 "make -t is not supported" "$make" $option -f reads.mk check
done
expect 2 "FAILED: reads" "$make" -f reads.mk check

# Exit status 77 of a cmocka program, or of a script, that failed 77 times.
for said in "[  FAILED  ] test_of_something" "FAILED: something"; do
    write reads "echo '$said'" 'exit 77'
    expect 2 "FAILED: reads" "$make" -f reads.mk check ONLY=reads
done

# REQUIRE_GPU=1: no step for the GPU may be skipped, in whole or in part. The notice appears only if
# cross-cuda is among the steps.
write cuda-thing 'echo "# SKIP a_test: no device"'
write cross-cuda 'echo "# SKIP the cuda target was compiled and NOT RUN: no device"' 'exit 77'
gpu_steps="CHECK_STEPS=passes.sh cuda-thing.sh cross-cuda.sh"
for value in "" 0; do
    expect 0 "1 passed, 0 failed, 2 skipped" "$make" check "$gpu_steps" EXCEPT='cached skips' REQUIRE_GPU=$value
    said "*** CUDA: the cuda target was compiled and NOT RUN: no device ***"
done
expect 2 "1 passed, 2 failed, 0 skipped" "$make" check "$gpu_steps" EXCEPT='cached skips' REQUIRE_GPU=1
said "REQUIRE_GPU=1 makes this a failure"
expect 2 "REQUIRE_GPU=1 makes this a failure" "$make" check "$gpu_steps" ONLY='passes cuda-thing' REQUIRE_GPU=1
expect 0 "1 passed" "$make" check "$gpu_steps" ONLY=passes
said_not "*** CUDA"
# CUDA C++ on emulate needs no GPU.
write cuda-cpp-thing 'echo "skipped: there is no compiler"' 'exit 77'
expect 0 "1 passed, 0 failed, 1 skipped" "$make" check CHECK_STEPS='passes.sh cuda-cpp-thing.sh' EXCEPT='cached skips' REQUIRE_GPU=1
write gpu-cpp-thing 'exit 77'
expect 2 "1 passed, 1 failed, 0 skipped" "$make" check CHECK_STEPS='passes.sh gpu-cpp-thing.sh' EXCEPT='cached skips' REQUIRE_GPU=1

# What the gallery says while a step of cases runs comes at once, and not into its log; in other steps
# there is no place for it.
write cross-slow '[ -z "${PORTABLE_NOTICE_FD-}" ] || echo "still running a case" >&"$PORTABLE_NOTICE_FD"'
cp cross-slow.sh other-slow.sh
expect 0 "still running a case" "$make" check CHECK_STEPS=cross-slow.sh ONLY=cross-slow
[ "$(sed -n 1p "$scratch/out")" = "still running a case" ] || fail "the notice is not the first line: $(cat "$scratch/out")"
expect 0 "1 passed" "$make" check CHECK_STEPS=other-slow.sh ONLY=other-slow
said_not "still running"

# Steps have different names.
mkdir a b
cp passes.sh a/twin.sh
cp fails.sh b/twin.sh
expect 2 "Two steps of make check have the name twin" "$make" check CHECK_STEPS="a/twin.sh b/twin.sh"
expect 2 "Two steps of make check have the name cached" "$make" check CHECK_STEPS=cached.sh

# One make check in a build tree.
write nested "$make check ONLY=passes" 'test $? = 2'
if [ -e /proc/self/comm ]; then
    expect 0 "1 passed" "$make" check ONLY=nested CHECK_STEPS="passes.sh nested.sh"
    grep -q "another make check runs in build" build/check/logs/nested.log ||
        fail "two make check in one tree: $(cat build/check/logs/nested.log)"
else
    echo "# LEFT OUT two make check in one tree: there is no /proc"
fi
expect 0 "1 passed" "$make" check ONLY=passes

# A terminal shows the progress; a pipe gets no control characters.
expect 0 "passed" "$make" check FORCE=1
said_not "$(printf '\033')"
if script -qec true /dev/null >/dev/null 2>&1; then
    expect 0 "running: " env TERM=xterm script -qec "$make check FORCE=1" /dev/null
    said " of 4 steps"
else
    echo "# LEFT OUT the line of a terminal: there is no script(1), or no pseudo-terminal"
fi

echo "$failed failed"
[ $failed = 0 ]
