// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of a scene as channels of a batch: the value of a perfect sensor, as a formula over the quantities of a robot
// (docs/batch.md), and those of its errors that need no memory. Sensors do not affect the motion, so those that a batch
// cannot have are left out with a warning, and refused only if a formula names them.
//     joints    position, speed
//     inertia   on the first free root: angular velocity w, specific force f + a x r + w x (w x r) at the place r,
//               roll and pitch
//     touch     force of the contacts of a body or of the shapes it names
//     force     force and moment through a cut, which a batch computes itself (batch/cut.h)
#include "run/batch.h"

#include "sense/interface.h"
#include "sense/kinds.h"

#include <footfall/text.h>

#include <string.h>

static const char AXES[] = "xyz";

/// The sensor whose channels are being made.
typedef struct maker {
    ff_batch_plan *plan;
    const ff_sensor *sensor;
    uint64_t stream;   // first of its random streams
    double R[9], r[3]; // pose of the sensor in the frame of its node
    int cut;           // number of the cut of a force sensor
} maker;

/// Formulas for the channels of a perfect sensor of a type.
typedef struct truth {
    const char *(*of)(const maker *k, const struct truth *truth, int channel); // NULL: a batch has no such sensor
    const char *word;                                                          // argument of `of`: quantity or sign
    int first;                                                                 // component of the first channel
} truth;

// ------------------------------------------------------------------------------------------ inertia

/// Index of the first free root, whose quantities a batch has; -1: none.
static int free_root(const ff_model *m)
{
    for (int i = 0; i < m->nnode; i++)
        if (m->nodes[i].parent < 0 && m->nodes[i].type == FF_NODE_FREE) return i;
    return -1;
}

static void find_place(maker *k)
{
    const ff_body *body = &k->plan->run->scene->model->bodies[k->sensor->body];
    ff_mat3_mul(k->R, body->R, k->sensor->R);
    ff_mat3_mulv(k->r, body->R, k->sensor->pos);
    ff_vec3_add(k->r, k->r, body->pos);
}

/// Component along an axis of the sensor of the vector with the components `terms` in axes of the node.
static const char *along(const maker *k, int axis, const char *const terms[3])
{
    return ff_arena_printf(&k->plan->arena, "(%.17g * (%s) + %.17g * (%s) + %.17g * (%s))", k->R[axis], terms[0],
                           k->R[3 + axis], terms[1], k->R[6 + axis], terms[2]);
}

static const char *spin(const maker *k, int axis)
{
    const char *const terms[3] = {"root.gyro.x", "root.gyro.y", "root.gyro.z"};
    return along(k, axis, terms);
}

/// Specific force along an axis of the root: a x r, and w (w r) - r w^2.
static const char *force_of_root(const maker *k, int i)
{
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    const double *r = k->r;
    return ff_arena_printf(
        &k->plan->arena,
        "root.specific_force.%c + root.angular_acceleration.%c * %.17g - root.angular_acceleration.%c * %.17g"
        " + root.gyro.%c * (root.gyro.x * %.17g + root.gyro.y * %.17g + root.gyro.z * %.17g)"
        " - %.17g * (root.gyro.x^2 + root.gyro.y^2 + root.gyro.z^2)",
        AXES[i], AXES[j], r[l], AXES[l], r[j], AXES[i], r[0], r[1], r[2], r[i]);
}

static const char *force(const maker *k, int axis)
{
    const char *const terms[3] = {force_of_root(k, 0), force_of_root(k, 1), force_of_root(k, 2)};
    return terms[0] && terms[1] && terms[2] ? along(k, axis, terms) : NULL;
}

/// Roll and pitch by the direction of the vertical in the axes of the sensor (ff_fusion_angles).
static const char *angle(const maker *k, int pitch)
{
    const char *const vertical[3] = {"2 * (root.qx * root.qz - root.qw * root.qy)",
                                     "2 * (root.qy * root.qz + root.qw * root.qx)", "upright"};
    const char *const up[3] = {along(k, 0, vertical), along(k, 1, vertical), along(k, 2, vertical)};
    if (pitch) return ff_arena_printf(&k->plan->arena, "-atan2(%s, sqrt(max(1 - %s^2, 0)))", up[0], up[0]);
    return ff_arena_printf(&k->plan->arena, "atan2(%s, %s)", up[1], up[2]);
}

// ------------------------------------------------------------------------------------------ joints, touch and cuts

static bool meets(const ff_sensor *s, const ff_world_shape *shape)
{
    const bool here = s->body < 0 || shape->body == s->body;
    return here && (s->named < 0 || ff_text_matches(s->shape, shape->name));
}

/// Component along a world axis of the sum of all contact forces on the sensor.
static const char *touched_along(const maker *k, char axis)
{
    int count = 0;
    const ff_world *world = ff_run_world(k->plan->run);
    const ff_world_shape *shapes = world ? ff_world_shapes(world, &count) : NULL;
    const char *sum = "0";
    for (int i = 0; i < count && sum; i++)
        if (meets(k->sensor, &shapes[i])) sum = ff_arena_printf(&k->plan->arena, "%s + '#%d.%c'", sum, i, axis);
    return sum;
}

static const char *touch(const maker *k, const truth *t, int channel)
{
    (void)t;
    ff_arena *arena = &k->plan->arena;
    const char *size = ff_arena_printf(arena, "sqrt((%s)^2 + (%s)^2 + (%s)^2)", touched_along(k, 'x'),
                                       touched_along(k, 'y'), touched_along(k, 'z'));
    return channel == 1 ? size : ff_arena_printf(arena, "(%s > %.17g)", size, k->sensor->threshold);
}

static bool reads_moments(const ff_sensor *s)
{
    return s->type == FF_SENSOR_FORCE6 || s->type == FF_SENSOR_REACTION_MOMENT;
}

static bool reads_a_cut(const ff_sensor *s)
{
    return s->type == FF_SENSOR_FORCE || s->type == FF_SENSOR_REACTION || reads_moments(s);
}

/// The cut of a force sensor.
static void add_cut(maker *k)
{
    const ff_sensor *s = k->sensor;
    if (!reads_a_cut(s)) return;
    k->cut = k->plan->given.ncut++;
    ff_batch_cut_given *cut = &k->plan->cuts[k->cut];
    *cut = (ff_batch_cut_given){.body = s->body,
                                .six = reads_moments(s),
                                .below = s->below,
                                .nbelow = s->nbelow,
                                .part = s->part,
                                .mass = s->mass};
    memcpy(cut->R, k->R, sizeof cut->R);
    memcpy(cut->at, k->r, sizeof cut->at);
    ff_mat3_mulv(cut->com, s->R, s->com);
    ff_vec3_add(cut->com, cut->com, s->pos);
}

static const char *joint(const maker *k, const truth *t, int channel)
{
    const ff_model *m = k->plan->run->scene->model;
    (void)channel;
    return ff_arena_printf(&k->plan->arena, "'%s.%s'", m->joints[k->sensor->joint].name, t->word);
}

/// Angular velocity, specific force, then roll and pitch.
static const char *inertial(const maker *k, const truth *t, int channel)
{
    const int i = t->first + channel;
    return i < 3 ? spin(k, i) : i < 6 ? force(k, i - 3) : angle(k, i - 6);
}

/// Component of the wrench through the cut: three forces, then three moments.
static const char *wrench(const maker *k, const truth *t, int channel)
{
    const int i = t->first + channel;
    return ff_arena_printf(&k->plan->arena, "%s'cut#%d.%c%c'", t->word, k->cut, i < 3 ? 'f' : 'm', AXES[i % 3]);
}

static const char *clock_time(const maker *k, const truth *t, int channel)
{
    (void)k, (void)t, (void)channel;
    return "time";
}

static const truth TRUTHS[FF_SENSOR_COUNT] = {
    [FF_SENSOR_POTENTIOMETER] = {joint, "position", 0},
    [FF_SENSOR_ABSOLUTE] = {joint, "position", 0},
    [FF_SENSOR_TACHOMETER] = {joint, "speed", 0},
    [FF_SENSOR_GYRO] = {inertial, NULL, 0},
    [FF_SENSOR_ACCELEROMETER] = {inertial, NULL, 3},
    [FF_SENSOR_ATTITUDE] = {inertial, NULL, 6},
    [FF_SENSOR_IMU] = {inertial, NULL, 0},
    [FF_SENSOR_TOUCH] = {touch, NULL, 0},
    [FF_SENSOR_FORCE] = {wrench, "", 0},
    [FF_SENSOR_FORCE6] = {wrench, "", 0},
    [FF_SENSOR_REACTION] = {wrench, "-", 0},
    [FF_SENSOR_REACTION_MOMENT] = {wrench, "-", 3},
    [FF_SENSOR_CLOCK] = {clock_time, NULL, 0},
};

static const char *truth_of(const maker *k, int i)
{
    const truth *t = &TRUTHS[k->sensor->type];
    return t->of ? t->of(k, t, i) : NULL;
}

/// Formula of a channel with crosstalk from the others.
static const char *crossed(const maker *k, int i)
{
    const ff_chain *chain = &k->sensor->chain;
    const char *sum = truth_of(k, i);
    if (!chain->crosstalk || !(chain->stages & FF_STAGE_CROSSTALK)) return sum;
    for (int n = 0; n < chain->n && sum; n++) {
        const double share = chain->crosstalk[i * chain->n + n];
        if (share != 0.0) sum = ff_arena_printf(&k->plan->arena, "%s + %.17g * (%s)", sum, share, truth_of(k, n));
    }
    return sum;
}

// ------------------------------------------------------------------------------------------ unsupported sensors

static const char *missing_seat(const ff_model *m, const ff_sensor *s)
{
    const int root = free_root(m);
    if (ff_sensor_is_inertial(s->type) && (s->body < 0 || root < 0 || m->bodies[s->body].node != root))
        return "it is not fixed to the free root";
    if (s->joint >= 0 && !ff_joint_is_scalar(m->joints[s->joint].type)) return "its joint is neither hinge nor slide";
    if (reads_a_cut(s) && (s->body < 0 || m->bodies[s->body].node < 0)) return "its body does not move";
    return s->type == FF_SENSOR_TOUCH && s->zone ? "it has a zone" : NULL;
}

static const char *missing_errors(const ff_sensor *s)
{
    const ff_chain *chain = &s->chain;
    if (s->fusion) return "its fusion has a memory";
    if ((chain->stages & FF_STAGE_DELAY) && (chain->delay > 0 || chain->jitter > 0.0)) return "it has a delay";
    for (int i = 0; i < chain->n; i++)
        if ((chain->stages & FF_STAGE_BANDWIDTH) && chain->signals[i].bandwidth > 0.0)
            return "its bandwidth has a memory";
    return NULL;
}

/// Why a batch does not have a sensor; NULL: it does.
static const char *missing(const ff_model *m, const ff_sensor *s)
{
    if (!TRUTHS[s->type].of) return "a batch has no sensors of that type";
    const char *seat = missing_seat(m, s);
    return seat ? seat : missing_errors(s);
}

/// Warns once for all sensors that are left out for the same reason; equal reasons are equal pointers.
static void warn(const ff_batch_plan *plan, const ff_sensor_set *set, int number, const char *why)
{
    int before = 0, others = 0;
    for (int i = 0; i < set->n; i++)
        if (i != number && missing(set->model, &set->sensors[i]) == why) *(i < number ? &before : &others) += 1;
    if (before > 0) return;
    ff_report_add(plan->report, FF_WARNING, set->sensors[number].place, "a batch leaves out sensor '%s'%s: %s",
                  set->sensors[number].name, others > 0 ? " and others" : "", why);
}

// ------------------------------------------------------------------------------------------ all sensors

static void add_channel(maker *k, int i, const char *why)
{
    const ff_sensor *s = k->sensor;
    ff_batch_sensed *to = &k->plan->sensed[k->plan->given.nsensed++];
    *to = (ff_batch_sensed){.name = ff_arena_printf(&k->plan->arena, "sensors.%s.%s", s->name, ff_sensor_channel(s, i)),
                            .truth = why ? NULL : crossed(k, i),
                            .missing = why,
                            .signal = s->chain.signals[i],
                            .stages = s->chain.stages,
                            .stream = k->stream + (uint64_t)i};
}

void ff_batch_plan_sensors(ff_batch_plan *plan)
{
    const ff_sensor_set *set = plan->run->scene->plant->sensors;
    int count = 0;
    for (int i = 0; set && i < set->n; i++) count += set->sensors[i].chain.n;
    plan->sensed = FF_ARENA_NEW(&plan->arena, ff_batch_sensed, count + 1);
    plan->cuts = FF_ARENA_NEW(&plan->arena, ff_batch_cut_given, set ? set->n + 1 : 1);
    plan->given.sensed = plan->sensed;
    plan->given.cuts = plan->cuts;
    for (int i = 0; set && !plan->arena.failed && i < set->n; i++) {
        maker k = {.plan = plan, .sensor = &set->sensors[i], .stream = set->slots[i].stream};
        const char *why = missing(set->model, k.sensor);
        if (why) warn(plan, set, i, why);
        if (k.sensor->body >= 0) find_place(&k);
        if (!why) add_cut(&k);
        for (int channel = 0; channel < k.sensor->chain.n; channel++) add_channel(&k, channel, why);
    }
    if (plan->arena.failed)
        ff_report_add(plan->report, FF_ERROR, (ff_place){0}, "no memory for the sensors of a batch");
}
