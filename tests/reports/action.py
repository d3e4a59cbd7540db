#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""action.py BUILD SCRATCH

action.yml is well-formed, and its steps do what it says: they run here as GitHub's runner would run
them, on a small project in a scratch directory. BUILD has portable-nvcc, so that installing it takes
no minutes. Exit status: 0 if all is as expected, 1 if not.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    print('skipped: there is no yaml for python3 (Debian: python3-yaml)')
    sys.exit(77)

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD, SCRATCH = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
ACTION = yaml.safe_load((ROOT / 'action.yml').read_text())
WORKSPACE, TEMP = SCRATCH / 'work space', SCRATCH / 'temp'
RACE = '''#include <cstdio>
__global__ void reverse(int *x)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = x[threadIdx.x]; // store
    x[threadIdx.x] = tile[63 - threadIdx.x]; // load
}
int main()
{
    int *x;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMemset(x, 0, 64 * sizeof *x);
    reverse<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
'''
MAKEFILE = 'test: race\n\t./race\nrace: race.cu\n\tnvcc -o $@ $<\n'
failed = 0


def fail(what):
    global failed
    failed += 1
    print(f'FAILED: {what}')


def same(what, got, wanted):
    if got != wanted:
        fail(f'{what}\n    is     {got}\n    not    {wanted}')


def well_formed():
    """What GitHub requires of a composite action; every expression names something that there is."""
    steps = ACTION['runs']['steps']
    same('using', ACTION['runs']['using'], 'composite')
    for name in ('name', 'description'):
        if not isinstance(ACTION.get(name), str):
            fail(f'action.yml has no {name}')
    for group, keys in (('inputs', {'description', 'required', 'default'}),
                        ('outputs', {'description', 'value'})):
        for name, about in ACTION[group].items():
            if not about.get('description') or not set(about) <= keys:
                fail(f'{group}: {name}')
    for name, about in ACTION['inputs'].items():
        if not about.get('required') and not isinstance(about.get('default'), str):
            fail(f'the input {name} is not required and has no default')
    ids = []
    for step in steps:
        if ('run' in step) == ('uses' in step) or ('run' in step) != ('shell' in step):
            fail(f'a step runs a command in a shell, or uses an action: {step}')
        if 'uses' in step and not re.fullmatch(r'[a-z-]+/[a-z-]+@v[0-9]+', step['uses']):
            fail(f'an action without a version: {step["uses"]}')
        if '${{' in step.get('run', ''):
            fail(f'an input in a command is code: {step["run"]}')
        for kind, name in re.findall(r'(inputs|steps)\.([a-z-]+)', str(step)):
            if name not in (ACTION['inputs'] if kind == 'inputs' else ids):
                fail(f'there is no {kind}.{name}')
        ids.append(step['id'])
    for name, about in ACTION['outputs'].items():
        if not re.fullmatch(r'\$\{\{ steps\.check\.outputs\.' + name + r' \}\}', about['value']):
            fail(f'the output {name} is {about["value"]}')


def pairs(path):
    return dict(line.split('=', 1) for line in path.read_text().splitlines())


def run_action(cached=False, **inputs):
    """Runs the steps; returns the exit status, the action's outputs and what it prints."""
    values = {name: about.get('default', '') for name, about in ACTION['inputs'].items()}
    values.update({name.replace('_', '-'): value for name, value in inputs.items()})
    context = {f'inputs.{name}': value for name, value in values.items()}
    environment = {'PATH': os.environ['PATH'], 'HOME': str(SCRATCH), 'LC_ALL': 'C',
                   'GITHUB_WORKSPACE': str(WORKSPACE), 'RUNNER_TEMP': str(TEMP),
                   'GITHUB_ACTION_PATH': str(ROOT)}
    said = ''
    for step in ACTION['runs']['steps']:
        if 'uses' in step:
            context[f'steps.{step["id"]}.outputs.cache-hit'] = 'true' if cached else ''
            continue
        if 'if' in step:
            name, value = re.fullmatch(r"(\S+) != '(\S+)'", step['if']).groups()
            if context[name] == value:
                continue
        files = {name: SCRATCH / name for name in ('GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_PATH')}
        for path in files.values():
            path.write_text('')
        own = {name: re.sub(r'\$\{\{ (\S+) \}\}', lambda m: context[m[1]], value)
               for name, value in step.get('env', {}).items()}
        done = subprocess.run(['bash', '-e', '-o', 'pipefail', '-c', step['run']], cwd=WORKSPACE,
                              env={**environment, **own, **{n: str(p) for n, p in files.items()}},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=1800, check=False)
        said += done.stdout
        for name, value in pairs(files['GITHUB_OUTPUT']).items():
            context[f'steps.{step["id"]}.outputs.{name}'] = value
        environment.update(pairs(files['GITHUB_ENV']))
        for directory in files['GITHUB_PATH'].read_text().splitlines():
            environment['PATH'] = f'{directory}:{environment["PATH"]}'
        if done.returncode:
            break
    outputs = {name: context.get(about['value'][4:-3]) for name, about in ACTION['outputs'].items()}
    return done.returncode, outputs, said


def project(text):
    """A checkout of a project whose tests are in a directory."""
    shutil.rmtree(WORKSPACE, ignore_errors=True)
    (WORKSPACE / '.git').mkdir(parents=True)
    (WORKSPACE / 'gpu tests').mkdir()
    (WORKSPACE / 'gpu tests' / 'race.cu').write_text(text)
    (WORKSPACE / 'gpu tests' / 'Makefile').write_text(MAKEFILE)
    (WORKSPACE / 'known.supp').write_text('{\nknown\nracecheck:race\nkernel:reverse\n}\n')


def line(mark):
    return next(n for n, text in enumerate(RACE.splitlines(), 1) if f'// {mark}' in text)


def runs():
    commands = {'build': 'make race', 'test': 'make test', 'working_directory': 'gpu tests'}
    project(RACE)
    status, outputs, said = run_action(checks='memcheck racecheck', **commands)
    same(f'a race: {said}', status, 1)
    same('outputs', outputs, {'sarif': str(WORKSPACE / 'portable.sarif'),
                              'junit': str(WORKSPACE / 'portable.xml'), 'findings': '1',
                              'unchecked': '0', 'failed': 'racecheck'})
    annotations = [text for text in said.splitlines() if text.startswith('::error ')]
    start = f'::error file=gpu tests/race.cu,line={line("load")},title=race::race in kernel reverse: a '
    if len(annotations) != 1 or not annotations[0].startswith(start) or '](' in annotations[0]:
        fail(f'annotations {annotations}, not {start}')
    log = json.loads((WORKSPACE / 'portable.sarif').read_text())
    same('runs', [one['tool']['driver']['name'] for one in log['runs']],
         ['portable.h memcheck', 'portable.h racecheck'])
    where = log['runs'][1]['results'][0]['locations'][0]['physicalLocation']['artifactLocation']
    same('a place', where, {'uri': 'gpu%20tests/race.cu', 'uriBaseId': '%SRCROOT%'})
    if (WORKSPACE / 'gpu tests' / 'race').exists():
        fail('the workspace is built in')
    # With portable-nvcc from the cache, another name of the report, and clang++ if there is one.
    compiler = 'clang++' if shutil.which('clang++') else 'g++'
    status, outputs, said = run_action(cached=True, checks='racecheck,synccheck', sarif='a.sarif',
                                       suppressions='known.supp', compiler=compiler, **commands)
    same(f'suppressed: {said}', (status, outputs['findings'], outputs['failed']), (0, '0', ''))
    if '1 suppressed' not in said or '::error' in said or not (WORKSPACE / 'a.sarif').exists():
        fail(said)
    # A kernel that faults and a program that dies are no findings.
    for body, last in (('x = nullptr; reverse<<<1, 64>>>(x);', '1 kernel not checked to its end'),
                       ('abort();', 'the program not checked to its end: Aborted')):
        project(RACE.replace('reverse<<<1, 64>>>(x);', body))
        status, outputs, said = run_action(cached=True, checks='synccheck', **commands)
        same(f'{body}: {said}', (status, outputs['findings'], outputs['unchecked'], outputs['failed']),
             (1, '0', '1', 'synccheck'))
        if f'synccheck: no divergence found, {last}' not in said:
            fail(f'{body}: {said}')
    project(RACE)
    for wrong, code, text in (
            ({'checks': 'racechek'}, 2, '::error::checks: racechek must be memcheck, racecheck,'),
            ({'checks': ' '}, 2, '::error::checks: must name one at least'),
            ({'working_directory': 'nowhere'}, 2, '::error::working-directory: there is no nowhere'),
            ({'suppressions': 'known.supp:none'}, 2, '::error::suppressions: there is no none'),
            ({'build': 'false; true'}, 1, 'racecheck: the build ended with exit status 1'),
            ({'build': 'true', 'test': 'true'}, 0, '::warning::no program')):
        status, _, said = run_action(cached=True, **{**commands, 'checks': 'racecheck', **wrong})
        if status != code or text not in said:
            fail(f'{wrong}: exit status {status}, and not "{text}" in {said}')


def main():
    well_formed()
    shutil.rmtree(SCRATCH, ignore_errors=True)
    (TEMP / 'portable-build').mkdir(parents=True)
    for name in ('CACHEDIR.TAG', 'nvcc', 'emulate-runtime'):  # as built: times are kept
        subprocess.run(['cp', '-a', BUILD / name, TEMP / 'portable-build'], check=True)
    runs()
    if not failed:
        print('the action reports a race, and what is suppressed no more')
    return 1 if failed else 0


sys.exit(main())
