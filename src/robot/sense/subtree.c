// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A body with all its descendants: the centre of mass c, its velocity, and the angular momentum
//     L = sum over bodies of  R I R' w + m (x - c) x (v - v_c)
// about it, in world axes. Of the world: all bodies.
#include "dyn/packed.h"
#include "sense/kinds.h"
#include "sense/private.h"

typedef struct whole {
    double mass, com[3], speed[3];
} whole;

static whole add_up(const ff_sensed *at)
{
    const ff_sense_view *view = at->view;
    const ff_sensor *s = at->sensor;
    whole sum = {0};
    for (int i = 0; i < s->nbelow; i++) {
        const ff_body *body = &view->model->bodies[s->below[i]];
        double place[3], rates[6];
        ff_dyn_point(view->model, view->data, s->below[i], body->com, place);
        ff_dyn_point_velocity(view->model, view->data, s->below[i], body->com, rates);
        sum.mass += body->mass;
        ff_vec3_axpy(sum.com, body->mass, place);
        ff_vec3_axpy(sum.speed, body->mass, rates + 3);
    }
    if (!(sum.mass > 0.0)) return sum;
    ff_vec3_scale(sum.com, sum.com, 1.0 / sum.mass);
    ff_vec3_scale(sum.speed, sum.speed, 1.0 / sum.mass);
    return sum;
}

/// Centre of mass, and its velocity.
void ff_truth_subtreecentre(const ff_sensed *at, double *out)
{
    const whole sum = add_up(at);
    ff_vec3_copy(out, sum.com);
    ff_vec3_copy(out + 3, sum.speed);
}

/// R I R' w, with I = (xx, yy, zz, xy, xz, yz) in body axes.
static void spin_momentum(const double R[9], const double I[6], const double w[3], double out[3])
{
    const double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    double own[3], turned[3];
    ff_mat3_tmulv(own, R, w);
    ff_mat3_mulv(turned, full, own);
    ff_mat3_mulv(out, R, turned);
}

void ff_truth_subtreeangmom(const ff_sensed *at, double *out)
{
    const ff_sense_view *view = at->view;
    const ff_sensor *s = at->sensor;
    const whole sum = add_up(at);
    ff_vec3_set(out, 0, 0, 0);
    for (int i = 0; i < s->nbelow; i++) {
        const ff_body *body = &view->model->bodies[s->below[i]];
        double place[3], rates[6], origin[3], R[9], part[3];
        ff_dyn_body_axes(view->model, view->data, s->below[i], origin, R);
        ff_dyn_point(view->model, view->data, s->below[i], body->com, place);
        ff_dyn_point_velocity(view->model, view->data, s->below[i], body->com, rates);
        spin_momentum(R, body->inertia, rates, part);
        ff_vec3_add(out, out, part);
        ff_vec3_sub(place, place, sum.com);
        ff_vec3_sub(rates + 3, rates + 3, sum.speed);
        ff_vec3_cross(part, place, rates + 3);
        ff_vec3_axpy(out, body->mass, part);
    }
}
