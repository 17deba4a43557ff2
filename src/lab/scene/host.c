// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The joint law and `references` over a modelled bus: a host that knows the joints only from frames. Drives with their
// own loops get targets. For the others the host closes the loop of `hold` with values of potentiometers and absolute
// encoders, one and a half periods late as everything on the bus; speeds are those of tachometers, or differences of
// two samples. Until the first samples arrive, drives keep their torques of the start. References are repeated in every
// telegram, so that losing one does not lose them.
#include "drive/interface.h"
#include "scene/running.h"

#include <string.h>

/// A joint whose drives have no loop, and its items in the frame of sensors.
typedef struct watched {
    int joint;
    int position, speed; // numbers of items; speed -1: by differences
} watched;

/// Measured state of such a joint; part of the saved state.
typedef struct seen {
    double position, speed;
    int64_t time_ns; // of the last sample
    int64_t samples; // number of samples
} seen;

struct ff_run_host {
    watched *joints;
    seen *seen;
    int n;
    double *q, *v; // measured state of these joints  (nq, nv)
};

/// Must the joint law close the loop of this drive, if no controller does?
static bool needs_loop(const ff_scene_law *law, const ff_drive *d)
{
    return law && (law->stiffness > 0.0 || law->damping > 0.0) && d->motor == FF_MOTOR_IDEAL &&
           d->loop == FF_LOOP_DIRECT;
}

/// First item of the sensor of one of two types at the joint, -1 for none.
static int find_item(const ff_sensor_set *set, int joint, ff_sensor_type type, ff_sensor_type other)
{
    int item = 0;
    for (int i = 0; i < set->n; item += set->sensors[i++].chain.n)
        if (set->sensors[i].joint == joint && (set->sensors[i].type == type || set->sensors[i].type == other))
            return item;
    return -1;
}

void ff_scene_check_host(const ff_scene_reader *r, const ff_drive_set *drives, const ff_sensor_set *sensors,
                         ff_place place)
{
    for (int i = 0; i < drives->n; i++) {
        const ff_drive *d = &drives->drives[i];
        const bool needed = needs_loop(r->scene->law, d) && !ff_scene_is_steered(r->scene, d->path.vadr[0]);
        for (int k = 0; needed && k < d->path.njoint; k++) {
            const int joint = d->path.joint[k];
            if (find_item(sensors, joint, FF_SENSOR_POTENTIOMETER, FF_SENSOR_ABSOLUTE) >= 0) continue;
            ff_report_add(
                r->report, FF_ERROR, place,
                "drive '%.60s' has no loop of its own, and no sensor measures where joint '%.60s' is, so that "
                "'hold' cannot close one over the bus: give the drive a 'loop' or the joint a 'potentiometer'",
                d->name, r->scene->model->joints[joint].name);
            return;
        }
    }
}

static void add_joint(ff_run_host *h, const ff_sensor_set *sensors, int joint)
{
    for (int i = 0; i < h->n; i++)
        if (h->joints[i].joint == joint) return;
    h->joints[h->n++] = (watched){joint, find_item(sensors, joint, FF_SENSOR_POTENTIOMETER, FF_SENSOR_ABSOLUTE),
                                  find_item(sensors, joint, FF_SENSOR_TACHOMETER, FF_SENSOR_TACHOMETER)};
}

ff_status ff_run_add_host(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    const ff_model *m = scene->model;
    const ff_scene_law *law = run->law ? &run->law->asked : NULL;
    if (!scene->bus.modelled) return FF_OK;
    ff_run_host *h = FF_ARENA_NEW(&run->arena, ff_run_host, 1);
    if (h) {
        h->joints = FF_ARENA_NEW(&run->arena, watched, m->njoint + 1);
        h->seen = FF_ARENA_NEW(&run->arena, seen, m->njoint + 1);
        h->q = FF_ARENA_NEW(&run->arena, double, m->nq + 1);
        h->v = FF_ARENA_NEW(&run->arena, double, m->nv + 1);
    }
    if (!h || !h->joints || !h->seen || !h->q || !h->v) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int i = 0; i < scene->plant->drives->n; i++) {
        const ff_drive *d = &scene->plant->drives->drives[i];
        const bool needed = needs_loop(law, d) && !ff_run_is_steered(run, d->path.vadr[0]);
        for (int k = 0; needed && k < d->path.njoint; k++) add_joint(h, scene->plant->sensors, d->path.joint[k]);
    }
    run->host = h;
    return ff_sim_add_memory(run->sim, "host", h->seen, (size_t)h->n * sizeof *h->seen, err);
}

/// Reads the items of a joint from a frame.
static void read_joint(const watched *w, const ff_io_frame *sensors, seen *s)
{
    const ff_io_item *items = ff_io_items_of(sensors), *at = &items[w->position];
    if (!ff_io_known(at) || (s->samples > 0 && at->time_ns == s->time_ns)) return;
    if (w->speed < 0 && s->samples > 0)
        s->speed = (at->value - s->position) / (1e-9 * (double)(at->time_ns - s->time_ns));
    if (w->speed >= 0 && ff_io_known(&items[w->speed])) s->speed = items[w->speed].value;
    s->position = at->value;
    s->time_ns = at->time_ns;
    s->samples++;
}

/// Reads all joints from a frame. @return whether all are known
static bool read_joints(ff_run_host *h, const ff_model *m, const ff_io_frame *sensors)
{
    bool known = h->n > 0;
    for (int i = 0; i < h->n; i++) {
        const ff_joint *joint = &m->joints[h->joints[i].joint];
        read_joint(&h->joints[i], sensors, &h->seen[i]);
        h->q[joint->qadr] = h->seen[i].position;
        h->v[joint->vadr] = h->seen[i].speed;
        known = known && h->seen[i].samples > 0;
    }
    return known;
}

/// Turns references of the motors of differentials, which `hold` and `references` give, into those of their joints,
/// which frames contain; valid only if both motors have one.
static void refer_to_joints(const ff_drive_set *set, ff_io_frame *references)
{
    ff_io_item *items = ff_io_items(references);
    for (int i = 0; i < set->n; i++) {
        const int other = set->drives[i].partner;
        double motors[2][3], joints[2][3];
        if (other < i) continue;
        for (int k = 0; k < 3; k++) {
            ff_io_item *a = &items[3 * i + k], *b = &items[3 * other + k];
            a->valid = b->valid = a->valid && b->valid;
            motors[0][k] = a->value;
            motors[1][k] = b->value;
        }
        ff_differential_to_joints(&set->drives[i], &set->drives[other], motors, joints);
        for (int k = 0; k < 3; k++) {
            items[3 * i + k].value = joints[0][k];
            items[3 * other + k].value = joints[1][k];
        }
    }
}

void ff_run_host_cycle(const ff_run *run, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const ff_scene_spec *scene = run->scene;
    ff_run_host *h = run->host;
    const bool known = read_joints(h, scene->model, sensors);
    if (run->law) ff_run_send_targets(run, t, known ? h->q : NULL, known ? h->v : NULL, references);
    const ff_ticks now = ff_ticks_from_seconds(t);
    ff_io_item *items = ff_io_items(references);
    for (int i = 0; i < scene->nreference; i++) {
        const ff_scene_reference *ref = &scene->references[i];
        for (int k = 0; k < 3 && ff_ticks_from_seconds(ref->at) <= now; k++)
            if (ref->given[k]) items[3 * ref->drive + k] = (ff_io_item){.value = ref->value[k], .valid = 1};
    }
    refer_to_joints(scene->plant->drives, references);
}
