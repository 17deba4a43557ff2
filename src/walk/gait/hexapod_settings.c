// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of the walking controller: a row each, by which files are read, defaults filled in and values of programs
// checked.
#include "control/setting.h"
#include "gait/hexapod_plan.h"

#include <stddef.h>

static const ff_row STANCE_KEYS[] = {
    FF_NUMBERS("rectangle", 2, 2, "m", FF_ANY, NULL, "[ahead, sideways]: half its sides"),
    FF_NUMBERS("ellipse", 2, 2, "m", FF_ANY, NULL, "[ahead, sideways]: its half axes"),
    FF_END,
};
static const ff_key_group STANCE = {
    .name = "stance", .help = "The figure on which the feet stand: one of them.", .keys = STANCE_KEYS};

#define OF ff_hexapod_options
const ff_row ff_hexapod_settings[] = {
    FF_SETTING_NUMBER("transfer_limit", transfer_limit, "m/s", FF_POSITIVE, "0.6", "greatest speed of transfer"),
    FF_SETTING_NUMBER("margin", margin, "m", FF_NOT_NEGATIVE, "0.014",
                      "of the centre of mass that the body shift aims at"),
    FF_SETTING_NUMBER("shift_speed", shift_speed, "m/s", FF_POSITIVE, "0.2", "of the body shift"),
    FF_SETTING_NUMBER("shift_rate", shift_rate, "m/s^2", FF_POSITIVE, "0.9", "change of that speed"),
    FF_SETTING_NUMBER("shift_limit", shift_limit, "m", FF_NOT_NEGATIVE, "0.05", "of the body shift"),
    FF_SETTING_NUMBER("force_gain", force_gain, "m/(N s)", FF_NOT_NEGATIVE, "0.001",
                      "of the integral law of foot forces"),
    FF_SETTING_NUMBER("force_leak", force_leak, "s", FF_POSITIVE, "4", "in which the correction of a foot decays"),
    FF_SETTING_NUMBER("force_limit", force_limit, "m", FF_NOT_NEGATIVE, "0.008", "of the correction of a foot"),
    FF_SETTING_NUMBER("stale", stale, "s", FF_POSITIVE, "0.05", "after which an old sensor value is not used"),
    FF_SETTING_NUMBER("acceleration", step.acceleration, "m/s^2", FF_POSITIVE, "0.5", "of the body"),
    FF_SETTING_NUMBER("behind", step.behind, "", FF_POSITIVE, "0.6", "share of a step a foot may fall behind"),
    FF_SETTING_NUMBER("catch_up", step.catch_up, "", FF_AT_LEAST(1), "1.25", "most a late leg hurries in the air"),
    FF_SETTING_NUMBER("adapt", step.adapt, "m/s", FF_POSITIVE, "0.05", "at which the body follows the ground"),
    FF_SETTING_NUMBER("level", step.level, "s", FF_POSITIVE, "0.35", "in which the body turns as commanded"),
    FF_SETTING_NUMBER("parallel", step.parallel, "s", FF_POSITIVE, "1", "and parallel to its feet, without attitude"),
    FF_SETTING_NUMBER("posture", posture, "s", FF_POSITIVE, "0.4",
                      "in which joint sensors correct height and attitude"),
    FF_SETTING_NUMBER("most_speed", step.most_speed, "m/s", FF_POSITIVE, "0.8", "of a foot in the air"),
    FF_SETTING_NUMBERS("contact", contact_on, 2, "N", FF_NOT_NEGATIVE, "[1.5, 0.7]",
                       "[on, off]: vertical forces at which a foot touches and no longer does"),
    FF_SETTING_TEXT("pose", pose, "stand", "of the robot's file, in which it stands"),
    FF_SETTING_SWITCH("feedforward", feedforward, "true", "send the torques that carry weight and foot forces along"),
    FF_MAP("stance", &STANCE, "figure on which the feet stand; without it, that of the pose"),
    {0},
};
#undef OF

// What programs alone can set.
#define OF ff_hexapod_options
static const ff_row PROGRAM_SETTINGS[] = {
    FF_SETTING_NUMBER("search", step.search, "m/s", FF_NOT_NEGATIVE, "0.1",
                      "of a foot that has lost the ground, downwards"),
    FF_SETTING_NUMBER("lost", step.lost, "s", FF_POSITIVE, "0.1", "after which such a foot no longer counts as down"),
    FF_SETTING_NUMBER("settle", step.settle, "m/s", FF_ANY, "0.05", "of a foot from where it touched to the ground"),
    FF_SETTING_NUMBER("close", step.close, "m", FF_NOT_NEGATIVE, "0.004", "to its centre a foot need not step"),
    FF_SETTING_NUMBER("rise", rise, "rad/s", FF_POSITIVE, "0.8", "joint speed on the way to the stance at the start"),
    {0},
};
#undef OF

ff_hexapod_options ff_hexapod_options_default(void)
{
    ff_hexapod_options o = {.stance = FF_STANCE_POSE};
    ff_settings_default(ff_hexapod_settings, &o);
    ff_settings_default(PROGRAM_SETTINGS, &o);
    return o;
}

ff_footstep_options ff_footstep_options_default(void)
{
    return ff_hexapod_options_default().step;
}

ff_status ff_hexapod_options_check(const ff_hexapod_options *o, ff_error *err)
{
    ff_status status = ff_settings_check(ff_hexapod_settings, o, err);
    if (status == FF_OK) status = ff_settings_check(PROGRAM_SETTINGS, o, err);
    if (status != FF_OK) return status;
    if (!(o->contact_on > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "contact_on is %g N: it must be positive", o->contact_on);
    if (!(o->contact_off <= o->contact_on))
        return ff_error_set(err, FF_BAD_ARGUMENT, "contact_off %g N lies above contact_on %g N", o->contact_off,
                            o->contact_on);
    return FF_OK;
}
