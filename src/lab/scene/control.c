// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The joint law of a scene: every hinge and slide of the robots is held at its start, or follows a cycle of poses,
//     tau = feedforward + stiffness (target - q) + damping (target' - q')
// as a continuous part. The target of a cycle goes from pose to pose with a smooth start and end, s = t^2 (3 - 2 t).
// The feedforward is the torque of the joint at the start: in equilibrium the other terms are zero.
#include "scene/running.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ reading

static double read_gain(const ff_scene_reader *r, ff_yaml *node, const char *key)
{
    double value = 0.0;
    ff_yaml *given = ff_yaml_need(node, key, r->report);
    if (given) ff_yaml_as_number(given, &value, r->report);
    return value;
}

/// Start of a robot with the joints of one of its poses.
static bool read_pose(const ff_scene_reader *r, const ff_yaml *item, double *q)
{
    const ff_scene_spec *scene = r->scene;
    int key;
    ff_error err = {0};
    memcpy(q, scene->q, (size_t)scene->model->nq * sizeof *q);
    if (ff_model_need_key(scene->model, item->text, &key, &err) != FF_OK)
        ff_report_add(r->report, FF_ERROR, item->place,
                      "%s; a cycle goes through poses of the single robot of the scene", err.text);
    else
        memcpy(q, scene->model->keys[key].q, (size_t)scene->model->nq * sizeof *q);
    return key >= 0;
}

static void read_cycle(const ff_scene_reader *r, ff_yaml *node, ff_scene_law *c)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{poses: [..], period: ..}", r->report)) return;
    ff_yaml *poses = ff_yaml_need(node, "poses", r->report), *period = ff_yaml_need(node, "period", r->report);
    const int n = ff_scene_count(poses), nq = r->scene->model->nq;
    if (!poses || !period || !ff_yaml_as_number(period, &c->period, r->report)) return;
    double *table = FF_ARENA_NEW(&r->scene->arena, double, (size_t)n *(size_t)nq + 1);
    if (!table) return;
    for (ff_yaml *item = poses->child; item; item = item->next, c->npose++)
        if (!read_pose(r, item, table + c->npose * nq)) return;
    c->poses = table;
}

void ff_scene_read_control(ff_scene_reader *r)
{
    const bool steered = ff_scene_read_controllers(r);
    ff_yaml *control = ff_yaml_get(r->root, "control");
    if (!control || (steered && !ff_yaml_get(control, "hold"))) return;
    if (control->type != FF_YAML_MAP || (!ff_yaml_get(control, "hold") && !ff_yaml_get(control, "cycle"))) {
        ff_scene_report_unknown_control(r, control);
        ff_yaml_use(control);
        return;
    }
    ff_scene_law *c = FF_ARENA_NEW(&r->scene->arena, ff_scene_law, 1);
    ff_yaml *hold = ff_yaml_need(control, "hold", r->report), *cycle = ff_yaml_get(control, "cycle");
    if (!c || !ff_yaml_expect(hold, FF_YAML_MAP, "{stiffness: .., damping: ..}", r->report)) return;
    c->stiffness = read_gain(r, hold, "stiffness");
    c->damping = read_gain(r, hold, "damping");
    c->feedforward = ff_yaml_boolean(hold, "feedforward", true, r->report);
    if (cycle && steered)
        ff_report_add(r->report, FF_ERROR, cycle->key_place,
                      "'cycle' does not go with a controller: 'hold' is for the joints that no drive moves");
    else if (cycle)
        read_cycle(r, cycle, c);
    r->scene->law = c;
}

// ------------------------------------------------------------------------------------------ acting

/// Torque of the law on a joint.
static double torque_on(const ff_run_law *c, const ff_model *m, const ff_data *d, const ff_joint *joint, double t)
{
    double q, rate;
    ff_law_target(c, m->nq, joint->qadr, t, &q, &rate);
    return c->asked.stiffness * (q - d->q[joint->qadr]) + c->asked.damping * (rate - d->v[joint->vadr]);
}

static void control_torque(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const ff_run_law *c = context;
    (void)z, (void)zdot;
    for (int i = 0; i < c->njoint; i++) {
        const ff_joint *joint = &m->joints[c->joints[i]];
        d->tau[joint->vadr] += torque_on(c, m, d, joint, t);
    }
    for (int i = 0; c->pushes && i < m->nv; i++) d->tau[i] += c->torque[i];
}

/// What the torques do is work; asked for it, the ledger need not find out from the sums of all forces.
static double control_supply(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    const ff_run_law *c = context;
    double power = 0.0;
    (void)z;
    for (int i = 0; i < c->njoint; i++) {
        const ff_joint *joint = &m->joints[c->joints[i]];
        power += d->v[joint->vadr] * torque_on(c, m, d, joint, t);
    }
    for (int i = 0; c->pushes && i < m->nv; i++) power += c->torque[i] * d->v[i];
    return power;
}

static double control_loss(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    (void)context, (void)t, (void)m, (void)d, (void)z;
    return 0.0;
}

static void control_slope(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *stiffness,
                          double *damping)
{
    const ff_run_law *c = context;
    (void)t, (void)d, (void)z;
    for (int i = 0; i < c->njoint; i++) {
        stiffness[m->joints[c->joints[i]].vadr] += c->asked.stiffness;
        damping[m->joints[c->joints[i]].vadr] += c->asked.damping;
    }
}

/// Hinges and slides of the robots that no drive moves; objects are nobody's to hold.
static bool list_joints(ff_run *run, ff_run_law *c)
{
    const ff_scene_spec *scene = run->scene;
    const ff_model *m = scene->model;
    c->joints = FF_ARENA_NEW(&run->arena, int, m->njoint + 1);
    c->start = FF_ARENA_NEW(&run->arena, double, m->nq + 1);
    c->torque = FF_ARENA_NEW(&run->arena, double, m->nv + 1);
    c->push = FF_ARENA_NEW(&run->arena, double, m->nv + 1);
    c->target = FF_ARENA_NEW(&run->arena, double, m->nq + m->nv + 1);
    c->squares = FF_ARENA_NEW(&run->arena, double, m->nv + 1);
    if (!c->joints || !c->start || !c->torque || !c->push || !c->target || !c->squares) return false;
    c->njoint = 0;
    memcpy(c->start, run->q, (size_t)m->nq * sizeof *c->start);
    for (int k = 0; k < scene->nrobot; k++)
        for (int i = 0; i < m->njoint; i++) {
            const ff_joint *joint = &m->joints[i];
            const ff_scene_robot *robot = &scene->robots[k];
            if (ff_joint_is_scalar(joint->type) && joint->vadr >= robot->vadr &&
                joint->vadr < robot->vadr + robot->nv && !ff_scene_is_driven(scene, i))
                c->joints[c->njoint++] = i;
        }
    return true;
}

ff_status ff_run_add_law(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    bool settles = false;
    for (int i = 0; i < scene->nrobot; i++) settles = settles || scene->robots[i].settle;
    if (!scene->law && !settles) return FF_OK;
    ff_run_law *c = FF_ARENA_NEW(&run->arena, ff_run_law, 1);
    if (!c || !list_joints(run, c)) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    // A robot that settles without a law is held by the torques of its start alone.
    c->asked = scene->law ? *scene->law : (ff_scene_law){.feedforward = true};
    run->law = c;
    const ff_part part = {.name = "control",
                          .context = c,
                          .derivative = control_torque,
                          .slope = control_slope,
                          .power = control_loss,
                          .supply = control_supply};
    return ff_sim_add_part(run->sim, &part, err) < 0 ? err->status : FF_OK;
}
