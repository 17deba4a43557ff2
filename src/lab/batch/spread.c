// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distributions of what differs from robot to robot.
#include "batch/life.h"

#include <footfall/math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// Which numbers a quantity may have.
typedef enum domain { ANY, NOT_NEGATIVE, POSITIVE } domain;

static const struct {
    const char *name, *unit;
    domain domain;
    ff_spread_scope of; // what single things it can be of
} QUANTITIES[FF_BATCH_QUANTITIES] = {
    {"friction", "1", NOT_NEGATIVE, FF_SPREAD_OF_POINTS},
    {"contact_stiffness", "1", POSITIVE, FF_SPREAD_OF_POINTS},
    {"mass", "1", POSITIVE, FF_SPREAD_OF_BODIES},
    {"gain", "1", POSITIVE, FF_SPREAD_OF_SERVOS},
    {"start_height", "m", ANY, FF_SPREAD_OF_ALL},
    {"start_joints", "rad, m", ANY, FF_SPREAD_OF_JOINTS},
    {"start_speeds", "rad/s, m/s", ANY, FF_SPREAD_OF_JOINTS},
    {"start_x", "m", ANY, FF_SPREAD_OF_ALL},
    {"start_y", "m", ANY, FF_SPREAD_OF_ALL},
    {"delay", "steps", ANY, FF_SPREAD_OF_ALL}, // checked by fault_of_delay
    {"inertia", "1", POSITIVE, FF_SPREAD_OF_BODIES},
    {"com_x", "m", ANY, FF_SPREAD_OF_BODIES},
    {"com_y", "m", ANY, FF_SPREAD_OF_BODIES},
    {"com_z", "m", ANY, FF_SPREAD_OF_BODIES},
    {"payload", "kg", NOT_NEGATIVE, FF_SPREAD_OF_BODIES},
    {"start_tilt", "rad", ANY, FF_SPREAD_OF_ALL},
    {"noise", "1", NOT_NEGATIVE, FF_SPREAD_OF_ALL},
    {"push_force", "N", ANY, FF_SPREAD_OF_ALL},
    {"push_direction", "rad", ANY, FF_SPREAD_OF_ALL},
    {"push_time", "s", NOT_NEGATIVE, FF_SPREAD_OF_ALL},
    {"push_duration", "s", NOT_NEGATIVE, FF_SPREAD_OF_ALL},
};

static bool is_quantity(ff_batch_parameter quantity)
{
    return (int)quantity >= 0 && quantity < FF_BATCH_QUANTITIES;
}

const char *ff_batch_parameter_name(ff_batch_parameter parameter)
{
    return is_quantity(parameter) ? QUANTITIES[parameter].name : NULL;
}

ff_spread_scope ff_spread_of(ff_batch_parameter quantity)
{
    return QUANTITIES[quantity].of;
}

const char *ff_spread_unit(ff_batch_parameter quantity)
{
    return QUANTITIES[quantity].unit;
}

ff_status ff_batch_spread_find(const char *name, ff_batch_parameter *quantity, const char **which, ff_error *err)
{
    const size_t length = strcspn(name, ".");
    char names[400] = "";
    *which = name[length] ? name + length + 1 : NULL;
    for (int i = 0, n = 0; i < FF_BATCH_QUANTITIES; i++) {
        const char *one = QUANTITIES[i].name;
        n += snprintf(names + n, sizeof names - (size_t)n, "%s%s", i > 0 ? ", " : "", one);
        if (strlen(one) != length || strncmp(one, name, length) != 0) continue;
        *quantity = (ff_batch_parameter)i;
        return FF_OK;
    }
    return ff_error_set(err, FF_BAD_ARGUMENT, "there is no quantity '%.100s': they are %s", name, names);
}

const char *ff_batch_distribution_name(ff_batch_distribution kind)
{
    static const char *const names[FF_BATCH_DISTRIBUTIONS] = {"uniform", "log_uniform", "normal", "choice"};
    return (int)kind >= 0 && kind < FF_BATCH_DISTRIBUTIONS ? names[kind] : NULL;
}

ff_status ff_batch_spread_make(ff_batch_spread *out, ff_batch_parameter quantity, const char *kind,
                               const double *numbers, int count, ff_error *err)
{
    int k = 0;
    while (k < FF_BATCH_DISTRIBUTIONS && strcmp(kind, ff_batch_distribution_name((ff_batch_distribution)k)) != 0) k++;
    *out = (ff_batch_spread){.quantity = quantity, .kind = (ff_batch_distribution)k};
    if (k == FF_BATCH_DISTRIBUTIONS)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "there is no distribution '%.60s': they are uniform, log_uniform, normal and choice", kind);
    if (out->kind == FF_BATCH_CHOICE) {
        out->values = numbers;
        out->nvalue = count;
        return FF_OK;
    }
    const bool normal = out->kind == FF_BATCH_NORMAL;
    if (count != 2 && !(normal && count == 4))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a distribution %s has %s, and %d numbers are given", kind,
                            normal ? "mean and deviation, then two bounds or none" : "two ends", count);
    if (normal) out->mean = numbers[0], out->deviation = numbers[1];
    if (count == 4 || !normal) out->low = numbers[count - 2], out->high = numbers[count - 1];
    return FF_OK;
}

/// Has a normal distribution bounds?
static bool is_bounded(const ff_batch_spread *s)
{
    return s->low != 0.0 || s->high != 0.0;
}

/// Why a normal distribution cannot be drawn from. Its bounds hold the mean and a deviation at least: then a third of
/// all draws lies between them, and drawing until one does comes to an end.
static const char *fault_of_normal(const ff_batch_spread *s)
{
    if (!isfinite(s->mean) || !isfinite(s->deviation) || s->deviation < 0.0)
        return "mean and deviation must be finite, and the deviation 0 or more";
    if (is_bounded(s) && !(s->low <= s->mean && s->mean <= s->high)) return "the mean must lie between the bounds";
    if (is_bounded(s) && s->high - s->low < s->deviation)
        return "the bounds must be a deviation apart or more; uniform is nearly the same";
    if (QUANTITIES[s->quantity].domain != ANY && !is_bounded(s))
        return "a factor needs bounds, so that it cannot become negative; so do masses and times";
    return NULL;
}

static const char *fault_of_choice(const ff_batch_spread *s)
{
    if (s->nvalue < 1 || !s->values) return "a choice has one value or more";
    return ff_all_finite(s->values, s->nvalue) ? NULL : "each value must be finite";
}

/// The least number that can be drawn (sign 1) or the greatest (sign -1), as far as it is known.
static double outermost(const ff_batch_spread *s, double sign)
{
    if (s->kind != FF_BATCH_CHOICE) return sign > 0.0 ? s->low : s->high;
    double found = s->values[0];
    for (int i = 1; i < s->nvalue; i++)
        if (sign * s->values[i] < sign * found) found = s->values[i];
    return found;
}

static double least_of(const ff_batch_spread *s)
{
    return outermost(s, 1.0);
}

static double most_of(const ff_batch_spread *s)
{
    return outermost(s, -1.0);
}

/// Least and greatest draw; of a normal distribution without bounds as far as so many deviations.
static void find_ends(const ff_batch_spread *s, double deviations, double ends[2])
{
    const bool open = s->kind == FF_BATCH_NORMAL && !is_bounded(s);
    ends[0] = open ? s->mean - deviations * s->deviation : least_of(s);
    ends[1] = open ? s->mean + deviations * s->deviation : most_of(s);
}

void ff_spread_ends(const ff_batch_spread *s, double ends[2])
{
    find_ends(s, 4.0, ends);
}

static const char *fault_of_delay(const ff_batch_spread *s, int delay)
{
    if (delay == 0) return "there are no servos, whose targets could come late";
    if (s->kind == FF_BATCH_NORMAL && !is_bounded(s)) return "a delay needs bounds, so that it cannot become negative";
    if (!(least_of(s) >= 0.0 && most_of(s) <= delay))
        return delay < FF_BATCH_DELAY_MOST ? "a delay is 0 or more, and no longer than that of the servos"
                                           : "a delay is from 0 to 1000 steps";
    if (s->kind != FF_BATCH_CHOICE && (s->low != floor(s->low) || s->high != floor(s->high)))
        return "both ends are whole numbers of steps";
    for (int i = 0; s->kind == FF_BATCH_CHOICE && i < s->nvalue; i++)
        if (s->values[i] != floor(s->values[i])) return "each value is a whole number of steps";
    return NULL;
}

/// Sines of angles beyond this have no digits left (FF_LARGEST_ANGLE).  [rad]
#define MOST_ANGLE 1e5

/// Is an angle drawn whose sine is needed, and can it be too large? Normal numbers are within 9 deviations.
static bool may_turn_too_far(const ff_batch_spread *s)
{
    double ends[2];
    find_ends(s, 9.0, ends);
    const bool angle = s->quantity == FF_BATCH_START_TILT || s->quantity == FF_BATCH_PUSH_DIRECTION;
    return angle && !(ends[0] >= -MOST_ANGLE && ends[1] <= MOST_ANGLE);
}

static const char *fault_of(const ff_batch_spread *s, int delay)
{
    const char *fault = NULL;
    if (!ff_batch_parameter_name(s->quantity)) return "there is no such quantity";
    if (!ff_batch_distribution_name(s->kind)) return "there is no such distribution";
    if (!isfinite(s->low) || !isfinite(s->high)) return "both ends must be finite";
    if (s->low > s->high) return "the lower end comes first";
    if (s->kind == FF_BATCH_LOG_UNIFORM && s->low <= 0.0) return "both ends must be above zero";
    if (s->kind == FF_BATCH_NORMAL) fault = fault_of_normal(s);
    if (s->kind == FF_BATCH_CHOICE) fault = fault_of_choice(s);
    if (!fault && s->quantity == FF_BATCH_DELAY) fault = fault_of_delay(s, delay);
    if (!fault && may_turn_too_far(s)) fault = "an angle is within 1e5 rad";
    const domain range = QUANTITIES[s->quantity].domain;
    if (fault || range == ANY) return fault;
    if (least_of(s) < 0.0) return "a factor cannot be negative, nor can masses and times";
    return least_of(s) == 0.0 && range == POSITIVE ? "this factor must be above zero" : NULL;
}

ff_status ff_spread_check(const ff_batch_spread *s, int delay, ff_error *err)
{
    const char *quantity = ff_batch_parameter_name(s->quantity), *fault = fault_of(s, delay);
    char name[160];
    snprintf(name, sizeof name, "%s%s%.100s", quantity ? quantity : "a quantity", s->which ? "." : "",
             s->which ? s->which : "");
    if (quantity && s->which && ff_spread_of(s->quantity) == FF_SPREAD_OF_ALL)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%s cannot be spread: %s is of the whole robot", name, quantity);
    if (!fault) return FF_OK;
    if (s->kind == FF_BATCH_NORMAL && !is_bounded(s))
        return ff_error_set(err, FF_BAD_ARGUMENT, "%s cannot be spread around %g by %g: %s", name, s->mean,
                            s->deviation, fault);
    if (s->kind == FF_BATCH_NORMAL)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%s cannot be spread around %g by %g between %g and %g: %s", name,
                            s->mean, s->deviation, s->low, s->high, fault);
    if (s->kind == FF_BATCH_CHOICE)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%s cannot be spread over %d values: %s", name, s->nvalue, fault);
    return ff_error_set(err, FF_BAD_ARGUMENT, "%s cannot be spread from %g to %g: %s", name, s->low, s->high, fault);
}
