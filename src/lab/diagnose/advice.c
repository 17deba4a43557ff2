// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Advice on the step size that contacts need, before a run, and a report of exceeded limits after it.
#include "contact/advance.h"
#include "diagnose/diagnose.h"
#include "measure/measure.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>

#define RESOLVED          10.0 // steps in a half period that resolve the peak of the force
#define EXPLICIT_BOUNCES  40.0 // steps in a half period with which explicit methods err by at most 0.1 %
#define REPORTED_RESIDUAL 0.01 // of the energy turned over
#define MOST_GRAVITY      1e4  // a thousand times that of the Earth; more is probably a wrong unit  [m/s^2]

/// Error of the energy after a bounce under explicit methods, which detect a touch-down at the end of a step. Measured
/// on steel balls of three masses from five heights under rk4: 0.05 to 0.8 % at 11 steps, 0.01 to 0.4 % at 16, 0.02 to
/// 0.3 % at 22.  [%]
static double bounce_error(double steps)
{
    return 150.0 / (steps * steps);
}

/// "0.25 ms", "12 us".
static const char *duration(double seconds, char text[32])
{
    if (seconds >= 1e-3)
        snprintf(text, 32, "%.3g ms", 1e3 * seconds);
    else
        snprintf(text, 32, "%.3g us", 1e6 * seconds);
    return text;
}

static void check_step(const ff_run *run, const ff_contact_step *need, double explicit_limit, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    const ff_method method = run->options.sim.method;
    const ff_method_traits traits = ff_method_get_traits(method);
    const double step = run->options.sim.step;
    char is[32], limit[32], half[32], advised[32];
    if (!ff_sim_options_fixed_step(&run->options.sim)) return;
    duration(step, is);
    duration(need->half_period, half);
    duration(need->advised, advised);
    if (traits.fixed && step > explicit_limit) {
        duration(ff_min(need->advised, 0.5 * explicit_limit), advised);
        ff_report_add(report, FF_WARNING, scene->solver_place,
                      "the step of %s is too long for %s: on the hardest contact explicit methods diverge beyond %s; "
                      "take %s, or the method implicit",
                      is, ff_method_name(method), duration(explicit_limit, limit), advised);
    } else if (need->half_period < RESOLVED * step)
        ff_report_add(
            report, FF_WARNING, scene->solver_place,
            "the step of %s does not resolve the hardest contact, whose half period is %s: peaks of its force "
            "would depend on the step and are reported as null%s; steps of %s resolve them",
            is, half,
            traits.implicit ? ", and steps take energy of a bounce, half of it below three to a half period" : "",
            advised);
    else if (!traits.implicit && need->half_period < EXPLICIT_BOUNCES * step)
        ff_report_add(report, FF_NOTE, scene->solver_place,
                      "%.3g steps of %s fit into that half period: touches are seen at the ends of steps, and a bounce "
                      "is off by up to %.2g %% of its energy; adaptive locates them, or steps of %s stay within 0.1 %%",
                      need->half_period / step, is, bounce_error(need->half_period / step),
                      duration(need->half_period / EXPLICIT_BOUNCES, advised));
}

/// Does the whole damper of friction act from touch-down on, independent of the depth?
static bool is_abrupt(const ff_friction *f)
{
    return ff_friction_uses(f, FF_USES_SPRING_DAMPING) && f->damping > 0.0 && ff_friction_damping_exponent(f) == 0.0;
}

/// Warns of friction without a cone, which drops to zero at once when its point lifts off. A fixed implicit step may
/// not converge there on hard ground; with a linear damper on any ground: runs of Silva's hexapod fail on linear soils
/// from concrete to loose clay.
static void check_coneless(const ff_run *run, const ff_world_advice *a, const ff_world_shape *shapes, ff_report *report)
{
    const ff_sim_options *o = &run->options.sim;
    const ff_contact_pair *law = ff_world_law(run->world, a->shape1, a->shape2);
    char is[32], half[32];
    if (!ff_method_get_traits(o->method).implicit || o->accuracy > 0.0 || !law ||
        !ff_contact_has_no_cone(&law->friction))
        return;
    if (is_abrupt(&law->friction)) {
        ff_report_add(
            report, FF_WARNING, run->scene->solver_place,
            "'%s' on '%s' has no friction cone, and the whole damper of its friction acts from the first touch on: "
            "steps of %s may find no balance; give the ground a cone (mu), the damper of its friction a "
            "'damping_exponent' (soils have it with 'non_linear'), or 'accuracy' in place of 'step'",
            shapes[a->shape2].name, shapes[a->shape1].name, duration(o->step, is));
        return;
    }
    if (!(a->step.half_period < o->step / 5.0)) return;
    ff_report_add(
        report, FF_WARNING, run->scene->solver_place,
        "'%s' on '%s' has no friction cone: its friction jumps to zero when it lifts, and on ground this hard (half "
        "period %s) steps of %s may find no balance; give the ground a cone (mu), or 'accuracy' in place of "
        "'step'",
        shapes[a->shape2].name, shapes[a->shape1].name, duration(a->step.half_period, half), duration(o->step, is));
}

/// Warns of gravity so large that steps become too short for the run to end.
static void check_gravity(const ff_scene_spec *scene, ff_report *report)
{
    const double g = ff_vec3_norm(scene->model->gravity);
    if (g <= MOST_GRAVITY) return;
    ff_report_add(report, FF_WARNING, (ff_place){scene->path, 0, 0},
                  "gravity is %.3g m/s^2, %.2g times that of the Earth: contacts need steps so short that the run may "
                  "not end; is its unit right?",
                  g, g / 9.81);
}

void ff_run_report_choices(const ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    ff_scene_advise_drives(scene, report);
    ff_run_advise_sensors(run, report);
}

void ff_run_advise(ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    ff_world_advice a, tight;
    char half[32], advised[32], limit[32];
    ff_run_report_choices(run, report);
    check_gravity(scene, report);
    ff_run_check_sampling(run, report);
    ff_run_check_friction(run, report);
    ff_run_check_start(run, report);
    if (!run->world || scene->touch.response != FF_RESPONSE_FORCE ||
        !ff_world_hardest(run->world, run->sim, &a, &tight))
        return;
    int count;
    const ff_world_shape *shapes = ff_world_shapes(run->world, &count);
    ff_report_add(report, FF_NOTE, scene->solver_place,
                  "hardest contact: '%s' on '%s', %.3g N/m under %.3g kg, half period %s; steps of %s resolve it",
                  shapes[a.shape2].name, shapes[a.shape1].name, a.step.stiffness, a.mass,
                  duration(a.step.half_period, half), duration(a.step.advised, advised));
    ff_report_add(report, FF_NOTE, scene->solver_place, "explicit steps diverge beyond %s: '%s' on '%s', %s",
                  duration(tight.step.explicit_limit, limit), shapes[tight.shape2].name, shapes[tight.shape1].name,
                  tight.across ? "its friction" : "its normal force");
    check_step(run, &a.step, tight.step.explicit_limit, report);
    check_coneless(run, &a, shapes, report);
}

/// Does the method itself dissipate impacts? Fixed implicit steps do if impacts are shorter than ten of them. Measured
/// on a linear spring, at twelve phases of the touch-down, a bounce loses 46 to 57 % at up to 2 steps, 10 to 29 % at 3,
/// 10 to 13 % at 5, 2 to 5 % at 8, and is off by 1.3 % at 10.
static bool dissipates_impacts(const ff_run *run)
{
    const ff_sim_options *o = &run->options.sim;
    return ff_method_get_traits(o->method).implicit && ff_sim_options_fixed_step(o) && run->world &&
           ff_world_get_counts(run->world).unresolved > 0;
}

/// Warns of a large residual of the energy ledger, since forces and energies are no more accurate than their balance.
static void report_residual(const ff_run *run, ff_report *report)
{
    double part, amount, available = INFINITY, kinetic = 0.0;
    ff_measures_value(run->measures, "ledger.available", &available);
    ff_measures_value(run->measures, "ledger.kinetic.max", &kinetic);
    if (!ff_measures_value(run->measures, "ledger.residual.relative", &part) ||
        !ff_measures_value(run->measures, "ledger.residual", &amount) || !(part > REPORTED_RESIDUAL))
        return;
    if (fabs(amount) < part * ff_run_least_energy(run)) return; // a robot at rest turns over hardly any energy
    static const char coarse[] = "the steps are too coarse for this motion, and forces and heat no better than that; "
                                 "shorten the step or tighten the accuracy";
    static const char swallowed[] =
        "impacts have less than ten steps to a half period, and steps take energy of their bounce; give 'accuracy: "
        "1e-4' in place of 'step'";
    static const char unfounded[] = "more than all there was and was put in. No motion had so much, it is heat that "
                                    "forces which chatter make in each step: take no heat from this run, and shorten "
                                    "the step or tighten the accuracy";
    ff_report_add(report, FF_WARNING, run->scene->solver_place,
                  "the balance of energy %s %.3g J, %.3g %% of what was turned over: %s",
                  amount > 0.0 ? "gained" : "lacks", fabs(amount), ff_min(999.0, 100.0 * part),
                  amount > available && kinetic <= available ? unfounded // else it has diverged (energy_gain.c)
                  : dissipates_impacts(run)                  ? swallowed
                                                             : coarse);
}

static void report_batteries(const ff_run *run, ff_report *report)
{
    const ff_drive_set *set = run->scene->plant->drives;
    for (int i = 0; set && i < set->nbattery; i++) {
        const ff_battery_state *s = ff_sim_battery(run->sim, i);
        const ff_place place = run->scene->model->batteries[i].place;
        if (s && s->asked > 0.0)
            ff_report_add(
                report, FF_WARNING, place,
                "from %.4g s on battery '%.60s' was asked for more than it can give, up to %.4g W: it fell to "
                "half its voltage and gave the rest later, of which %.3g J are still owed. Its 'resistance' "
                "of %g ohm is too high for these drives",
                s->short_from, set->batteries[i].name, s->asked, s->owed, set->batteries[i].resistance);
        if (!s || !s->off) continue;
        if (s->charge > 0.0)
            ff_report_add(report, FF_WARNING, place,
                          "battery '%.60s' has switched off, with %.3g %% of its charge left: its voltage fell to %g V "
                          "('least') under load. Its drives are without power",
                          set->batteries[i].name, 100.0 * s->charge, set->batteries[i].least);
        else
            ff_report_add(report, FF_WARNING, place,
                          "battery '%.60s' is empty and has switched off: its drives are without power",
                          set->batteries[i].name);
    }
}

static void report_contacts(const ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    const ff_world_counts n = ff_world_get_counts(run->world);
    if (n.overflow > 0)
        ff_report_add(report, FF_WARNING, (ff_place){scene->path, 0, 0},
                      "contact buffer full %lld times: the point could not stick; raise contacts.most", n.overflow);
    if (n.unresolved > 0)
        ff_report_add(
            report, FF_WARNING, scene->solver_place,
            "contacts with less than ten steps to a half period (%d touch-down%s, at their speed): peaks of force "
            "and depth are not reported%s",
            n.unresolved, n.unresolved == 1 ? "" : "s",
            dissipates_impacts(run) ? ", and steps take energy of their bounce" : "");
}

/// Is there ground of triangles or a height field?
static bool has_facets(const ff_run *run)
{
    int count = 0;
    const ff_world_shape *shapes = run->world ? ff_world_shapes(run->world, &count) : NULL;
    for (int i = 0; i < count; i++) {
        const ff_collider_type type = shapes[i].collider.type;
        if (type == FF_COLLIDER_SURFACE || type == FF_COLLIDER_FIELD) return true;
    }
    return false;
}

static void report_rough(const ff_run *run, const ff_sim_counts *counts, ff_report *report)
{
    static const char facets[] = "the forces of contacts jump there, from facet to facet of rough ground, or are no "
                                 "finer; the ground bounds the accuracy and not the method";
    static const char kinks[] = "forces have jumps or kinks there (a law of a contact, of friction or of a drive that "
                                "is not smooth), or are no finer than rounding leaves them; the law bounds the "
                                "accuracy and not the method";
    ff_report_add(report, FF_WARNING, run->scene->solver_place,
                  "%lld of %lld steps from %.6g s on miss the accuracy: %s", counts->rough, counts->steps,
                  counts->rough_from, has_facets(run) ? facets : kinks);
}

/// Reports causes before consequences, so the balance of energy comes last.
void ff_run_report_limits(const ff_run *run, ff_report *report)
{
    ff_run_report_controllers(run, report);
    report_batteries(run, report);
    ff_run_report_slack(run, report);
    ff_run_report_wraps(run, report);
    if (run->world) report_contacts(run, report);
    const ff_sim_counts counts = ff_sim_get_counts(run->sim);
    if (counts.edges > 0)
        ff_report_add(
            report, FF_WARNING, run->scene->solver_place,
            "%lld times the force of a contact jumped at the end of an implicit step, and one side of the jump "
            "was taken: friction without a cone, or a damper, that drops to zero at once",
            counts.edges);
    if (counts.rough > 0) report_rough(run, &counts, report);
    report_residual(run, report);
}
