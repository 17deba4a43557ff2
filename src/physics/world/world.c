// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Creation of a world: shapes from the geoms of a model, materials by name, a contact law for each two materials, and
// which shapes may meet. Shapes of one robot meet only with self-collision, and neighbours in its tree never: they
// overlap at their joint.
#include "world/world.h"
#include "base/missing.h"
#include "contact/advance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ff_world_options ff_world_options_default(void)
{
    ff_world_options o = {.margin = 1e-3, .mjcf = true, .cells = 20, .cell_depth = 0.02};
    if (ff_material_find("lab-floor", &o.standard, NULL) != FF_OK) o.standard = ff_material_default();
    return o;
}

// ------------------------------------------------------------------------------------------ names of responses

static const char *const RESPONSES[FF_RESPONSE_COUNT] = {"force", "propagation", "simultaneous"};

const char *ff_response_name(ff_response response)
{
    return (int)response >= 0 && response < FF_RESPONSE_COUNT ? RESPONSES[response] : NULL;
}

ff_status ff_response_find(const char *name, ff_response *response, ff_error *err)
{
    for (int i = 0; i < FF_RESPONSE_COUNT; i++) {
        if (!name || strcmp(name, RESPONSES[i]) != 0) continue;
        *response = (ff_response)i;
        return FF_OK;
    }
    return ff_error_set(err, FF_NOT_FOUND,
                        "no response of contacts is called \"%.60s\": choose force, propagation or simultaneous",
                        name ? name : "");
}

// ------------------------------------------------------------------------------------------ materials

static int add_material(ff_world *w, const ff_material *material)
{
    if (!ff_array_grow(&w->materials, w->nmaterial, &w->material_capacity, sizeof *w->materials) ||
        !ff_array_grow(&w->mjcf_surfaces, w->nmaterial, &w->surface_capacity, sizeof *w->mjcf_surfaces))
        return -1;
    w->materials[w->nmaterial] = *material;
    w->mjcf_surfaces[w->nmaterial] = (ff_mjcf_surface){0};
    return w->nmaterial++;
}

/// @return index of a material by name: one in use, of the model or of the library; -1 with the reason in `err`
static int find_material(ff_world *w, const char *name, ff_error *err)
{
    for (int i = 1; i < w->nmaterial; i++) // 0 is the standard, which has no name
        if (strcmp(w->materials[i].name, name) == 0) return i;
    for (int i = 0; i < w->model->nmaterial; i++)
        if (strcmp(w->model->materials[i].name, name) == 0) return add_material(w, &w->model->materials[i]);
    ff_material found;
    return ff_material_find(name, &found, err) == FF_OK ? add_material(w, &found) : -1;
}

/// @return 1 / effective mass of a body in the reference pose: acceleration of its centre of mass by a unit force
/// there, on average over the axes (MuJoCo's body_invweight0)  [1/kg]
static double inverse_mass_of(const ff_model *m, const ff_data *d, int body, double *J)
{
    double *x = J + 6 * m->nv, sum = 0.0;
    ff_dyn_jacobian(m, d, body, m->bodies[body].com, J);
    for (int row = 3; row < 6; row++) {
        memcpy(x, J + row * m->nv, (size_t)m->nv * sizeof *x);
        ff_dyn_solve(m, d, x);
        for (int i = 0; i < m->nv; i++) sum += J[row * m->nv + i] * x[i] / 3.0;
    }
    return sum;
}

/// Computes the inverse masses of all bodies, where MJCF has a solref. @return false when out of memory
static bool find_inverse_masses(ff_world *w)
{
    const ff_model *m = w->model;
    bool needed = false;
    for (int i = 0; i < m->ngeom; i++) needed = needed || m->geoms[i].mjcf.has_solref;
    for (int i = 0; i < m->npair; i++) needed = needed || m->pairs[i].numbers.has_solref;
    if (!needed || !w->mjcf) return true;
    ff_data *d = ff_data_create(m, NULL);
    double *J = FF_ARENA_NEW(&w->arena, double, 7 * m->nv + 1);
    w->inverse_masses = FF_ARENA_NEW(&w->arena, double, m->nbody + 1);
    const bool got = d && J && w->inverse_masses;
    if (got) {
        memcpy(d->q, m->q0, (size_t)m->nq * sizeof *d->q);
        ff_dyn_kinematics(m, d);
        ff_dyn_mass(m, d);
        const bool sound = ff_dyn_factor(m, d);
        for (int i = 0; sound && i < m->nbody; i++)
            if (m->bodies[i].node >= 0) w->inverse_masses[i] = inverse_mass_of(m, d, i, J);
    }
    ff_data_destroy(d);
    return got;
}

static bool same_surface(const ff_mjcf_surface *a, const ff_mjcf_surface *b)
{
    const ff_mjcf_contact *n = &a->numbers, *k = &b->numbers;
    return memcmp(a->friction, b->friction, sizeof a->friction) == 0 && a->condim == b->condim &&
           a->inverse_mass == b->inverse_mass && n->given == k->given && n->priority == k->priority &&
           n->solmix == k->solmix && n->has_solref == k->has_solref && n->solref[0] == k->solref[0] &&
           n->solref[1] == k->solref[1] && n->impedance == k->impedance;
}

/// @return index of the material of a geom of MJCF; -1: out of memory
static int material_of_mjcf(ff_world *w, const ff_geom *g)
{
    ff_mjcf_surface surface = {.condim = g->condim, .numbers = g->mjcf};
    ff_vec3_copy(surface.friction, g->friction);
    if (w->inverse_masses && g->body >= 0) surface.inverse_mass = w->inverse_masses[g->body];
    for (int i = 1; i < w->nmaterial; i++)
        if (same_surface(&w->mjcf_surfaces[i], &surface)) return i;
    const ff_material material = ff_material_by_mujoco(&w->materials[0], &surface, NULL);
    const int index = add_material(w, &material);
    if (index >= 0) w->mjcf_surfaces[index] = surface;
    return index;
}

/// @return index of the material of a geom: the one it names, or the standard with the friction of its file; -1 with
/// the reason in `err`
static int material_of(ff_world *w, const ff_geom *g, ff_error *err)
{
    if (g->material) return find_material(w, g->material, err);
    if (!g->has_friction || (g->mjcf.given && !w->mjcf)) return 0;
    if (g->mjcf.given) return material_of_mjcf(w, g);
    const ff_material material = ff_material_with_mjcf(&w->materials[0], g->friction, g->condim);
    for (int i = 1; i < w->nmaterial; i++)
        if (!w->mjcf_surfaces[i].numbers.given && ff_material_same(&w->materials[i], &material)) return i;
    return add_material(w, &material);
}

/// Computes the law for materials a and b: that of `pairs`, else their combination.
static ff_status make_law(ff_world *w, int a, int b, ff_error *err)
{
    const ff_material *one = &w->materials[a], *two = &w->materials[b];
    ff_contact_pair *law = &w->laws[a * w->nmaterial + b];
    for (int i = 0; i < w->npair; i++) {
        const ff_world_pair *p = &w->pairs[i];
        const bool straight = strcmp(p->name1, one->name) == 0 && strcmp(p->name2, two->name) == 0;
        const bool crossed = strcmp(p->name1, two->name) == 0 && strcmp(p->name2, one->name) == 0;
        if (straight || crossed) return ff_contact_pair_make(law, &p->material, NULL, err);
    }
    const ff_mjcf_surface *s1 = &w->mjcf_surfaces[a], *s2 = &w->mjcf_surfaces[b];
    if (s1->numbers.given && (s2->numbers.given || b == 0)) { // the standard has no numbers of MJCF
        const ff_material both = ff_material_by_mujoco(&w->materials[0], s1, b == 0 ? NULL : s2);
        return ff_contact_pair_make(law, &both, &both, err);
    }
    if (s2->numbers.given && a == 0) {
        const ff_material both = ff_material_by_mujoco(&w->materials[0], s2, NULL);
        return ff_contact_pair_make(law, &both, &both, err);
    }
    return ff_contact_pair_make(law, one, two, err);
}

static bool make_laws(ff_world *w, ff_error *err)
{
    const int n = w->nmaterial;
    w->nlaw = n * n + w->nshape_pair;
    w->laws = FF_ARENA_NEW(&w->arena, ff_contact_pair, w->nlaw);
    w->law_valid = FF_ARENA_NEW(&w->arena, bool, w->nlaw);
    if (!w->laws || !w->law_valid)
        return ff_error_set(err, FF_NO_MEMORY, "no memory for %d contact laws", w->nlaw), false;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) w->law_valid[a * n + b] = make_law(w, a, b, NULL) == FF_OK;
    for (int i = 0; i < w->nshape_pair; i++) w->law_valid[n * n + i] = ff_world_pair_law(w, i, NULL) == FF_OK;
    return true;
}

// ------------------------------------------------------------------------------------------ shapes

/// @return number of points of a shape on flat ground
static int patch_of(const ff_collider *c)
{
    switch (c->type) {
    case FF_COLLIDER_SPHERE:
    case FF_COLLIDER_ELLIPSOID:
        return 1;
    case FF_COLLIDER_CAPSULE:
        return 2;
    case FF_COLLIDER_BOX:
    case FF_COLLIDER_CYLINDER:
    case FF_COLLIDER_CONVEX:
        return 4;
    case FF_COLLIDER_POINTS:
        return c->npoint;
    default:
        return INT32_MAX; // ground: the other shape has the number
    }
}

/// @return ff_item.reach
static double reach_of(const ff_collider *c)
{
    static const ff_pose here = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    double low[3], high[3], far[3];
    if (c->type == FF_COLLIDER_SPHERE) return c->size[0];
    ff_collider_bounds(c, &here, low, high);
    for (int i = 0; i < 3; i++) far[i] = ff_max(fabs(low[i]), fabs(high[i]));
    return ff_vec3_norm(far);
}

/// @return half the thickness of a shape, infinite for planes, surfaces and fields  [m]
static double half_thickness(const ff_collider *c)
{
    static const ff_pose here = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    double low[3], high[3];
    if (c->type == FF_COLLIDER_PLANE || c->type == FF_COLLIDER_SURFACE || c->type == FF_COLLIDER_FIELD) return INFINITY;
    if (c->type == FF_COLLIDER_POINTS) return c->size[0] > 0.0 ? c->size[0] : INFINITY;
    ff_collider_bounds(c, &here, low, high);
    return 0.5 * ff_min(ff_min(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

/// @return topmost body of the robot of a body
static int robot_of(const ff_model *m, int body)
{
    while (body >= 0 && m->bodies[body].parent >= 0) body = m->bodies[body].parent;
    return body;
}

static int add_shape(ff_world *w, const ff_world_shape *shape, const ff_item *item)
{
    if (!ff_array_grow(&w->shapes, w->nshape, &w->shape_capacity, sizeof *w->shapes) ||
        !ff_array_grow(&w->items, w->nshape, &w->item_capacity, sizeof *w->items))
        return -1;
    ff_item *it = &w->items[w->nshape];
    *it = *item;
    w->shapes[w->nshape] = *shape;
    it->patch = patch_of(&shape->collider);
    it->reach = reach_of(&shape->collider);
    it->fixed_plane = it->node < 0 && shape->collider.type == FF_COLLIDER_PLANE;
    it->broad = -1;
    it->pose = it->local;
    return w->nshape++;
}

/// out = pose of a geom in the frame of its node.
static void geom_in_node(const ff_model *m, const ff_geom *g, ff_pose *out)
{
    ff_quat_to_mat3(out->R, g->quat);
    ff_vec3_copy(out->p, g->pos);
    if (g->body < 0) return;
    const ff_body *b = &m->bodies[g->body];
    double R[9], p[3];
    ff_mat3_mul(R, b->R, out->R);
    ff_mat3_mulv(p, b->R, out->p);
    memcpy(out->R, R, sizeof R);
    ff_vec3_add(out->p, p, b->pos);
}

/// Makes the collider of a geom; the world owns hulls and surfaces of meshes. @return false where the geom cannot
/// collide, with the reason in `err` where that is a mistake
static bool collider_of(ff_world *w, const ff_geom *g, bool fixed, ff_collider *out, ff_error *err)
{
    if (g->shape.type != FF_SHAPE_MESH) return ff_collider_from_shape(out, &g->shape);
    if (!g->shape.mesh) return false; // its file is missing, which the reader has reported
    if (ff_stop_asked()) return ff_error_set(err, FF_STOPPED, "%s", ff_status_text(FF_STOPPED)) == FF_OK;
    *out = (ff_collider){.type = fixed ? FF_COLLIDER_SURFACE : FF_COLLIDER_CONVEX};
    if (fixed) {
        w->surfaces[w->nsurface] = ff_surface_create(g->shape.mesh, err);
        out->surface = w->surfaces[w->nsurface];
        return w->surfaces[w->nsurface++] != NULL;
    }
    w->convexes[w->nconvex] = ff_convex_create(g->shape.mesh, err);
    out->convex = w->convexes[w->nconvex];
    return w->convexes[w->nconvex++] != NULL;
}

/// Adds the shape of a geom, where it has one.
static void read_geom(ff_world *w, int index, ff_report *report)
{
    const ff_model *m = w->model;
    const ff_geom *g = &m->geoms[index];
    if (g->role == FF_GEOM_VISUAL && !g->paired) return;
    const ff_place place = g->place;
    ff_world_shape shape = {.body = g->body, .geom = index, .name = g->name};
    if (!shape.name) shape.name = g->body >= 0 ? m->bodies[g->body].name : "ground";
    ff_item item = {.node = g->body >= 0 ? m->bodies[g->body].node : -1,
                    .robot = robot_of(m, g->body),
                    .paired = g->paired,
                    .mocap = g->body >= 0 ? m->bodies[g->body].mocap : -1,
                    .type = (uint32_t)g->contype,
                    .affinity = (uint32_t)g->conaffinity};
    if (item.type == 0 && item.affinity == 0 && !item.paired) return;
    ff_error err = {0};
    if (!collider_of(w, g, item.node < 0, &shape.collider, &err)) {
        if (err.status != FF_OK) ff_report_add(report, FF_ERROR, place, "shape \"%s\": %s", shape.name, err.text);
        return;
    }
    geom_in_node(m, g, &item.local);
    shape.material = material_of(w, g, &err);
    if (shape.material < 0) {
        ff_report_add(report, FF_ERROR, place, "shape \"%s\": %s", shape.name, err.text);
        return;
    }
    if (w->detector == FF_DETECTOR_CCUBE && !ff_world_add_cells(w, g, shape.name, &item, report)) {
        ff_ccube_destroy(item.cells);
        return;
    }
    if (add_shape(w, &shape, &item) >= 0) return;
    ff_ccube_destroy(item.cells);
    ff_report_add(report, FF_ERROR, place, "out of memory");
}

// ------------------------------------------------------------------------------------------ check of the laws

/// Reports two shapes that may meet and have no law, once for each two materials.
static void check_laws(ff_world *w, ff_report *report)
{
    for (int i = 0; i < w->nshape; i++)
        for (int j = 0; j < i && w->nmaterial < 1000; j++) {
            const int a = w->shapes[i].material, b = w->shapes[j].material, n = w->nmaterial;
            const int law = ff_world_law_of(w, i, j);
            if (w->law_valid[law] || !ff_world_may_meet(w, i, j)) continue;
            ff_error err = {0};
            make_law(w, a, b, &err);
            w->law_valid[law] = true;
            ff_report_add(report, FF_ERROR, (ff_place){0}, "shapes \"%s\" and \"%s\" may meet, but %s",
                          w->shapes[j].name, w->shapes[i].name, err.text);
            w->law_valid[a * n + b] = w->law_valid[b * n + a] = true;
        }
}

/// Checks each two shapes, unless all laws are valid.
static void check_if_needed(ff_world *w, ff_report *report)
{
    for (int i = 0; i < w->nlaw; i++)
        if (!w->law_valid[i]) {
            check_laws(w, report);
            return;
        }
}

// ------------------------------------------------------------------------------------------ create and destroy

static bool copy_pairs(ff_world *w, const ff_world_options *o)
{
    w->pairs = FF_ARENA_NEW(&w->arena, ff_world_pair, o->npair + 1);
    for (int i = 0; w->pairs && i < o->npair; i++) {
        w->pairs[i] = o->pairs[i];
        w->pairs[i].name1 = ff_arena_strdup(&w->arena, o->pairs[i].name1);
        w->pairs[i].name2 = ff_arena_strdup(&w->arena, o->pairs[i].name2);
    }
    w->npair = o->npair;
    return !w->arena.failed;
}

static ff_world *make(const ff_model *model, const ff_world_options *options, ff_report *report)
{
    const ff_world_options o = options ? *options : ff_world_options_default();
    const int errors = report->errors;
    ff_world *w = calloc(1, sizeof *w);
    if (!w) return ff_report_add(report, FF_ERROR, (ff_place){0}, "out of memory"), NULL;
    w->model = model;
    w->margin = o.margin;
    w->self_collision = o.self_collision;
    w->mjcf = o.mjcf;
    w->response = o.response;
    w->detector = o.detector;
    w->cells = o.cells;
    w->cell_depth = o.cell_depth;
    w->impulses = o.response == FF_RESPONSE_FORCE;
    w->most = o.most_contacts;
    w->part = -1;
    w->memory = FF_ARENA_NEW(&w->arena, ff_world_memory, 1);
    w->convexes = FF_ARENA_NEW(&w->arena, ff_convex *, model->ngeom + 1);
    w->surfaces = FF_ARENA_NEW(&w->arena, ff_surface *, model->ngeom + 1);
    if (!ff_world_list_limbs(w) || !copy_pairs(w, &o) || !find_inverse_masses(w) || add_material(w, &o.standard) < 0) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "out of memory");
    } else {
        ff_material_check(&o.standard, report, (ff_place){0});
        const bool cells = w->cells >= 1 && w->cells <= 200 && w->cell_depth > 0.0 && isfinite(w->cell_depth);
        const bool sound = w->detector != FF_DETECTOR_CCUBE || cells;
        if (!sound)
            ff_report_add(report, FF_ERROR, (ff_place){0}, "ccube: %d cells of depth %g m: 1 to 200, and above zero",
                          w->cells, w->cell_depth);
        for (int i = 0; i < model->ngeom && sound; i++) read_geom(w, i, report);
        if (!ff_world_list_pairs(w) || !make_laws(w, NULL))
            ff_report_add(report, FF_ERROR, (ff_place){0}, "out of memory");
    }
    if (report->errors == errors) check_if_needed(w, report);
    if (report->errors == errors && w->detector == FF_DETECTOR_CCUBE) ff_world_check_cells(w, report);
    if (report->errors == errors) return w;
    ff_world_destroy(w);
    return NULL;
}

ff_world *ff_world_create(const ff_model *model, const ff_world_options *options, ff_report *report)
{
    ff_report own = {0};
    if (!model) return ff_report_missing(report, __func__, "model"), NULL;
    ff_world *world = make(model, options, report ? report : &own);
    ff_report_clear(&own);
    return world;
}

void ff_world_destroy(ff_world *w)
{
    if (!w) return;
    for (int i = 0; i < w->nconvex; i++) ff_convex_destroy(w->convexes[i]);
    for (int i = 0; i < w->nsurface; i++) ff_surface_destroy(w->surfaces[i]);
    for (int i = 0; i < w->nshape; i++) ff_ccube_destroy(w->items[i].cells);
    ff_broad_destroy(w->broad);
    ff_rigid_destroy(w);
    free(w->shapes);
    free(w->items);
    free(w->materials);
    free(w->mjcf_surfaces);
    free(w->listeners);
    ff_arena_clear(&w->arena);
    free(w);
}

int ff_world_add_ground(ff_world *w, const char *name, const ff_collider *collider, const ff_pose *pose,
                        const char *material, ff_error *err)
{
    if (w->sim) {
        ff_error_set(err, FF_BAD_ARGUMENT, "ground must be added before ff_sim_add_world");
        return -1;
    }
    ff_world_shape shape = {.body = -1, .geom = -1, .collider = *collider};
    shape.name = ff_arena_strdup(&w->arena, name ? name : "ground");
    const int known = w->nmaterial;
    shape.material = material ? find_material(w, material, err) : 0;
    if (shape.material < 0) return -1;
    if (w->nmaterial != known && !make_laws(w, err)) return -1;
    const ff_item item = {.node = -1, .robot = -1, .mocap = -1, .type = 1, .affinity = 1, .local = *pose};
    const int index = shape.name ? add_shape(w, &shape, &item) : -1;
    if (index < 0) ff_error_set(err, FF_NO_MEMORY, "no memory for the ground");
    return index;
}

// ------------------------------------------------------------------------------------------ sizes

/// Lists moving shapes and fixed planes, and for each plane the shapes that it may meet.
static bool list_planes(ff_world *w)
{
    w->moving = FF_ARENA_NEW(&w->arena, int, w->nshape + 1);
    w->planes = FF_ARENA_NEW(&w->arena, int, w->nshape + 1);
    if (!w->moving || !w->planes) return false;
    for (int i = 0; i < w->nshape; i++) {
        if (w->items[i].node >= 0) w->moving[w->nmoving++] = i;
        if (w->items[i].fixed_plane) w->planes[w->nplane++] = i;
    }
    for (int k = 0; k < w->nplane; k++) {
        ff_item *plane = &w->items[w->planes[k]];
        plane->meets = FF_ARENA_NEW(&w->arena, int, w->nmoving + 1);
        if (!plane->meets) return false;
        for (int i = 0; i < w->nmoving; i++)
            if (ff_world_may_meet(w, w->planes[k], w->moving[i])) plane->meets[plane->nmeet++] = w->moving[i];
    }
    return true;
}

/// May moving shapes meet anything but fixed planes?
static bool needs_broad(const ff_world *w)
{
    for (int k = 0; k < w->nmoving; k++) {
        if (w->self_collision || w->items[w->moving[k]].robot != w->items[w->moving[0]].robot) return true;
    }
    for (int i = 0; i < w->nshape_pair; i++) {
        const uint64_t key = w->shape_pairs[i].key;
        if (!w->items[key >> 32].fixed_plane && !w->items[key & 0xffffffffu].fixed_plane) return true;
    }
    for (int i = 0; i < w->nshape && w->nmoving > 0; i++)
        if (w->items[i].node < 0 && !w->items[i].fixed_plane && w->items[i].robot != w->items[w->moving[0]].robot)
            return true;
    return false;
}

/// @return ff_world.thinnest: half the thickness of the thinnest moving shape, or that plus half the thickness of a
/// fixed one. So blocks of rough ground may have any height  [m]
static double find_thinnest(const ff_world *w)
{
    double moving = INFINITY, thinnest = INFINITY;
    for (int k = 0; k < w->nmoving; k++) {
        const double half = half_thickness(&w->shapes[w->moving[k]].collider);
        moving = ff_min(moving, isfinite(half) ? half : 0.0); // 0 for points and sheets
    }
    for (int i = 0; i < w->nshape; i++) {
        const double half = half_thickness(&w->shapes[i].collider);
        if (half > 0.0) // a sheet without thickness stops no body
            thinnest = ff_min(thinnest, w->items[i].node < 0 ? half + moving : half);
        if (w->items[i].cells) thinnest = ff_min(thinnest, w->cell_depth); // deeper points are not found
    }
    return thinnest;
}

static bool make_broad(ff_world *w)
{
    w->thinnest = INFINITY;
    if (!needs_broad(w)) return true;
    w->thinnest = find_thinnest(w);
    w->broad_shape = FF_ARENA_NEW(&w->arena, int, w->nshape);
    w->low = FF_ARENA_NEW(&w->arena, double, 3 * w->nshape);
    w->high = FF_ARENA_NEW(&w->arena, double, 3 * w->nshape);
    ff_broad_object *objects = calloc((size_t)w->nshape, sizeof *objects);
    if (!w->broad_shape || !w->low || !w->high || !objects) {
        free(objects);
        return false;
    }
    for (int i = 0; i < w->nshape; i++) {
        ff_item *it = &w->items[i];
        if (it->fixed_plane) continue;
        // Objects of one "body" never meet: those of a robot, or with self-collision those of a node. Shapes of pairs
        // are tested against all others of pairs; whether two may meet is checked when their boxes overlap.
        const int body = it->node < 0 || it->paired ? -1 : w->self_collision ? it->node : it->robot;
        const uint32_t pairs = it->paired ? UINT32_C(1) << 31 : 0;
        objects[w->nbroad] = (ff_broad_object){
            .type = it->type | pairs, .affinity = it->affinity | pairs, .body = body, .fixed = it->node < 0};
        if (it->node < 0)
            ff_collider_bounds(&w->shapes[i].collider, &it->pose, w->low + 3 * w->nbroad, w->high + 3 * w->nbroad);
        it->broad = w->nbroad;
        w->broad_shape[w->nbroad++] = i;
    }
    w->broad = ff_broad_create(objects, w->nbroad, NULL, 0, 0, 0.01, NULL);
    free(objects);
    return w->broad != NULL;
}

/// Estimates the number of points in touch: each shape flat on the ground, and as many points on other shapes. Round
/// shapes have one point with each neighbour: half of twelve in a heap, and the ground.
static void choose_most(ff_world *w)
{
    if (w->most > 0) return;
    const int among = w->nmoving < 9 ? 2 : 7; // each of up to eight balls has two points, with the ground
    long long points = 0;
    for (int k = 0; k < w->nmoving; k++) {
        const int patch = w->items[w->moving[k]].patch;
        // A hull on triangles may have a point on every edge.
        const bool hull = w->shapes[w->moving[k]].collider.type == FF_COLLIDER_CONVEX;
        const int corners = w->items[w->moving[k]].npoint;
        const int own = corners > 16 ? (corners < 128 ? corners : 128) : hull ? 16 : patch == INT32_MAX ? 4 : patch;
        const int times = !w->broad ? 1 : own == 1 ? among : 2;
        // Without compliance points have no states, so that more of them cost little.
        points += (long long)own * (w->broad && w->response != FF_RESPONSE_FORCE ? 7 : times);
    }
    w->most = (int)(points < 8 ? 8 : points > 100000 ? 100000 : points);
}

static void choose_width(ff_world *w)
{
    w->width = w->response == FF_RESPONSE_FORCE ? 3 : 0; // springs
    if (w->width == 0) return;
    for (int i = 0; i < w->nlaw; i++)
        if (w->law_valid[i] && ff_contact_turns(&w->laws[i])) w->width = 6;
}

/// Allocates the points that two shapes can have by the detector ccube.
static bool make_cell_points(ff_world *w)
{
    int most = 0;
    for (int i = 0; i < w->nshape; i++) most = w->items[i].npoint > most ? w->items[i].npoint : most;
    w->cell_points = 2 * most;
    w->cell_found = FF_ARENA_NEW(&w->arena, ff_collide_point, w->cell_points + 1);
    return w->cell_found != NULL;
}

ff_status ff_world_size(ff_world *w, ff_error *err)
{
    choose_width(w);
    bool ok = list_planes(w) && make_broad(w) && make_cell_points(w);
    choose_most(w);
    w->touch_capacity = 2 * w->most + 16;
    w->weights = FF_ARENA_NEW(&w->arena, ff_weight, w->nshape);
    w->slots = FF_ARENA_NEW(&w->arena, ff_slot, w->most);
    w->order = FF_ARENA_NEW(&w->arena, ff_slot_order, w->most);
    w->matched_at = FF_ARENA_NEW(&w->arena, uint32_t, w->most);
    w->touches = FF_ARENA_NEW(&w->arena, ff_touch, w->touch_capacity);
    w->rows = FF_ARENA_NEW(&w->arena, double, 6 * w->model->nv + 1);
    w->contacts = FF_ARENA_NEW(&w->arena, ff_world_contact, w->touch_capacity);
    w->proposed_mode = FF_ARENA_NEW(&w->arena, int32_t, w->most);
    ok = ff_world_find_patches(w) && ok;
    if (!ok || w->arena.failed || !w->contacts)
        return ff_error_set(err, FF_NO_MEMORY, "no memory for %d contacts", w->most);
    for (int i = 0; i < w->most; i++) w->slots[i].pair = UINT64_MAX;
    return FF_OK;
}
