# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scripts that make ranks fail by faults.c, which it compiles by $cc with $MPI_CFLAGS.
# shellcheck disable=SC2154 # variables of the script
# shellcheck disable=SC2086 # a compiler, and flags
$cc -std=c11 -O1 -shared -fPIC $MPI_CFLAGS "$here/faults.c" -o "$scratch/faults.so" -ldl ||
    { echo "FAILED: faults.c does not compile"; exit 1; }

# faulty DIRECTORY RANK AT CALL|"" HOW COMMAND...: 3 ranks with these settings of faults.c; process
# numbers go to DIRECTORY/pid.RANK
faulty() {
    pids=$1 fault_rank=$2 fault_at=$3 fault_call=${4:+FAULT_CALL=$4} fault_how=$5
    shift 5
    # shellcheck disable=SC2016 # for the inner shell
    ranks 3 sh -c 'echo $$ >"$0/pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; exec "$@"' "$pids" \
        env LD_PRELOAD="$scratch/faults.so" FAULT_RANK="$fault_rank" FAULT_AT="$fault_at" \
        FAULT_HOW="$fault_how" $fault_call "$@"
}

# await DIRECTORY: waits until the ranks have ended, ten seconds at most; mpiexec may end before
# those that it has killed
await() {
    for rank in 0 1 2; do
        waited=0
        while kill -0 "$(cat "$1/pid.$rank")" 2>/dev/null && [ $waited -lt 100 ]; do
            sleep 0.1
            waited=$((waited + 1))
        done
    done
}
