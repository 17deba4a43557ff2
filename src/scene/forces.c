// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces a scene script brings: constant generalised forces during windows of time, and springs between bodies.
//     line spring      f = K (|d| - rest) + B d|d|/dt      along d = p2 - p1, pulls the points together when positive
//     axis by axis     f = K (d - rest) + B dd/dt          for each world axis
#include "scene/internal.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ windows

static void read_force(const ff_scene_reader *r, ff_yaml *node)
{
    const ff_model *m = r->scene->model;
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{joint: .., value: .., from: .., to: ..}", r->report)) return;
    ff_yaml *joint = ff_yaml_need(node, "joint", r->report), *value = ff_yaml_need(node, "value", r->report);
    const char *name = joint ? ff_yaml_as_string(joint, r->report) : NULL;
    ff_scene_force force = {.to = r->scene->time};
    if (!name || !value || !ff_yaml_as_number(value, &force.value, r->report)) return;
    int dof = ff_yaml_integer(node, "dof", 0, r->report);
    force.from = ff_yaml_number(node, "from", 0.0, r->report);
    force.to = ff_yaml_number(node, "to", force.to, r->report);
    int index = ff_model_find_joint(m, name);
    if (index < 0) {
        ff_report_add(r->report, FF_ERROR, joint->place, "no joint '%.60s' in this scene", name);
        return;
    }
    int nv = ff_joint_nv(m->joints[index].type);
    if (dof < 0 || dof >= nv) {
        ff_report_add(r->report, FF_ERROR, node->place, "dof %d of joint '%.60s': it has 0 to %d", dof, name, nv - 1);
        return;
    }
    if (!(force.from >= 0.0 && force.to > force.from)) {
        ff_report_add(r->report, FF_ERROR, node->place, "the force acts from %g s to %g s: that is no window of time",
                      force.from, force.to);
        return;
    }
    force.dof = m->joints[index].vadr + dof;
    r->scene->forces[r->scene->nforce++] = force;
}

void ff_scene_read_forces(ff_scene_reader *r)
{
    ff_yaml *list = ff_yaml_get(r->root, "forces");
    int n = ff_scene_list(r, list, "a list of forces");
    r->scene->forces = FF_ARENA_NEW(&r->scene->arena, ff_scene_force, n + 1);
    if (n == 0 || !r->scene->forces) return;
    for (ff_yaml *node = list->child; node; node = node->next) read_force(r, node);
}

/// At each edge of a window the held forces are summed afresh: adding and taking away would leave rounding behind.
static ff_sim_action switch_forces(void *context, ff_sim *sim, double t)
{
    const ff_scene *scene = context;
    double *held = ff_sim_held_torque(sim);
    ff_ticks now = ff_ticks_from_seconds(t);
    memset(held, 0, (size_t)scene->model->nv * sizeof *held);
    for (int i = 0; i < scene->nforce; i++) {
        const ff_scene_force *force = &scene->forces[i];
        if (ff_ticks_from_seconds(force->from) <= now && now < ff_ticks_from_seconds(force->to))
            held[force->dof] += force->value;
    }
    return FF_SIM_GO;
}

ff_status ff_scene_add_forces(ff_scene *scene, ff_error *err)
{
    for (int i = 0; i < scene->nforce; i++) {
        const double edges[2] = {scene->forces[i].from, scene->forces[i].to};
        for (int k = 0; k < 2; k++) {
            if (edges[k] > scene->time) continue;
            ff_task task = {.name = k ? "force off" : "force on",
                            .offset = ff_ticks_from_seconds(edges[k]),
                            .context = scene,
                            .run = switch_forces};
            if (ff_sim_add_task(scene->sim, &task, err) < 0) return err ? err->status : FF_BAD_ARGUMENT;
        }
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ springs: reading

/// Body of one end; -1 for the world, -2 (reported) for none.
static int read_end(const ff_scene_reader *r, ff_yaml *node)
{
    const char *name = ff_yaml_as_string(node, r->report);
    if (!name) return -2;
    if (strcmp(name, "world") == 0) return -1;
    int body = ff_model_find_body(r->scene->model, name);
    if (body >= 0) return body;
    ff_report_add(r->report, FF_ERROR, node->place, "no body '%.60s' in this scene", name);
    return -2;
}

/// One number for a line, three for the axes; `count` is 1 or 3 and must be kept by all numbers of a spring.
static bool read_per_axis(const ff_scene_reader *r, ff_yaml *node, double out[3], int count)
{
    if (count == 1) return ff_yaml_as_number(node, out, r->report);
    return ff_yaml_as_numbers(node, out, 3, 3, r->report) == 3;
}

/// Displacement between the ends at the start of the scene.
static void start_displacement(const ff_scene *scene, ff_data *d, const ff_scene_spring *s, double out[3])
{
    double p1[3], p2[3];
    ff_dyn_point(scene->model, d, s->body1, s->at1, p1);
    ff_dyn_point(scene->model, d, s->body2, s->at2, p2);
    ff_vec3_sub(out, p2, p1);
}

static bool read_ends(const ff_scene_reader *r, ff_yaml *node, ff_scene_spring *s)
{
    ff_yaml *between = ff_yaml_need(node, "between", r->report), *at = ff_yaml_get(node, "at");
    if (!between) return false;
    if (between->type != FF_YAML_LIST || between->nchild != 2) {
        ff_report_add(r->report, FF_ERROR, between->place, "expected a pair of bodies: [one, other]");
        return false;
    }
    s->body1 = read_end(r, between->child);
    s->body2 = read_end(r, between->child->next);
    if (s->body1 == -2 || s->body2 == -2) return false;
    if (!at) return true;
    if (at->type != FF_YAML_LIST || at->nchild != 2) {
        ff_report_add(r->report, FF_ERROR, at->place, "expected two points: [[x, y, z], [x, y, z]]");
        return false;
    }
    return ff_yaml_as_numbers(at->child, s->at1, 3, 3, r->report) == 3 &&
           ff_yaml_as_numbers(at->child->next, s->at2, 3, 3, r->report) == 3;
}

static bool read_spring(const ff_scene_reader *r, ff_yaml *node, ff_data *d, ff_scene_spring *s)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{between: [..], stiffness: .., damping: ..}", r->report)) return false;
    if (!read_ends(r, node, s)) return false;
    ff_yaml *stiffness = ff_yaml_need(node, "stiffness", r->report), *part;
    if (!stiffness) return false;
    s->line = stiffness->type != FF_YAML_LIST;
    int count = s->line ? 1 : 3;
    if (!read_per_axis(r, stiffness, s->stiffness, count)) return false;
    if ((part = ff_yaml_get(node, "damping")) && !read_per_axis(r, part, s->damping, count)) return false;
    start_displacement(r->scene, d, s, s->rest);
    if (s->line) ff_vec3_set(s->rest, ff_vec3_norm(s->rest), 0, 0);
    if ((part = ff_yaml_get(node, "rest")) && !read_per_axis(r, part, s->rest, count)) return false;
    for (int i = 0; i < 3; i++) {
        if (s->stiffness[i] >= 0.0 && s->damping[i] >= 0.0) continue;
        ff_report_add(r->report, FF_ERROR, node->place, "stiffness %g N/m and damping %g N s/m must not be negative",
                      s->stiffness[i], s->damping[i]);
        return false;
    }
    return true;
}

void ff_scene_read_springs(ff_scene_reader *r)
{
    ff_scene *scene = r->scene;
    ff_yaml *list = ff_yaml_get(r->root, "springs");
    int n = ff_scene_list(r, list, "a list of springs");
    if (n == 0) return;
    scene->springs = FF_ARENA_NEW(&scene->arena, ff_scene_spring, n + 1);
    ff_data *d = ff_data_create(scene->model);
    if (scene->springs && d) {
        memcpy(d->q, scene->model->q0, (size_t)scene->model->nq * sizeof *d->q);
        ff_dyn_kinematics(scene->model, d);
        for (ff_yaml *node = list->child; node; node = node->next)
            if (read_spring(r, node, d, &scene->springs[scene->nspring])) scene->nspring++;
    }
    ff_data_destroy(d);
}

// ------------------------------------------------------------------------------------------ springs: acting

typedef struct stretch {
    double p1[3], p2[3];  // points in the world
    double elongation[3]; // from rest; the first alone for a line
    double rate[3];
    double along[3]; // unit vector of a line
} stretch;

static void measure_stretch(const ff_scene_spring *s, const ff_model *m, ff_data *d, stretch *x)
{
    double v1[6] = {0}, v2[6] = {0}, gap[3], speed[3];
    ff_dyn_point(m, d, s->body1, s->at1, x->p1);
    ff_dyn_point(m, d, s->body2, s->at2, x->p2);
    if (s->body1 >= 0) ff_dyn_point_velocity(m, d, s->body1, s->at1, v1);
    if (s->body2 >= 0) ff_dyn_point_velocity(m, d, s->body2, s->at2, v2);
    ff_vec3_sub(gap, x->p2, x->p1);
    ff_vec3_sub(speed, v2 + 3, v1 + 3);
    if (s->line) {
        ff_vec3_copy(x->along, gap);
        double length = ff_vec3_normalise(x->along); // points that meet have no direction: then no force
        if (length <= 1e-14) ff_vec3_set(x->along, 0, 0, 0);
        ff_vec3_set(x->elongation, length - s->rest[0], 0, 0);
        ff_vec3_set(x->rate, ff_vec3_dot(speed, x->along), 0, 0);
    } else {
        ff_vec3_sub(x->elongation, gap, s->rest);
        ff_vec3_copy(x->rate, speed);
    }
}

static void spring_force(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const ff_scene_spring *s = context;
    static const double none[3] = {0, 0, 0};
    (void)t, (void)z, (void)zdot;
    stretch x;
    double pull[3], back[3];
    measure_stretch(s, m, d, &x);
    for (int i = 0; i < 3; i++) pull[i] = s->stiffness[i] * x.elongation[i] + s->damping[i] * x.rate[i];
    if (s->line) ff_vec3_scale(pull, x.along, pull[0]);
    ff_vec3_scale(back, pull, -1.0);
    if (s->body1 >= 0) ff_dyn_apply_force(m, d, s->body1, x.p1, pull, none);
    if (s->body2 >= 0) ff_dyn_apply_force(m, d, s->body2, x.p2, back, none);
}

static double spring_energy(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    const ff_scene_spring *s = context;
    (void)t, (void)z;
    stretch x;
    double energy = 0.0;
    measure_stretch(s, m, d, &x);
    for (int i = 0; i < 3; i++) energy += 0.5 * s->stiffness[i] * x.elongation[i] * x.elongation[i];
    return energy;
}

static double spring_power(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    const ff_scene_spring *s = context;
    (void)t, (void)z;
    stretch x;
    double power = 0.0;
    measure_stretch(s, m, d, &x);
    for (int i = 0; i < 3; i++) power += s->damping[i] * x.rate[i] * x.rate[i];
    return power;
}

ff_status ff_scene_add_springs(ff_scene *scene, ff_error *err)
{
    for (int i = 0; i < scene->nspring; i++) {
        ff_part part = {.name = ff_arena_printf(&scene->arena, "spring%d", i + 1),
                        .context = &scene->springs[i],
                        .derivative = spring_force,
                        .energy = spring_energy,
                        .power = spring_power};
        if (!part.name) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
        if (ff_sim_add_part(scene->sim, &part, err) < 0) return err ? err->status : FF_BAD_ARGUMENT;
    }
    return FF_OK;
}
