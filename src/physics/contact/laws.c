// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The laws of contact, one row each. A new law is a row, for a normal law with the function that makes its damper of
// the numbers of a material, and an enumerator in footfall/contact.h. tests/physics/contact/test_new_law.c adds one.
#include "contact/laws.h"
#include "base/join.h"

#include <footfall/text.h>

// ------------------------------------------------------------------------------------------ normal laws

static ff_normal_damper restitution_damper(const ff_normal *n)
{
    // No finite group gives e = 0: the impact speed is the impact floor then (law_core.h), and a is 1.
    const double a = n->restitution > 0.0 ? ff_group_calibrated(n->calibration, n->restitution) : 1.0;
    return (ff_normal_damper){a * n->stiffness, n->exponent};
}

static ff_normal_damper hunt_crossley_damper(const ff_normal *n)
{
    return (ff_normal_damper){n->damping, n->exponent};
}

static ff_normal_damper kelvin_voigt_damper(const ff_normal *n)
{
    return (ff_normal_damper){n->damping, 0.0};
}

static ff_normal_damper soil_damper(const ff_normal *n)
{
    return (ff_normal_damper){n->damping, n->damping_exponent};
}

// clang-format off
//      enumerator               name             numbers it uses                             1.5    pulls  damper
#define NORMAL_LAWS(LAW)                                                                                               \
    LAW(FF_NORMAL_LINEAR,        "linear",        0,                                          true,  false, NULL)      \
    LAW(FF_NORMAL_RESTITUTION,   "restitution",   FF_USES_RESTITUTION | FF_USES_IMPACT_SPEED, true,  false,            \
        restitution_damper)                                                                                            \
    LAW(FF_NORMAL_HUNT_CROSSLEY, "hunt-crossley", FF_USES_DAMPING | FF_USES_RESTITUTION,      true,  false,            \
        hunt_crossley_damper)                                                                                          \
    LAW(FF_NORMAL_KELVIN_VOIGT,  "kelvin-voigt",  FF_USES_DAMPING,                            false, true,             \
        kelvin_voigt_damper)                                                                                           \
    LAW(FF_NORMAL_SOIL,          "soil",          FF_USES_DAMPING | FF_USES_DAMPING_EXPONENT, false, true, soil_damper)

//      enumerator               name             numbers it uses, and whether it can do without a cone
#define FRICTION_LAWS(LAW)                                                                                             \
    LAW(FF_FRICTION_NONE,        "none",          0, false)                                                            \
    LAW(FF_FRICTION_STRIBECK,    "stribeck",      FF_USES_STRIBECK_CURVE, true)                                        \
    LAW(FF_FRICTION_ANCHORED,    "anchored",      FF_USES_SPRING | FF_USES_STRIBECK_CURVE | FF_USES_SLOWDOWN, false)   \
    LAW(FF_FRICTION_STICK_SLIP,  "stick-slip",    FF_USES_SPRING | FF_USES_SPRING_DAMPING | FF_USES_STICKING, false)   \
    LAW(FF_FRICTION_SOIL,        "soil",          FF_USES_SPRING | FF_USES_SPRING_DAMPING | FF_USES_DEPTH, true)
// clang-format on

#define ROW(law, ...)        [law] = {__VA_ARGS__},
#define NAME(law, name, ...) [law] = (name),

const ff_normal_law_row ff_normal_laws[] = {NORMAL_LAWS(ROW)};
const ff_friction_law_row ff_friction_laws[] = {FRICTION_LAWS(ROW)};

enum {
    NORMAL_COUNT = sizeof ff_normal_laws / sizeof *ff_normal_laws,
    FRICTION_COUNT = sizeof ff_friction_laws / sizeof *ff_friction_laws
};
_Static_assert(NORMAL_COUNT >= (int)FF_NORMAL_LAW_COUNT && FRICTION_COUNT >= (int)FF_FRICTION_LAW_COUNT,
               "a row per law");
const char *const ff_normal_law_names[NORMAL_COUNT + 1] = {NORMAL_LAWS(NAME)};
const char *const ff_friction_law_names[FRICTION_COUNT + 1] = {FRICTION_LAWS(NAME)};
const char *const ff_calibration_names[FF_CALIBRATION_COUNT + 1] = {"exact", "three-halves", "seed", NULL};
const char *const ff_stick_rule_names[FF_STICK_RULE_COUNT + 1] = {"continuous", "seed", NULL};

// ------------------------------------------------------------------------------------------ names

static int count_names(const char *const *names)
{
    int count = 0;
    while (names[count]) count++;
    return count;
}

static const char *name_at(const char *const *names, int index)
{
    return index >= 0 && index < count_names(names) ? names[index] : NULL;
}

ff_status ff_contact_find_name(const char *what, const char *name, const char *const *names, int *index, ff_error *err)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0) {
            *index = i;
            return FF_OK;
        }
    char known[320];
    ff_join_names(known, sizeof known, names, count_names(names));
    const char *near = ff_text_nearest(name, names, count_names(names));
    return ff_error_set(err, FF_NOT_FOUND, "unknown %s '%.60s'%s%s%s; known: %s", what, name,
                        near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "", known);
}

#define NAMED(type, stem, what)                                                                                        \
    const char *stem##_name(type value)                                                                                \
    {                                                                                                                  \
        return name_at(stem##_names, (int)value);                                                                      \
    }                                                                                                                  \
    ff_status stem##_find(const char *name, type *value, ff_error *err)                                                \
    {                                                                                                                  \
        int index = 0;                                                                                                 \
        const ff_status status = ff_contact_find_name(what, name, stem##_names, &index, err);                          \
        if (status == FF_OK) *value = (type)index;                                                                     \
        return status;                                                                                                 \
    }

NAMED(ff_normal_law, ff_normal_law, "normal law")
NAMED(ff_calibration, ff_calibration, "calibration")
NAMED(ff_friction_law, ff_friction_law, "friction law")
NAMED(ff_stick_rule, ff_stick_rule, "stick rule")
