// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The devices of a robot (wiring.h).
#include "hardware/wiring.h"

#include "drive/interface.h"
#include "sense/interface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_COUNTS = 65536 }; // per turn, of drives without a described encoder

static int find_item(const ff_io_layout *layout, const char *lead, const char *name, const char *channel)
{
    char item[sizeof layout->names->name];
    snprintf(item, sizeof item, "%s.%s.%s", lead, name, channel);
    return ff_io_find(layout, item);
}

// ------------------------------------------------------------------------------------------ drives

/// References of a differential have the name of a joint.
static const char *reference_name(const ff_wiring *w, int i)
{
    const ff_drive *d = &w->drive_set->drives[i];
    return d->partner < 0 ? d->name : w->model->joints[d->path.joint[d->partner < i ? 1 : 0]].name;
}

static bool names_match(const ff_wiring *w, const ff_io_layout *references)
{
    for (int i = 0; i < w->drive_set->n; i++)
        if (w->drive_set->drives[i].motor != FF_MOTOR_NONE &&
            find_item(references, "drives", reference_name(w, i), "position") < 0)
            return false;
    return w->drive_set->n > 0;
}

/// The active drives depend on how they are modelled; their names are those of the frames.
static ff_status make_drive_set(ff_wiring *w, const ff_relay_site *site, ff_error *err)
{
    ff_drive_options options = ff_drive_options_default();
    for (int ideal = 0; ideal < 2; ideal++) {
        options.ideal = ideal;
        w->drive_set = ff_drive_set_create(site->robot, &options, NULL);
        if (w->drive_set && names_match(w, site->references)) return FF_OK;
        ff_drive_set_destroy(w->drive_set);
        w->drive_set = NULL;
    }
    return ff_error_set(err, FF_BAD_MODEL,
                        "the drives of the robot do not match its frames: a hardware layer needs drives with "
                        "references of position");
}

static const ff_sensor *find_sensor(const ff_wiring *w, ff_sensor_type type, int joint)
{
    for (int i = 0; i < w->sensor_set->n; i++)
        if (w->sensor_set->sensors[i].type == type && w->sensor_set->sensors[i].joint == joint)
            return &w->sensor_set->sensors[i];
    return NULL;
}

static ff_joint_sensor wire_joint(const ff_wiring *w, const ff_io_layout *sensors, int joint)
{
    const ff_sensor *absolute = find_sensor(w, FF_SENSOR_ABSOLUTE, joint);
    const ff_sensor *pot = find_sensor(w, FF_SENSOR_POTENTIOMETER, joint);
    if (absolute) {
        const double step = absolute->signals[0].step;
        return (ff_joint_sensor){.item = find_item(sensors, "sensors", absolute->name, "position"),
                                 .absolute = true,
                                 .step = step > 0.0 ? step : 2.0 * FF_PI / (1 << 20)};
    }
    return (ff_joint_sensor){.item = pot ? find_item(sensors, "sensors", pot->name, "position") : -1};
}

static ff_status wire_feedback(const ff_wiring *w, const ff_io_layout *sensors, ff_drive_wiring *out, ff_error *err)
{
    const ff_drive *d = out->drive;
    const int which = d->partner >= 0 && &w->drive_set->drives[d->partner] < d ? 1 : 0;
    const ff_sensor *encoder =
        d->path.njoint == 1 || d->partner >= 0 ? find_sensor(w, FF_SENSOR_ENCODER, d->path.joint[which]) : NULL;
    const double ratio = d->ratio > 0.0 ? d->ratio : 1.0;
    double counts = d->counts > 0 ? d->counts : DEFAULT_COUNTS;
    for (int k = 0; k < d->path.njoint; k++) {
        out->joint[k] = wire_joint(w, sensors, d->path.joint[k]);
        if (out->joint[k].item < 0)
            return ff_error_set(err, FF_BAD_MODEL,
                                "drive '%s' cannot be homed: its joint '%s' has neither an absolute encoder nor a "
                                "potentiometer",
                                d->name, w->model->joints[d->path.joint[k]].name);
    }
    out->motor_item = encoder ? find_item(sensors, "sensors", encoder->name, "count") : -1;
    if (out->motor_item >= 0 && encoder->signals[0].step > 0.0) counts = 2.0 * FF_PI / encoder->signals[0].step;
    out->has_index =
        out->motor_item >= 0 && find_item(sensors, "sensors", encoder->name, "index") == out->motor_item + 1;
    out->turn = counts;
    out->scale = ratio * counts / (2.0 * FF_PI);
    return FF_OK;
}

static ff_status wire_drive(ff_wiring *w, const ff_relay_site *site, int i, ff_error *err)
{
    static const char *const words[3] = {"position", "speed", "force"};
    ff_drive_wiring *out = &w->drives[w->ndrive++];
    const ff_drive *d = &w->drive_set->drives[i];
    *out = (ff_drive_wiring){.drive = d, .name = d->name, .partner = -1, .other = -1};
    for (int k = 0; k < 3; k++)
        out->references[k] = find_item(site->references, "drives", reference_name(w, i), words[k]);
    if (d->loop == FF_LOOP_DIRECT && d->motor != FF_MOTOR_SERVO && d->motor != FF_MOTOR_IDEAL)
        return ff_error_set(err, FF_BAD_MODEL,
                            "drive '%s' takes voltages or currents: no mode of operation supports that; give it "
                            "'loop: {kind: pd, ..}'",
                            d->name);
    out->rated = d->stall > 0.0 ? d->stall : 1.0;
    return wire_feedback(w, site->sensors, out, err);
}

/// Limits of the joint of a drive. For a drive on two joints they depend on the other drive. @param q  scratch (nq)
static void wire_range(const ff_wiring *w, ff_drive_wiring *out, double *q)
{
    const ff_drive_path *path = &out->drive->path;
    const ff_joint *joint = &w->model->joints[path->joint[0]];
    out->range[0] = -INFINITY, out->range[1] = INFINITY;
    if (path->njoint != 1 || !joint->limited) return;
    for (int end = 0; end < 2; end++) {
        q[joint->qadr] = joint->range[end];
        out->range[end] = ff_drive_path_locate(path, q, q).x;
    }
    if (out->range[0] > out->range[1]) { // opposite directions of motor and joint
        const double low = out->range[1];
        out->range[1] = out->range[0];
        out->range[0] = low;
    }
}

/// Two drives on the same two joints are partners.
static ff_status pair_drives(ff_wiring *w, ff_error *err)
{
    for (int i = 0; i < w->ndrive; i++) {
        const ff_drive_path *a = &w->drives[i].drive->path;
        for (int k = 0; k < w->ndrive && a->njoint == 2; k++) {
            const ff_drive_path *b = &w->drives[k].drive->path;
            if (k == i || b->njoint != 2 || a->joint[0] != b->joint[0] || a->joint[1] != b->joint[1]) continue;
            w->drives[i].other = k;
            w->drives[i].encoder_joint = k < i ? 1 : 0;
            if (w->drives[i].drive->partner >= 0) w->drives[i].partner = k;
        }
        if (a->njoint == 2 && w->drives[i].other < 0)
            return ff_error_set(
                err, FF_BAD_MODEL,
                "drive '%s' moves two joints, and no other drive moves the same two: their positions do "
                "not follow from its motor",
                w->drives[i].name);
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ sensors

static ff_sensor_wiring wire_sensor(const ff_sensor *s, int first)
{
    ff_sensor_wiring out = {.sensor = s, .name = s->name, .first = first, .n = s->chain.n};
    for (int k = 0; k < 6 && k < s->chain.n; k++)
        out.range[k] = s->signals[k].high > 0.0 ? s->signals[k].high : INFINITY;
    return out;
}

static void wire_sensors(ff_wiring *w, const ff_io_layout *sensors, bool *assigned)
{
    for (int i = 0; i < w->sensor_set->n; i++) {
        const ff_sensor *s = &w->sensor_set->sensors[i];
        const bool force = s->type == FF_SENSOR_FORCE || s->type == FF_SENSOR_FORCE6;
        const bool inertial = ff_sensor_is_inertial(s->type);
        if (!force && !inertial) continue;
        const int first = find_item(sensors, "sensors", s->name, ff_sensor_channel(s, 0));
        if (first < 0) continue;
        if (force) w->forces[w->nforce++] = wire_sensor(s, first);
        if (inertial) w->inertial[w->ninertial++] = wire_sensor(s, first);
        for (int k = 0; k < s->chain.n; k++) assigned[first + k] = true;
    }
}

static void wire_gateway(ff_wiring *w, const ff_io_layout *sensors, bool *assigned)
{
    for (int i = 0; i < w->ndrive; i++) {
        const ff_drive_wiring *d = &w->drives[i];
        if (d->motor_item >= 0) assigned[d->motor_item] = true;
        if (d->joint[d->encoder_joint].absolute) assigned[d->joint[d->encoder_joint].item] = true;
    }
    for (int i = 0; i < sensors->count; i++)
        if (!assigned[i]) w->gateway[w->ngateway++] = i;
}

ff_status ff_wiring_make(ff_wiring *w, const ff_relay_site *site, ff_arena *arena, ff_error *err)
{
    ff_sensor_options options = ff_sensor_options_default();
    options.cameras = false;
    *w = (ff_wiring){.model = site->robot};
    ff_status status = make_drive_set(w, site, err);
    if (status != FF_OK) return status;
    w->sensor_set = ff_sensor_set_create(site->robot, &options, NULL);
    if (!w->sensor_set) return ff_error_set(err, FF_BAD_MODEL, "the sensors of the robot cannot be created");
    w->drives = FF_ARENA_NEW(arena, ff_drive_wiring, w->drive_set->n + 1);
    w->forces = FF_ARENA_NEW(arena, ff_sensor_wiring, w->sensor_set->n + 1);
    w->inertial = FF_ARENA_NEW(arena, ff_sensor_wiring, w->sensor_set->n + 1);
    w->gateway = FF_ARENA_NEW(arena, int, site->sensors->count + 1);
    bool *assigned = FF_ARENA_NEW(arena, bool, site->sensors->count + 1);
    double *q = FF_ARENA_NEW(arena, double, site->robot->nq + 1);
    if (!w->drives || !w->forces || !w->inertial || !w->gateway || !assigned || !q)
        return ff_error_set(err, FF_NO_MEMORY, "no memory for the devices");
    for (int i = 0; i < w->drive_set->n && status == FF_OK; i++)
        if (w->drive_set->drives[i].motor != FF_MOTOR_NONE) status = wire_drive(w, site, i, err);
    if (status == FF_OK) status = pair_drives(w, err);
    if (status != FF_OK) return status;
    for (int i = 0; i < w->ndrive; i++) wire_range(w, &w->drives[i], q);
    wire_sensors(w, site->sensors, assigned);
    wire_gateway(w, site->sensors, assigned);
    return FF_OK;
}

void ff_wiring_clear(ff_wiring *w)
{
    ff_drive_set_destroy(w->drive_set);
    ff_sensor_set_destroy(w->sensor_set);
    *w = (ff_wiring){0};
}

bool ff_wiring_is_index_mark(const ff_wiring *w, int item)
{
    for (int i = 0; i < w->ndrive; i++) {
        const int motor_item = w->drives[i].motor_item;
        if (motor_item >= 0 && (item == motor_item + 1 || item == motor_item + 2)) return true;
    }
    return false;
}
