#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# refusals.sh NVCC SCRATCH
# Each program in tests/cuda/fail/ is refused with its sentence. Exit status: 0, or 1 if not.
set -u
status=0
for program in "$(dirname "$0")"/fail/*.cu; do
    "$(dirname "$0")/run.sh" "$1" "$2" "$program" || status=1
done
exit $status
