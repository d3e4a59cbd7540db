# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scripts that start ranks by $MPIEXEC. They have the directory $scratch; scripts with the same
# parent directory start one mpiexec at a time, because ranks that wait for messages keep cores
# busy.

# Open MPI, as root and with more ranks than cores: ranks yield their core while they wait, do not
# look for networks, and are killed without a second's delay when one has failed. One rank without
# mpiexec starts no daemon.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1 OMPI_MCA_odls_base_sigkill_timeout=0
export OMPI_MCA_ess_singleton_isolated=1
# MPICH yields after so many polls, 1000 by default.
export MPIR_CVAR_POLLS_BEFORE_YIELD=1
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

# Ends a run that hangs; none takes more than seconds. Waiting for one's turn does not
# count.
limit="timeout -k 10 600"
MPIEXEC="flock -o $scratch/../mpiexec.lock $limit ${MPIEXEC:-mpiexec}"

# ranks N COMMAND...: one rank needs no mpiexec
ranks() {
    count=$1
    shift
    if [ "$count" = 1 ]; then
        $limit "$@"
    else
        $MPIEXEC -n "$count" "$@"
    fi
}
