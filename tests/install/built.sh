# SPDX-License-Identifier: BSD-3-Clause
# Sourced: fills $scratch/build, where make install of the checkout builds, with the objects of
# BUILT, a build directory of make check that has them all. make builds again what is older than its
# source or has other flags, as times and the files of flags are kept.
mkdir -p "$scratch/build"
if [ -e "${BUILT:-}/CACHEDIR.TAG" ]; then
    (cd "$BUILT" && cp -a CACHEDIR.TAG emulate-runtime harness neutral nvcc serial "$scratch/build") || exit 1
fi
