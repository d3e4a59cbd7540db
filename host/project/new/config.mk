# SPDX-License-Identifier: 0BSD
# Settings of this machine; git ignores this file.
PORTABLE ?= @PORTABLE@
