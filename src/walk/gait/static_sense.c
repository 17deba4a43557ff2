// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates of a static walk from its sensors. Joint and attitude sensors give the pose of the robot, and the feet that
// carry its place in the walk frame. Force f and moment m of a foot's sensor, in world axes about its place s, give the
// centre of pressure
//     x = s_x + ((c_z - s_z) f_x - m_y) / f_z,   y = s_y + (m_x + (c_z - s_z) f_y) / f_z,   c_z: height of the sole
// and the zero moment point is the mean of both by vertical force. The values of a sensor at the end of its range are
// used, and reported: the true point lies farther out.
#include "gait/static_walk.h"
#include "sense/interface.h"

#include <footfall/math.h>
#include <math.h>
#include <string.h>

#define CARRIES 10.0  // force from which the pressure of a foot counts [N]
#define SMOOTH  0.03  // time constant of the zero moment point [s]
#define FULL    0.995 // share of a range beyond which a sensor is at its end

// ------------------------------------------------------------------------------------------ binding

/// Finds roll and pitch of a sensor on the pelvis, whose axes are assumed to be those of the pelvis.
static void find_attitude(const ff_static_walk_robot *robot, const ff_sensor_set *set, const ff_io_layout *sensors,
                          ff_static_walk_items *items)
{
    items->attitude[0] = items->attitude[1] = -1;
    for (int i = 0; i < set->n && items->attitude[0] < 0; i++) {
        const ff_sensor *s = &set->sensors[i];
        if ((s->type != FF_SENSOR_IMU && s->type != FF_SENSOR_ATTITUDE) || s->body != robot->root) continue;
        items->attitude[0] = ff_gait_find_sensor(sensors, s->name, "roll");
        items->attitude[1] = ff_gait_find_sensor(sensors, s->name, "pitch");
    }
}

static void find_foot(const ff_static_walk_robot *robot, const ff_sensor_set *set, const ff_io_layout *sensors,
                      int side, ff_static_walk_sensor *out)
{
    static const char *const channels[6] = {"fx", "fy", "fz", "mx", "my", "mz"};
    const char *name = robot->model->legs[robot->leg[side]].force;
    const int number = name ? ff_sensor_set_find(set, name) : -1;
    const ff_sensor *s = number >= 0 ? &set->sensors[number] : NULL;
    *out = (ff_static_walk_sensor){.item = {-1, -1, -1, -1, -1, -1}};
    if (!s || s->type != FF_SENSOR_FORCE6) return;
    out->body = s->body;
    ff_vec3_copy(out->pos, s->pos);
    memcpy(out->R, s->R, sizeof out->R);
    out->mass = s->part ? s->mass : 0.0;
    for (int k = 0; k < 6; k++) {
        out->item[k] = ff_gait_find_sensor(sensors, name, channels[k]);
        out->range[k] = s->signals[k].high;
    }
}

ff_status ff_static_walk_find_items(const ff_static_walk_robot *robot, const ff_io_layout *sensors,
                                    const ff_io_layout *references, ff_static_walk_items *items, ff_error *err)
{
    const ff_model *m = robot->model;
    ff_report ignored = {0};
    ff_sensor_set *set = ff_sensor_set_create(m, NULL, &ignored);
    ff_report_clear(&ignored);
    if (!set) return ff_error_set(err, FF_BAD_MODEL, "the sensors of the biped cannot be made");
    for (int j = 0; j < m->njoint; j++) items->joint[j] = ff_gait_find_on_joint(m, sensors, j, "position");
    find_attitude(robot, set, sensors, items);
    for (int side = 0; side < 2; side++) find_foot(robot, set, sensors, side, &items->foot[side]);
    items->count[FF_IO_SENSORS] = (uint32_t)sensors->count;
    items->count[FF_IO_REFERENCES] = (uint32_t)references->count;
    ff_sensor_set_destroy(set);
    const ff_static_walk_input input = robot->options.input;
    const bool by_force = input == FF_STATIC_WALK_ZMP || input == FF_STATIC_WALK_CAPTURE;
    if (by_force && (items->foot[0].item[0] < 0 || items->foot[1].item[0] < 0))
        return ff_error_set(err, FF_NOT_FOUND,
                            "balance by the zero moment point needs a sensor of type force6 in each foot ('force' of "
                            "the leg)");
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ reading

/// The angle of an absolute encoder, which measures within a turn, moved by turns to be nearest to the reference.
static double nearest_turn(double angle, double reference)
{
    return angle - 2.0 * FF_PI * floor((angle - reference) / (2.0 * FF_PI) + 0.5);
}

void ff_static_walk_read(const ff_static_walk_robot *robot, const ff_static_walk_items *items, const ff_io_frame *frame,
                         double dt, ff_static_walk_state *memory)
{
    static const ff_io_item none = {0};
    const bool fits = frame && frame->count == items->count[FF_IO_SENSORS];
    const ff_io_item *at = fits ? ff_io_items_of(frame) : &none;
    bool finite = true;
    for (int j = 0; j < robot->model->njoint; j++) {
        const ff_joint *joint = &robot->model->joints[j];
        finite = ff_gait_take(at, fits ? items->joint[j] : -1, dt, &memory->joint[j]) && finite;
        if (joint->type == FF_JOINT_HINGE)
            memory->joint[j].value = nearest_turn(memory->joint[j].value, memory->q[joint->qadr]);
    }
    for (int k = 0; k < 2; k++)
        finite = ff_gait_take(at, fits ? items->attitude[k] : -1, dt, &memory->attitude[k]) && finite;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 6; k++)
            finite = ff_gait_take(at, fits ? items->foot[side].item[k] : -1, dt, &memory->force[side][k]) && finite;
    if (!finite) memory->status |= FF_STATIC_WALK_BAD_NUMBER;
}

// ------------------------------------------------------------------------------------------ pose

/// Sets d to the measured pose, with the pelvis at the origin. Joints without data are assumed to follow.
static void take_pose(const ff_static_walk_robot *robot, const ff_static_walk_items *items, ff_data *d,
                      ff_static_walk_state *memory)
{
    const ff_model *m = robot->model;
    const double stale = robot->options.stale;
    for (int j = 0; j < m->njoint; j++) {
        if (!ff_joint_is_scalar(m->joints[j].type)) continue;
        const bool fresh = memory->joint[j].age <= stale;
        if (items->joint[j] >= 0 && !fresh) memory->status |= FF_STATIC_WALK_STALE;
        d->q[m->joints[j].qadr] = fresh ? memory->joint[j].value : memory->q[m->joints[j].qadr];
    }
    for (int k = 0; k < 2; k++) {
        const bool fresh = memory->attitude[k].age <= stale;
        if (items->attitude[k] >= 0 && !fresh) memory->status |= FF_STATIC_WALK_STALE;
        memory->seen.tilt[k] = fresh ? memory->attitude[k].value : 0.0;
    }
    const double rpy[3] = {memory->seen.tilt[0], memory->seen.tilt[1],
                           0.5 * (memory->foot[0].yaw + memory->foot[1].yaw)};
    double *base = d->q + m->joints[robot->base].qadr;
    base[0] = base[1] = base[2] = 0.0;
    ff_quat_from_rpy(base + 3, rpy);
    ff_dyn_kinematics(m, d);
}

static void sole_pose(const ff_static_walk_robot *robot, const ff_data *d, int side, ff_pose *pose)
{
    const ff_model *m = robot->model;
    const ff_frame *frame = &m->frames[m->legs[robot->leg[side]].frame];
    double quat[4], body[9], local[9], stand[9], turned[9];
    ff_dyn_body_pose(m, d, frame->body, pose->p, quat);
    ff_dyn_point(m, d, frame->body, frame->pos, pose->p);
    ff_quat_to_mat3(body, quat);
    ff_quat_to_mat3(local, frame->quat);
    ff_mat3_mul(turned, body, local);
    ff_mat3_transpose(stand, robot->chain[side].end.R); // attitude against that of a foot that stands flat
    ff_mat3_mul(pose->R, turned, stand);
}

// ------------------------------------------------------------------------------------------ forces

/// Force and moment in world axes, and the place of the sensor, for a pelvis at the origin. @return false: no data
static bool sensor_wrench(const ff_static_walk_robot *robot, const ff_static_walk_sensor *s,
                          const ff_gait_sample *force, const ff_data *d, double f[3], double moment[3], double at[3])
{
    double quat[4], body[9], R[9], values[6], pos[3];
    for (int k = 0; k < 6; k++) {
        if (s->item[k] < 0 || !(force[k].age <= robot->options.stale)) return false;
        values[k] = force[k].value;
    }
    ff_dyn_body_pose(robot->model, d, s->body, pos, quat);
    ff_quat_to_mat3(body, quat);
    ff_mat3_mul(R, body, s->R);
    ff_mat3_mulv(f, R, values);
    ff_mat3_mulv(moment, R, values + 3);
    ff_dyn_point(robot->model, d, s->body, s->pos, at);
    f[2] += s->mass * ff_vec3_norm(robot->model->gravity); // weight of the sole, which hangs on the sensor
    return true;
}

static bool is_full(const ff_static_walk_sensor *s, const ff_gait_sample *force)
{
    for (int k = 0; k < 6; k++)
        if (fabs(force[k].value) >= FULL * s->range[k]) return true;
    return false;
}

static void evaluate_foot(const ff_static_walk_robot *robot, const ff_static_walk_items *items, const ff_data *d,
                          int side, const ff_pose *sole, ff_static_walk_state *memory)
{
    ff_static_walk_seen *seen = &memory->seen;
    const ff_static_walk_sensor *s = &items->foot[side];
    const ff_static_walk_foot *foot = &memory->foot[side];
    double f[3] = {0.0, 0.0, 0.0}, m[3] = {0.0, 0.0, 0.0}, at[3], sum[2] = {0.0, 0.0};
    ff_static_walk_tilt_of(sole->R, foot->yaw, seen->foot_tilt[side]);
    seen->force_unknown[side] = !sensor_wrench(robot, s, memory->force[side], d, f, m, at);
    seen->saturated[side] = !seen->force_unknown[side] && is_full(s, memory->force[side]);
    seen->load[side] = seen->force_unknown[side] ? 0.0 : f[2];
    for (int k = 0; k < 2; k++) seen->pressure[side][k] = foot->place[k];
    if (seen->force_unknown[side]) memory->status |= FF_STATIC_WALK_FORCE_UNKNOWN;
    if (seen->saturated[side]) memory->status |= FF_STATIC_WALK_SATURATED;
    if (!seen->force_unknown[side] && f[2] > CARRIES) {
        const double drop = sole->p[2] - at[2];
        const double x = at[0] + (drop * f[0] - m[1]) / f[2], y = at[1] + (m[0] + drop * f[1]) / f[2];
        seen->pressure[side][0] += x - sole->p[0];
        seen->pressure[side][1] += y - sole->p[1];
        sum[0] = (y - sole->p[1]) * f[2];
        sum[1] = -(x - sole->p[0]) * f[2];
    }
    ff_gait_turn(-foot->yaw, sum, seen->moment[side]);
}

static void evaluate_zmp(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory)
{
    ff_static_walk_seen *seen = &memory->seen;
    double point[2] = {memory->zmp[0], memory->zmp[1]};
    const double force[2] = {ff_max(0.0, seen->load[0]), ff_max(0.0, seen->load[1])};
    ff_balance_pressure_point((const double(*)[2])seen->pressure, force, 2, 0.2 * robot->weight, point);
    const double share = memory->started ? ff_min(1.0, dt / SMOOTH) : 1.0;
    for (int k = 0; k < 2; k++) seen->zmp[k] += share * (point[k] - seen->zmp[k]);
}

// ------------------------------------------------------------------------------------------ estimates

/// Weight of each foot in the estimate of the robot's place, by its load.
static void weigh_feet(const ff_static_walk_state *memory, double weight[2])
{
    const ff_static_walk_seen *seen = &memory->seen;
    const double left = ff_max(0.0, seen->load[0]), right = ff_max(0.0, seen->load[1]), sum = left + right;
    const bool single = memory->phase == FF_STATIC_WALK_SWING || memory->phase == FF_STATIC_WALK_LAND;
    weight[0] = single ? memory->stance == 0 : sum > CARRIES ? left / sum : 0.5;
    weight[1] = 1.0 - weight[0];
}

void ff_static_walk_evaluate(const ff_static_walk_robot *robot, const ff_static_walk_items *items, double dt,
                             ff_data *d, ff_static_walk_state *memory)
{
    ff_pose sole[2];
    double weight[2], com[3];
    take_pose(robot, items, d, memory);
    ff_dyn_com(robot->model, d, com);
    for (int side = 0; side < 2; side++) {
        sole_pose(robot, d, side, &sole[side]);
        evaluate_foot(robot, items, d, side, &sole[side], memory);
    }
    weigh_feet(memory, weight);
    for (int k = 0; k < 2; k++)
        memory->seen.com[k] = com[k] + weight[0] * (memory->foot[0].place[k] - sole[0].p[k]) +
                              weight[1] * (memory->foot[1].place[k] - sole[1].p[k]);
    evaluate_zmp(robot, dt, memory);
    if (memory->seen.saturated[0] || memory->seen.saturated[1]) memory->saturated += dt;
}
