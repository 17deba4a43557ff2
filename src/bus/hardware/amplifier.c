// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One step of a servo drive (amplifier.h): ramps of option codes delay the state machine of CiA 402, the active mode
// computes the demand, and the following error is monitored.
#include "hardware/amplifier.h"

#include <footfall/math.h>

#include <math.h>

// ------------------------------------------------------------------------------------------ positions

enum { POLARITY_VELOCITY = 6, POLARITY_POSITION = 7 };

double ff_amplifier_sign(const ff_ec_drive *o, int bit)
{
    return o->polarity >> bit & 1 ? -1.0 : 1.0;
}

static uint32_t apply_polarity(const ff_ec_drive *o, uint32_t count)
{
    return o->polarity >> POLARITY_POSITION & 1 ? 0U - count : count;
}

double ff_amplifier_counts(const ff_amplifier *s, const ff_ec_drive *o, int32_t position)
{
    const uint32_t count = apply_polarity(o, (uint32_t)position - (uint32_t)s->shift);
    return (int32_t)(count - (uint32_t)s->zero);
}

int32_t ff_amplifier_object(const ff_amplifier *s, const ff_ec_drive *o, double counts)
{
    const uint32_t count = (uint32_t)(int64_t)floor(counts + 0.5) + (uint32_t)s->zero;
    return (int32_t)(apply_polarity(o, count) + (uint32_t)s->shift);
}

double ff_amplifier_measured(const ff_amplifier *s, const ff_amplifier_inputs *in)
{
    return (int32_t)((uint32_t)in->count - (uint32_t)s->zero);
}

void ff_amplifier_measure(const ff_amplifier *s, ff_ec_drive *o, int32_t count, double velocity)
{
    o->position = (int32_t)(apply_polarity(o, (uint32_t)count) + (uint32_t)s->shift);
    o->velocity =
        (int32_t)ff_max(ff_min(floor(ff_amplifier_sign(o, POLARITY_VELOCITY) * velocity + 0.5), INT32_MAX), INT32_MIN);
}

// ------------------------------------------------------------------------------------------ touch probe

enum { ENABLE = 0x01, CONTINUOUS = 0x02, SOURCE = 0x0C, AT_INDEX = 0x04, POSITIVE = 0x10 }; // 60B8
enum { ENABLED = 0x01, STORED = 0x02 };                                                     // 60B9

/// Touch probe, CiA 402: stores the position of the index mark of the encoder. Objects 60B8 function, 60B9 status, 60BA
/// position. Only probe 1 is supported, with the index mark as its source, at the positive edge.
static void step_probe(ff_amplifier *s, ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    const bool on = (o->probe & ENABLE) && (o->probe & SOURCE) == AT_INDEX && in->has_indices;
    const bool is_armed = on && (o->probe & POSITIVE) && (!s->probe.stored || o->probe & CONTINUOUS);
    if (!on) s->probe.stored = false;
    if (is_armed && in->indexed && (!s->probe.stored || in->mark != s->probe.mark)) {
        s->probe.stored = true;
        s->probe.mark = in->mark;
        o->probe_position = ff_amplifier_object(s, o, (int32_t)((uint32_t)in->mark - (uint32_t)s->zero));
    }
    o->probe_status = (uint16_t)((on ? ENABLED : 0) | (s->probe.stored ? STORED : 0));
}

// ------------------------------------------------------------------------------------------ reset

enum { OFF = 0, SLOW_RAMP = 1, QUICK_RAMP = 2, STAYS_FROM = 5 };

void ff_amplifier_reset(ff_amplifier *s)
{
    *s = (ff_amplifier){.modes = s->modes, .mode = FF_MODE_CSP, .zero = s->zero, .time_outside = -1.0};
    while (s->modes && !(s->modes >> (s->mode - 1) & 1)) s->mode = s->mode % 32 + 1;
}

void ff_amplifier_set_zero(ff_amplifier *s, int32_t count)
{
    s->zero = count;
}

// ------------------------------------------------------------------------------------------ ramps

/// Decelerates the motor. @param option  0 disables at once, 1 ramp 6084, 2 ramp 6085, 3 and 4 at the current or
/// voltage limit; 5 to 8 the same
static void brake(ff_amplifier *s, const ff_ec_drive *o, int option, double dt)
{
    const int kind = option >= STAYS_FROM ? option - 4 : option;
    const double ramp = kind == SLOW_RAMP ? o->deceleration : kind == QUICK_RAMP ? o->quick_deceleration : 0.0;
    ff_motion_brake(&s->demand, ramp, dt);
    s->velocity_feedforward = s->demand.velocity;
    s->is_braking = true;
}

/// The option code of the fault reaction. For a loss of communication 6007 applies: 1 as any fault, 2 off, 3 quick
/// stop.
static int fault_option(const ff_amplifier *s, const ff_ec_drive *o)
{
    if (s->error != FF_EC_EMERGENCY_BUS_LOST || o->bus_lost_option == 1) return o->fault_option;
    return o->bus_lost_option == 2 ? OFF : QUICK_RAMP;
}

enum { HALT = 0x100, COMMAND_MASK = 0x8F, MODE_EDGE = 0x10 };

/// The option code of a control word that leaves operation; -1: none.
static int leaving_option(const ff_ec_drive *o, unsigned control)
{
    if ((control & 0x87) == FF_CONTROL_SHUTDOWN) return o->shutdown_option;
    if ((control & COMMAND_MASK) == FF_CONTROL_SWITCH) return o->disable_option;
    return -1;
}

static bool is_enabled(const ff_amplifier *s)
{
    return s->machine.state == FF_CIA402_OPERATION_ENABLED;
}

/// A ramp that precedes the transition of the state machine. @return the control word for the state machine
static uint16_t brake_before_leaving(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in,
                                     uint16_t control)
{
    const int option = is_enabled(s) ? leaving_option(o, control) : -1;
    if (option <= OFF || !s->is_driving || s->tripped || in->broken) return control;
    brake(s, o, option, in->dt);
    return s->demand.velocity != 0.0 ? FF_CONTROL_OPERATE : control;
}

// ------------------------------------------------------------------------------------------ one step

static void begin_mode(ff_amplifier *s)
{
    const ff_amplifier_mode *mode = ff_amplifier_mode_of(s->mode);
    if (mode->begin) mode->begin(s);
}

static void choose_mode(ff_amplifier *s, const ff_ec_drive *o)
{
    const int wanted = o->mode;
    if (wanted == s->mode || !ff_amplifier_mode_of(wanted) || !(s->modes >> (wanted - 1) & 1)) return;
    s->mode = wanted;
    begin_mode(s);
}

static void trip(ff_amplifier *s, uint16_t error)
{
    if (s->error) return;
    s->error = error;
    s->tripped = true;
}

/// External faults. A fault that was injected lasts until it is cleared.
static void check_external_faults(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    if (in->broken && s->machine.state != FF_CIA402_FAULT) trip(s, FF_EC_EMERGENCY_DEVICE);
    if (in->lost && o->bus_lost_option && s->is_driving) trip(s, FF_EC_EMERGENCY_BUS_LOST);
}

static bool has_stopped(const ff_amplifier *s, const ff_ec_drive *o)
{
    const int option = s->machine.state == FF_CIA402_FAULT_REACTION_ACTIVE ? fault_option(s, o) : o->quick_stop_option;
    return !s->is_driving || option == OFF || s->demand.velocity == 0.0;
}

static void step_machine(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    const bool kept = !in->applied && in->lost && !o->bus_lost_option && is_enabled(s); // 6007 = 0: nothing happens
    s->machine.stays_stopped = o->quick_stop_option >= STAYS_FROM;
    const ff_cia402_inputs inputs = {.control = brake_before_leaving(s, o, in, kept ? FF_CONTROL_OPERATE : s->control),
                                     .fault = s->tripped || in->broken,
                                     .standstill = has_stopped(s, o)};
    const ff_cia402_state before = s->machine.state;
    ff_cia402_step(&s->machine, &inputs);
    if (s->machine.state == FF_CIA402_FAULT_REACTION_ACTIVE) s->tripped = false;
    if (before == FF_CIA402_FAULT && s->machine.state != before) s->error = 0;
}

/// The demand begins at the measured position.
static void switch_on(ff_amplifier *s, const ff_amplifier_inputs *in)
{
    s->demand = (ff_motion){.position = ff_amplifier_measured(s, in)};
    s->velocity_feedforward = s->torque_feedforward = 0.0;
    s->time_outside = -1.0;
    begin_mode(s);
}

static void drive(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in, uint16_t before)
{
    const ff_cia402_state state = s->machine.state;
    const bool edge = (s->control & ~before) & MODE_EDGE;
    if (state == FF_CIA402_QUICK_STOP_ACTIVE)
        brake(s, o, o->quick_stop_option, in->dt);
    else if (state == FF_CIA402_FAULT_REACTION_ACTIVE)
        brake(s, o, fault_option(s, o), in->dt);
    else if (in->applied && o->control & HALT)
        brake(s, o, o->halt_option, in->dt);
    else if (!in->applied) // 6007 = 0: it holds its position
        brake(s, o, OFF, in->dt);
    else if (!s->is_braking)
        ff_amplifier_mode_of(s->mode)->step(s, o, in, edge);
}

/// |demand - position| > 6065 for longer than 6066. A window of FFFFFFFF disables the check, since no error is larger.
static void watch_following_error(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    const double error = fabs(s->demand.position - ff_amplifier_measured(s, in));
    if (!is_enabled(s) || !ff_amplifier_mode_of(s->mode)->follows_position || error <= o->following_window) {
        s->time_outside = -1.0;
        return;
    }
    s->time_outside = s->time_outside < 0.0 ? 0.0 : s->time_outside + in->dt;
    if (s->time_outside > 1e-3 * o->following_time + 1e-9) trip(s, FF_EC_EMERGENCY_FOLLOWING);
}

static void update_status(const ff_amplifier *s, ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    unsigned status = ff_cia402_status(s->machine.state, in->applied) & ~(unsigned)FF_STATUS_FOLLOWS;
    const bool halts = o->control & HALT;
    if (is_enabled(s) && !halts) status |= ff_amplifier_mode_of(s->mode)->status(s, o);
    if (is_enabled(s) && halts && s->demand.velocity == 0.0) status |= FF_STATUS_TARGET_REACHED;
    if (s->error == FF_EC_EMERGENCY_FOLLOWING) status |= FF_STATUS_FOLLOWING_ERROR;
    if (is_enabled(s) && s->limited) status |= FF_STATUS_LIMIT;
    o->status = (uint16_t)status;
    o->error_code = s->error;
    o->mode_shown = (int8_t)s->mode;
    o->supported_modes = s->modes;
    if (in->known)
        o->position = ff_amplifier_object(s, o, ff_amplifier_measured(s, in)); // homing may have changed the shift
    o->position_demand = s->is_driving ? ff_amplifier_object(s, o, s->demand.position) : o->position;
    o->following_error = (int32_t)((uint32_t)o->position_demand - (uint32_t)o->position);
    o->torque_demand = (int16_t)(s->is_driving ? s->torque_feedforward : 0.0);
}

void ff_amplifier_step(ff_amplifier *s, ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    const uint16_t before = s->control;
    const bool was_driving = s->is_driving;
    s->is_braking = false;
    s->control = in->applied ? o->control : 0;
    choose_mode(s, o);
    check_external_faults(s, o, in);
    step_machine(s, o, in);
    const ff_cia402_state state = s->machine.state;
    s->is_driving = in->known && (state == FF_CIA402_OPERATION_ENABLED || state == FF_CIA402_QUICK_STOP_ACTIVE ||
                                  (state == FF_CIA402_FAULT_REACTION_ACTIVE && was_driving));
    if (s->is_driving && !was_driving) switch_on(s, in);
    if (s->is_driving) {
        drive(s, o, in, before);
        watch_following_error(s, o, in);
    } else {
        s->demand.velocity = s->velocity_feedforward = 0.0;
        s->limited = false;
    }
    step_probe(s, o, in);
    update_status(s, o, in);
}

uint32_t ff_amplifier_check(const ff_amplifier *s, const ff_amplifier_inputs *in, uint16_t index, int64_t value)
{
    enum { RANGE = 0x06090030 };
    const bool has_mode = value > 0 && value <= 32 && ff_amplifier_mode_of((int)value) && s->modes >> (value - 1) & 1;
    if (index == 0x6060 && !has_mode) return RANGE;
    if (index == 0x6098 && !ff_amplifier_can_home(in, (int)value)) return RANGE;
    return 0;
}
