// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON's walk at 0.1 m/s in tripod, written down: the references of the joints as its controller gave them in one run,
// to be replayed to whatever should walk alike.
#ifndef FOOTFALL_BENCH_WALK_SCRIPT_H
#define FOOTFALL_BENCH_WALK_SCRIPT_H

#include <footfall/hexapod.h>
#include <footfall/scene.h>
#include <string.h>

enum { WALK_CYCLES = 8192, WALK_ITEMS = 128 };

/// What a controller said in each cycle.
typedef struct walk_script {
    ff_io_item items[WALK_CYCLES][WALK_ITEMS];
    int cycles, n;
    int at; // cycle to replay next: part of the saved set
} walk_script;

static inline void walk_replay(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    walk_script *s = context;
    (void)t, (void)sensors;
    if (s->cycles == 0) return;
    const int at = s->at < s->cycles ? s->at : s->cycles - 1;
    memcpy(ff_io_items(references), s->items[at], (size_t)s->n * sizeof(ff_io_item));
    s->at++;
}

/// Between the controller of the scene and its drives.
typedef struct walk_listener {
    ff_hexapod *walker;
    ff_controller inner;
    walk_script *out;
} walk_listener;

static inline ff_status walk_listen_bind(void *context, const ff_model *robot, const ff_io_layout *sensors,
                                         const ff_io_layout *references, ff_error *err)
{
    walk_listener *l = context;
    if (!(l->walker = ff_hexapod_create(robot, NULL, err))) return err->status;
    ff_status status = ff_hexapod_bind(l->walker, sensors, references, err);
    if (status != FF_OK) return status;
    ff_walk_command command = ff_hexapod_command_get(l->walker);
    command.walk = true;
    command.gait = FF_GAIT_TRIPOD;
    command.speed = 0.1;
    status = ff_hexapod_command_set(l->walker, &command, err);
    l->inner = ff_hexapod_controller(l->walker);
    return status;
}

static inline void walk_listen(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    walk_listener *l = context;
    l->inner.cycle(l->inner.context, t, sensors, references);
    walk_script *s = l->out;
    s->n = (int)references->count;
    if (s->cycles < WALK_CYCLES && s->n <= WALK_ITEMS)
        memcpy(s->items[s->cycles++], ff_io_items(references), (size_t)s->n * sizeof(ff_io_item));
}

#endif
