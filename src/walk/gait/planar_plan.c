// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan of a planar walk: gaits, foot paths, and the rates of a leg of two links. Relative to its hip, which moves
// at V_F = L_S / T, a foot moves from +beta L_S/2 to -beta L_S/2 on the ground and back in the time t_T = (1 - beta) T.
// With u = t / t_T and u' = min(u, 1 - u):
//     cycloid   x = L_S (u - sin(2 pi u)/(2 pi)) - V_F t,           y = F_C/2 (1 - cos(2 pi u))
//     sinusoid  x = L_S (u - kappa sin(2 pi u)/(2 pi)) - V_F t,     y = F_C (2 u' - sin(4 pi u')/(2 pi))
// (Silva 1a, 1b with t_T in place of T: as printed the transfer would not end in time.)
#include "gait/planar_plan.h"
#include "control/setting.h"

#include <footfall/ik.h>
#include <footfall/math.h>
#include <math.h>

static const char *const GAITS[FF_PLANAR_GAIT_COUNT + 1] = {
    "wave", "half-cycle", "full-cycle", "backward-wave", "backward-half-cycle", "backward-full-cycle", NULL};
static const char *const PATHS[FF_PLANAR_PATH_COUNT + 1] = {"cycloid", "sinusoid", NULL};

#define OF ff_planar_plan
const ff_row ff_planar_plan_settings[FF_PLANAR_PLAN_SETTINGS + 1] = {
    [FF_PLANAR_GAIT] = FF_SETTING_CHOICE("gait", gait, GAITS, "wave", "order of the legs"),
    [FF_PLANAR_DUTY] = FF_SETTING_NUMBER("duty", duty, "", FF_STRICTLY_BETWEEN(0, 1), "0.5", "duty factor"),
    [FF_PLANAR_SPEED] = FF_SETTING_NUMBER("speed", speed, "m/s", FF_POSITIVE, "1", "speed of the hips"),
    [FF_PLANAR_STEP] = FF_SETTING_NUMBER("step", step, "m", FF_POSITIVE, "1", "distance that a foot moves in a cycle"),
    [FF_PLANAR_HEIGHT] =
        FF_SETTING_NUMBER("height", height, "m", FF_POSITIVE, "0.9", "height of the hips above the ground"),
    [FF_PLANAR_CLEARANCE] =
        FF_SETTING_NUMBER("clearance", clearance, "m", FF_NOT_NEGATIVE, "0.1", "largest height of a foot"),
    [FF_PLANAR_KAPPA] = FF_SETTING_NUMBER("kappa", kappa, "", FF_BETWEEN(0, 1), "1",
                                          "parameter of the sinusoid; with 1 a foot lands at rest"),
    [FF_PLANAR_OFFSET] =
        FF_SETTING_NUMBER("offset", offset, "m", FF_ANY, "0", "offset of all feet from their hips, ahead"),
    [FF_PLANAR_PATH] = FF_SETTING_CHOICE("path", path, PATHS, "cycloid", "path of a foot in the air"),
    [FF_PLANAR_CENTRED] = FF_SETTING_SWITCH("centred", centred, "true",
                                            "feet swing about the hip; false: a foot lifts off below its hip"),
    [FF_PLANAR_PLAN_SETTINGS] = {0},
};
#undef OF
_Static_assert(sizeof(ff_planar_gait) == sizeof(int) && sizeof(ff_planar_path) == sizeof(int), "a choice is an int");

ff_planar_plan ff_planar_plan_default(void)
{
    ff_planar_plan plan = {.legs = 6};
    ff_settings_default(ff_planar_plan_settings, &plan);
    return plan;
}

ff_status ff_planar_plan_check(const ff_planar_plan *p, ff_error *err)
{
    if (p->legs < 2 || p->legs > FF_PLANAR_LEGS || p->legs % 2)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d legs: they must come in pairs, 2 to %d", p->legs, FF_PLANAR_LEGS);
    if (ff_settings_check(ff_planar_plan_settings, p, err) != FF_OK) return FF_BAD_ARGUMENT;
    if (p->clearance < p->height) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "'clearance' is %g: it must be below the height, %g", p->clearance,
                        p->height);
}

/// Fractional part in [0, 1).
static double frac(double x)
{
    const double f = x - floor(x);
    return f < 1.0 ? f : 0.0;
}

double ff_planar_phase(const ff_planar_plan *plan, int leg)
{
    static const double spread[] = {[FF_PLANAR_HALF_CYCLE] = -0.5,
                                    [FF_PLANAR_FULL_CYCLE] = -1.0,
                                    [FF_PLANAR_BACKWARD_HALF_CYCLE] = 0.5,
                                    [FF_PLANAR_BACKWARD_FULL_CYCLE] = 1.0}; // of a side over the cycle
    const int pair = leg / 2, pairs = plan->legs / 2;
    const double lag = plan->gait == FF_PLANAR_WAVE            ? pair * plan->duty
                       : plan->gait == FF_PLANAR_BACKWARD_WAVE ? -pair * plan->duty
                                                               : spread[plan->gait] * pair / pairs;
    return frac(lag + (leg % 2 ? 0.5 : 0.0));
}

/// Height of a foot in the air and its derivatives by u.
static void rise(const ff_planar_plan *p, double u, double y[3])
{
    const double pi2 = 2.0 * FF_PI;
    const bool back = p->path == FF_PLANAR_SINUSOID && u > 0.5;
    const double angle = p->path == FF_PLANAR_CYCLOID ? pi2 * u : 2.0 * pi2 * (back ? 1.0 - u : u);
    double s, c;
    ff_sincos(&angle, &s, &c, 1);
    if (p->path == FF_PLANAR_CYCLOID) {
        y[0] = 0.5 * p->clearance * (1.0 - c);
        y[1] = 0.5 * p->clearance * pi2 * s;
        y[2] = 0.5 * p->clearance * pi2 * pi2 * c;
        return;
    }
    y[0] = p->clearance * (angle / pi2 - s / pi2);
    y[1] = p->clearance * 2.0 * (1.0 - c) * (back ? -1.0 : 1.0);
    y[2] = p->clearance * 4.0 * pi2 * s;
}

ff_planar_foot ff_planar_foot_at(const ff_planar_plan *plan, int leg, double cycles)
{
    const double beta = plan->duty, L = plan->step, V = plan->speed;
    const double landing = plan->offset + (plan->centred ? 0.5 * beta * L : beta * L);
    ff_planar_foot foot = {.part = frac(cycles - ff_planar_phase(plan, leg))};
    // phases such as 1 - 2/3 are rounded: a foot that is due must not wait for the next cycle
    if (foot.part > 1.0 - 1e-12) foot.part = 0.0;
    if (beta - foot.part < 1e-12 && foot.part < beta) foot.part = beta;
    foot.support = foot.part < beta;
    if (foot.support) {
        foot.pos[0] = landing - L * foot.part;
        foot.pos[1] = -plan->height;
        foot.rate[0] = -V;
        return foot;
    }
    const double u = (foot.part - beta) / (1.0 - beta), time = (1.0 - beta) * L / V;
    const double kappa = plan->path == FF_PLANAR_CYCLOID ? 1.0 : plan->kappa, angle = 2.0 * FF_PI * u;
    double s, c, y[3];
    ff_sincos(&angle, &s, &c, 1);
    rise(plan, u, y);
    foot.pos[0] = landing - L * foot.part + L * (u - kappa * s / (2.0 * FF_PI));
    foot.rate[0] = L * (1.0 - kappa * c) / time - V;
    foot.acceleration[0] = L * kappa * 2.0 * FF_PI * s / (time * time);
    foot.pos[1] = y[0] - plan->height;
    foot.rate[1] = y[1] / time;
    foot.acceleration[1] = y[2] / (time * time);
    return foot;
}

// ------------------------------------------------------------------------------------------ a leg of two links

void ff_planar_leg_jacobian(const ff_planar_leg *leg, const double angle[2], double J[4])
{
    const double absolute[2] = {angle[0], angle[0] + angle[1]};
    double s[2], c[2];
    ff_sincos(absolute, s, c, 2);
    J[1] = leg->length[1] * c[1];
    J[3] = leg->length[1] * s[1];
    J[0] = leg->length[0] * c[0] + J[1];
    J[2] = leg->length[0] * s[0] + J[3];
}

void ff_planar_leg_rates(const ff_planar_leg *leg, const double angle[2], const double rate[2],
                         const double acceleration[2], double speed[2], double angular[2])
{
    const double absolute[2] = {angle[0], angle[0] + angle[1]};
    double s[2], c[2];
    ff_ik_planar_rates(leg->length, angle, rate, speed);
    // J' w: the end of each link accelerates towards its begin by length w^2
    ff_sincos(absolute, s, c, 2);
    const double one = leg->length[0] * speed[0] * speed[0], both = speed[0] + speed[1];
    const double two = leg->length[1] * both * both;
    const double rest[2] = {acceleration[0] + one * s[0] + two * s[1], acceleration[1] - one * c[0] - two * c[1]};
    ff_ik_planar_rates(leg->length, angle, rest, angular);
}
