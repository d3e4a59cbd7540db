/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches, launches in a kernel, and host calls. */
#include "wrong.h"

KERNEL(probe)(int n, float *x)
{
    GRID_STRIDE_LOOP(i, n)
        x[i] = 0;
}

#define LAUNCH(name, wrong, right)                                                                 \
    portable_status name(float *x, const int *numbers)                                             \
    {                                                                                              \
        const double half = 0.5;                                                                   \
        (void)x;                                                                                   \
        (void)numbers;                                                                             \
        (void)half;                                                                                \
        return WRONG(wrong) RIGHT(right);                                                          \
    }

// case: launch_block_is_a_double
// expect: a grid and a block are integers or dim3s: KERNEL_LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...)
// errors: 1
LAUNCH(launch_block_is_a_double, KERNEL_LAUNCH(probe, 4, half, 0, 0, 100, x),
       KERNEL_LAUNCH(probe, 4, 32, 0, 0, 100, x))
// case: launch_grid_is_a_pointer
// expect: a grid and a block are integers or dim3s: KERNEL_LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...)
// errors: 1
LAUNCH(launch_grid_is_a_pointer, KERNEL_LAUNCH(probe, numbers, 32, 0, 0, 100, x),
       KERNEL_LAUNCH(probe, 4, 32, 0, 0, 100, x))
// case: launch_without_its_block
// expect-gcc: macro "KERNEL_LAUNCH" requires
// expect-clang: too few arguments provided to function-like macro invocation
// errors: 1
#ifndef CORRECTED
portable_status launch_without_its_block(void)
{
    return KERNEL_LAUNCH(probe, 4);
}
#endif
// case: launch_with_an_argument_too_few
// expect: too few arguments to function
LAUNCH(launch_with_an_argument_too_few, KERNEL_LAUNCH(probe, 4, 32, 0, 0, 100),
       KERNEL_LAUNCH(probe, 4, 32, 0, 0, 100, x))
// case: launch_with_an_argument_too_many
// expect: too many arguments to function
LAUNCH(launch_with_an_argument_too_many, KERNEL_LAUNCH(probe, 4, 32, 0, 0, 100, x, x),
       KERNEL_LAUNCH(probe, 4, 32, 0, 0, 100, x))
// case: launch_cooperative_with_an_argument_too_few
// expect: too few arguments to function
LAUNCH(launch_cooperative_with_an_argument_too_few,
       KERNEL_LAUNCH_COOPERATIVE(probe, 4, 32, 0, 0, 100),
       KERNEL_LAUNCH_COOPERATIVE(probe, 4, 32, 0, 0, 100, x))
// case: launch_of_no_kernel
// expect: portable_bounds_no_such_kernel_
LAUNCH(launch_of_no_kernel, KERNEL_LAUNCH(no_such_kernel, 4, 32, 0, 0, 100, x),
       KERNEL_LAUNCH(probe, 4, 32, 0, 0, 100, x))
// case: shared_limit_of_no_kernel
// expect: no_such_kernel
LAUNCH(shared_limit_of_no_kernel, KERNEL_SHARED_LIMIT(no_such_kernel, 65536),
       KERNEL_SHARED_LIMIT(probe, 65536))

// case: device_launch_of_an_undeclared_child
// expect: struct child_declared_by_KERNEL_CHILD
WRONG(KERNEL(child)(float *out);)
RIGHT(KERNEL_CHILD(child, float *);)
KERNEL(device_launch_of_an_undeclared_child)(float *out)
{
    GRID_STRIDE_LOOP(i, 1)
        DEVICE_LAUNCH(child, 1, 1, 0, out + i);
}

// case: device_launch_with_an_argument_too_few
// expect: too few arguments to function
KERNEL_CHILD(child_of_two, int, float *);
KERNEL(device_launch_with_an_argument_too_few)(float *out)
{
    GRID_STRIDE_LOOP(i, 1)
        DEVICE_LAUNCH(child_of_two, 1, 1, 0, RIGHT(i, ) out);
}

// case: device_launch_at_block_scope
// expect: DEVICE_LAUNCH at block scope would run once per block on the CPU and once per thread on the GPU
KERNEL(device_launch_at_block_scope)(float *out)
{
    FOR_EACH_BLOCK(32) {
        RIGHT(FOR_THREADS_BELOW(1))
        DEVICE_LAUNCH(child_of_two, 1, 1, 0, 1, out);
    }
}

#define CALL(name, call)                                                                           \
    portable_status name(char **pointer, size_t *pitch, int *number, unsigned *wrong)              \
    {                                                                                              \
        (void)pointer;                                                                             \
        (void)pitch;                                                                               \
        (void)number;                                                                              \
        (void)wrong;                                                                               \
        return call;                                                                               \
    }

// case: occupancy_into_an_unsigned
// expect-gcc: '_Generic' selector of type 'unsigned int *' is not compatible
// expect-clang: controlling expression type 'unsigned int *' not compatible
CALL(occupancy_into_an_unsigned, portable_occupancy(probe, 256, 0, WRONG(wrong) RIGHT(number)))
// case: occupancy_of_no_kernel
// expect: no_such_kernel
CALL(occupancy_of_no_kernel, portable_occupancy(WRONG(no_such_kernel) RIGHT(probe), 256, 0, number))
// case: malloc_pitch_into_an_int
// expect-gcc: '_Generic' selector of type 'int *' is not compatible
// expect-clang: controlling expression type 'int *' not compatible
CALL(malloc_pitch_into_an_int, portable_malloc_pitch(pointer, WRONG(number) RIGHT(pitch), 4, 4))
// case: malloc_host_of_a_number
// expect: the first argument is the address of a pointer: &x
// errors: 1
CALL(malloc_host_of_a_number, portable_malloc_host(WRONG(*) pointer, 4))
// case: malloc_of_a_number
// expect: the first argument is the address of a pointer: &x
// errors: 1
CALL(malloc_of_a_number, portable_malloc(WRONG(*) pointer, 4))

// case: malloc_of_a_structure
// expect: the first argument is the address of a pointer: &x
// errors: 1
struct node {
    struct node *next;
};
portable_status malloc_of_a_structure(struct node *node)
{
    return portable_malloc(WRONG(node) RIGHT(&node->next), sizeof *node);
}
