#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_docs.py SOURCE TREE PAGE...

Runs the commands and compiles the code shown on pages of documentation, and compares their output;
docs/writing-docs.md describes the blocks. TREE becomes a copy of SOURCE before each page, except
for its build/. Prints one line for each page; for each mistake its place, what the page shows and
the real output. Exit status: 0; 1 after a mistake; 2 for bad usage.

Environment: CC; NVCC, empty if there is none; HAVE_GPU=1; REQUIRE_GPU=1, which makes a missing nvcc
or GPU a mistake; DOCS_TIME_LIMIT, the seconds after which a command counts as hanging (300).
"""
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

CC, NVCC = os.environ.get('CC') or 'cc', os.environ.get('NVCC')
HAVE_GPU, REQUIRE_GPU = os.environ.get('HAVE_GPU'), os.environ.get('REQUIRE_GPU') == '1'
LIMIT = int(os.environ.get('DOCS_TIME_LIMIT') or 300)

PROMPT = '(gdb) '
FILES = ('cpp', 'make', 'cmake', 'yaml', 'json', 'python', 'diff')
FLAGS = {'': '', 'serial': '', 'openmp': '-fopenmp', 'emulate': '-DPORTABLE_TARGET_EMULATE=1'}
WARNINGS = '-Wall -Wextra -Werror -Wno-unused -Wno-unused-parameter'
HEADERS = ('', '/host/algorithms', '/host/ranks', '/host/tiles')

PARTS = re.compile(r'''
    ^<!-- (?P<comment>(?:.|\n)*?) -->.*$ |
    ^(?P<indent>[ ]{0,3}) (?P<fence>(?P<mark>[`~])(?P=mark){2,}) [ ]*(?P<info>.*)\n
        (?P<block>(?:.*\n)*?) [ ]*(?P=fence)(?P=mark)*[ ]*$ |
    ^.*$''', re.M | re.X)
UNCHECKED = (
    ('<!--', 'a comment that does not end'),
    (' {0,3}(```|~~~)', 'a fence that does not end'),
    ('.*(```|~~~)', 'a fence that does not begin its line, and is not checked'),
    ('<pre', 'a <pre>, which is not checked: write a fenced block'))


def readable(text):
    """The lines as readers see them: tabs are spaces, and nothing ends in blanks."""
    return [line.expandtabs().rstrip() for line in text.rstrip().splitlines()]


def matches(shown, real):
    """Whether a line matches: "..." on the page matches any text, and an address any address."""
    pattern = re.sub('0x[0-9a-fA-F]+', '0x[0-9a-fA-F]+', re.escape(shown))
    return re.fullmatch(pattern.replace(r'\.\.\.', '.*'), real)


def difference(shown, real):
    """The indices of the first two lines that differ, or None. A line "..." matches any lines."""
    i, j, dots, furthest = 0, 0, None, (0, 0)
    while i < len(shown) or j < len(real):
        if i < len(shown) and shown[i] == '...':
            i, dots = i + 1, (i + 1, j)
        elif i < len(shown) and j < len(real) and matches(shown[i], real[j]):
            i, j = i + 1, j + 1
        elif dots and dots[1] < len(real):
            i, j = dots = dots[0], dots[1] + 1
        else:
            return furthest
        furthest = (i, j) if i > furthest[0] else furthest
    return None


def echo_gdb(output, typed):
    """gdb prints its prompt and, without a terminal, does not echo its input."""
    echoed, *pieces = output.split(PROMPT)
    for line, piece in zip(typed, pieces):
        newline = '\n' if echoed and not echoed.endswith('\n') else ''
        echoed += f'{newline}{PROMPT}{line}\n{piece}'
    return echoed


def make_tree(source, tree):
    """Copies git's files if the source is a git checkout, otherwise all but build directories."""
    tree.mkdir(parents=True, exist_ok=True)
    subprocess.check_call('find . -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +',
                          shell=True, cwd=tree)
    builds = ('build', tree.relative_to(source).parts[0] if source in tree.parents else '')
    for name in map(Path, subprocess.check_output(
            'if [ -e .git ]; then git ls-files --cached --others --exclude-standard\n'
            'else find . -type f; fi',
            shell=True, cwd=source, text=True).splitlines()):
        if name.parts[0] not in builds and (source / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, tree / name)


class Page:
    def __init__(self, path, tree):
        self.path, self.tree, self.scratch = path, tree, Path(f'{tree}.tmp')
        self.blocks = self.mistakes = 0
        self.left_out = []  # the reason of each block
        shutil.rmtree(self.scratch, ignore_errors=True)
        (self.scratch / 'home').mkdir(parents=True)
        (self.scratch / 'session').touch()
        # A page may have built from files in its HOME, which no longer exist; make would look.
        for rule in (tree / 'build').rglob('*.d'):
            if f'{self.scratch}/' in rule.read_text(errors='replace'):
                rule.with_suffix('.o').unlink(missing_ok=True)
                rule.unlink()
        # Commands see only these variables, so that a page does not depend on who checks it.
        names = ('PATH', 'NVCC', 'CUDA_HOME', 'TMPDIR', 'LD_LIBRARY_PATH')
        self.env = {name: os.environ[name] for name in names if os.environ.get(name)}
        self.env.update(CC=CC, LC_ALL='C', HOME=f'{self.scratch}/home')
        if NVCC and '/' in NVCC:
            self.env['PATH'] += ':' + os.path.dirname(NVCC)

    def mistake(self, line, message, output=None):
        print(f'{self.path}:{line}: {message}')
        self.mistakes += 1
        if output is not None:
            print('    the output:', *readable(output), sep='\n        ')

    def run(self, line, what, script, typed='', may_fail=False):
        """Runs a script by sh; returns its output, or None after a mistake. The scripts of a page
        behave as in one shell: they keep its directory and exported variables. What a script
        started ends with it."""
        session, out = self.scratch / 'session', self.scratch / 'output'
        (self.scratch / 'script').write_text(
            f". '{session}'\n{script}\ndocs_status_=$?\n"
            f"{{ export -p; printf \"cd '%s'\\n\" \"$PWD\"; }} >'{session}'\nexit $docs_status_\n")
        (self.scratch / 'input').write_text(typed)
        problem = ''
        with open(self.scratch / 'input') as stdin, open(out, 'wb') as stdout:
            process = subprocess.Popen(
                ['sh', self.scratch / 'script'], cwd=self.tree, env=self.env, stdin=stdin,
                stdout=stdout, stderr=stdout, start_new_session=True)
            try:
                if process.wait(LIMIT) != 0 and not may_fail:
                    problem = f'fails with exit status {process.returncode}'
            except subprocess.TimeoutExpired:
                problem = f'takes more than {LIMIT} s'
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        output = out.read_text(errors='backslashreplace')
        return self.mistake(line, f'{what} {problem}', output) if problem else output

    def check_console(self, first, text):
        if not text.startswith('$ '):
            self.mistake(first, 'a console block begins with a command: $ COMMAND')
        for match in re.finditer(r'^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)', text, re.M):
            line, below = (first + text.count('\n', 0, match.start(group)) for group in (1, 2))
            command, shown = match[1].replace('\n> ', '\n').rstrip('\n'), readable(match[2])
            typed = re.findall(rf'^{re.escape(PROMPT)}(.*)', match[2], re.M)
            elided = all(line == '...' for line in shown)
            output = self.run(line, command, command, ''.join(f'{line}\n' for line in typed),
                              may_fail=not elided)
            if output is None or elided:
                continue
            output = echo_gdb(output, typed) if typed else output
            real = readable(output)
            if place := difference(shown, real):
                differ = [lines[i] if i < len(lines) else '(the end)'
                          for lines, i in zip((shown, real), place)]
                self.mistake(below + place[0], f'the output of `{command}` differs\n'
                             '    shown: {}\n    real:  {}'.format(*differ), output)

    def check_c(self, first, text, target, file, given):
        """C code at file scope, for each target; or, after a comment <!-- given: ... -->, with that
        code before it, whose open braces are closed after it."""
        line, before = given or (first, '')
        include = '' if '#include' in before + text else '#include "portable.h"\n'
        (self.scratch / 'block.c').write_text(
            f'{include}#line {line} "{self.path}"\n{before}\n#line {first} "{self.path}"\n{text}' +
            '}\n' * (before.count('{') - before.count('}')))
        options = f"'{self.scratch}/block.c' -o '{self.scratch}/block.o' -I. -I'./"
        options += os.path.dirname(file) + "'" + ''.join(f" -I'{self.tree}{at}'" for at in HEADERS)
        if target != 'cuda':
            self.run(first, 'compiling by cc',
                     f'$CC -std=c11 -O1 {WARNINGS} {FLAGS[target]} -c {options}')
        # -ptx: the front end finds the mistakes, and host code is not needed.
        if NVCC and target in ('', 'cuda'):
            self.run(first, 'compiling by nvcc',
                     f'$NVCC -x cu -std=c++17 -arch=sm_75 -rdc=true -ptx {options}')

    def check_block(self, fence, info, text, given):
        language, *words = info.split() or ['']
        first, target, file, lacks = fence + 1, '', '', []
        self.blocks += 1
        if language not in ('c', 'console', 'sh', 'text') + FILES:
            return self.mistake(fence, f'a fence with an unknown info string: "{info}"')
        for word in words:
            name, _, value = word.partition('=')
            if word in ('nvcc', 'gpu', 'target=cuda') and not NVCC:
                lacks.append('nvcc')
            elif word == 'gpu' and not HAVE_GPU:
                lacks.append('GPU')
            elif word == 'bare':
                lacks.append('bare machine: make check-bare')
            elif name == 'needs' and not shutil.which(value, path=self.env['PATH']):
                lacks.append(value)
            if name == 'target' and (value in FLAGS or value == 'cuda'):
                target = value
            elif name == 'file' and not value.startswith('/') and '..' not in value:
                file = value
            elif name != 'needs' and word not in ('nvcc', 'gpu', 'bare'):
                return self.mistake(fence, f'a fence with an unknown word: "{word}"')
        if language in FILES and not file:
            self.mistake(fence, f'a {language} block needs file=NAME: nothing checks it otherwise')
        if language == 'text' and re.search(r'^\$ ', text, re.M):
            self.mistake(fence, 'a command in a text block, which is not run: write ```console')
        # Also written if it cannot be compiled here: other blocks may read it.
        if file:
            self.run(first, 'writing the file',
                     f"mkdir -p \"$(dirname '{file}')\" && cat >'{file}'", text)
        if lacks:
            if REQUIRE_GPU and lacks[0] in ('nvcc', 'GPU'):
                self.mistake(fence, f'REQUIRE_GPU=1, and there is no {lacks[0]}')
            self.left_out.append(f'no {lacks[0]}')
        elif language == 'c':
            self.check_c(first, text, target, file, given)
        elif language == 'console':
            self.check_console(first, text)
        elif language == 'sh':
            self.run(first, 'the script', f'set -e\n{text}')

    def check(self):
        given, in_text = None, False  # an indented line continues the text before it, if any
        page = Path(self.path).read_text()
        for part in PARTS.finditer(page):
            number, line = page.count('\n', 0, part.start()) + 1, part[0]
            if part['fence']:
                text = re.sub(f'^ {{0,{len(part["indent"])}}}', '', part['block'], flags=re.M)
                self.check_block(number, part['info'], text, given)
                given, in_text = None, False
            elif part['comment'] is not None:
                kind, _, code = part['comment'].partition(':')
                given, in_text = (number, code) if kind == ' given' else given, False
            else:
                indented = re.match(' {4}| *\t', line) and not in_text
                if indented:
                    self.mistake(number, 'an indented block, which is not checked: write a fence')
                elif unchecked := [what for start, what in UNCHECKED if re.match(start, line)]:
                    self.mistake(number, unchecked[0])
                elif line.strip() and given:
                    self.mistake(number, 'a comment that gives, and no block after it')
                    given = None
                in_text = bool(line.strip()) and not line.startswith('#')


def main():
    if len(sys.argv) < 4 or not os.path.isdir(sys.argv[1]):
        print('usage: check_docs.py SOURCE TREE PAGE..., with directories SOURCE and TREE',
              file=sys.stderr)
        return 2
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    source, tree = (Path(name).resolve() for name in sys.argv[1:3])
    failed = 0
    for path in sys.argv[3:]:
        make_tree(source, tree)
        page = Page(path, tree)
        try:
            page.check()
        except OSError as error:
            page.mistake(1, error)
        why = f' ({", ".join(dict.fromkeys(page.left_out))})' if page.left_out else ''
        print(f'{"FAILED" if page.mistakes else "ok"} {path}: blocks: {page.blocks}, left out: '
              f'{len(page.left_out)}{why}, mistakes: {page.mistakes}', flush=True)
        failed |= page.mistakes > 0
    return failed


sys.exit(main())
