#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run.py PROGRAMS SCRATCH [NVCC COMPILER...]

Reports, suppressions and the limit of findings. PROGRAMS/reports.CHECK is program.c, built for each
check; each COMPILER of NVCC builds a CUDA program whose paths need escapes.
The environment's SARIF_SCHEMA is another JSON schema that the reports must satisfy, such as that of
OASIS. Exit status: 0 if all is as expected, 1 if not.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as xml
from pathlib import Path

try:
    import jsonschema
except ImportError:
    jsonschema = None

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAMS, SCRATCH = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
NVCC = [f'{Path(sys.argv[3]).resolve()} -ccbin {compiler}' for compiler in sys.argv[4:]]
SOURCE = (HERE / 'program.c').read_text().splitlines()
SARIF, JUNIT = SCRATCH / 'out.sarif', SCRATCH / 'out.xml'
failed = 0

schemas = []
if jsonschema:
    files = [HERE / 'sarif.schema.json'] + [Path(p) for p in [os.environ.get('SARIF_SCHEMA')] if p]
    schemas = [jsonschema.Draft7Validator(json.loads(f.read_text())) for f in files]
else:
    print('# LEFT OUT the JSON schema of SARIF: there is no jsonschema (Debian: python3-jsonschema)')
SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'
xmllint = shutil.which('xmllint')
if not xmllint:
    print('# LEFT OUT the XML schema of JUnit: there is no xmllint (Debian: libxml2-utils)')


def fail(what):
    global failed
    failed += 1
    print(f'FAILED: {what}')


def line(mark):
    """The line of program.c that ends with this comment."""
    return next(n for n, text in enumerate(SOURCE, 1) if f'/* {mark} */' in text)


def run(check, words, status, directory=ROOT, **variables):
    """Runs the program for a check; returns what it writes to stderr."""
    program = check if isinstance(check, Path) else PROGRAMS / f'reports.{check}'
    environment = {'PATH': os.environ['PATH'], 'LC_ALL': 'C',
                   'LSAN_OPTIONS': 'use_registers=0:use_stacks=0',
                   'PORTABLE_FP_SUBNORMALS': '1',
                   'PORTABLE_ACCESS_LIMITS': 'sectors=2,bytes=4,wavefronts=2,atomics=8,threads=16'}
    environment.update({name: str(value) for name, value in variables.items()})
    done = subprocess.run([program, *words], cwd=directory, env=environment, capture_output=True,
                          timeout=600)
    said = done.stderr.decode(errors='replace')
    if done.returncode != status:
        fail(f'{check} {words} {variables}: exit status {done.returncode}, not {status}:\n{said}')
    return said


def read_rules():
    """For each check the rules that rules.txt lists, as SARIF has them."""
    lines = [l for l in (HERE / 'rules.txt').read_text().splitlines() if not l.startswith('#')]
    rules = {check: [] for check in CHECKS}
    for head, short, full in zip(lines[::3], lines[1::3], lines[2::3]):
        check, kind, level = head.split()
        for name in CHECKS if check == '*' else [check]:
            text = f'{short.strip()}. {full.strip()} docs/checks.md of portable.h explains {name}.'
            rules[name].append({'id': kind, 'shortDescription': {'text': short.strip()},
                                'fullDescription': {'text': full.strip()},
                                'defaultConfiguration': {'level': level}, 'help': {'text': text},
                                'properties': {'tags': ['correctness', 'CUDA'],
                                               'precision': 'very-high'}})
    return rules


def documented_kinds():
    """For each check the kinds of findings in the table of docs/checks.md; 'all' for all checks."""
    text = (ROOT / 'docs/checks.md').read_text()
    rows = text.partition('| check | kinds |\n|---|---|\n')[2].partition('\n\n')[0].splitlines()
    cells = [row.strip('| ').split(' | ') for row in rows]
    return {check: re.findall(r'`([^`]+)`', kinds) for check, kinds in cells}


def read_sarif(path=SARIF):
    """The file; it satisfies the schemas and what these cannot say."""
    log = json.loads(path.read_bytes().decode('utf-8'))
    same(f'{path}: the schema', log['$schema'], SCHEMA)
    for one in log['runs']:
        driver = one['tool']['driver']
        same(f'{path}: the rules', driver['rules'], RULES[driver['name'].split()[-1]])
    for schema in schemas:
        for error in list(schema.iter_errors(log))[:3]:
            fail(f'{path}: {error.message} in {list(error.absolute_path)}')
    names = [r['tool']['driver']['name'] for r in log['runs']]
    if len(set(names)) != len(names):
        fail(f'{path}: two runs of one tool: {names}')
    for one in log['runs']:
        rules = [rule['id'] for rule in one['tool']['driver']['rules']]
        for result in one['results']:
            if rules[result['ruleIndex']] != result['ruleId']:
                fail(f'{path}: rule {result["ruleIndex"]} is not {result["ruleId"]}')
            ids = [str(place['id']) for place in result.get('relatedLocations', [])]
            links = re.findall(r'\]\(([0-9]+)\)', result['message']['text'])
            if not set(links) <= set(ids) or len(set(ids)) != len(ids):
                fail(f'{path}: links {links} to {ids}')
            if '\n' in result['message']['text']:
                fail(f'{path}: a message with several lines')
    return log


CHECKS = ['memcheck', 'racecheck', 'initcheck', 'synccheck', 'streamcheck', 'ordercheck', 'accesscheck', 'fpcheck']
RULES = read_rules()


def place(location):
    """The line, or 'FILE:LINE' of another file than program.c."""
    at = location['physicalLocation']
    name = urllib.parse.unquote(at['artifactLocation']['uri'])
    number = at.get('region', {}).get('startLine')
    return number if name.endswith('tests/reports/program.c') else f'{name}:{number}'


def results(log, tool):
    """For each result of a check: its kind, kernel, line and related lines."""
    found = []
    for one in log['runs']:
        if one['tool']['driver']['name'] == f'portable.h {tool}':
            for r in one['results']:
                first = r['locations'][0]
                kernel = first.get('logicalLocations', [{}])[0].get('fullyQualifiedName')
                found.append((r['ruleId'], kernel, place(first),
                              [place(l) for l in r.get('relatedLocations', [])]))
    return found


def read_junit(path=JUNIT):
    """For each suite its name, and for each test the name and the type of its failure."""
    text = path.read_bytes()
    if xmllint:
        done = subprocess.run([xmllint, '--noout', '--schema', HERE / 'junit.xsd', path],
                              capture_output=True, text=True)
        if done.returncode:
            fail(done.stderr)
    suites = []
    for suite in xml.fromstring(text):
        cases = {}
        for case in suite.iter('testcase'):
            cases[case.get('name')] = case[0].get('type') if len(case) else None
        for name, count in (('tests', len(cases)),
                            ('failures', len(suite.findall('testcase/failure'))),
                            ('errors', len(suite.findall('testcase/error')))):
            if suite.get(name) != str(count):
                fail(f'{path}: {name}="{suite.get(name)}" of {count}')
        suites.append((suite.get('name'), cases))
    return suites


def same(what, got, wanted):
    if got != wanted:
        fail(f'{what}\n    is     {got}\n    not    {wanted}')


def clean():
    for path in SCRATCH.glob('out*'):
        path.unlink()


def invocations(log):
    return [(i.get('exitCode'), i['executionSuccessful']) for one in log['runs']
            for i in one['invocations']]


# Each kind of finding: check, arguments, exit status, (kind, kernel, line, related lines)...
# A line is the comment at its end.
KINDS = [
    ('memcheck', 'too-far', 1, ('out-of-bounds', 'too_far', 'write', ['out'])),
    ('memcheck', 'shift', 1, ('undefined-behaviour', 'shifts', 'shift', [])),
    ('memcheck', 'host', 1, ('device-memory', None, 'host write', ['out'])),
    ('memcheck', 'leak', 1, ('leak', None, 'leak', [])),
    ('memcheck', 'heap-leak', 1, ('leak', None, 'heap leak', [])),
    ('memcheck', 'crash', -6, ('crash', 'crashes', 'abort', [])),
    ('memcheck', 'diverge', 1,
     ('not-checked', 'diverges', 'one barrier', ['another barrier'])),
    ('racecheck', 'race', 1, ('race', 'races', 'load', ['store'])),
    ('racecheck', 'race race-again', 1, ('race', 'races', 'load', ['store']),
     ('race', 'races_again', 'load again', ['store again'])),
    ('initcheck', 'read', 1, ('uninitialised-read', 'reads', 'read', ['in'])),
    ('synccheck', 'diverge', 1, ('divergence', 'diverges', 'one barrier', ['another barrier'])),
    ('accesscheck', 'stride', 1,
     ('atomics-on-one-address', 'strides', 'atomics', []),
     ('bank-conflicts', 'strides', 'banks', []),
     ('excessive-sectors', 'strides', 'sectors', []),
     ('unused-bytes', 'strides', 'sectors', []),
     ('inactive-threads', 'strides', 'sectors', [])),
    ('accesscheck', 'work', 0),
    ('ordercheck', 'race', 1, ('order', 'races', 'load', ['store'])),
    ('ordercheck', 'ticket', 1, ('not-proven', 'tickets', 'ticket', ['ticket', 'out'])),
    ('ordercheck', 'work', 0),
    ('fpcheck', 'divide', 1, ('infinity', 'divides', 'infinity', []),
     ('nan', 'divides', 'nan', []), ('subnormal', 'divides', 'subnormal', [])),
    ('fpcheck', 'work', 0),
    ('racecheck', 'work', 0),
    ('racecheck', '', 0),
    ('racecheck', 'exit-3', 3),
]


def documented():
    """docs/checks.md lists the kinds of findings of each check."""
    kinds = documented_kinds()
    for check in CHECKS:
        same(f'docs/checks.md: {check}', kinds.get(check, []) + kinds.get('all', []),
             [rule['id'] for rule in RULES[check]])


def kinds():
    for check, words, status, *wanted in KINDS:
        if not (PROGRAMS / f'reports.{check}').exists():
            print(f'# LEFT OUT {check}: it cannot be built here')
            continue
        clean()
        run(check, words.split(), status, PORTABLE_SARIF=SARIF, PORTABLE_JUNIT=JUNIT)
        what, log = f'{check} {words}', read_sarif()
        wanted = [(kind, kernel, line(at), [line(other) for other in others])
                  for kind, kernel, at, others in wanted]
        same(what, results(log, check), wanted)
        same(what, invocations(log), [(None, False) if status < 0 else (status, True)])
        (suite, tests), = read_junit()
        if not suite.startswith(f'{check} ') or not suite.endswith(f'reports.{check} {words}'.strip()):
            fail(f'{what}: the suite {suite}')
        for kernel, kind in {kernel: kind for kind, kernel, *_ in reversed(wanted)}.items():
            same(what, tests.get(kernel or 'host code'), kind)
        if status < 0:
            same(what, tests['host code'], 'crash')


def endings():
    """However a program ends, its findings are in the report, and it does not end with 0."""
    race = [('race', 'races', line('load'), [line('store')])]
    died = [('not-checked', 'crashes')]
    for words, status, state in (('race _exit', 1, (1, True)), ('race kill', -9, (None, False)),
                                 ('race exit-3', 3, (3, True)), ('race crash', -6, (None, False)),
                                 ('work _exit', 0, (0, True)), ('race chdir', 1, (1, True))):
        clean()
        said = run('racecheck', words.split(), status, SCRATCH.parent, PORTABLE_SARIF=SARIF)
        found = results(read_sarif(), 'racecheck')
        got = [(*r[:2], int(str(r[2]).split(':')[-1])) for r in found if r[0] == 'race']
        same(words, got, [r[:3] for r in race] if 'race' in words else [])
        same(words, [r[:2] for r in found if r[0] != 'race'], died if 'crash' in words else [])
        same(words, invocations(read_sarif()), [state])
        if status >= 0 and 'racecheck: 1 race in 1 kernel' not in said and 'race' in words:
            fail(f'{words}: no last line: {said}')
    # A child is a run of its own; its parent's findings are in the parent's.
    clean()
    run('racecheck', ['race', 'fork', 'race-again'], 11, PORTABLE_SARIF=SARIF, PORTABLE_JUNIT=JUNIT)
    same('fork', sorted(k for _, k, *_ in results(read_sarif(), 'racecheck')), ['races', 'races_again'])
    same('fork', sorted(invocations(read_sarif())), [(1, True), (11, True)])
    same('fork', sorted(len(tests) for _, tests in read_junit()), [2, 2])


# For each check, "no race found"; what it says of a kernel that faults, and of a program that aborts.
NONE = {'memcheck': 'error', 'racecheck': 'race', 'initcheck': 'error', 'synccheck': 'divergence',
        'streamcheck': 'missing wait', 'ordercheck': 'order dependence',
        'accesscheck': 'exceeded limit', 'fpcheck': 'exception'}
# Arguments, exit status, whether memcheck finds it, and where; the end of the last line; the kernel
# that is not checked to its end; the signal.
UNFINISHED = [
    ('fault', 1, '1 kernel', ', 1 kernel not checked to its end', 'faults', None),
    ('work fault', 1, '1 kernel', ', 1 kernel not checked to its end', 'faults', None),
    ('exits', 1, None, ', 1 kernel not checked to its end', 'exits', None),
    ('_exits', 1, None, ', 1 kernel not checked to its end', 'exits', None),
    ('crash', -6, '1 kernel', ', 1 kernel not checked to its end: Aborted', 'crashes', 'SIGABRT'),
    ('work abort', -6, 'host code', ', the program not checked to its end: Aborted', None, 'SIGABRT'),
    ('abort', -6, 'host code', ', the program not checked to its end: Aborted', None, 'SIGABRT'),
    ('work terminate', -15, None, ', the program not checked to its end: Terminated', None, None),
    ('work no-exec', 0, None, None, None, None),
]


def unfinished():
    """The last line, the exit status and the reports agree about what was not checked to its end."""
    for check, one in NONE.items():
        for words, status, where, end, kernel, signal in UNFINISHED:
            what = f'{check} {words}'
            if not (PROGRAMS / f'reports.{check}').exists():
                print(f'# LEFT OUT {what}: it cannot be built here')
                continue
            clean()
            said = run(check, words.split(), status, PORTABLE_SARIF=SARIF, PORTABLE_JUNIT=JUNIT,
                       PORTABLE_ACCESS_LIMITS='', PORTABLE_ACCESS_LINES=0).splitlines()
            log, ((_, tests),) = read_sarif(), read_junit()
            found = f'1 error in {where}' if check == 'memcheck' and where else f'no {one} found'
            if end:
                same(what, said[-1], f'{check}: {found}{end}')
            elif sum(f'{check}: no ' in text for text in said) != 1:
                fail(f'{what}: more than one last line, or none: {said}')
            reported = check != 'memcheck' or kernel == 'exits'
            same(what, [r[:2] for r in results(log, check) if r[0] == 'not-checked'],
                 [('not-checked', kernel)] if kernel and reported else [])
            if kernel and reported:
                same(what, tests[kernel], 'not-checked')
                if not any(f'kernel {kernel} is not checked to its end: ' in text for text in said):
                    fail(f'{what}: {said}')
            call = log['runs'][0]['invocations'][0]
            same(what, (call.get('exitCode'), call['executionSuccessful'], call.get('exitSignalName')),
                 (None, False, signal) if status < 0 else (status, True, None))
            host = tests['host code']
            same(what, host, None if status >= 0 else 'crash')
            if status < 0 and not (check == 'memcheck' and where == 'host code'):
                message = JUNIT.read_text().partition('<error type="crash" message="')[2]
                if not message.startswith('the program is not checked to its end: Aborted' if signal
                                          else 'the program did not end by itself'):
                    fail(f'{what}: {message}')


def sharing():
    """Several runs share a file, one after another and at once; %p gives each its own."""
    clean()
    variables = {'PORTABLE_SARIF': SARIF, 'PORTABLE_JUNIT': JUNIT}
    for _ in range(2):
        run('racecheck', ['race'], 1, **variables)
    run('initcheck', ['read'], 1, **variables)
    run('racecheck', ['race-again', 'work'], 1, **variables)
    log = read_sarif()
    same('one run for each check', [len(one['results']) for one in log['runs']], [2, 1])
    same('one invocation each', invocations(log), [(1, True)] * 4)
    same('a suite each', len(read_junit()), 4)
    clean()
    environment = {'PATH': os.environ['PATH'], **{n: str(v) for n, v in variables.items()}}
    many = [subprocess.Popen([PROGRAMS / 'reports.racecheck', 'race', 'race-again'], cwd=ROOT,
                             env=environment, stderr=subprocess.DEVNULL) for _ in range(8)]
    for one in many:
        one.wait(600)
    same('at once', len(results(read_sarif(), 'racecheck')), 2)
    same('at once', invocations(read_sarif()), [(1, True)] * 8)
    same('at once', len(read_junit()), 8)
    clean()
    run('racecheck', ['race'], 1, PORTABLE_SARIF=SCRATCH / 'out-%p-100%%.sarif')
    own, = SCRATCH.glob('out-*')
    if not re.fullmatch('out-[0-9]+-100%.sarif', own.name):
        fail(f'%p makes {own}')
    read_sarif(own)
    if list(SCRATCH.glob('*.tmp')):
        fail('something half-written is left')


def paths():
    """Places are relative to the root of the checkout, or to the working directory without one; the
    same line has the same fingerprint when it moves."""
    prints = set()
    for nvcc in NVCC[:1]:
        for indent, root in ((0, ''), (0, '.git'), (7, '.git')):
            with tempfile.TemporaryDirectory() as top:
                sub = Path(top) / 'sub'
                sub.mkdir()
                if root:
                    (Path(top) / root).mkdir()
                text = '\n' * indent + (HERE / 'kernels.cu').read_text()
                (sub / 'k.cu').write_text(text)
                subprocess.run(f'{nvcc} --check=racecheck k.cu -o k', shell=True, check=True, cwd=sub)
                clean()
                run(sub / 'k', [], 1, sub, PORTABLE_SARIF=SARIF)
                result = read_sarif()['runs'][0]['results'][0]
                at = next(n for n, t in enumerate(text.splitlines(), 1) if '// write' in t)
                same('a path', place(result['locations'][0]), f'{"sub/" if root else ""}k.cu:{at}')
                if root:
                    prints.add(json.dumps(result['partialFingerprints']))
        same('fingerprints', len(prints), 1)


def escapes():
    """Paths and arguments with quotes, control characters, markup and bytes that are not UTF-8."""
    odd = ['"<&>\'\\', '\x01\x1f\x7f\t\n', 'é\U0001f600', b'\xff\xc0\xaf\xed\xa0\x80', '\ufffe']
    words = [os.fsencode(word) if isinstance(word, str) else word for word in odd]
    clean()
    run('racecheck', [words[0]], 2, PORTABLE_SARIF=SARIF, PORTABLE_JUNIT=JUNIT)
    run('racecheck', [b'work', *words], 2, PORTABLE_SARIF=SARIF, PORTABLE_JUNIT=JUNIT)
    first, second = read_sarif()['runs'][0]['invocations']
    same('arguments', first['arguments'], odd[:1])
    same('arguments', second['arguments'], ['work', *odd[:3], '\ufffd' * 6, odd[4]])
    name = read_junit()[1][0]
    same('a name', name.partition('racecheck work ')[2],
         ' '.join([odd[0], '\ufffd\ufffd\x7f\t\n', odd[2], '\ufffd' * 6, '\ufffd']))
    for nvcc in NVCC:
        directory = SCRATCH / 'a "b" & é#%'
        shutil.rmtree(directory, ignore_errors=True)
        (directory / '.git').mkdir(parents=True)
        shutil.copy(HERE / 'kernels.cu', directory / 'k<1>.cu')
        subprocess.run(f"{nvcc} --check=racecheck 'k<1>.cu' -o k", shell=True, check=True, cwd=directory)
        clean()
        said = run(directory / 'k', [], 1, directory, PORTABLE_SARIF=SARIF, PORTABLE_JUNIT=JUNIT)
        log = read_sarif()
        same(nvcc, [r[0] for r in results(log, 'racecheck')], ['race'])
        if 'k<1>.cu:' not in log['runs'][0]['results'][0]['message']['text']:
            fail(f'{nvcc}: the message: {log["runs"][0]["results"][0]["message"]}')
        same(nvcc, place(log['runs'][0]['results'][0]['locations'][0]).partition(':')[0], 'k<1>.cu')
        (_, tests), = read_junit()
        if 'race' not in tests.values():
            fail(f'{nvcc}: no failure in {tests} for {said}')


# Suppressions of `race race-again` under racecheck: the blocks, how many of the two races they leave,
# and what else the program says.
RACES = '{{\n%s\n}}\n'
LOAD, STORE = line('load'), line('store')
SUPPRESSIONS = [
    ('{\n n\n racecheck:race\n}', 0, ['no races in 2 kernels, 2 suppressed']),
    ('# comment\n\n{\n n # more\n * : *\n}'.replace(' : ', ':'), 0, []),
    ('\ufeff{\n n\n racecheck:race\n}', 0, []),
    ('{\n n\n race*:r?ce\n kernel:races\n}', 1, ['1 race in 1 kernel, 1 suppressed']),
    ('{\n n\n racecheck:race\n kernel:races*\n}', 0, []),
    ('{\n n\n racecheck:race\n host\n}', 2, ['unused suppression at FILE:1: n']),
    ('{\n n\n memcheck:leak\n}', 2, []),
    ('{\n n\n racecheck:not-checked\n}', 2, ['unused suppression at FILE:1: n']),
    (f'{{\n n\n racecheck:race\n file:program.c:{LOAD}\n}}', 1, []),
    (f'{{\n n\n racecheck:race\n file:tests/*/program.c:{STORE}-{LOAD}\n}}', 1, []),
    (f'{{\n n\n racecheck:race\n file:program.c:{STORE}\n file:*:{LOAD}\n}}', 1, []),
    (f'{{\n n\n racecheck:race\n file:program.c:{STORE}\n file:*:{LOAD + 1}\n}}', 2, ['unused']),
    ('{\n n\n racecheck:race\n file:rogram.c\n}', 2, ['unused']),
    ('{\n n\n racecheck:race\n file:program.c\n}', 0, []),
    ('{\n a\n racecheck:race\n kernel:races\n}\n{\n b\n racecheck:*\n}\n{\n c\n racecheck:race\n}', 0,
     ['unused suppression at FILE:10: c']),
]
# Files that are refused: the text, the line, a part of the sentence.
REFUSED = [
    ('racecheck:race\n', 1, 'must begin with {'),
    ('{ n\n', 1, 'must begin with {'),
    ('{\nn\n}\n', 3, 'must have a name and CHECK:KIND'),
    ('{\nn\nrace\n}\n', 3, 'the second line of a suppression must be CHECK:KIND'),
    ('{\nn\nraces:race\n}\n', 3, 'memcheck, racecheck, initcheck, synccheck, streamcheck, ordercheck, accesscheck, fpcheck or *'),
    ('{\nn\nracecheck:rases\n}\n', 3, 'no such kind'),
    ('{\nn\nracecheck:leak\n}\n', 3, 'no such kind'),
    ('{\nn\nracecheck:race\nkernl:k\n}\n', 4, 'must be kernel:PATTERN, host or file:PATTERN'),
    ('{\nn\nracecheck:race\nkernel:\n}\n', 4, 'must be kernel:PATTERN, host or file:PATTERN'),
    ('{\nn\nracecheck:race\nkernel:k\nhost\n}\n', 5, 'host code or of a kernel'),
    ('{\nn\nracecheck:race\nkernel:k\nkernel:l\n}\n', 5, 'one kernel: line'),
    ('{\nn\nracecheck:race\nfile:a.c:9-3\n}\n', 4, 'a range of lines'),
    ('{\nn\nracecheck:race\nfile:a.c:0\n}\n', 4, 'a range of lines'),
    ('{\nn\nracecheck:race\n# the end\n', 4, 'must end with }'),
]


def suppressions():
    file = SCRATCH / 'out.supp'
    words = ['race', 'race-again']
    for text, left, said in SUPPRESSIONS:
        clean()
        file.write_text(text)
        output = run('racecheck', words, 1 if left else 0, PORTABLE_SUPPRESSIONS=file,
                     PORTABLE_SARIF=SARIF, PORTABLE_JUNIT=JUNIT)
        same(text, output.count('race in kernel'), left)
        for part in said:
            if part.replace('FILE', str(file)) not in output:
                fail(f'{text}: no "{part}" in {output}')
        if ('unused' in output) != any('unused' in part for part in said):
            fail(f'{text}: {output}')
        found = read_sarif()['runs'][0]['results']
        same(text, len(found), 2)
        same(text, sum('suppressions' not in result for result in found), left)
        same(text, sum(kind == 'race' for kind in read_junit()[0][1].values()), left)
    for text, number, said in REFUSED:
        clean()
        file.write_text(text)
        output = run('racecheck', words, 2, PORTABLE_SUPPRESSIONS=file, PORTABLE_SARIF=SARIF)
        start = f'PORTABLE_SUPPRESSIONS={file}:{number}: "'
        if not output.startswith(start) or said not in output or output.count('\n') != 1:
            fail(f'{text}: {output}')
        if SARIF.exists():
            fail('a program that did not run has a report')
    # A file of 1 MiB, and of a byte more.
    text = '{\n n\n racecheck:race\n}\n'
    for size, status, part in ((1 << 20, 0, ', 2 suppressed'),
                               ((1 << 20) + 1, 2, f'{file}: must be at most 1 MiB')):
        file.write_text(text + '#' * (size - len(text)))
        if part not in run('racecheck', words, status, PORTABLE_SUPPRESSIONS=file):
            fail(f'{size} bytes of suppressions: no "{part}"')
    # Several files; what is printed suppresses what it was printed for.
    clean()
    printed = run('racecheck', words, 1, PORTABLE_GEN_SUPPRESSIONS=1)
    blocks = re.findall(r'^\{\n(?:    .*\n)+\}\n', printed, re.M)
    same('printed', len(blocks), 2)
    again = run('memcheck', ['diverge', 'diverge'], 1, PORTABLE_GEN_SUPPRESSIONS=1)
    same('equal findings', again.count('is not checked to its end'), 2)
    same('printed once', len(re.findall(r'^\{$', again, re.M)), 1)
    files = [SCRATCH / f'out.{k}.supp' for k in range(2)]
    for path, block in zip(files, blocks):
        path.write_text(block)
    run('racecheck', words, 0, PORTABLE_SUPPRESSIONS=f'{files[0]}:{files[1]}')
    same('one', run('racecheck', words, 1, PORTABLE_SUPPRESSIONS=files[1]).count('race in kernel'), 1)
    for check, word in (('memcheck', 'heap-leak'), ('memcheck', 'host'), ('initcheck', 'read'),
                        ('synccheck', 'diverge'), ('memcheck', 'shift')):
        block = re.search(r'^\{\n(?:    .*\n)+\}\n',
                          run(check, [word], 1, PORTABLE_GEN_SUPPRESSIONS=1), re.M)
        file.write_text(block[0] if block else 'none')
        output = run(check, [word], 0, PORTABLE_SUPPRESSIONS=file)
        if 'LeakSanitizer' in output or ', 1 suppressed' not in output:
            fail(f'{check} {word}: {output}')


def access_limits():
    """What accesscheck's own variables select, and refuse."""
    for limits, kinds in (('atomics=31.9', ['atomics-on-one-address']), ('atomics=32', []),
                          ('threads=4', []), ('threads=4.5', ['inactive-threads']), ('', [])):
        clean()
        run('accesscheck', ['stride'], 1 if kinds else 0, PORTABLE_ACCESS_LIMITS=limits,
            PORTABLE_SARIF=SARIF)
        same(limits, [kind for kind, *_ in results(read_sarif(), 'accesscheck')], kinds)
    for limits in ('sectors', 'sectors=', 'sectors=0', 'sectors=-1', 'sectors=nan', 'sectors=2x',
                   'sectors=2,', 'sector=2', ',', '=', 'sectorsx=2', 'sectors=2,wavefronts'):
        said = run('accesscheck', [], 2, PORTABLE_ACCESS_LIMITS=limits)
        if 'PORTABLE_ACCESS_LIMITS' not in said or 'the names are sectors, bytes' not in said:
            fail(f'{limits}: {said}')
    for lines, shown in (('', 5), ('0', 0), ('1', 1), ('5', 5)):
        said = run('accesscheck', ['stride'], 0, PORTABLE_ACCESS_LIMITS='',
                   PORTABLE_ACCESS_LINES=lines)
        same(f'{lines} lines', len(re.findall(r'^    \S*program.c:', said, re.M)), min(shown, 3))
        same(f'the rest of {lines}', 'and 2 more lines' in said, lines == '1')
    for lines in ('-1', 'x', '1000001', '2 '):
        run('accesscheck', [], 2, PORTABLE_ACCESS_LINES=lines)


def limits():
    for limit, shown, last in (('1', 1, '1 more race left out by PORTABLE_FINDINGS_LIMIT=1\n'),
                               ('0', 0, '2 more races left out by PORTABLE_FINDINGS_LIMIT=0\n'),
                               ('2', 2, ''), ('', 2, '')):
        clean()
        said = run('racecheck', ['race', 'race-again'], 1, PORTABLE_FINDINGS_LIMIT=limit,
                   PORTABLE_SARIF=SARIF)
        same(f'limit {limit}', said.count('race in kernel'), shown)
        same(f'limit {limit}', len(results(read_sarif(), 'racecheck')), shown)
        if last not in said or ('left out' in said) != (last != ''):
            fail(f'limit {limit}: {said}')
        if not said.endswith('racecheck: 2 races in 2 kernels\n'):
            fail(f'limit {limit}: {said}')


def refusals():
    (SCRATCH / 'out.other').write_text('mine\n')
    fifo = SCRATCH / 'out.fifo'
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)
    zeros, link = SCRATCH / 'out.zeros', SCRATCH / 'out.link'
    zeros.write_bytes(b'{\0}\n')
    link.symlink_to('out.target')
    for name, value, said in (
            ('PORTABLE_FINDINGS_LIMIT', '-1', 'must be a number of findings, 0 to 1000000'),
            ('PORTABLE_FINDINGS_LIMIT', 'x', 'must be a number of findings, 0 to 1000000'),
            ('PORTABLE_GEN_SUPPRESSIONS', 'yes', 'must be 0 or 1'),
            ('BENIGN_SAME_VALUE', '2', 'must be 0 or 1'),
            ('ORDER', 'x', 'must be forward, reverse or shuffle:SEED, a number'),
            ('PORTABLE_STACK', 'x', "must be the KiB of a thread's stack, 16 to 1048576"),
            ('PORTABLE_SUPPRESSIONS', 'nowhere', 'No such file or directory'),
            ('PORTABLE_SUPPRESSIONS', SCRATCH, 'cannot be read'),
            ('PORTABLE_SUPPRESSIONS', '/dev/zero', 'must be at most 1 MiB'),
            ('PORTABLE_SUPPRESSIONS', zeros, 'must be text, without zero bytes'),
            ('PORTABLE_SUPPRESSIONS', ':x', 'must be files with colons between them'),
            ('PORTABLE_SARIF', '/nowhere/a.sarif', 'No such file or directory'),
            ('PORTABLE_SARIF', SCRATCH, 'must be a regular file'),
            ('PORTABLE_SARIF', '/dev/stdout', 'must be a regular file'),
            ('PORTABLE_JUNIT', link, 'must be a regular file'),
            ('PORTABLE_JUNIT', '/dev/null', 'must be a regular file'),
            ('PORTABLE_JUNIT', SCRATCH / 'out.fifo', 'must be a regular file'),
            ('PORTABLE_JUNIT', SCRATCH / 'out.other', 'must be a new file, or a report of a check'),
            ('PORTABLE_SARIF', SCRATCH / 'out.other', 'must be a new file, or a report of a check')):
        output = run('racecheck', ['work'], 2, **{name: value})
        same(name, output, f'{name}={value}: {said}\n')
    same('another file', (SCRATCH / 'out.other').read_text(), 'mine\n')


def main():
    SCRATCH.mkdir(parents=True, exist_ok=True)
    for part in (documented, kinds, endings, unfinished, sharing, paths, escapes, suppressions, limits,
                 access_limits, refusals):
        part()
    if not failed:
        print('the reports are valid, complete and as the suppressions say')
    return 1 if failed else 0


sys.exit(main())
