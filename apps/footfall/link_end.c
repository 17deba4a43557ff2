// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The ends of a link (link_end.h).
#include "link_end.h"

#include "terminal.h"

#include <stdio.h>

ff_wire *open_faulty_wire(const char *link, ff_end end, const char *faults, ff_error *err)
{
    ff_wire *wire = ff_wire_open(link, end, err);
    if (!wire || !faults) return wire;
    ff_wire *faulty = ff_wire_with_faults(wire, faults, err);
    if (!faulty) ff_wire_close(wire);
    return faulty;
}

ff_status wait_for_controller(ff_link_robot *robot, const ff_wire *wire, double wait, bool quiet, ff_error *err)
{
    if (!quiet) say_plainly(stderr, "waiting for a controller at %s\n", ff_wire_where(wire));
    const ff_status status = ff_link_robot_connect(robot, wait, err);
    if (status == FF_OK && !quiet) fprintf(stderr, "a controller has come\n");
    return status;
}

void print_layer_state(void *context, double t, ff_hardware_state state, const char *text)
{
    const bool *quiet = context;
    if (*quiet && state != FF_HARDWARE_FAULT) return;
    say_plainly(stderr, "%9.4f s  %s%s%s\n", t, ff_hardware_state_name(state), text[0] ? ": " : "", text);
}

void print_layer_counts(const ff_hardware *layer)
{
    const ff_hardware_counts c = ff_hardware_get_counts(layer);
    printf("layer %lld cycles, %lld frames, %lld faults, %lld counters differed, %lld cycles without sound inputs, "
           "joints ",
           (long long)c.cycles, (long long)c.frames, (long long)c.faults, (long long)c.mismatches, (long long)c.lost);
    if (c.tracking_max > 0.0)
        printf("at most %.3g beyond what their loops sag\n", c.tracking_max);
    else
        printf("within what their loops sag\n");
    if (c.margin_median != 0.0)
        printf("      section 4 ended %.1f us before section 7, median, at least %.1f us\n", 1e6 * c.margin_median,
               1e6 * c.margin_min);
}

void print_durations(const char *what, const ff_histogram *durations)
{
    const ff_histogram *h = durations;
    if (h->count > 0)
        printf("      %-16s %.1f us median, %.1f us 99 %%, %.1f us 99.9 %%, %.1f us largest, %.3g %% over 1 ms\n", what,
               1e6 * ff_histogram_quantile(h, 0.5), 1e6 * ff_histogram_quantile(h, 0.99),
               1e6 * ff_histogram_quantile(h, 0.999), 1e6 * h->largest, 100.0 * ff_histogram_above(h, 1e-3));
}

void print_answers(const ff_link_timing *timing)
{
    print_durations("answered within", &timing->trip);
    print_durations("period off by", &timing->jitter);
}
