// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Mass properties: of each body, from its numbers or from its geoms, with MJCF's compiler rules (bounds, balance, total
// mass); and the check, after rigidly attached bodies are merged, whether a rigid body can have them: mass >= 0,
// and principal moments A <= B <= C that are >= 0 and satisfy A + B >= C, since C - A - B = -2 int z^2 dm in principal
// axes.
#include "model/compile.h"

#include <stdio.h>

// Rounding in files (four digits for a thin plate, where A + B = C) must not stop a load.
#define TRIANGLE_TOLERANCE 1e-6
#define MOST_SHARE         0.5   // of an inertia that --repair may take away
#define LEAST_INERTIA      1e-15 // smaller diagonal entries of the mass matrix cannot be divided by  [kg, kg m^2]

static void full_from_six(double full[9], const double I[6])
{
    memcpy(full, (double[9]){I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}, 9 * sizeof(double));
}

static void six_from_full(double I[6], const double full[9])
{
    memcpy(I, (double[6]){full[0], full[4], full[8], full[1], full[2], full[5]}, 6 * sizeof(double));
}

/// I = V diag(moments) V'.
static void six_from_principal(double I[6], const double moments[3], const double V[9])
{
    double scaled[9], back[9], full[9];
    for (int i = 0; i < 9; i++) scaled[i] = V[i] * moments[i % 3];
    ff_mat3_transpose(back, V);
    ff_mat3_mul(full, scaled, back);
    six_from_full(I, full);
}

static void principal_moments(const double I[6], double moments[3], double V[9])
{
    double full[9];
    full_from_six(full, I);
    ff_eigen_sym3(full, moments, V);
}

// ------------------------------------------------------------------------------------------ one body

/// Tensor in the parent's axes of a body with the orientation R:  R I R'.
static void turn_six(double turned[6], const double I[6], const double R[9])
{
    double full[9], half[9], back[9], whole[9];
    full_from_six(full, I);
    ff_mat3_mul(half, R, full);
    ff_mat3_transpose(back, R);
    ff_mat3_mul(whole, half, back);
    six_from_full(turned, whole);
}

static void mass_from_numbers(const ff_spec_body *from, ff_body *body)
{
    double R[9];
    body->mass = ff_max(from->mass, 0); // below zero only with repair, which reported it
    ff_vec3_copy(body->com, from->com);
    ff_compile_rotation(R, from->inertia_quat);
    turn_six(body->inertia, from->inertia, R);
}

/// Removes from the tensor the part that MuJoCo neglects when it computes principal axes -> axes.
static void round_axes(double I[6], const double frame[4], double axes[4])
{
    double R[9], back[9], in_frame[6], moments[3], quat[4], V[9], away[4];
    ff_compile_rotation(R, frame);
    ff_mat3_transpose(back, R);
    turn_six(in_frame, I, R);
    ff_inertia_coarse_axes(in_frame, moments, quat);
    ff_quat_to_mat3(V, quat);
    six_from_principal(in_frame, moments, V);
    turn_six(I, in_frame, back);
    ff_inertia_sort_axes(moments, quat);
    ff_quat_conjugate(away, frame);
    ff_quat_mul(axes, away, quat);
    ff_quat_normalise(axes);
}

/// Mass properties of a mesh of density 1, in the frame that geoms use.
static ff_status mesh_inertia(const ff_spec_mesh *mesh, ff_inertia *out, ff_error *err)
{
    static const double straight[4] = {1, 0, 0, 0};
    double R[9], com[3], I[6], axes[4];
    ff_status status = ff_mesh_inertia(mesh->data, mesh->filling, 1.0, out, err);
    if (status != FF_OK) return status;
    if (mesh->coarse_axes) {
        ff_inertia_to_com(out, com, I);
        round_axes(I, straight, axes);
        *out = ff_inertia_from_com(out->mass, com, I);
    }
    ff_compile_rotation(R, mesh->quat);
    *out = ff_inertia_transform(out, mesh->pos, R);
    return FF_OK;
}

static void scale_inertia(ff_inertia *in, double factor)
{
    in->mass *= factor;
    ff_vec3_scale(in->h, in->h, factor);
    for (int i = 0; i < 6; i++) in->I[i] *= factor;
}

/// The later place of a mesh and the geom that needs it, so that the message follows that of the reader.
static ff_place later(ff_place mesh, ff_place geom)
{
    const bool behind = mesh.line > geom.line || (mesh.line == geom.line && mesh.column > geom.column);
    return behind ? mesh : geom;
}

/// Mass properties of one geom in its body's frame. A mesh that is missing or open is an error: the mass depends on it.
static bool geom_inertia(ff_compiler *c, const ff_spec_geom *geom, ff_inertia *out)
{
    ff_error err = {0};
    ff_status status;
    double density = geom->has_mass ? 1.0 : geom->density, R[9];
    if (geom->type == FF_SHAPE_MESH) {
        const ff_spec_mesh *mesh = geom->mesh >= 0 ? &c->spec->meshes[geom->mesh] : NULL;
        if (!mesh || !mesh->data) {
            ff_report_add(c->report, FF_ERROR, mesh ? later(mesh->place, geom->place) : geom->place,
                          "body \"%s\" takes its mass from mesh \"%s\", which could not be loaded (%s); give the body "
                          "an <inertial> or supply the file",
                          c->spec->bodies[geom->body].name, mesh && mesh->name ? mesh->name : "",
                          mesh && mesh->problem ? mesh->problem : "no data");
            return false;
        }
        status = mesh_inertia(mesh, out, &err);
        if (status == FF_OK) scale_inertia(out, density);
    } else {
        ff_shape shape = {.type = geom->type};
        ff_vec3_copy(shape.size, geom->size);
        status = ff_shape_inertia(&shape, density, out, &err);
    }
    if (status != FF_OK) {
        ff_report_add(c->report, FF_ERROR, geom->place, "body \"%s\": no mass from this geom: %s",
                      c->spec->bodies[geom->body].name, err.text);
        return false;
    }
    if (geom->has_mass && out->mass > 0) {
        scale_inertia(out, geom->mass / out->mass);
        out->mass = geom->mass;
    }
    ff_compile_rotation(R, geom->quat);
    *out = ff_inertia_transform(out, geom->pos, R);
    return true;
}

static bool may_give_mass(const ff_spec *spec, const ff_spec_geom *geom)
{
    return geom->gives_mass && geom->group >= spec->inertia_group[0] && geom->group <= spec->inertia_group[1];
}

static bool geom_counts(const ff_spec *spec, const ff_spec_geom *geom)
{
    if (geom->body < 0 || !may_give_mass(spec, geom) || geom->type == FF_SHAPE_PLANE) return false;
    if (!spec->bodies[geom->body].inertia_from_geoms) return false;
    return geom->has_mass ? geom->mass > 0 : geom->density > 0;
}

/// Centre of a body whose only geom has no mass: at the geom, as in MuJoCo. It matters where boundmass gives the body a
/// mass.
static void massless_centre(const ff_compiler *c, int spec_body, double com[3])
{
    const ff_spec *spec = c->spec;
    int g = 0;
    while (g < spec->ngeom && !(spec->geoms[g].body == spec_body && may_give_mass(spec, &spec->geoms[g]))) g++;
    if (g == spec->ngeom) return;
    const ff_spec_geom *geom = &spec->geoms[g];
    const ff_spec_mesh *mesh = geom->mesh >= 0 ? &spec->meshes[geom->mesh] : NULL;
    ff_inertia part;
    double R[9], unused[6];
    ff_vec3_copy(com, geom->pos);
    if (!mesh || !mesh->data || mesh_inertia(mesh, &part, NULL) != FF_OK) return;
    ff_compile_rotation(R, geom->quat);
    part = ff_inertia_transform(&part, geom->pos, R);
    ff_inertia_to_com(&part, com, unused);
}

static bool masses_from_geoms(ff_compiler *c)
{
    const ff_spec *spec = c->spec;
    bool good = true;
    ff_inertia *sums = FF_ARENA_NEW(&c->scratch, ff_inertia, spec->nbody + 1);
    if (!sums) return false;
    for (int g = 0; g < spec->ngeom; g++) {
        const ff_spec_geom *geom = &spec->geoms[g];
        ff_inertia part;
        if (!geom_counts(spec, geom)) continue;
        if (geom_inertia(c, geom, &part))
            sums[geom->body] = ff_inertia_add(&sums[geom->body], &part);
        else
            good = false;
    }
    for (int b = 0; b < spec->nbody; b++) {
        if (!spec->bodies[b].inertia_from_geoms) continue;
        ff_body *body = &c->model->bodies[c->body_to[b]];
        body->mass = sums[b].mass;
        ff_inertia_to_com(&sums[b], body->com, body->inertia);
        if (sums[b].mass <= 0 && spec->bound_mass > 0) massless_centre(c, b, body->com);
        if (spec->bodies[b].coarse_axes) round_axes(body->inertia, spec->bodies[b].coarse_quat, body->axes);
    }
    return good;
}

/// MJCF's boundmass, boundinertia and balanceinertia.
static void apply_rules(const ff_spec *spec, ff_body *body)
{
    if (body->mass < spec->bound_mass) body->mass = spec->bound_mass;
    if (spec->bound_inertia <= 0 && !spec->balance_inertia) return;
    double moments[3], V[9];
    principal_moments(body->inertia, moments, V);
    for (int i = 0; i < 3; i++)
        if (moments[i] < spec->bound_inertia) moments[i] = spec->bound_inertia;
    double mean = (moments[0] + moments[1] + moments[2]) / 3;
    if (spec->balance_inertia && moments[0] + moments[1] < moments[2]) ff_vec3_set(moments, mean, mean, mean);
    six_from_principal(body->inertia, moments, V);
}

static void scale_to_total(ff_model *m, double total)
{
    double sum = 0;
    for (int i = 0; i < m->nbody; i++) sum += m->bodies[i].mass;
    if (!(total > 0) || !(sum > 0)) return;
    for (int i = 0; i < m->nbody; i++) {
        m->bodies[i].mass *= total / sum;
        for (int k = 0; k < 6; k++) m->bodies[i].inertia[k] *= total / sum;
    }
}

bool ff_compile_masses(ff_compiler *c)
{
    ff_model *m = c->model;
    for (int i = 0; i < m->nbody; i++) {
        const ff_spec_body *from = &c->spec->bodies[c->body_of[i]];
        if (from->has_inertial && !from->inertia_from_geoms) mass_from_numbers(from, &m->bodies[i]);
    }
    bool good = masses_from_geoms(c);
    for (int i = 0; i < m->nbody; i++) apply_rules(c->spec, &m->bodies[i]);
    scale_to_total(m, c->spec->total_mass);
    return good;
}

// ------------------------------------------------------------------------------------------ possible inertia

/// Body that carries the last joint of a node, for messages.
static ff_body *owner_of(const ff_compiler *c, int node)
{
    const ff_model *m = c->model;
    return &m->bodies[m->joints[m->nodes[node].joint].body];
}

/// Adds a change of inertia about the node's centre of mass (node axes) to the node and to the body that owns it.
static void change_inertia(ff_node *node, ff_body *body, const double delta[6])
{
    double full[9], turned[9], rotated[9], six[6];
    for (int i = 0; i < 6; i++) node->inertia.I[i] += delta[i];
    full_from_six(full, delta);
    ff_mat3_tmul(turned, body->R, full);
    ff_mat3_mul(rotated, turned, body->R);
    six_from_full(six, rotated);
    for (int i = 0; i < 6; i++) body->inertia[i] += six[i];
}

/// The possible tensor that changes the energy of turning least. With principal moments A <= B <= C and A + B < C,
///     A' = (1 + t) A    B' = (1 + t) B    C' = (1 - t) C    t = (C - A - B) / (A + B + C)
/// lie on A' + B' = C' and change w' I w by at most t of itself, whatever the speed w; so they change v' M v by at most
/// t, too. No other possible I' does with less: of one, a1' I' a1 + a2' I' a2 >= a3' I' a3 holds for any three axes,
/// those of I among them, so that (1 + t) (A + B) >= (1 - t) C. A negative moment has no share of itself to change: it
/// becomes 0 first. Axes, mass and centre of mass stay.
///
/// Where A and B are missing, as in files for motion in a plane, C' = (1 - t) C would remove inertia that the
/// file gives, and A' = 0 lets no body turn freely. Beyond t = MOST_SHARE, and where A = 0, the nearest moments by
/// least squares are taken, (C - A - B) / 3 away each.
/// @return t, or INFINITY where the moments were changed by least squares
static double repair_moments(double moments[3])
{
    for (int i = 0; i < 3; i++) moments[i] = ff_max(moments[i], 0.0);
    const double sum = moments[0] + moments[1] + moments[2], lack = moments[2] - moments[0] - moments[1];
    if (!(lack > 0.0)) return 0.0;
    const double t = lack / sum, third = lack / 3.0;
    if (t > MOST_SHARE || moments[0] <= 0.0) {
        ff_vec3_set(moments, moments[0] + third, moments[1] + third, moments[2] - third);
        return INFINITY;
    }
    ff_vec3_set(moments, (1.0 + t) * moments[0], (1.0 + t) * moments[1], (1.0 - t) * moments[2]);
    return t;
}

static void check_moments(ff_compiler *c, int index)
{
    ff_node *node = &c->model->nodes[index];
    ff_body *body = owner_of(c, index);
    double com[3], I[6], moments[3], V[9], repaired[6];
    ff_inertia_to_com(&node->inertia, com, I);
    principal_moments(I, moments, V);
    double slack = TRIANGLE_TOLERANCE * fabs(moments[2]);
    bool negative = moments[0] < -slack, triangle = moments[0] + moments[1] < moments[2] - slack;
    if (!negative && !triangle) return;
    char numbers[160];
    snprintf(numbers, sizeof numbers, "principal moments %.9g, %.9g, %.9g kg m^2", moments[0], moments[1], moments[2]);
    const char *law = negative ? "a moment of inertia is never negative" : "A + B >= C holds for every body";
    if (!c->options->repair) {
        ff_report_add(c->report, FF_ERROR, body->place,
                      "body \"%s\" (with what is fixed to it): impossible inertia, %s: %s; correct the file or use "
                      "--repair",
                      body->name, numbers, law);
        return;
    }
    const double greatest = moments[2], change = repair_moments(moments);
    six_from_principal(repaired, moments, V);
    for (int i = 0; i < 6; i++) repaired[i] -= I[i];
    change_inertia(node, body, repaired);
    char extent[80];
    if (isfinite(change))
        snprintf(extent, sizeof extent, "%.3g %% of its energy of turning at most", 100.0 * change);
    else
        snprintf(extent, sizeof extent, "each by %.3g kg m^2", greatest - moments[2]);
    ff_report_add(c->report, FF_WARNING, body->place,
                  "body \"%s\": impossible inertia, %s, repaired to %.9g, %.9g, %.9g: %s%s", body->name, numbers,
                  moments[0], moments[1], moments[2], extent, negative ? ", beside what was negative" : "");
}

/// Does the node carry a joint whose rotor has inertia of its own?
static bool carries_rotor(const ff_model *m, int index)
{
    for (int i = 0; i < m->nnode; i++)
        if (m->nodes[i].parent == index && m->dof_armature[m->nodes[i].vadr] > 0.0) return true;
    return false;
}

/// A moving leaf needs mass, and so does a free base with a single joint on it: without, base and joint would move the
/// same. Repaired: one gram as a ball of 2.5 cm radius of gyration.
static void check_mass(ff_compiler *c, int index, int children)
{
    ff_node *node = &c->model->nodes[index];
    ff_body *body = owner_of(c, index);
    const bool leaf = children == 0, single_child_base = node->type == FF_NODE_FREE && children == 1;
    if (node->inertia.mass > 0 || (!leaf && !(single_child_base && !carries_rotor(c->model, index)))) return;
    if (!c->options->repair) {
        ff_report_add(c->report, FF_ERROR, body->place,
                      "body \"%s\" %s, but its mass is %g kg; give it a mass, fix it, or use --repair", body->name,
                      leaf ? "moves and carries nothing" : "floats and carries one joint", node->inertia.mass);
        return;
    }
    const double mass = 1e-3, moment = 1e-6, I[6] = {moment, moment, moment, 0, 0, 0};
    double at[3];
    ff_mat3_mulv(at, body->R, body->com);
    ff_vec3_add(at, at, body->pos);
    node->inertia = ff_inertia_from_com(mass, at, I);
    body->mass = mass;
    memcpy(body->inertia, I, sizeof I);
    ff_report_add(c->report, FF_WARNING, body->place, "body \"%s\" moves without mass: repaired to %g kg, %g kg m^2",
                  body->name, mass, moment);
}

/// Each degree of freedom must move some inertia: its diagonal entry of the mass matrix (rest pose) is positive.
static void check_motion(ff_compiler *c, int index, const ff_inertia *composite)
{
    const ff_node *node = &c->model->nodes[index];
    double armature = c->model->dof_armature[node->vadr], moved = 0, moments[3], V[9];
    switch (node->type) {
    case FF_NODE_HINGE:
        moved = composite->I[2] + armature;
        break;
    case FF_NODE_SLIDE:
        moved = composite->mass + armature;
        break;
    case FF_NODE_BALL:
    case FF_NODE_FREE:
        principal_moments(composite->I, moments, V);
        moved = moments[0] + armature;
        break;
    }
    if (moved > LEAST_INERTIA) return;
    const ff_body *body = owner_of(c, index);
    ff_report_add(c->report, FF_ERROR, body->place,
                  "joint \"%s\" of body \"%s\" moves no inertia (%g): forward dynamics would divide by zero; give the "
                  "body an inertia or the joint an armature",
                  c->model->joints[node->joint].name, body->name, moved);
}

/// Data of nodes whose inertia is final, for the kernels of dynamics.
static bool finish_nodes(ff_model *m, const int *children)
{
    m->lump_node = FF_ARENA_NEW(&m->arena, int, m->nnode + 1);
    m->lump_carrier = FF_ARENA_NEW(&m->arena, int, m->nnode + 1);
    if (!m->lump_node || !m->lump_carrier) return false;
    for (int i = 0; i < m->nnode; i++) {
        ff_node *node = &m->nodes[i];
        const double *I = node->inertia.I;
        double half_trace = 0.5 * (I[0] + I[1] + I[2]);
        m->mass += node->inertia.mass;
        for (int k = 0; k < 6; k++) node->second[k] = (k < 3 ? half_trace : 0.0) - I[k];
        node->lump = -1;
        if (node->inertia.mass > 0 || half_trace > 0 || children[i] != 1) {
            node->lump = m->nlump;
            m->lump_node[m->nlump++] = i;
        }
    }
    for (int i = m->nnode - 1; i >= 0; i--) { // children come after their parents
        int parent = m->nodes[i].parent;
        if (parent >= 0 && m->nodes[parent].lump < 0) m->nodes[parent].lump = m->nodes[i].lump;
    }
    for (int k = 0; k < m->nlump; k++) {
        int above = m->nodes[m->lump_node[k]].parent;
        while (above >= 0 && m->nodes[above].lump == k) above = m->nodes[above].parent;
        m->lump_carrier[k] = above < 0 ? -1 : m->nodes[above].lump;
    }
    return true;
}

/// Mass that nothing can move, such as the foot of an arm: it has weight and a place, but no part in the dynamics.
static void add_fixed_mass(ff_model *m)
{
    for (int i = 0; i < m->nbody; i++) {
        const ff_body *body = &m->bodies[i];
        double at[3];
        if (body->node >= 0) continue;
        ff_mat3_mulv(at, body->R, body->com);
        ff_vec3_add(at, at, body->pos);
        ff_vec3_axpy(m->fixed_moment, body->mass, at);
        m->fixed_mass += body->mass;
    }
    m->mass += m->fixed_mass;
}

/// Forces that balance the weight of bodies, at their centres of mass.
static bool add_lifts(ff_compiler *c)
{
    ff_model *m = c->model;
    m->lifts = FF_ARENA_NEW(&m->arena, ff_lift, m->nbody + 1);
    if (!m->lifts) return false;
    for (int i = 0; i < m->nbody; i++) {
        const ff_body *body = &m->bodies[i];
        const double share = c->spec->bodies[c->body_of[i]].gravcomp;
        if (share == 0.0 || body->node < 0 || body->mass <= 0.0) continue;
        ff_lift *lift = &m->lifts[m->nlift++];
        *lift = (ff_lift){.node = body->node, .mass = share * body->mass};
        ff_mat3_mulv(lift->at, body->R, body->com);
        ff_vec3_add(lift->at, lift->at, body->pos);
    }
    return true;
}

bool ff_compile_check_inertia(ff_compiler *c)
{
    ff_model *m = c->model;
    int errors = c->report->errors;
    ff_inertia *composite = c->composite = FF_ARENA_NEW(&c->scratch, ff_inertia, m->nnode + 1);
    int *children = FF_ARENA_NEW(&c->scratch, int, m->nnode + 1);
    if (!composite || !children) return false;
    for (int i = 0; i < m->nnode; i++)
        if (m->nodes[i].parent >= 0) children[m->nodes[i].parent]++;
    for (int i = 0; i < m->nnode; i++) {
        check_mass(c, i, children[i]);
        check_moments(c, i);
    }
    if (c->report->errors != errors) return false;
    for (int i = m->nnode - 1; i >= 0; i--) {
        const ff_node *node = &m->nodes[i];
        composite[i] = ff_inertia_add(&composite[i], &node->inertia);
        check_motion(c, i, &composite[i]);
        if (node->parent < 0) continue;
        ff_inertia in_frame = ff_inertia_transform(&composite[i], node->rest.p, node->rest.R);
        composite[node->parent] = ff_inertia_add(&composite[node->parent], &in_frame);
    }
    if (!finish_nodes(m, children) || !add_lifts(c)) return false;
    add_fixed_mass(m);
    return c->report->errors == errors;
}
