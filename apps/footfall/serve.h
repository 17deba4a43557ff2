// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run whose controller is another process: what `footfall serve` adds to `footfall run`.
#ifndef FOOTFALL_APPS_SERVE_H
#define FOOTFALL_APPS_SERVE_H

#include <footfall/hardware.h>
#include <footfall/link.h>
#include <footfall/run.h>

#include <stdbool.h>

typedef struct serving {
    const char *link, *faults; // of the command line
    bool wall;
    double tolerate, wait;
    bool hardware;        // the hardware layer stands between robot and link
    const char *operator; // its commands by time
    bool quiet;
    bool (*stop)(void *);
    // from serve_open on
    ff_link_timing timing;
    ff_wire *wire;
    ff_link_robot *robot;
    ff_hardware *layer; // NULL: none
    ff_run_relay relay;
} serving;

/// @param stop  says whether the user wants to end
serving serve_defaults(bool (*stop)(void *));
/// Opens the wire and lets it take the place of the controller of the first robot that has one.
bool serve_open(serving *s, const ff_scene_spec *scene, ff_run_options *options, ff_error *err);
/// Commands by time, once the run is there: what is wrong with them is no matter of its scene.
bool serve_schedule(const serving *s, ff_error *err);
/// Waits for the controller, after ff_run_create.
bool serve_meet(const serving *s, bool quiet, ff_error *err);
/// Tells the controller that the run is over. @param trouble  why it did not come to its end; NULL: it did
void serve_bye(const serving *s, const char *trouble);
/// Prints changes of state of a hardware layer, and faults, to stderr. @param context  a bool: only faults
void print_layer_state(void *context, double t, ff_hardware_state state, const char *text);
void print_layer_counts(const ff_hardware *layer);
/// Counts, round trips and how late cycles began, to stdout.
void serve_print(const serving *s);
/// How long answers to a robot took and how far its frames came off their period, to stdout.
void print_answers(const ff_link_timing *timing);
/// A wire with or without faults.
ff_wire *open_spoiled(const char *link, ff_end end, const char *faults, ff_error *err);
void serve_close(serving *s);

#endif
