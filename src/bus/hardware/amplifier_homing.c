// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Homing of a servo drive (amplifier.h), CiA 402: shifts the position objects so that home has the value 607C. Methods
// are rows of a table: limit switches are approached at speed 6099:1 and left at speed 6099:2; methods with an index
// stop at the next index mark of the encoder.
#include "hardware/amplifier.h"

#include <math.h>

static const struct {
    int number;
    int direction;  // initial direction of the search
    uint32_t limit; // limit switch; 0: none
    bool index;     // home is an index mark
} METHODS[] = {{1, -1, FF_AMPLIFIER_LIMIT_NEGATIVE, true},
               {2, +1, FF_AMPLIFIER_LIMIT_POSITIVE, true},
               {17, -1, FF_AMPLIFIER_LIMIT_NEGATIVE, false},
               {18, +1, FF_AMPLIFIER_LIMIT_POSITIVE, false},
               {33, -1, 0, true},
               {34, +1, 0, true},
               {37, 0, 0, false}}; // the present position is home

enum { NMETHOD = sizeof METHODS / sizeof *METHODS };

static int find_method(int number)
{
    for (int i = 0; i < NMETHOD; i++)
        if (METHODS[i].number == number) return i;
    return -1;
}

bool ff_amplifier_can_home(const ff_amplifier_inputs *in, int method)
{
    const int i = find_method(method);
    return i >= 0 && (METHODS[i].limit & ~in->limits) == 0 && (!METHODS[i].index || in->has_indices);
}

static void begin(ff_amplifier *s)
{
    s->homing.phase = FF_HOMING_IDLE;
}

/// Position of a mark, in counts since `zero`.
static double mark_of(const ff_amplifier *s, const ff_amplifier_inputs *in)
{
    return (int32_t)((uint32_t)in->mark - (uint32_t)s->zero);
}

static void seek_index(ff_amplifier *s, const ff_amplifier_inputs *in)
{
    s->homing.phase = FF_HOMING_INDEX;
    s->homing.begin = s->homing.last = ff_amplifier_measured(s, in);
}

static void finish_search(ff_amplifier *s, double home)
{
    s->homing.home = home;
    s->homing.phase = FF_HOMING_STOP;
}

static void start_homing(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    const int i = find_method(o->homing_method);
    if (!ff_amplifier_can_home(in, o->homing_method)) {
        s->homing.phase = FF_HOMING_FAILED;
        return;
    }
    s->homing.direction = METHODS[i].direction;
    if (METHODS[i].limit)
        s->homing.phase = FF_HOMING_SEEK;
    else if (METHODS[i].index)
        seek_index(s, in);
    else
        finish_search(s, ff_amplifier_measured(s, in));
}

/// The first mark that was passed since the last step. Marks are one turn apart.
static bool passed_mark(const ff_amplifier *s, const ff_amplifier_inputs *in, double now, double *mark)
{
    if (!in->indexed) return false;
    const double known = mark_of(s, in);
    const double before = floor((s->homing.last - known) / in->turn), after = floor((now - known) / in->turn);
    *mark = known + in->turn * (s->homing.direction > 0 ? before + 1.0 : before);
    return before != after;
}

/// Runs the phases in order; several may finish in one step.
static void search(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    enum { TURNS_MOST = 2 };
    const int i = find_method(o->homing_method);
    const double now = ff_amplifier_measured(s, in);
    const bool pressed = i >= 0 && o->digital_inputs & METHODS[i].limit;
    double mark;
    if (i < 0 || !ff_amplifier_can_home(in, o->homing_method)) {
        s->homing.phase = FF_HOMING_FAILED; // the method was changed meanwhile
        return;
    }
    if (s->homing.phase == FF_HOMING_SEEK && pressed) {
        s->homing.phase = FF_HOMING_LEAVE;
        s->homing.direction = -s->homing.direction;
    }
    if (s->homing.phase == FF_HOMING_LEAVE && !pressed) {
        if (METHODS[i].index)
            seek_index(s, in);
        else
            finish_search(s, now);
    }
    if (s->homing.phase == FF_HOMING_INDEX) {
        if (passed_mark(s, in, now, &mark))
            finish_search(s, mark);
        else if (fabs(now - s->homing.begin) > TURNS_MOST * in->turn)
            s->homing.phase = FF_HOMING_FAILED;
    }
    s->homing.last = now;
}

static bool is_searching(const ff_amplifier *s)
{
    return s->homing.phase >= FF_HOMING_SEEK && s->homing.phase <= FF_HOMING_INDEX;
}

/// Ends homing: shifts positions so that 6064 (actual position) is 607C (home offset) at home.
static void finish(ff_amplifier *s, const ff_ec_drive *o)
{
    s->shift = 0;
    s->shift = (int32_t)((uint32_t)o->home_offset - (uint32_t)ff_amplifier_object(s, o, s->homing.home));
    s->homing.phase = FF_HOMING_DONE;
}

static void step(ff_amplifier *s, const ff_ec_drive *o, const ff_amplifier_inputs *in, bool edge)
{
    enum { START = 0x10 };
    const ff_motion_bounds bounds = {.acceleration = o->homing_acceleration, .deceleration = o->homing_acceleration};
    if (edge) start_homing(s, o, in);
    if (is_searching(s)) search(s, o, in);
    if (!(s->control & START) && (is_searching(s) || s->homing.phase == FF_HOMING_STOP))
        s->homing.phase = FF_HOMING_IDLE; // cancelled
    const double speed = o->homing_speed[s->homing.phase == FF_HOMING_SEEK ? 0 : 1];
    ff_motion_accelerate(&s->demand, is_searching(s) ? s->homing.direction * speed : 0.0, &bounds, in->dt);
    s->velocity_feedforward = s->demand.velocity;
    if (s->homing.phase == FF_HOMING_STOP && s->demand.velocity == 0.0) finish(s, o);
}

/// Bit 10: at rest. Bit 12: homing attained. Bit 13: homing error.
static uint16_t homing_status(const ff_amplifier *s, const ff_ec_drive *o)
{
    (void)o;
    const bool at_rest = s->demand.velocity == 0.0 && !is_searching(s) && s->homing.phase != FF_HOMING_STOP;
    return (uint16_t)((at_rest ? FF_STATUS_TARGET_REACHED : 0) |
                      (s->homing.phase == FF_HOMING_DONE ? FF_STATUS_HOMED : 0) |
                      (s->homing.phase == FF_HOMING_FAILED ? FF_STATUS_HOMING_ERROR : 0));
}

const ff_amplifier_mode ff_amplifier_homing = {FF_MODE_HM, true, begin, step, homing_status};
