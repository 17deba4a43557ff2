// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands from the standard input (operator.h).
#include "operator.h"

#include "terminal.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Reading a terminal from the background would stop the process.
static bool may_read(void)
{
    return !isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/// Polls the input every 10 ms at most: callers ask in every cycle of a bus, and polling is a system call.
static bool refill(operator_input *input)
{
    const double now = clock_coarse();
    struct pollfd standard_input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (input->ended || now < input->next_poll) return false;
    if (poll(&standard_input, 1, 0) <= 0 || !may_read()) {
        input->next_poll = now + 0.01;
        return false;
    }
    const ssize_t n = read(STDIN_FILENO, input->bytes, sizeof input->bytes);
    input->ended = n <= 0;
    input->nbyte = n > 0 ? (size_t)n : 0;
    input->next = 0;
    return n > 0;
}

/// The line that is complete; NULL: it is blank, or too long.
static const char *end_line(operator_input *input)
{
    const bool whole = input->length < sizeof input->line;
    if (whole) input->line[input->length] = '\0';
    input->length = 0;
    if (!whole) fprintf(stderr, "a command has at most %zu characters: this line is ignored\n", sizeof input->line - 1);
    return whole && input->line[strspn(input->line, " \t\r")] ? input->line : NULL;
}

const char *operator_line(operator_input *input)
{
    while (input->next < input->nbyte || refill(input)) {
        const char byte = input->bytes[input->next++];
        const char *line = byte == '\n' ? end_line(input) : NULL;
        if (line) return line;
        if (byte != '\n' && input->length++ < sizeof input->line) input->line[input->length - 1] = byte;
    }
    return NULL;
}

void operator_command(operator_input *input, ff_hardware *layer)
{
    ff_error err = {0};
    for (const char *line; (line = operator_line(input));)
        if (ff_hardware_command(layer, line, &err) != FF_OK) fprintf(stderr, "%s\n", err.text);
}
