// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A controller in C that a program has loaded (ff_plugin): a constant table of functions, whose memory this file owns.
// As a script, it is not called before sensor values have arrived, nor after a failure, from which on its robot is
// held. Files cannot name this kind; a program gives it (ff_run_controller.plugin).
#include "steer/kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Head of the block that is saved. The last references and the memory of the plug-in follow it.
typedef struct head {
    int64_t failed;
    double failed_at; // [s]
} head;

typedef struct plugged {
    const ff_plugin *plugin;
    ff_io_layout references;
    const ff_reference_limit *limits;
    head *head;    // the whole block
    double *given; // last references, NaN: never  (references)
    void *memory;
    bool bound;
    char why[200]; // why it failed
} plugged;

enum { ALIGNED = 16 };                                // of the memory, as of malloc
static const size_t LARGEST_MEMORY = (size_t)1 << 30; // [bytes]

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    const ff_plugin *plugin = settings;
    if (plugin->version != FF_PLUGIN_VERSION)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the plug-in has version %u of the interface, this program version %d: compile it with the "
                            "headers of this program",
                            (unsigned)plugin->version, FF_PLUGIN_VERSION);
    if (plugin->model_size != sizeof(ff_model))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the plug-in was compiled with other headers: its ff_model has %u bytes, that of this "
                            "program %zu; compile it with the headers of this program",
                            (unsigned)plugin->model_size, sizeof(ff_model));
    if (!plugin->cycle) return ff_error_set(err, FF_BAD_ARGUMENT, "the plug-in has no cycle");
    if (plugin->memory_size > LARGEST_MEMORY)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the plug-in wants a memory of %zu bytes; there are %zu at most",
                            plugin->memory_size, LARGEST_MEMORY);
    if (plugin->nsignal < 0 || (size_t)plugin->nsignal * sizeof(double) > plugin->memory_size)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the plug-in names %d signals in a memory of %zu bytes",
                            plugin->nsignal, plugin->memory_size);
    plugged *p = calloc(1, sizeof *p);
    if (!p) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    *p = (plugged){.plugin = plugin, .references = *site->references, .limits = site->limits};
    *out = p;
    return FF_OK;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err)
{
    plugged *p = controller;
    const ff_plugin *plugin = p->plugin;
    const size_t before = sizeof(head) + (size_t)p->references.count * sizeof(double);
    const size_t at = (before + ALIGNED - 1) / ALIGNED * ALIGNED, size = at + plugin->memory_size;
    p->head = calloc(1, size);
    if (!p->head) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    p->given = (double *)(void *)(p->head + 1);
    p->memory = (char *)p->head + at;
    for (int i = 0; i < p->references.count; i++) p->given[i] = NAN;
    *bound = (ff_controller){.memory = p->head,
                             .memory_size = size,
                             .signals = plugin->signals,
                             .values = p->memory,
                             .nsignal = plugin->nsignal};
    const ff_plugin_site where = {.robot = site->robot,
                                  .sensors = site->sensors,
                                  .references = site->references,
                                  .period = site->period,
                                  .seed = site->seed};
    const ff_status status = plugin->bind ? plugin->bind(p->memory, &where, err) : FF_OK;
    p->bound = status == FF_OK;
    return status;
}

static void destroy(void *controller)
{
    plugged *p = controller;
    if (p->bound && p->plugin->destroy) p->plugin->destroy(p->memory);
    free(p->head);
    free(p);
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    plugged *p = controller;
    ff_error err = {0};
    if (!p->head->failed && !ff_script_has_sensors(sensors)) return;
    if (!p->head->failed && p->plugin->cycle(p->memory, t, sensors, references, &err) != FF_OK) {
        *p->head = (head){.failed = 1, .failed_at = t};
        snprintf(p->why, sizeof p->why, "%.190s", err.text[0] ? err.text : "it did not say why");
        memset(ff_io_items(references), 0, references->count * sizeof(ff_io_item));
    }
    if (p->head->failed)
        ff_script_hold(&p->references, p->given, t - p->head->failed_at, references);
    else
        ff_script_keep(p->limits, references, p->given);
}

static ff_status check(const void *controller, ff_error *err)
{
    const plugged *p = controller;
    if (!p->head->failed) return FF_OK;
    return ff_error_set(err, FF_CONTROL, "the controller failed at %.6g s, and the robot is held since: %s",
                        p->head->failed_at, p->why);
}

static void report(const void *controller, ff_place place, ff_report *report)
{
    ff_error err = {0};
    if (check(controller, &err) != FF_OK) ff_report_add(report, FF_ERROR, place, "%s", err.text);
}

_Static_assert(sizeof(head) % sizeof(double) == 0, "references follow the head in place");

const ff_controller_kind ff_controller_plugin = {.name = "plugin",
                                                 .help = "a controller in C that a program has loaded",
                                                 .unchecked = true,
                                                 .create = create,
                                                 .bind = bind,
                                                 .step = step,
                                                 .destroy = destroy,
                                                 .check = check,
                                                 .report = report};
