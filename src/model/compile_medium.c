// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a surrounding air or liquid sees of each body: the box of equal mass and inertia,
//     a^2 = 6 (I_yy + I_zz - I_xx) / m,  and the same for b and c,
// on the principal axes of the body (MuJoCo's model of bodies without a fluid shape of their own). Where two moments
// are equal these axes are open: then those of the file count, or those of the only shape that gives mass.
#include "model/compile.h"

#include <footfall/spatial.h>

/// The one shape that gives a body its mass; NULL: none, or several.
static const ff_spec_geom *only_shape(const ff_spec *spec, int body)
{
    const ff_spec_geom *only = NULL;
    for (int i = 0; i < spec->ngeom; i++) {
        if (spec->geoms[i].body != body || !spec->geoms[i].gives_mass) continue;
        if (only) return NULL;
        only = &spec->geoms[i];
    }
    return only;
}

void ff_compile_axes(const ff_spec *spec, int number, const ff_body *body, double moments[3], double quat[4])
{
    const ff_spec_body *from = &spec->bodies[number];
    const ff_spec_geom *shape = from->inertia_from_geoms ? only_shape(spec, number) : NULL;
    double start[4] = {1, 0, 0, 0}, found[4], R[9], I[9], half[9], seen[9];
    const double *six = body->inertia;
    if (from->has_inertial && !from->inertia_from_geoms) ff_quat_copy(start, from->inertia_quat);
    if (shape) ff_quat_copy(start, shape->quat);
    ff_compile_rotation(R, start);
    const double full[9] = {six[0], six[3], six[4], six[3], six[1], six[5], six[4], six[5], six[2]};
    memcpy(I, full, sizeof I);
    ff_mat3_tmul(half, R, I);
    ff_mat3_mul(seen, half, R);
    const double turned[6] = {seen[0], seen[4], seen[8], seen[1], seen[2], seen[5]};
    ff_inertia_coarse_axes(turned, moments, found);
    ff_quat_mul(quat, start, found);
    ff_quat_normalise(quat);
}

bool ff_compile_medium(ff_compiler *c)
{
    ff_model *m = c->model;
    double moments[3];
    for (int i = 0; i < m->nbody; i++) // those of several shapes are known from their sum
        if (!c->spec->bodies[c->body_of[i]].coarse_axes)
            ff_compile_axes(c->spec, c->body_of[i], &m->bodies[i], moments, m->bodies[i].axes);
    m->density = c->spec->density;
    m->viscosity = c->spec->viscosity;
    ff_vec3_copy(m->wind, c->spec->wind);
    const double numbers[3] = {m->density, m->viscosity, 0.0};
    for (int i = 0; i < 3; i++)
        if (!(numbers[i] >= 0.0 && numbers[i] <= 1e12 && fabs(m->wind[i]) <= 1e12))
            ff_report_add(
                c->report, FF_ERROR, (ff_place){0},
                "density %g kg/m^3, viscosity %g Pa s, wind %g %g %g m/s: finite numbers are needed, the first "
                "two zero or positive",
                m->density, m->viscosity, m->wind[0], m->wind[1], m->wind[2]);
    m->drags = FF_ARENA_NEW(&m->arena, ff_drag, m->nbody + 1);
    if (!m->drags) return false;
    if (!(m->density > 0.0) && !(m->viscosity > 0.0)) return true;
    for (int i = 0; i < m->nbody; i++) {
        const ff_body *body = &m->bodies[i];
        if (body->node < 0 || !(body->mass > 1e-15)) continue;
        ff_drag *drag = &m->drags[m->ndrag++];
        double quat[4], axes[9];
        ff_compile_axes(c->spec, c->body_of[i], body, moments, quat);
        ff_quat_to_mat3(axes, quat);
        drag->node = body->node;
        ff_mat3_mul(drag->R, body->R, axes);
        ff_mat3_mulv(drag->at, body->R, body->com);
        ff_vec3_add(drag->at, drag->at, body->pos);
        const double sum = moments[0] + moments[1] + moments[2];
        for (int k = 0; k < 3; k++) drag->box[k] = sqrt(6.0 * ff_max(1e-15, sum - 2.0 * moments[k]) / body->mass);
    }
    return true;
}
