// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rays against the shapes of a view, and the distance meter: the nearest hit of one ray along the sensor's x axis, or
// of a cone of rays about it. The rays of a cone lie on a spiral of the golden angle: the first along the axis, the
// last on the rim, evenly dense between. MJCF's range finder is one ray along z.
#include "sense/kinds.h"
#include "sense/private.h"

/// Does the ray pass the box within the range? Divisions by zero give infinities, which compare as they should.
static bool hits_box(const double origin[3], const double inverse[3], const double low[3], const double high[3],
                     double range)
{
    double from = 0.0, to = range;
    for (int k = 0; k < 3; k++) {
        const double a = (low[k] - origin[k]) * inverse[k], b = (high[k] - origin[k]) * inverse[k];
        const double near = a < b ? a : b, far = a < b ? b : a;
        if (near > from) from = near;
        if (far < to) to = far;
    }
    return from <= to;
}

int ff_sense_ray(const ff_sense_view *view, const double origin[3], const double direction[3], double range, int skip,
                 ff_ray_hit *hit)
{
    double inverse[3];
    ff_ray_hit here;
    int found = -1;
    for (int k = 0; k < 3; k++) inverse[k] = 1.0 / direction[k];
    for (int i = 0; i < view->nshape; i++) {
        const ff_sense_shape *shape = &view->shapes[i];
        if (shape->body == skip || !hits_box(origin, inverse, shape->low, shape->high, range)) continue;
        if (!ff_collide_ray(shape->collider, &shape->pose, origin, direction, range, &here)) continue;
        if (found >= 0 && here.distance >= hit->distance) continue;
        *hit = here;
        found = i;
        range = here.distance;
    }
    return found;
}

/// Ray i of the cone in the sensor's axes: angle from the axis by the square root of i, turned by the golden angle
/// each.
static void cone_ray(const ff_sensor *s, int i, double out[3])
{
    const double share = s->rays > 1 ? sqrt((double)i / (s->rays - 1)) : 0.0;
    const double angles[2] = {s->cone * share, 2.399963229728653 * i};
    double sine[2], cosine[2];
    ff_sincos(angles, sine, cosine, 2);
    ff_vec3_set(out, cosine[0], sine[0] * cosine[1], sine[0] * sine[1]);
}

void ff_truth_distance(const ff_sensed *at, double *out)
{
    const ff_sensor *s = at->sensor;
    const ff_sense_view *view = at->view;
    double pos[3], R[9], local[3], direction[3], range = s->reach[1];
    const int skip = s->body >= 0 ? s->body : -2;
    ff_ray_hit hit;
    ff_sensor_pose(s, view, pos, R);
    out[1] = 0.0;
    for (int i = 0; i < s->rays; i++) {
        cone_ray(s, i, local);
        ff_mat3_mulv(direction, R, local);
        if (ff_sense_ray(view, pos, direction, range, skip, &hit) < 0) continue;
        range = hit.distance;
        out[1] = 1.0;
    }
    out[0] = range < s->reach[0] ? s->reach[0] : range;
}

/// As MuJoCo's: along z, from nothing to anywhere, -1 where there is nothing.
void ff_truth_rangefinder(const ff_sensed *at, double *out)
{
    const ff_sensor *s = at->sensor;
    double pos[3], R[9];
    ff_ray_hit hit;
    ff_sensor_pose(s, at->view, pos, R);
    const double along[3] = {R[2], R[5], R[8]};
    const bool found = ff_sense_ray(at->view, pos, along, FF_SENSOR_FAR, s->body >= 0 ? s->body : -2, &hit) >= 0;
    out[0] = found ? hit.distance : -1.0;
}
