// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands by time (virtual_bus.h).
#include "hardware/virtual_bus.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ff_status read_command(ff_schedule *s, const char *at, size_t length, ff_error *err)
{
    ff_scheduled *command = &s->commands[s->n];
    char *word;
    command->at = strtod(at, &word);
    if (word == at || !isspace((unsigned char)*word) || !(command->at >= 0.0 && command->at < 1e9) ||
        length >= sizeof command->text || word >= at + length)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%.*s': expected a time in seconds, then a command", (int)length,
                            at);
    if (s->n > 0 && command->at < command[-1].at)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%.*s': commands must be in the order of their times", (int)length,
                            at);
    while (isspace((unsigned char)*word)) word++;
    snprintf(command->text, sizeof command->text, "%.*s", (int)(at + length - word), word);
    s->n++;
    return FF_OK;
}

ff_status ff_schedule_read(ff_schedule *s, const char *text, ff_arena *arena, ff_error *err)
{
    int most = 1;
    for (const char *p = text; p && *p; p++) most += *p == ';';
    *s = (ff_schedule){.commands = FF_ARENA_NEW(arena, ff_scheduled, most)};
    if (!s->commands) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (const char *at = text; at && *at;) {
        at += strspn(at, " \t\n");
        if (!*at) break;
        const size_t length = strcspn(at, ";");
        const ff_status status = read_command(s, at, length, err);
        if (status != FF_OK) return status;
        at += length + (at[length] == ';');
    }
    return FF_OK;
}

const char *ff_schedule_due(ff_schedule *s, double t)
{
    return s->next < s->n && s->commands[s->next].at <= t + 1e-9 ? s->commands[s->next++].text : NULL;
}
