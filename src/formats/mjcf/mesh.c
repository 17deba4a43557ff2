// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Assets: meshes from files or from inline vertices, and the colours of materials. The data of a mesh is kept in the
// frame geoms refer to:  v = scale * R(refquat)' (v_file - refpos).  MuJoCo moves it to its centre of mass and
// principal axes and moves the geoms back, which is equivalent.
#include "mjcf/mjcf.h"

#include <footfall/text.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

#define MOST_NUMBERS 30000000 // of an inline mesh
#define MOST_MESHES  10000

void mjcf_mesh_read(mjcf *m, ff_xml *node, mjcf_mesh *mesh)
{
    static const char *const fillings[] = {"exact", "legacy", "convex", "shell", NULL};
    static const ff_mesh_filling values[] = {FF_FILL_EXACT, FF_FILL_LEGACY, FF_FILL_CONVEX, FF_FILL_SHELL};
    ff_xml_numbers(node, "scale", mesh->scale, 3, 3, m->report);
    ff_xml_numbers(node, "refpos", mesh->refpos, 3, 3, m->report);
    ff_xml_numbers(node, "refquat", mesh->refquat, 4, 4, m->report);
    int filling = ff_xml_choice(node, "inertia", fillings, -1, m->report);
    if (filling >= 0) mesh->filling = (int)values[filling];
}

// ------------------------------------------------------------------------------------------ vertices

/// Faces of an inline mesh as whole numbers in range; NULL (reported) when one is not.
static int *inline_faces(mjcf *m, ff_xml *node, int nvertex, int *count)
{
    double *values = mjcf_numbers(m, node, "face", MOST_NUMBERS, &m->arena, count);
    int *faces = values ? FF_ARENA_NEW(&m->arena, int, *count + 1) : NULL;
    if (!values || !mjcf_has_memory(m, faces)) return NULL;
    if (*count % 3 != 0 || *count == 0) {
        mjcf_error(m, node->place, "face has %d numbers; three are needed for each triangle", *count);
        return NULL;
    }
    for (int i = 0; i < *count; i++) {
        if (values[i] >= 0 && values[i] < nvertex && values[i] == floor(values[i])) {
            faces[i] = (int)values[i];
            continue;
        }
        mjcf_error(m, node->place, "face names vertex %g; there are vertices 0 to %d", values[i], nvertex - 1);
        return NULL;
    }
    return faces;
}

/// Mesh from the attributes vertex and face; without faces it is the convex hull. NULL when reported.
static ff_mesh *inline_mesh(mjcf *m, ff_xml *node)
{
    int nvalue, nface = 0;
    double *vertices = mjcf_numbers(m, node, "vertex", MOST_NUMBERS, &m->arena, &nvalue);
    if (!vertices) return NULL;
    if (nvalue % 3 != 0 || nvalue < 12) {
        mjcf_error(m, node->place, "vertex has %d numbers; three for each of at least four vertices are needed",
                   nvalue);
        return NULL;
    }
    ff_mesh *mesh;
    if (ff_xml_peek(node, "face")) {
        int *faces = inline_faces(m, node, nvalue / 3, &nface);
        if (!faces) return NULL;
        mesh = ff_mesh_create(vertices, nvalue / 3, faces, nface / 3, NULL);
        if (!mesh) m->no_memory = true;
        return mesh;
    }
    ff_error err = {0};
    mesh = ff_mesh_convex_hull(&(ff_mesh){.vertices = vertices, .nvertex = nvalue / 3}, &err);
    if (!mesh) mjcf_error(m, node->place, "%s", err.text);
    return mesh;
}

/// MuJoCo's own binary format: counts of vertices, normals, texture coordinates and faces, then the arrays, all of 4
/// bytes.
static ff_mesh *read_msh(const char *bytes, size_t size)
{
    int32_t count[4];
    if (size < sizeof count) return NULL;
    memcpy(count, bytes, sizeof count);
    for (int i = 0; i < 4; i++)
        if (count[i] < 0 || count[i] > INT_MAX / 16) return NULL;
    size_t nvertex = (size_t)count[0], nface = (size_t)count[3];
    size_t face_at = sizeof count + 4 * (3 * nvertex + 3 * (size_t)count[1] + 2 * (size_t)count[2]);
    if (size != face_at + 12 * nface || nvertex == 0 || nface == 0) return NULL;
    double *vertices = malloc(3 * nvertex * sizeof *vertices);
    int *faces = malloc(3 * nface * sizeof *faces);
    ff_mesh *mesh = NULL;
    if (vertices && faces) {
        for (size_t i = 0; i < 3 * nvertex; i++) {
            float value;
            memcpy(&value, bytes + sizeof count + 4 * i, 4);
            vertices[i] = (double)value;
        }
        for (size_t i = 0; i < 3 * nface; i++) {
            int32_t value;
            memcpy(&value, bytes + face_at + 4 * i, 4);
            faces[i] = value;
        }
        mesh = ff_mesh_create(vertices, count[0], faces, count[3], NULL);
    }
    free(vertices);
    free(faces);
    return mesh;
}

/// Mesh of a file; NULL with the reason in `problem`.
static ff_mesh *file_mesh(mjcf *m, const char *path, char *problem, size_t size)
{
    const ff_file_kind kind = ff_file_kind_at(path, NULL);
    ff_error err = {0};
    ff_mesh *mesh = NULL;
    if (kind == FF_FILE_UNKNOWN) {
        snprintf(problem, size, "there is no file %.300s", path);
    } else if (kind != FF_FILE_REGULAR) {
        snprintf(problem, size, "%.300s is not a file", path);
    } else if (mjcf_ends_with(path, ".msh")) {
        ff_report report = {0};
        size_t length = 0;
        char *bytes = ff_text_load(path, m->from->options->max_bytes, &length, (ff_place){0}, &report);
        mesh = bytes ? read_msh(bytes, length) : NULL;
        if (!mesh) snprintf(problem, size, "%.300s is no mesh in MuJoCo's msh format", path);
        free(bytes);
        ff_report_clear(&report);
    } else if (!(mesh = ff_mesh_load(path, (const double[3]){1, 1, 1}, &err))) {
        snprintf(problem, size, "%s", err.text);
    }
    return mesh;
}

/// v = scale * R(refquat)' (v - refpos); a mirroring scale turns the triangles round. The numbers of a file are rounded
/// to single precision, as MuJoCo reads them: a robot whose mass is computed from meshes then has the same mass in
/// both. All that follows is in double precision, as in MuJoCo 3.
static void transform(ff_mesh *mesh, const mjcf_mesh *from)
{
    double quat[4], R[9], moved[3], turned[3];
    ff_quat_copy(quat, from->refquat);
    ff_quat_normalise(quat);
    ff_quat_to_mat3(R, quat);
    for (int i = 0; i < mesh->nvertex; i++) {
        double *v = mesh->vertices + 3 * (size_t)i;
        for (int k = 0; k < 3; k++) moved[k] = (double)(float)v[k] - from->refpos[k];
        ff_mat3_tmulv(turned, R, moved);
        for (int k = 0; k < 3; k++) v[k] = turned[k] * from->scale[k];
    }
    if (from->scale[0] * from->scale[1] * from->scale[2] >= 0.0) return;
    for (int i = 0; i < mesh->ntriangle; i++) {
        int *corner = mesh->triangles + 3 * (size_t)i, kept = corner[1];
        corner[1] = corner[2];
        corner[2] = kept;
    }
}

// ------------------------------------------------------------------------------------------ assets

static void load_mesh(mjcf *m, ff_xml *node, const char *file, const mjcf_mesh *from, ff_spec_mesh *mesh)
{
    char problem[512] = "";
    if (file) {
        mesh->path = mjcf_asset_path(m, node, file);
        if (!mjcf_has_memory(m, mesh->path)) return;
        mesh->data = file_mesh(m, mesh->path, problem, sizeof problem);
    } else {
        mesh->data = inline_mesh(m, node);
    }
    if (mesh->data) {
        transform(mesh->data, from);
        return;
    }
    mesh->problem = ff_spec_text(m->spec, problem);
    if (problem[0])
        mjcf_warn(m, node->place, "mesh \"%.100s\" cannot be used: %s", mesh->name ? mesh->name : "", problem);
}

static void add_mesh(mjcf *m, ff_xml *node)
{
    mjcf_mesh from = mjcf_class_of(m, node, "class", m->classes[0])->mesh;
    mjcf_mesh_read(m, node, &from);
    const char *name = ff_xml_get(node, "name"), *file = ff_xml_get(node, "file");
    ff_xml_get(node, "content_type");
    if (ff_xml_peek(node, "builtin")) {
        mjcf_name_add(m, MJCF_MESH_ASSET, name, MJCF_LEFT_OUT, node->place);
        mjcf_leave_out(m, node, "builtin shapes");
        return;
    }
    if (m->spec->nmesh >= MOST_MESHES) {
        mjcf_error(m, node->place, "more than %d meshes", MOST_MESHES);
        return;
    }
    if (!file && !ff_xml_peek(node, "vertex")) {
        mjcf_error(m, node->place, "<mesh> needs a file or vertices");
        return;
    }
    if ((!name || !name[0]) && file) name = mjcf_base_name(m, file);
    double length = sqrt(from.refquat[0] * from.refquat[0] + from.refquat[1] * from.refquat[1] +
                         from.refquat[2] * from.refquat[2] + from.refquat[3] * from.refquat[3]);
    if (length < 1e-10) mjcf_error(m, node->place, "refquat has no length");
    if (from.scale[0] == 0.0 || from.scale[1] == 0.0 || from.scale[2] == 0.0)
        mjcf_error(m, node->place, "scale is %g %g %g; no factor may be 0", from.scale[0], from.scale[1],
                   from.scale[2]);
    ff_spec_mesh *mesh = ff_spec_add_mesh(m->spec, name);
    if (!mjcf_has_memory(m, mesh)) return;
    mesh->place = node->place;
    ff_vec3_copy(mesh->scale, from.scale);
    mesh->filling = from.filling >= 0 ? (ff_mesh_filling)from.filling
                    : m->exact_meshes ? FF_FILL_EXACT
                                      : FF_FILL_LEGACY;
    mesh->coarse_axes = true;
    mjcf_name_add(m, MJCF_MESH_ASSET, name, m->spec->nmesh - 1, node->place);
    load_mesh(m, node, file, &from, mesh);
}

static void add_material(mjcf *m, ff_xml *node)
{
    const mjcf_class *class = mjcf_class_of(m, node, "class", m->classes[0]);
    const char *name = ff_xml_need(node, "name", m->report);
    if (!mjcf_grow(m, &m->material_rgba, m->nmaterial, &m->material_capacity, sizeof *m->material_rgba)) return;
    double *rgba = m->material_rgba[m->nmaterial];
    memcpy(rgba, class->material_rgba, sizeof *m->material_rgba);
    mjcf_colour(m, node, rgba);
    mjcf_name_add(m, MJCF_MATERIAL, name, m->nmaterial++, node->place);
}

void mjcf_assets(mjcf *m, ff_xml *section)
{
    for (ff_xml *node = section->child; node && !m->no_memory; node = node->next) {
        const bool mesh = strcmp(node->name, "mesh") == 0, material = strcmp(node->name, "material") == 0;
        const bool hfield = strcmp(node->name, "hfield") == 0;
        node->used = mesh || material || hfield;
        if (mesh) add_mesh(m, node);
        if (hfield) mjcf_hfield_add(m, node);
        if (material) add_material(m, node);
    }
}

// ------------------------------------------------------------------------------------------ the box of equal inertia

/// Half sides a <= b <= c of the box with the mesh's volume V and principal moments:  a^2 = 3/2 (B + C - A)/V  with the
/// moments A >= B >= C of unit density, and so on cyclically.
static bool inertia_box(const ff_spec_mesh *mesh, double half[3], double com[3], double quat[4])
{
    ff_inertia inertia;
    ff_error err = {0};
    double I[6], ascending[3], V[9];
    if (!mesh->data || ff_mesh_inertia(mesh->data, mesh->filling, 1.0, &inertia, &err) != FF_OK) return false;
    ff_inertia_to_com(&inertia, com, I);
    ff_eigen_sym3((const double[9]){I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}, ascending, V);
    double moment[3] = {ascending[2], ascending[1], ascending[0]}, sum = moment[0] + moment[1] + moment[2];
    for (int i = 0; i < 3; i++) half[i] = sqrt(ff_max(0.0, 1.5 * (sum - 2.0 * moment[i]) / inertia.mass));
    // columns: axes of the greatest, the middle and the least moment, made right-handed
    double x[3] = {V[2], V[5], V[8]}, y[3] = {V[1], V[4], V[7]}, z[3];
    ff_vec3_cross(z, x, y);
    ff_quat_from_mat3(quat, (const double[9]){x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]});
    return true;
}

/// Bounds of the vertices along the principal axes: half sides and centre.
static void bounds_box(const ff_mesh *mesh, const double quat[4], double half[3], double pos[3])
{
    double R[9], low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, v[3], centre[3];
    ff_quat_to_mat3(R, quat);
    for (int i = 0; i < mesh->nvertex; i++) {
        ff_mat3_tmulv(v, R, mesh->vertices + 3 * (size_t)i);
        for (int k = 0; k < 3; k++) {
            low[k] = ff_min(low[k], v[k]);
            high[k] = ff_max(high[k], v[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        half[k] = 0.5 * (high[k] - low[k]);
        centre[k] = 0.5 * (high[k] + low[k]);
    }
    ff_mat3_mulv(pos, R, centre);
}

bool mjcf_mesh_box(mjcf *m, int mesh, double half[3], double pos[3], double quat[4])
{
    const ff_spec_mesh *from = &m->spec->meshes[mesh];
    if (!inertia_box(from, half, pos, quat)) return false;
    if (m->fit_bounds) bounds_box(from->data, quat, half, pos);
    return half[0] > 0.0 && half[1] > 0.0 && half[2] > 0.0;
}

void mjcf_mesh_wrap(const mjcf *m, int mesh, mjcf_shape type, const double pos[3], const double quat[4], double size[3])
{
    const ff_mesh *data = m->spec->meshes[mesh].data;
    double R[9], from_centre[3], v[3], cap = 0.0;
    ff_quat_to_mat3(R, quat);
    size[0] = size[1] = 0.0;
    for (int pass = 0; pass < 2; pass++) { // the caps of a capsule need its radius first
        for (int i = 0; i < data->nvertex; i++) {
            ff_vec3_sub(from_centre, data->vertices + 3 * (size_t)i, pos);
            ff_mat3_tmulv(v, R, from_centre);
            double off = type == MJCF_SPHERE ? ff_vec3_norm(v) : ff_hypot(v[0], v[1]);
            size[0] = ff_max(size[0], off);
            if (pass == 0) continue;
            cap = type == MJCF_CAPSULE ? sqrt(size[0] * size[0] - off * off) : 0.0;
            size[1] = ff_max(size[1], fabs(v[2]) - cap);
        }
    }
}
