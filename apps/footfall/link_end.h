// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the commands at the two ends of a link share: a wire with injected faults, and what is printed of a link and of
// a hardware layer.
#ifndef FOOTFALL_APPS_LINK_END_H
#define FOOTFALL_APPS_LINK_END_H

#include <footfall/hardware.h>
#include <footfall/link.h>

/// Opens a wire. @param faults  that it injects into what is sent; NULL: none. @return NULL with the reason in `err`
ff_wire *open_faulty_wire(const char *link, ff_end end, const char *faults, ff_error *err);
/// Waits for the controller at the other end. @param wait  at most so long; negative: without limit  [s]
ff_status wait_for_controller(ff_link_robot *robot, const ff_wire *wire, double wait, bool quiet, ff_error *err);

/// Prints changes of state of a hardware layer, and faults, to stderr. @param context  a bool: only faults
void print_layer_state(void *context, double t, ff_hardware_state state, const char *text);
void print_layer_counts(const ff_hardware *layer);

/// A line with the quantiles of durations, to stdout; none where nothing was counted.
void print_durations(const char *what, const ff_histogram *durations);
/// How long answers to a robot took and how far its frames were off their period, to stdout.
void print_answers(const ff_link_timing *timing);

#endif
