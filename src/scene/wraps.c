// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Strings whose end enters the shape they run around while a scene runs. From there on they run straight, as in MuJoCo,
// and their length jumps: what pulls along them has done work that no motion did. A length has jumped where it changed
// by more than both speeds at the ends of a step explain. Told once a tendon, after the run.
#include "engine/system.h"
#include "scene/running.h"

#include <math.h>

static const double ROUNDING = 1e-4; // part of a length that is no jump

/// What is known of a string that runs around shapes.
typedef struct string {
    int tendon;
    double length, speed; // at the last step  [m], [m/s]
    double since, jump;   // when it jumped, NaN: never; by how much  [s], [m]
    int shape, end;       // at what: geom and frame
} string;

typedef struct ff_run_wraps {
    const ff_model *model;
    double then; // last step  [s]
    string *strings;
    int nstring;
} ff_run_wraps;

/// Distance of a frame from the surface of a shape, a sphere or a cylinder of any length.  [m]
static double distance(const ff_model *m, const ff_data *d, const ff_frame *frame, const ff_geom *geom)
{
    double end[3], end_turn[4], at[3], turn[4], pos[3], quat[4], R[9], away[3], local[3];
    ff_vec3_copy(end, frame->pos);
    ff_quat_copy(end_turn, frame->quat);
    ff_dyn_body_pose(m, d, frame->body, pos, quat);
    ff_pose_displace(end, end_turn, pos, quat);
    ff_vec3_copy(at, geom->pos);
    ff_quat_copy(turn, geom->quat);
    ff_dyn_body_pose(m, d, geom->body, pos, quat);
    ff_pose_displace(at, turn, pos, quat);
    ff_vec3_sub(away, end, at);
    ff_quat_to_mat3(R, turn);
    ff_mat3_tmulv(local, R, away);
    if (geom->shape.type == FF_SHAPE_CYLINDER) local[2] = 0.0;
    return fabs(ff_vec3_norm(local) - geom->shape.size[0]);
}

/// The end that is nearest to the surface of its shape is the one that went through it.
static void find_cause(const ff_run_wraps *w, const ff_data *d, string *s)
{
    const ff_model *m = w->model;
    const ff_tendon *t = &m->tendons[s->tendon];
    double least = INFINITY;
    for (int i = 1; i + 1 < t->npiece; i++)
        for (int side = -1; t->pieces[i].type == FF_TENDON_WRAP && side <= 1; side += 2) {
            const int end = t->pieces[i + side].index, shape = t->pieces[i].index;
            const double gap = distance(m, d, &m->frames[end], &m->geoms[shape]);
            if (gap >= least) continue;
            least = gap;
            s->end = end;
            s->shape = shape;
        }
}

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    ff_run_wraps *w = context;
    const double h = t - w->then;
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    for (int i = 0; i < w->nstring; i++) {
        string *s = &w->strings[i];
        const double length = sim->data->tendon_length[s->tendon], speed = sim->data->tendon_speed[s->tendon];
        const double jump = length - s->length - 0.5 * h * (speed + s->speed);
        if (isnan(s->since) && h > 0.0 && fabs(jump) > h * (fabs(speed) + fabs(s->speed)) + ROUNDING * length) {
            s->since = t;
            s->jump = jump;
            find_cause(w, sim->data, s);
        }
        s->length = length;
        s->speed = speed;
    }
    w->then = t;
    return FF_SIM_GO;
}

static bool has_shapes(const ff_tendon *t)
{
    for (int i = 0; i < t->npiece; i++)
        if (t->pieces[i].type == FF_TENDON_WRAP) return true;
    return false;
}

ff_status ff_run_watch_wraps(ff_run *run, ff_error *err)
{
    const ff_model *m = run->scene->model;
    int count = 0;
    for (int i = 0; i < m->ntendon; i++) count += has_shapes(&m->tendons[i]);
    if (count == 0) return FF_OK;
    ff_run_wraps *w = run->wraps = FF_ARENA_NEW(&run->arena, ff_run_wraps, 1);
    string *strings = FF_ARENA_NEW(&run->arena, string, count);
    if (!w || !strings) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    *w = (ff_run_wraps){.model = m, .then = INFINITY, .strings = strings};
    for (int i = 0; i < m->ntendon; i++)
        if (has_shapes(&m->tendons[i])) strings[w->nstring++] = (string){.tendon = i, .since = NAN};
    const ff_listener listener = {.context = w, .step = watch};
    return ff_sim_add_listener(run->sim, &listener, err);
}

void ff_run_report_wraps(const ff_run *run, ff_report *report)
{
    const ff_run_wraps *w = run->wraps;
    for (int i = 0; w && i < w->nstring; i++) {
        const string *s = &w->strings[i];
        const ff_tendon *t = &w->model->tendons[s->tendon];
        if (isnan(s->since)) continue;
        ff_report_add(
            report, FF_WARNING, t->place,
            "tendon '%.60s' jumps by %.3g mm at %.4g s: its point '%.60s' went through the surface of '%.60s', "
            "around which it runs only while both of its points are outside. What pulls along it has work "
            "from nowhere; move the point, or make the shape smaller",
            t->name, 1e3 * s->jump, s->since, w->model->frames[s->end].name, w->model->geoms[s->shape].name);
    }
}
