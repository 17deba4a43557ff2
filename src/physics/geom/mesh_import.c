// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From the bytes of a mesh file to one mesh, by assimp:
//     bytes -> assimp's scene -> corners of all triangles in place -> equal corners merged -> ff_mesh
//
// Collada files carry a unit and an up axis. The unit is applied, so that a part drawn in millimetres comes out in
// metres; the up axis is not: the coordinates keep the axes they are written in. That is what ROS tools do, so that a
// URDF looks the same here. Assimp's own joining of vertices keeps corners apart whose normals differ, which is every
// edge of an STL part; the merging here compares positions alone.
#ifdef FF_WITH_MESHES
#include <math.h>
#include <stdlib.h>

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/mesh.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "mesh_load.h"

#define CORNERS_MAX 4096 // of a face

// ------------------------------------------------------------------------------------------ assimp's scene

// Every node with its meshes, parents first. Without recursion, since a file may nest nodes to any depth.
typedef struct node_list {
    const struct aiNode **nodes;
    int count, capacity;
} node_list;

static bool list_nodes(const struct aiNode *root, node_list *list)
{
    for (int i = -1; i < list->count; i++) {
        unsigned children = i < 0 ? 1 : list->nodes[i]->mNumChildren;
        for (unsigned c = 0; c < children; c++) {
            if (!ff_array_grow(&list->nodes, list->count, &list->capacity, sizeof *list->nodes)) return false;
            list->nodes[list->count++] = i < 0 ? root : list->nodes[i]->mChildren[c];
        }
    }
    return true;
}

// Affine map of a node to the file's root: x_root = A x + t.
typedef struct affine {
    double A[9];
    double t[3];
} affine;

static affine affine_of(const struct aiMatrix4x4 *m)
{
    return (affine){{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->b1, (double)m->b2, (double)m->b3,
                     (double)m->c1, (double)m->c2, (double)m->c3},
                    {(double)m->a4, (double)m->b4, (double)m->c4}};
}

static affine placement(const struct aiNode *node)
{
    affine out = affine_of(&node->mTransformation);
    for (node = node->mParent; node; node = node->mParent) {
        affine outer = affine_of(&node->mTransformation), inner = out;
        ff_mat3_mul(out.A, outer.A, inner.A);
        ff_mat3_mulv(out.t, outer.A, inner.t);
        ff_vec3_add(out.t, out.t, outer.t);
    }
    return out;
}

// Triangles of all nodes; a mesh counts once for each node that shows it. Stops counting beyond the limit.
static long long count_triangles(const struct aiScene *scene, const node_list *list)
{
    long long count = 0;
    for (int i = 0; i < list->count && count <= FF_MESH_MAX; i++)
        for (unsigned k = 0; k < list->nodes[i]->mNumMeshes; k++) {
            const struct aiMesh *part = scene->mMeshes[list->nodes[i]->mMeshes[k]];
            for (unsigned f = 0; f < part->mNumFaces; f++) count += part->mFaces[f].mNumIndices == 3;
        }
    return count;
}

// ------------------------------------------------------------------------------------------ merging corners

bool ff_merger_init(ff_merger *m, int ntriangle)
{
    size_t size = 8;
    while (size < 6 * (size_t)ntriangle) size *= 2;
    m->mesh = ff_mesh_alloc(3 * ntriangle, ntriangle);
    m->slots = calloc(size, sizeof(int));
    m->mask = size - 1;
    if (!m->mesh || !m->slots) return false;
    m->mesh->nvertex = m->mesh->ntriangle = 0;
    return true;
}

int ff_merger_vertex(ff_merger *m, const double p[3])
{
    double key[3] = {p[0] + 0.0, p[1] + 0.0, p[2] + 0.0}; // -0 becomes 0
    size_t slot = (size_t)ff_hash(key, sizeof key, FF_HASH_START) & m->mask;
    for (; m->slots[slot] != 0; slot = (slot + 1) & m->mask) {
        const double *other = m->mesh->vertices + 3 * (size_t)(m->slots[slot] - 1);
        if (other[0] == key[0] && other[1] == key[1] && other[2] == key[2]) return m->slots[slot] - 1;
    }
    int vertex = m->mesh->nvertex++;
    m->slots[slot] = vertex + 1;
    ff_vec3_copy(m->mesh->vertices + 3 * (size_t)vertex, key);
    return vertex;
}

// Triangles with two equal corners have no area and are left out.
void ff_merger_triangle(ff_merger *m, int a, int b, int c)
{
    if (a == b || b == c || c == a) return;
    int *triangle = m->mesh->triangles + 3 * (size_t)m->mesh->ntriangle++;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

void ff_merger_clear(ff_merger *m)
{
    ff_mesh_destroy(m->mesh);
    free(m->slots);
}

static ff_status add_part(ff_merger *m, const struct aiMesh *part, const affine *place, const double scale[3],
                          const char *path, ff_error *err)
{
    double n[3], p[3];
    ff_vec3_cross(n, place->A, place->A + 3);
    bool mirrored = ff_vec3_dot(n, place->A + 6) * scale[0] * scale[1] * scale[2] < 0.0;
    for (unsigned f = 0; f < part->mNumFaces; f++) {
        if (part->mFaces[f].mNumIndices != 3) continue; // lines and points
        int corner[3];
        for (int k = 0; k < 3; k++) {
            unsigned index = part->mFaces[f].mIndices[k];
            if (index >= part->mNumVertices)
                return ff_error_set(err, FF_BAD_FILE, "%s: face %u uses vertex %u of %u", path, f + 1, index + 1,
                                    part->mNumVertices);
            const struct aiVector3D *v = &part->mVertices[index];
            const double local[3] = {(double)v->x, (double)v->y, (double)v->z};
            ff_mat3_mulv(p, place->A, local);
            for (int i = 0; i < 3; i++) p[i] = (p[i] + place->t[i]) * scale[i];
            if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
                return ff_error_set(err, FF_BAD_FILE, "%s: corner %d of face %u lies at (%g, %g, %g): not finite", path,
                                    k + 1, f + 1, p[0], p[1], p[2]);
            corner[k] = ff_merger_vertex(m, p);
        }
        if (mirrored)
            ff_merger_triangle(m, corner[0], corner[2], corner[1]);
        else
            ff_merger_triangle(m, corner[0], corner[1], corner[2]);
    }
    return FF_OK;
}

static ff_status add_parts(ff_merger *m, const struct aiScene *scene, const node_list *list, const double scale[3],
                           const char *path, ff_error *err)
{
    for (int i = 0; i < list->count; i++) {
        if (list->nodes[i]->mNumMeshes == 0) continue;
        affine place = placement(list->nodes[i]);
        for (unsigned k = 0; k < list->nodes[i]->mNumMeshes; k++) {
            ff_status status = add_part(m, scene->mMeshes[list->nodes[i]->mMeshes[k]], &place, scale, path, err);
            if (status != FF_OK) return status;
        }
    }
    if (m->mesh->ntriangle == 0) return ff_error_set(err, FF_BAD_FILE, "%s: no triangle in it has an area", path);
    return FF_OK;
}

static ff_status join_scene(ff_mesh **mesh, const struct aiScene *scene, const double scale[3], const char *path,
                            ff_error *err)
{
    node_list list = {0};
    ff_merger m = {0};
    ff_status status = FF_OK;
    bool memory = list_nodes(scene->mRootNode, &list);
    long long ntriangle = memory ? count_triangles(scene, &list) : 0;
    if (memory && ntriangle == 0)
        status = ff_error_set(err, FF_BAD_FILE, "%s: there is no triangle in it", path);
    else if (ntriangle > FF_MESH_MAX)
        status = ff_error_set(err, FF_LIMIT, "%s: more than the %d triangles a mesh may have; simplify it", path,
                              FF_MESH_MAX);
    else if (!memory || !ff_merger_init(&m, (int)ntriangle))
        status = ff_error_set(err, FF_NO_MEMORY, "%s: no memory for %lld triangles", path, ntriangle);
    else
        status = add_parts(&m, scene, &list, scale, path, err);
    if (status == FF_OK)
        *mesh = ff_mesh_create(m.mesh->vertices, m.mesh->nvertex, m.mesh->triangles, m.mesh->ntriangle, NULL);
    if (status == FF_OK && !*mesh)
        status = ff_error_set(err, FF_NO_MEMORY, "%s: no memory for %lld triangles", path, ntriangle);
    ff_merger_clear(&m);
    free(list.nodes);
    return status;
}

// ------------------------------------------------------------------------------------------ all together

/// Assimp's time for a face goes by the square of its corners at least: 1e5 of them took 11 s.
static ff_status make_triangles(const struct aiScene **scene, const char *path, ff_error *err)
{
    for (unsigned i = 0; i < (*scene)->mNumMeshes; i++) {
        const struct aiMesh *m = (*scene)->mMeshes[i];
        for (unsigned k = 0; k < m->mNumFaces; k++)
            if (m->mFaces[k].mNumIndices > CORNERS_MAX)
                return ff_error_set(err, FF_BAD_FILE,
                                    "%s: a face has %u corners, more than the limit of %d: divide it into triangles",
                                    path, m->mFaces[k].mNumIndices, CORNERS_MAX);
    }
    *scene = aiApplyPostProcessing(*scene, aiProcess_Triangulate); // NULL on failure, with the scene released
    return *scene ? FF_OK : ff_error_set(err, FF_BAD_FILE, "%s: its faces cannot be divided into triangles", path);
}

ff_status ff_mesh_import(ff_mesh **mesh, const mesh_bytes *source, ff_error *err)
{
    struct aiPropertyStore *options = aiCreatePropertyStore();
    if (!options) return ff_error_set(err, FF_NO_MEMORY, "%s: no memory", source->path);
    aiSetImportPropertyInteger(options, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    aiSetImportPropertyInteger(options, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1); // no mesh of bones in place of none
    const struct aiScene *scene =
        aiImportFileFromMemoryWithProperties(source->bytes, (unsigned)source->length, 0, source->format, options);
    ff_status status;
    if (!scene)
        status = ff_error_set(err, FF_BAD_FILE, "%s: not a %s mesh: %.300s", source->path, source->format,
                              aiGetErrorString());
    else if (!scene->mRootNode || scene->mNumMeshes == 0)
        status = ff_error_set(err, FF_BAD_FILE, "%s: there is no mesh in it", source->path);
    else
        status = make_triangles(&scene, source->path, err);
    if (status == FF_OK) status = join_scene(mesh, scene, source->scale, source->path, err);
    aiReleaseImport(scene);
    aiReleasePropertyStore(options);
    return status;
}

#else

// Without assimp there is nothing to compile, but C does not allow an empty file.
typedef int ff_mesh_import_is_off;

#endif
