// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {hill: {start: 0.4, ..}}`: walks over a smooth hill with a body that bends, see footfall/climb.h.
#include "gait/climb_plan.h"
#include "gait/walk.h"
#include "steer/kind.h"

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    *out = ff_hill_create(site->robot, settings, err);
    return *out ? FF_OK : err->status;
}

FF_KIND_BIND(ff_hill)
FF_KIND_PLAN(ff_hill)

static void report_warnings(const void *controller, ff_place place, ff_report *report)
{
    unsigned ever = 0;
    ff_hill_status(controller, &ever);
    for (int bit = 0; bit < FF_WALK_STATUS_BITS; bit++)
        if ((ever >> bit & 1U) && (1U << bit) != FF_WALK_WAITING)
            ff_report_add(report, FF_WARNING, place, "on the hill: %s", ff_walk_status_text(bit));
}

const ff_controller_kind ff_controller_hill = {.name = "hill",
                                               .help = "walks over a smooth hill, with a body that bends",
                                               .positions = true,
                                               .parameters = ff_hill_settings,
                                               .settings_size = sizeof(ff_hill_options),
                                               .create = create,
                                               .bind = bind,
                                               .destroy = destroy,
                                               .commands = ff_plan_command,
                                               .command_size = sizeof(bool),
                                               .command = give_command,
                                               .command_keys = list_keys,
                                               .check = check,
                                               .status_text = ff_walk_status_text,
                                               .report = report_warnings};
