// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts and bodies. After every accepted step the points are evaluated: peaks of force and depth (the vertex of the
// parabola through three steps, so that they do not depend on where the steps end), the distance slid, the reaction
// over the last second. Bounces of a body begin and end at the transitions that the world reports, at the located time
// if the method locates events. The apex between two steps is that of the cubic through height and speed at both ends,
// which is exact for free flight. Metrics of bodies are computed on request: a scene of a thousand bodies has tens of
// thousands.
#include "measure/measure.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAST_SECOND 1.0 // time at the end of the run over which the mean reaction is computed  [s]

enum { MOST_TRACKED = 1000 };

enum { MOST_BOUNCES = 16 };

/// Largest value of a series, refined by a parabola around it.
typedef struct peak {
    double t[3], y[3]; // the last samples, newest first
    int count;
    double most;
} peak;

typedef struct bounce {
    double touch, lift; // times of touch-down and lift-off, lift NaN until then  [s]
    double speed;       // closing speed at touch-down  [m/s]
    peak force, depth;  // [N], [m]
    double velocity[3]; // of the body at lift-off  [m/s]
    double apex;        // greatest height of the body's frame until the next touch  [m]
} bounce;

/// One body.
typedef struct track {
    bounce bounces[MOST_BOUNCES];
    int nbounce;
    bool touching;
    long long seen;             // number of the last step with a point of it in touch
    double force, depth;        // in this step: sum of normal forces of its points  [N], largest depth  [m]
    double closing;             // largest closing speed of its points  [m/s]
    double up, up_before;       // vertical force in this step and the last one  [N]
    double z, vz;               // height and vertical speed at the last step  [m], [m/s]
    double lift, velocity[3];   // time and velocity at the last lift-off of a point  [s], [m/s]
    double sum, span, low, top; // reaction over the last second: integral [N s], time [s], extremes [N]
} track;

typedef struct touches {
    const ff_measure_site *site;
    track *tracks; // (nbody), NULL for scenes with many bodies
    double time;   // end of the last step  [s]
    long long step;
    double first;     // time of the first touch  [s]
    double stick;     // time of the last transition to sticking  [s]
    double slid;      // distance slid up to the last step  [m]
    double slip_rate; // its rate at the last step  [m/s]
    peak force, depth;
} touches;

enum { CONTACT_METRICS = 11, BODY_METRICS = 10, BOUNCE_METRICS = 9 };
enum { CONTACTS = 0, BODIES = CONTACT_METRICS, BOUNCES = BODIES + BODY_METRICS, METRICS = BOUNCES + BOUNCE_METRICS };

static const ff_metric_help help[METRICS + 1] = {
    {"contacts.count", "", "points in touch at the end"},
    {"contacts.most", "", "most points in touch at a time"},
    {"contacts.force.max", "N", "largest normal force between two shapes; null where steps do not resolve it"},
    {"contacts.penetration.max", "m", "deepest point; null likewise"},
    {"contacts.slip", "m",
     "distance slid (sticking points do not), mean of the points of each pair of shapes, all pairs added"},
    {"contacts.touches", "", "transitions into touch"},
    {"contacts.lifts", "", "transitions out of touch"},
    {"contacts.sticks", "", "transitions from sliding to sticking"},
    {"contacts.slips", "", "transitions from sticking to sliding"},
    {"contacts.first.time", "s", "first touch; null without one"},
    {"contacts.stick.time", "s", "last time a point began to stick; null without one"},
    [BODIES] = {"bodies.NAME.x.final", "m", "place of a body's frame at the end"},
    {"bodies.NAME.y.final", "m", "the same along y"},
    {"bodies.NAME.z.final", "m", "the same along z"},
    {"bodies.NAME.vx.final", "m/s", "velocity of a body's frame at the end"},
    {"bodies.NAME.vy.final", "m/s", "the same along y"},
    {"bodies.NAME.vz.final", "m/s", "the same along z"},
    {"bodies.NAME.speed.final", "m/s", "size of this velocity"},
    {"bodies.NAME.spin.final", "rad/s", "size of the angular velocity at the end"},
    {"bodies.NAME.contact.force.mean", "N", "vertical contact force, mean over the last second"},
    {"bodies.NAME.contact.force.ripple", "", "its largest minus its smallest value in the last second, over the mean"},
    [BOUNCES] = {"bodies.NAME.bounce.N.touch", "s", "N-th touch-down of a body, N from 1 to 16"},
    {"bodies.NAME.bounce.N.lift", "s", "lift-off that follows; null while it lasts"},
    {"bodies.NAME.bounce.N.speed", "m/s", "closing speed at touch-down"},
    {"bodies.NAME.bounce.N.force", "N", "largest normal force; null where steps do not resolve it"},
    {"bodies.NAME.bounce.N.depth", "m", "deepest point; null likewise"},
    {"bodies.NAME.bounce.N.vx", "m/s", "velocity of its frame at lift-off"},
    {"bodies.NAME.bounce.N.vy", "m/s", "the same along y"},
    {"bodies.NAME.bounce.N.vz", "m/s", "the same along z"},
    {"bodies.NAME.bounce.N.apex", "m", "greatest height of its frame before the next touch"},
};

// ------------------------------------------------------------------------------------------ peaks

static void peak_add(peak *p, double t, double y)
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

static void begin_bounce(track *k, double t, double speed)
{
    k->touching = true;
    if (k->nbounce >= MOST_BOUNCES) return;
    k->bounces[k->nbounce++] = (bounce){.touch = t, .lift = NAN, .speed = speed, .apex = -INFINITY};
}

/// Ends a bounce when no point of the body touches: at its last lift-off, or now, if that was not reported.
static void end_bounce(track *k, double t, const double velocity[3])
{
    k->touching = false;
    bounce *b = &k->bounces[k->nbounce - 1];
    if (!isnan(b->lift)) return; // there were more than MOST_BOUNCES
    const bool reported = k->lift > b->touch;
    b->lift = reported ? k->lift : t;
    ff_vec3_copy(b->velocity, reported ? k->velocity : velocity);
}

/// Handles a transition of a contact at its located time.
static void take_transition(void *context, ff_sim *sim, const ff_world_contact *contact, int from, int to, double time)
{
    touches *s = context;
    const int bodies[2] = {contact->body1, contact->body2};
    (void)sim;
    if (from == FF_CONTACT_OPEN) s->first = ff_min(s->first, time);
    if (to == FF_CONTACT_STATIC) s->stick = time;
    for (int i = 0; s->tracks && i < 2; i++) {
        track *k = bodies[i] >= 0 ? &s->tracks[bodies[i]] : NULL;
        if (k && from == FF_CONTACT_OPEN && !k->touching) begin_bounce(k, time, contact->point.closing);
        if (!k || to != FF_CONTACT_OPEN) continue;
        double pos[3];
        k->lift = time;
        body_motion(s->site, bodies[i], pos, k->velocity);
    }
}

// ------------------------------------------------------------------------------------------ after each step

static void note_point(touches *s, int body, const ff_world_contact *c, double sign)
{
    if (body < 0 || !s->tracks) return;
    track *k = &s->tracks[body];
    if (k->seen != s->step) k->force = k->depth = k->up = k->closing = 0.0;
    k->seen = s->step;
    k->force += c->force.normal;
    k->depth = ff_max(k->depth, c->point.depth);
    k->closing = ff_max(k->closing, c->point.closing);
    k->up += sign * c->force.force[2];
}

/// Updates peaks and slip, pair by pair of shapes: the points of a pair follow each other in the list.
static void inspect_points(touches *s, const ff_world_contact *c, int count, double t, double *slip_rate)
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

/// Updates the bounces of a body that touches or has touched.
static void follow_bounce(const touches *s, track *k, int body, double t, double h)
{
    double pos[3], velocity[3];
    body_motion(s->site, body, pos, velocity);
    if (k->seen == s->step) {
        if (!k->touching) begin_bounce(k, t, k->closing); // it touches at the start, or since the end of the step
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

static void follow_body(const touches *s, track *k, int body, double t, double h)
{
    const double up = k->seen == s->step ? k->up : 0.0;
    if (k->seen == s->step || k->nbounce > 0) follow_bounce(s, k, body, t, h);
    if (t > s->site->time - LAST_SECOND && h > 0.0) {
        k->sum += 0.5 * h * (up + k->up_before);
        k->span += h;
        k->low = ff_min(k->low, up);
        k->top = ff_max(k->top, up);
    }
    k->up_before = up;
}

static ff_sim_action after_step(void *context, ff_sim *sim, double t)
{
    touches *s = context;
    const ff_model *m = s->site->model;
    int count = 0;
    double h = t - s->time, slip_rate = 0.0;
    const ff_world_contact *contacts = ff_world_contacts(s->site->world, sim, &count);
    s->step++;
    inspect_points(s, contacts, count, t, &slip_rate);
    const double slid = ff_world_slid(s->site->world, sim); // NaN: the method does not integrate it
    s->slid = isnan(slid) ? s->slid + 0.5 * h * (slip_rate + s->slip_rate) : slid;
    s->slip_rate = slip_rate;
    for (int i = 0; s->tracks && i < m->nbody; i++)
        if (m->bodies[i].node >= 0) follow_body(s, &s->tracks[i], i, t, h);
    s->time = t;
    return FF_SIM_GO;
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    const int n = site->model->nbody;
    touches *s = *context = FF_ARENA_NEW(site->arena, touches, 1);
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->site = site;
    s->first = s->stick = INFINITY;
    if (!site->world) return FF_OK;
    if (n <= MOST_TRACKED) s->tracks = FF_ARENA_NEW(site->arena, track, n + 1);
    for (int i = 0; s->tracks && i < n; i++) {
        s->tracks[i].low = INFINITY;
        s->tracks[i].top = -INFINITY;
    }
    const ff_world_listener listener = {s, take_transition};
    const ff_status status = ff_world_add_listener(site->world, &listener, err);
    return status == FF_OK ? ff_measure_every_step(site, s, after_step, err) : status;
}

// ------------------------------------------------------------------------------------------ metrics of contacts

/// NaN, which files have as null, in place of infinite numbers.
static double or_null(double x)
{
    return isfinite(x) ? x : NAN;
}

static void list(const void *context, double *values)
{
    const touches *s = context;
    const ff_world *world = s->site->world;
    int count = 0, touching = 0;
    for (int i = 0; !world && i < CONTACT_METRICS; i++) values[i] = i >= 9 ? NAN : 0.0;
    if (!world) return;
    const ff_world_contact *c = ff_world_contacts(s->site->world, s->site->sim, &count);
    for (int k = 0; k < count; k++) touching += ff_world_touches(&c[k]);
    const ff_world_counts n = ff_world_get_counts(world);
    const bool resolved = n.unresolved == 0;
    const double all[CONTACT_METRICS] = {touching,
                                         n.most,
                                         resolved ? s->force.most : NAN,
                                         resolved ? s->depth.most : NAN,
                                         s->slid,
                                         (double)n.touches,
                                         (double)n.lifts,
                                         (double)n.sticks,
                                         (double)n.slips,
                                         or_null(s->first),
                                         or_null(s->stick)};
    memcpy(values, all, sizeof all);
}

// ------------------------------------------------------------------------------------------ metrics of bodies

enum { SPEED = 6, SPIN, MEAN };
enum { BODY_PREFIX = sizeof "bodies.NAME." - 1, BOUNCE_PREFIX = sizeof "bodies.NAME.bounce.N." - 1 };

/// Index of the row whose name after `prefix` characters is the word, -1: none.
static int find_word(const char *word, const ff_metric_help *table, int count, int prefix)
{
    for (int i = 0; i < count; i++)
        if (strcmp(word, table[i].name + prefix) == 0) return i;
    return -1;
}

/// Reads "bounce.N.METRIC". @return index of the metric among those of bounces, or -1; N from 1 in `number`
static int bounce_metric(const char *rest, int *number)
{
    char *end;
    if (strncmp(rest, "bounce.", 7) != 0 || rest[7] < '1' || rest[7] > '9') return -1;
    long n = strtol(rest + 7, &end, 10);
    if (n < 1 || n > MOST_BOUNCES || *end != '.') return -1;
    *number = (int)n;
    return find_word(end + 1, help + BOUNCES, BOUNCE_METRICS, BOUNCE_PREFIX);
}

/// Text after "bodies.NAME.", where NAME is the longest name of a body that fits; NULL: none does.
static const char *split_name(const ff_model *m, const char *name, int *body)
{
    static const char start[] = "bodies.";
    const char *rest = NULL;
    size_t longest = 0, begin = sizeof start - 1;
    if (strncmp(name, start, begin) != 0) return NULL;
    for (int i = 0; i < m->nbody; i++) {
        size_t length = strlen(m->bodies[i].name);
        if (m->bodies[i].node < 0 || length <= longest || strncmp(name + begin, m->bodies[i].name, length) != 0 ||
            name[begin + length] != '.')
            continue;
        longest = length;
        *body = i;
        rest = name + begin + length + 1;
    }
    return rest;
}

static bool knows(const ff_measure_site *site, const char *name)
{
    int body = -1, number = 0;
    const char *rest = split_name(site->model, name, &body);
    return rest &&
           (find_word(rest, help + BODIES, BODY_METRICS, BODY_PREFIX) >= 0 || bounce_metric(rest, &number) >= 0);
}

/// Lists all names except those of bounces, which are too many.
static void offers(const ff_measure_site *site, ff_measure_names *out)
{
    const ff_model *m = site->model;
    for (int b = 0; b < m->nbody; b++)
        for (int i = 0; m->bodies[b].node >= 0 && i < BODY_METRICS; i++)
            ff_measure_add_name(out, "bodies.%s.%s", m->bodies[b].name, help[BODIES + i].name + BODY_PREFIX);
}

static double value_of_body(const touches *s, int body, int what)
{
    static const double origin[3] = {0, 0, 0};
    const track *k = s->tracks ? &s->tracks[body] : NULL;
    double pos[3], quat[4], motion[6];
    const ff_data *d = ff_sim_data(s->site->sim);
    ff_dyn_body_pose(s->site->model, d, body, pos, quat);
    ff_dyn_point_velocity(s->site->model, d, body, origin, motion);
    if (what < 3) return pos[what];
    if (what < SPEED) return motion[what];
    if (what == SPEED) return ff_vec3_norm(motion + 3);
    if (what == SPIN) return ff_vec3_norm(motion);
    if (!k || !(k->span > 0.0)) return NAN;
    return what == MEAN ? k->sum / k->span : (k->top - k->low) * k->span / k->sum;
}

static double value_of_bounce(const touches *s, int body, int number, int what)
{
    const track *k = s->tracks ? &s->tracks[body] : NULL;
    if (!k || number > k->nbounce) return NAN;
    const bounce *b = &k->bounces[number - 1];
    const bool resolved = ff_world_get_counts(s->site->world).unresolved == 0;
    const double values[BOUNCE_METRICS] = {b->touch,
                                           b->lift,
                                           b->speed,
                                           resolved ? b->force.most : NAN,
                                           resolved ? b->depth.most : NAN,
                                           b->velocity[0],
                                           b->velocity[1],
                                           b->velocity[2],
                                           or_null(b->apex)};
    return values[what];
}

static bool value(const void *context, const char *name, double *out)
{
    const touches *s = context;
    int body = -1, number = 0;
    const char *rest = split_name(s->site->model, name, &body);
    if (!rest) return false;
    const int what = find_word(rest, help + BODIES, BODY_METRICS, BODY_PREFIX),
              of_bounce = bounce_metric(rest, &number);
    if (what >= 0) *out = value_of_body(s, body, what);
    if (of_bounce >= 0) *out = value_of_bounce(s, body, number, of_bounce);
    return what >= 0 || of_bounce >= 0;
}

const ff_measure_kind ff_measure_touch = {.name = "touch",
                                          .help = help,
                                          .listed = CONTACT_METRICS,
                                          .offers = offers,
                                          .knows = knows,
                                          .begin = begin,
                                          .list = list,
                                          .value = value};
