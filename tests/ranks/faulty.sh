# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scripts that make ranks fail by faults.c, which it compiles by $cc with $MPI_CFLAGS.
# shellcheck disable=SC2154 # variables of the script
# shellcheck disable=SC2086 # a compiler, and flags
$cc -std=c11 -O1 -shared -fPIC $MPI_CFLAGS "$here/faults.c" -o "$scratch/faults.so" -ldl ||
    { echo "FAILED: faults.c does not compile"; exit 1; }
: >"$scratch/alive"

# faulty RANKS RANK AT CALL|"" HOW COMMAND...: with these settings of faults.c. Ends after all
# ranks; mpiexec may end before those that it has killed.
faulty() {
    fault_ranks=$1 fault_rank=$2 fault_at=$3 fault_call=${4:+FAULT_CALL=$4} fault_how=$5
    shift 5
    # Each rank holds the lock until it ends, by its stdin: other descriptors may be mpiexec's.
    ranks "$fault_ranks" sh -c 'exec <"$0" && flock -s 0 && exec "$@"' "$scratch/alive" \
        env LD_PRELOAD="$scratch/faults.so" FAULT_RANK="$fault_rank" FAULT_AT="$fault_at" \
        FAULT_HOW="$fault_how" $fault_call "$@"
    fault_status=$?
    $limit flock "$scratch/alive" true || return
    return $fault_status
}
