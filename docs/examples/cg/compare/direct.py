# SPDX-License-Identifier: 0BSD
"""direct.py MATRIX.mtx SOLUTION.npy: compares cg's solution of A x = A (1, ..., 1) with SuperLU's."""
import sys

import numpy
import scipy.io
import scipy.sparse.linalg

a = scipy.io.mmread(sys.argv[1]).tocsc()
x = numpy.load(sys.argv[2])
b = a @ numpy.ones(a.shape[0])
direct = scipy.sparse.linalg.splu(a).solve(b)
inverse = scipy.sparse.linalg.splu(a).solve
# |x - direct| <= |A^-1| (both residuals), and |A^-1| = 1 / the smallest eigenvalue.
operator = scipy.sparse.linalg.LinearOperator(a.shape, matvec=inverse, dtype=float)
largest = scipy.sparse.linalg.eigsh(a, 1, return_eigenvectors=False)[0]
smallest = 1 / scipy.sparse.linalg.eigsh(operator, 1, return_eigenvectors=False)[0]
residuals = [numpy.linalg.norm(b - a @ v) for v in (x, direct)]
bound = sum(residuals) / smallest
difference = numpy.linalg.norm(x - direct)
print(f"condition number {largest / smallest:.2e}; relative residuals: cg "
      f"{residuals[0] / numpy.linalg.norm(b):.1e}, SuperLU {residuals[1] / numpy.linalg.norm(b):.1e}")
print(f"distance of the solutions {difference:.2e}; by the residuals at most {bound:.2e}")
sys.exit(not difference <= bound)
