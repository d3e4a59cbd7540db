#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# self.sh SCRATCH
# Tests run.sh, texts.sh and generate.py on a project of a few lines: mutants that are caught or
# survive, and mistakes in the list.
set -u
scratch=$1
rm -rf "$scratch"
mkdir -p "$scratch/project/tests/mutants"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/expect.sh"
project=$scratch/project
cp "$here/run.sh" "$here/texts.sh" "$here/generate.py" "$project/tests/mutants"
run=$project/tests/mutants/run.sh texts=$project/tests/mutants/texts.sh list=$project/tests/mutants/list.mutants

# Its checks: `sum` adds, `first` compares only the first line, unless there are CASES; `absent` is
# skipped; `compiles` compiles code.c; `slow` never ends for "eternal".
cat >"$project/Makefile" <<'END_OF_MAKEFILE'
.PHONY: check
check:
	@mkdir -p build/check/steps build/check/logs && ! grep -q broken code.txt
	@! test $(ONLY) = absent || { echo why >build/check/steps/absent.skipped; exit 1; }
	@sh $(ONLY).sh $(CASES) >build/check/logs/$(ONLY).log 2>&1 || { echo 1 >build/check/steps/$(ONLY).failed; exit 1; }
END_OF_MAKEFILE
printf '%s\n' 'one  1' 'two  2' '' 'three  3' >"$project/code.txt"
echo 'awk "{ s += \$2 } END { exit s != 6 }" code.txt' >"$project/sum.sh"
echo 'head -n 1 code.txt | grep -q "one  1" && [ -z "$1" ]' >"$project/first.sh"
printf '%s\n' 'int main(void)' '{' '    return 0; /* 1 + 1 */' '}' >"$project/code.c"
echo '${CC:-cc} code.c -o program && ./program' >"$project/compiles.sh"
echo 'if grep -q eternal code.txt; then sleep 60; fi' >"$project/slow.sh"

# mutant NAME FILE BEFORE AFTER STEP...: adds it to the list
mutant() {
    printf 'mutant  %s\nfile    %s\n' "$1" "$2"
    printf '%s\n' "$3" | sed 's/^/before  /'
    printf '%s\n' "$4" | sed 's/^/after  /'
    shift 4
    for step; do echo "step    $step"; done
    echo
} >>"$list"

echo '# A list.' >"$list"
mutant adds code.txt '3' '4' 'first' 'sum'
mutant lines code.txt 'two  2

three' 'two  3

three' 'sum'
mutant slow code.txt 'one' 'eternal' 'slow'
mutant compiles code.c 'return 0' 'return 1' 'compiles'
expect 0 "4 mutants" "$texts"
expect 0 "3 caught, 0 survived, 0 not compiled, 0 wrong" "$run" "$scratch/work" adds lines compiles
said "caught by sum"
expect 0 "caught by slow, which does not end" env MUTANT_SECONDS=1 "$run" "$scratch/work" slow
grep -q 'three  3' "$scratch/work/tree/code.txt" || fail "the copy is not as it was"
expect 0 "1 caught, 0 survived" "$run" "$scratch/work" code.c
expect 2 "there is no mutant, and no file with mutants, nobody" "$run" "$scratch/work" nobody

# What catches nothing: a step that does not notice, fails for its variables alone, or is skipped,
# and a mutant that a compiler refuses.
mutant lives code.txt 'two' 'zwei' 'first' 'sum'
mutant variables code.txt 'two' 'dos' 'first CASES=x'
mutant skipped code.txt 'one' 'un' 'absent'
mutant syntax code.c 'return 0' 'return zero' 'compiles'
mutant broken code.txt 'one' 'broken' 'first'
expect 1 "1 caught, 1 survived, 2 not compiled, 1 wrong, 1 left out" "$run" "$scratch/work" adds lives variables skipped syntax broken
said "SURVIVED: first sum"
said "    > zwei  2"
said "WRONG: step first CASES=x does not pass without a mutant"
said "left out: its steps are skipped here: absent"
said "DOES NOT COMPILE: code.c:3:"
for mutant in lives variables syntax; do
    expect 1 "1 caught" "$run" "$scratch/work" adds $mutant
done
expect 1 "no mutant was caught, so nothing was tested" "$run" "$scratch/work" skipped

# Mistakes in the list
refuses() {
    cp "$list" "$scratch/list"
    mutant "$2" code.txt "$3" "$4" ${5:-}
    expect 1 "$1" "$texts"
    expect 1 "$1" "$run" "$scratch/work"
    cp "$scratch/list" "$list"
}
refuses "twice: the text of before does not occur once in code.txt" twice 'e  ' 'x' sum
refuses "nothing: the text of before does not occur once in code.txt" nothing 'four' '4' sum
refuses "unchanged: the text of after is that of before" unchanged 'one' 'one' sum
refuses "two mutants are named adds" adds 'one' 'een' sum
refuses "steps: it has no step" steps 'one' 'een'
echo nonsense >>"$list"
expect 1 "is no part of a mutant: nonsense" "$texts"

# Generated mutants: of `return 0` alone, twice.
if command -v python3 >/dev/null; then
    generate=$project/tests/mutants/generate.py
    echo 'code.c  compiles' >"$project/tests/mutants/steps"
    expect 0 "mutant  code.c:3:return" "$generate" -n 2
    cp "$scratch/out" "$scratch/generated"
    said "after      return 1;"
    said_not "1 + 2"
    expect 0 "2 mutants" "$texts" "$scratch/generated"
    expect 1 "code.c has too few mutants" "$generate" -n 3
    expect 1 "code.txt has no line in" "$generate" code.txt
    expect 0 "score: 100% of those that compile were caught; at least 100% must be" \
        "$run" "$scratch/work" --score 100 "$scratch/generated"
    { cat "$scratch/generated"; sed -n '/^mutant  \(lives\|syntax\)$/,/^$/p' "$list"; } >"$scratch/more"
    expect 0 "score: 66%" "$run" "$scratch/work" --score 66 "$scratch/more"
    said "2 caught, 1 survived, 1 not compiled, 0 wrong"
    expect 1 "score: 66%" "$run" "$scratch/work" --score 67 "$scratch/more"
else
    echo "# LEFT OUT generated mutants: there is no python3"
fi

echo "$failed failed"
[ $failed = 0 ]
