// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces wires and ends in builds without FOOTFALL_WITH_LINKS: no wire can be opened, so that the other functions are
// never called.
#include <footfall/link.h>

static ff_status refuse(ff_error *err)
{
    return ff_error_set(err, FF_NOT_BUILT, "this build has no links over wires (FOOTFALL_WITH_LINKS)");
}

ff_wire *ff_wire_open(const char *address, ff_end end, ff_error *err)
{
    (void)address, (void)end;
    refuse(err);
    return NULL;
}

ff_wire *ff_wire_with_faults(ff_wire *below, const char *faults, ff_error *err)
{
    (void)below, (void)faults;
    refuse(err);
    return NULL;
}

void ff_wire_close(ff_wire *wire)
{
    (void)wire;
}

ff_status ff_wire_send(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    (void)wire, (void)bytes, (void)size;
    return refuse(err);
}

ff_status ff_wire_receive(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size, ff_error *err)
{
    (void)wire, (void)bytes, (void)most, (void)seconds, (void)size;
    return refuse(err);
}

const char *ff_wire_where(const ff_wire *wire)
{
    (void)wire;
    return "";
}

ff_link_options ff_link_options_default(void)
{
    return (ff_link_options){0};
}

ff_link_robot *ff_link_robot_create(ff_wire *wire, const ff_link_options *options, ff_error *err)
{
    (void)wire, (void)options;
    refuse(err);
    return NULL;
}

void ff_link_robot_destroy(ff_link_robot *robot)
{
    (void)robot;
}

ff_relay ff_link_relay(ff_link_robot *robot)
{
    return (ff_relay){.context = robot};
}

ff_status ff_link_robot_connect(ff_link_robot *robot, double seconds, ff_error *err)
{
    (void)robot, (void)seconds;
    return refuse(err);
}

void ff_link_robot_disconnect(ff_link_robot *robot, const char *why)
{
    (void)robot, (void)why;
}

ff_link_counts ff_link_robot_counts(const ff_link_robot *robot)
{
    (void)robot;
    return (ff_link_counts){0};
}

const char *ff_link_robot_lost(const ff_link_robot *robot)
{
    (void)robot;
    return NULL;
}

ff_status ff_link_control(ff_wire *wire, const ff_interface *made_for, const ff_link_options *options,
                          const ff_link_controller *controller, ff_link_counts *counts, ff_error *err)
{
    (void)wire, (void)made_for, (void)options, (void)controller, (void)counts;
    return refuse(err);
}

ff_status ff_link_stabilise(ff_wire *wire, const ff_interface *made_for, const ff_link_options *options,
                            const ff_link_stabiliser *stabiliser, ff_link_counts *counts, ff_link_counts *planner,
                            ff_error *err)
{
    (void)wire, (void)made_for, (void)options, (void)stabiliser, (void)counts, (void)planner;
    return refuse(err);
}
