// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the long work of a thread should end. The request belongs to the thread and not to a task, since it ends
// everything that the thread does for its caller: reading files, settling, running.
#include <footfall/base.h>

static _Thread_local const ff_stop *current;

const ff_stop *ff_stop_set(const ff_stop *stop)
{
    const ff_stop *before = current;
    current = stop;
    return before;
}

const ff_stop *ff_stop_get(void)
{
    return current;
}

bool ff_stop_asked(void)
{
    return current && current->asked(current->context);
}
