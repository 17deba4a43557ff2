// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// I/O frames of a walking controller: the items it reads and writes, and estimates from sensor values. An invalid item
// leaves the last value, which gets older; a value older than `stale` is not used. A foot touches when its vertical
// force rises above a threshold, until it falls below a lower one.
#include "dyn/packed.h"
#include "gait/walk.h"

#include <footfall/math.h>
#include <math.h>
#include <string.h>

#define FAR_OFF     0.25 // a joint this far from its reference does not follow; in a walk it stays within 0.08 [rad]
#define FAR_TIME    0.15 // after which such a joint has failed [s]
#define BODY_FAR    0.08 // the same for a joint of the body, which is held still and stays within 0.02 [rad]
#define BODY_TIME   0.05 // [s]
#define RETURN_TIME 0.5  // in which a joint that was pushed has returned [s]
#define LOAD_TIME   0.03 // of the low pass of the force on a foot, which hides the impact of landing [s]
#define HAND_TIME   0.01 // of that on a hand [s]
#define LOADED_TIME 0.15 // after its landing in which a foot that carries its share is not lowered [s]
#define TILT_FIRST  0.2  // in which the tilt follows that of the feet at the start [s]
#define TILT_TIME   10.0 // in which it follows later: a greater difference than drift is sloping ground [s]
#define DRIFT_TIME  2.0  // in which it follows a difference that may be drift [s]
#define TILT_DRIFT  5e-3 // greatest difference that may be drift: 2.5 mrad/s in that time [rad]
#define BIAS_TIME   10.0 // in which the bias of a gyroscope is learned [s]
#define MOST_BIAS   0.01 // [rad/s]
#define UNEVEN      1e-3 // distance of feet from a plane at which their tilt has half its weight [m]

// ------------------------------------------------------------------------------------------ binding

static const ff_spec_sensor *find_sensor(const ff_model *m, const char *name)
{
    for (int i = 0; name && i < m->nsensor; i++)
        if (strcmp(m->sensors[i].name, name) == 0) return &m->sensors[i];
    return NULL;
}

/// Mass below a force sensor: as the file says, else that of the foot's body.  [kg]
static double mass_below(const ff_model *m, const ff_spec_sensor *force, int frame)
{
    for (int i = 0; i < force->nsetting; i++)
        if (strcmp(force->settings[i].name, "mass") == 0 && force->settings[i].count == 1)
            return force->settings[i].values[0];
    return m->bodies[m->frames[frame].body].mass;
}

static void bind_foot(const ff_walk_robot *robot, const ff_io_layout *sensors, int leg, ff_walk_items *items)
{
    const ff_leg *l = &robot->model->legs[leg];
    const ff_spec_sensor *force = find_sensor(robot->model, l->force);
    ff_gait_find_forces(sensors, force ? force->name : NULL, items->force[leg]);
    items->force_frame[leg] =
        force && strcmp(force->object_type, "site") == 0 ? ff_model_find_frame(robot->model, force->object) : -1;
    if (force) items->below[leg] = mass_below(robot->model, force, l->frame);
    items->touch[leg] = l->touch ? ff_gait_find_sensor(sensors, l->touch, "touched") : -1;
    if (l->touch && items->touch[leg] < 0) items->touch[leg] = ff_gait_find_sensor(sensors, l->touch, "closed");
}

/// Binds roll and pitch of the root, and their rates, of sensors on the root whose axes are those of the root.
static void bind_attitude(const ff_walk_robot *robot, const ff_io_layout *sensors, ff_walk_items *items)
{
    const ff_model *m = robot->model;
    for (int i = 0; i < m->nsensor; i++) {
        const ff_spec_sensor *s = &m->sensors[i];
        const int frame = strcmp(s->object_type, "site") == 0 ? ff_model_find_frame(m, s->object) : -1;
        const int body = frame >= 0                            ? m->frames[frame].body
                         : strcmp(s->object_type, "body") == 0 ? ff_model_find_body(m, s->object)
                                                               : -1;
        if (body != robot->root || (frame >= 0 && fabs(m->frames[frame].quat[0]) < 1.0 - 1e-9)) continue;
        const bool imu = strcmp(s->type, "imu") == 0;
        if ((imu || strcmp(s->type, "attitude") == 0) && items->attitude[0] < 0) {
            items->attitude[0] = ff_gait_find_sensor(sensors, s->name, "roll");
            items->attitude[1] = ff_gait_find_sensor(sensors, s->name, "pitch");
        }
        if ((imu || strcmp(s->type, "gyro") == 0) && items->spin[0] < 0) {
            items->spin[0] = ff_gait_find_sensor(sensors, s->name, imu ? "spin.x" : "x");
            items->spin[1] = ff_gait_find_sensor(sensors, s->name, imu ? "spin.y" : "y");
        }
    }
    if (items->attitude[1] < 0) items->attitude[0] = -1;
    if (items->spin[1] < 0) items->spin[0] = -1;
}

ff_status ff_walk_bind(const ff_walk_robot *robot, const ff_io_layout *sensors, const ff_io_layout *references,
                       ff_walk_items *items, ff_error *err)
{
    *items = (ff_walk_items){.spin = {-1, -1}, .attitude = {-1, -1}, .has_joints = true};
    for (int j = 0; j < robot->njoint; j++) {
        const ff_status status = ff_gait_bind_joint(robot->model, robot->joints[j], references, &items->drive[j], err);
        if (status != FF_OK) return status;
        items->joint[j] = ff_gait_find_on_joint(robot->model, sensors, robot->joints[j], "position");
        items->has_joints = items->has_joints && items->joint[j] >= 0;
    }
    for (int i = 0; i < robot->n; i++) bind_foot(robot, sensors, i, items);
    bind_attitude(robot, sensors, items);
    items->count[FF_IO_SENSORS] = (uint32_t)sensors->count;
    items->count[FF_IO_REFERENCES] = (uint32_t)references->count;
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ reading

static void read_sample(const ff_io_item *items, int number, double dt, ff_gait_sample *sample, uint32_t *status)
{
    if (!ff_gait_take(items, number, dt, sample)) *status |= FF_WALK_BAD_NUMBER;
}

void ff_walk_read(const ff_walk_robot *robot, const ff_walk_items *items, const ff_io_frame *frame, double dt,
                  ff_walk_memory *memory)
{
    const bool fits = frame && frame->count == items->count[FF_IO_SENSORS];
    static const ff_io_item none = {0};
    const ff_io_item *at = fits ? ff_io_items_of(frame) : &none;
    ff_walk_senses *s = &memory->senses;
    uint32_t *status = &memory->status;
    for (int j = 0; j < robot->njoint; j++) read_sample(at, fits ? items->joint[j] : -1, dt, &s->joint[j], status);
    for (int i = 0; i < robot->n; i++) {
        for (int k = 0; k < 3; k++) read_sample(at, fits ? items->force[i][k] : -1, dt, &s->force[i][k], status);
        read_sample(at, fits ? items->touch[i] : -1, dt, &s->touch[i], status);
    }
    for (int k = 0; k < 2; k++) {
        read_sample(at, fits ? items->spin[k] : -1, dt, &s->spin[k], status);
        read_sample(at, fits ? items->attitude[k] : -1, dt, &s->attitude[k], status);
    }
}

// ------------------------------------------------------------------------------------------ estimating

/// Integrates one axis of the tilt from its rate. As rates drift, the tilt is drawn to that of the standing feet. A
/// small difference is taken as drift: it is corrected soon, and corrects the bias of the rate. A large one is taken as
/// sloping ground, and followed slowly. At the start the tilt follows the feet faster.
/// @param level  weight of the tilt of the feet, 1 where they stand in a plane
static void integrate_tilt(double by_feet, double level, double rate, double stood, double dt, double *tilt,
                           double *bias)
{
    const double off = by_feet - *tilt, drift = ff_max(-TILT_DRIFT, ff_min(TILT_DRIFT, off)),
                 known = TILT_FIRST + stood;
    const double pull = ff_max(fabs(drift) / ff_min(DRIFT_TIME, known), fabs(off) / ff_min(TILT_TIME, known));
    *tilt += (rate - *bias) * dt + copysign(ff_min(fabs(off), level * pull * dt), off);
    if (known < DRIFT_TIME) return;
    const double weight = level * (off != drift ? drift / off : 1.0);
    *bias -= weight * drift * dt / (DRIFT_TIME * BIAS_TIME);
    *bias = ff_max(-MOST_BIAS, ff_min(MOST_BIAS, *bias));
}

/// Estimates roll and pitch: as measured, or else from their rates, or else as commanded.
static void estimate_tilt(const ff_walk_robot *robot, double dt, ff_walk_memory *memory)
{
    const ff_walk_senses *s = &memory->senses;
    const double commanded[2] = {memory->roll, memory->pitch}, stale = robot->options.stale;
    const bool measured = s->attitude[0].age <= stale && s->attitude[1].age <= stale;
    const bool rates = s->spin[0].age <= stale && s->spin[1].age <= stale;
    double middle[2], slope[2] = {0.0, 0.0}, uneven = 0.0;
    if (!ff_footstep_fit_plane(robot->n, memory->step.legs, middle, slope, &uneven)) slope[0] = slope[1] = 0.0;
    // one foot on a block turns the plane through all feet by 25 mrad
    const double level = UNEVEN * UNEVEN / (UNEVEN * UNEVEN + uneven * uneven);
    const double by_feet[2] = {commanded[0] - slope[1], commanded[1] + slope[0]};
    for (int k = 0; k < 2; k++) {
        if (measured)
            memory->tilt[k] = s->attitude[k].value;
        else if (rates)
            integrate_tilt(by_feet[k], level, s->spin[k].value, memory->grounded, dt, &memory->tilt[k],
                           &memory->bias[k]);
        else
            memory->tilt[k] = commanded[k];
    }
    memory->seen.level_known = measured || rates;
    memory->seen.roll = memory->tilt[0] - commanded[0];
    memory->seen.pitch = memory->tilt[1] - commanded[1];
}

/// Turns the measured feet with the root from its estimated to its commanded attitude.
static void turn_to_command(const ff_walk_robot *robot, const ff_data *d, ff_walk_memory *memory)
{
    const double rpy[3] = {memory->roll, memory->pitch, 0.0};
    double quat[4], estimated[9], commanded[9], arm[3], local[3];
    if (robot->base < 0 || (memory->tilt[0] == memory->roll && memory->tilt[1] == memory->pitch)) return;
    const double *root = d->q + robot->model->joints[robot->base].qadr;
    ff_quat_to_mat3(estimated, root + 3);
    ff_quat_from_rpy(quat, rpy);
    ff_quat_to_mat3(commanded, quat);
    for (int i = 0; i < robot->n; i++) {
        ff_vec3_sub(arm, memory->measured[i], root);
        ff_mat3_tmulv(local, estimated, arm);
        ff_mat3_mulv(arm, commanded, local);
        ff_vec3_add(memory->measured[i], root, arm);
    }
}

/// Measured pose of the robot in the walk frame. Joints without a recent value are assumed to follow their references.
static void compute_pose(const ff_walk_robot *robot, const ff_walk_items *items, ff_data *d, ff_walk_memory *memory)
{
    double body[FF_WALK_BODY_JOINTS];
    for (int j = 0; j < robot->njoint; j++) {
        const bool fresh = memory->senses.joint[j].age <= robot->options.stale;
        if (items->joint[j] >= 0 && !fresh) memory->status |= FF_WALK_STALE;
        const double q = fresh ? memory->senses.joint[j].value : memory->position[j];
        d->q[robot->model->joints[robot->joints[j]].qadr] = q;
        if (j >= robot->body) body[j - robot->body] = q;
    }
    ff_servo_pose(robot, d, memory->height, memory->plan.shift, memory->tilt[0], memory->tilt[1], body);
    for (int i = 0; i < robot->n; i++) {
        const ff_frame *frame = &robot->model->frames[robot->model->legs[i].frame];
        ff_dyn_point(robot->model, d, frame->body, frame->pos, memory->measured[i]);
    }
    // differences of these feet from their references show how far the root has sunk and leans
    turn_to_command(robot, d, memory);
    for (int i = 0; i < robot->n; i++) memory->measured[i][2] -= robot->radius[i];
    memory->feet_measured = items->has_joints && !(memory->status & FF_WALK_STALE) && !memory->seen.bent;
}

/// Has a joint failed? It has stayed far from its reference for too long, and has not returned soon, as one that was
/// pushed. It counts as failed until a command to stand: references also come near to a joint without power. Joints of
/// the body fail sooner: on three feet a free one lets its segment fold within 0.3 s.
static bool does_not_follow(double position, double reference, bool of_body, double dt, ff_walk_deviation *s)
{
    const double off = reference - position, far = of_body ? BODY_FAR : FAR_OFF;
    const double timeout = of_body ? BODY_TIME : FAR_TIME;
    const bool failed_before = s->far_time > timeout;
    if (fabs(off) > fabs(s->worst)) s->worst = off, s->worst_at = position;
    const bool returned = (position - s->worst_at) * s->worst > 0.5 * s->worst * s->worst;
    if (fabs(off) > far || failed_before) s->far_time += dt;
    if (fabs(off) < 0.5 * far && (!failed_before || (returned && s->far_time < timeout + RETURN_TIME)))
        *s = (ff_walk_deviation){0};
    return s->far_time > timeout;
}

/// Finds joints that do not follow, as a drive has failed or the leg is caught. No foot is lifted any more. The leg, or
/// for a joint of the body every leg, no longer supports.
static void check_following(const ff_walk_robot *robot, double dt, ff_walk_memory *memory)
{
    memory->seen.hold = memory->seen.bent = false;
    for (int i = 0; i < robot->n; i++) memory->seen.not_following[i] = false;
    for (int j = 0; j < robot->njoint; j++) {
        const ff_gait_sample *s = &memory->senses.joint[j];
        const bool known = s->age <= robot->options.stale && memory->rising >= 1.0 && memory->started;
        const double position = known ? s->value : memory->position[j];
        if (!does_not_follow(position, memory->position[j], j >= robot->body, dt, &memory->deviation[j])) continue;
        memory->status |= FF_WALK_NOT_FOLLOWING;
        memory->seen.hold = true;
        if (j >= robot->body) memory->seen.bent = true;
        for (int i = 0; i < robot->n; i++)
            if (j >= robot->first[i] && j < robot->first[i] + robot->ik[i].njoint) memory->seen.not_following[i] = true;
    }
}

/// Converts a foot force from the axes of its sensor to the walk frame.
static void turn_force(const ff_walk_robot *robot, const ff_walk_items *items, const ff_data *d, int leg,
                       const ff_gait_sample force[3], double out[3])
{
    const ff_model *m = robot->model;
    const int frame = items->force_frame[leg] >= 0 ? items->force_frame[leg] : m->legs[leg].frame;
    const double f[3] = {force[0].value, force[1].value, force[2].value};
    double R[9], turned[3];
    ff_dyn_body_rotation(m, d, m->frames[frame].body, R);
    if (items->force_frame[leg] >= 0)
        ff_quat_rotate(turned, m->frames[frame].quat, f);
    else
        ff_vec3_copy(turned, f);
    ff_mat3_mulv(out, R, turned);
}

static void read_hand_force(const ff_walk_robot *robot, const ff_walk_items *items, const ff_data *d, double dt,
                            ff_walk_memory *memory)
{
    ff_walk_hand *hand = &memory->hand;
    double force[3];
    if (hand->stage == FF_HAND_NONE || items->force[hand->leg][0] < 0) return;
    turn_force(robot, items, d, hand->leg, memory->senses.force[hand->leg], force);
    ff_vec3_copy(hand->raw, force);
    for (int k = 0; k < 3; k++) hand->force[k] += ff_min(1.0, dt / HAND_TIME) * (force[k] - hand->force[k]);
}

/// Is a force on a foot high in the air a contact? Backlash that closes or a joint at its stop gives up to 35 N in one
/// sample. But no foot in the air is faster than `most_speed`, so only a contact has a greater impulse than that speed
/// times the mass of the foot. The impulse is at least the sum of all samples but the greatest.
static bool meets_something(const ff_walk_robot *robot, const ff_walk_items *items, int leg, double dt,
                            ff_walk_memory *memory)
{
    const double force = memory->seen.force[leg];
    double *push = &memory->push[leg], *peak = &memory->peak[leg];
    if (force <= robot->options.contact_on) {
        *push = *peak = 0.0;
    } else if (memory->senses.force[leg][2].age == 0.0) { // a new sample
        *push += ff_min(force, *peak) * dt;
        *peak = ff_max(force, *peak);
    }
    return *push > items->below[leg] * robot->options.step.most_speed;
}

/// Does a foot touch, by the force on it?
static bool is_touched(const ff_walk_robot *robot, const ff_walk_items *items, int leg, double dt,
                       ff_walk_memory *memory)
{
    const ff_footstep_phase phase = memory->step.legs[leg].phase;
    const double force = memory->seen.force[leg];
    if (memory->seen.contact[leg]) return force > robot->options.contact_off;
    if (phase == FF_FOOTSTEP_UP || phase == FF_FOOTSTEP_DOWN) return meets_something(robot, items, leg, dt, memory);
    memory->push[leg] = memory->peak[leg] = 0.0;
    return force > robot->options.contact_on;
}

static void evaluate_foot(const ff_walk_robot *robot, const ff_walk_items *items, const ff_data *d, int leg, double dt,
                          ff_walk_memory *memory)
{
    const ff_hexapod_options *o = &robot->options;
    const ff_walk_senses *s = &memory->senses;
    ff_feet_seen *seen = &memory->seen;
    const bool has_force = items->force[leg][0] >= 0, has_touch = items->touch[leg] >= 0;
    const bool fresh_force =
        has_force && ff_max(s->force[leg][0].age, ff_max(s->force[leg][1].age, s->force[leg][2].age)) <= o->stale;
    const bool fresh_touch = has_touch && s->touch[leg].age <= o->stale;
    seen->contact_unknown[leg] = !fresh_force && !fresh_touch;
    if (seen->contact_unknown[leg] && (has_force || has_touch)) memory->status |= FF_WALK_CONTACT_UNKNOWN;
    double force[3] = {0.0, 0.0, memory->plan.force[leg]};
    if (fresh_force) turn_force(robot, items, d, leg, s->force[leg], force);
    seen->force[leg] = force[2];
    memory->load[leg] += ff_min(1.0, dt / LOAD_TIME) * (seen->force[leg] - memory->load[leg]);
    seen->loaded[leg] =
        fresh_force && memory->standing[leg] < LOADED_TIME && memory->load[leg] >= memory->plan.force[leg];
    seen->idle[leg] = fresh_force && 3.0 * memory->load[leg] < memory->plan.force[leg];
    seen->light[leg] = has_force && memory->plan.force[leg] < 2.0 * o->contact_on;
    if (fresh_touch)
        seen->contact[leg] = s->touch[leg].value > 0.5;
    else if (fresh_force)
        seen->contact[leg] = is_touched(robot, items, leg, dt, memory);
    else
        seen->contact[leg] = false;
}

void ff_walk_evaluate(const ff_walk_robot *robot, const ff_walk_items *items, double dt, ff_data *d,
                      ff_walk_memory *memory)
{
    double com[3], sine, cosine;
    estimate_tilt(robot, dt, memory);
    check_following(robot, dt, memory);
    compute_pose(robot, items, d, memory);
    ff_dyn_com(robot->model, d, com);
    ff_sincos(&memory->goal.incline, &sine, &cosine, 1);
    memory->seen.com[0] = com[0] - com[2] * sine / cosine; // the point of the inclined plane vertically below
    memory->seen.com[1] = com[1];
    memory->com_height = com[2];
    int touching = 0;
    for (int i = 0; i < robot->n; i++) {
        evaluate_foot(robot, items, d, i, dt, memory);
        touching += memory->seen.contact[i] || memory->seen.contact_unknown[i];
    }
    read_hand_force(robot, items, d, dt, memory);
    if (2 * touching >= robot->n) memory->grounded += dt;
}

// ------------------------------------------------------------------------------------------ writing

void ff_walk_write(const ff_walk_robot *robot, const ff_walk_items *items, double t, const ff_walk_memory *memory,
                   ff_io_frame *frame)
{
    if (frame->count != items->count[FF_IO_REFERENCES]) return;
    ff_io_item *at = ff_io_items(frame);
    const int64_t stamp = ff_gait_stamp(t);
    for (int j = 0; j < robot->njoint; j++)
        ff_gait_put_drive(at, &items->drive[j], memory->position[j], memory->speed[j], memory->torque[j], stamp);
}
