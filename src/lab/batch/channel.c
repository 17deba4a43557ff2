// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels of sensors: what they read (channel_core.h) on a processor, and their names.
#define FF_LANES 1
#include "batch/channel_core.h"

#include "batch/compile.h"

double ff_channel_read(const ff_batch_channel *channel, double truth, double key, double loud, double age)
{
    return ff_core_channel_read(channel, truth, key, loud, age);
}

bool ff_batch_add_channels(ff_batch_making *making, const ff_batch_given *given)
{
    ff_batch_model *m = &making->model;
    m->channels = FF_ARENA_NEW(&making->arena, ff_batch_channel, m->nchannel + 1);
    for (int i = 0; m->channels && i < m->nchannel; i++) {
        const ff_batch_sensed *from = &given->sensed[i];
        m->channels[i] = (ff_batch_channel){
            .name = ff_arena_strdup(&making->arena, from->name),
            .written = ff_arena_printf(&making->arena, ff_formula_is_plain(from->name) ? "%s" : "'%s'", from->name),
            .truth = from->truth ? ff_arena_strdup(&making->arena, from->truth) : NULL,
            .missing = from->missing ? ff_arena_strdup(&making->arena, from->missing) : NULL,
            .signal = from->signal,
            .stages = from->stages,
            .stream = from->stream,
            .key = m->key,
            .loud = m->loud,
            .age = m->robot + FF_ROBOT_AGE,
            .step = m->step};
    }
    return !making->arena.failed;
}

// ------------------------------------------------------------------------------------------ their names

static const ff_batch_channel *next_there(const ff_batch_model *m, int *i)
{
    for (; m && *i < m->nchannel; (*i)++)
        if (!m->channels[*i].missing) return &m->channels[(*i)++];
    return NULL;
}

int ff_batch_channel_count(const ff_batch_model *model)
{
    int count = 0;
    for (int i = 0; next_there(model, &i);) count++;
    return count;
}

const char *ff_batch_channel_name(const ff_batch_model *model, int i)
{
    const ff_batch_channel *channel = NULL;
    for (int at = 0; i >= 0 && (channel = next_there(model, &at)) && i > 0;) i--;
    return channel ? channel->written : NULL;
}
