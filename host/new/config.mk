# SPDX-License-Identifier: 0BSD
# What holds on this machine alone; git does not keep it.
PORTABLE ?= @PORTABLE@
