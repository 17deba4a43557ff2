// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of a biped: their items in the I/O frames, and their values (kind_biped.h).
#include "gait/items.h"
#include "steer/kind_biped.h"

#include <footfall/math.h>
#include <stdio.h>
#include <string.h>

enum { ROLL, PITCH, SPIN_X, SPIN_Y, SPIN_Z };

// ------------------------------------------------------------------------------------------ binding

/// The body of the frame of that name, or else the body of that name.
static int body_of(const ff_model *m, const char *name)
{
    const int frame = ff_model_find_frame(m, name);
    return frame >= 0 ? m->frames[frame].body : ff_model_find_body(m, name);
}

/// Pose of a frame or body, by its name, in a body to which it is fixed. @return false: it moves against that body
static bool pose_on(const ff_model *m, const char *name, int body, double pos[3], double quat[4])
{
    static const double none[3] = {0.0, 0.0, 0.0}, upright[4] = {1.0, 0.0, 0.0, 0.0};
    const int frame = ff_model_find_frame(m, name), own = body_of(m, name);
    const double *at = frame >= 0 ? m->frames[frame].pos : none, *turn = frame >= 0 ? m->frames[frame].quat : upright;
    if (own < 0 || m->bodies[own].node != m->bodies[body].node) return false;
    ff_vec3_copy(pos, at);
    memcpy(quat, turn, 4 * sizeof *quat);
    if (own == body) return true;
    double back[4], between[4], moved[3]; // both are fixed to one node
    ff_quat_conjugate(back, m->bodies[body].quat);
    ff_quat_mul(between, back, m->bodies[own].quat);
    ff_quat_mul(quat, between, turn);
    ff_quat_rotate(moved, m->bodies[own].quat, at);
    ff_vec3_add(moved, moved, m->bodies[own].pos);
    ff_vec3_sub(moved, moved, m->bodies[body].pos);
    ff_quat_rotate(pos, back, moved);
    return true;
}

/// Chain of errors of a sensor of the scene; NULL: unknown.
static const ff_chain *chain_of(const ff_controller_site *site, const char *sensor)
{
    char name[256];
    const ff_sensor_set *set = site->plant ? site->plant->sensors : NULL;
    if (!set || snprintf(name, sizeof name, "%s%s", site->prefix, sensor) >= (int)sizeof name) return NULL;
    const int index = ff_sensor_set_find(set, name);
    return index >= 0 ? &set->sensors[index].chain : NULL;
}

/// Has a channel noise that rounding does not hide? Then no two readings within 50 ms are equal.
static bool is_noisy(const ff_controller_site *site, const char *sensor)
{
    const ff_chain *chain = chain_of(site, sensor);
    bool noisy = false;
    for (int i = 0; chain && i < chain->n && chain->stages & FF_STAGE_NOISE; i++) {
        const ff_signal *s = &chain->signals[i];
        const double step = s->form == FF_FORM_STEPS   ? s->step
                            : s->form == FF_FORM_FIXED ? ldexp(1.0, -s->fraction)
                                                       : 0.0;
        noisy = noisy || (s->noise > 0.0 && s->noise >= 0.5 * step);
    }
    return noisy;
}

/// Refuses a sensor whose readings become too old before the next one arrives.
static ff_status check_age(const ff_controller_site *site, const char *sensor, ff_error *err)
{
    const ff_chain *chain = chain_of(site, sensor);
    if (!chain || !(chain->stages & FF_STAGE_SAMPLING)) return FF_OK;
    const double oldest = chain->period * (chain->stages & FF_STAGE_DELAY ? chain->delay + 1 : 1);
    if (oldest < FF_BIPED_OLDEST) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT,
                        "sensor '%.60s' is too slow for a biped: its readings are up to %.3g ms old, and beyond %g ms "
                        "they are of no use",
                        sensor, 1e3 * oldest, 1e3 * FF_BIPED_OLDEST);
}

static ff_status bind_torso(ff_biped_senses *s, const ff_controller_site *site, ff_error *err)
{
    static const char *const items[FF_BIPED_TORSO_ITEMS] = {"roll", "pitch", "spin.x", "spin.y", "spin.z"};
    const ff_model *m = site->robot;
    const char *elsewhere = NULL, *its_body = "";
    for (int i = 0; i < m->nsensor; i++) {
        double pos[3], quat[4], back[4], mount[4];
        int k = 0;
        for (; k < FF_BIPED_TORSO_ITEMS; k++) {
            s->torso[k] = ff_gait_find_sensor(site->sensors, m->sensors[i].name, items[k]);
            if (s->torso[k] < 0) break;
        }
        if (k < FF_BIPED_TORSO_ITEMS) continue;
        if (pose_on(m, m->sensors[i].object, s->robot->torso, pos, quat)) {
            ff_quat_conjugate(back, s->robot->torso_quat);
            ff_quat_mul(mount, back, quat);
            ff_quat_to_mat3(s->mount, mount);
            s->turned = fabs(mount[0]) < 1.0 - 1e-12;
            s->torso_noisy = is_noisy(site, m->sensors[i].name);
            return check_age(site, m->sensors[i].name, err);
        }
        elsewhere = m->sensors[i].name;
        its_body = m->bodies[body_of(m, m->sensors[i].object)].name;
    }
    if (elsewhere)
        return ff_error_set(err, FF_NOT_FOUND,
                            "imu '%.60s' sits on '%.60s' and not on '%.60s', which the biped keeps upright; `torso` of "
                            "`biped` in its file names another body",
                            elsewhere, its_body, m->bodies[s->robot->torso].name);
    return ff_error_set(err, FF_NOT_FOUND,
                        "a biped needs a sensor of type imu on its torso, and effects that have sensors");
}

static void bind_pads(const ff_model *m, const ff_io_layout *sensors, const ff_biped_foot *foot,
                      ff_biped_foot_items *out)
{
    for (int i = 0; i < m->nsensor && out->npad < FF_BIPED_PADS; i++) {
        const int item = ff_gait_find_sensor(sensors, m->sensors[i].name, "closed");
        const int body = body_of(m, m->sensors[i].object);
        if (item >= 0 && body >= 0 && ff_model_is_below(m, body, foot->body)) out->pads[out->npad++] = item;
    }
}

/// Places the force sensor in the frame of the sole.
static ff_status place_force(const ff_model *m, const ff_biped_foot *foot, const char *sensor, ff_biped_foot_items *out,
                             ff_error *err)
{
    for (int i = 0; i < m->nsensor; i++) {
        if (strcmp(m->sensors[i].name, sensor) != 0) continue;
        double pos[3], quat[4], sole[9], own[9], away[3];
        if (!pose_on(m, m->sensors[i].object, foot->body, pos, quat))
            return ff_error_set(err, FF_NOT_FOUND,
                                "force sensor '%.60s' does not sit on '%.60s', the foot of leg '%.60s'", sensor,
                                m->bodies[foot->body].name, foot->name);
        ff_quat_to_mat3(sole, foot->quat);
        ff_quat_to_mat3(own, quat);
        ff_mat3_tmul(out->R, sole, own);
        ff_vec3_sub(away, pos, foot->pos);
        ff_mat3_tmulv(out->pos, sole, away);
    }
    return FF_OK;
}

static ff_status bind_foot(ff_biped_senses *s, int f, const ff_controller_site *site, ff_error *err)
{
    static const char *const items[6] = {"fx", "fy", "fz", "mx", "my", "mz"};
    const ff_model *m = site->robot;
    const ff_biped_foot *foot = &s->robot->feet[f];
    const ff_leg *leg = &m->legs[ff_model_find_leg(m, foot->name)];
    for (int k = 0; k < 6; k++) {
        s->feet[f].force[k] = leg->force ? ff_gait_find_sensor(site->sensors, leg->force, items[k]) : -1;
        if (s->feet[f].force[k] < 0)
            return ff_error_set(err, FF_NOT_FOUND,
                                "leg '%s' needs a sensor of six components (`force` of the leg, of type force6), and "
                                "effects that have sensors",
                                foot->name);
    }
    bind_pads(m, site->sensors, foot, &s->feet[f]);
    s->foot_noisy[f] = is_noisy(site, leg->force);
    const ff_status status = check_age(site, leg->force, err);
    return status != FF_OK ? status : place_force(m, foot, leg->force, &s->feet[f], err);
}

ff_status ff_biped_senses_bind(const ff_biped *robot, const ff_controller_site *site, ff_biped_senses *out,
                               ff_error *err)
{
    *out = (ff_biped_senses){.robot = robot};
    ff_status status = bind_torso(out, site, err);
    for (int f = 0; f < FF_BIPED_FEET && status == FF_OK; f++) status = bind_foot(out, f, site, err);
    return status;
}

// ------------------------------------------------------------------------------------------ reading

/// Converts force and torque from the sensor to the frame of the sole, and adds the weight of the foot itself.
/// @return whether all six components are valid; else `out` stays
static bool read_foot(const ff_biped_senses *s, int f, const ff_io_item *items, ff_biped_wrench *out, bool *pad)
{
    const ff_biped_foot_items *at = &s->feet[f];
    const ff_biped_foot *foot = &s->robot->feet[f];
    const double weight[3] = {0.0, 0.0, foot->mass * s->robot->weight / s->robot->mass};
    double own[6], moment[3];
    bool known = true;
    for (int k = 0; k < 6; k++) {
        known = known && ff_io_known(&items[at->force[k]]);
        own[k] = items[at->force[k]].value;
    }
    if (known) {
        ff_mat3_mulv(out->force, at->R, own);
        ff_mat3_mulv(out->torque, at->R, own + 3);
        ff_vec3_cross(moment, at->pos, out->force);
        ff_vec3_add(out->torque, out->torque, moment);
        ff_vec3_cross(moment, foot->mass_pos, weight);
        ff_vec3_add(out->torque, out->torque, moment);
        ff_vec3_add(out->force, out->force, weight);
    }
    *pad = false;
    for (int k = 0; k < at->npad; k++)
        *pad = *pad || (ff_io_known(&items[at->pads[k]]) && items[at->pads[k]].value > 0.5);
    return known;
}

/// @return whether all items are valid; values that are not stay as they were
static bool read_torso(const ff_biped_senses *s, const ff_io_item *items, ff_biped_sensors *out)
{
    double *const to[FF_BIPED_TORSO_ITEMS] = {&out->roll, &out->pitch, &out->gyro[0], &out->gyro[1], &out->gyro[2]};
    bool known = true;
    for (int k = 0; k < FF_BIPED_TORSO_ITEMS; k++) {
        const ff_io_item *item = &items[s->torso[k]];
        known = known && ff_io_known(item);
        if (ff_io_known(item)) *to[k] = item->value;
    }
    return known;
}

/// Age of an item; `measured` is the time of its last valid value.  [s]
static double age_of(const ff_io_item *item, bool known, double t, double *measured)
{
    if (known) *measured = 1e-9 * (double)item->time_ns;
    return t - *measured;
}

/// Roll and pitch of the torso from those of an imu that is mounted at an angle, by the direction of the vertical.
static void turn_torso(const ff_biped_senses *s, ff_biped_sensors *readings)
{
    const double own[3] = {-ff_sin(readings->pitch), ff_cos(readings->pitch) * ff_sin(readings->roll),
                           ff_cos(readings->pitch) * ff_cos(readings->roll)};
    const double spin[3] = {readings->gyro[0], readings->gyro[1], readings->gyro[2]};
    double up[3];
    ff_mat3_mulv(up, s->mount, own);
    ff_mat3_mulv(readings->gyro, s->mount, spin);
    readings->roll = ff_atan2(up[1], up[2]);
    readings->pitch = ff_atan2(-up[0], ff_hypot(up[1], up[2]));
}

void ff_biped_readings_start(const ff_biped *robot, ff_biped_readings *readings)
{
    for (int f = 0; f < FF_BIPED_FEET; f++) readings->sensors.foot[f].force[2] = 0.5 * robot->weight;
}

ff_biped_sensors ff_biped_read_senses(const ff_biped_senses *s, double t, const ff_io_frame *frame,
                                      ff_biped_readings *readings)
{
    const ff_io_item *items = ff_io_items_of(frame);
    ff_biped_sensors *now = &readings->sensors;
    now->torso_noisy = s->torso_noisy;
    now->torso_age = age_of(&items[s->torso[ROLL]], read_torso(s, items, now), t, &readings->torso_time);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const bool known = read_foot(s, f, items, &now->foot[f], &now->pad[f]);
        now->foot_noisy[f] = s->foot_noisy[f];
        now->foot_age[f] = age_of(&items[s->feet[f].force[2]], known, t, &readings->foot_time[f]);
    }
    ff_biped_sensors upright = *now;
    if (s->turned) turn_torso(s, &upright);
    return upright;
}
