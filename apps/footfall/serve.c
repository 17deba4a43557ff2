// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The robot's end of a link in a run (serve.h).
#include "serve.h"
#include "options.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>

serving serve_defaults(bool (*stop)(void *))
{
    return (serving){.link = "udp:7400", .tolerate = NAN, .wait = -1.0, .stop = stop};
}

ff_wire *open_spoiled(const char *link, ff_end end, const char *faults, ff_error *err)
{
    ff_wire *wire = ff_wire_open(link, end, err);
    if (!wire || !faults) return wire;
    ff_wire *spoiled = ff_wire_spoil(wire, faults, err);
    if (!spoiled) ff_wire_close(wire);
    return spoiled;
}

// ------------------------------------------------------------------------------------------ hardware layer

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
    if (c.tracking_worst > 0.0)
        printf("at most %.3g beyond what their loops sag\n", c.tracking_worst);
    else
        printf("within what their loops sag\n");
    if (c.margin_median != 0.0)
        printf("      section 4 ended %.1f us before section 7, median, at least %.1f us\n", 1e6 * c.margin_median,
               1e6 * c.margin_least);
}

/// Lets the layer stand between the robot and `controller`.
static bool add_layer(serving *s, ff_relay *controller, ff_error *err)
{
    ff_hardware_options options = ff_hardware_options_default();
    options.wall = options.threads = s->wall;
    if (!isnan(s->tolerate)) options.mismatches = (int)s->tolerate;
    options.log = print_layer_state;
    options.context = &s->quiet;
    s->layer = ff_hardware_create(controller, &options, err);
    if (s->layer) *controller = ff_hardware_relay(s->layer);
    return s->layer;
}

// ------------------------------------------------------------------------------------------ serving

bool serve_open(serving *s, const ff_scene_spec *scene, ff_run_options *options, ff_error *err)
{
    ff_link_options how = ff_link_options_default();
    if (!isnan(s->tolerate) && !is_whole(s->tolerate, 0, 1e6)) {
        ff_error_set(err, FF_BAD_ARGUMENT, "--tolerate %g: it is a whole number of cycles", s->tolerate);
        return false;
    }
    how.wall = s->wall;
    if (!isnan(s->tolerate)) how.tolerated = (int)s->tolerate;
    how.stop = s->stop;
    how.timing = &s->timing;
    s->wire = open_spoiled(s->link, FF_END_ROBOT, s->faults, err);
    s->robot = s->wire ? ff_link_robot_create(s->wire, &how, err) : NULL;
    if (!s->robot) return false;
    ff_relay relay = ff_link_relay(s->robot);
    if (s->operator&& !s->hardware) {
        ff_error_set(err, FF_BAD_ARGUMENT, "--operator speaks to the hardware layer: give --hardware as well");
        return false;
    }
    if (s->hardware && !add_layer(s, &relay, err)) return false;
    s->relay = (ff_run_relay){ff_scene_first_steered(scene), relay};
    options->relays = &s->relay;
    options->nrelay = 1;
    return true;
}

bool serve_schedule(const serving *s, ff_error *err)
{
    return !s->layer || ff_hardware_schedule(s->layer, s->operator, err) == FF_OK;
}

bool serve_meet(const serving *s, bool quiet, ff_error *err)
{
    if (!quiet) say_plainly(stderr, "waiting for a controller at %s\n", ff_wire_where(s->wire));
    if (ff_link_robot_meet(s->robot, s->wait, err) != FF_OK) return false;
    if (!quiet) fprintf(stderr, "a controller has come\n");
    return true;
}

void serve_bye(const serving *s, const char *trouble)
{
    ff_link_robot_bye(s->robot, trouble ? trouble : "the run is over");
}

/// A line of a distribution; none where nothing was counted.
static void print_spans(const char *what, const ff_histogram *h)
{
    if (h->count > 0)
        printf("      %-16s %.1f us median, %.1f us 99 %%, %.1f us 99.9 %%, %.1f us largest, %.3g %% over 1 ms\n", what,
               1e6 * ff_histogram_quantile(h, 0.5), 1e6 * ff_histogram_quantile(h, 0.99),
               1e6 * ff_histogram_quantile(h, 0.999), 1e6 * h->largest, 100.0 * ff_histogram_above(h, 1e-3));
}

void print_answers(const ff_link_timing *timing)
{
    print_spans("answered within", &timing->trip);
    print_spans("period off by", &timing->jitter);
}

void serve_print(const serving *s)
{
    const ff_link_counts c = ff_link_robot_counts(s->robot);
    printf("link  %lld cycles, %lld answered", (long long)c.cycles, (long long)c.good);
    const struct {
        const char *word;
        int64_t count;
    } rest[] = {{"missed", c.missed},   {"late", c.late},        {"doubled", c.doubled}, {"damaged", c.damaged},
                {"foreign", c.foreign}, {"sent again", c.again}, {"behind", c.behind}};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (rest[i].count > 0) printf(", %lld %s", (long long)rest[i].count, rest[i].word);
    printf("\n");
    print_spans("round trip", &s->timing.trip);
    print_spans("cycles behind by", &s->timing.jitter);
}

void serve_close(serving *s)
{
    ff_hardware_destroy(s->layer);
    ff_link_robot_destroy(s->robot);
    ff_wire_close(s->wire);
}
