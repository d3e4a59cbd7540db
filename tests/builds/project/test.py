# SPDX-License-Identifier: BSD-3-Clause
import sys

import smooth

sys.exit(smooth.test(sys.argv[1] if len(sys.argv) > 1 else ''))
