// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tendons that wrap around shapes and whose length jumps while a scene runs: a force along them then does work without
// any motion. The length jumps when an end enters the shape, since from there on the tendon is straight, as in MuJoCo;
// or when the path around the shape ends, such as that of a tendon with a side site that was turned too far. A length
// has jumped if it changed by more than the speeds at both ends of the step explain. Reported once a tendon, after the
// run. After a state that was set by the caller the comparison starts again.
#include "diagnose/diagnose.h"
#include "engine/system.h"

#include <math.h>

static const double ROUNDING = 1e-4; // a smaller change, as share of the length, is no jump

/// State of a tendon that wraps around shapes.
typedef struct string {
    int tendon;
    double length, speed; // at the end of the last step  [m], [m/s]
    double since, jump;   // time of the jump, NaN: none; its size  [s], [m]
    int shape, end;       // geom, and frame that went through its surface, -1: none did
    bool *inside;         // for each piece, whether its ends were inside the shape at the last step  (2*npiece)
} string;

typedef struct ff_run_wraps {
    const ff_model *model;
    double last_step; // time of its end  [s]
    uint64_t writes;  // ff_sim.writes at that time
    string *strings;
    int nstring;
} ff_run_wraps;

/// Is a frame inside a shape, which is a sphere or an infinite cylinder?
static bool is_inside(const ff_model *m, const ff_data *d, const ff_frame *frame, const ff_geom *geom)
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
    return ff_vec3_norm(local) < geom->shape.size[0];
}

/// Stores which ends are inside their shapes. An end that went through a surface since the last step caused the jump.
static void inspect_ends(const ff_model *m, const ff_data *d, string *s, bool jumped)
{
    const ff_tendon *t = &m->tendons[s->tendon];
    for (int i = 1; i + 1 < t->npiece; i++)
        for (int k = 0; t->pieces[i].type == FF_TENDON_WRAP && k < 2; k++) {
            const int end = t->pieces[i + (k == 0 ? -1 : 1)].index, shape = t->pieces[i].index;
            const bool inside = is_inside(m, d, &m->frames[end], &m->geoms[shape]);
            if (jumped && inside != s->inside[2 * i + k]) {
                s->end = end;
                s->shape = shape;
            }
            s->inside[2 * i + k] = inside;
        }
}

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    ff_run_wraps *w = context;
    const double h = sim->writes == w->writes ? t - w->last_step : 0.0;
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    for (int i = 0; i < w->nstring; i++) {
        string *s = &w->strings[i];
        const double length = sim->data->tendon_length[s->tendon], speed = sim->data->tendon_speed[s->tendon];
        const double jump = length - s->length - 0.5 * h * (speed + s->speed);
        const bool jumped =
            isnan(s->since) && h > 0.0 && fabs(jump) > h * (fabs(speed) + fabs(s->speed)) + ROUNDING * length;
        if (jumped) {
            s->since = t;
            s->jump = jump;
        }
        if (isnan(s->since) || jumped) inspect_ends(w->model, sim->data, s, jumped);
        s->length = length;
        s->speed = speed;
    }
    w->last_step = t;
    w->writes = sim->writes;
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
    *w = (ff_run_wraps){.model = m, .last_step = INFINITY, .strings = strings};
    for (int i = 0; i < m->ntendon; i++) {
        if (!has_shapes(&m->tendons[i])) continue;
        bool *inside = FF_ARENA_NEW(&run->arena, bool, 2 * m->tendons[i].npiece);
        if (!inside) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
        strings[w->nstring++] = (string){.tendon = i, .since = NAN, .end = -1, .inside = inside};
    }
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
        if (s->end >= 0)
            ff_report_add(
                report, FF_WARNING, t->place,
                "tendon '%.60s' jumps by %.3g mm at %.4g s: its point '%.60s' went through the surface of '%.60s', "
                "around which it runs only while both of its points are outside. What pulls along it has work "
                "from nowhere; move the point, or make the shape smaller",
                t->name, 1e3 * s->jump, s->since, w->model->frames[s->end].name, w->model->geoms[s->shape].name);
        else
            ff_report_add(report, FF_WARNING, t->place,
                          "tendon '%.60s' jumps by %.3g mm at %.4g s: its way around a shape changes there. What pulls "
                          "along it has work from nowhere; bound how far its points turn around the shape, or lead it "
                          "through one more point beside the shape",
                          t->name, 1e3 * s->jump, s->since);
    }
}
