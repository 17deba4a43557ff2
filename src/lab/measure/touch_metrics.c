// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of contacts and bodies by name. Those of bodies are computed when asked for: a scene of a thousand bodies has
// tens of thousands.
#include "measure/kinds.h"
#include "measure/touch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// ------------------------------------------------------------------------------------------ metrics of contacts

static void names(const ff_measure_site *site, ff_measure_names *out)
{
    (void)site;
    for (int i = 0; i < CONTACT_METRICS; i++) ff_measure_add_name(out, "%s", help[CONTACTS + i].name);
}

static double or_null(double x)
{
    return isfinite(x) ? x : NAN;
}

static void list(const void *context, double *values)
{
    const ff_touches *s = context;
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

/// Index of a name whose part behind `prefix` is the word, -1 when there is none.
static int find_word(const char *word, const ff_metric_help *table, int count, int prefix)
{
    for (int i = 0; i < count; i++)
        if (strcmp(word, table[i].name + prefix) == 0) return i;
    return -1;
}

/// "bounce.N.what": @return index of what, or -1; N from 1 in `number`
static int bounce_metric(const char *rest, int *number)
{
    char *end;
    if (strncmp(rest, "bounce.", 7) != 0 || rest[7] < '1' || rest[7] > '9') return -1;
    long n = strtol(rest + 7, &end, 10);
    if (n < 1 || n > FF_MOST_BOUNCES || *end != '.') return -1;
    *number = (int)n;
    return find_word(end + 1, help + BOUNCES, BOUNCE_METRICS, BOUNCE_PREFIX);
}

/// What follows "bodies.NAME." of the body with the longest name that fits; NULL when there is none.
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

/// All but bounces, which are too many.
static void offers(const ff_measure_site *site, ff_measure_names *out)
{
    const ff_model *m = site->model;
    for (int b = 0; b < m->nbody; b++)
        for (int i = 0; m->bodies[b].node >= 0 && i < BODY_METRICS; i++)
            ff_measure_add_name(out, "bodies.%s.%s", m->bodies[b].name, help[BODIES + i].name + BODY_PREFIX);
}

static double value_of_body(const ff_touches *s, int body, int what)
{
    static const double origin[3] = {0, 0, 0};
    const ff_track *k = s->tracks ? &s->tracks[body] : NULL;
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

static double value_of_bounce(const ff_touches *s, int body, int number, int what)
{
    const ff_track *k = s->tracks ? &s->tracks[body] : NULL;
    if (!k || number > k->nbounce) return NAN;
    const ff_bounce *b = &k->bounces[number - 1];
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
    const ff_touches *s = context;
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
                                          .names = names,
                                          .offers = offers,
                                          .knows = knows,
                                          .begin = ff_touches_begin,
                                          .list = list,
                                          .value = value};
