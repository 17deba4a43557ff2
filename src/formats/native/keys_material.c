// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of contact materials. Defaults are those of a material that starts from nothing (lab-floor); with `like` or
// `soil` what is not given stays as it is there. Which keys a law uses is in its row (contact/laws.c).
#include "contact/laws.h"
#include "native/keys.h"

static const char *const RIGID[] = {"rigid", NULL};
static const char *const NO_CONE[] = {"none", NULL};
static const char *const SHARES[] = {"pair", "point", NULL}; // 1: ff_material.per_point

static const ff_row NORMAL_KEYS[] = {
    FF_WORD("law", ff_normal_law_names, "hunt-crossley",
            "law of the normal force; a law other than that of the start must be complete"),
    FF_EITHER("stiffness", FF_TAKES_NUMBER | FF_TAKES_WORD, "N/m^n", FF_POSITIVE, 1, 1, NULL,
              "stiffness, n being the exponent, or rigid: the partner alone complies; needed, or modulus, area and "
              "thickness",
              RIGID, NULL),
    FF_NUMBER("modulus", "N/m^2", FF_POSITIVE, NULL, "Young's modulus E of a layer: stiffness E A / L"),
    FF_NUMBER("area", "m^2", FF_POSITIVE, NULL, "area A of that layer"),
    FF_NUMBER("thickness", "m", FF_POSITIVE, NULL, "thickness L of that layer"),
    FF_NUMBER("exponent", "", FF_BETWEEN(1.0, 1.5), "1",
              "power of the depth: 1, or 1.5 for a Hertzian sphere; kelvin-voigt and soil: 1"),
    FF_NUMBER("damping", "N s/m^(1+n)", FF_NOT_NEGATIVE, NULL,
              "hunt-crossley, kelvin-voigt, soil: damping; they need it, hunt-crossley it or restitution"),
    FF_NUMBER("damping_exponent", "", FF_NOT_NEGATIVE, "0",
              "soil: power of the depth that scales the damping; 0: linear"),
    FF_NUMBER("restitution", "", FF_BETWEEN(0.0, 1.0), NULL,
              "restitution: bounce, which it needs; hunt-crossley: bounce at speed, in place of damping"),
    FF_NUMBER("speed", "m/s", FF_POSITIVE, NULL, "hunt-crossley: impact speed at which restitution holds"),
    FF_WORD("calibration", ff_calibration_names, "exact", "restitution: how the damping follows from the bounce"),
    FF_NUMBER("impact_floor", "m/s", FF_POSITIVE, "0.01", "restitution: impact speed below which nothing bounces"),
    FF_SWITCH("pulls", "false", "kelvin-voigt, soil: damping may hold back what leaves; no friction cone goes with it"),
    FF_END,
};
const ff_key_group ff_keys_normal = {
    .name = "normal", .help = "The law of the normal force and its numbers.", .keys = NORMAL_KEYS};

static const ff_row FRICTION_KEYS[] = {
    FF_WORD("law", ff_friction_law_names, "stick-slip", "law of the friction force"),
    FF_EITHER("mu", FF_TAKES_NUMBER | FF_TAKES_WORD, "", FF_NOT_NEGATIVE, 1, 1, NULL,
              "coefficient of static and kinetic friction, in place of both; soil, stribeck: none leaves the cone out",
              NO_CONE, NULL),
    FF_NUMBER("static", "", FF_NOT_NEGATIVE, NULL,
              "stick-slip: coefficient while sticking, at least kinetic; otherwise kinetic, or 0.9 where that is not "
              "given either"),
    FF_EITHER("kinetic", FF_TAKES_NUMBER | FF_TAKES_WORD, "", FF_NOT_NEGATIVE, 1, 1, NULL,
              "coefficient while sliding; otherwise static, or 0.7 where that is not given either; none: as in mu",
              NO_CONE, NULL),
    FF_NUMBER("stiffness", "N/m", FF_NOT_NEGATIVE, "0",
              "anchored, stick-slip, soil: tangential spring; 0: half the normal stiffness"),
    FF_NUMBER("damping", "N s/m", FF_NOT_NEGATIVE, NULL,
              "stick-slip, soil: damper beside the spring [soil: N s/m^(1+n)]; otherwise the root of its stiffness"),
    FF_NUMBER("damping_exponent", "", FF_NOT_NEGATIVE, "0", "soil: power of the depth that scales the damping"),
    FF_NUMBER("stick_speed", "m/s", FF_POSITIVE, "1e-3", "stick-slip: a slider slower than this has stopped"),
    FF_WORD("stick", ff_stick_rule_names, "continuous",
            "stick-slip: spring at the moment of sticking; it holds the force, or starts at zero"),
    FF_NUMBER("breakaway", "", FF_AT_LEAST(1.0), "1.2", "stribeck, anchored: breakaway force over Coulomb force"),
    FF_NUMBER("viscous", "N s/m", FF_POSITIVE, "100", "stribeck, anchored: slope for fast slip"),
    FF_NUMBER("threshold", "m/s", FF_POSITIVE, "5e-3", "stribeck, anchored: slip speed of the breakaway peak"),
    FF_NUMBER("decay", "", FF_NEGATIVE, "-1",
              "stribeck, anchored: exponent of the fall behind the peak, per scale_speed"),
    FF_NUMBER("scale_speed", "m/s", FF_POSITIVE, "5e-3", "stribeck, anchored: speed that decay refers to"),
    FF_NUMBER("slowdown", "", FF_AT_LEAST(1.0), "5", "anchored: divisor of the slip speed"),
    FF_NUMBER("torsion", "m", FF_NOT_NEGATIVE, "0", "lever arm of the resistance to spin about the normal"),
    FF_NUMBER("rolling", "m", FF_NOT_NEGATIVE, "0", "lever arm of the resistance to rolling"),
    FF_NUMBER("patch_radius", "m", FF_POSITIVE, "5e-3",
              "radius of the disc whose springs carry torsion and rolling, at least their arms"),
    FF_END,
};
const ff_key_group ff_keys_friction = {
    .name = "friction", .help = "The law of the friction force and its numbers.", .keys = FRICTION_KEYS};

static const ff_row SOIL_KEYS[] = {
    FF_TEXT("name", NULL, "row of the table of soils; exactly one of name and modulus"),
    FF_NUMBER("modulus", "N/m^2", FF_POSITIVE, NULL, "modulus of elasticity of another soil"),
    FF_SWITCH("non_linear", "true", "damping grows with the depth"),
    FF_EITHER("mu", FF_TAKES_NUMBER | FF_TAKES_WORD, "", FF_NOT_NEGATIVE, 1, 1, "0.8",
              "coefficient of friction, or none: no cone, a foot in touch holds any load", NO_CONE, NULL),
    FF_END,
};
const ff_key_group ff_keys_soil = {
    .name = "soil", .help = "A soil of the table by its name, or another one by its modulus.", .keys = SOIL_KEYS};

static const ff_row MATERIAL_KEYS[] = {
    FF_TEXT("like", NULL, "material to start from, defined above or in the library; otherwise soil, or lab-floor"),
    FF_EITHER("soil", FF_TAKES_TEXT | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL,
              "soil to start from, by its name or as a map; in place of like", NULL, &ff_keys_soil),
    FF_MAP("normal", &ff_keys_normal, "law of the normal force; none: that of the start"),
    FF_MAP("friction", &ff_keys_friction, "law of the friction force; none: that of the start"),
    FF_WORD("per", SHARES, "pair", "pair: the points of a patch share the stiffness; point: each has all of it"),
    FF_TEXT("source", NULL, "where the numbers come from"),
    FF_END,
};
const ff_key_group ff_keys_material = {.name = "material",
                                       .help = "A contact material: what it starts from, and what differs from that.",
                                       .keys = MATERIAL_KEYS};

static const ff_row MATERIALS_KEYS[] = {
    FF_EITHER("*", FF_TAKES_TEXT | FF_TAKES_MAP, "", FF_ANY, 0, 0, NULL,
              "a material by its name, or the name of one that it is like; names have at most 47 characters", NULL,
              &ff_keys_material),
    FF_END,
};
const ff_key_group ff_keys_materials = {
    .name = "materials", .help = "Contact materials by name.", .keys = MATERIALS_KEYS};
