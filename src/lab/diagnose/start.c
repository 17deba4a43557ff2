// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of the start. Shapes that overlap, and joints and tendons beyond their stops, are loaded springs whose energy
// throws the robot. Contacts and stops at rest are loaded, too, but by no more than the weight they carry, which is the
// criterion. Also checked: drives beyond their strokes.
#include "diagnose/diagnose.h"
#include "dyn/packed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double THROWN = 2.0;            // a force above this multiple of the load throws
static const double HEIGHT = 1e-3;           // least height of a throw that is reported  [m]
static const double ROUNDING = 1e-12;        // depth that is ignored  [m]
static const double BEYOND[] = {1e-3, 1e-4}; // least depth of a stop that is reported: turning, sliding  [rad, m]

// ------------------------------------------------------------------------------------------ contacts

/// Contacts of a tree of bodies at the start.
typedef struct pressed {
    double weight, mass; // [N], [kg]
    double force;        // sum of normal forces  [N]
    double energy;       // stored in their springs  [J]
    double lift;         // distance upwards that ends all contacts  [m]
    const ff_world_contact *deepest;
    int points;
} pressed;

static int tree_of(const ff_model *m, int body)
{
    const int node = body < 0 ? -1 : m->bodies[body].node;
    return node < 0 ? -1 : m->nodes[node].tree;
}

static void press(pressed *p, const ff_world_contact *c, double rise)
{
    p->force += c->force.normal;
    p->energy += c->force.elastic_normal;
    p->points++;
    if (rise > 0.1) p->lift = ff_max(p->lift, c->point.depth / rise);
    if (!p->deepest || c->point.depth > p->deepest->point.depth) p->deepest = c;
}

/// Height to which contacts throw a tree of bodies; 0: it rests, or has no contact.  [m]
static double throw_of(const pressed *p)
{
    if (p->points == 0 || !(p->force > THROWN * p->weight) || !(p->energy > 0.0)) return 0.0;
    return p->weight > 0.0 ? p->energy / p->weight : INFINITY;
}

static const char *root_of(const ff_model *m, int tree, bool *free)
{
    const ff_joint *joint = &m->joints[m->nodes[m->tree_root[tree]].joint];
    *free = joint->type == FF_JOINT_FREE;
    return m->bodies[joint->body].name;
}

static void report_overlap(const ff_run *run, const pressed *p, int tree, int more, ff_report *report)
{
    const ff_model *m = run->scene->model;
    const ff_world_contact *c = p->deepest;
    bool free;
    const char *name = root_of(m, tree, &free);
    const ff_world_shape *shapes = ff_world_shapes(run->world, NULL);
    char advice[160] = "change its start so that nothing overlaps";
    char others[64] = "";
    if (free && p->lift > 0.0)
        snprintf(advice, sizeof advice, "raise it by %.3g m, or let a robot settle on its feet (place: {settle: true})",
                 p->lift);
    if (more > 0) snprintf(others, sizeof others, "; so do %d more", more);
    if (ff_run_is_rigid(run)) {
        ff_report_add(
            report, FF_WARNING, run->scene->touch_place,
            "\"%s\" starts in overlap%s: '%s' is %.3g mm deep in '%s'. It is taken out slowly, which lifts it "
            "by energy from nowhere, up to %.3g J. Advice: %s",
            name, others, shapes[c->shape2].name, 1e3 * c->point.depth, shapes[c->shape1].name, p->energy, advice);
        return;
    }
    ff_report_add(report, FF_WARNING, run->scene->touch_place,
                  "\"%s\" starts in overlap: '%s' is %.3g mm deep in '%s'; %d point%s with %.3g N (its weight is "
                  "%.3g N) and %.3g J are stored, which throw it%s. Advice: %s",
                  name, shapes[c->shape2].name, 1e3 * c->point.depth, shapes[c->shape1].name, p->points,
                  p->points == 1 ? " presses" : "s press", p->force, p->weight, p->energy, others, advice);
}

static void check_contacts(ff_run *run, ff_report *report)
{
    const ff_model *m = run->scene->model;
    int count, worst = -1, thrown = 0;
    double up[3], g = ff_vec3_norm(m->gravity);
    pressed *all = calloc((size_t)m->ntree + 1, sizeof *all);
    const ff_world_contact *contacts = ff_world_contacts(run->world, run->sim, &count);
    if (!all) return;
    ff_vec3_scale(up, m->gravity, g > 0.0 ? -1.0 / g : 0.0);
    for (int i = 0; i < m->nnode; i++) all[m->nodes[i].tree].mass += m->nodes[i].inertia.mass;
    for (int i = 0; i < m->ntree; i++) all[i].weight = all[i].mass * g;
    for (int i = 0; i < m->nlift; i++) all[m->nodes[m->lifts[i].node].tree].weight -= m->lifts[i].mass * g;
    for (int i = 0; i < count; i++) {
        const ff_world_contact *c = &contacts[i];
        const int first = tree_of(m, c->body1), second = tree_of(m, c->body2);
        const double rise = ff_vec3_dot(c->point.normal, up);
        if (!(c->point.depth > ROUNDING)) continue;
        if (second >= 0) press(&all[second], c, rise);
        if (first >= 0 && first != second) press(&all[first], c, -rise);
    }
    // Contacts without compliance store no energy, but correct overlaps, which lifts the robot without a source of
    // work.
    for (int i = 0; ff_run_is_rigid(run) && i < m->ntree; i++) all[i].energy = all[i].weight * all[i].lift;
    for (int i = 0; i < m->ntree; i++) {
        const double height = !ff_run_is_rigid(run) ? throw_of(&all[i])
                              : all[i].deepest      ? all[i].deepest->point.depth
                                                    : 0.0;
        if (!(height > HEIGHT)) continue;
        thrown++;
        if (worst < 0 || all[i].energy > all[worst].energy) worst = i;
    }
    if (worst >= 0) report_overlap(run, &all[worst], worst, thrown - 1, report);
    free(all);
}

// ------------------------------------------------------------------------------------------ stops

/// Distance of a joint from its range, 0 inside.  [rad, m]
static double beyond(const ff_joint *joint, const double *q)
{
    double axis[3];
    if (!joint->limited) return 0.0;
    if (joint->type == FF_JOINT_BALL) return ff_max(0.0, ff_quat_angle(axis, q + joint->qadr) - joint->range[1]);
    if (!ff_joint_is_scalar(joint->type)) return 0.0;
    return ff_max(0.0, ff_max(joint->range[0] - q[joint->qadr], q[joint->qadr] - joint->range[1]));
}

/// Place in the file of the start of the robot that has a degree of freedom.
static ff_place start_of(const ff_run *run, int dof)
{
    const ff_scene_spec *scene = run->scene;
    for (int i = 0; i < scene->nrobot; i++)
        if (ff_scene_owns(&scene->robots[i], dof) && scene->robots[i].start_place.line > 0)
            return scene->robots[i].start_place;
    return (ff_place){scene->path, 0, 0};
}

static void report_stop(const ff_run *run, const ff_joint *joint, double depth, double energy, int more,
                        ff_report *report)
{
    const bool slides = joint->type == FF_JOINT_SLIDE;
    const char *unit = slides ? "m" : "rad";
    char others[64] = "", value[64] = "";
    if (more > 0) snprintf(others, sizeof others, " with %d other joint%s", more, more > 1 ? "s" : "");
    if (joint->type != FF_JOINT_BALL)
        snprintf(value, sizeof value, " of %.4g to %.4g %s", joint->range[0], joint->range[1], unit);
    ff_report_add(report, FF_WARNING, start_of(run, joint->vadr),
                  "joint \"%s\" starts %.3g %s beyond its limits%s: its stop pushes with %.3g %s and stores%s %.3g J, "
                  "which throw it. Advice: start within the limits (start.joints)",
                  joint->name, depth, unit, value, joint->stop_stiffness * depth, slides ? "N" : "N m", others, energy);
}

/// The stops that throw.
typedef struct thrown_by {
    int count, worst;   // their number, index of the one with most energy
    double energy;      // of all  [J]
    double most, depth; // energy and depth of the worst  [J], [rad, m]
} thrown_by;

static void count_stop(thrown_by *t, int index, double stiffness, double depth)
{
    const double stored = 0.5 * stiffness * depth * depth;
    t->energy += stored;
    t->count++;
    if (!(stored > t->most)) return;
    t->most = stored;
    t->worst = index;
    t->depth = depth;
}

static void check_joints(const ff_run *run, const double *load, ff_report *report)
{
    const ff_model *m = run->scene->model;
    const double *q = ff_sim_q(run->sim);
    thrown_by t = {0};
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *joint = &m->joints[i];
        const double depth = beyond(joint, q), force = joint->stop_stiffness * depth;
        double carried = 0.0;
        for (int k = 0; k < ff_joint_nv(joint->type); k++) carried = ff_max(carried, fabs(load[joint->vadr + k]));
        if (!(depth > BEYOND[joint->type == FF_JOINT_SLIDE]) || !(force > THROWN * carried)) continue;
        count_stop(&t, i, joint->stop_stiffness, depth);
    }
    if (t.count > 0) report_stop(run, &m->joints[t.worst], t.depth, t.energy, t.count - 1, report);
}

static void report_tendon(const ff_run *run, const ff_tendon *t, const thrown_by *all, bool longer, ff_report *report)
{
    const char *length = t->fixed ? "" : " m", *force = t->fixed ? "" : " N"; // sums of joint coordinates have no unit
    char others[64] = "";
    if (all->count > 1)
        snprintf(others, sizeof others, " with %d other tendon%s", all->count - 1, all->count > 2 ? "s" : "");
    ff_report_add(report, FF_WARNING, start_of(run, t->dofs[0]),
                  "tendon \"%s\" starts %.3g%s beyond its limits of %.4g to %.4g%s: its stop %s with %.3g%s and "
                  "stores%s %.3g J, which throw what it holds. Advice: start within the limits, or change its 'range'",
                  t->name, all->depth, length, t->range[0], t->range[1], length, longer ? "pulls" : "pushes",
                  t->stop_stiffness * all->depth, force, others, all->energy);
}

/// Does the force of a tendon's stop throw? At rest it exceeds the load of no degree of freedom.
static bool tendon_throws(const ff_data *d, const ff_tendon *t, double force, const double *load)
{
    double carried = 0.0, given = 0.0;
    for (int k = 0; k < t->ndof; k++) {
        carried = ff_max(carried, fabs(load[t->dofs[k]]));
        given = ff_max(given, fabs(d->tendon_lever[t->first + k] * force));
    }
    return given > THROWN * carried;
}

static void check_tendons(const ff_run *run, const ff_data *d, const double *load, ff_report *report)
{
    const ff_model *m = run->scene->model;
    thrown_by all = {0};
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        const double length = d->tendon_length[i], depth = ff_max(t->range[0] - length, length - t->range[1]);
        if (!t->limited || !(depth > BEYOND[!t->fixed])) continue;
        if (tendon_throws(d, t, t->stop_stiffness * depth, load)) count_stop(&all, i, t->stop_stiffness, depth);
    }
    if (all.count == 0) return;
    const ff_tendon *worst = &m->tendons[all.worst];
    report_tendon(run, worst, &all, d->tendon_length[all.worst] > worst->range[1], report);
}

static void check_stops(const ff_run *run, ff_report *report)
{
    const ff_model *m = run->scene->model;
    const double *q = ff_sim_q(run->sim);
    ff_data *d = ff_data_create(m, NULL);
    double *load = calloc((size_t)m->nv + 1, sizeof *load);
    if (d && load) {
        ff_dyn_inverse(m, d, q, d->v, NULL, load); // loads of the joints at rest
        memcpy(d->q, q, (size_t)m->nq * sizeof *q);
        ff_dyn_kinematics(m, d);
        ff_dyn_take_lifts(m, d, load);
        check_joints(run, load, report);
        check_tendons(run, d, load, report);
    }
    ff_data_destroy(d);
    free(load);
}

// ------------------------------------------------------------------------------------------ strokes

/// Warns of drives beyond their strokes: limit switches let them move back only.
static void check_strokes(const ff_run *run, ff_report *report)
{
    const ff_drive_set *set = run->scene->plant->drives;
    for (int i = 0; set && i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        const double x = ff_drive_path_locate(&d->path, ff_sim_q(run->sim), ff_sim_v(run->sim)).x;
        if (!(d->stroke[1] > d->stroke[0]) || (x >= d->stroke[0] && x <= d->stroke[1])) continue;
        ff_report_add(report, FF_WARNING, d->place,
                      "drive '%.60s' starts at %.4g %s, beyond its stroke of %.4g to %.4g: its limit switches let it "
                      "move back alone. Advice: start within the stroke (start.joints)",
                      d->name, x, d->linear ? "m" : "rad", d->stroke[0], d->stroke[1]);
    }
}

void ff_run_check_start(ff_run *run, ff_report *report)
{
    if (run->world) check_contacts(run, report);
    if (run->options.sim.passive) check_stops(run, report);
    check_strokes(run, report);
}
