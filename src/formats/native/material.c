// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact materials:
//     name: {like: rubber, soil: .., normal: {law: .., ..}, friction: {law: .., ..}, per: pair | point, source: ".."}
// Defaults are those of a material that starts from nothing (lab-floor); with `like` or `soil` what is not given stays
// as it is there. Which numbers a law uses is in its row (contact/laws.c): a key that the law would ignore is an error.
// A law that is not that of the material it starts from must be complete.
#include "native/material.h"
#include "contact/laws.h"
#include "model/edit.h"
#include "native/keys.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ keys

static const char *const RIGID[] = {"rigid", NULL};
static const char *const NO_CONE[] = {"none", NULL};
static const char *const SHARES[] = {"pair", "point", NULL}; // 1: ff_material.per_point

// clang-format off
static const ff_key_group NORMAL = FF_GROUP("normal", "The law of the normal force and its numbers.",
    FF_WORD("law", ff_normal_law_names, "hunt-crossley",
        "law of the normal force; a law other than that of 'like' or 'soil' needs all its numbers"),
    FF_NUMBER_OR_WORD("stiffness", RIGID, "N/m^n", FF_POSITIVE, NULL,
        "stiffness, n = 'exponent'; rigid: only the other material complies; needed, or modulus, area, thickness"),
    FF_NUMBER("modulus", "N/m^2", FF_POSITIVE, NULL, "Young's modulus E of a layer: stiffness E A / L"),
    FF_NUMBER("area", "m^2", FF_POSITIVE, NULL, "area A of that layer"),
    FF_NUMBER("thickness", "m", FF_POSITIVE, NULL, "thickness L of that layer"),
    FF_NUMBER("exponent", "", FF_BETWEEN(1.0, 1.5), "1",
        "power of the depth: 1, or 1.5 for a Hertzian sphere; kelvin-voigt and soil: 1"),
    FF_NUMBER("damping", "N s/m^(1+n)", FF_NOT_NEGATIVE, NULL,
        "kelvin-voigt, soil: damping, needed; hunt-crossley: damping, unless restitution is given"),
    FF_NUMBER("damping_exponent", "", FF_NOT_NEGATIVE, "0",
        "soil: power of the depth that scales the damping; 0: linear"),
    FF_NUMBER("restitution", "", FF_BETWEEN(0.0, 1.0), NULL,
        "restitution: coefficient of restitution, needed; hunt-crossley: the same at 'speed', in place of damping"),
    FF_NUMBER("speed", "m/s", FF_POSITIVE, NULL, "hunt-crossley: impact speed at which restitution holds"),
    FF_WORD("calibration", ff_calibration_names, "exact", "restitution: formula for the damping"),
    FF_NUMBER("impact_floor", "m/s", FF_POSITIVE, "0.01", "restitution: impact speed below which nothing bounces"),
    FF_SWITCH("pulls", "false",
        "kelvin-voigt, soil: damping may pull on shapes that separate; not with a friction cone"));

static const ff_key_group FRICTION = FF_GROUP("friction", "The law of the friction force and its numbers.",
    FF_WORD("law", ff_friction_law_names, "stick-slip", "law of the friction force"),
    FF_NUMBER_OR_WORD("mu", NO_CONE, "", FF_NOT_NEGATIVE, NULL,
        "coefficient of static and kinetic friction, in place of both; soil, stribeck: none means no friction cone"),
    FF_NUMBER("static", "", FF_NOT_NEGATIVE, NULL,
        "stick-slip: coefficient while sticking, at least 'kinetic'; otherwise that, or 0.9 without it"),
    FF_NUMBER_OR_WORD("kinetic", NO_CONE, "", FF_NOT_NEGATIVE, NULL,
        "coefficient while sliding; otherwise 'static', or 0.7 without it; none: as in 'mu'"),
    FF_NUMBER("stiffness", "N/m", FF_NOT_NEGATIVE, "0",
        "anchored, stick-slip, soil: tangential spring; 0: half the normal stiffness"),
    FF_NUMBER("damping", "N s/m", FF_NOT_NEGATIVE, NULL,
        "stick-slip, soil: damper of the spring [soil: N s/m^(1+n)]; otherwise the square root of its stiffness"),
    FF_NUMBER("damping_exponent", "", FF_NOT_NEGATIVE, "0", "soil: power of the depth that scales the damping"),
    FF_NUMBER("stick_speed", "m/s", FF_POSITIVE, "1e-3", "stick-slip: slip speed below which the point sticks"),
    FF_WORD("stick", ff_stick_rule_names, "continuous",
        "stick-slip: force of the spring when sticking begins: as before (continuous), or zero (seed)"),
    FF_NUMBER("breakaway", "", FF_AT_LEAST(1.0), "1.2", "stribeck, anchored: breakaway force over Coulomb force"),
    FF_NUMBER("viscous", "N s/m", FF_POSITIVE, "100", "stribeck, anchored: viscous damping at high slip speeds"),
    FF_NUMBER("threshold", "m/s", FF_POSITIVE, "5e-3", "stribeck, anchored: slip speed of the breakaway peak"),
    FF_NUMBER("decay", "", FF_NEGATIVE, "-1",
        "stribeck, anchored: exponent of the decrease beyond the peak, per 'scale_speed'"),
    FF_NUMBER("scale_speed", "m/s", FF_POSITIVE, "5e-3", "stribeck, anchored: speed that 'decay' refers to"),
    FF_NUMBER("slowdown", "", FF_AT_LEAST(1.0), "5", "anchored: divisor of the slip speed"),
    FF_NUMBER("torsion", "m", FF_NOT_NEGATIVE, "0", "lever arm of the resistance to spin about the normal"),
    FF_NUMBER("rolling", "m", FF_NOT_NEGATIVE, "0", "lever arm of the resistance to rolling"),
    FF_NUMBER("patch_radius", "m", FF_POSITIVE, "5e-3",
        "radius of the disc whose springs carry torsion and rolling, at least their arms"));

static const ff_key_group SOIL = FF_GROUP("soil", "A soil of the library by its name, or another one by its modulus.",
    FF_TEXT("name", NULL, "soil of the library; exactly one of 'name' and 'modulus'"),
    FF_NUMBER("modulus", "N/m^2", FF_POSITIVE, NULL, "modulus of elasticity of another soil"),
    FF_SWITCH("non_linear", "true", "damping grows with the depth"),
    FF_NUMBER_OR_WORD("mu", NO_CONE, "", FF_NOT_NEGATIVE, "0.8",
        "coefficient of friction; none: no friction cone, so a foot in contact never slides"));

const ff_key_group ff_keys_material = FF_GROUP(
    "material", "A contact material: what it is derived from, and what differs from that.",
    FF_TEXT("like", NULL,
        "material that this one is derived from, defined above or in the library; otherwise 'soil', or lab-floor"),
    FF_TEXT_OR_MAP("soil", &SOIL, NULL,
        "soil that this one is derived from, by its name or as a map; in place of 'like'"),
    FF_MAP("normal", &NORMAL, "law of the normal force; that of 'like' or 'soil' unless given"),
    FF_MAP("friction", &FRICTION, "law of the friction force; that of 'like' or 'soil' unless given"),
    FF_WORD("per", SHARES, "pair",
        "pair: contact points between two shapes share the stiffness; point: each has all of it"),
    FF_TEXT("source", NULL, "source of the numbers"));

const ff_key_group ff_keys_materials = FF_GROUP("materials", "Contact materials by name.",
    FF_TEXT_OR_MAP("*", &ff_keys_material, NULL,
        "a material by its name, or the name of one that it is like; names have at most 47 characters"));
// clang-format on

// ------------------------------------------------------------------------------------------ tables of numbers

typedef struct number_key {
    const char *key;
    size_t offset; // of the number in ff_normal or ff_friction
    unsigned use;  // FF_USES_... of the laws that use it; 0: all do
} number_key;

#define AT(field)  offsetof(ff_normal, field)
#define FAT(field) offsetof(ff_friction, field)

static const number_key normal_keys[] = {
    {"damping", AT(damping), FF_USES_DAMPING},
    {"damping_exponent", AT(damping_exponent), FF_USES_DAMPING_EXPONENT},
    {"restitution", AT(restitution), FF_USES_RESTITUTION},
    {"impact_floor", AT(impact_floor), FF_USES_IMPACT_SPEED},
};

static const number_key friction_keys[] = {
    {"static", FAT(mu_static), FF_USES_STICKING},
    {"stiffness", FAT(stiffness), FF_USES_SPRING},
    {"damping", FAT(damping), FF_USES_SPRING_DAMPING},
    {"damping_exponent", FAT(damping_exponent), FF_USES_DEPTH},
    {"stick_speed", FAT(stick_speed), FF_USES_STICKING},
    {"breakaway", FAT(breakaway), FF_USES_STRIBECK_CURVE},
    {"viscous", FAT(viscous), FF_USES_STRIBECK_CURVE},
    {"threshold", FAT(threshold), FF_USES_STRIBECK_CURVE},
    {"decay", FAT(decay), FF_USES_STRIBECK_CURVE},
    {"scale_speed", FAT(scale_speed), FF_USES_STRIBECK_CURVE},
    {"slowdown", FAT(slowdown), FF_USES_SLOWDOWN},
    {"torsion", FAT(torsion), 0},
    {"rolling", FAT(rolling), 0},
    {"patch_radius", FAT(patch_radius), 0},
};

#define MOST_MATERIALS 1000 // of one description
#define COUNT(array)   ((int)(sizeof(array) / sizeof *(array)))

// ------------------------------------------------------------------------------------------ numbers

/// Number of a key; false when absent. The schema has checked it.
static bool read_number(ff_yaml *node, const char *key, double *out, ff_report *report)
{
    ff_yaml *value = ff_yaml_get(node, key);
    return value && ff_yaml_as_number(value, out, report);
}

/// A coefficient of friction. `none` is ground without a friction cone, for laws that can do without; zero, which would
/// be taken for ice by one reader and for unlimited friction by the next, is refused there.
static bool read_mu(ff_yaml *node, const char *key, bool cone_optional, double *out, ff_report *report)
{
    ff_yaml *value = ff_yaml_get(node, key);
    if (!value) return false;
    if (value->type == FF_YAML_SCALAR && strcmp(value->text, "none") == 0) {
        if (cone_optional)
            *out = FF_NO_CONE;
        else
            ff_report_add(report, FF_ERROR, value->place,
                          "'%s: none' leaves the friction cone out, which this law cannot; without friction: law: none",
                          key);
        return cone_optional;
    }
    if (!ff_yaml_as_number(value, out, report)) return false;
    if (cone_optional && *out == 0.0)
        ff_report_add(report, FF_ERROR, value->place,
                      "'%s' is 0: ground without a friction cone, which holds any load, is '%s: none'; ground without "
                      "friction is 'friction: {law: none}'",
                      key, key);
    return true;
}

/// Reports a key that the law would ignore.
static void refuse_key(ff_yaml *node, const char *key, const char *law_name, ff_report *report)
{
    for (ff_yaml *child = node->child; child; child = child->next) {
        if (strcmp(child->key, key) != 0) continue;
        child->used = true;
        ff_report_add(report, FF_ERROR, child->key_place, "'%s' is not used by the law '%s'", key, law_name);
    }
}

/// The keys of a table; those that the law does not use are mistakes.
static void read_table(ff_yaml *node, const number_key *table, int count, unsigned uses, const char *law_name,
                       void *numbers, ff_report *report)
{
    for (int i = 0; i < count; i++) {
        const number_key *k = &table[i];
        double *out = (double *)(void *)((char *)numbers + k->offset);
        if (!k->use || (k->use & uses))
            read_number(node, k->key, out, report);
        else
            refuse_key(node, k->key, law_name, report);
    }
}

static bool report_missing(const ff_yaml *node, const char *law, const char *what, ff_report *report)
{
    ff_report_add(report, FF_ERROR, node->place, "the law '%s' needs %s", law, what);
    return false;
}

// ------------------------------------------------------------------------------------------ normal law

/// Stiffness in N/m, the word `rigid`, or E A / L of a layer. @return whether one was given
static bool read_stiffness(ff_yaml *node, double *out, ff_report *report)
{
    ff_yaml *given = ff_yaml_get(node, "stiffness"), *modulus = ff_yaml_get(node, "modulus");
    ff_yaml *area = ff_yaml_get(node, "area"), *thickness = ff_yaml_get(node, "thickness");
    double E, A, L;
    if (given && (modulus || area || thickness)) {
        ff_report_add(report, FF_ERROR, given->key_place,
                      "give either 'stiffness' or 'modulus', 'area' and 'thickness' (k = E A / L)");
        return true;
    }
    if (given && given->type == FF_YAML_SCALAR && strcmp(given->text, "rigid") == 0)
        *out = INFINITY;
    else if (given)
        read_number(node, "stiffness", out, report);
    if (given || !(modulus || area || thickness)) return given != NULL;
    if (!modulus || !area || !thickness)
        ff_report_add(report, FF_ERROR, node->place, "'modulus', 'area' and 'thickness' go together: k = E A / L");
    else if (read_number(node, "modulus", &E, report) && read_number(node, "area", &A, report) &&
             read_number(node, "thickness", &L, report))
        *out = ff_stiffness_of_layer(E, A, L);
    return true;
}

static void read_exponent(ff_yaml *node, ff_normal *n, ff_report *report)
{
    ff_yaml *value = ff_yaml_get(node, "exponent");
    double x;
    if (!value || !ff_yaml_as_number(value, &x, report)) return;
    const ff_normal_law_row *law = &ff_normal_laws[n->law];
    if (x == 1.0 || (x == 1.5 && law->hertzian))
        n->exponent = x;
    else
        ff_report_add(report, FF_ERROR, value->place, "'exponent' is %g: the law '%s' allows %s", x, law->name,
                      law->hertzian ? "1 and 1.5" : "1");
}

/// Damping from a restitution at an impact speed, of laws that use both.
static void read_restitution(ff_yaml *node, ff_normal *n, ff_report *report)
{
    ff_yaml *e = ff_yaml_get(node, "restitution"), *damping = ff_yaml_get(node, "damping");
    ff_yaml *speed = ff_yaml_get(node, "speed");
    double v;
    if (!e && !speed) return;
    if (e && damping)
        ff_report_add(report, FF_ERROR, e->key_place, "give either 'damping' or 'restitution' and 'speed'");
    else if (!e || !speed)
        ff_report_add(report, FF_ERROR, (e ? e : speed)->key_place,
                      "'restitution' and 'speed' go together: the damping that gives this bounce at this impact speed");
    else if (read_number(node, "speed", &v, report))
        n->damping = ff_damping_for_restitution(n->stiffness, n->restitution, v);
}

/// Are all numbers given that a law needs which does not start from another one?
static bool check_complete(ff_yaml *node, bool stiffness, const ff_normal *n, ff_report *report)
{
    const char *law = ff_normal_law_name(n->law);
    const bool damping = ff_normal_uses(n, FF_USES_DAMPING), restitution = ff_normal_uses(n, FF_USES_RESTITUTION);
    if (!stiffness) return report_missing(node, law, "'stiffness', or 'modulus', 'area' and 'thickness'", report);
    if (!damping && !restitution) return true;
    if (damping && ff_yaml_get(node, "damping")) return true;
    if (restitution && ff_yaml_get(node, "restitution")) return true;
    return report_missing(node, law,
                          !restitution ? "'damping'"
                          : !damping   ? "'restitution'"
                                       : "'damping', or 'restitution' and 'speed'",
                          report);
}

/// Reads the normal law. @param fresh  the material starts from no other one
static void read_normal(ff_yaml *node, bool fresh, ff_normal *n, ff_report *report)
{
    int errors = report->errors;
    ff_normal_law before = n->law;
    n->law = (ff_normal_law)ff_yaml_choice(node, "law", ff_normal_law_names, (int)n->law, report);
    if (report->errors > errors) return;
    if (n->law != before) n->exponent = 1.0;
    bool stiffness = read_stiffness(node, &n->stiffness, report);
    read_exponent(node, n, report);
    const ff_normal_law_row *law = &ff_normal_laws[n->law];
    read_table(node, normal_keys, COUNT(normal_keys), law->uses, law->name, n, report);
    if (law->may_pull) n->pulls = ff_yaml_boolean(node, "pulls", n->pulls, report);
    if (law->uses & FF_USES_IMPACT_SPEED)
        n->calibration =
            (ff_calibration)ff_yaml_choice(node, "calibration", ff_calibration_names, (int)n->calibration, report);
    if (report->errors > errors) return;
    if ((law->uses & FF_USES_RESTITUTION) && (law->uses & FF_USES_DAMPING)) read_restitution(node, n, report);
    if (fresh || n->law != before) check_complete(node, stiffness || !fresh, n, report);
}

// ------------------------------------------------------------------------------------------ friction law

/// `mu` stands for both coefficients; with one of the two alone a fresh material takes it for both.
static void read_coefficients(ff_yaml *node, bool fresh, ff_friction *f, ff_report *report)
{
    ff_yaml *both = ff_yaml_get(node, "mu"), *one = ff_yaml_get(node, "static"), *two = ff_yaml_get(node, "kinetic");
    if (both && (one || two)) {
        ff_report_add(report, FF_ERROR, both->key_place, "'mu' stands for 'static' and 'kinetic': give it or them");
        return;
    }
    const bool optional = ff_friction_laws[f->law].cone_optional;
    if (two) read_mu(node, "kinetic", optional, &f->mu_kinetic, report);
    if (both && read_mu(node, "mu", optional, &f->mu_static, report)) f->mu_kinetic = f->mu_static;
    if (fresh && one && !two) f->mu_kinetic = f->mu_static;
    if (fresh && two && !one) f->mu_static = f->mu_kinetic;
    if (!ff_friction_uses(f, FF_USES_STICKING) || f->mu_static >= f->mu_kinetic) return;
    ff_yaml *place = one ? one : two ? two : node;
    ff_report_add(report, FF_ERROR, place->place,
                  "static friction %g is below kinetic friction %g: it must be at least as large", f->mu_static,
                  f->mu_kinetic);
}

/// Without numbers the spring has half the normal stiffness, and a damper of sqrt(k): half of critical for 1 kg.
static void fill_spring(ff_yaml *node, const ff_normal *n, ff_friction *f)
{
    if (!ff_yaml_get(node, "stiffness")) f->stiffness = 0.0;
    double k = f->stiffness > 0.0 ? f->stiffness : 0.5 * n->stiffness;
    if (!ff_yaml_get(node, "damping")) f->damping = isfinite(k) ? sqrt(k) : 0.0;
}

static void read_friction(ff_yaml *node, bool fresh, const ff_normal *n, ff_friction *f, ff_report *report)
{
    int errors = report->errors;
    ff_friction_law before = f->law;
    f->law = (ff_friction_law)ff_yaml_choice(node, "law", ff_friction_law_names, (int)f->law, report);
    if (report->errors > errors) return;
    fresh = fresh || f->law != before;
    const ff_friction_law_row *law = &ff_friction_laws[f->law];
    read_table(node, friction_keys, COUNT(friction_keys), law->uses, law->name, f, report);
    if (f->law == FF_FRICTION_NONE) refuse_key(node, "mu", law->name, report);
    if (f->law == FF_FRICTION_NONE) refuse_key(node, "kinetic", law->name, report);
    if (law->uses & FF_USES_STICKING)
        f->stick = (ff_stick_rule)ff_yaml_choice(node, "stick", ff_stick_rule_names, (int)f->stick, report);
    if (report->errors > errors) return;
    if (f->law != FF_FRICTION_NONE) read_coefficients(node, fresh, f, report);
    if (fresh && f->law != FF_FRICTION_NONE) fill_spring(node, n, f);
}

// ------------------------------------------------------------------------------------------ materials

/// soil: gravel, or {name | modulus, non_linear, mu}.
static bool read_soil(ff_yaml *node, const char *name, ff_material *out, ff_report *report)
{
    ff_error err = {0};
    bool map = node->type == FF_YAML_MAP, non_linear = true;
    double mu = 0.8, E = 0.0; // as the library has them
    ff_yaml *row = map ? ff_yaml_get(node, "name") : node, *modulus = map ? ff_yaml_get(node, "modulus") : NULL;
    int errors = report->errors;
    if (map) {
        non_linear = ff_yaml_boolean(node, "non_linear", true, report);
        read_mu(node, "mu", true, &mu, report);
    }
    if (!row == !modulus) {
        ff_report_add(report, FF_ERROR, node->place, "a soil needs exactly one of 'name' and 'modulus' [N/m^2]");
        return false;
    }
    if (modulus && read_number(node, "modulus", &E, report)) *out = ff_soil_from_modulus(name, E, non_linear, mu);
    const char *word = row ? ff_yaml_as_string(row, report) : NULL;
    if (word && ff_soil_find(word, non_linear, mu, out, &err) != FF_OK)
        ff_report_add(report, FF_ERROR, row->place, "%s", err.text);
    return report->errors == errors;
}

/// What a material starts from: another one, a soil, or the standard floor.
static bool read_base(ff_yaml *node, const char *name, const ff_spec *spec, ff_material *out, ff_report *report)
{
    ff_yaml *like = ff_yaml_get(node, "like"), *soil = ff_yaml_get(node, "soil");
    *out = ff_material_default();
    if (like && soil) {
        ff_report_add(report, FF_ERROR, soil->key_place, "give either 'like' or 'soil'");
        return false;
    }
    if (soil) return read_soil(soil, name, out, report);
    const char *base = like ? ff_yaml_as_string(like, report) : NULL;
    if (like && !base) return false;
    return !base || ff_material_resolve(spec, base, out, like->place, report);
}

bool ff_yaml_material(ff_yaml *node, const char *name, ff_spec *spec, ff_material *out, ff_report *report)
{
    int errors = report->errors;
    if (!read_base(node, name, spec, out, report)) return false;
    bool fresh = !ff_yaml_get(node, "like") && !ff_yaml_get(node, "soil");
    ff_yaml *normal = ff_yaml_get(node, "normal"), *friction = ff_yaml_get(node, "friction");
    snprintf(out->name, sizeof out->name, "%s", name);
    if (normal) read_normal(normal, fresh, &out->normal, report);
    if (friction && report->errors == errors) read_friction(friction, fresh, &out->normal, &out->friction, report);
    if (normal && !friction && fresh) fill_spring(NULL, &out->normal, &out->friction);
    out->per_point = ff_yaml_choice(node, "per", SHARES, out->per_point, report) == 1;
    const char *source = ff_yaml_string(node, "source", NULL, report);
    if (source || fresh) out->source = ff_spec_text(spec, source);
    // mistakes of several keys together, such as an exponent of 1.5 without a stiffness of friction
    if (report->errors == errors) ff_material_check(out, report, node->place);
    return report->errors == errors;
}

/// Defines a material. One with a mistake is defined as well, so that its uses are not reported, too.
static void define(ff_yaml *node, ff_spec *spec, const char *file, ff_report *report)
{
    ff_material material = ff_material_default();
    if (node->type == FF_YAML_SCALAR) { // "floor: wood" is short for "floor: {like: wood}"
        const char *like = ff_yaml_as_string(node, report);
        if (like) ff_material_resolve(spec, like, &material, node->place, report);
    } else if (ff_yaml_expect(node, FF_YAML_MAP, "{normal: {..}, friction: {..}}", report)) {
        ff_yaml_material(node, node->key, spec, &material, report);
    }
    int known = ff_spec_find_material(spec, node->key);
    ff_error err = {0};
    ff_spec_material *entry = known >= 0 ? &spec->materials[known] : ff_spec_add_material(spec, node->key, &err);
    if (!entry) {
        ff_report_add_error(report, &err, node->key_place);
        return;
    }
    memcpy(material.name, entry->material.name, sizeof material.name);
    entry->material = material;
    entry->place = node->key_place;
    entry->place.file = file;
}

void ff_yaml_materials(ff_yaml *map, ff_spec *spec, const char *file, ff_report *report)
{
    if (!ff_yaml_expect(map, FF_YAML_MAP, "materials as 'name: {normal: {..}, friction: {..}}'", report)) return;
    for (ff_yaml *node = map->child; node; node = node->next) {
        node->used = true;
        if (spec->nmaterial >= MOST_MATERIALS) {
            ff_report_add(report, FF_ERROR, node->key_place, "more than %d materials", MOST_MATERIALS);
            return;
        }
        define(node, spec, file, report);
    }
}
