// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Each body in a surrounding air or liquid counts as the box of equal mass and inertia,
//     a^2 = 6 (I_yy + I_zz - I_xx) / m,  and the same for b and c,
// on the principal axes of the body (MuJoCo's model of bodies without a fluid shape of their own). Where two moments
// are equal these axes are not unique: then those of the file count, or of the only shape that gives mass. Of a body
// that has shapes with fluidshape="ellipsoid" these alone count, each as the ellipsoid of its half axes; the mass of
// the medium that such an ellipsoid moves with it follows from
//     kappa_x = a b c int_0^inf dl / sqrt((a^2 + l)^3 (b^2 + l) (c^2 + l)),    V kappa_x / (2 - kappa_x)    and
//     V/5 (b^2 - c^2)^2 |kappa_z - kappa_y| / |2 (b^2 - c^2) + (b^2 + c^2) (kappa_y - kappa_z)|
// for its speed and spin about x (H. Lamb, Hydrodynamics, 6th edition, 1932, articles 114 and 115).
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
    double start[4] = {1, 0, 0, 0}, found[4], R[9], I[9], half[9], in_start[9];
    const double *six = body->inertia;
    if (from->has_inertial && !from->inertia_from_geoms) ff_quat_copy(start, from->inertia_quat);
    if (shape) ff_quat_copy(start, shape->quat);
    ff_compile_rotation(R, start);
    const double full[9] = {six[0], six[3], six[4], six[3], six[1], six[5], six[4], six[5], six[2]};
    memcpy(I, full, sizeof I);
    ff_mat3_tmul(half, R, I);
    ff_mat3_mul(in_start, half, R);
    const double turned[6] = {in_start[0], in_start[4], in_start[8], in_start[1], in_start[2], in_start[5]};
    ff_inertia_coarse_axes(turned, moments, found);
    ff_quat_mul(quat, start, found);
    ff_quat_normalise(quat);
}

// ------------------------------------------------------------------------------------------ ellipsoids

/// Half axes of the ellipsoid that stands for a shape. False: it has none.
static bool half_axes(const ff_spec_geom *g, double size[3])
{
    switch (g->type) {
    case FF_SHAPE_SPHERE:
        ff_vec3_set(size, g->size[0], g->size[0], g->size[0]);
        return true;
    case FF_SHAPE_CAPSULE:
        ff_vec3_set(size, g->size[0], g->size[0], g->size[0] + g->size[1]);
        return true;
    case FF_SHAPE_CYLINDER:
        ff_vec3_set(size, g->size[0], g->size[0], g->size[1]);
        return true;
    case FF_SHAPE_BOX:
    case FF_SHAPE_ELLIPSOID:
        ff_vec3_copy(size, g->size);
        return true;
    default:
        return false;
    }
}

/// The ellipsoid that stands for a mesh: about its centre of mass, with its principal axes, each as long as the
/// vertices reach along it. @return false where it has no volume here
static bool mesh_axes(const ff_spec_mesh *mesh, double size[3], double com[3], double axes[9])
{
    ff_inertia inertia;
    ff_error err = {0};
    double I[6], moments[3], from_com[3], v[3], third[3];
    if (!mesh->data || ff_mesh_inertia(mesh->data, mesh->filling, 1.0, &inertia, &err) != FF_OK) return false;
    ff_inertia_to_com(&inertia, com, I);
    ff_eigen_sym3((const double[9]){I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}, moments, axes);
    ff_vec3_cross(third, (const double[3]){axes[0], axes[3], axes[6]}, (const double[3]){axes[1], axes[4], axes[7]});
    for (int k = 0; k < 3; k++) axes[3 * k + 2] = third[k]; // right-handed
    ff_vec3_set(size, 0.0, 0.0, 0.0);
    for (int i = 0; i < mesh->data->nvertex; i++) {
        ff_vec3_sub(from_com, mesh->data->vertices + 3 * (size_t)i, com);
        ff_mat3_tmulv(v, axes, from_com);
        for (int k = 0; k < 3; k++) size[k] = ff_max(size[k], fabs(v[k]));
    }
    return true;
}

/// Half axes of the ellipsoid of a shape, and its frame in that of the body. @return false: it has none
static bool ellipsoid_of(const ff_spec *spec, const ff_spec_geom *g, double size[3], double pos[3], double axes[9])
{
    ff_vec3_copy(pos, g->pos);
    ff_compile_rotation(axes, g->quat);
    if (g->type != FF_SHAPE_MESH || g->mesh < 0) return half_axes(g, size);
    double com[3], own[9], turned[9];
    if (!mesh_axes(&spec->meshes[g->mesh], size, com, own)) return false;
    ff_mat3_mul(turned, axes, own);
    ff_mat3_mulv(com, axes, (const double[3]){com[0], com[1], com[2]});
    ff_vec3_add(pos, pos, com);
    memcpy(axes, turned, sizeof turned);
    return true;
}

/// kappa of the axis a by 15 points of Gauss and Kronrod over x in [0, 1], with l = s x^3/(1 - x)^2 and
/// s = (a^3 b c)^(2/5): MuJoCo's way, so that both round alike. Points and weights: R. Piessens et al., QUADPACK, 1983.
static double kappa(double a, double b, double c)
{
    static const double points[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                     0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                     0.586087235467691130294144691258379, 0.405845151377397166906606412076961,
                                     0.207784955007898467600689403773245, 0.0};
    static const double weights[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                      0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                      0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                      0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
    const double scale = ff_pow(a * a * a * b * c, 0.4);
    double sum = 0.0;
    for (int i = 0; i < 15; i++) {
        const int k = i < 8 ? i : 14 - i;
        const double x = 0.5 * (1.0 + (i < 8 ? -points[k] : points[k])), rest = 1.0 - x;
        const double l = scale * x * x * x / (rest * rest), slope = scale * x * x * (3.0 - x) / (rest * rest * rest);
        const double along = 1.0 + l / (a * a), across = (1.0 + l / (b * b)) * (1.0 + l / (c * c));
        sum += 0.5 * weights[k] * slope / (along * sqrt(along * across));
    }
    return sum / (a * a);
}

/// Mass of the medium that moves with an ellipsoid.
static void add_mass(ff_drag *drag)
{
    const double tiny = 1e-14, volume = 4.0 / 3.0 * FF_PI * drag->size[0] * drag->size[1] * drag->size[2];
    double k[3];
    for (int i = 0; i < 3; i++) k[i] = kappa(drag->size[i], drag->size[(i + 1) % 3], drag->size[(i + 2) % 3]);
    for (int i = 0; i < 3; i++) {
        const double b = drag->size[(i + 1) % 3], c = drag->size[(i + 2) % 3], kb = k[(i + 1) % 3], kc = k[(i + 2) % 3];
        const double flat = b * b - c * c, sum = b * b + c * c;
        drag->added[i] = volume * k[i] / ff_max(tiny, 2.0 - k[i]);
        drag->added[3 + i] =
            volume / 5.0 * flat * flat * fabs(kc - kb) / ff_max(tiny, fabs(2.0 * flat + sum * (kb - kc)));
    }
}

/// Ellipsoids of a body. @return how many it has
static int add_ellipsoids(ff_compiler *c, int index)
{
    ff_model *m = c->model;
    const ff_body *body = &m->bodies[index];
    int count = 0;
    for (int i = 0; i < c->spec->ngeom; i++) {
        const ff_spec_geom *g = &c->spec->geoms[i];
        ff_drag drag = {.node = body->node, .ellipsoid = true};
        double axes[9], pos[3];
        if (!g->ellipsoid || g->body != c->body_of[index] || !ellipsoid_of(c->spec, g, drag.size, pos, axes)) continue;
        ff_mat3_mul(drag.R, body->R, axes);
        ff_mat3_mulv(drag.at, body->R, pos);
        ff_vec3_add(drag.at, drag.at, body->pos);
        memcpy(drag.coefficient, g->fluid, sizeof drag.coefficient);
        add_mass(&drag);
        m->drags[m->ndrag++] = drag;
        count++;
    }
    return count;
}

// ------------------------------------------------------------------------------------------ the medium

bool ff_compile_medium(ff_compiler *c)
{
    ff_model *m = c->model;
    double moments[3];
    for (int i = 0; i < m->nbody; i++) // those of several shapes follow from their sum
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
    m->drags = FF_ARENA_NEW(&m->arena, ff_drag, m->nbody + c->spec->ngeom + 1);
    if (!m->drags) return false;
    if (!(m->density > 0.0) && !(m->viscosity > 0.0)) return true;
    for (int i = 0; i < m->nbody; i++) {
        const ff_body *body = &m->bodies[i];
        if (body->node < 0 || !(body->mass > 1e-15) || add_ellipsoids(c, i) > 0) continue;
        ff_drag *drag = &m->drags[m->ndrag++];
        double quat[4], axes[9];
        ff_compile_axes(c->spec, c->body_of[i], body, moments, quat);
        ff_quat_to_mat3(axes, quat);
        drag->node = body->node;
        ff_mat3_mul(drag->R, body->R, axes);
        ff_mat3_mulv(drag->at, body->R, body->com);
        ff_vec3_add(drag->at, drag->at, body->pos);
        const double sum = moments[0] + moments[1] + moments[2];
        for (int k = 0; k < 3; k++) drag->size[k] = sqrt(6.0 * ff_max(1e-15, sum - 2.0 * moments[k]) / body->mass);
    }
    return true;
}
