/* SPDX-License-Identifier: BSD-3-Clause */
/* The transport in use, and what transports have in common. */
#include "internal.h"

const struct ranks_transport *ranks_transport;

portable_status ranks_do_nothing(void)
{
    return PORTABLE_SUCCESS;
}

portable_status ranks_transfer_nothing(struct ranks_transfer *transfer)
{
    (void)transfer;
    return PORTABLE_SUCCESS;
}

size_t ranks_type_size(enum portable_ranks_type type)
{
    static const size_t sizes[] = {sizeof(int),       sizeof(unsigned),
                                   sizeof(long long), sizeof(unsigned long long),
                                   sizeof(float),     sizeof(double)};

    return (unsigned)type <= PORTABLE_RANKS_DOUBLE ? sizes[type] : 0;
}
