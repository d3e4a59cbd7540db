# SPDX-License-Identifier: 0BSD
"""scipy_cg.py N | MATRIX.mtx: SciPy's conjugate gradients with Jacobi, on one core: the time."""
import sys
import time

import numpy
import scipy.io
import scipy.sparse
import scipy.sparse.linalg

if sys.argv[1].endswith(".mtx"):
    a = scipy.io.mmread(sys.argv[1]).tocsr()
    b = a @ numpy.ones(a.shape[0])
else:
    n = int(sys.argv[1])
    line = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], (n, n))
    a = scipy.sparse.csr_matrix(scipy.sparse.kronsum(scipy.sparse.kronsum(line, line), line))
    b = numpy.full(n**3, 1 / (n + 1) ** 2)
count = [0]
jacobi = scipy.sparse.diags(1 / a.diagonal())
start = time.perf_counter()
x, status = scipy.sparse.linalg.cg(a, b, rtol=1e-10, atol=0, maxiter=200000, M=jacobi,
                                   callback=lambda _: count.__setitem__(0, count[0] + 1))
seconds = time.perf_counter() - start
print(f"SciPy: {count[0]} iterations, {seconds:.3f} s, {1e6 * seconds / count[0]:.1f} us each; "
      f"true residual {numpy.linalg.norm(b - a @ x) / numpy.linalg.norm(b):.2e}")
