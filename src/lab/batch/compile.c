// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From a simulation to a batch model: the tree in depth-first order, passive forces and drives of its joints, contacts,
// and the state every robot starts in.
#include "batch/compile.h"
#include "batch/life.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PERIOD = 1000000 }; // of servos  [steps]

// ------------------------------------------------------------------------------------------ the tree

static bool is_identity(const double R[9])
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        if (R[i] != one[i]) return false;
    return true;
}

static unsigned nonzero(const double *numbers, const int *which, int count)
{
    unsigned has = 0;
    for (int i = 0; i < count; i++)
        if (numbers[which[i]] != 0.0) has |= 1U << i;
    return has;
}

/// Bits FF_HAS_TURN to FF_HAS_INERTIA.
static unsigned has_of(const ff_batch_node *node)
{
    static const int columns[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8}, three[3] = {0, 1, 2};
    static const int inertia[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    return nonzero(node->rest_R, columns, 9) << FF_HAS_TURN | nonzero(node->rest_p, three, 3) << FF_HAS_SHIFT |
           nonzero(node->h, three, 3) << FF_HAS_MOMENT | nonzero(node->I, inertia, 9) << FF_HAS_INERTIA;
}

static ff_batch_node node_of(const ff_model *model, int i, int depth)
{
    const ff_node *from = &model->nodes[i];
    ff_batch_node node = {.type = (int)from->type,
                          .depth = depth,
                          .q = from->qadr,
                          .v = from->vadr,
                          .tree = from->tree,
                          .leaf = 1,
                          .first = 1,
                          .last = 1,
                          .massive = model->lump_node[from->lump] == i,
                          .turned = !is_identity(from->rest.R),
                          .ref = from->ref,
                          .mass = from->inertia.mass};
    memcpy(node.rest_R, from->rest.R, sizeof node.rest_R);
    memcpy(node.rest_p, from->rest.p, sizeof node.rest_p);
    memcpy(node.h, from->inertia.h, sizeof node.h);
    memcpy(node.I, from->inertia.I, sizeof node.I);
    node.has = has_of(&node);
    return node;
}

/// Does nothing branch that hangs on the node `i`?
static bool is_chain(const ff_model *model, int i)
{
    int children = 0;
    for (int k = i + 1; k < model->nnode; k++)
        if (model->nodes[k].parent == i && (++children > 1 || !is_chain(model, k))) return false;
    return true;
}

/// The node `i` and all that hangs on it: chains first, so that a schedule may take them before all other branches
/// (specialise.c) and sum in the same order.
static void add_branch(ff_batch_model *m, const ff_model *model, int i, int depth, int *at)
{
    const int here = m->nnode++;
    at[i] = here;
    m->nodes[here] = node_of(model, i, depth);
    if (depth >= m->depth) m->depth = depth + 1;
    int before = -1;
    for (int chains = 1; chains >= 0; chains--) {
        for (int k = i + 1; k < model->nnode; k++) { // parents come before children
            if (model->nodes[k].parent != i || is_chain(model, k) != (chains == 1)) continue;
            const int branch = m->nnode;
            add_branch(m, model, k, depth + 1, at);
            m->nodes[here].leaf = 0;
            if (before >= 0) m->nodes[here].branches = 1, m->nodes[before].last = m->nodes[branch].first = 0;
            before = branch;
        }
    }
    if (m->nodes[here].leaf) m->nodes[here].massive = 1; // a branch begins with the body at its end
}

static bool add_tree(ff_batch_making *making, const ff_model *model, int *at)
{
    ff_batch_model *m = &making->model;
    m->nodes = FF_ARENA_NEW(&making->arena, ff_batch_node, model->nnode + 1);
    if (!m->nodes) return false;
    for (int i = 0; i < model->nnode; i++)
        if (model->nodes[i].parent < 0) add_branch(m, model, i, 0, at);
    return true;
}

// ------------------------------------------------------------------------------------------ joints

static void add_springs(ff_batch_dof *d, const ff_model *model, const ff_joint *joint, int dof)
{
    const bool scalar = ff_joint_is_scalar(joint->type);
    if (!scalar && joint->type != FF_JOINT_PLANAR) return; // refused where there are any
    d->stiffness = joint->stiffness;
    d->spring_ref = scalar ? joint->spring_ref : model->q0[joint->qadr + dof - joint->vadr];
    d->limited = scalar && joint->limited;
    d->low = joint->range[0];
    d->high = joint->range[1];
    d->stop_stiffness = joint->stop_stiffness;
    d->stop_damping = joint->stop_damping;
}

static ff_batch_dof dof_of(const ff_sim *sim, int i)
{
    const ff_model *model = sim->model;
    const ff_node *node = &model->nodes[model->dof_node[i]];
    ff_batch_dof d = {
        .q = ff_node_nv(node->type) == 1 ? node->qadr : -1, .servo = -1, .armature = model->dof_armature[i]};
    if (!sim->options.passive) return d;
    d.damping = model->dof_damping[i];
    d.dry = model->dof_dry_friction[i];
    d.dry_speed = model->dof_dry_speed[i];
    add_springs(&d, model, &model->joints[model->dof_joint[i]], i);
    d.passive = d.damping != 0.0 || d.dry > 0.0 || d.stiffness != 0.0 || d.limited;
    return d;
}

static ff_batch_actuator_law actuator_of(const ff_actuator *a, int command)
{
    ff_batch_actuator_law law = {.command = command,
                                 .gear = a->gear,
                                 .gain = a->gain,
                                 .command_low = a->command_limited ? a->command_range[0] : -INFINITY,
                                 .command_high = a->command_limited ? a->command_range[1] : INFINITY,
                                 .force_low = a->force_limited ? a->force_range[0] : -INFINITY,
                                 .force_high = a->force_limited ? a->force_range[1] : INFINITY};
    memcpy(law.bias, a->bias, sizeof law.bias);
    return law;
}

/// Actuators that act on a degree of freedom, in the order of the model.
static void add_actuators(ff_batch_model *m, const ff_sim *sim, int dof, int *used)
{
    ff_batch_dof *d = &m->dofs[dof];
    d->actuator = *used;
    for (int k = 0; k < sim->nacting; k++) {
        const ff_actuator *a = &sim->model->actuators[sim->acting[k]];
        if (a->joint < 0 || sim->model->joints[a->joint].vadr != dof) continue;
        m->actuators[(*used)++] = actuator_of(a, 3 * m->nservo + sim->acting[k]);
        d->nactuator++;
    }
}

// ------------------------------------------------------------------------------------------ servos

/// The servo of the list that drives a joint; -1: none.
static int servo_for(const ff_model *model, int joint, const ff_batch_servo *servos, int nservo)
{
    int any = -1;
    if (!ff_joint_is_scalar(model->joints[joint].type)) return -1;
    for (int i = 0; i < nservo; i++) {
        if (servos[i].joint == joint) return i;
        if (servos[i].joint == -1) any = i;
    }
    return any;
}

static void check_servos(const ff_model *model, const ff_batch_servo *servos, int nservo, ff_report *report)
{
    for (int i = 0; i < nservo; i++) {
        const ff_batch_servo *s = &servos[i];
        if (s->joint < -1 || s->joint >= model->njoint)
            ff_report_add(report, FF_ERROR, (ff_place){0}, "servo %d is on joint %d, and there are %d", i, s->joint,
                          model->njoint);
        else if (s->joint >= 0 && !ff_joint_is_scalar(model->joints[s->joint].type))
            ff_report_add(report, FF_ERROR, model->joints[s->joint].place,
                          "servo %d is on joint \"%s\", which is neither a hinge nor a slide", i,
                          model->joints[s->joint].name);
        for (int k = 0; k < i; k++)
            if (servos[k].joint == s->joint)
                ff_report_add(report, FF_ERROR, (ff_place){0}, "servos %d and %d are on the same joint", k, i);
        if (!(s->stiffness >= 0.0 && s->damping >= 0.0 && s->most >= 0.0 && isfinite(s->stiffness + s->damping)))
            ff_report_add(report, FF_ERROR, (ff_place){0},
                          "servo %d has stiffness %g, damping %g and limit %g: none may be below zero", i, s->stiffness,
                          s->damping, s->most);
    }
}

/// A motor has what its equations divide by.
static bool motor_is_sound(const ff_batch_motor *m)
{
    const double all =
        m->constant + m->resistance + m->voltage + m->current + m->gear + m->viscous + m->dry + m->dry_speed;
    const bool fades = m->dry == 0.0 && m->efficiency == 1.0;
    if (m->constant == 0.0) return true;
    return m->constant > 0.0 && m->resistance > 0.0 && m->voltage >= 0.0 && m->current >= 0.0 && m->gear > 0.0 &&
           m->efficiency > 0.0 && m->efficiency <= 1.0 && m->viscous >= 0.0 && m->dry >= 0.0 &&
           (fades || m->dry_speed > 0.0) && isfinite(all);
}

/// Numbers of the sampled loop of servo i.
static void check_loop(const ff_batch_servo *s, int i, ff_report *report)
{
    const ff_batch_loop *l = &s->loop;
    if (l->period < 0 || l->period > MOST_PERIOD || l->frame < 0 || l->frame > MOST_PERIOD ||
        (l->period > 0 && l->frame > 0))
        ff_report_add(report, FF_ERROR, (ff_place){0},
                      "servo %d samples every %d steps and holds targets for %d: one of the two, up to %d", i,
                      l->period, l->frame, MOST_PERIOD);
    const bool idle = l->period == 0 && (l->encoder != 0.0 || l->reach[0] != l->reach[1]) && l->frame == 0;
    if (!(l->encoder >= 0.0 && l->notch >= 0.0 && l->reach[0] <= l->reach[1]) ||
        !isfinite(l->encoder + l->notch + l->reach[0] + l->reach[1]) || idle)
        ff_report_add(
            report, FF_ERROR, (ff_place){0},
            "servo %d has steps of %g and %g and targets from %g to %g: steps are 0 or more, the lower target "
            "comes first, and a loop that is not sampled has none of them",
            i, l->encoder, l->notch, l->reach[0], l->reach[1]);
    if (l->frame > 0 && (s->motor.constant > 0.0 || l->encoder > 0.0))
        ff_report_add(report, FF_ERROR, (ff_place){0},
                      "servo %d holds its targets for a frame: it has no motor and no encoder besides", i);
}

static void check_drives(const ff_batch_servo *servos, int nservo, ff_report *report)
{
    for (int i = 0; i < nservo; i++) {
        const ff_batch_servo *s = &servos[i];
        if (s->delay < 0 || s->delay > FF_BATCH_DELAY_MOST || s->delay != servos[0].delay)
            ff_report_add(report, FF_ERROR, (ff_place){0},
                          "servo %d has a delay of %d steps, and the first %d: one of 0 to %d for all", i, s->delay,
                          servos[0].delay, FF_BATCH_DELAY_MOST);
        if (!(s->no_load >= 0.0 && isfinite(s->no_load)) || (s->no_load > 0.0 && !(s->most > 0.0)))
            ff_report_add(report, FF_ERROR, (ff_place){0},
                          "servo %d has a line to the speed %g from the limit %g: both must be above zero", i,
                          s->no_load, s->most);
        if (!motor_is_sound(&s->motor))
            ff_report_add(
                report, FF_ERROR, (ff_place){0},
                "servo %d: constant, resistance, gear and efficiency (up to 1) of a motor must be above zero, its "
                "bounds and friction not below, and dry_speed above where friction or losses need it",
                i);
        check_loop(s, i, report);
    }
}

/// A loop that samples the joint itself in every step holds nothing: it is as one that acts at any time.
static int period_of(const ff_batch_servo *s)
{
    const ff_batch_loop *l = &s->loop;
    const bool line_after = s->no_load > 0.0 && s->motor.constant > 0.0; // a sampled motor has no line
    return l->period == 1 && l->encoder == 0.0 && l->reach[0] == l->reach[1] && !line_after ? 0 : l->period;
}

static ff_batch_servo_law law_of(const ff_batch_servo *s)
{
    const double most = s->most > 0.0 ? s->most : INFINITY;
    const ff_batch_motor *m = &s->motor;
    const ff_batch_loop *l = &s->loop;
    const bool reaches = l->reach[1] > l->reach[0];
    const int period = period_of(s);
    return (ff_batch_servo_law){.stiffness = s->stiffness,
                                .damping = s->damping,
                                .low = -most,
                                .high = most,
                                .driven = s->no_load > 0.0 || m->constant > 0.0 || period > 0 || l->frame > 0,
                                .drive = {.stall = s->most,
                                          .no_load = s->no_load,
                                          .constant = m->constant,
                                          .resistance = m->resistance,
                                          .voltage = m->voltage > 0.0 ? m->voltage : INFINITY,
                                          .current = m->current > 0.0 ? m->current : INFINITY,
                                          .gear = m->gear,
                                          .efficiency = m->efficiency,
                                          .viscous = m->viscous,
                                          .dry = m->dry,
                                          .dry_speed = m->dry_speed},
                                .period = period,
                                .frame = l->frame,
                                .low_target = reaches ? l->reach[0] : -INFINITY,
                                .high_target = reaches ? l->reach[1] : INFINITY,
                                .notch = l->notch,
                                .encoder = l->encoder};
}

static bool add_servos(ff_batch_making *making, const ff_sim *sim, const ff_batch_servo *servos, int nservo)
{
    ff_batch_model *m = &making->model;
    const ff_model *model = sim->model;
    m->servos = FF_ARENA_NEW(&making->arena, ff_batch_servo_law, model->njoint + 1);
    m->servo_joint = FF_ARENA_NEW(&making->arena, int, model->njoint + 1);
    if (!m->servos || !m->servo_joint) return false;
    for (int j = 0; j < model->njoint; j++) {
        const int i = servo_for(model, j, servos, nservo);
        if (i < 0) continue;
        m->dofs[model->joints[j].vadr].servo = m->nservo;
        m->servo_joint[m->nservo] = j;
        m->servos[m->nservo] = law_of(&servos[i]);
        m->driven = m->driven || m->servos[m->nservo].driven;
        m->sampled = m->sampled || m->servos[m->nservo].period > 0 || m->servos[m->nservo].frame > 0;
        m->nservo++;
        m->delay = servos[i].delay;
    }
    return true;
}

static bool add_joints(ff_batch_making *making, const ff_sim *sim, const ff_batch_servo *servos, int nservo,
                       ff_report *report)
{
    ff_batch_model *m = &making->model;
    int used = 0;
    m->dofs = FF_ARENA_NEW(&making->arena, ff_batch_dof, m->nv + 1);
    m->actuators = FF_ARENA_NEW(&making->arena, ff_batch_actuator_law, sim->nacting + 1);
    if (!m->dofs || !m->actuators) return false;
    for (int i = 0; i < m->nv; i++) m->dofs[i] = dof_of(sim, i);
    if (!add_servos(making, sim, servos, nservo)) return false;
    for (int i = 0; i < m->nv; i++) {
        add_actuators(m, sim, i, &used);
        if (sim->held[i] != 0.0 && m->dofs[i].servo < 0)
            ff_report_add(report, FF_ERROR, (ff_place){0},
                          "joint \"%s\" has a held torque of %g: in a batch a servo holds it",
                          sim->model->joints[sim->model->dof_joint[i]].name, sim->held[i]);
    }
    return true;
}

// ------------------------------------------------------------------------------------------ the start

/// Poses of a cycle by servo.
static bool add_cycle(ff_batch_making *making, const ff_model *model, const ff_batch_given *given)
{
    ff_batch_model *m = &making->model;
    if (!given->poses) return true;
    double *poses = FF_ARENA_NEW(&making->arena, double, given->npose * m->nservo + 1);
    if (!poses) return false;
    for (int k = 0; k < given->npose; k++)
        for (int i = 0; i < m->nservo; i++)
            poses[k * m->nservo + i] = given->poses[k * model->nq + model->joints[m->servo_joint[i]].qadr];
    m->cycle = (ff_batch_cycle){.npose = given->npose, .period = given->period, .every = given->every, .poses = poses};
    return true;
}

void ff_batch_place_delay(ff_batch_model *m)
{
    m->sets = m->delay_row + 1 + m->delay;
    m->nrow = m->delay > 0 ? m->sets + 3 * m->nservo * m->delay : m->delay_row;
}

void ff_batch_start_delay(const ff_batch_model *m, double *start)
{
    if (m->delay > 0) start[m->delay_row] = m->delay;
    for (int i = 0; i < 3 * m->nservo * m->delay; i++) start[m->sets + i] = m->start_input[i % (3 * m->nservo)];
}

/// Targets that a robot begins with.
static void start_servo(const ff_batch_model *m, const ff_sim *sim, const ff_batch_given *given, int i)
{
    const ff_joint *joint = &sim->model->joints[m->servo_joint[i]];
    const int listed = servo_for(sim->model, m->servo_joint[i], given->servos, given->nservo);
    double *in = m->start_input + 3 * i;
    if (given->targets)
        memcpy(in, given->targets + 3 * listed, 3 * sizeof *in);
    else
        in[0] = sim->x[joint->qadr];
    in[2] += sim->held[joint->vadr];
}

static bool add_start(ff_batch_making *making, ff_sim *sim, const ff_batch_given *given)
{
    ff_batch_model *m = &making->model;
    m->root = -1;
    for (int i = m->nnode - 1; i >= 0; i--)
        if (m->nodes[i].type == FF_LINK_FREE) m->root = m->nodes[i].q, m->root_v = m->nodes[i].v;
    m->robot = m->nq + m->nv + m->point_rows;
    m->kept = m->robot + FF_ROBOT_ROWS;
    m->cut = m->kept + (m->sampled ? FF_KEPT_ROWS * m->nservo : 0);
    m->key = m->cut + FF_CUT_ROWS * m->ncut;
    m->loud = m->key + 1;
    m->parameter = m->key + (m->nchannel > 0 ? 2 : 0);
    m->delay_row = m->parameter + FF_BATCH_PARAMETERS;
    ff_batch_place_delay(m);
    m->ninput = 3 * m->nservo + m->nactuator;
    m->start = FF_ARENA_NEW(&making->arena, double, m->nrow);
    m->start_input = FF_ARENA_NEW(&making->arena, double, m->ninput + 1);
    if (!m->start || !m->start_input) return false;
    memcpy(m->start, sim->x, (size_t)(m->nq + m->nv) * sizeof(double));
    if (m->npoint > 0) ff_batch_start_contacts(m, sim, m->start);
    for (int i = 0; i < FF_BATCH_PARAMETERS; i++) m->start[m->parameter + i] = 1.0;
    if (m->nchannel > 0) m->start[m->loud] = 1.0;
    m->ground = ff_batch_field_below(m);
    for (int i = 0; i < m->nservo; i++) start_servo(m, sim, given, i);
    ff_batch_start_delay(m, m->start);
    if (m->nactuator > 0) memcpy(m->start_input + 3 * m->nservo, sim->command, (size_t)m->nactuator * sizeof(double));
    return true;
}

// ------------------------------------------------------------------------------------------ compiling a model

static bool fill_model(ff_batch_making *making, ff_sim *sim, const ff_batch_given *given, ff_report *report)
{
    const ff_model *model = sim->model;
    ff_batch_model *m = &making->model;
    int *at = FF_ARENA_NEW(&making->arena, int, model->nnode + 1);
    *m = (ff_batch_model){.nq = model->nq,
                          .nv = model->nv,
                          .nactuator = model->nactuator,
                          .ntree = model->ntree,
                          .nfoot = model->nlimb,
                          .step = ff_ticks_to_seconds(sim->step_ticks),
                          .limit_speed = sim->options.limit_speed};
    memcpy(m->gravity, model->gravity, sizeof m->gravity);
    if (!at || !add_tree(making, model, at)) return false;
    check_servos(model, given->servos, given->nservo, report);
    check_drives(given->servos, given->nservo, report);
    if (!add_joints(making, sim, given->servos, given->nservo, report)) return false;
    if (!ff_batch_add_pairs(making, model, given, report)) return false;
    if (!ff_batch_add_pushes(making, model, given, at, report)) return false;
    ff_batch_add_contacts(making, sim, at, report);
    m->nchannel = given->nsensed;
    return add_cycle(making, model, given) && ff_batch_add_names(making, sim, at) &&
           ff_batch_add_cuts(making, sim, given, at) && add_start(making, sim, given) &&
           ff_batch_add_channels(making, given);
}

/// Brings the simulation to the state in which its first step finds it: memory allocated, contacts in balance.
static bool begin_simulation(ff_sim *sim, ff_report *report)
{
    ff_error err = {0};
    ff_status status = ff_sim_begin(sim, &err);
    if (!status) {
        ff_sim_commit_writes(sim);
        status = ff_sim_settle(sim, &err);
    }
    if (!status && ff_sim_reach(sim, FF_SIM_VELOCITY) && ff_sim_world(sim)) ff_world_find(ff_sim_world(sim), sim->data);
    if (status) ff_report_add_error(report, &err, (ff_place){0});
    return status == FF_OK;
}

ff_batch_model *ff_batch_compile_given(ff_sim *sim, const ff_batch_given *given, ff_report *report)
{
    ff_report own = {0}; // errors are counted, also where nobody asks for them
    ff_batch_making *making = NULL;
    if (!report) report = &own;
    const int before = report->errors;
    if (!sim || !sim->model || sim->nv == 0 || (given->nservo > 0 && !given->servos))
        ff_report_add(report, FF_ERROR, (ff_place){0}, "a batch needs a simulation with joints, and its servos");
    else if (begin_simulation(sim, report) && ff_batch_refuse(sim, given, report) >= 0) {
        making = calloc(1, sizeof *making);
        if (!making || !fill_model(making, sim, given, report) || making->arena.failed)
            ff_report_add(report, FF_ERROR, (ff_place){0}, "no memory for the batch model");
    }
    if (report->errors > before && making) {
        ff_batch_model_destroy(&making->model);
        making = NULL;
    }
    ff_report_clear(&own);
    return making ? &making->model : NULL;
}

ff_batch_model *ff_batch_compile(ff_sim *sim, const ff_batch_servo *servos, int nservo, ff_report *report)
{
    const ff_batch_given given = {.servos = servos, .nservo = nservo};
    return ff_batch_compile_given(sim, &given, report);
}

void ff_batch_model_destroy(ff_batch_model *model)
{
    if (!model) return;
    ff_arena_clear(&((ff_batch_making *)model)->arena);
    free(model);
}

ff_batch_sizes ff_batch_model_sizes(const ff_batch_model *model)
{
    if (!model) return (ff_batch_sizes){0};
    return (ff_batch_sizes){
        model->nq,     model->nv,
        model->nservo, model->nactuator,
        model->npoint, model->nrow,
        model->step,   model->root < 0 ? 0.0 : model->start[model->root + 2] - ff_batch_ground(model)};
}

double ff_batch_ground(const ff_batch_model *m)
{
    double ground = -INFINITY;
    if (m->root < 0) return 0.0;
    if (m->ground >= 0) return ff_batch_field_height(m, m->ground, m->start[m->root], m->start[m->root + 1]);
    const double *at = m->start + m->root;
    for (int i = 0; i < m->nplane; i++) {
        const ff_batch_plane *plane = &m->planes[i];
        const double z = (plane->level - plane->n[0] * at[0] - plane->n[1] * at[1]) / plane->n[2];
        if (plane->n[2] > 0.0 && z <= at[2]) ground = ff_max(ground, z);
    }
    return isfinite(ground) ? ground : 0.0;
}

int ff_batch_servo_joint(const ff_batch_model *model, int servo)
{
    return model && servo >= 0 && servo < model->nservo ? model->servo_joint[servo] : -1;
}
