// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces of a surrounding air or liquid on bodies, in the axes of a box or an ellipsoid (compile_medium.c), v and w
// being its velocity against the wind and its spin. A box with sides a, b, c:
//     density     F_x = -rho b c |v_x| v_x / 2                     N_x = -rho a (b^4 + c^4) |w_x| w_x / 64
//     viscosity   F   = -3 pi d mu v                               N   = -pi d^3 mu w,     d = (a + b + c) / 3
// as MuJoCo has it: drag of plates, and of a sphere in slow flow (G. G. Stokes, 1851). An ellipsoid, by MuJoCo's second
// model (its documentation, chapter "Computation", fluid forces):
//     added mass  F = p x w, N = p x v + l x w,  p = rho m_A v, l = rho I_A w componentwise: it takes no energy
//     Magnus      F = C_M rho V w x v
//     Kutta       F = C_K rho cos(alpha) A (n x v) x v,  n the normal where the flow meets the ellipsoid head-on
//     drag        F = -(3 pi d mu + rho |v| (C_blunt A + C_slender (A_max - A))) v,   A the area seen along v
//                 N = -(pi d^3 mu + rho |D|) w,  D_x = w_x (C_angular I_x + C_slender (I_max - I_x))
// with d = 2/3 (a + b + c), I_x = 8/15 pi a max(b, c)^4 and I_max the largest such moment of all.
#include <footfall/dyn.h>

#include "dyn/layout.h"

/// Force and moment in the axes of the box.
static void drag_of_box(const ff_model *m, const ff_drag *drag, const double v[3], const double w[3], double force[3],
                        double moment[3])
{
    const double *box = drag->size;
    const double diameter = (box[0] + box[1] + box[2]) / 3.0;
    for (int k = 0; k < 3; k++) {
        const double a = box[k], b = box[(k + 1) % 3], c = box[(k + 2) % 3];
        force[k] = -3.0 * FF_PI * diameter * m->viscosity * v[k] - 0.5 * m->density * b * c * fabs(v[k]) * v[k];
        moment[k] = -FF_PI * diameter * diameter * diameter * m->viscosity * w[k] -
                    m->density * a * (b * b * b * b + c * c * c * c) * fabs(w[k]) * w[k] / 64.0;
    }
}

static double power4(double x)
{
    return x * x * x * x;
}

/// Adds the forces of Magnus and Kutta and the quadratic drag of an ellipsoid.
static void add_flow_force(double density, const ff_drag *e, const double v[3], const double w[3], double force[3])
{
    const double *s = e->size, speed = ff_vec3_norm(v), tiny = 1e-15;
    const double most = ff_max(s[0], ff_max(s[1], s[2])), least = ff_min(s[0], ff_min(s[1], s[2]));
    const double middle = s[0] + s[1] + s[2] - most - least, volume = 4.0 / 3.0 * FF_PI * s[0] * s[1] * s[2];
    double top = 0.0, bottom = 0.0, normal[3], magnus[3], turn[3], kutta[3];
    for (int i = 0; i < 3; i++) {
        const double across = s[(i + 1) % 3] * s[(i + 2) % 3];
        top += power4(across) * v[i] * v[i];
        bottom += across * across * v[i] * v[i];
        normal[i] = across * across * v[i];
    }
    const double area = FF_PI * sqrt(top / ff_max(tiny, bottom)), largest = FF_PI * most * middle;
    const double slant = bottom / ff_max(tiny, speed * top);
    ff_vec3_cross(magnus, w, v);
    ff_vec3_axpy(force, e->coefficient[4] * density * volume, magnus);
    ff_vec3_cross(turn, normal, v);
    ff_vec3_cross(kutta, turn, v);
    ff_vec3_axpy(force, e->coefficient[3] * density * slant * area, kutta);
    ff_vec3_axpy(force, -density * speed * (area * e->coefficient[0] + e->coefficient[1] * (largest - area)), v);
}

/// Force and moment in the axes of an ellipsoid.
static void drag_of_ellipsoid(const ff_model *m, const ff_drag *e, const double v[3], const double w[3],
                              double force[3], double moment[3])
{
    const double *s = e->size, diameter = 2.0 / 3.0 * (s[0] + s[1] + s[2]);
    const double most = ff_max(s[0], ff_max(s[1], s[2])), least = ff_min(s[0], ff_min(s[1], s[2]));
    const double middle = s[0] + s[1] + s[2] - most - least, factor = 8.0 / 15.0 * FF_PI;
    double linear[3], angular[3], drag[3];
    for (int i = 0; i < 3; i++) {
        const double widest = ff_max(s[(i + 1) % 3], s[(i + 2) % 3]), own = factor * s[i] * power4(widest);
        linear[i] = m->density * e->added[i] * v[i];
        angular[i] = m->density * e->added[3 + i] * w[i];
        drag[i] = w[i] * (e->coefficient[2] * own + e->coefficient[1] * (factor * middle * power4(most) - own));
    }
    ff_vec3_cross(force, linear, w);
    ff_vec3_cross(moment, linear, v);
    ff_vec3_cross_add(moment, angular, w);
    ff_vec3_axpy(force, -3.0 * FF_PI * diameter * m->viscosity, v);
    ff_vec3_axpy(moment, -(FF_PI * diameter * diameter * diameter * m->viscosity + m->density * ff_vec3_norm(drag)), w);
    add_flow_force(m->density, e, v, w, force);
}

void ff_drags_add(const ff_model *m, ff_data *d, double *carried)
{
    for (int k = 0; k < m->ndrag; k++) {
        const ff_drag *drag = &m->drags[k];
        const ff_pose *pose = &d->pose[drag->node];
        const double *V = d->velocity + 6 * drag->node;
        double arm[3], R[9], velocity[3], relative[3], v[3], w[3], force[3], moment[3], F[3], N[3];
        ff_mat3_mulv(arm, pose->R, drag->at);
        ff_vec3_add(arm, arm, pose->p);
        ff_mat3_mul(R, pose->R, drag->R);
        ff_vec3_copy(velocity, V + 3);
        ff_vec3_cross_add(velocity, V, arm);
        ff_vec3_sub(relative, velocity, m->wind);
        ff_mat3_tmulv(v, R, relative);
        ff_mat3_tmulv(w, R, V);
        (drag->ellipsoid ? drag_of_ellipsoid : drag_of_box)(m, drag, v, w, force, moment);
        ff_mat3_mulv(F, R, force);
        ff_mat3_mulv(N, R, moment);
        d->passive_power -= ff_vec3_dot(F, velocity) + ff_vec3_dot(N, V);
        double *wrench = carried + 6 * drag->node;
        ff_vec3_add(wrench, wrench, N);
        ff_vec3_cross_add(wrench, arm, F);
        ff_vec3_add(wrench + 3, wrench + 3, F);
    }
}
