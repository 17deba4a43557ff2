// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Mirror image of a description. With P the reflection that flips one axis:
//     points and slide axes       x -> P x
//     rotations                   R -> P R P      (quaternion: the two imaginary parts off the axis flip)
//     hinge axes (axial vectors)  a -> -P a       so that equal angles turn mirror-wise
//     inertia                     I -> P I P      (the two products with the axis flip)
// Every primitive shape is symmetric to the planes of its own frame, so P R P with the same size is its image; meshes
// are copied with flipped vertices.
#include "model/edit.h"

static void flip_point(double x[3], int axis)
{
    x[axis] = -x[axis];
}

static void flip_rotation(double q[4], int axis)
{
    for (int i = 0; i < 3; i++)
        if (i != axis) q[1 + i] = -q[1 + i];
}

static void flip_inertia(double I[6], int axis)
{
    static const int products[3][2] = {{3, 4}, {3, 5}, {4, 5}}; // xy xz, xy yz, xz yz
    for (int k = 0; k < 2; k++) I[products[axis][k]] = -I[products[axis][k]];
}

static void flip_joint(ff_spec_joint *joint, int axis)
{
    flip_point(joint->pos, axis);
    if (joint->type == FF_JOINT_SLIDE) {
        flip_point(joint->axis, axis);
        return;
    }
    for (int i = 0; i < 3; i++)
        if (i != axis) joint->axis[i] = -joint->axis[i];
}

/// The geom's frame turns as P R P, so the data must flip along the same axis; triangles change their sense with it.
static void flip_mesh(ff_spec_mesh *mesh, int axis)
{
    flip_point(mesh->pos, axis);
    flip_rotation(mesh->quat, axis);
    mesh->scale[axis] = -mesh->scale[axis];
    if (!mesh->data) return;
    for (int i = 0; i < mesh->data->nvertex; i++) flip_point(&mesh->data->vertices[3 * i], axis);
    for (int i = 0; i < mesh->data->ntriangle; i++) {
        int *triangle = &mesh->data->triangles[3 * i], second = triangle[1];
        triangle[1] = triangle[2];
        triangle[2] = second;
    }
}

/// Points of both bodies; the pose and the held point of a weld. Couplings hold for equal coordinates as they are.
static void flip_loop(ff_spec_equality *e, int axis)
{
    if (e->type == FF_EQUALITY_JOINT) return;
    flip_point(e->data, axis);
    if (e->type == FF_EQUALITY_WELD) {
        flip_rotation(e->data + 3, axis);
        flip_point(e->data + 7, axis);
    } else {
        flip_point(e->data + 3, axis);
    }
}

/// A force flips as a point does, a moment as an axial vector: its two other components.
static void flip_thrust(ff_spec_tendon_piece *piece, int axis)
{
    flip_point(piece->wrench, axis);
    for (int i = 0; i < 3; i++)
        if (i != axis) piece->wrench[3 + i] = -piece->wrench[3 + i];
}

void ff_spec_mirror(ff_spec *spec, int axis)
{
    for (int i = 0; i < spec->nbody; i++) {
        ff_spec_body *body = &spec->bodies[i];
        flip_point(body->pos, axis);
        flip_rotation(body->quat, axis);
        flip_point(body->com, axis);
        flip_rotation(body->inertia_quat, axis);
        flip_inertia(body->inertia, axis);
    }
    for (int i = 0; i < spec->njoint; i++) flip_joint(&spec->joints[i], axis);
    for (int i = 0; i < spec->ngeom; i++) {
        flip_point(spec->geoms[i].pos, axis);
        flip_rotation(spec->geoms[i].quat, axis);
    }
    for (int i = 0; i < spec->nframe; i++) {
        flip_point(spec->frames[i].pos, axis);
        flip_rotation(spec->frames[i].quat, axis);
    }
    for (int i = 0; i < spec->ntendon; i++)
        for (int k = 0; k < spec->tendons[i].npiece; k++) flip_thrust(&spec->tendons[i].pieces[k], axis);
    for (int i = 0; i < spec->nequality; i++) flip_loop(&spec->equalities[i], axis);
    for (int i = 0; i < spec->nmesh; i++) flip_mesh(&spec->meshes[i], axis);
}
