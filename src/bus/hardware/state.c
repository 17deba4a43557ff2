// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Section 13: the state machine of the layer as a table, and what it requests of bus and drives in each state. In a
// fault the targets stop at once and the drives hold their positions, since a robot on legs falls when they are
// disabled. They are disabled after the time `hold`, or by the operator.
#include "hardware/layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ faults

// Faults of the bus, of devices, implausible forces, following errors of joints, and answers of the controller with
// wrong working counters.

static const double longest_start = 10.0; // until all devices are operational  [s]

static const char *bus_state_name(ff_bus_state state)
{
    return state == FF_BUS_SAFE_OP ? "SAFE-OP" : state == FF_BUS_PRE_OP ? "PRE-OP" : "INIT";
}

static bool is_bus_safe(ff_hardware *h)
{
    const ff_bus_report *report = &h->bus_report;
    if (report->send_failed || report->failed)
        snprintf(h->why, sizeof h->why, "bus: %s", report->why);
    else if (h->state >= FF_HARDWARE_IDLE && report->lost > h->options.tolerated_losses)
        snprintf(h->why, sizeof h->why, "bus: no valid inputs received for %d cycles%s%s", report->lost,
                 report->problem[0] ? ": " : "", report->problem);
    else if (h->state >= FF_HARDWARE_IDLE && report->state != FF_BUS_OP)
        snprintf(h->why, sizeof h->why, "bus: left OP for %s%s%s", bus_state_name(report->state),
                 report->problem[0] ? ": " : "", report->problem);
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
        if (!ff_device_drive_is_healthy(&h->drives[i], h->state == FF_HARDWARE_ACTIVE, &fault)) {
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

/// Following error of a proportional loop at its greatest force, force / kp, which is no fault.
static double load_error(const ff_drive *drive)
{
    return drive->loop == FF_LOOP_PD && drive->kp > 0.0 ? drive->stall / drive->kp : 0.0;
}

/// The remaining error of a drive is that of its joints, by the Jacobian of its transmission.
static bool do_joints_follow(ff_hardware *h)
{
    const ff_wiring *w = &h->wiring;
    if (h->state != FF_HARDWARE_ACTIVE) return true;
    for (int i = 0; i < w->ndrive; i++) {
        const double error = h->drives[i].commanded - h->drives[i].x,
                     beyond = fabs(error) - load_error(w->drives[i].drive);
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
             h->mismatched, (unsigned long)h->received_counter, (unsigned long)h->expected);
    return false;
}

/// @return false with the reason in h->why
static bool is_safe(ff_hardware *h)
{
    return is_bus_safe(h) && are_devices_safe(h) && do_joints_follow(h) && does_controller_answer(h);
}

// ------------------------------------------------------------------------------------------ states

const char *ff_hardware_state_name(ff_hardware_state state)
{
    static const char *const names[FF_HARDWARE_STATE_COUNT] = {
#define FF_HARDWARE_STATE(name, text) [FF_HARDWARE_##name] = text,
        FF_HARDWARE_STATES(FF_HARDWARE_STATE)
#undef FF_HARDWARE_STATE
    };
    return names[state];
}

enum { RESET_CYCLES = 20 }; // bus cycles of an acknowledgement; it is cancelled if its cause persists

// ------------------------------------------------------------------------------------------ conditions

static bool always(ff_hardware *h)
{
    (void)h;
    return true;
}

static bool is_pre_op(ff_hardware *h)
{
    return h->bus_report.state >= FF_BUS_PRE_OP;
}

static bool is_safe_op(ff_hardware *h)
{
    return h->bus_report.checked && h->bus_report.state >= FF_BUS_SAFE_OP;
}

/// Is the bus in OP, and have samples of every device been received?
static bool is_op(ff_hardware *h)
{
    if (h->bus_report.state != FF_BUS_OP) return false;
    for (int i = 0; i < h->wiring.ndrive; i++)
        if (!h->drives[i].counting.begun || h->drives[i].state == FF_CIA402_NOT_READY) return false;
    for (int i = 0; i < h->wiring.nforce; i++)
        if (h->forces[i].state == FF_DEVICE_SILENT) return false;
    for (int i = 0; i < h->wiring.ninertial; i++)
        if (h->imus[i].state == FF_DEVICE_SILENT) return false;
    return true;
}

static bool should_home(ff_hardware *h)
{
    return (h->options.automatic && !h->auto_started) || (h->commands & FF_OPERATOR_HOME) || h->wants_active;
}

/// Determines the zero positions of the motors from joint positions, averaged over samples. @return whether it is done
static bool is_homed(ff_hardware *h)
{
    const ff_wiring *w = &h->wiring;
    const ff_io_item *items = ff_io_items_of(h->sensors);
    if (h->homed) return true;
    if (h->number % h->every != 0) return false;
    for (int i = 0; i < w->ndrive; i++)
        for (int k = 0; k < w->drives[i].drive->path.njoint; k++) {
            const ff_joint_sensor *from = &w->drives[i].joint[k];
            const ff_joint *joint = &w->model->joints[w->drives[i].drive->path.joint[k]];
            if (!ff_io_known(&items[from->item])) return false;
            const double value = items[from->item].value;
            h->q[joint->qadr] = from->absolute ? ff_unwrap_to_range(value, joint) : value;
        }
    for (int i = 0; i < w->ndrive; i++) {
        h->homing[i].x += ff_drive_path_locate(&w->drives[i].drive->path, h->q, h->q).x; // its speed is not needed
        h->homing[i].count += (double)h->drives[i].counting.total;
    }
    if (++h->homing_samples < h->options.homing_samples) return false;
    for (int i = 0; i < w->ndrive; i++) {
        ff_device_drive *d = &h->drives[i];
        ff_counting_set_home(&d->counting, h->homing[i].count / h->homing_samples, h->homing[i].x / h->homing_samples);
        d->x = d->commanded = ff_counting_position(&d->counting);
    }
    h->homed = true;
    return true;
}

static bool should_activate(ff_hardware *h)
{
    if (!h->wants_active) return false;
    for (int i = 0; i < h->wiring.ndrive; i++)
        if (h->drives[i].state != FF_CIA402_OPERATION_ENABLED) return false;
    return true;
}

static bool should_deactivate(ff_hardware *h)
{
    return h->commands & FF_OPERATOR_DEACTIVATE;
}

/// Is the fault acknowledged, the bus in OP, and no drive in fault?
static bool is_cleared(ff_hardware *h)
{
    if (h->number > h->reset_end) h->resetting = false;
    if (h->commands & FF_OPERATOR_ACKNOWLEDGE) {
        h->resetting = true;
        h->reset_end = h->number + RESET_CYCLES;
        for (int i = 0; i < h->wiring.nforce; i++) { // their checks restart
            h->forces[i].state = FF_DEVICE_SILENT;
            h->forces[i].equal = 0;
        }
        return false;
    }
    if (!h->resetting || h->bus_report.state != FF_BUS_OP || h->bus_report.lost > 0) return false;
    for (int i = 0; i < h->wiring.ndrive; i++)
        if (h->drives[i].state == FF_CIA402_FAULT || h->drives[i].state == FF_CIA402_FAULT_REACTION_ACTIVE)
            return false;
    h->mismatched = 0;
    return true;
}

// ------------------------------------------------------------------------------------------ the table

static const struct transition {
    ff_hardware_state from, to;
    bool (*when)(ff_hardware *h);
} TRANSITIONS[] = {{FF_HARDWARE_BOOT, FF_HARDWARE_BUS_INIT, always},
                   {FF_HARDWARE_BUS_INIT, FF_HARDWARE_PRE_OP, is_pre_op},
                   {FF_HARDWARE_PRE_OP, FF_HARDWARE_SAFE_OP, is_safe_op},
                   {FF_HARDWARE_SAFE_OP, FF_HARDWARE_IDLE, is_op},
                   {FF_HARDWARE_IDLE, FF_HARDWARE_HOMING, should_home},
                   {FF_HARDWARE_HOMING, FF_HARDWARE_READY, is_homed},
                   {FF_HARDWARE_READY, FF_HARDWARE_ACTIVE, should_activate},
                   {FF_HARDWARE_ACTIVE, FF_HARDWARE_READY, should_deactivate},
                   {FF_HARDWARE_FAULT, FF_HARDWARE_IDLE, is_cleared}};

/// Requests to bus and drives in each state.
static const struct {
    ff_bus_state bus;
    ff_drive_request drives;
} REQUESTS[FF_HARDWARE_STATE_COUNT] = {
    [FF_HARDWARE_BOOT] = {FF_BUS_INIT, FF_DRIVE_OFF},     [FF_HARDWARE_BUS_INIT] = {FF_BUS_PRE_OP, FF_DRIVE_OFF},
    [FF_HARDWARE_PRE_OP] = {FF_BUS_PRE_OP, FF_DRIVE_OFF}, [FF_HARDWARE_SAFE_OP] = {FF_BUS_OP, FF_DRIVE_OFF},
    [FF_HARDWARE_IDLE] = {FF_BUS_OP, FF_DRIVE_KEEP},      [FF_HARDWARE_HOMING] = {FF_BUS_OP, FF_DRIVE_KEEP},
    [FF_HARDWARE_READY] = {FF_BUS_OP, FF_DRIVE_ON},       [FF_HARDWARE_ACTIVE] = {FF_BUS_OP, FF_DRIVE_ON},
    [FF_HARDWARE_FAULT] = {FF_BUS_OP, FF_DRIVE_KEEP}};

static void enter(ff_hardware *h, ff_hardware_state state, const char *text)
{
    h->state = state;
    h->since = h->now;
    if (state == FF_HARDWARE_READY || state == FF_HARDWARE_FAULT) ff_hardware_stop(h);
    if (state == FF_HARDWARE_READY && h->options.automatic && !h->auto_started) h->wants_active = true;
    if (state == FF_HARDWARE_READY || state == FF_HARDWARE_FAULT) h->auto_started = true; // the operator continues
    if (state == FF_HARDWARE_HOMING) {
        h->homing_samples = 0;
        memset(h->homing, 0, (size_t)h->wiring.ndrive * sizeof *h->homing);
    }
    if (state == FF_HARDWARE_ACTIVE) ff_hardware_begin_blend(h);
    if (state == FF_HARDWARE_ACTIVE || state == FF_HARDWARE_FAULT) h->wants_active = false;
    if (state == FF_HARDWARE_IDLE) h->why[0] = '\0';
    h->resetting = h->disabled = false;
    if (h->options.log) h->options.log(h->options.context, h->now, state, text);
}

static void fault_if_unsafe(ff_hardware *h)
{
    if (h->state == FF_HARDWARE_FAULT || is_safe(h)) return;
    h->counts.faults++;
    enter(h, FF_HARDWARE_FAULT, h->why);
}

static void change_state(ff_hardware *h)
{
    for (size_t i = 0; i < sizeof TRANSITIONS / sizeof *TRANSITIONS; i++) {
        if (TRANSITIONS[i].from != h->state || !TRANSITIONS[i].when(h)) continue;
        enter(h, TRANSITIONS[i].to, "");
        return;
    }
}

static void control_drives(ff_hardware *h)
{
    const bool fault = h->state == FF_HARDWARE_FAULT;
    if (fault && ((h->commands & FF_OPERATOR_DISABLE) || h->now - h->since > h->options.hold)) h->disabled = true;
    const ff_drive_request request = h->disabled ? FF_DRIVE_OFF : REQUESTS[h->state].drives;
    for (int i = 0; i < h->wiring.ndrive; i++) ff_device_drive_control(&h->drives[i], request, h->resetting);
}

void ff_section_state(ff_hardware *h)
{
    if ((h->commands & FF_OPERATOR_ACTIVATE) && h->state != FF_HARDWARE_FAULT) h->wants_active = true;
    if (h->commands & FF_OPERATOR_DEACTIVATE) h->wants_active = false;
    if ((h->commands & FF_OPERATOR_HOME) && h->state == FF_HARDWARE_IDLE) h->homed = false;
    fault_if_unsafe(h);
    if (h->state == FF_HARDWARE_FAULT && h->bus_report.state < FF_BUS_SAFE_OP)
        h->homed = false; // drives may have lost their zero positions
    change_state(h);
    h->requested.state = REQUESTS[h->state].bus;
    if (h->state == FF_HARDWARE_PRE_OP && h->bus_report.checked) h->requested.state = FF_BUS_SAFE_OP;
    if (h->state == FF_HARDWARE_FAULT && (!h->bus_report.checked || h->bus_report.failed))
        h->requested.state = h->bus_report.state;
    h->requested.check = h->state >= FF_HARDWARE_PRE_OP;
    control_drives(h);
}
