// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Materials: the ranges of their numbers, and the pair that two materials make.
#include <stdio.h>

#include "contact/private.h"

// ------------------------------------------------------------------------------------------ checks

typedef struct checker {
    const ff_material *material;
    ff_report *report;
    ff_place place;
    int errors;
} checker;

typedef enum range { ABOVE_ZERO, ZERO_OR_MORE, BELOW_ZERO, ONE_OR_MORE, ZERO_TO_ONE } range;

static bool in_range(double value, range allowed)
{
    return allowed == ABOVE_ZERO     ? value > 0.0
           : allowed == ZERO_OR_MORE ? value >= 0.0
           : allowed == BELOW_ZERO   ? value < 0.0
           : allowed == ONE_OR_MORE  ? value >= 1.0
                                     : value >= 0.0 && value <= 1.0;
}

static void refuse(checker *c, const char *format, ...) FF_PRINTF(2, 3);
static void refuse(checker *c, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->errors++;
    ff_report_add(c->report, FF_ERROR, c->place, "material '%s': %s", c->material->name, text);
}

static void check(checker *c, const char *part, const char *what, double value, const char *unit, range allowed)
{
    static const char *const texts[] = {"above zero", "zero or more", "below zero", "1 or more", "from 0 to 1"};
    if (in_range(value, allowed) && isfinite(value)) return;
    refuse(c, "%s %s is %g%s: it must be finite and %s", part, what, value, unit, texts[allowed]);
}

/// Positions near 1 m are rounded to 1e-16 m. Beyond 1e14 N/m that alone makes the force jump by more than 0.01 N, and
/// no step could follow it. A Hertzian spring counts by its slope at a depth of a micrometre.
static void check_hardness(checker *c, const char *part, double stiffness, double exponent, const char *instead)
{
    const double most = exponent == 1.5 ? 1e17 : 1e14;
    if (!(stiffness > most) || !isfinite(stiffness)) return;
    refuse(c,
           "%s stiffness is %g N/m%s: positions near 1 m are known to 1e-16 m only, which is %g N; at most %g is "
           "taken; %s",
           part, stiffness, exponent == 1.5 ? "^1.5" : "", stiffness / most * 0.01, most, instead);
}

static void check_normal(checker *c)
{
    const ff_normal *n = &c->material->normal;
    if (!ff_normal_law_name(n->law)) {
        refuse(c, "normal law number %d is unknown", (int)n->law);
        return;
    }
    if (!(isinf(n->stiffness) && n->stiffness > 0.0)) // infinite: a rigid partner
        check(c, "normal", "stiffness", n->stiffness, " N/m", ABOVE_ZERO);
    check_hardness(c, "normal", n->stiffness, n->exponent, "a rigid partner has stiffness 'rigid' (infinite)");
    const ff_normal_law_row *law = &ff_normal_laws[n->law];
    if (!law->hertzian && n->exponent != 1.0)
        refuse(c, "normal exponent is %g: the law '%s' allows 1 only", n->exponent, law->name);
    else if (n->exponent != 1.0 && n->exponent != 1.5)
        refuse(c, "normal exponent is %g: allowed are 1 and 1.5", n->exponent);
    if (law->uses & FF_USES_IMPACT_SPEED) {
        check(c, "normal", "restitution", n->restitution, "", ZERO_TO_ONE);
        check(c, "normal", "impact floor", n->impact_floor, " m/s", ABOVE_ZERO);
        if (!ff_calibration_name(n->calibration)) refuse(c, "calibration number %d is unknown", (int)n->calibration);
    }
    if (law->uses & FF_USES_DAMPING) check(c, "normal", "damping", n->damping, "", ZERO_OR_MORE);
    if (law->uses & FF_USES_DAMPING_EXPONENT)
        check(c, "normal", "damping exponent", n->damping_exponent, "", ZERO_OR_MORE);
    if (n->pulls && !law->may_pull) refuse(c, "the law '%s' cannot pull", law->name);
    const ff_friction *f = &c->material->friction;
    const bool cone = ff_friction_law_name(f->law) && f->law != FF_FRICTION_NONE && !ff_contact_has_no_cone(f);
    if (n->pulls && (cone || f->torsion != 0.0 || f->rolling != 0.0))
        refuse(
            c,
            "ground that pulls has no friction cone: take the friction law 'soil' with 'mu: none', or the law 'none'");
}

static void check_stribeck(checker *c)
{
    const ff_friction *f = &c->material->friction;
    check(c, "friction", "breakaway ratio", f->breakaway, "", ONE_OR_MORE);
    check(c, "friction", "viscous coefficient", f->viscous, " N s/m", ABOVE_ZERO);
    check(c, "friction", "threshold", f->threshold, " m/s", ABOVE_ZERO);
    check(c, "friction", "decay", f->decay, "", BELOW_ZERO);
    check(c, "friction", "scale speed", f->scale_speed, " m/s", ABOVE_ZERO);
    if (ff_friction_uses(f, FF_USES_SLOWDOWN)) {
        check(c, "friction", "slowdown", f->slowdown, "", ONE_OR_MORE);
        check(c, "friction", "coefficient (kinetic)", f->mu_kinetic, "", ABOVE_ZERO);
    }
}

static void check_sticking(checker *c)
{
    const ff_friction *f = &c->material->friction;
    check(c, "friction", "coefficient (static)", f->mu_static, "", ZERO_OR_MORE);
    if (f->mu_static < f->mu_kinetic)
        refuse(c, "static friction %g is below kinetic friction %g: it must be at least as large", f->mu_static,
               f->mu_kinetic);
    check(c, "friction", "stick speed", f->stick_speed, " m/s", ABOVE_ZERO);
    if (!ff_stick_rule_name(f->stick)) refuse(c, "stick rule number %d is unknown", (int)f->stick);
}

static void check_friction(checker *c)
{
    const ff_friction *f = &c->material->friction;
    bool turns = f->torsion != 0.0 || f->rolling != 0.0;
    check(c, "friction", "torsion arm", f->torsion, " m", ZERO_OR_MORE);
    check(c, "friction", "rolling arm", f->rolling, " m", ZERO_OR_MORE);
    if (turns) check(c, "friction", "patch radius", f->patch_radius, " m", ABOVE_ZERO);
    if (!ff_friction_law_name(f->law)) {
        refuse(c, "friction law number %d is unknown", (int)f->law);
        return;
    }
    check(c, "friction", "stiffness", f->stiffness, " N/m", ZERO_OR_MORE);
    check_hardness(c, "friction", f->stiffness, 1.0, "0 takes half the normal stiffness");
    if ((ff_friction_uses(f, FF_USES_SPRING) || turns) && f->stiffness == 0.0 && c->material->normal.exponent != 1.0)
        refuse(c,
               "friction stiffness must be given in N/m: the normal stiffness has exponent %g, half of it is no "
               "tangential one",
               c->material->normal.exponent);
    if (f->law == FF_FRICTION_NONE) return;
    check(c, "friction", "coefficient (kinetic)", f->mu_kinetic, "", ZERO_OR_MORE);
    if (ff_friction_uses(f, FF_USES_STRIBECK_CURVE)) check_stribeck(c);
    if (ff_friction_uses(f, FF_USES_STICKING)) check_sticking(c);
    if (ff_friction_uses(f, FF_USES_SPRING_DAMPING)) check(c, "friction", "damping", f->damping, "", ZERO_OR_MORE);
    if (ff_friction_uses(f, FF_USES_DEPTH))
        check(c, "friction", "damping exponent", f->damping_exponent, "", ZERO_OR_MORE);
}

int ff_material_check(const ff_material *material, ff_report *report, ff_place place)
{
    checker c = {material, report, place, 0};
    check_normal(&c);
    check_friction(&c);
    return c.errors;
}

ff_material ff_material_with_mjcf(const ff_material *standard, const double friction[3], int condim)
{
    ff_material m = *standard;
    ff_friction *f = &m.friction;
    bool slides = condim >= 3 && friction[0] > 0.0;
    f->mu_static = f->mu_kinetic = slides ? friction[0] : 0.0;
    f->torsion = condim >= 4 ? friction[1] : 0.0;
    f->rolling = condim >= 6 ? friction[2] : 0.0;
    if (!slides)
        f->law = FF_FRICTION_NONE;
    else if (f->law == FF_FRICTION_NONE)
        f->law = FF_FRICTION_STICK_SLIP;
    if (condim >= 4)
        snprintf(m.name, sizeof m.name, "mjcf %.3g %.3g %.3g condim %d", friction[0], friction[1], friction[2],
                 condim >= 6 ? 6 : 4);
    else
        snprintf(m.name, sizeof m.name, "mjcf friction %.6g", f->mu_static);
    return m;
}

/// Weight of the first of two geoms, from 0 to 1.
static double mix_share(const ff_mjcf_contact *a, const ff_mjcf_contact *b)
{
    const double sum = a->solmix + b->solmix;
    if (a->solmix > 0.0 && b->solmix > 0.0) return a->solmix / sum;
    return a->solmix > 0.0 ? 1.0 : b->solmix > 0.0 ? 0.0 : 0.5;
}

/// The numbers of both, the priorities being the same.
static ff_mjcf_surface mix_surfaces(const ff_mjcf_surface *a, const ff_mjcf_surface *b)
{
    const double share = mix_share(&a->numbers, &b->numbers);
    ff_mjcf_surface both = *a;
    ff_mjcf_contact *n = &both.numbers;
    for (int i = 0; i < 3; i++) both.friction[i] = ff_max(a->friction[i], b->friction[i]);
    both.condim = a->condim > b->condim ? a->condim : b->condim;
    n->has_solref = a->numbers.has_solref || b->numbers.has_solref;
    n->impedance = share * a->numbers.impedance + (1.0 - share) * b->numbers.impedance;
    const bool direct = !(a->numbers.solref[0] > 0.0 && b->numbers.solref[0] > 0.0);
    for (int i = 0; i < 2; i++)
        n->solref[i] = direct ? ff_min(a->numbers.solref[i], b->numbers.solref[i])
                              : share * a->numbers.solref[i] + (1.0 - share) * b->numbers.solref[i];
    return both;
}

ff_material ff_material_by_mujoco(const ff_material *standard, const ff_mjcf_surface *a, const ff_mjcf_surface *b)
{
    ff_mjcf_surface fixed = *a, both = *a;
    fixed.numbers = (ff_mjcf_contact){.priority = a->numbers.priority > 0 ? 0 : a->numbers.priority,
                                      .solmix = 1.0,
                                      .solref = {0.02, 1.0},
                                      .impedance = 0.95};
    fixed.inverse_mass = 0.0;
    if (!b) b = &fixed;
    if (b->numbers.priority == a->numbers.priority) both = mix_surfaces(a, b);
    if (b->numbers.priority > a->numbers.priority) both = *b;
    const double inverse_mass = a->inverse_mass + b->inverse_mass;
    ff_material m = ff_material_with_mjcf(standard, both.friction, both.condim);
    const double *ref = both.numbers.solref, softness = 1.0 - ff_min(ff_max(both.numbers.impedance, 1e-4), 0.9999);
    const bool direct = ref[0] <= 0.0;
    if (!both.numbers.has_solref || !(inverse_mass > 0.0) || (direct && !(ref[0] < 0.0)) ||
        (!direct && !(ref[1] > 0.0)))
        return m;
    const double mass = 2.0 / inverse_mass; // two layers in series
    m.normal.law = FF_NORMAL_KELVIN_VOIGT;
    m.normal.exponent = 1.0;
    m.normal.stiffness = mass / softness * (direct ? -ref[0] : 1.0 / (ref[0] * ref[0] * ref[1] * ref[1]));
    m.normal.damping = mass / sqrt(softness) * (direct ? ff_max(0.0, -ref[1]) : 2.0 / ref[0]);
    m.friction.stiffness = 0.0; // half of the normal one
    m.per_point = true;
    return m;
}

bool ff_material_same(const ff_material *a, const ff_material *b)
{
    const ff_normal *n = &a->normal, *m = &b->normal;
    const ff_friction *f = &a->friction, *g = &b->friction;
    return a->per_point == b->per_point && n->law == m->law && n->stiffness == m->stiffness &&
           n->exponent == m->exponent && n->damping == m->damping && n->damping_exponent == m->damping_exponent &&
           n->restitution == m->restitution && n->calibration == m->calibration && n->impact_floor == m->impact_floor &&
           n->pulls == m->pulls && f->law == g->law && f->mu_static == g->mu_static && f->mu_kinetic == g->mu_kinetic &&
           f->stiffness == g->stiffness && f->damping == g->damping && f->damping_exponent == g->damping_exponent &&
           f->stick_speed == g->stick_speed && f->stick == g->stick && f->breakaway == g->breakaway &&
           f->viscous == g->viscous && f->threshold == g->threshold && f->decay == g->decay &&
           f->scale_speed == g->scale_speed && f->slowdown == g->slowdown && f->torsion == g->torsion &&
           f->rolling == g->rolling && f->patch_radius == g->patch_radius;
}

// ------------------------------------------------------------------------------------------ pairs

static ff_normal_damper damper_of(const ff_normal *n)
{
    const ff_normal_law_row *law = &ff_normal_laws[n->law];
    return law->damper ? law->damper(n) : (ff_normal_damper){0.0, n->exponent};
}

/// k of two springs in series: k^(-1/n) adds.
static double in_series(double a, double b, double n)
{
    if (n == 1.0) return a * b / (a + b);
    return ff_pow(ff_pow(a, -1.0 / n) + ff_pow(b, -1.0 / n), -n);
}

/// Part of the common motion that the layer with stiffness `own` makes.
static double motion_share(double common, double own, double n)
{
    return n == 1.0 ? common / own : ff_pow(common / own, 1.0 / n);
}

/// `soft` and `hard` by stiffness. The layers carry the same force, so each makes its share r of the motion and loses
/// c r^(m + 2) p^m v^2: these losses add up to that of the pair.
static void combine_normal(ff_contact_pair *pair, const ff_normal *soft, const ff_normal *hard)
{
    double n = pair->exponent, m = pair->damping_exponent;
    if (hard->exponent != n) return; // powers differ: no common k exists, and the softer one deforms alone
    double k = in_series(soft->stiffness, hard->stiffness, n);
    double rs = motion_share(k, soft->stiffness, n), rh = motion_share(k, hard->stiffness, n);
    pair->stiffness = k;
    const bool alike = soft->law == hard->law;
    if (ff_normal_uses(soft, FF_USES_IMPACT_SPEED)) { // the law promises a restitution, not a damping
        ff_normal both = *soft;
        both.stiffness = k;
        if (alike) both.restitution = (rs * soft->restitution + rh * hard->restitution) / (rs + rh);
        pair->restitution = both.restitution;
        pair->damping = damper_of(&both).c;
        return;
    }
    pair->damping *= ff_pow(rs, m + 2.0);
    if (alike) pair->damping += damper_of(hard).c * ff_pow(rh, m + 2.0);
}

static void combine_friction(ff_friction *f, const ff_friction *other)
{
    f->torsion = ff_max(f->torsion, other->torsion);
    f->rolling = ff_max(f->rolling, other->rolling);
    if (other->law == FF_FRICTION_NONE) {
        f->law = FF_FRICTION_NONE; // without friction, whatever the partner
        return;
    }
    f->mu_static = sqrt(f->mu_static * other->mu_static);
    f->mu_kinetic = sqrt(f->mu_kinetic * other->mu_kinetic);
    if (!(other->stiffness > 0.0) || !(f->stiffness > 0.0)) return;
    double k = in_series(f->stiffness, other->stiffness, 1.0);
    double rs = k / f->stiffness, ro = k / other->stiffness;
    bool alike = other->law == f->law && other->damping_exponent == f->damping_exponent;
    f->damping = f->damping * rs * rs + (alike ? other->damping * ro * ro : 0.0);
    f->stiffness = k;
}

static void set_stiffness(ff_contact_pair *pair)
{
    ff_friction *f = &pair->friction;
    if (!(f->stiffness > 0.0)) f->stiffness = 0.5 * pair->stiffness;
    // The pressure that makes a moment arm F_n lies within the patch, so that this is no smaller than the arm. With a
    // softer spring a ball would roll back by radians where it stops.
    const double twists = ff_max(f->patch_radius, f->torsion), rolls = ff_max(f->patch_radius, f->rolling);
    pair->torsion_stiffness = 0.5 * f->stiffness * twists * twists;
    pair->rolling_stiffness = 0.25 * f->stiffness * rolls * rolls;
    pair->turn_lag = f->damping > 0.0 && f->damping_exponent == 0.0 ? f->damping / f->stiffness : 1e-3;
}

static ff_status check_alone(const ff_material *material, ff_error *err)
{
    ff_report report = {0};
    ff_status status = FF_OK;
    if (ff_material_check(material, &report, (ff_place){0}) > 0)
        status = ff_report_to_error(&report, FF_BAD_ARGUMENT, err);
    ff_report_clear(&report);
    return status;
}

ff_status ff_contact_pair_make(ff_contact_pair *pair, const ff_material *a, const ff_material *b, ff_error *err)
{
    ff_status status = check_alone(a, err);
    if (status == FF_OK && b) status = check_alone(b, err);
    if (status != FF_OK) return status;
    const ff_material *soft = b && b->normal.stiffness < a->normal.stiffness ? b : a;
    const ff_material *hard = soft == a ? b : a;
    if (isinf(soft->normal.stiffness))
        return ff_error_set(err, FF_BAD_ARGUMENT, "material '%s'%s%s%s rigid: one of a pair needs a finite stiffness",
                            a->name, b ? " and '" : "", b ? b->name : "", b ? "' are both" : " is");
    const ff_normal *n = &soft->normal;
    const ff_normal_damper damper = damper_of(n);
    *pair = (ff_contact_pair){.law = n->law,
                              .stiffness = n->stiffness,
                              .exponent = n->exponent,
                              .damping = damper.c,
                              .damping_exponent = damper.m,
                              .restitution = ff_normal_uses(n, FF_USES_IMPACT_SPEED) ? n->restitution : 0.0,
                              .impact_floor = n->impact_floor,
                              .pulls = n->pulls,
                              .friction = soft->friction,
                              .per_point = soft->per_point};
    if (hard && isfinite(hard->normal.stiffness)) {
        combine_normal(pair, n, &hard->normal);
        combine_friction(&pair->friction, &hard->friction);
    }
    set_stiffness(pair);
    return FF_OK;
}
