// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "operator.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void obey_line(operator_lines *o, ff_hardware *layer)
{
    ff_error err = {0};
    o->line[o->length] = '\0';
    o->length = 0;
    if (o->line[strspn(o->line, " \t\r")] && ff_hardware_command(layer, o->line, &err) != FF_OK)
        fprintf(stderr, "%s\n", err.text);
}

void operator_listen(operator_lines *o, ff_hardware *layer)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char bytes[64];
    if (!o->listens || poll(&input, 1, 0) <= 0) return;
    const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    o->listens = n > 0;
    for (ssize_t i = 0; i < n; i++)
        if (bytes[i] == '\n')
            obey_line(o, layer);
        else if (o->length + 1 < sizeof o->line)
            o->line[o->length++] = bytes[i];
}
