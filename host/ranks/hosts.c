/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI between hosts: begin and end, messages of host memory, and failures, on which all ranks agree
 * or which end them all. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "communicator.h"

#include <time.h>   /* nanosleep */
#include <unistd.h> /* _exit */

enum { LONGEST_MESSAGE = 0x7fffffff };

struct portable_ranks ranks_here;
size_t ranks_limit;
enum ranks_state ranks_state = RANKS_BEFORE;
MPI_Comm ranks_communicator = MPI_COMM_NULL;

static MPI_Comm node = MPI_COMM_NULL; /* the ranks of this machine */
static MPI_Win failures;              /* one int on each machine: whether a rank of it has failed */
static int *node_failed;

/* The last failure that all ranks agreed on: whichever of them reports it names the rank that had
 * it. */
static struct {
    int rank;
    char message[512];
} agreed_failure;

/* ===============================================================================================
 * Failures
 * ============================================================================================== */

portable_status ranks_from_mpi(int error, const char *call)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length;

    if (error == MPI_SUCCESS)
        return PORTABLE_SUCCESS;
    MPI_Error_string(error, text, &length);
    return portable_fail_(PORTABLE_ERROR_DEVICE, "%s: %s", call, text);
}

portable_status ranks_ready(const char *call)
{
    static const char *const reasons[] = {
        "portable_ranks_begin has not been called", "portable_ranks_begin has failed", NULL,
        "portable_ranks_end has been called", "portable_ranks_end has been called"};
    const char *reason = reasons[ranks_state];

    return reason ? portable_fail_(PORTABLE_ERROR_INVALID_VALUE, "%s: %s", call, reason)
                  : PORTABLE_SUCCESS;
}

portable_status ranks_agree(portable_status status)
{
    struct failure {
        int status;
        char message[512];
    } mine, *all = (struct failure *)calloc((size_t)ranks_here.count, sizeof *all);

    if (!all)
        portable_ranks_stop(EXIT_FAILURE, "no memory for the failures of %d ranks",
                            ranks_here.count);
    mine.status = (int)status;
    snprintf(mine.message, sizeof mine.message, "%s",
             status == PORTABLE_SUCCESS ? "" : portable_last_message());
    ranks_gather_hosts(&mine, all, sizeof mine);
    portable_status agreed = PORTABLE_SUCCESS;
    agreed_failure.message[0] = 0;
    for (int r = 0; r < ranks_here.count && agreed == PORTABLE_SUCCESS; r++)
        if (all[r].status != PORTABLE_SUCCESS) {
            agreed = portable_fail_((portable_status)all[r].status, "%s", all[r].message);
            agreed_failure.rank = r;
            snprintf(agreed_failure.message, sizeof agreed_failure.message, "%s", all[r].message);
        }
    free(all);
    return agreed;
}

/* Whether this rank is the first of its machine to fail; once. */
static int first_to_fail(void)
{
    int expected = 0;

    return __atomic_compare_exchange_n(node_failed, &expected, 1, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

void portable_ranks_stop(int exit_status, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    const int has_ranks = ranks_state == RANKS_STARTED || ranks_state == RANKS_RUNNING;
    const int code = exit_status == 0 ? EXIT_FAILURE : exit_status;
    int rank = ranks_here.rank;

    ranks_state = RANKS_ENDING;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (agreed_failure.message[0] && strstr(text, agreed_failure.message))
        rank = agreed_failure.rank;
    fflush(stdout);
    if (!has_ranks) {
        fprintf(stderr, "%s\n", text);
        exit(code);
    }
    const int is_first = first_to_fail();
    if (is_first)
        fprintf(stderr, "rank %d of %d: %s\n", rank, ranks_here.count, text);
    /* mpiexec must have forwarded the line before MPI_Abort ends all ranks. Ranks that fail later
     * wait to be ended. */
    const struct timespec delay = {is_first ? 0 : 5, is_first ? 200000000 : 0};
    nanosleep(&delay, NULL);
    if (ranks_here.count > 1)
        MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
}

/* ===============================================================================================
 * Begin and end
 * ============================================================================================== */

/* A program that exits without portable_ranks_end: PORTABLE_CHECK, which has printed why, or exit
 * in any function. */
static void at_exit(void)
{
    if (ranks_state == RANKS_STARTED || ranks_state == RANKS_RUNNING)
        portable_ranks_stop(EXIT_FAILURE, "the program ended before portable_ranks_end");
}

portable_status ranks_begin_hosts(void)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, unit, has_begun, level;
    MPI_Aint bytes;

    if (ranks_state != RANKS_BEFORE)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "portable_ranks_begin has been called before");
    TRY_MPI(MPI_Initialized(&has_begun));
    if (has_begun)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "MPI_Init was called before portable_ranks_begin, which calls it");
    TRY_MPI(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level));
    TRY_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &ranks_communicator));
    TRY_MPI(MPI_Comm_set_errhandler(ranks_communicator, MPI_ERRORS_RETURN));
    TRY_MPI(MPI_Comm_rank(ranks_communicator, &ranks_here.rank));
    TRY_MPI(MPI_Comm_size(ranks_communicator, &ranks_here.count));
    TRY_MPI(MPI_Comm_split_type(ranks_communicator, MPI_COMM_TYPE_SHARED, ranks_here.rank,
                                MPI_INFO_NULL, &node));
    TRY_MPI(MPI_Comm_rank(node, &ranks_here.node_rank));
    TRY_MPI(MPI_Comm_size(node, &ranks_here.node_count));
    TRY_MPI(MPI_Win_allocate_shared(ranks_here.node_rank == 0 ? sizeof(int) : 0, sizeof(int),
                                    MPI_INFO_NULL, node, &node_failed, &failures));
    TRY_MPI(MPI_Win_shared_query(failures, 0, &bytes, &unit, &node_failed));
    if (ranks_here.node_rank == 0)
        *node_failed = 0;
    TRY_MPI(MPI_Barrier(node));
    TRY_MPI(MPI_Get_library_version(library, &length));
    snprintf(ranks_here.library, sizeof ranks_here.library, "%.*s", (int)strcspn(library, ",\n\t"),
             library);
    ranks_state = RANKS_STARTED;
    if (atexit(at_exit) != 0)
        portable_ranks_stop(EXIT_FAILURE, "atexit has no room");
    return PORTABLE_SUCCESS;
}

portable_status ranks_choose_limit(void)
{
    const char *text = getenv("RANKS_MESSAGE_LIMIT");
    unsigned long long value = text ? 0 : LONGEST_MESSAGE;

    for (const char *next = text; next && *next; next++) {
        if (*next < '0' || *next > '9' || value > LONGEST_MESSAGE) {
            value = 0;
            break;
        }
        value = 10 * value + (unsigned long long)(*next - '0');
    }
    if (value < 16 || value > LONGEST_MESSAGE)
        return portable_fail_(PORTABLE_ERROR_INVALID_VALUE,
                              "RANKS_MESSAGE_LIMIT=%s: must be a number of bytes from 16 to %d",
                              text, LONGEST_MESSAGE);
    /* Whole elements of every type. */
    ranks_limit = (size_t)value / 16 * 16;
    return PORTABLE_SUCCESS;
}

portable_status ranks_end_hosts(void)
{
    TRY_MPI(MPI_Win_free(&failures));
    TRY_MPI(MPI_Comm_free(&node));
    TRY_MPI(MPI_Comm_free(&ranks_communicator));
    TRY_MPI(MPI_Finalize());
    ranks_state = RANKS_AFTER;
    return PORTABLE_SUCCESS;
}

double ranks_seconds(void)
{
    return MPI_Wtime();
}

/* ===============================================================================================
 * Messages
 * ============================================================================================== */

void ranks_gather_hosts(const void *values, void *all, size_t bytes)
{
    CHECK_MPI(
        MPI_Allgather(values, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, ranks_communicator));
}

void ranks_exchange_hosts(const void *values, void *all, size_t bytes)
{
    CHECK_MPI(
        MPI_Alltoall(values, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, ranks_communicator));
}

void ranks_exchange_hosts_of(const void *values, const size_t *bytes, void *all,
                             const size_t *all_bytes)
{
    const int rank = ranks_here.rank, count = ranks_here.count;

    for (int distance = 0; distance < count; distance++) {
        const int to = (rank + distance) % count, from = (rank + count - distance) % count;
        const size_t out = bytes[to], in = all_bytes[from];
        const char *send = (const char *)values;
        char *receive = (char *)all;

        for (int r = 0; r < to; r++)
            send += bytes[r];
        for (int r = 0; r < from; r++)
            receive += all_bytes[r];
        for (size_t done = 0; done < out || done < in; done += ranks_limit) {
            const int has_out = done < out, has_in = done < in;

            CHECK_MPI(MPI_Sendrecv(
                send + (has_out ? done : 0), has_out ? ranks_piece(out, done) : 0, MPI_BYTE,
                has_out ? to : MPI_PROC_NULL, 0, receive + (has_in ? done : 0),
                has_in ? ranks_piece(in, done) : 0, MPI_BYTE, has_in ? from : MPI_PROC_NULL, 0,
                ranks_communicator, MPI_STATUS_IGNORE));
        }
    }
}

void ranks_broadcast_host(void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += ranks_limit)
        CHECK_MPI(MPI_Bcast((char *)data + done, ranks_piece(bytes, done), MPI_BYTE, 0,
                            ranks_communicator));
}

void ranks_send_host(const void *data, size_t bytes, int to)
{
    for (size_t done = 0; done < bytes; done += ranks_limit)
        CHECK_MPI(MPI_Send((const char *)data + done, ranks_piece(bytes, done), MPI_BYTE, to, 0,
                           ranks_communicator));
}

void ranks_receive_host(void *data, size_t bytes, int from)
{
    for (size_t done = 0; done < bytes; done += ranks_limit)
        CHECK_MPI(MPI_Recv((char *)data + done, ranks_piece(bytes, done), MPI_BYTE, from, 0,
                           ranks_communicator, MPI_STATUS_IGNORE));
}

void ranks_signal(int to, int tag)
{
    MPI_Request request;

    CHECK_MPI(MPI_Isend(NULL, 0, MPI_BYTE, to, tag, ranks_communicator, &request));
    CHECK_MPI(MPI_Request_free(&request));
}

void ranks_await_signal(int from, int tag)
{
    CHECK_MPI(MPI_Recv(NULL, 0, MPI_BYTE, from, tag, ranks_communicator, MPI_STATUS_IGNORE));
}

void ranks_barrier(void)
{
    CHECK_MPI(MPI_Barrier(ranks_communicator));
}
