// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
int first_reversed(void), second_reversed(void); // launches a kernel with static shared memory
void first_add(int *to), second_add(int *to);    // adds to the caller's device memory
int first_error(void), second_error(void);       // cudaGetLastError
void first_fail(void), second_fail(void);        // a launch that is refused
void first_bug(const char *), second_bug(const char *); // a bug for this check
}
