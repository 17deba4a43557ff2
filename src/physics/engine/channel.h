// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels: named columns of numbers that can be read from a simulation whose ff_data is current. Parts bring their own
// (ff_part_inner.channels), the recorder selects.
#ifndef FOOTFALL_ENGINE_CHANNEL_H
#define FOOTFALL_ENGINE_CHANNEL_H

#include "engine/system.h"

typedef struct ff_channel ff_channel;
struct ff_channel {
    const char *name;
    const char *units;
    int width;
    const char **names; // of the columns (width), or NULL
    /// Built-in channels read by this; `index` says of which body, joint or part.
    void (*read)(const ff_channel *channel, ff_sim *sim, double *out);
    int index;
    bool needs_forces; // the stage of accelerations must have been reached
    bool mean;         // it reads an integral; a recorder keeps its mean rate since the sample before
    /// Channels of callers; `context` is also that of the part whose channel it is.
    void (*user_read)(void *context, ff_sim *sim, double *out);
    void *context;
    int column; // first column in a row
};

/// A catalogue under construction, in memory of the simulation; `failed` when memory ran out.
typedef struct ff_channel_list {
    ff_sim *sim;
    ff_channel *channels;
    int count, capacity;
    void *context; // that channels added now get
    bool failed;
} ff_channel_list;
typedef void ff_channel_reader(const ff_channel *channel, ff_sim *sim, double *out);
/// Adds a channel; `name` NULL means that memory ran out while making it. @return NULL then
ff_channel *ff_channel_add(ff_channel_list *l, const char *name, const char *units, int width, const char *const *names,
                           ff_channel_reader *read, int index);
extern const char *const ff_channel_xyz[3];

#endif
