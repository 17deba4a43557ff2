// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Plain Wavefront OBJ files, read exactly. Assimp reads their decimal numbers up to a few units in the last place of a
// float off, which changes the mass of a mesh by some 1e-9; here each coordinate is the float nearest to the
// decimal number, as in MuJoCo. What is not plain (curves, joined lines, concave polygons, faults) is left to assimp.
#ifdef FF_WITH_MESHES
#include <footfall/text.h>

#include <math.h>
#include <stdlib.h>

#include "mesh_load.h"

#define MOST_CORNERS 64

typedef struct obj {
    double *vertices; // in threes
    int nvalue, value_capacity;
    int *corners; // vertex numbers, in threes
    int ncorner, corner_capacity;
} obj;

typedef struct word {
    const char *text;
    size_t length;
} word;

/// The next word of the line, empty at its end.
static word next_word(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r')) (*at)++;
    word w = {*at, 0};
    while (*at < end && **at != ' ' && **at != '\t' && **at != '\r') (*at)++;
    w.length = (size_t)(*at - w.text);
    return w;
}

static bool is(word w, const char *name)
{
    return strlen(name) == w.length && memcmp(w.text, name, w.length) == 0;
}

/// x y z, and perhaps a weight of 1 or a colour.
static bool add_vertex(obj *o, const char *at, const char *end)
{
    double v[4] = {0, 0, 0, 1};
    int count = 0;
    for (word w = next_word(&at, end); w.length > 0; w = next_word(&at, end), count++)
        if (count < 4 && !ff_text_number(w.text, w.length, &v[count])) return false;
    if (count < 3 || (count == 4 && v[3] != 1.0)) return false;
    for (int k = 0; k < 3; k++) {
        if (o->nvalue >= 9 * FF_MESH_MAX || !ff_array_grow(&o->vertices, o->nvalue, &o->value_capacity, sizeof(double)))
            return false;
        o->vertices[o->nvalue++] = (double)(float)v[k];
    }
    return true;
}

/// Number of the vertex that "7", "7/1", "7//3" or "-2/1/3" names; -1 for anything else.
static int vertex_named(word w, int nvertex)
{
    const char *slash = memchr(w.text, '/', w.length);
    double value;
    if (!ff_text_number(w.text, slash ? (size_t)(slash - w.text) : w.length, &value) || value != floor(value))
        return -1;
    if (value >= 1.0 && value <= nvertex) return (int)value - 1;
    return value < 0.0 && value >= -nvertex ? nvertex + (int)value : -1;
}

/// Does the polygon turn in the same sense at each corner, so that a fan from its first corner covers it once?
static bool is_convex(const obj *o, const int *corner, int count)
{
    double first[3] = {0, 0, 0}, turn[3], along[3], next[3];
    for (int i = 0; i < count; i++) {
        const double *a = o->vertices + 3 * (size_t)corner[i], *b = o->vertices + 3 * (size_t)corner[(i + 1) % count];
        ff_vec3_sub(along, b, a);
        ff_vec3_sub(next, o->vertices + 3 * (size_t)corner[(i + 2) % count], b);
        ff_vec3_cross(turn, along, next);
        if (ff_vec3_norm(first) == 0.0) ff_vec3_copy(first, turn);
        if (ff_vec3_dot(first, turn) < 0.0) return false;
    }
    return true;
}

static bool add_triangle(obj *o, int a, int b, int c)
{
    const int corner[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        if (o->ncorner >= 3 * FF_MESH_MAX || !ff_array_grow(&o->corners, o->ncorner, &o->corner_capacity, sizeof(int)))
            return false;
        o->corners[o->ncorner++] = corner[k];
    }
    return true;
}

static bool add_face(obj *o, const char *at, const char *end)
{
    int corner[MOST_CORNERS], count = 0;
    for (word w = next_word(&at, end); w.length > 0; w = next_word(&at, end)) {
        if (count == MOST_CORNERS) return false;
        corner[count] = vertex_named(w, o->nvalue / 3);
        if (corner[count++] < 0) return false;
    }
    if (count < 3 || (count > 3 && !is_convex(o, corner, count))) return false;
    for (int i = 1; i + 1 < count; i++)
        if (!add_triangle(o, corner[0], corner[i], corner[i + 1])) return false;
    return true;
}

static bool add_line(obj *o, const char *at, const char *end)
{
    static const char *const ignored[] = {"vt", "vn", "g", "o", "s", "usemtl", "mtllib", "l", "p", NULL};
    word w = next_word(&at, end);
    if (w.length == 0 || w.text[0] == '#') return true;
    if (end[-1] == '\\' || (end[-1] == '\r' && end[-2] == '\\')) return false;
    if (is(w, "v")) return add_vertex(o, at, end);
    if (is(w, "f")) return add_face(o, at, end);
    for (int i = 0; ignored[i]; i++)
        if (is(w, ignored[i])) return true;
    return false;
}

static bool join_triangles(const obj *o, const double scale[3], ff_mesh **mesh)
{
    ff_merger m = {0};
    bool mirrored = scale[0] * scale[1] * scale[2] < 0.0;
    if (!ff_merger_init(&m, o->ncorner / 3)) return false;
    for (int t = 0; t < o->ncorner; t += 3) {
        int corner[3];
        for (int k = 0; k < 3; k++) {
            const double *v = o->vertices + 3 * (size_t)o->corners[t + k];
            corner[k] = ff_merger_vertex(&m, (const double[3]){v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]});
        }
        ff_merger_triangle(&m, corner[0], corner[mirrored ? 2 : 1], corner[mirrored ? 1 : 2]);
    }
    if (m.mesh->ntriangle > 0)
        *mesh = ff_mesh_create(m.mesh->vertices, m.mesh->nvertex, m.mesh->triangles, m.mesh->ntriangle, NULL);
    ff_merger_clear(&m);
    return *mesh != NULL;
}

bool ff_mesh_read_obj(ff_mesh **mesh, const mesh_bytes *source)
{
    obj o = {0};
    bool plain = true;
    const char *at = source->bytes, *end = source->bytes + source->length;
    while (plain && at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        plain = add_line(&o, at, stop);
        at = stop + 1;
    }
    plain = plain && o.ncorner > 0 && join_triangles(&o, source->scale, mesh);
    free(o.vertices);
    free(o.corners);
    return plain;
}
#endif
