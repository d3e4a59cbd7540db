/* SPDX-License-Identifier: BSD-3-Clause */
/* host/timer.h. */
#define _POSIX_C_SOURCE 200809L
#include "host/timer.h"

#include <math.h>      /* fabs */
#include <pthread.h>   /* pthread_create, pthread_join */
#include <semaphore.h> /* sem_init, sem_wait, sem_post, sem_destroy */
#include <time.h>      /* nanosleep */
#include <unistd.h>    /* close */

#include <stdarg.h> /* this and the next three: what cmocka.h needs before it */
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_seconds_never_go_back(void **state)
{
    double last = timer_seconds();

    (void)state;
    for (int k = 0; k < 1000; k++) {
        double now = timer_seconds();

        assert_true(now >= last);
        last = now;
    }
}

static void test_summary_of_an_odd_count(void **state)
{
    double samples[] = {3.0, 1.0, 100.0, 2.0, 6.0};
    struct timer_summary summary = timer_summarise(samples, 5);

    (void)state;
    assert_true(summary.minimum == 1.0);
    assert_true(summary.lower == 2.0);
    assert_true(summary.median == 3.0);
    assert_true(summary.upper == 6.0);
}

static void test_summary_of_an_even_count(void **state)
{
    double samples[] = {4.0, 1.0, 2.0, 8.0}; /* quartiles at 0.75, 1.5 and 2.25 */
    struct timer_summary summary = timer_summarise(samples, 4);

    (void)state;
    assert_true(summary.minimum == 1.0);
    assert_true(summary.lower == 1.75);
    assert_true(summary.median == 3.0);
    assert_true(summary.upper == 5.0);
}

static void test_summary_of_one(void **state)
{
    double sample = 7.0;
    struct timer_summary summary = timer_summarise(&sample, 1);

    (void)state;
    assert_true(summary.minimum == 7.0);
    assert_true(summary.lower == 7.0);
    assert_true(summary.median == 7.0);
    assert_true(summary.upper == 7.0);
}

static double turn(double seconds)
{
    const double start = timer_seconds();
    volatile double sum = 0;

    while (timer_seconds() - start < seconds)
        sum = sum + 1;
    return sum;
}

/* Asleep it has no core; at work it has one, for less time than passes. */
static void test_own_seconds(void **state)
{
    const struct timespec rest = {0, 50000000};
    const double start = timer_seconds(), own = timer_own_seconds();

    (void)state;
    nanosleep(&rest, NULL);
    assert_true(timer_own_seconds() - own < 0.04);
    turn(0.02);
    assert_true(timer_own_seconds() - own > 0);
    assert_true(timer_own_seconds() - own <= timer_seconds() - start);
}

/* What a thread waited for is left out, and nothing else. */
static void test_waits(void **state)
{
    struct timer_waits waits;
    double seconds, own;

    (void)state;
    timer_waits_open(&waits);
    if (waits.count == 0)
        skip(); /* the system does not tell */
    assert_int_equal(waits.count, 1);
    timer_waits_begin(&waits);
    seconds = timer_seconds();
    own = timer_own_seconds();
    turn(0.02);
    own = timer_own_seconds() - own;
    seconds = timer_seconds() - seconds;
    struct timer_share share = timer_waits_end(&waits, seconds);
    assert_true(share.waited ? fabs(share.seconds - own) < 0.05 * own : share.seconds == seconds);
    waits.threads[0].delay -= 1; /* as if it had waited for a second */
    share = timer_waits_end(&waits, seconds);
    assert_true(fabs(share.seconds - own) < 0.05 * own + 1e-3);
    assert_true(share.waited && !share.idle);
    close(waits.threads[0].file); /* as if the system did not tell */
    waits.threads[0].file = -1;
    timer_waits_begin(&waits);
    turn(0.002);
    share = timer_waits_end(&waits, 0.002);
    assert_true(share.seconds == 0.002 && !share.waited && !share.idle);
    timer_waits_close(&waits);
    assert_int_equal(waits.count, 0);
    share = timer_waits_end(&waits, 3);
    assert_true(share.seconds == 3 && !share.waited);
}

static sem_t begin, done;

static void *turn_when_told(void *unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        sem_wait(&begin);
        turn(0.002);
        sem_post(&done);
    }
    return NULL;
}

static void let_turn(void)
{
    sem_post(&begin);
    sem_wait(&done);
}

/* Of two threads, one that sleeps all the time is idle. */
static void test_idle(void **state)
{
    struct timer_waits waits;
    struct timer_share asleep, awake;
    pthread_t other;

    (void)state;
    sem_init(&begin, 0, 0);
    sem_init(&done, 0, 0);
    assert_int_equal(pthread_create(&other, NULL, turn_when_told, NULL), 0);
    let_turn();
    nanosleep(&(struct timespec){0, 10000000}, NULL); /* until it is back at its semaphore */
    timer_waits_open(&waits);
    const int known = waits.count > 0;
    timer_waits_begin(&waits);
    turn(0.002);
    asleep = timer_waits_end(&waits, 0.002);
    timer_waits_begin(&waits);
    let_turn();
    turn(0.002);
    awake = timer_waits_end(&waits, 0.004);
    let_turn();
    timer_waits_close(&waits);
    pthread_join(other, NULL);
    sem_destroy(&begin);
    sem_destroy(&done);
    if (!known)
        skip(); /* the system does not tell */
    assert_true(asleep.idle);
    assert_false(awake.idle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seconds_never_go_back),
        cmocka_unit_test(test_summary_of_an_odd_count),
        cmocka_unit_test(test_summary_of_an_even_count),
        cmocka_unit_test(test_summary_of_one),
        cmocka_unit_test(test_own_seconds),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_idle),
    };

    return cmocka_run_group_tests_name("timer", tests, NULL, NULL) != 0;
}
