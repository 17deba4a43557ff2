// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of contacts and bodies by name. Those of bodies are computed when asked for: a scene of a thousand bodies has tens of thousands.
#include "scene/touch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ metrics of contacts

static const char *const contact_help[][2] = {
    {"contacts.count", "points in touch at the end"},
    {"contacts.most", "most points in touch at a time"},
    {"contacts.force.max", "largest normal force between two shapes [N]; null where steps do not resolve it"},
    {"contacts.penetration.max", "deepest point [m]; null likewise"},
    {"contacts.slip",
     "way slid (sticking points do not), mean of the points of each pair of shapes, all pairs added [m]"},
    {"contacts.touches", "transitions into touch"},
    {"contacts.lifts", "transitions out of touch"},
    {"contacts.sticks", "transitions from sliding to sticking"},
    {"contacts.slips", "transitions from sticking to sliding"},
    {"contacts.first.time", "first touch [s]; null without one"},
    {"contacts.stick.time", "last time a point began to stick [s]; null without one"},
};
enum { CONTACT_METRICS = sizeof contact_help / sizeof *contact_help };

const char *ff_scene_contact_metric_name(int i, const char **meaning)
{
    if (i < 0 || i >= CONTACT_METRICS) return NULL;
    if (meaning) *meaning = contact_help[i][1];
    return contact_help[i][0];
}

static double or_null(double x)
{
    return isfinite(x) ? x : NAN;
}

double ff_scene_contact_metric(const ff_scene *scene, int i)
{
    const struct ff_scene_touch *s = scene->touches;
    if (!scene->world) return i >= 9 ? NAN : 0.0;
    int count, touching = 0;
    const ff_world_contact *c = ff_world_contacts(scene->world, scene->sim, &count);
    for (int k = 0; k < count; k++) touching += c[k].point.depth > 0.0;
    const ff_world_counts n = ff_world_get_counts(scene->world);
    const bool resolved = n.unresolved == 0;
    const double values[CONTACT_METRICS] = {touching,
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
    return values[i];
}

// ------------------------------------------------------------------------------------------ metrics of bodies

enum { BODY_PREFIX = sizeof "bodies.NAME." - 1, BOUNCE_PREFIX = sizeof "bodies.NAME.bounce.N." - 1 };

static const char *const body_help[][2] = {
    {"bodies.NAME.x.final", "place of a body's frame at the end [m]"},
    {"bodies.NAME.y.final", "the same along y [m]"},
    {"bodies.NAME.z.final", "the same along z [m]"},
    {"bodies.NAME.vx.final", "velocity of a body's frame at the end [m/s]"},
    {"bodies.NAME.vy.final", "the same along y [m/s]"},
    {"bodies.NAME.vz.final", "the same along z [m/s]"},
    {"bodies.NAME.speed.final", "size of this velocity [m/s]"},
    {"bodies.NAME.spin.final", "size of the angular velocity at the end [rad/s]"},
    {"bodies.NAME.contact.force.mean", "vertical contact force, mean over the last second [N]"},
    {"bodies.NAME.contact.force.ripple", "its largest minus its smallest value in the last second, over the mean"},
};
enum { SPEED = 6, SPIN, MEAN, RIPPLE, BODY_METRICS = sizeof body_help / sizeof *body_help };

static const char *const bounce_help[][2] = {
    {"bodies.NAME.bounce.N.touch", "N-th touch-down of a body, N from 1 to 16 [s]"},
    {"bodies.NAME.bounce.N.lift", "lift-off that follows [s]; null while it lasts"},
    {"bodies.NAME.bounce.N.speed", "closing speed at touch-down [m/s]"},
    {"bodies.NAME.bounce.N.force", "largest normal force [N]; null where steps do not resolve it"},
    {"bodies.NAME.bounce.N.depth", "deepest point [m]; null likewise"},
    {"bodies.NAME.bounce.N.vx", "velocity of its frame at lift-off [m/s]"},
    {"bodies.NAME.bounce.N.vy", "the same along y [m/s]"},
    {"bodies.NAME.bounce.N.vz", "the same along z [m/s]"},
    {"bodies.NAME.bounce.N.apex", "greatest height of its frame before the next touch [m]"},
};
enum { BOUNCE_METRICS = sizeof bounce_help / sizeof *bounce_help };

/// Index of a name whose part behind `prefix` is the word, -1 when there is none.
static int find_word(const char *word, const char *const table[][2], int count, int prefix)
{
    for (int i = 0; i < count; i++)
        if (strcmp(word, table[i][0] + prefix) == 0) return i;
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
    return find_word(end + 1, bounce_help, BOUNCE_METRICS, BOUNCE_PREFIX);
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

bool ff_scene_is_body_metric(const ff_model *m, const char *name)
{
    int body = -1, number = 0;
    const char *rest = split_name(m, name, &body);
    return rest && (find_word(rest, body_help, BODY_METRICS, BODY_PREFIX) >= 0 || bounce_metric(rest, &number) >= 0);
}

static double value_of_body(const ff_scene *scene, int body, int what)
{
    static const double origin[3] = {0, 0, 0};
    const ff_track *k = scene->touches->tracks ? &scene->touches->tracks[body] : NULL;
    double pos[3], quat[4], motion[6];
    const ff_data *d = ff_sim_data(scene->sim);
    ff_dyn_body_pose(scene->model, d, body, pos, quat);
    ff_dyn_point_velocity(scene->model, d, body, origin, motion);
    if (what < 3) return pos[what];
    if (what < SPEED) return motion[what];
    if (what == SPEED) return ff_vec3_norm(motion + 3);
    if (what == SPIN) return ff_vec3_norm(motion);
    if (!k || !(k->span > 0.0)) return NAN;
    return what == MEAN ? k->sum / k->span : (k->top - k->low) * k->span / k->sum;
}

static double value_of_bounce(const ff_scene *scene, int body, int number, int what)
{
    const ff_track *k = scene->touches->tracks ? &scene->touches->tracks[body] : NULL;
    if (!k || number > k->nbounce) return NAN;
    const ff_bounce *b = &k->bounces[number - 1];
    const bool resolved = ff_world_get_counts(scene->world).unresolved == 0;
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

bool ff_scene_body_metric(const ff_scene *scene, const char *name, double *value)
{
    int body = -1, number = 0;
    const char *rest = scene->touches ? split_name(scene->model, name, &body) : NULL;
    if (!rest) return false;
    int what = find_word(rest, body_help, BODY_METRICS, BODY_PREFIX), of_bounce = bounce_metric(rest, &number);
    if (what >= 0) *value = value_of_body(scene, body, what);
    if (of_bounce >= 0) *value = value_of_bounce(scene, body, number, of_bounce);
    return what >= 0 || of_bounce >= 0;
}

const char *ff_scene_body_metric_name(int i, const char **meaning)
{
    if (i < 0 || i >= BODY_METRICS + BOUNCE_METRICS) return NULL;
    const char *const *entry = i < BODY_METRICS ? body_help[i] : bounce_help[i - BODY_METRICS];
    if (meaning) *meaning = entry[1];
    return entry[0];
}
