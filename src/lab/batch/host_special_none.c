// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A build that can start no compiler: it says so.
#include "batch/host_special.h"

#include <stdio.h>

ff_host_special *ff_host_special_open(const ff_batch_model *model, const ff_batch_kernel *general,
                                      ff_batch_rounding rounding, char why[FF_HOST_WHY])
{
    (void)model, (void)general, (void)rounding;
    snprintf(why, FF_HOST_WHY, "this build cannot start a compiler");
    return NULL;
}

void ff_host_special_close(ff_host_special *special)
{
    (void)special;
}
