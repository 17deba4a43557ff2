// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces a scene script brings: constant generalised forces and forces on bodies during windows of time, and springs
// between bodies.
//     line spring      f = K (|d| - rest) + B d|d|/dt      along d = p2 - p1, pulls the points together when positive
//     axis by axis     f = K (d - rest) + B dd/dt          for each world axis
#include "scene/running.h"

#include "engine/system.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ windows

/// `joint`, `dof` and `value`: a force on one degree of freedom.
static bool read_on_joint(const ff_scene_reader *r, ff_yaml *node, ff_scene_force *force)
{
    const ff_model *m = r->scene->model;
    ff_yaml *joint = ff_yaml_get(node, "joint"), *value = ff_yaml_need(node, "value", r->report);
    const char *name = ff_yaml_as_string(joint, r->report);
    if (!name || !value || !ff_yaml_as_number(value, &force->value, r->report)) return false;
    int dof = ff_yaml_integer(node, "dof", 0, r->report);
    int index = ff_model_find_joint(m, name);
    if (index < 0) {
        ff_report_add(r->report, FF_ERROR, joint->place, "no joint '%.60s' in this scene", name);
        return false;
    }
    int nv = ff_joint_nv(m->joints[index].type);
    if (dof >= nv) {
        ff_report_add(r->report, FF_ERROR, node->place, "dof %d of joint '%.60s': it has 0 to %d", dof, name, nv - 1);
        return false;
    }
    const ff_joint_type type = m->joints[index].type;
    const bool slides =
        type == FF_JOINT_SLIDE || (type == FF_JOINT_FREE && dof < 3) || (type == FF_JOINT_PLANAR && dof < 2);
    force->dof = m->joints[index].vadr + dof;
    return ff_yaml_in_unit(value, slides ? "N" : "N m", r->report);
}

/// `body`, `at` and one of `force` and `impulse`. An impulse is spread over the window.
static bool read_on_body(const ff_scene_reader *r, ff_yaml *node, ff_scene_force *force)
{
    const ff_model *m = r->scene->model;
    ff_yaml *body = ff_yaml_get(node, "body"), *push = ff_yaml_get(node, "force"),
            *impulse = ff_yaml_get(node, "impulse");
    const char *name = ff_yaml_as_string(body, r->report);
    if (!name) return false;
    if ((push != NULL) == (impulse != NULL)) {
        ff_report_add(r->report, FF_ERROR, node->place,
                      "a body takes one of 'force: [x, y, z]' and 'impulse: [x, y, z]'");
        return false;
    }
    if (ff_yaml_as_numbers(push ? push : impulse, force->push, 3, 3, r->report) != 3) return false;
    if (impulse && !ff_yaml_get(node, "to")) {
        ff_report_add(r->report, FF_ERROR, node->place,
                      "an impulse is spread over a time: give 'to', such as 0.1 s after 'from'");
        return false;
    }
    force->body = ff_model_find_body(m, name);
    if (force->body < 0) {
        ff_report_add(r->report, FF_ERROR, body->place, "no body '%.60s' in this scene", name);
        return false;
    }
    if (m->bodies[force->body].node < 0) {
        ff_report_add(r->report, FF_ERROR, body->place, "body '%.60s' is fixed to the world: no force moves it", name);
        return false;
    }
    ff_vec3_copy(force->at, m->bodies[force->body].com);
    if (ff_yaml_numbers(node, "at", force->at, 3, 3, r->report) < 0) return false;
    if (impulse) ff_vec3_scale(force->push, force->push, 1.0 / (force->to - force->from));
    return true;
}

static void read_force(const ff_scene_reader *r, ff_yaml *node)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{joint: .., value: .., from: .., to: ..}", r->report)) return;
    ff_scene_force force = {.dof = -1, .body = -1, .to = r->scene->time};
    force.from = ff_yaml_number(node, "from", 0.0, r->report);
    force.to = ff_yaml_number(node, "to", force.to, r->report);
    ff_yaml *body = ff_yaml_get(node, "body"), *joint = ff_yaml_get(node, "joint");
    if ((body != NULL) == (joint != NULL)) {
        ff_report_add(r->report, FF_ERROR, node->place, "a force acts on one of a 'joint' and a 'body'");
        return;
    }
    if (!(force.to > force.from)) {
        ff_report_add(r->report, FF_ERROR, node->place, "the force acts from %g s to %g s: that is no window of time",
                      force.from, force.to);
        return;
    }
    if (body ? read_on_body(r, node, &force) : read_on_joint(r, node, &force))
        r->scene->forces[r->scene->nforce++] = force;
}

void ff_scene_read_forces(ff_scene_reader *r)
{
    ff_yaml *list = ff_yaml_get(r->root, "forces");
    const int n = ff_scene_count(list);
    r->scene->forces = FF_ARENA_NEW(&r->scene->arena, ff_scene_force, n + 1);
    if (n == 0 || !r->scene->forces) return;
    for (ff_yaml *node = list->child; node; node = node->next) read_force(r, node);
}

/// A force on a body is switched at the edges, not by the time: a step that ends at an edge must not see beyond it.
static void push_body(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const ff_run_force *acting = context;
    const ff_scene_force *force = acting->asked;
    static const double none[3] = {0, 0, 0};
    (void)t, (void)z, (void)zdot;
    if (!acting->acts) return;
    double point[3];
    ff_dyn_point(m, d, force->body, force->at, point);
    ff_dyn_apply_force(m, d, force->body, point, force->push, none);
}

/// At each edge of a window the held forces are summed again: adding and taking away would leave rounding behind.
static ff_sim_action switch_forces(void *context, ff_sim *sim, double t)
{
    const ff_run *run = context;
    const ff_scene_spec *scene = run->scene;
    ff_ticks now = ff_ticks_from_seconds(t);
    for (int i = 0; i < scene->model->nv; i++) ff_sim_set_torque(sim, i, 0.0);
    for (int i = 0; i < scene->nforce; i++) {
        const ff_scene_force *force = &scene->forces[i];
        run->forces[i].acts = ff_ticks_from_seconds(force->from) <= now && now < ff_ticks_from_seconds(force->to);
        if (run->forces[i].acts && force->dof >= 0)
            ff_sim_set_torque(sim, force->dof, ff_sim_torques(sim)[force->dof] + force->value);
    }
    return FF_SIM_GO;
}

static ff_status add_push(ff_run *run, int i, ff_error *err)
{
    ff_run_force *force = &run->forces[i];
    ff_part part = {.name = ff_arena_printf(&run->arena, "force%d", i + 1), .context = force, .derivative = push_body};
    if (!part.name) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (ff_sim_add_part(run->sim, &part, err) < 0) return err->status;
    return ff_sim_add_memory(run->sim, part.name, &force->acts, sizeof force->acts, err);
}

ff_status ff_run_add_forces(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    run->forces = FF_ARENA_NEW(&run->arena, ff_run_force, scene->nforce + 1);
    if (!run->forces) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int i = 0; i < scene->nforce; i++) {
        run->forces[i].asked = &scene->forces[i];
        if (scene->forces[i].body >= 0 && add_push(run, i, err) != FF_OK) return err->status;
        const double edges[2] = {scene->forces[i].from, scene->forces[i].to};
        for (int k = 0; k < 2; k++) {
            if (edges[k] > run->options.time) continue;
            ff_task task = {.name = k ? "force off" : "force on",
                            .offset = ff_ticks_from_seconds(edges[k]),
                            .context = run,
                            .run = switch_forces};
            if (ff_sim_add_task(run->sim, &task, err) < 0) return err->status;
        }
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ springs: reading

/// Body of one end; -1 for the world, -2 (reported) for none.
static int read_end(const ff_scene_reader *r, const ff_yaml *node)
{
    if (strcmp(node->text, "world") == 0) return -1;
    int body = ff_model_find_body(r->scene->model, node->text);
    if (body >= 0) return body;
    ff_report_add(r->report, FF_ERROR, node->place, "no body '%.60s' in this scene", node->text);
    return -2;
}

/// One number for a line, three for the axes; `count` is 1 or 3 and must be kept by all numbers of a spring.
static bool read_per_axis(const ff_scene_reader *r, ff_yaml *node, double out[3], int count)
{
    if (count == 1) return ff_yaml_as_number(node, out, r->report);
    return ff_yaml_as_numbers(node, out, 3, 3, r->report) == 3;
}

/// Displacement between the ends at the start of the scene.
static void start_displacement(const ff_scene_spec *scene, ff_data *d, const ff_scene_spring *s, double out[3])
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
    s->body1 = read_end(r, between->child);
    s->body2 = read_end(r, between->child->next);
    if (s->body1 == -2 || s->body2 == -2) return false;
    if (!at) return true;
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
    part = ff_yaml_get(node, "rest");
    return !part || read_per_axis(r, part, s->rest, count);
}

void ff_scene_read_springs(ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_yaml *list = ff_yaml_get(r->root, "springs");
    const int n = ff_scene_count(list);
    if (n == 0) return;
    scene->springs = FF_ARENA_NEW(&scene->arena, ff_scene_spring, n + 1);
    ff_data *d = ff_data_create(scene->model, NULL);
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
    double elongation[3]; // from rest; only the first for a line
    double rate[3];
    double along[3]; // unit vector of a line
} stretch;

typedef struct spring {
    const ff_scene_spring *asked;
    stretch last; // at the force computed last
    double loss;  // power that its dampers dissipate there  [W]
} spring;

static void measure_stretch(const ff_scene_spring *s, const ff_model *m, ff_data *d, stretch *x)
{
    double v1[6], v2[6], gap[3], speed[3];
    ff_dyn_point_motion(m, d, s->body1, s->at1, x->p1, v1);
    ff_dyn_point_motion(m, d, s->body2, s->at2, x->p2, v2);
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

/// Power that the dampers of a spring dissipate.  [W]
static double loss_of(const ff_scene_spring *s, const stretch *x)
{
    double power = 0.0;
    for (int i = 0; i < 3; i++) power += s->damping[i] * x->rate[i] * x->rate[i];
    return power;
}

static void spring_force(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    spring *acting = context;
    const ff_scene_spring *s = acting->asked;
    static const double none[3] = {0, 0, 0};
    (void)t, (void)z, (void)zdot;
    stretch *x = &acting->last;
    double pull[3], back[3];
    measure_stretch(s, m, d, x);
    acting->loss = loss_of(s, x);
    for (int i = 0; i < 3; i++) pull[i] = s->stiffness[i] * x->elongation[i] + s->damping[i] * x->rate[i];
    if (s->line) ff_vec3_scale(pull, x->along, pull[0]);
    ff_vec3_scale(back, pull, -1.0);
    if (s->body1 >= 0) ff_dyn_apply_force(m, d, s->body1, x->p1, pull, none);
    if (s->body2 >= 0) ff_dyn_apply_force(m, d, s->body2, x->p2, back, none);
}

static double spring_energy(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    const ff_scene_spring *s = ((const spring *)context)->asked;
    (void)t, (void)z;
    stretch x;
    double energy = 0.0;
    measure_stretch(s, m, d, &x);
    for (int i = 0; i < 3; i++) energy += 0.5 * s->stiffness[i] * x.elongation[i] * x.elongation[i];
    return energy;
}

static double spring_power(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    const ff_scene_spring *s = ((const spring *)context)->asked;
    (void)t, (void)z;
    stretch x;
    measure_stretch(s, m, d, &x);
    return loss_of(s, &x);
}

/// Power for the energy ledger, which calls this after spring_force at the same state.
static void spring_powers(const void *context, double *power, double *force)
{
    (void)force;
    const spring *acting = context;
    power[FF_LEDGER_PARTS] += acting->loss;
}

/// The first or second of two directions across a unit vector.
static void find_across(const double along[3], int i, double out[3])
{
    const double x = fabs(along[0]), y = fabs(along[1]), z = fabs(along[2]);
    double axis[3] = {0, 0, 0}, first[3];
    axis[x <= y && x <= z ? 0 : y <= z ? 1 : 2] = 1.0; // the axis with the largest angle to it
    ff_vec3_cross(first, along, axis);
    ff_vec3_normalise(first);
    if (i == 1)
        ff_vec3_copy(out, first);
    else
        ff_vec3_cross(out, along, first);
}

/// Derivatives of the force for the implicit method, in three directions: of a spring by axes along the axes; of a line
/// along it, and across it pull over length, if it is taut.
static ff_part_line spring_line(const void *context, int i)
{
    const spring *acting = context;
    const ff_scene_spring *s = acting->asked;
    const stretch *x = &acting->last;
    ff_part_line line = {s->stiffness[i], s->damping[i], .body1 = s->body1, .body2 = s->body2};
    ff_vec3_copy(line.at1, x->p1);
    ff_vec3_copy(line.at2, x->p2);
    line.along[i] = 1.0;
    if (!s->line) return line;
    const double pull = s->stiffness[0] * x->elongation[0] + s->damping[0] * x->rate[0],
                 length = s->rest[0] + x->elongation[0];
    if (i > 0) line.stiffness = pull > 0.0 && length > 0.0 ? pull / length : 0.0;
    if (i > 0)
        find_across(x->along, i, line.along);
    else
        ff_vec3_copy(line.along, x->along);
    return line;
}

ff_status ff_run_add_springs(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    spring *springs = FF_ARENA_NEW(&run->arena, spring, scene->nspring + 1);
    if (!springs) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int i = 0; i < scene->nspring; i++) {
        springs[i].asked = &scene->springs[i];
        ff_part part = {.name = ff_arena_printf(&run->arena, "spring%d", i + 1),
                        .context = &springs[i],
                        .derivative = spring_force,
                        .energy = spring_energy,
                        .power = spring_power};
        const ff_part_inner inner = {.powers = spring_powers, .nline = 3, .line = spring_line};
        if (!part.name) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
        if (ff_sim_add_inner_part(run->sim, &part, &inner, err) < 0) return err->status;
    }
    return FF_OK;
}
