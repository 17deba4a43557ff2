// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Typed lines (typed.h).
#include "typed.h"

#include "terminal.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// To read a terminal from the background would stop the process.
static bool may_read(void)
{
    return !isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/// Looks now and then, since it takes a call to the system: callers ask in every cycle of a bus.
static bool refill(typed *t)
{
    const double now = clock_coarse();
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (t->over || now < t->next_look) return false;
    if (poll(&input, 1, 0) <= 0 || !may_read()) {
        t->next_look = now + 0.01;
        return false;
    }
    const ssize_t n = read(STDIN_FILENO, t->bytes, sizeof t->bytes);
    t->over = n <= 0;
    t->nbyte = n > 0 ? (size_t)n : 0;
    t->next = 0;
    return n > 0;
}

/// The line that has ended; NULL: it is blank, or does not fit.
static const char *end_line(typed *t)
{
    const bool whole = t->length < sizeof t->line;
    if (whole) t->line[t->length] = '\0';
    t->length = 0;
    if (!whole) fprintf(stderr, "a command has at most %zu characters: this line was not obeyed\n", sizeof t->line - 1);
    return whole && t->line[strspn(t->line, " \t\r")] ? t->line : NULL;
}

const char *typed_line(typed *t)
{
    while (t->next < t->nbyte || refill(t)) {
        const char byte = t->bytes[t->next++];
        const char *line = byte == '\n' ? end_line(t) : NULL;
        if (line) return line;
        if (byte != '\n' && t->length++ < sizeof t->line) t->line[t->length - 1] = byte;
    }
    return NULL;
}
