// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Typed lines (typed.h).
#include "typed.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

/// To read a terminal from the background would stop the process.
static bool may_read(void)
{
    return !isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

static bool refill(typed *t)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (t->over || poll(&input, 1, 0) <= 0 || !may_read()) return false;
    const ssize_t n = read(STDIN_FILENO, t->bytes, sizeof t->bytes);
    t->over = n <= 0;
    t->nbyte = n > 0 ? (size_t)n : 0;
    t->next = 0;
    return n > 0;
}

const char *typed_line(typed *t)
{
    while (t->next < t->nbyte || refill(t)) {
        const char byte = t->bytes[t->next++];
        if (byte == '\n') {
            t->line[t->length] = '\0';
            t->length = 0;
            if (t->line[strspn(t->line, " \t\r")]) return t->line;
        } else if (t->length + 1 < sizeof t->line)
            t->line[t->length++] = byte;
    }
    return NULL;
}
