# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scripts that start ranks: `ranks N COMMAND...`, by $MPIEXEC. Open MPI gets more ranks than
# cores, also as root, without a wait in which a rank keeps its core.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
MPIEXEC=${MPIEXEC:-mpiexec}

ranks() {
    count=$1
    shift
    timeout 100 $MPIEXEC -n "$count" "$@"
}
