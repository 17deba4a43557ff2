// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Signals that end a command (interrupt.h).
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

void watch_interrupts(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {0}, before = {0};
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND; // the second is final
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 3; i++)
        if (ends[i] != SIGHUP || (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN))
            sigaction(ends[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

void let_writing_fail(void)
{
    signal(SIGXFSZ, SIG_IGN);
}

bool is_interrupted(void *context)
{
    (void)context;
    return interrupted != 0;
}
