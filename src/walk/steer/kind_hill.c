// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {hill: {start: 0.4, length: 1.2, height: 0.1, ..}}`: over a smooth hill with a body that bends, see
// footfall/climb.h.
#include "gait/climb_plan.h"
#include "gait/walk.h"
#include "steer/kind.h"

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    *out = ff_hill_create(site->robot, settings, err);
    return *out ? FF_OK : err->status;
}

FF_KIND_BIND(ff_hill)

static void report_warnings(const void *controller, ff_place place, ff_report *report)
{
    unsigned ever = 0;
    ff_hill_status(controller, &ever);
    for (int bit = 0; bit < FF_WALK_STATUS_BITS; bit++)
        if ((ever >> bit & 1U) && (1U << bit) != FF_WALK_WAITING)
            ff_report_add(report, FF_WARNING, place, "on the hill: %s", ff_walk_status_text(bit));
}

static ff_status check(const void *controller, ff_error *err)
{
    return ff_hill_check(controller, err);
}

static ff_status give_command(void *controller, double t, const ff_command *command, ff_error *err)
{
    (void)t, (void)err;
    if (command->given[0]) ff_hill_set_walking(controller, *(const bool *)command->values);
    return FF_OK;
}

static int list_keys(const void *controller, ff_command_key *out, int most)
{
    const bool walks = ff_hill_is_walking(controller);
    return FF_COMMAND_KEYS(ff_plan_command, &walks, (const ff_command_range[]){{0}}, out, most);
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
