// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Fault detection in each cycle: bus, states of devices, plausibility of forces, following errors of joints, working
// counters of the controller's answers.
#include "hardware/layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double longest_start = 10.0; // until all devices are operational  [s]

static const char *bus_state_words(ff_bus_state state)
{
    return state == FF_BUS_SAFE_OP ? "SAFE-OP" : state == FF_BUS_PRE_OP ? "PRE-OP" : "INIT";
}

static bool is_bus_safe(ff_hardware *h)
{
    const ff_bus_news *n = &h->seen;
    if (n->send_failed || n->failed)
        snprintf(h->why, sizeof h->why, "bus: %s", n->why);
    else if (h->state >= FF_HARDWARE_IDLE && n->lost > h->options.tolerated_losses)
        snprintf(h->why, sizeof h->why, "bus: no valid inputs received for %d cycles%s%s", n->lost,
                 n->problem[0] ? ": " : "", n->problem);
    else if (h->state >= FF_HARDWARE_IDLE && n->state != FF_BUS_OP)
        snprintf(h->why, sizeof h->why, "bus: left OP for %s%s%s", bus_state_words(n->state), n->problem[0] ? ": " : "",
                 n->problem);
    else if (h->state < FF_HARDWARE_IDLE && h->now > longest_start)
        snprintf(h->why, sizeof h->why, "bus: not all devices were operational after %g s", longest_start);
    else
        return true;
    return false;
}

static bool are_devices_safe(ff_hardware *h)
{
    ff_fault_text fault;
    if (h->state < FF_HARDWARE_IDLE) return true;
    for (int i = 0; i < h->wiring.ndrive; i++)
        if (!ff_device_drive_is_sound(&h->drives[i], h->state == FF_HARDWARE_ACTIVE, &fault)) {
            snprintf(h->why, sizeof h->why, "%s", fault.text);
            return false;
        }
    for (int i = 0; i < h->wiring.nforce; i++)
        if (h->forces[i].state == FF_DEVICE_IMPLAUSIBLE) {
            snprintf(h->why, sizeof h->why, "%s", h->forces[i].fault.text);
            return false;
        }
    return true;
}

/// A proportional loop lags behind by force / kp under load; at its greatest force that is no fault.
static double sag(const ff_drive *drive)
{
    return drive->loop == FF_LOOP_PD && drive->kp > 0.0 ? drive->stall / drive->kp : 0.0;
}

/// The remaining error of a drive is that of its joints, by the Jacobian of its transmission.
static bool do_joints_follow(ff_hardware *h)
{
    const ff_wiring *w = &h->wiring;
    if (h->state != FF_HARDWARE_ACTIVE) return true;
    for (int i = 0; i < w->ndrive; i++) {
        const double error = h->drives[i].commanded - h->drives[i].x, beyond = fabs(error) - sag(w->drives[i].drive);
        h->error[i] = beyond > 0.0 ? copysign(beyond, error) : 0.0;
    }
    ff_joint_errors(w, h->error, h->q, h->joint_error);
    for (int i = 0; i < w->ndrive; i++)
        for (int k = 0; k < w->drives[i].drive->path.njoint; k++) {
            const ff_joint *joint = &w->model->joints[w->drives[i].drive->path.joint[k]];
            const double error = fabs(h->joint_error[joint->vadr]);
            if (error > h->counts.tracking_max) h->counts.tracking_max = error;
            if (!(h->options.tracking_limit > 0.0) || error <= h->options.tracking_limit) continue;
            snprintf(h->why, sizeof h->why, "joint '%s' has a following error of %.3g, the limit is %.3g", joint->name,
                     error, h->options.tracking_limit);
            return false;
        }
    return true;
}

static bool does_controller_answer(ff_hardware *h)
{
    if (h->mismatched <= h->options.tolerated_mismatches) return true;
    snprintf(h->why, sizeof h->why,
             "the controller's answers do not match its frames: %d consecutive counters differ, the last is "
             "%lu, expected %lu",
             h->mismatched, (unsigned long)h->got, (unsigned long)h->expected);
    return false;
}

bool ff_hardware_is_safe(ff_hardware *h)
{
    return is_bus_safe(h) && are_devices_safe(h) && do_joints_follow(h) && does_controller_answer(h);
}
