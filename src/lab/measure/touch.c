// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Measuring contacts and bodies. After every accepted step the points are evaluated: peaks of force and depth (the
// vertex of the parabola through three steps, so that they do not depend on where the steps fall), the way slid, the
// reaction over the last second. Bounces of a body begin and end at the transitions the world reports, at the located
// instant where the method locates them; the apex between two steps is that of the cubic through height and speed at
// both ends, which for free flight is exact.
#include "measure/touch.h"

#include "world/world.h"

#include <math.h>

#define LAST_SECOND 1.0 // [s] over which the mean reaction is taken

enum { MOST_TRACKED = 1000 };

// ------------------------------------------------------------------------------------------ peaks

static void peak_add(ff_peak *p, double t, double y)
{
    for (int i = 2; i > 0; i--) p->t[i] = p->t[i - 1], p->y[i] = p->y[i - 1];
    p->t[0] = t;
    p->y[0] = y;
    if (y > p->most) p->most = y;
    if (p->count < 3 && ++p->count < 3) return;
    double h1 = p->t[1] - p->t[2], h0 = p->t[0] - p->t[1];
    if (!(h1 > 0.0 && h0 > 0.0 && p->y[1] >= p->y[0] && p->y[1] >= p->y[2])) return;
    double rise = (p->y[1] - p->y[2]) / h1, fall = (p->y[0] - p->y[1]) / h0;
    double curve = (fall - rise) / (h0 + h1), slope = (rise * h0 + fall * h1) / (h0 + h1);
    if (curve < 0.0) p->most = ff_max(p->most, p->y[1] - 0.25 * slope * slope / curve);
}

/// Highest point of the cubic with heights z0, z1 and speeds v0 > 0 >= v1 at the ends of a step h.
static double apex_between(double z0, double v0, double z1, double v1, double h)
{
    // derivative a s^2 + b s + c with s in [0, 1]
    double a = 6 * (z0 - z1) + 3 * h * (v0 + v1), b = 6 * (z1 - z0) - 2 * h * (2 * v0 + v1), c = h * v0;
    double root = b * b - 4 * a * c, s = root >= 0.0 ? 2 * c / (-b + sqrt(root)) : 0.5;
    if (!(s >= 0.0 && s <= 1.0)) return ff_max(z0, z1);
    return z0 + s * (c + s * (0.5 * b + s * a / 3));
}

// ------------------------------------------------------------------------------------------ bounces

static void body_motion(const ff_measure_site *site, int body, double pos[3], double velocity[3])
{
    static const double origin[3] = {0, 0, 0};
    double motion[6];
    ff_dyn_point_motion(site->model, ff_sim_data(site->sim), body, origin, pos, motion);
    ff_vec3_copy(velocity, motion + 3);
}

static void begin_bounce(ff_track *k, double t, double speed)
{
    k->touching = true;
    if (k->nbounce >= FF_MOST_BOUNCES) return;
    k->bounces[k->nbounce++] = (ff_bounce){.touch = t, .lift = NAN, .speed = speed, .apex = -INFINITY};
}

/// No point of the body touches any more: it left when its last point lifted, or, where that went unheard, now.
static void end_bounce(ff_track *k, double t, const double velocity[3])
{
    k->touching = false;
    ff_bounce *b = &k->bounces[k->nbounce - 1];
    if (!isnan(b->lift)) return; // more bounces than are kept
    const bool reported = k->lift > b->touch;
    b->lift = reported ? k->lift : t;
    ff_vec3_copy(b->velocity, reported ? k->velocity : velocity);
}

/// Transitions: the exact instants.
static void take_transition(void *context, ff_sim *sim, const ff_world_contact *contact, int from, int to, double time)
{
    ff_touches *s = context;
    const int bodies[2] = {contact->body1, contact->body2};
    (void)sim;
    if (from == FF_CONTACT_OPEN) s->first = ff_min(s->first, time);
    if (to == FF_CONTACT_STATIC) s->stick = time;
    for (int i = 0; s->tracks && i < 2; i++) {
        ff_track *k = bodies[i] >= 0 ? &s->tracks[bodies[i]] : NULL;
        if (k && from == FF_CONTACT_OPEN && !k->touching) begin_bounce(k, time, contact->point.closing);
        if (!k || to != FF_CONTACT_OPEN) continue;
        double pos[3];
        k->lift = time;
        body_motion(s->site, bodies[i], pos, k->velocity);
    }
}

// ------------------------------------------------------------------------------------------ after each step

static void note_point(ff_touches *s, int body, const ff_world_contact *c, double sign)
{
    if (body < 0 || !s->tracks) return;
    ff_track *k = &s->tracks[body];
    if (k->seen != s->step) k->force = k->depth = k->up = k->closing = 0.0;
    k->seen = s->step;
    k->force += c->force.normal;
    k->depth = ff_max(k->depth, c->point.depth);
    k->closing = ff_max(k->closing, c->point.closing);
    k->up += sign * c->force.force[2];
}

/// Peaks and slip of one pair of shapes after another; its points follow each other.
static void inspect_points(ff_touches *s, const ff_world_contact *c, int count, double t, double *slip_rate)
{
    double force = 0.0, depth = 0.0;
    for (int i = 0; i < count;) {
        double sum = 0.0, slip = 0.0;
        int first = i, points = 0;
        for (; i < count && c[i].shape1 == c[first].shape1 && c[i].shape2 == c[first].shape2; i++) {
            if (!ff_world_touches(&c[i])) continue;
            points++;
            sum += c[i].force.normal;
            if (c[i].mode == FF_CONTACT_KINETIC) slip += ff_vec3_norm(c[i].point.slip);
            depth = ff_max(depth, c[i].point.depth);
            note_point(s, c[i].body1, &c[i], -1.0);
            note_point(s, c[i].body2, &c[i], 1.0);
        }
        force = ff_max(force, sum);
        if (points) *slip_rate += slip / points;
        if (points) s->first = ff_min(s->first, t);
    }
    peak_add(&s->force, t, force);
    peak_add(&s->depth, t, depth);
}

/// A body that touches or has touched.
static void follow_bounce(const ff_touches *s, ff_track *k, int body, double t, double h)
{
    double pos[3], velocity[3];
    body_motion(s->site, body, pos, velocity);
    if (k->seen == s->step) {
        if (!k->touching) begin_bounce(k, t, k->closing); // it starts in touch, or the step ended at the very touch
        peak_add(&k->bounces[k->nbounce - 1].force, t, k->force);
        peak_add(&k->bounces[k->nbounce - 1].depth, t, k->depth);
    } else if (k->touching) {
        end_bounce(k, t, velocity);
    }
    double top = k->vz > 0.0 && velocity[2] <= 0.0 ? apex_between(k->z, k->vz, pos[2], velocity[2], h) : pos[2];
    k->bounces[k->nbounce - 1].apex = ff_max(k->bounces[k->nbounce - 1].apex, top);
    k->z = pos[2];
    k->vz = velocity[2];
}

static void follow_body(const ff_touches *s, ff_track *k, int body, double t, double h)
{
    const double up = k->seen == s->step ? k->up : 0.0;
    if (k->seen == s->step || k->nbounce > 0) follow_bounce(s, k, body, t, h); // others need not be looked for
    if (t > s->site->time - LAST_SECOND && h > 0.0) {
        k->sum += 0.5 * h * (up + k->up_before);
        k->span += h;
        k->low = ff_min(k->low, up);
        k->top = ff_max(k->top, up);
    }
    k->up_before = up;
}

static ff_sim_action look(void *context, ff_sim *sim, double t)
{
    ff_touches *s = context;
    const ff_model *m = s->site->model;
    int count = 0;
    double h = t - s->time, slip_rate = 0.0;
    const ff_world_contact *contacts = ff_world_contacts(s->site->world, sim, &count);
    s->step++;
    inspect_points(s, contacts, count, t, &slip_rate);
    const double slid = ff_world_slid(s->site->world, sim); // at steps alone it would depend on where they begin
    s->slid = isnan(slid) ? s->slid + 0.5 * h * (slip_rate + s->slip_rate) : slid;
    s->slip_rate = slip_rate;
    for (int i = 0; s->tracks && i < m->nbody; i++)
        if (m->bodies[i].node >= 0) follow_body(s, &s->tracks[i], i, t, h);
    s->time = t;
    return FF_SIM_GO;
}

ff_status ff_touches_begin(const ff_measure_site *site, void **context, ff_error *err)
{
    const int n = site->model->nbody;
    ff_touches *s = *context = FF_ARENA_NEW(site->arena, ff_touches, 1);
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->site = site;
    s->first = s->stick = INFINITY;
    if (!site->world) return FF_OK;
    if (n <= MOST_TRACKED) s->tracks = FF_ARENA_NEW(site->arena, ff_track, n + 1);
    for (int i = 0; s->tracks && i < n; i++) {
        s->tracks[i].low = INFINITY;
        s->tracks[i].top = -INFINITY;
    }
    const ff_world_listener listener = {s, take_transition};
    const ff_status status = ff_world_add_listener(site->world, &listener, err);
    return status == FF_OK ? ff_measure_every_step(site, s, look, err) : status;
}
