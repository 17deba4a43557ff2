// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The sections of one cycle, numbered as in table 2.1 of the source (docs/hardware.md), in the order of a single
// thread. Section 4 (targets.c) is between 3 and 5, as in time when two threads share the work, so that both give
// bit-identical results. Its outputs are sent in the frame of its own cycle, which saves one cycle of the bus.
#include "hardware/layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ the thread of the bus

static void execute_scheduled_commands(ff_hardware *h)
{
    for (const char *text; (text = ff_schedule_due(&h->schedule, h->t));)
        ff_hardware_command(h, text, NULL); // it was validated before
}

void ff_section_begin(ff_hardware *h)
{
    execute_scheduled_commands(h);
    h->now = h->t;
    h->number = h->cycle;
    h->commands = h->new_commands;
    h->new_commands = 0;
    h->falsified += h->miscount;
    h->miscount = 0;
    h->bus_request = h->requested;
    if (h->site.nsignal > 0 && h->site.values)
        memcpy(h->site.values, h->values, (size_t)h->site.nsignal * sizeof *h->values);
    if (h->site.conditions) *h->site.conditions = h->conditions;
}

void ff_section_receive(ff_hardware *h)
{
    const bool valid = h->bus.copy_rx(h->bus.context, h->image.inputs);
    h->report.lost = valid ? 0 : h->report.lost + 1;
    h->lost += !valid && h->report.state == FF_BUS_OP;
}

void ff_section_exchange(ff_hardware *h)
{
    h->bus_report = h->report;
}

void ff_section_send(ff_hardware *h)
{
    ff_error err = {0};
    h->bus.copy_tx(h->bus.context, h->image.outputs);
    h->report.send_failed = h->bus.send(h->bus.context, h->t, &err) != FF_OK;
    if (h->report.send_failed) snprintf(h->report.why, sizeof h->report.why, "%.150s", err.text);
}

/// Checks that a drive has profile 402 and follows positions, and sets its interpolation period.
static ff_status check_drive(ff_hardware *h, const char *slave, ff_error *err)
{
    const int64_t period = (int64_t)floor(h->bus.period / 1e-5 + 0.5);
    int64_t type = 0, modes = 0;
    ff_status status = h->bus.sdo_read(h->bus.context, slave, 0x1000, 0, &type, err);
    if (status == FF_OK) status = h->bus.sdo_read(h->bus.context, slave, 0x6502, 0, &modes, err);
    if (status != FF_OK) return status;
    if ((type & 0xFFFF) != 402)
        return ff_error_set(err, FF_BAD_ARGUMENT, "slave '%s' is not a drive of profile 402: its device type is %08llX",
                            slave, (unsigned long long)type);
    if (!(modes & 1 << (FF_MODE_CSP - 1)))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "drive '%s' has no cyclic synchronous position mode: its modes are %llX", slave,
                            (unsigned long long)modes);
    return period >= 1 && period <= 255 ? h->bus.sdo_write(h->bus.context, slave, 0x60C2, 1, period, err) : FF_OK;
}

static void check_slaves(ff_hardware *h)
{
    ff_error err = {0};
    for (int i = 0; i < h->wiring.ndrive && !h->report.failed; i++)
        h->report.failed = check_drive(h, h->wiring.drives[i].name, &err) != FF_OK;
    if (h->report.failed) snprintf(h->report.why, sizeof h->report.why, "%.150s", err.text);
    h->report.checked = true;
}

/// The bus may leave a state by itself. Below SAFE-OP drives may lose their configuration, which is written again.
void ff_section_acyclic(ff_hardware *h)
{
    const ff_bus_state was = h->report.state;
    h->report.state = h->bus.request_state(h->bus.context, h->bus_request.state);
    if ((h->report.state < was || h->report.lost > 0) && h->bus.describe_problem)
        h->bus.describe_problem(h->bus.context, h->report.problem, sizeof h->report.problem);
    if (was >= FF_BUS_SAFE_OP && h->report.state < FF_BUS_SAFE_OP) h->stale = h->report.checked;
    if (!h->bus_request.check || (h->report.checked && !(h->stale && h->report.state == FF_BUS_OP))) return;
    check_slaves(h);
    h->stale = false;
}

// ------------------------------------------------------------------------------------------ the main thread

void ff_section_process(ff_hardware *h)
{
    const ff_wiring *w = &h->wiring;
    ff_io_item *items = ff_io_items(h->sensors);
    if (h->bus_report.state < FF_BUS_SAFE_OP || h->bus_report.lost > 0) return; // keeps the last values
    memset(items, 0, h->sensors->count * sizeof *items);
    for (int i = 0; i < w->ndrive; i++) {
        ff_device_drive_read(&h->drives[i]);
        ff_device_drive_publish(&h->drives[i], items);
        h->x[i] = h->drives[i].x;
    }
    for (int i = 0; i < w->nforce; i++) {
        ff_device_force_read(&h->forces[i], &h->options);
        ff_device_force_publish(&h->forces[i], items);
    }
    for (int i = 0; i < w->ninertial; i++) ff_device_imu_publish(&h->imus[i], items);
    ff_device_gateway_publish(&h->gateway, items);
    if (h->homed) ff_joints_from_drives(w, h->x, h->q);
}

/// Publishes a frame to the controller, but only while the robot follows it: a controller that continued while the
/// robot is held would be far from it afterwards. In lockstep its answer is used in its next cycle, so that it has a
/// whole period to compute, as with a real bus. In real time the answer to the previous frame is received here.
void ff_section_publish(ff_hardware *h)
{
    if (h->state != FF_HARDWARE_ACTIVE || h->number % h->every != 0) return;
    h->counter++;
    h->published++;
    h->sensors->sequence = h->counter;
    h->sensors->time_ns = (int64_t)floor(1e9 * h->now + 0.5);
    memset(ff_io_items(h->answer), 0, h->answer->count * sizeof(ff_io_item));
    h->answer->sequence = h->counter; // a controller in the same process answers at once
    h->answer->time_ns = h->sensors->time_ns;
    h->controller.cycle(h->controller.context, h->now, h->sensors, h->answer);
    if (h->falsified > 0) {
        h->falsified--;
        h->answer->sequence++;
    }
    h->answered = true;
    h->counts.frames++;
}

void ff_hardware_cycle(ff_hardware *h, double t)
{
    h->t = t;
    if (h->threads)
        ff_hardware_threads_cycle(h);
    else {
        ff_section_begin(h);
        ff_section_receive(h);
        ff_section_targets(h);
        ff_bus_image_read(&h->image);  // 5
        ff_bus_image_write(&h->image); // 7
        ff_section_exchange(h);
        ff_section_send(h);
        ff_section_process(h);
        ff_section_publish(h);
        ff_section_acyclic(h);
        ff_section_state(h);
    }
    h->cycle++;
}
