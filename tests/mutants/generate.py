#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""generate.py [-n COUNT] [-s SEED] [FILE...]

Writes COUNT (20) mutants of C sources in the format of run.sh, for its --score. FILEs are those of
the table `steps` beside this script, and by default all of them, which take turns. What is made of
a file depends only on its text and SEED (1). Exit status: 0; 1 a file that cannot be read or has
too few mutants; 2 usage.
"""
import argparse
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
RELATIONAL = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SWAPPED = {"+": "-", "-": "+", "+=": "-=", "-=": "+=", "&&": "||", "||": "&&"}
# A binary operator has blanks around it, as clang-format leaves them, or ends the line.
BINARY = re.compile(r"(?<= )(<=?|>=?|[=!]=|[-+]=?|&&|\|\|)(?= |$)")
CONSTANT = re.compile(r"(?<![\w.])\d+(?=[uU]?[lL]*(?![\w.]))")
CONDITION = re.compile(r"\bif \(")
RETURN = re.compile(r"return (.+);$")
# A whole statement that is a call, an assignment or an increment: no declaration, and no free().
STATEMENT = re.compile(r"[*(]*(?!return\b|\w*free\()\w[\w.\[\]>-]*(\(.*\)| [-+*/%&|^]?=(?!=) .*|\+\+|--);$")


def blank(match):
    """Blanks in place of a comment or a literal, so that places stay the same."""
    return re.sub(r"[^\n]", " ", match[0])


def code_lines(text):
    """The lines of the code, with blanks for comments, literals and preprocessor lines."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", blank, text, flags=re.M)
    return [line.rstrip() for line in text.split("\n")]


def closing(line, at):
    """The place of the parenthesis that closes the one at `at`, or -1."""
    depth = 0
    for place in range(at, len(line)):
        depth += {"(": 1, ")": -1}.get(line[place], 0)
        if depth == 0:
            return place
    return -1


def changes_of(line, before):
    """(operator, begin, end, replacement) of each mutant of a line; `before` is the line above."""
    for match in BINARY.finditer(line):
        word = match[0]
        kind = "relational" if word in RELATIONAL else "logical" if word in ("&&", "||") else "arithmetic"
        yield kind, *match.span(), RELATIONAL.get(word) or SWAPPED[word]
    for match in CONSTANT.finditer(line):
        is_room = match.start() > 0 and line[match.start() - 1] == "[" and int(match[0]) >= 16
        if re.fullmatch(r"0|[1-9]\d*", match[0]) and not is_room:
            yield "constant", *match.span(), str(int(match[0]) + 1)
            if int(match[0]) > 0:
                yield "constant", *match.span(), str(int(match[0]) - 1)
    for match in CONDITION.finditer(line):
        end = closing(line, match.end() - 1)
        if end > 0:
            yield "condition", match.end(), end, "!(" + line[match.end():end] + ")"
    code = line.strip()
    begin = len(line) - len(code)
    if RETURN.match(code):
        yield "return", begin, len(line), "return 1;" if code == "return 0;" else "return 0;"
    if begin > 0 and STATEMENT.match(code) and re.search(r"([;{}):]|\belse|^)$", before):
        if code.count("(") == code.count(")"):
            yield "statement", begin, len(line), ";"


def mutants_of(path, seed):
    """(line number, operator, text before, text after), operators in turn, in an order of SEED's."""
    try:
        text = (HERE.parent.parent / path).read_text()
    except OSError as error:
        sys.exit(f"generate.py: {path}: {error.strerror}")
    lines, code = text.split("\n"), code_lines(text)
    by_operator = {}
    above = ""
    for number, line in enumerate(code):
        for kind, begin, end, instead in changes_of(line, above):
            # What a comment or literal hides in the code stands in the source.
            if kind == "condition":
                instead = "!(" + lines[number][begin:end] + ")"
            changed = lines[number][:begin] + instead + lines[number][end:]
            by_operator.setdefault(kind, []).append((number, kind, changed))
        above = line or above
    order = random.Random(f"{path} {seed}")
    operators = list(by_operator.values())
    for found in [operators, *operators]:
        order.shuffle(found)
    while any(operators):
        for found in operators:
            if found:
                number, kind, changed = found.pop()
                first, last = number, number
                while text.count("\n".join(lines[first:last + 1])) > 1:
                    first, last = max(first - 1, 0), min(last + 1, len(lines) - 1)
                after = lines[first:number] + [changed] + lines[number + 1:last + 1]
                yield number + 1, kind, lines[first:last + 1], after


def main():
    """Reads the arguments and writes the list."""
    steps = {}
    for line in (HERE / "steps").read_text().split("\n"):
        if line and not line.startswith("#"):
            steps[line.split()[0]] = line.split()[1:]
    parser = argparse.ArgumentParser(usage=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("-n", type=int, default=20)
    parser.add_argument("-s", type=int, default=1)
    parser.add_argument("files", nargs="*")
    given = parser.parse_args()
    for path in given.files:
        if path not in steps:
            sys.exit(f"generate.py: {path} has no line in {HERE / 'steps'}")
    if given.n < 1:
        parser.error("-n must be at least 1")
    sources = [(path, mutants_of(path, given.s)) for path in given.files or steps]
    names = {}
    for count in range(given.n):
        path, found = sources[count % len(sources)]
        number, kind, before, after = next(found, (0, "", [], []))
        if number == 0:
            sys.exit(f"generate.py: {path} has too few mutants")
        name = f"{path}:{number}:{kind}"
        names[name] = names.get(name, 0) + 1
        name += f":{names[name]}" if names[name] > 1 else ""
        print(f"mutant  {name}\nfile    {path}")
        print("\n".join(["before  " + line for line in before] + ["after  " + line for line in after]))
        print("\n".join(f"step    {step}" for step in steps[path]) + "\n")


if __name__ == "__main__":
    main()
