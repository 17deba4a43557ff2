// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A scene that runs through the hardware layer, with the controller of the scene above the layer in the same process.
#ifndef FOOTFALL_TESTS_LAYERED_H
#define FOOTFALL_TESTS_LAYERED_H

#include "scene/scene_helpers.h"

#include <footfall/hardware.h>
#include <footfall/sim.h>

typedef struct layered {
    ff_hardware_options options;
    ff_relay controller; // above the layer; without a cycle that of the scene
    // while it runs
    ff_run *far; // whose controller answers
    ff_relay_site site;
    ff_hardware *layer;
    // what came out
    ff_status status;
    ff_error err;
    ff_hardware_counts counts;
    ff_hardware_state state;
    char log[4000];
} layered;

static inline void note_state(void *context, double t, ff_hardware_state state, const char *text)
{
    layered *l = context;
    const size_t used = strlen(l->log);
    snprintf(l->log + used, sizeof l->log - used, "%.4f %s %s\n", t, ff_hardware_state_name(state), text);
}

static inline ff_status bind_far(void *context, const ff_relay_site *site, ff_error *err)
{
    layered *l = context;
    ff_relay_site own;
    (void)err;
    CHECK(ff_run_controller_site(l->far, 0, &own, err) == FF_OK);
    CHECK(own.sensors->hash == site->sensors->hash && own.references->hash == site->references->hash);
    l->site = *site;
    return FF_OK;
}

static inline void answer_far(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    layered *l = context;
    ff_relay_site own;
    const uint32_t met = ff_run_answer(l->far, 0, t, sensors, references);
    if (l->site.conditions) *l->site.conditions = met;
    if (ff_run_controller_site(l->far, 0, &own, NULL) == FF_OK && own.nsignal > 0)
        memcpy(l->site.values, own.values, (size_t)own.nsignal * sizeof *own.values);
}

/// Makes the run of `scene` with a layer. @return false with the reason in `report` or l->err
static inline bool begin_layered(layered *l)
{
    ff_run_options how = ff_run_options_default(scene), alone = ff_run_options_default(scene);
    const ff_relay far = {.context = l, .bind = bind_far, .cycle = answer_far};
    alone.record.nchannel = 0;
    how.record.nchannel = 0;
    l->far = ff_run_create(scene, &alone, &report);
    l->options.log = note_state;
    l->options.context = l;
    l->layer = ff_hardware_create(l->controller.cycle ? &l->controller : &far, &l->options, &l->err);
    if (!l->layer) return false;
    const ff_run_relay relay = {0, ff_hardware_relay(l->layer)};
    how.relays = &relay;
    how.nrelay = 1;
    return begin_with(&how);
}

static inline void end_layered(layered *l)
{
    if (l->layer) {
        l->counts = ff_hardware_get_counts(l->layer);
        l->state = ff_hardware_get_state(l->layer);
    }
    ff_run_destroy(l->far);
    l->far = NULL;
}

/// Frees the run before its layer.
static inline void free_layered(layered *l)
{
    finish();
    ff_hardware_destroy(l->layer);
    l->layer = NULL;
}

/// Runs a file through the layer to its end; the run stays, for its metrics.
static inline void run_layered(layered *l, const char *file, const char *const *overrides, int n)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, file);
    must_load_file(path, overrides, n);
    if (!begin_layered(l)) CHECK_FAIL("%s: %s", file, l->err.text[0] ? l->err.text : message(0));
    l->status = ff_run_go(run, &l->err);
    end_layered(l);
}

#endif
