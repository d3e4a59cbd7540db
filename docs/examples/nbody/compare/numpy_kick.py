# SPDX-License-Identifier: 0BSD
"""numpy_kick.py N: the forces between all pairs of N bodies by NumPy, in single precision: pairs/s."""
import sys
import time

import numpy

n = int(sys.argv[1])
random = numpy.random.default_rng(1)
x = random.standard_normal((3, n)).astype(numpy.float32)
mass = numpy.full(n, 1 / n, numpy.float32)
times = []
for _ in range(5):
    start = time.perf_counter()
    a = numpy.zeros_like(x)
    for first in range(0, n, 256):  # blocks that fit the cache
        d = x[:, None, :] - x[:, first:first + 256, None]
        square = numpy.float32(1e-3) + d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
        a[:, first:first + 256] = (d * (mass / (square * numpy.sqrt(square)))).sum(axis=2)
    times.append(time.perf_counter() - start)
print(f"NumPy: {n} bodies, {n * n / sorted(times)[2]:.3g} pairs per second")
