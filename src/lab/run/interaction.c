// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Interaction with a scene while it runs. A push is a constant force on a point of a body for a given time, a pull a
// spring and damper from such a point to a target in the world,
//     f = k (target - p) - c v_p          |f| at most PULL_MOST times the weight of all bodies that are connected
// k gives their whole mass M the angular frequency PULL_RATE. Both are bounded by the mass m of the node that is held,
// so that an explicit step of h = PULL_STEP stays stable: k <= m / (2 h^2), c <= m / (2 h). A robot can also be moved
// elsewhere. Forces change between steps, never inside one. They are recorded as push.force.x, .y, .z and push.body.
#include "run/assembly.h"

#include <footfall/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PULL_RATE = 12.0; // [rad/s]
static const double PULL_MOST = 3.0;  // largest force over the weight
static const double PULL_STEP = 1e-3; // [s]
static const double GRAVITY = 9.81;   // for the weight, also in scenes without gravity  [m/s^2]

typedef struct interaction {
    enum { IDLE, PUSH, PULL } kind;
    int body;
    double at[3];     // in the body's frame  [m]
    double force[3];  // of a push; of a pull as of the last step  [N]
    double until;     // of a push  [s]
    double target[3]; // of a pull  [m]
    double stiffness, damping, most;
    ff_run_event *event; // event of a pull; NULL: it is not listed
} interaction;

struct ff_run_interactions {
    interaction items[FF_RUN_INTERACTIONS];
    int busy;         // number of items that are not idle
    double values[4]; // recorded: sum of the forces, body of the largest or -1
};

// ------------------------------------------------------------------------------------------ forces

static void pull_force(const ff_model *m, const ff_data *d, const interaction *h, double point[3], double force[3])
{
    double motion[6];
    ff_dyn_point(m, d, h->body, h->at, point);
    if (h->kind == PUSH) {
        ff_vec3_copy(force, h->force);
        return;
    }
    ff_dyn_point_velocity(m, d, h->body, h->at, motion);
    for (int k = 0; k < 3; k++) force[k] = h->stiffness * (h->target[k] - point[k]) - h->damping * motion[3 + k];
    const double size = ff_vec3_norm(force);
    if (size > h->most) ff_vec3_scale(force, force, h->most / size);
}

static void act(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const struct ff_run_interactions *all = context;
    static const double none[3] = {0, 0, 0};
    (void)t, (void)z, (void)zdot;
    for (int i = 0; all->busy > 0 && i < FF_RUN_INTERACTIONS; i++) {
        double point[3], force[3];
        if (all->items[i].kind == IDLE) continue;
        pull_force(m, d, &all->items[i], point, force);
        ff_dyn_apply_force(m, d, all->items[i].body, point, force, none);
    }
}

/// Updates the recorded values.
static void update_values(struct ff_run_interactions *all, const ff_model *m, const ff_data *d)
{
    double strongest = 0.0;
    memset(all->values, 0, 3 * sizeof *all->values);
    all->values[3] = -1.0;
    for (int i = 0; i < FF_RUN_INTERACTIONS; i++) {
        interaction *h = &all->items[i];
        double point[3], force[3];
        if (h->kind == IDLE) continue;
        pull_force(m, d, h, point, force);
        ff_vec3_copy(h->force, force);
        ff_vec3_add(all->values, all->values, force);
        if (ff_vec3_norm(force) < strongest) continue;
        strongest = ff_vec3_norm(force);
        all->values[3] = h->body;
    }
}

static ff_sim_action after_step(void *context, ff_sim *sim, double t)
{
    struct ff_run_interactions *all = context;
    bool ended = false;
    if (all->busy == 0) return FF_SIM_GO;
    for (int i = 0; i < FF_RUN_INTERACTIONS; i++) {
        interaction *h = &all->items[i];
        if (h->kind != PUSH || t < h->until) continue;
        h->kind = IDLE;
        all->busy--;
        ended = true;
    }
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    update_values(all, ff_sim_model(sim), ff_sim_data(sim));
    if (ended) ff_sim_forces_jumped(sim);
    return FF_SIM_GO;
}

ff_status ff_run_add_interactions(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    static const ff_io_name names[] = {{"force.x", "N"}, {"force.y", "N"}, {"force.z", "N"}, {"body", "1"}};
    if (!run->options.touchable || scene->model->nv == 0) return FF_OK;
    struct ff_run_interactions *all = FF_ARENA_NEW(&run->arena, struct ff_run_interactions, 1);
    if (!all) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    const ff_part part = {.name = "interaction", .context = all, .derivative = act};
    const ff_listener listener = {all, after_step};
    all->values[3] = -1.0;
    run->interactions = all;
    if (ff_sim_add_part(run->sim, &part, err) < 0) return err->status;
    const ff_status status = ff_sim_add_signals(run->sim, "push.", names, all->values, 4, err);
    return status == FF_OK ? ff_sim_add_listener(run->sim, &listener, err) : status;
}

// ------------------------------------------------------------------------------------------ pushes and pulls

/// Can a force act on the point of a body? @return FF_OK, or the reason in `err`
static ff_status check_body(const ff_run *run, int body, const double at[3], ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    if (!run->interactions) return ff_error_set(err, FF_BAD_ARGUMENT, "nothing in this scene can be moved by hand");
    if (body < 0 || body >= scene->model->nbody)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no body %d in this scene, which has %d", body, scene->model->nbody);
    if (scene->model->bodies[body].node < 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "body '%.60s' is fixed to the world: no force moves it",
                            scene->model->bodies[body].name);
    for (int k = 0; k < 3; k++)
        if (!isfinite(at[k]) || fabs(at[k]) > 1e6)
            return ff_error_set(err, FF_BAD_ARGUMENT, "the point of the force is no place: %g m", at[k]);
    return FF_OK;
}

/// Updates everything that depends on pushes and pulls after one has changed.
static void forces_changed(ff_run *run)
{
    const ff_scene_spec *scene = run->scene;
    ff_sim_evaluate(run->sim, FF_SIM_VELOCITY, NULL);
    update_values(run->interactions, scene->model, ff_sim_data(run->sim));
    ff_sim_forces_jumped(run->sim);
}

ff_status ff_run_push(ff_run *run, int body, const double at[3], const double force[3], double seconds, ff_error *err)
{
    const ff_status status = check_body(run, body, at, err);
    if (status != FF_OK) return status;
    for (int k = 0; k < 3; k++)
        if (!isfinite(force[k]) || fabs(force[k]) > 1e6)
            return ff_error_set(err, FF_BAD_ARGUMENT, "a force of %g N cannot be pushed with: 1e6 N at most", force[k]);
    if (!(seconds > 0.0 && seconds <= 60.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a push of %g s: it must be longer than 0 and at most 60 s", seconds);
    for (int i = FF_RUN_INTERACTIONS / 2; i < FF_RUN_INTERACTIONS; i++) {
        interaction *h = &run->interactions->items[i];
        if (h->kind != IDLE) continue;
        *h = (interaction){.kind = PUSH, .body = body, .until = ff_sim_time(run->sim) + seconds};
        ff_vec3_copy(h->at, at);
        ff_vec3_copy(h->force, force);
        ff_run_event *event = ff_event_note(run->events, FF_EVENT_PUSH, body, ff_sim_time(run->sim), "");
        if (event) {
            event->until = h->until;
            ff_vec3_copy(event->point, at);
            ff_vec3_copy(event->force, force);
        }
        run->interactions->busy++;
        forces_changed(run);
        return FF_OK;
    }
    return ff_error_set(err, FF_LIMIT, "%d pushes act already", FF_RUN_INTERACTIONS / 2);
}

/// Masses that determine the spring: that of the node that is held, and that of its whole tree.
static void weigh(const ff_model *m, int body, double *part, double *whole)
{
    int root = m->bodies[body].node;
    *part = m->nodes[root].inertia.mass;
    while (m->nodes[root].parent >= 0) root = m->nodes[root].parent;
    *whole = 0.0;
    for (int i = 0; i < m->nnode; i++) {
        int top = i;
        while (m->nodes[top].parent >= 0) top = m->nodes[top].parent;
        if (top == root) *whole += m->nodes[i].inertia.mass;
    }
}

static void end_pull(ff_run *run, interaction *h)
{
    if (h->kind == IDLE) return;
    h->kind = IDLE;
    if (h->event) h->event->until = ff_sim_time(run->sim);
    run->interactions->busy--;
    forces_changed(run);
}

/// The event of a pull: a new one if it acts on another point than before.
static ff_run_event *note_pull(const ff_run *run, const interaction *h, int body, const double at[3])
{
    const double t = ff_sim_time(run->sim);
    if (h->kind == PULL && h->body == body && memcmp(h->at, at, sizeof h->at) == 0) return h->event;
    if (h->kind == PULL && h->event) h->event->until = t;
    ff_run_event *event = ff_event_note(run->events, FF_EVENT_PULL, body, t, "");
    if (event) ff_vec3_copy(event->point, at);
    return event;
}

ff_status ff_run_pull(ff_run *run, int number, int body, const double at[3], const double *target, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    double part, whole;
    if (number < 0 || number >= FF_RUN_INTERACTIONS / 2)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no pull %d: they go from 0 to %d", number,
                            FF_RUN_INTERACTIONS / 2 - 1);
    if (!target) {
        if (run->interactions) end_pull(run, &run->interactions->items[number]);
        return FF_OK;
    }
    const ff_status status = check_body(run, body, at, err);
    if (status != FF_OK) return status;
    for (int k = 0; k < 3; k++)
        if (!isfinite(target[k]) || fabs(target[k]) > 1e6)
            return ff_error_set(err, FF_BAD_ARGUMENT, "the target of the pull is no place: %g m", target[k]);
    interaction *h = &run->interactions->items[number];
    weigh(scene->model, body, &part, &whole);
    run->interactions->busy += h->kind == IDLE;
    ff_run_event *event = note_pull(run, h, body, at);
    *h = (interaction){.kind = PULL, .body = body, .most = PULL_MOST * whole * GRAVITY, .event = event};
    h->stiffness = ff_min(whole * PULL_RATE * PULL_RATE, 0.5 * part / (PULL_STEP * PULL_STEP));
    h->damping = ff_min(1.4 * sqrt(h->stiffness * whole), 0.5 * part / PULL_STEP);
    ff_vec3_copy(h->at, at);
    ff_vec3_copy(h->target, target);
    forces_changed(run);
    return FF_OK;
}

int ff_run_outside(const ff_run *run, int i, double point[3], double force[3])
{
    const ff_scene_spec *scene = run->scene;
    const ff_data *d = ff_sim_data(run->sim);
    int n = 0;
    for (int k = 0; k < scene->nforce; k++) {
        const ff_scene_force *f = &scene->forces[k];
        if (f->body < 0 || !run->forces[k].acts || n++ != i) continue;
        ff_dyn_point(scene->model, d, f->body, f->at, point);
        ff_vec3_copy(force, f->push);
        return f->body;
    }
    for (int k = 0; run->interactions && k < FF_RUN_INTERACTIONS; k++) {
        const interaction *h = &run->interactions->items[k];
        if (h->kind == IDLE || n++ != i) continue;
        pull_force(scene->model, d, h, point, force);
        return h->body;
    }
    return -1;
}

// ------------------------------------------------------------------------------------------ moving robots

/// After the pose of a robot was written: sets its speeds to zero and starts all drives at their positions.
static void stop_at_pose(ff_run *run, const ff_scene_robot *robot)
{
    const ff_scene_spec *scene = run->scene;
    for (int i = 0; i < robot->nv; i++) ff_sim_set_v(run->sim, robot->vadr + i, 0.0);
    if (scene->plant->drives) ff_sim_start_drives(run->sim);
    ff_sim_evaluate(run->sim, FF_SIM_VELOCITY, NULL);
}

static const ff_joint *free_base(const ff_scene_spec *scene, const ff_scene_robot *robot)
{
    for (int i = 0; i < scene->model->njoint; i++) {
        const ff_joint *joint = &scene->model->joints[i];
        if (joint->vadr == robot->vadr && joint->type == FF_JOINT_FREE) return joint;
    }
    return NULL;
}

ff_status ff_run_put_robot(ff_run *run, int number, const double *pos, double yaw, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    if (number < 0 || number >= scene->nrobot)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no robot %d in this scene, which has %d", number, scene->nrobot);
    const ff_scene_robot *robot = &scene->robots[number];
    const ff_joint *base = free_base(scene, robot);
    if (!base) return ff_error_set(err, FF_BAD_ARGUMENT, "'%.60s' has no free base: it stays where it is", robot->name);
    double q[7];
    memcpy(q, ff_sim_q(run->sim) + base->qadr, sizeof q);
    for (int k = 0; pos && k < 3; k++)
        if (!isfinite(pos[k]) || fabs(pos[k]) > 1e6)
            return ff_error_set(err, FF_BAD_ARGUMENT, "%g m is no place for a robot", pos[k]);
    if (!isnan(yaw) && !(fabs(yaw) <= 1e6))
        return ff_error_set(err, FF_BAD_ARGUMENT, "%g rad is no heading for a robot", yaw);
    if (!isnan(yaw)) { // about the vertical through its base, so that its x axis points there
        double R[9], out[4], sine, cosine;
        ff_quat_to_mat3(R, q + 3);
        const double half = 0.5 * (yaw - ff_atan2(R[3], R[0]));
        ff_sincos(&half, &sine, &cosine, 1);
        const double turn[4] = {cosine, 0.0, 0.0, sine};
        ff_quat_mul(out, turn, q + 3);
        memcpy(q + 3, out, sizeof out);
    }
    if (pos) ff_vec3_copy(q, pos);
    for (int i = 0; i < 7; i++) ff_sim_set_q(run->sim, base->qadr + i, q[i]);
    stop_at_pose(run, robot);
    return FF_OK;
}

/// Moves one joint to a value in small increments, and closes the loops of the model after each. @return false if they
/// cannot be closed
static bool move_joint(const ff_model *m, const ff_joint *joint, double value, ff_data *d, ff_loops *l, bool *held)
{
    const double from = d->q[joint->qadr], increment = 0.05; // [rad, m]
    const int count = (int)ff_min(ceil(fabs(value - from) / increment), 1000.0);
    double speed;
    held[joint->vadr] = true;
    for (int k = 1; k <= count; k++) {
        d->q[joint->qadr] = from + (value - from) * k / count;
        if (!(ff_loops_assemble(m, d, l, held, held + m->nv, &speed) <= 1e-9)) return false;
    }
    return true;
}

/// Writes the pose with another value of a joint; the loops of the model stay closed. @return FF_OK, or a reason in
/// `err`
static ff_status set_joint(ff_run *run, const ff_joint *joint, double value, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    const ff_model *m = scene->model;
    if (ff_loops_count(m) == 0) {
        ff_sim_set_q(run->sim, joint->qadr, value);
        return FF_OK;
    }
    ff_data *d = ff_data_create(m, NULL);
    ff_loops *l = ff_loops_create(m, NULL);
    bool *held = calloc(2 * (size_t)m->nv, sizeof *held);
    ff_status status = FF_OK;
    if (d && l && held) {
        memcpy(d->q, ff_sim_q(run->sim), (size_t)m->nq * sizeof *d->q);
        if (move_joint(m, joint, value, d, l, held))
            ff_sim_set_state(run->sim, d->q, NULL);
        else
            status = ff_error_set(err, FF_BAD_ARGUMENT, "joint '%.60s' cannot stand at %g: a loop would open",
                                  joint->name, value);
    } else {
        status = ff_error_set(err, FF_NO_MEMORY, "out of memory");
    }
    free(held);
    ff_loops_destroy(l);
    ff_data_destroy(d);
    return status;
}

ff_status ff_run_put_joint(ff_run *run, int number, const char *name, double value, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    if (number < 0 || number >= scene->nrobot)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no robot %d in this scene, which has %d", number, scene->nrobot);
    const ff_scene_robot *robot = &scene->robots[number];
    const size_t lead = strlen(robot->prefix);
    for (int i = 0; i < scene->model->njoint; i++) {
        const ff_joint *joint = &scene->model->joints[i];
        const bool own = joint->vadr >= robot->vadr && joint->vadr < robot->vadr + robot->nv;
        const bool named = strcmp(joint->name, name) == 0 ||
                           (strncmp(joint->name, robot->prefix, lead) == 0 && strcmp(joint->name + lead, name) == 0);
        if (!own || !named) continue;
        if (!ff_joint_is_scalar(joint->type))
            return ff_error_set(err, FF_BAD_ARGUMENT, "joint '%.60s' is neither a hinge nor a slide", name);
        if (!isfinite(value) || fabs(value) > 1e6)
            return ff_error_set(err, FF_BAD_ARGUMENT, "joint '%.60s' cannot stand at %g", name, value);
        if (joint->limited && !(value >= joint->range[0] - 1e-9 && value <= joint->range[1] + 1e-9))
            return ff_error_set(err, FF_BAD_ARGUMENT, "joint '%.60s' at %g: its stops are at %g and %g", name, value,
                                joint->range[0], joint->range[1]);
        const ff_status status = set_joint(run, joint, value, err);
        if (status == FF_OK) stop_at_pose(run, robot);
        return status;
    }
    return ff_error_set(err, FF_NOT_FOUND, "'%.60s' has no joint '%.60s'", robot->name, name);
}
