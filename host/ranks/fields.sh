# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034
# For awk programs that read the lines of JSON of gallery-ranks bench: whether the line is one, and
# the functions of host/fields.awk. These scripts are in this directory.
fields='function is_result() { return /^[{]"case": .*[}]$/ }
'$(cat "$(dirname "$0")/../fields.awk")
