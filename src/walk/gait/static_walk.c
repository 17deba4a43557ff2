// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The static walk on two legs: one cycle computes references from sensor values through the three levels. It allocates
// at creation and binding alone, and all that changes is one block of plain data.
#include "gait/static_walk.h"
#include "base/missing.h"
#include "control/setting.h"
#include "drive/interface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const INPUTS[] = {"com", "zmp", "capture", "none", NULL};

#define OF ff_static_walk_options
const ff_row ff_static_walk_settings[] = {
    FF_SETTING_TEXT("pose", pose, "stand", "standing pose, from the robot's file"),
    FF_SETTING_TEXT("trunk", trunk, NULL, "joint that leans the trunk to the side of the stance foot"),
    FF_SETTING_NUMBER("lean", lean, "rad", FF_BETWEEN(-0.9, 0.9), "0.17453292519943295", "lean of the trunk"),
    FF_SETTING_NUMBER("shift_time", shift_time, "s", FF_POSITIVE, "1.5",
                      "time to move the centre of mass from foot to foot"),
    FF_SETTING_NUMBER("swing_time", swing_time, "s", FF_POSITIVE, "1.5", "swing time of a foot"),
    FF_SETTING_NUMBER("lift", lift, "m", FF_POSITIVE, "0.03", "height to which a foot is lifted"),
    FF_SETTING_NUMBER("inward", inward, "m", FF_BETWEEN(-0.9, 0.9), "0.01",
                      "position of the centre of mass on one foot: from its middle towards the other foot"),
    FF_SETTING_NUMBER("ahead", ahead, "m", FF_BETWEEN(-0.9, 0.9), "0", "the same, ahead of its middle"),
    FF_SETTING_CHOICE("input", input, INPUTS, "capture",
                      "quantity that is balanced: centre of mass, zero moment point of the foot sensors, or both as "
                      "the capture point; only the last one damps sway"),
    FF_SETTING_NUMBER("balance", balance, "s", FF_POSITIVE, "3", "time constant of the correction of balance"),
    FF_SETTING_NUMBER("yield", yield, "rad/(N m s)", FF_NOT_NEGATIVE, "0.0045",
                      "compliance of feet with moments that are not planned"),
    FF_SETTING_NUMBER("yield_time", yield_time, "s", FF_POSITIVE, "0.2", "time constant of their return"),
    FF_SETTING_NUMBER("shift_limit", shift_limit, "m", FF_NOT_NEGATIVE, "0.03", "largest correction of the balance"),
    FF_SETTING_NUMBER("tolerance", tolerance, "m", FF_POSITIVE, "0.01", "largest balance error for a foot to lift"),
    FF_SETTING_NUMBER("timeout", timeout, "s", FF_NOT_NEGATIVE, "3",
                      "longest time to wait for balance before a foot lifts"),
    FF_SETTING_NUMBER("level", level, "s", FF_POSITIVE, "5", "time constant of feet that follow the ground"),
    FF_SETTING_NUMBER("contact", contact_on, "N", FF_POSITIVE, "12", "vertical force at which a foot has landed"),
    FF_SETTING_NUMBER("press", press, "N", FF_POSITIVE, "25",
                      "force with which it is pressed while it turns parallel to the ground"),
    FF_SETTING_NUMBER("comply", comply, "rad/(N m s)", FF_NOT_NEGATIVE, "0.3", "rate of this turn per moment"),
    FF_SETTING_NUMBER("land_time", land_time, "s", FF_NOT_NEGATIVE, "0.5", "longest duration of this turn"),
    FF_SETTING_NUMBER("search", search, "m", FF_NOT_NEGATIVE, "0.03", "depth of the search for ground"),
    FF_SETTING_NUMBER("stale", stale, "s", FF_POSITIVE, "0.05", "age above which a sensor value is not used"),
    FF_SETTING_SWITCH("feedforward", feedforward, "true", "send the torques of the weight with the references"),
    {0},
};
#undef OF

FF_DEFINE_DEFAULT(ff_static_walk_options, ff_static_walk_settings)

const char *ff_static_walk_status_text(int bit)
{
    static const char *const texts[FF_STATIC_WALK_STATUS_BITS] = {"step out of reach, shortened",
                                                                  "a leg or a drive is at its limit",
                                                                  "force of a foot unknown",
                                                                  "no joint or attitude data received",
                                                                  "balance outside the soles that carry",
                                                                  "a number that is not finite was left out",
                                                                  "a foot's sensor is at the end of its range",
                                                                  "a foot waited for balance",
                                                                  "a foot found no ground"};
    return bit >= 0 && bit < FF_STATIC_WALK_STATUS_BITS ? texts[bit] : "";
}

// ------------------------------------------------------------------------------------------ signals

static void list_signals(const ff_static_walk *b, ff_gait_signals *list)
{
    static const char *const axes[3] = {"x", "y", "z"};
    const ff_static_walk_state *m = &b->memory;
    const ff_static_walk_seen *s = &m->seen;
    ff_gait_signal(list, "status", "1", m->status);
    ff_gait_signal(list, "phase", "1", m->phase);
    ff_gait_signal(list, "stance", "1", m->stance);
    ff_gait_signal(list, "steps", "1", (double)m->steps);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(list, "com", axes[k], "m", s->com[k]);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(list, "com.plan", axes[k], "m", m->com[k]);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(list, "zmp", axes[k], "m", s->zmp[k]);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(list, "zmp.plan", axes[k], "m", m->zmp[k]);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(list, "shift", axes[k], "m", m->shift[k]);
    ff_gait_signal(list, "error", "m", sqrt(m->error[0] * m->error[0] + m->error[1] * m->error[1]));
    ff_gait_signal(list, "margin", "m", m->margin);
    ff_gait_signal(list, "tilt.roll", "rad", s->tilt[0]);
    ff_gait_signal(list, "tilt.pitch", "rad", s->tilt[1]);
    ff_gait_signal(list, "height", "m", m->height);
    ff_gait_signal(list, "waited", "s", m->waited);
    ff_gait_signal(list, "saturated", "s", m->saturated);
    ff_gait_signal(list, "clamped", "1", m->clamped);
    for (int side = 0; side < 2; side++) {
        const char *leg = b->robot.model->legs[b->robot.leg[side]].name;
        const ff_static_walk_foot *foot = &m->foot[side];
        for (int k = 0; k < 3; k++) ff_gait_signal_of(list, leg, axes[k], "m", foot->place[k]);
        ff_gait_signal_of(list, leg, "yaw", "rad", foot->yaw);
        ff_gait_signal_of(list, leg, "tilt.roll", "rad", foot->tilt[0]);
        ff_gait_signal_of(list, leg, "tilt.pitch", "rad", foot->tilt[1]);
        ff_gait_signal_of(list, leg, "force", "N", s->load[side]);
    }
}

// ------------------------------------------------------------------------------------------ making

static void reset(ff_static_walk *b)
{
    const ff_gait_sample never = {.age = INFINITY};
    ff_static_walk_state *m = &b->memory;
    memset(m, 0, sizeof *m);
    for (int j = 0; j < FF_STATIC_WALK_COORDINATES; j++) m->joint[j] = never;
    for (int k = 0; k < 2; k++) {
        m->attitude[k] = never;
        for (int i = 0; i < 6; i++) m->force[k][i] = never;
    }
    m->short_leg = m->short_drive = -1;
    memcpy(m->q, b->robot.stand, sizeof m->q);
    ff_static_walk_plan_start(&b->robot, m);
}

ff_static_walk *ff_static_walk_create(const ff_model *model, const ff_static_walk_options *options, ff_error *err)
{
    const ff_static_walk_options standard = ff_static_walk_options_default();
    if (!model) return ff_error_missing(err, __func__, "model"), NULL;
    if (!options) options = &standard;
    if (ff_settings_check(ff_static_walk_settings, options, err) != FF_OK) return NULL;
    ff_static_walk *b = calloc(1, sizeof *b);
    if (b) b->d = ff_data_create(model, NULL);
    ff_gait_signals signals = {.names = b ? b->names : NULL, .most = FF_STATIC_WALK_SIGNALS, .err = err};
    ff_status status = b && b->d ? ff_static_walk_robot_make(model, options, b->d, &b->robot, err)
                                 : ff_error_set(err, FF_NO_MEMORY, "no memory for a walking controller");
    if (status == FF_OK) list_signals(b, &signals), status = signals.status;
    if (status != FF_OK) return ff_static_walk_destroy(b), NULL;
    reset(b);
    return b;
}

void ff_static_walk_destroy(ff_static_walk *b)
{
    if (!b) return;
    ff_drive_set_destroy(b->drives);
    ff_data_destroy(b->d);
    free(b);
}

ff_status ff_static_walk_bind(ff_static_walk *b, const ff_io_layout *sensors, const ff_io_layout *references,
                              ff_error *err)
{
    const ff_model *m = b->robot.model;
    ff_report ignored = {0}; // mistakes in drives were reported when the robot was compiled
    if (!b->drives) b->drives = ff_drive_set_create(m, NULL, &ignored);
    ff_report_clear(&ignored);
    if (!b->drives) return ff_error_set(err, FF_BAD_MODEL, "the drives of the biped cannot be made");
    ff_status status = ff_travel_make(b->drives, references, &b->travel, err);
    if (status == FF_OK) {
        b->robot.travel = &b->travel;
        ff_static_walk_find_heights(&b->robot, b->d);
    }
    if (status == FF_OK) status = ff_static_walk_find_items(&b->robot, sensors, references, &b->items, err);
    for (int side = 0; side < 2 && status == FF_OK; side++)
        for (int k = 0; k < b->robot.chain[side].njoint && status == FF_OK; k++)
            if (!ff_travel_moves(&b->travel, b->robot.chain[side].joint[k]))
                status = ff_error_set(err, FF_NOT_FOUND, "no drive moves joint '%.60s'",
                                      m->joints[b->robot.chain[side].joint[k]].name);
    return status;
}

// ------------------------------------------------------------------------------------------ commands

ff_static_walk_command ff_static_walk_command_get(const ff_static_walk *b)
{
    return b->memory.command;
}

ff_status ff_static_walk_command_set(ff_static_walk *b, const ff_static_walk_command *command, ff_error *err)
{
    const double numbers[4] = {command->forward, command->sideways, command->turn, command->height};
    if (!ff_all_finite(numbers, 4)) {
        b->memory.ever |= FF_STATIC_WALK_BAD_NUMBER;
        return ff_error_set(err, FF_BAD_ARGUMENT, "a number of the command is not finite; the old command stays");
    }
    const double *heights = b->robot.heights, slack = 1e-9;
    const bool bound = b->robot.travel && command->height > 0.0;
    if (command->height < 0.0 ||
        (bound && !(command->height >= heights[0] - slack && command->height <= heights[1] + slack)))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "height %g m: on one foot its legs and drives can hold the pelvis %.3f to %.3f m high; the "
                            "old command stays",
                            command->height, heights[0], heights[1]);
    b->memory.command = *command;
    if (command->height == 0.0) b->memory.command.height = b->robot.height;
    return FF_OK;
}

void ff_static_walk_heights(const ff_static_walk *b, double range[2])
{
    memcpy(range, b->robot.heights, sizeof b->robot.heights);
}

double ff_static_walk_first(const ff_static_walk *b, int bit)
{
    return bit >= 0 && bit < FF_STATIC_WALK_STATUS_BITS && (b->memory.ever >> bit & 1U) ? b->memory.first[bit] : NAN;
}

const char *ff_static_walk_short_leg(const ff_static_walk *b)
{
    return b->memory.short_leg >= 0 ? b->robot.model->legs[b->robot.leg[b->memory.short_leg]].name : NULL;
}

const char *ff_static_walk_short_drive(const ff_static_walk *b)
{
    return b->memory.short_drive >= 0 ? b->travel.name[b->memory.short_drive] : NULL;
}

double ff_static_walk_stand_height(const ff_static_walk *b)
{
    return b->robot.height;
}

// ------------------------------------------------------------------------------------------ a cycle

/// Have all sensors of joints and forces sent a value, or is the timeout over?
static bool is_ready(const ff_static_walk *b, double t)
{
    const ff_static_walk_state *m = &b->memory;
    bool ready = ff_gait_have_arrived(b->items.joint, m->joint, b->robot.model->njoint);
    for (int side = 0; side < 2; side++)
        ready = ready && ff_gait_have_arrived(b->items.foot[side].item, m->force[side], 1);
    return ready || t - m->time > FF_GAIT_TIMEOUT;
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_static_walk *b = context;
    ff_static_walk_state *m = &b->memory;
    if (!isfinite(t) || references->count != b->items.count[FF_IO_REFERENCES]) return;
    const double dt = m->started ? ff_max(0.0, ff_min(FF_GAIT_LONGEST_CYCLE, t - m->time)) : 0.0;
    m->status = 0;
    ff_static_walk_read(&b->robot, &b->items, sensors, dt, m);
    if (!m->started && !is_ready(b, t)) return;
    ff_static_walk_evaluate(&b->robot, &b->items, dt, b->d, m);
    ff_static_walk_plan_update(&b->robot, dt, b->d, m);
    ff_static_walk_servo_update(&b->robot, dt, b->d, m);
    const int beyond = ff_travel_write(&b->travel, t, m->q, m->v, m->tau, references);
    if (beyond >= 0 && !(m->ever & FF_STATIC_WALK_OUT_OF_REACH)) m->short_drive = beyond;
    if (beyond >= 0) m->status |= FF_STATIC_WALK_OUT_OF_REACH;
    for (int bit = 0; bit < FF_STATIC_WALK_STATUS_BITS; bit++)
        if ((m->status & ~m->ever) >> bit & 1U) m->first[bit] = t;
    m->time = t;
    m->started = 1;
    m->ever |= m->status;
    list_signals(b, &(ff_gait_signals){.values = m->signals});
}

ff_controller ff_static_walk_controller(ff_static_walk *b)
{
    return (ff_controller){.context = b,
                           .cycle = cycle,
                           .memory = &b->memory,
                           .memory_size = sizeof b->memory,
                           .signals = b->names,
                           .values = b->memory.signals,
                           .nsignal = FF_STATIC_WALK_SIGNALS,
                           .conditions = &b->memory.status};
}

unsigned ff_static_walk_status(const ff_static_walk *b, unsigned *ever)
{
    if (ever) *ever = b->memory.ever;
    return b->memory.status;
}
