#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# self.sh SCRATCH
# Tests run.sh and texts.sh on a project of one line: mutants that are caught or survive, and
# mistakes in the list.
set -u
scratch=$1
rm -rf "$scratch"
mkdir -p "$scratch/project/tests/mutants"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/expect.sh"
project=$scratch/project
cp "$here/run.sh" "$here/texts.sh" "$project/tests/mutants"
run=$project/tests/mutants/run.sh texts=$project/tests/mutants/texts.sh list=$project/tests/mutants/list.mutants

# Its checks: `sum` adds, `first` compares only the first line, `builds` needs a build that fails
# for "broken", `absent` is skipped. `compiles` compiles code.c; `slow` never ends for "eternal".
cat >"$project/Makefile" <<'END'
.PHONY: check
check:
	@mkdir -p build/check/steps && ! grep -q broken code.txt
	@! test $(ONLY) = absent || { echo why >build/check/steps/absent.skipped; exit 1; }
	@mkdir -p build/check/logs; sh $(ONLY).sh $(CASES) >build/check/logs/$(ONLY).log 2>&1 || { echo 1 >build/check/steps/$(ONLY).failed; exit 1; }
END
printf '%s\n' 'one  1' 'two  2' '' 'three  3' >"$project/code.txt"
echo 'awk "{ s += \$2 } END { exit s != 6 }" code.txt' >"$project/sum.sh"
echo 'head -n 1 code.txt | grep -q "one  1" && [ -z "$1" ]' >"$project/first.sh"
echo 'false' >"$project/never.sh"
echo 'int main(void) { return 0; }' >"$project/code.c"
echo '${CC:-cc} code.c -o program && ./program' >"$project/compiles.sh"
echo 'if grep -q eternal code.txt; then sleep 60; fi' >"$project/slow.sh"

# mutant NAME BEFORE AFTER STEP...: adds it to the list
mutant() {
    printf 'mutant  %s\nfile    code.txt\n' "$1"
    printf '%s\n' "$2" | sed 's/^/before  /'
    printf '%s\n' "$3" | sed 's/^/after  /'
    shift 3
    for step; do echo "step    $step"; done
    echo
} >>"$list"

echo '# A list.' >"$list"
mutant adds '3' '4' 'first' 'sum'
mutant lines 'two  2

three' 'two  3

three' 'sum'
expect 0 "2 caught, 0 survived, 0 equivalent, 0 wrong" "$run" "$scratch/work"
said "caught by sum"
grep -q 'three  3' "$scratch/work/tree/code.txt" || fail "the copy is not as it was"
mutant case 'one' 'eins' 'first CASES='
expect 0 "1 caught" "$run" "$scratch/work" case
# A step that fails for its variables alone catches nothing.
mutant variables 'two' 'dos' 'first CASES=x'
expect 1 "WRONG: step first CASES=x does not pass without a mutant" "$run" "$scratch/work" variables
mutant slow 'one' 'eternal' 'slow'
expect 0 "caught by slow, which does not end" env MUTANT_SECONDS=3 "$run" "$scratch/work" slow
mutant compiles 'return 0' 'return 1' 'compiles'
mutant syntax 'return 0' 'return zero' 'compiles'
mutant links 'return 0' 'int zero(void); return zero()' 'compiles'
sed -i '/^mutant  \(compiles\|syntax\|links\)$/,/^$/s/code.txt/code.c/' "$list"
expect 0 "caught by compiles" "$run" "$scratch/work" compiles
expect 1 "WRONG: it does not compile: code.c:1:" "$run" "$scratch/work" syntax
expect 1 "WRONG: it does not compile: " "$run" "$scratch/work" links
sed -i '/^mutant  \(variables\|slow\|compiles\|syntax\|links\)$/,/^$/d' "$list"
expect 0 "3 mutants" "$texts"
mutant lives 'two' 'zwei' 'first' 'sum'
expect 1 "SURVIVED: first sum" "$run" "$scratch/work"
said "3 caught, 1 survived, 0 equivalent, 0 wrong"
said "lives "
printf '%s\n' 'mutant  same' 'file    code.txt' 'before  two' 'after   deux' 'equivalent  a word' '' >>"$list"
expect 1 "0 caught, 0 survived, 1 equivalent, 0 wrong" "$run" "$scratch/work" same
said "equivalent: a word"
said "no mutant was caught, so nothing was tested"
expect 0 "5 mutants" "$texts"
mutant broken 'one' 'broken' 'first'
expect 1 "WRONG: it does not compile" "$run" "$scratch/work" broken
mutant twice 'e  ' 'x' 'sum'
expect 1 "WRONG: the text of before does not stand there once" "$run" "$scratch/work" twice
expect 1 "twice: the text of before does not occur once in code.txt" "$texts"
mutant nothing 'four' '4' 'sum'
mutant unchanged 'one' 'one' 'sum'
expect 1 "nothing: the text of before does not occur once in code.txt" "$texts"
said "unchanged: the text of after is that of before"
sed -i '/^mutant  \(nothing\|unchanged\)$/,/^$/d' "$list"
mutant fails 'one' 'uno' 'never'
expect 1 "WRONG: step never does not pass without a mutant" "$run" "$scratch/work" fails
mutant skipped 'one' 'un' 'absent'
expect 1 "left out: its steps are skipped here: absent" "$run" "$scratch/work" skipped
expect 0 "1 caught" "$run" "$scratch/work" adds
expect 2 "there is no mutant, and no file with mutants, nobody" "$run" "$scratch/work" nobody
expect 2 "usage" "$run" "$scratch/work" --seconds x
expect 1 "no time for" "$run" "$scratch/work" --seconds 0
printf 'nonsense\n' >>"$list"
expect 1 "is no part of a mutant: nonsense" "$run" "$scratch/work"
sed -i '$d' "$list"
mutant adds 'one' 'een' 'sum'
expect 1 "two mutants are named adds" "$run" "$scratch/work"

# Selected by changed files, if there is git.
if command -v git >/dev/null; then
    sed -i '/^mutant  adds$/,$d' "$list"
    mutant adds '3' '4' 'sum'
    mutant other 'one' 'een' 'first'
    sed -i '$!b' "$list"
    sed -i '/^mutant  other/,$s/code.txt/other.txt/' "$list"
    cp "$project/code.txt" "$project/other.txt"
    git init -q "$project" && git -C "$project" add -A &&
        git -C "$project" -c user.name=x -c user.email=x@localhost commit -qm x || fail "no repository"
    echo >>"$project/code.txt"
    expect 0 "1 caught, 0 survived" "$run" "$scratch/work" --changed HEAD
    said "adds "
    said_not "other "
    # Those that are named come after those in changed files.
    expect 1 "1 caught, 1 survived" "$run" "$scratch/work" --changed HEAD --seconds 100 other.txt
    head -n 1 "$scratch/work/table" | grep -q '^adds ' || fail "the changed file does not come first: $(cat "$scratch/work/table")"
else
    echo "# LEFT OUT the mutants of changed files: there is no git"
fi

echo "$failed failed"
[ $failed = 0 ]
