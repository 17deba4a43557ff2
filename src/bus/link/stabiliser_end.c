// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A stabiliser between robot and planner: on the wire to the robot it is the controller, on the wire to the planner it
// is the robot. The robot is the clock of both. If the planner is lost, each answer has the condition FF_LINK_SAFE.
#include "link/wire.h"

#include <stdlib.h>
#include <string.h>

typedef struct stabiliser_end {
    const ff_link_stabiliser *stabiliser;
    ff_link_options options; // of the planner's wire
    ff_link_robot *planner;  // end of this wire, as of a robot
    ff_relay relay;          // of `planner`
    ff_io_frame *plan;
    uint32_t conditions;
} stabiliser_end;

/// Connects to the planner, once the robot has sent its interface.
static ff_status bind_stabiliser(void *context, const ff_interface *robot, ff_error *err)
{
    stabiliser_end *m = context;
    const ff_relay_site *site = &m->stabiliser->site;
    const double timeout = m->options.timeout;
    m->options.wall = m->options.paced = !robot->lockstep;
    m->options.timeout = 0.5 * timeout;
    m->options.timing = NULL; // that of the robot's wire counts
    m->planner = ff_link_robot_create(m->stabiliser->planner, &m->options, err);
    m->plan = malloc(ff_io_size(site->references->count));
    if (!m->planner || !m->plan) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_io_init(m->plan, site->references);
    m->relay = ff_link_relay(m->planner);
    ff_error why = {0};
    ff_status status = m->relay.bind(m->relay.context, site, err);
    if (status != FF_OK) return status;
    status = ff_link_robot_connect(m->planner, timeout, &why);
    return status == FF_OK ? FF_OK : ff_error_set(err, status, "no planner: %s", why.text);
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    stabiliser_end *m = context;
    const ff_link_stabiliser *s = m->stabiliser;
    memset(ff_io_items(m->plan), 0, m->plan->count * sizeof(ff_io_item));
    m->relay.cycle(m->relay.context, t, sensors, m->plan);
    m->conditions = s->cycle(s->context, t, sensors, m->plan, references) & ~FF_LINK_SAFE;
    if (ff_link_robot_lost(m->planner)) m->conditions |= FF_LINK_SAFE;
}

/// Reports a planner that was lost, unless `status` is an error already.
static ff_status check_planner(const stabiliser_end *m, ff_status status, ff_error *err)
{
    const char *lost = m->planner ? ff_link_robot_lost(m->planner) : NULL;
    if (status != FF_OK || !lost) return status;
    return ff_error_set(err, FF_CONTROL, "at %.6g s the planner was lost: %s; the robot was kept in its safe state",
                        ff_link_robot_counts(m->planner).stopped_at, lost);
}

ff_status ff_link_stabilise(ff_wire *wire, const ff_interface *expected, const ff_link_options *options,
                            const ff_link_stabiliser *stabiliser, ff_link_counts *counts, ff_link_counts *planner,
                            ff_error *err)
{
    stabiliser_end m = {.stabiliser = stabiliser, .options = options ? *options : ff_link_options_default()};
    const ff_link_controller controller = {.context = &m,
                                           .bind = bind_stabiliser,
                                           .cycle = cycle,
                                           .signals = stabiliser->signals,
                                           .nsignal = stabiliser->nsignal,
                                           .conditions = &m.conditions};
    const ff_status status = check_planner(&m, ff_link_control(wire, expected, options, &controller, counts, err), err);
    if (m.planner && !ff_link_robot_lost(m.planner)) ff_link_robot_disconnect(m.planner, "the run is over");
    if (m.planner && planner) *planner = ff_link_robot_counts(m.planner);
    ff_link_robot_destroy(m.planner);
    free(m.plan);
    return status;
}
