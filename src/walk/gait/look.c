// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A scan of the ground ahead: the head nods from low to high at constant speed. Joint sensors give the pose of its
// distance sensor, so that each sample is a ray in the middle plane (docs/gait.md, "Looking ahead").
//
// Ledge: the wall is at the nearest points that lie more than LOW above the ground; points beyond it give the height. A
// sensor below the edge sees no point beyond: then the edge lies between the last ray that meets the wall and the next.
// Hill: a cosine wave is fitted by damped least squares (K. Levenberg; D. W. Marquardt, 1963) over errors along the
// rays; its far side is assumed to mirror the near one.
#include "dyn/packed.h"
#include "gait/climb_plan.h"
#include "gait/items.h"

#include <footfall/linalg.h>
#include <footfall/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOD_SPEED 0.25  // of the scan [rad/s]
#define TURN_TIME 1.5   // to the first angle of the scan, and back to the usual one [s]
#define LOWEST    -0.75 // angle of the head [rad]
#define HIGHEST   0.6   // [rad]
#define LIMIT     0.02  // distance from the limits of the joint [rad]
#define LOW       0.025 // points below this are ground: five times the noise of the sensor [m]
#define WALL      0.02  // points this near to the wall belong to it [m]
#define TOP       0.01  // points of the wall lie at least so far below its top [m]
#define GRAZING   0.1   // bound of the sine of the angle between ray and ground, of which errors are multiples
#define LEAST     10    // points that make a wall, a top or a hill

// ------------------------------------------------------------------------------------------ binding

/// Is this a joint that nods the body of the sensor and carries no leg?
/// @param sign  result: 1 where a positive angle moves the head up, else -1
static bool nods(const ff_model *m, const ff_data *d, int joint, int body, double *sign)
{
    const ff_joint *j = &m->joints[joint];
    double pos[3], quat[4], axis[3];
    if (j->type != FF_JOINT_HINGE || !ff_model_is_below(m, body, j->body)) return false;
    for (int i = 0; i < m->nleg; i++)
        if (ff_model_is_below(m, m->joints[m->legs[i].joints[0]].body, j->body)) return false;
    ff_dyn_body_pose(m, d, j->body, pos, quat);
    ff_quat_rotate(axis, quat, j->axis);
    *sign = axis[1] < 0.0 ? 1.0 : -1.0;
    return fabs(axis[1]) > 0.999;
}

/// Finds the measured joints between root and sensor.
static void take_chain(ff_look *look, const ff_io_layout *sensors, int body)
{
    const ff_model *m = look->model;
    for (int j = 0; j < m->njoint && look->njoint < FF_LOOK_CHAIN; j++) {
        if (!ff_joint_is_scalar(m->joints[j].type) || !ff_model_is_below(m, body, m->joints[j].body)) continue;
        const int item = ff_gait_find_on_joint(m, sensors, j, "position");
        if (item < 0) continue;
        look->joints[look->njoint] = j;
        look->position[look->njoint++] = item;
    }
}

/// Binds a distance sensor on a head that nods. @return false: it is none
static bool take_sensor(ff_look *look, const ff_data *d, const ff_io_layout *sensors, const ff_spec_sensor *s)
{
    const ff_model *m = look->model;
    if (strcmp(s->type, "distance") != 0 || strcmp(s->object_type, "site") != 0) return false;
    look->frame = ff_model_find_frame(m, s->object);
    look->distance = ff_gait_find_sensor(sensors, s->name, "distance");
    look->hit = ff_gait_find_sensor(sensors, s->name, "hit");
    if (look->frame < 0 || look->distance < 0 || look->hit < 0) return false;
    for (look->joint = 0; look->joint < m->njoint; look->joint++)
        if (nods(m, d, look->joint, m->frames[look->frame].body, &look->sign)) return true;
    return false;
}

ff_status ff_look_bind(ff_look *look, const ff_model *model, const ff_io_layout *sensors, ff_error *err)
{
    ff_data *d = ff_data_create(model, NULL);
    bool found = false;
    if (!d) return ff_error_set(err, FF_NO_MEMORY, "no memory to look ahead");
    *look = (ff_look){.model = model, .low = LOWEST, .high = HIGHEST};
    ff_dyn_kinematics(model, d);
    for (int i = 0; i < model->nsensor && !found; i++) found = take_sensor(look, d, sensors, &model->sensors[i]);
    ff_data_destroy(d);
    if (!found)
        return ff_error_set(err, FF_NOT_FOUND,
                            "to look ahead the robot needs a sensor of type 'distance' on a frame of a head that a "
                            "joint nods");
    take_chain(look, sensors, model->frames[look->frame].body);
    const ff_joint *joint = &model->joints[look->joint];
    if (!joint->limited) return FF_OK;
    const double *range = joint->range, ends[2] = {look->sign * range[0], look->sign * range[1]};
    look->low = ff_max(look->low, ff_min(ends[0], ends[1]) + LIMIT);
    look->high = ff_min(look->high, ff_max(ends[0], ends[1]) - LIMIT);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ scanning

static double ease(double from, double to, double u)
{
    return from + (to - from) * u * u * (3.0 - 2.0 * u);
}

bool ff_look_nod(const ff_look *look, double t, double usual, double *angle)
{
    const double low = look->sign * look->low, high = look->sign * look->high;
    const double scan = (look->high - look->low) / NOD_SPEED, back = t - TURN_TIME - scan;
    if (t < TURN_TIME)
        *angle = ease(usual, low, ff_max(0.0, t) / TURN_TIME);
    else if (back < 0.0)
        *angle = low + (high - low) * (t - TURN_TIME) / scan;
    else
        *angle = ease(high, usual, ff_min(1.0, back / TURN_TIME));
    return back < TURN_TIME;
}

void ff_look_take(const ff_look *look, const ff_io_frame *sensors, ff_data *d, ff_look_memory *memory)
{
    const ff_model *m = look->model;
    const ff_io_item *items = ff_io_items_of(sensors), *distance = &items[look->distance], *hit = &items[look->hit];
    const ff_frame *frame = &m->frames[look->frame];
    double pos[3], R[9], eye[3], ahead[3];
    static const double x[3] = {1.0, 0.0, 0.0};
    if (!ff_io_known(distance) || !ff_io_known(hit) || distance->time_ns == memory->stamp) return;
    if (memory->count == FF_LOOK_SAMPLES) return;
    memory->stamp = distance->time_ns;
    for (int i = 0; i < look->njoint; i++)
        if (ff_io_known(&items[look->position[i]]))
            d->q[m->joints[look->joints[i]].qadr] = items[look->position[i]].value;
    ff_dyn_kinematics(m, d);
    ff_dyn_body_axes(m, d, frame->body, pos, R);
    ff_dyn_point(m, d, frame->body, frame->pos, eye);
    ff_quat_rotate(pos, frame->quat, x);
    ff_mat3_mulv(ahead, R, pos);
    memory->rays[memory->count++] =
        (ff_look_ray){{eye[0], eye[2]}, {ahead[0], ahead[2]}, hit->value > 0.5 ? distance->value : -1.0};
}

// ------------------------------------------------------------------------------------------ a ledge

/// Point in which a ray meets something.
static void end_of(const ff_look_ray *ray, double point[2])
{
    for (int k = 0; k < 2; k++) point[k] = ray->origin[k] + ray->distance * ray->direction[k];
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// A region of points above the ground: from x to x, and below a height.
typedef struct region {
    double from, to, below; // [m]
} region;

/// Mean of x (axis 0) or z (axis 1) of the points in a region.
static double mean(const ff_look_memory *memory, int axis, region p, int *count)
{
    double sum = 0.0, point[2];
    int n = 0;
    for (int i = 0; i < memory->count; i++) {
        if (memory->rays[i].distance < 0.0) continue;
        end_of(&memory->rays[i], point);
        if (point[1] < LOW || point[1] > p.below || point[0] < p.from || point[0] > p.to) continue;
        sum += point[axis];
        n++;
    }
    *count = n;
    return n > 0 ? sum / n : 0.0;
}

/// Height of a ray where it meets the wall.
static double height_at(const ff_look_ray *ray, double x)
{
    return ray->origin[1] + ray->direction[1] / ray->direction[0] * (x - ray->origin[0]);
}

ff_status ff_look_find_ledge(const ff_look_memory *memory, ff_look_ledge *ledge, ff_error *err)
{
    double x[FF_LOOK_SAMPLES], point[2], top = 0.0, above = INFINITY;
    int n = 0, beyond = 0, wall = 0;
    for (int i = 0; i < memory->count; i++) {
        if (memory->rays[i].distance < 0.0) continue;
        end_of(&memory->rays[i], point);
        if (point[1] >= LOW) x[n++] = point[0];
    }
    if (n < LEAST)
        return ff_error_set(err, FF_NOT_FOUND, "no ledge is seen: %d of %d rays end above the ground", n,
                            memory->count);
    qsort(x, (size_t)n, sizeof *x, by_size);
    double at = x[n / 10];
    for (int k = 0; k < 3; k++) at = mean(memory, 0, (region){at - WALL, at + WALL, INFINITY}, &wall);
    if (wall < LEAST)
        return ff_error_set(err, FF_NOT_FOUND, "no ledge is seen: %d points in a wall %.2f m ahead", wall, at);
    ledge->distance = at;
    ledge->height = mean(memory, 1, (region){at + 2.0 * WALL, INFINITY, INFINITY}, &beyond);
    if (beyond >= LEAST) { // the wall again, without points on the top near the edge
        at = mean(memory, 0, (region){at - WALL, at + WALL, ledge->height - TOP}, &wall);
        if (wall > 0) ledge->distance = at;
        return FF_OK;
    }
    for (int i = 0; i < memory->count; i++) { // the edge is above the sensor
        const ff_look_ray *ray = &memory->rays[i];
        if (!(ray->direction[0] > 0.1)) continue;
        const double z = height_at(ray, at);
        if (ray->distance >= 0.0) top = ff_max(top, z);
    }
    for (int i = 0; i < memory->count; i++) {
        const double z = memory->rays[i].direction[0] > 0.1 ? height_at(&memory->rays[i], at) : -1.0;
        if (memory->rays[i].distance < 0.0 && z > top) above = ff_min(above, z);
    }
    if (!isfinite(above))
        return ff_error_set(err, FF_NOT_FOUND, "the wall %.2f m ahead is higher than the head can look, %.2f m", at,
                            top);
    ledge->height = 0.5 * (top + above);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ a hill

double ff_look_hill_height(const double wave[3], double x)
{
    const double share = (x - wave[0]) / wave[1], angle = 2.0 * FF_PI * share;
    double sine, cosine;
    if (!(share > 0.0 && share < 1.0)) return 0.0;
    ff_sincos(&angle, &sine, &cosine, 1);
    return 0.5 * wave[2] * (1.0 - cosine);
}

/// A measured point, and the direction of its ray.
typedef struct point {
    double x, z, direction[2];
} point;

/// Distance of a point from the wave p (start, length, height) along its ray.  [m]
static double distance_along_ray(const double p[3], const point *s)
{
    static const double DIFFERENCE = 1e-5; // [m]
    const double slope =
        (ff_look_hill_height(p, s->x + DIFFERENCE) - ff_look_hill_height(p, s->x - DIFFERENCE)) / (2.0 * DIFFERENCE);
    return (s->z - ff_look_hill_height(p, s->x)) / ff_max(GRAZING, fabs(s->direction[1] - slope * s->direction[0]));
}

/// Sum of the squares of these distances.  [m^2]
static double misfit(const double p[3], const point *points, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += distance_along_ray(p, &points[i]) * distance_along_ray(p, &points[i]);
    return sum;
}

/// One step of damped least squares. @return whether it reduced the misfit by more than rounding
static bool improve(double p[3], const point *points, int n, double *damping)
{
    static const double DIFFERENCE = 1e-5; // [m]
    double A[9] = {0}, g[3] = {0};
    const double before = misfit(p, points, n);
    for (int i = 0; i < n; i++) {
        double slope[3];
        const double r = distance_along_ray(p, &points[i]);
        for (int k = 0; k < 3; k++) {
            double moved[3] = {p[0], p[1], p[2]};
            moved[k] += DIFFERENCE;
            slope[k] = (r - distance_along_ray(moved, &points[i])) / DIFFERENCE;
        }
        for (int a = 0; a < 3; a++) {
            g[a] += slope[a] * r;
            for (int b = 0; b < 3; b++) A[3 * a + b] += slope[a] * slope[b];
        }
    }
    for (int attempt = 0; attempt < 8; attempt++, *damping *= 10.0) {
        double L[9], step[3] = {g[0], g[1], g[2]};
        memcpy(L, A, sizeof L);
        for (int k = 0; k < 3; k++) L[4 * k] += *damping * (A[4 * k] + 1e-6);
        if (!ff_cholesky_factor(L, 3)) continue;
        ff_cholesky_solve(L, 3, step);
        const double next[3] = {p[0] + step[0], p[1] + step[1], p[2] + step[2]};
        if (!(next[1] > 0.05) || !(misfit(next, points, n) < before)) continue;
        memcpy(p, next, sizeof next);
        *damping = ff_max(1e-9, 0.1 * *damping);
        return before - misfit(p, points, n) > 1e-9 * before;
    }
    return false;
}

ff_status ff_look_find_hill(const ff_look_memory *memory, ff_look_hill *hill, ff_error *err)
{
    point points[FF_LOOK_SAMPLES];
    double top[2] = {0.0, 0.0}, first = INFINITY, damping = 1e-3, end[2];
    int n = 0, high = 0;
    for (int i = 0; i < memory->count; i++) {
        const ff_look_ray *ray = &memory->rays[i];
        if (ray->distance < 0.0) continue;
        end_of(ray, end);
        points[n++] = (point){end[0], end[1], {ray->direction[0], ray->direction[1]}};
        if (end[1] > LOW) high++, first = ff_min(first, end[0]);
        if (end[1] > top[1]) memcpy(top, end, sizeof top);
    }
    if (high < LEAST)
        return ff_error_set(err, FF_NOT_FOUND, "no hill is seen: %d of %d rays end above the ground", high,
                            memory->count);
    double p[3] = {first - 0.05, 2.0 * ff_max(0.1, top[0] - first + 0.05), top[1]};
    for (int k = 0; k < 60 && improve(p, points, n, &damping);) k++;
    *hill = (ff_look_hill){p[0], p[1], p[2]};
    return FF_OK;
}
