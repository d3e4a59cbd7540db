/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make ordercheck: whether the order of the threads decides the results. racecheck.c finds the
 * unordered accesses; here atomics count too, by the rules of operations.h, and fences do not,
 * because which of two threads a fence puts first is up to the schedule.
 *
 * If there is no finding, every schedule of the launch gives the same bits. Suppose that one
 * differs, and take its first access that does. It reads, because writes depend on reads before
 * them. A plain read is ordered with all writes of its bytes, by barriers, which are the same in
 * each schedule. So is an atomic whose value is used with all other writes. What unordered atomics
 * leave behind is read after all of them, and they commute. So there is no such access.
 */
#define ORDERCHECK 1
#include "host/checks/racecheck.c"
