# SPDX-License-Identifier: 0BSD
"""Times heat beside NumPy and SciPy: python3 compare/scipy_heat.py build/serial/heat IMAGE
The same plate: time steps by NumPy, the steady state by SciPy's sparse direct solver and by its
conjugate gradients. Prints seconds, alternately measured, and the hottest cell of each."""
import re
import subprocess
import sys
import time

import numpy as np
import scipy.ndimage as ndimage
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

program, path, dark, steps = sys.argv[1], sys.argv[2], 80, 600
magic, width, height, _, pixels = open(path, "rb").read().split(maxsplit=4)
w, h = int(width), int(height)
assert magic == b"P5" and w % 64 == 0 and h % 64 == 0, "this script takes PGM of multiples of 64"
image = np.frombuffer(pixels, np.uint8)[-w * h:].reshape(h, w).astype(float)
ones = np.ones((13, 13))
bright = ndimage.convolve(image, ones, mode="constant") >= dark * ndimage.convolve(np.ones((h, w)), ones, mode="constant") - 1e-6
labels, _ = ndimage.label(bright)
at_frame = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
conducts = np.isin(labels, at_frame[at_frame > 0])
padded = np.pad(conducts, 1).astype(float)
east, south = padded[1:-1, :-1] * padded[1:-1, 1:], padded[:-1, 1:-1] * padded[1:, 1:-1]
east[:, 0], east[:, -1] = 2 * conducts[:, 0], 2 * conducts[:, -1]
south[0], south[-1] = 2 * conducts[0], 2 * conducts[-1]
y, x = np.mgrid[:h, :w]
heat = (((x - w * 3 // 4) ** 2 + (y - h * 3 // 10) ** 2 <= (h // 20) ** 2) & conducts).astype(float)
heat /= heat.sum()


def numpy_steps():
    u = np.zeros((h + 2, w + 2))
    for _ in range(steps):
        flow_x, flow_y = east * np.diff(u, axis=1)[1:-1], south * np.diff(u, axis=0)[:, 1:-1]
        u[1:-1, 1:-1] += (np.diff(flow_x, axis=1) + np.diff(flow_y, axis=0) + heat) / 6
    return u


number = np.where(conducts, np.cumsum(conducts).reshape(h, w) - 1, -1)
count = int(conducts.sum())
diagonal = (east[:, 1:] + east[:, :-1] + south[1:] + south[:-1])[conducts]
rows, columns = [np.arange(count)], [np.arange(count)]
values = [diagonal]
for a, b, k in ((number[:, 1:], number[:, :-1], east[:, 1:-1]), (number[1:], number[:-1], south[1:-1])):
    open_faces = k > 0
    for i, j in ((a, b), (b, a)):
        rows.append(i[open_faces])
        columns.append(j[open_faces])
        values.append(-k[open_faces])
matrix = sparse.csc_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))))


def timed(name, call):
    start = time.perf_counter()
    hottest = float(call().max())
    seconds.setdefault(name, []).append(time.perf_counter() - start)
    return hottest


seconds, hot = {}, {}
for turn in range(3):
    text = subprocess.run([program, "--steps", str(steps), "--frames", "1", path], check=True, capture_output=True, text=True).stdout
    seconds.setdefault("heat's V-cycles", []).append(float(re.search(r"V-cycles in ([0-9.]+)", text)[1]))
    seconds.setdefault("heat's steps", []).append(float(re.search(r"steps in ([0-9.]+)", text)[1]))
    hot["heat's V-cycles"] = float(re.search(r"cell has ([0-9.]+)", text)[1])
    timed("NumPy's steps", numpy_steps)
    hot["SciPy's spsolve"] = timed("SciPy's spsolve", lambda: linalg.spsolve(matrix, heat[conducts]))
    hot["SciPy's cg"] = timed("SciPy's cg", lambda: linalg.cg(matrix, heat[conducts], rtol=1e-10)[0])
for name, times in seconds.items():
    print(f"{name:17} {sorted(times)[1]:8.3f} s" + (f"  hottest {hot[name]:.9f}" if name in hot else f"  for {steps} steps"))
