// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The sections of an MJCF file beside its tree: meshes, loops, excluded pairs, poses.
#include "mjcf/write.h"
#include "text/names.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ meshes

/// Does MuJoCo read mesh files with this ending?
static bool is_readable(const char *path)
{
    static const char *const endings[] = {".stl", ".STL", ".obj", ".msh", NULL};
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && ff_word_find(endings, dot) >= 0;
}

static void put_vertices(ff_writing *w, const ff_mesh *mesh)
{
    double *faces = malloc((3 * (size_t)mesh->ntriangle + 1) * sizeof *faces);
    if (!faces) {
        w->no_memory = true;
        return;
    }
    for (int i = 0; i < 3 * mesh->ntriangle; i++) faces[i] = mesh->triangles[i];
    ff_put_numbers(w, "vertex", mesh->vertices, 3 * mesh->nvertex);
    if (mesh->ntriangle > 0) ff_put_numbers(w, "face", faces, 3 * mesh->ntriangle);
    free(faces);
}

static void put_mesh(ff_writing *w, const ff_spec_mesh *mesh)
{
    static const double one[3] = {1, 1, 1};
    char *path = is_readable(mesh->path) ? ff_writing_mesh_file(mesh) : NULL;
    ff_put_format(w, "    <mesh");
    ff_put_text(w, "name", mesh->name);
    if (path) {
        ff_put_text(w, "file", path);
        if (memcmp(mesh->scale, one, sizeof one) != 0) ff_put_numbers(w, "scale", mesh->scale, 3);
    } else {
        put_vertices(w, mesh->data);
    }
    ff_put_format(w, "/>\n");
    free(path);
}

void mjcf_put_meshes(ff_writing *w)
{
    bool open = false;
    for (int i = 0; i < w->spec->nmesh; i++) {
        if (!w->spec->meshes[i].data) continue;
        if (!open) ff_put_format(w, "  <asset>\n");
        open = true;
        put_mesh(w, &w->spec->meshes[i]);
    }
    if (open) ff_put_format(w, "  </asset>\n");
}

// ------------------------------------------------------------------------------------------ loops

static void begin_equality(ff_writing *w, const char *element, const ff_equality *e)
{
    ff_put_format(w, "    <%s", element);
    if (e->name && e->name[0]) ff_put_text(w, "name", e->name);
    if (!e->active) ff_put_format(w, " active=\"false\"");
}

/// Position of a point of a body in the world with all joints at their reference.
static void point_at_reference(const ff_writing *w, int body, const double point[3], double out[3])
{
    double pos[3], quat[4];
    ff_writing_rest(w, body, pos, quat);
    ff_quat_rotate(out, quat, point);
    ff_vec3_add(out, out, pos);
}

static double distance_at_reference(const ff_writing *w, const ff_equality *e)
{
    double one[3], two[3];
    point_at_reference(w, e->object1, e->data, one);
    point_at_reference(w, e->object2, e->data + 3, two);
    ff_vec3_sub(one, one, two);
    return ff_vec3_norm(one);
}

/// Two sites at the points of a loop.
static bool add_ends(ff_writing *w, const ff_equality *e, const char *ends[2])
{
    static const double upright[4] = {1, 0, 0, 0};
    const char *name = e->name && e->name[0] ? e->name : "loop";
    const int bodies[2] = {e->object1, e->object2};
    for (int k = 0; k < 2; k++) {
        const char *wanted = ff_arena_printf(&w->arena, "%s.%c", name, 'a' + k);
        ends[k] = wanted ? ff_writing_add_frame(w, wanted, bodies[k], e->data + 3 * k, upright) : NULL;
        if (!ends[k]) return false;
    }
    return true;
}

/// By one anchor where the two points coincide in the reference position, which every version of MuJoCo reads; else by
/// two sites.
static void put_connect(ff_writing *w, const ff_equality *e)
{
    const char *ends[2];
    if (distance_at_reference(w, e) < 1e-9) {
        // the point lies in the first body, which must not be the world in MuJoCo 2
        const bool swap = e->object1 < 0;
        begin_equality(w, "connect", e);
        ff_put_text(w, "body1", mjcf_body_name(w, swap ? e->object2 : e->object1));
        if (!swap && e->object2 >= 0) ff_put_text(w, "body2", mjcf_body_name(w, e->object2));
        ff_put_numbers(w, "anchor", swap ? e->data + 3 : e->data, 3);
    } else {
        if (!add_ends(w, e, ends)) return;
        begin_equality(w, "connect", e);
        ff_put_text(w, "site1", ends[0]);
        ff_put_text(w, "site2", ends[1]);
        ff_report_omission(w, "its points do not meet at rest, which MuJoCo reads from version 3 on", e->name,
                           e->place);
    }
    ff_put_format(w, "/>\n");
}

static void put_weld(ff_writing *w, const ff_equality *e)
{
    static const double origin[3] = {0, 0, 0};
    begin_equality(w, "weld", e);
    ff_put_text(w, "body1", mjcf_body_name(w, e->object1));
    if (e->object2 >= 0) ff_put_text(w, "body2", mjcf_body_name(w, e->object2));
    ff_put_numbers(w, "relpose", e->data, 7);
    if (memcmp(e->data + 7, origin, sizeof origin) != 0) ff_put_numbers(w, "anchor", e->data + 7, 3);
    ff_put_unless(w, "torquescale", e->data[10], 1.0);
    ff_put_format(w, "/>\n");
}

static double ref_of(const ff_writing *w, int joint)
{
    return joint < 0 ? 0.0 : w->model->nodes[w->model->joints[joint].node].ref;
}

/// y - y_ref = sum c_k (x - x_ref)^k: MJCF counts from the references of the joints. `c` is about x0 and y0.
static void put_coupling(ff_writing *w, const char *name, bool active, int follower, int leader, const double c[5],
                         double y0, double x0)
{
    const double shift = ref_of(w, leader) - x0;
    double p[5];
    memcpy(p, c, sizeof p);
    for (int round = 0; round < 5; round++) // Taylor shift by Horner's scheme
        for (int k = 3; k >= round; k--) p[k] += shift * p[k + 1];
    if (leader < 0) memcpy(p, c, sizeof p);
    p[0] += y0 - ref_of(w, follower);
    ff_put_format(w, "    <joint");
    if (name && name[0]) ff_put_text(w, "name", name);
    if (!active) ff_put_format(w, " active=\"false\"");
    ff_put_text(w, "joint1", w->model->joints[follower].name);
    if (leader >= 0) ff_put_text(w, "joint2", w->model->joints[leader].name);
    ff_put_numbers(w, "polycoef", p, 5);
    ff_put_format(w, "/>\n");
}

static void put_loop(ff_writing *w, const ff_equality *e)
{
    switch (e->type) {
    case FF_EQUALITY_CONNECT:
        put_connect(w, e);
        break;
    case FF_EQUALITY_WELD:
        put_weld(w, e);
        break;
    case FF_EQUALITY_JOINT:
        put_coupling(w, e->name, e->active, e->object1, e->object2, e->data, e->data[5], e->data[6]);
        break;
    case FF_EQUALITY_ROD:
        begin_equality(w, "tendon", e);
        ff_put_text(w, "tendon1", e->name && e->name[0] ? e->name : "rod");
        ff_put_numbers(w, "polycoef", (const double[5]){e->data[6] - distance_at_reference(w, e)}, 5);
        ff_put_format(w, "/>\n");
    }
}

/// Rods hold the length of a tendon, which Footfall does not read back.
static void put_rods(ff_writing *w)
{
    bool open = false;
    for (int i = 0; i < w->model->nequality; i++) {
        const ff_equality *e = &w->model->equalities[i];
        const char *ends[2];
        if (e->type != FF_EQUALITY_ROD || !add_ends(w, e, ends)) continue;
        if (!open) ff_put_format(w, "  <tendon>\n");
        open = true;
        ff_put_format(w, "    <spatial");
        ff_put_text(w, "name", e->name && e->name[0] ? e->name : "rod");
        for (int k = 0; k < 2; k++) {
            ff_put_format(w, "%s<site", k ? "" : ">");
            ff_put_text(w, "site", ends[k]);
            ff_put_format(w, "/>");
        }
        ff_put_format(w, "</spatial>\n");
        ff_report_omission(w, "the rod is written as a tendon of fixed length, which Footfall does not read", e->name,
                           e->place);
    }
    if (open) ff_put_format(w, "  </tendon>\n");
}

void mjcf_put_loops(ff_writing *w)
{
    const ff_model *m = w->model;
    bool any = m->nequality > 0;
    for (int j = 0; j < m->njoint; j++) any = any || m->joints[j].mimic >= 0;
    put_rods(w);
    if (!any) return;
    ff_put_format(w, "  <equality>\n");
    for (int i = 0; i < m->nequality; i++) put_loop(w, &m->equalities[i]);
    for (int j = 0; j < m->njoint; j++) {
        const ff_joint *joint = &m->joints[j];
        const double line[5] = {joint->mimic_offset, joint->mimic_gain};
        if (joint->mimic >= 0) put_coupling(w, NULL, true, j, joint->mimic, line, 0.0, 0.0);
    }
    ff_put_format(w, "  </equality>\n");
}

static void put_pair(ff_writing *w, const ff_spec_pair *pair)
{
    const int one = ff_spec_find_geom(w->spec, pair->geom1), two = ff_spec_find_geom(w->spec, pair->geom2);
    const ff_spec_geom *geoms = w->spec->geoms;
    if (mjcf_shape_obstacle(w, &geoms[one]) || mjcf_shape_obstacle(w, &geoms[two])) return;
    const double *f = pair->friction;
    ff_put_format(w, "    <pair");
    ff_put_text(w, "geom1", pair->geom1);
    ff_put_text(w, "geom2", pair->geom2);
    ff_put_numbers(w, "friction", (const double[5]){f[0], f[0], f[1], f[2], f[2]}, 5);
    ff_put_unless(w, "condim", pair->condim, 3.0);
    mjcf_put_hardness(w, &pair->numbers, pair->geom1, pair->place);
    ff_put_format(w, "/>\n");
}

void mjcf_put_contacts(ff_writing *w)
{
    const ff_model *m = w->model;
    if (m->nexclude == 0 && m->npair == 0) return;
    ff_put_format(w, "  <contact>\n");
    for (int i = 0; i < m->nexclude; i++) {
        ff_put_format(w, "    <exclude");
        ff_put_text(w, "body1", mjcf_body_name(w, m->excludes[2 * i]));
        ff_put_text(w, "body2", mjcf_body_name(w, m->excludes[2 * i + 1]));
        ff_put_format(w, "/>\n");
    }
    for (int i = 0; i < m->npair; i++) put_pair(w, &w->spec->pairs[i]);
    ff_put_format(w, "  </contact>\n");
}

// ------------------------------------------------------------------------------------------ poses, and the rest

static bool is_moving(const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (numbers[i] != 0.0) return true;
    return false;
}

/// Numbers of the actuators in the order in which they are written: those with an activation last, or alone.
static void put_by_actuator(ff_writing *w, const char *name, const double *values, bool all)
{
    const ff_model *m = w->model;
    double *ordered = FF_ARENA_NEW(&w->arena, double, m->nactuator + 1);
    int n = 0;
    if (!ordered) return;
    for (int stateful = !all; stateful < 2; stateful++)
        for (int i = 0; i < m->nactuator; i++)
            if ((m->actuators[i].state >= 0) == stateful) ordered[n++] = values[i];
    ff_put_numbers(w, name, ordered, n);
}

/// Positions and orientations of mocap bodies.
static void put_mocap(ff_writing *w, const double *poses)
{
    const int n = w->model->nmocap;
    double *pos = FF_ARENA_NEW(&w->arena, double, 3 * n + 1), *quat = FF_ARENA_NEW(&w->arena, double, 4 * n + 1);
    if (!pos || !quat) return; // the arena remembers it
    for (int i = 0; i < n; i++) {
        ff_vec3_copy(pos + 3 * i, poses + 7 * i);
        ff_quat_copy(quat + 4 * i, poses + 7 * i + 3);
    }
    ff_put_numbers(w, "mpos", pos, 3 * n);
    ff_put_numbers(w, "mquat", quat, 4 * n);
}

void mjcf_put_keys(ff_writing *w, int nactuator)
{
    const ff_model *m = w->model;
    if (m->nkey == 0) return;
    ff_put_format(w, "  <keyframe>\n");
    for (int i = 0; i < m->nkey; i++) {
        const ff_key *key = &m->keys[i];
        ff_put_format(w, "    <key");
        ff_put_text(w, "name", key->name);
        ff_put_unless(w, "time", key->time, 0.0);
        ff_put_numbers(w, "qpos", key->q, m->nq);
        if (is_moving(key->v, m->nv)) ff_put_numbers(w, "qvel", key->v, m->nv);
        if (nactuator == m->nactuator && is_moving(key->command, m->nactuator))
            put_by_actuator(w, "ctrl", key->command, true);
        if (nactuator == m->nactuator && is_moving(key->activation, m->nactuator))
            put_by_actuator(w, "act", key->activation, false);
        if (key->mocap) put_mocap(w, key->mocap);
        ff_put_format(w, "/>\n");
    }
    ff_put_format(w, "  </keyframe>\n");
}

void mjcf_report_rest(ff_writing *w)
{
    const ff_spec *s = w->spec;
    for (int i = 0; i < s->nleg; i++) ff_report_omission(w, "MJCF has no legs", s->legs[i].name, s->legs[i].place);
    for (int i = 0; i < s->nhand; i++) ff_report_omission(w, "MJCF has no hands", s->hands[i].name, s->hands[i].place);
    for (int i = 0; i < s->nbattery; i++)
        ff_report_omission(w, "the battery is left out: supplies do not sag in MJCF", s->batteries[i].name,
                           s->batteries[i].place);
}
