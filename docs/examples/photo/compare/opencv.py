# SPDX-License-Identifier: 0BSD
"""Times photo beside OpenCV, alternately: python3 compare/opencv.py build/serial/photo IMAGE [THREADS]
Needs opencv-python-headless. Prints medians in milliseconds, and how far results are apart."""
import re
import statistics
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np

program, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1
cv2.setNumThreads(threads)
out = tempfile.mkdtemp()
image = cv2.imread(path, cv2.IMREAD_UNCHANGED)
names = ["grey levels", "equalisation", "bilateral filter", "edge candidates", "components"]
ours, theirs = {n: [] for n in names}, {n: [] for n in names}


def timed(name, call):
    start = time.perf_counter()
    result = call()
    theirs[name].append(1e3 * (time.perf_counter() - start))
    return result


for turn in range(9):
    text = subprocess.run([program, "--out", out, path], check=True, capture_output=True, text=True).stdout
    for name, ms in re.findall(r"^([a-z ]+?) +([0-9.]+) ms", text, re.M):
        ours[name].append(float(ms))
    grey = timed(names[0], lambda: cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)) if image.ndim == 3 else image
    equal = timed(names[1], lambda: cv2.equalizeHist(grey))
    smooth = timed(names[2], lambda: cv2.bilateralFilter(equal, 11, 20, 3, borderType=cv2.BORDER_REPLICATE))
    ours_smooth = cv2.imread(out + "/smooth.png", 0)
    edges = timed(names[3], lambda: cv2.Canny(ours_smooth, 80, 200))
    timed(names[4], lambda: cv2.connectedComponents(edges, connectivity=8))

print(f"{path}, OpenCV {cv2.__version__} with {threads} thread(s)")
for name in names:
    if ours[name] and theirs[name]:
        print(f"{name:17} {statistics.median(ours[name]):9.3f} ms  OpenCV {statistics.median(theirs[name]):9.3f} ms")
ours_edges = cv2.imread(out + "/edges.png", 0)
print("apart: smooth by at most", int(np.abs(ours_smooth.astype(int) - smooth).max()), "levels, edges in",
      np.count_nonzero(ours_edges != edges), "pixels")
