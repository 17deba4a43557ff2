// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What makes a fault, each cycle: the bus, devices in a state where they should not be, forces that cannot be true,
// joints that do not follow, a controller whose answers do not belong to the frames it gets.
#include "hardware/layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double longest_start = 10.0; // until all devices are there  [s]

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
        snprintf(h->why, sizeof h->why, "bus: nothing sound came for %d cycles%s%s", n->lost, n->culprit[0] ? ": " : "",
                 n->culprit);
    else if (h->state >= FF_HARDWARE_IDLE && n->state != FF_BUS_OP)
        snprintf(h->why, sizeof h->why, "bus: it has left operation for %s%s%s", bus_state_words(n->state),
                 n->culprit[0] ? ": " : "", n->culprit);
    else if (h->state < FF_HARDWARE_IDLE && h->now > longest_start)
        snprintf(h->why, sizeof h->why, "bus: not all devices were there after %g s", longest_start);
    else
        return true;
    return false;
}

static bool are_devices_safe(ff_hardware *h)
{
    ff_trouble trouble;
    if (h->state < FF_HARDWARE_IDLE) return true;
    for (int i = 0; i < h->wiring.ndrive; i++)
        if (!ff_device_drive_is_sound(&h->drives[i], h->state == FF_HARDWARE_ACTIVE, &trouble)) {
            snprintf(h->why, sizeof h->why, "%s", trouble.text);
            return false;
        }
    for (int i = 0; i < h->wiring.nforce; i++)
        if (h->forces[i].state == FF_DEVICE_IMPLAUSIBLE) {
            snprintf(h->why, sizeof h->why, "%s", h->forces[i].trouble.text);
            return false;
        }
    return true;
}

/// A proportional loop lags behind by force / kp when it carries, at its greatest force by this much: no fault.
static double sag(const ff_drive *drive)
{
    return drive->loop == FF_LOOP_PD && drive->kp > 0.0 ? drive->stall / drive->kp : 0.0;
}

/// What remains of the error of a drive beyond its sag is that of its joints, by the levers of its path.
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
            snprintf(h->why, sizeof h->why, "joint '%s' does not follow: it is %.3g away from its target, %.3g at most",
                     joint->name, error, h->options.tracking_limit);
            return false;
        }
    return true;
}

static bool does_controller_answer(ff_hardware *h)
{
    if (h->mismatched <= h->options.tolerated_mismatches) return true;
    snprintf(h->why, sizeof h->why,
             "the controller's answers do not belong to its frames: %d working counters in a row differ, the last is "
             "%lu where %lu is expected",
             h->mismatched, (unsigned long)h->got, (unsigned long)h->expected);
    return false;
}

bool ff_hardware_is_safe(ff_hardware *h)
{
    return is_bus_safe(h) && are_devices_safe(h) && do_joints_follow(h) && does_controller_answer(h);
}
