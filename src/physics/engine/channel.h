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
    /// Reads a built-in channel; `index` is the number of its body, joint or part.
    void (*read)(const ff_channel *channel, ff_sim *sim, double *out);
    int index;
    bool needs_forces; // needs FF_SIM_ACCELERATION
    bool mean;         // is an integral, of which recorders keep the mean rate since the sample before
    /// Reads a channel of a caller; `context` is that of the caller, or of the part whose channel it is.
    void (*user_read)(void *context, ff_sim *sim, double *out);
    void *context;
    int column; // first column in a row
};

/// A catalogue under construction, in memory of the simulation.
typedef struct ff_channel_list {
    ff_sim *sim;
    ff_channel *channels;
    int count, capacity;
    void *context; // context of channels that are added now
    bool failed;   // out of memory
} ff_channel_list;
typedef void ff_channel_reader(const ff_channel *channel, ff_sim *sim, double *out);
/// Adds a channel. @param name  NULL where memory for it ran out    @return NULL when out of memory
ff_channel *ff_channel_add(ff_channel_list *l, const char *name, const char *units, int width, const char *const *names,
                           ff_channel_reader *read, int index);
extern const char *const ff_channel_xyz[3];

#endif
