// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Terrain of a scene. Planes, boxes and meshes become shapes of the model that are fixed to the world. A height field
// is added to the world of contacts, with a mesh for display. Stairs and fields of blocks are boxes. Heights are those
// of a picture, or of one of these functions, where s is the distance along `direction` from the middle of the field
// and h the height:
//     slope   z = h (s / S + 1/2)              S: length across the field
//     waves   z = h (1 - cos(2 pi s / length)) / 2
//     steps   z rises by equal steps, each `length` long, from 0 to h
//     noise   sum of `octaves` layers of smooth random hills, the coarsest of the size `length`, each next half as
//             large and half as high; scaled to lie between 0 and h. The same seed gives the same hills.
#include "scene/reader.h"

#include <footfall/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BOXES = 2500, DRAWN_CELLS = 200 };

/// One piece while it is read.
typedef struct piece {
    ff_yaml *node;        // its keys
    const char *name;     // "ground", "terrain2", .. unless given
    const char *material; // NULL: the standard
    double pos[3], quat[4], rgba[4];
} piece;

static ff_native native_of(const ff_scene_reader *r)
{
    return (ff_native){.spec = r->spec, .report = r->report, .store = r->store, .file = r->file, .root = r->root};
}

/// Keys that all kinds of terrain share.
static void read_common(const ff_scene_reader *r, piece *p, int number)
{
    const char *fallback = number == 1 ? "ground" : ff_arena_printf(&r->spec->arena, "terrain%d", number);
    p->name = ff_yaml_string(p->node, "name", fallback, r->report);
    p->material = ff_yaml_string(p->node, "material", NULL, r->report);
    ff_quat_identity(p->quat);
    ff_yaml_pose(p->node, p->pos, p->quat, r->report);
    if (ff_yaml_numbers(p->node, "color", p->rgba, 3, 4, r->report) == 3) p->rgba[3] = 1.0;
}

static ff_spec_geom *add_geom(const ff_scene_reader *r, const piece *p, ff_shape_type type)
{
    ff_spec_geom *geom = ff_spec_add_geom(r->spec, p->name, -1, type);
    if (!geom) return NULL;
    ff_vec3_copy(geom->pos, p->pos);
    ff_quat_copy(geom->quat, p->quat);
    memcpy(geom->rgba, p->rgba, sizeof geom->rgba);
    geom->place = ff_scene_place(r, p->node);
    geom->material = ff_spec_text(r->spec, p->material);
    if (p->material) geom->material_place = ff_scene_place(r, ff_yaml_get(p->node, "material"));
    return geom;
}

static bool read_size(const ff_scene_reader *r, ff_yaml *node, double *size, int count)
{
    ff_yaml *value = ff_yaml_need(node, "size", r->report);
    return value && ff_yaml_as_numbers(value, size, count, count, r->report) == count;
}

// ------------------------------------------------------------------------------------------ plane, box, mesh

static void read_plane(ff_scene_reader *r, piece *p)
{
    double normal[3], size[2] = {0, 0};
    ff_yaml *given = ff_yaml_get(p->node, "normal");
    if (given && ff_yaml_as_numbers(given, normal, 3, 3, r->report) == 3) {
        if (ff_yaml_get(p->node, "rpy") || ff_yaml_get(p->node, "quat"))
            ff_report_add(r->report, FF_ERROR, given->key_place, "give either 'normal' or 'rpy' or 'quat'");
        else if (!(ff_vec3_norm(normal) > 0.0))
            ff_report_add(r->report, FF_ERROR, given->place, "the normal has no direction");
        else
            ff_quat_from_z_to(p->quat, normal);
    }
    ff_spec_geom *geom = add_geom(r, p, FF_SHAPE_PLANE);
    if (!geom || ff_yaml_numbers(p->node, "size", size, 2, 2, r->report) != 2) return;
    for (int i = 0; i < 2; i++) geom->size[i] = 0.5 * fabs(size[i]); // only for display: the half-space is infinite
}

static void read_box(ff_scene_reader *r, piece *p)
{
    double size[3];
    ff_spec_geom *geom = read_size(r, p->node, size, 3) ? add_geom(r, p, FF_SHAPE_BOX) : NULL;
    if (geom) ff_vec3_scale(geom->size, size, 0.5);
}

static void read_mesh(ff_scene_reader *r, piece *p)
{
    ff_native n = native_of(r);
    ff_spec_geom *geom = add_geom(r, p, FF_SHAPE_MESH);
    if (geom) ff_native_mesh(&n, p->node, geom, FF_ERROR);
}

// ------------------------------------------------------------------------------------------ stairs, blocks

static bool read_needed(const ff_scene_reader *r, ff_yaml *node, const char *key, double *value)
{
    ff_yaml *given = ff_yaml_need(node, key, r->report);
    return given && ff_yaml_as_number(given, value, r->report);
}

/// Adds a box of a piece; `corner` is the one with the smallest coordinates, in the frame of the piece.
static void add_box(const ff_scene_reader *r, const piece *whole, int number, const double corner[3],
                    const double size[3])
{
    piece p = *whole;
    double middle[3], turned[3];
    for (int i = 0; i < 3; i++) middle[i] = corner[i] + 0.5 * size[i];
    ff_quat_rotate(turned, whole->quat, middle);
    ff_vec3_add(p.pos, whole->pos, turned);
    p.name = ff_arena_printf(&r->spec->arena, "%s_%d", whole->name, number);
    ff_spec_geom *geom = add_geom(r, &p, FF_SHAPE_BOX);
    if (geom) ff_vec3_scale(geom->size, size, 0.5);
}

/// Reads stairs upwards along x from the origin of the piece, which is below the first edge in the middle of the width;
/// the last step has the length `top`.
static void read_stairs(ff_scene_reader *r, piece *p)
{
    double count, rise, run, width;
    bool sound = read_needed(r, p->node, "count", &count);
    sound = read_needed(r, p->node, "rise", &rise) && sound;
    sound = read_needed(r, p->node, "run", &run) && sound;
    sound = read_needed(r, p->node, "width", &width) && sound;
    if (!sound) return;
    const double top = ff_yaml_number(p->node, "top", run, r->report);
    for (int k = 0; k < count; k++)
        add_box(r, p, k + 1, (const double[3]){k * run, -0.5 * width, 0.0},
                (const double[3]){k + 1 < count ? run : top, width, (k + 1) * rise});
}

/// Reads blocks side by side around the origin of the piece, each with a random height up to `height`.
static void read_blocks(ff_scene_reader *r, piece *p)
{
    double size[2], block[2], height;
    ff_yaml *given = ff_yaml_need(p->node, "block", r->report);
    uint64_t seed = r->scene->options.seed;
    ff_scene_seed(r, p->node, &seed);
    bool sound = read_size(r, p->node, size, 2);
    sound = read_needed(r, p->node, "height", &height) && sound;
    if (!given || ff_yaml_as_numbers(given, block, 2, 2, r->report) != 2 || !sound) return;
    double columns = floor(size[0] / block[0] + 1e-9), rows = floor(size[1] / block[1] + 1e-9);
    if (!(columns >= 1 && rows >= 1 && columns * rows <= MOST_BOXES)) {
        ff_report_add(r->report, FF_ERROR, given->place,
                      "blocks of %g m by %g m on %g m by %g m: there can be 1 to %d of them", block[0], block[1],
                      size[0], size[1], MOST_BOXES);
        return;
    }
    ff_random random = ff_random_make(seed, 0x626c6f636b730000u);
    const int nx = (int)columns, n = nx * (int)rows;
    for (int k = 0; k < n; k++) {
        double x = (k % nx - 0.5 * columns) * block[0], y = (k / nx - 0.5 * rows) * block[1];
        double z = height * (1.0 - ff_random_uniform(&random)); // never zero: a box has a size
        add_box(r, p, k + 1, (const double[3]){x, y, 0.0}, (const double[3]){block[0], block[1], z});
    }
}

#define MOST_POINTS 1e6

enum { SLOPE, WAVES, STEPS, NOISE, FUNCTIONS };
static const char *const functions[FUNCTIONS] = {"slope", "waves", "steps", "noise"};

typedef struct heights {
    int function;
    double size[2];
    double height;   // h  [m]
    double length;   // [m]
    double along[2]; // unit vector of `direction`
    double way;      // S  [m]
    int octaves;
    uint64_t seed;
    double low, high; // of the noise before it is scaled
} heights;

// ------------------------------------------------------------------------------------------ functions of height

/// Random number in [0, 1) of a lattice point, independent of the order of calls.
static double lattice(uint64_t seed, int octave, double i, double j)
{
    uint64_t x = (uint64_t)(int64_t)i, y = (uint64_t)(int64_t)j;
    ff_random random = ff_random_make(seed, 0x6865696768747300u + (uint64_t)octave);
    random.counter = (x << 32) ^ (y & 0xffffffffu);
    return ff_random_uniform(&random);
}

static double smooth(double t)
{
    return t * t * (3.0 - 2.0 * t);
}

/// Values at the corners of the lattice, blended smoothly.
static double hills(const heights *f, int octave, double x, double y)
{
    double i = floor(x), j = floor(y), u = smooth(x - i), v = smooth(y - j);
    double below = (1 - u) * lattice(f->seed, octave, i, j) + u * lattice(f->seed, octave, i + 1, j);
    double above = (1 - u) * lattice(f->seed, octave, i, j + 1) + u * lattice(f->seed, octave, i + 1, j + 1);
    return (1 - v) * below + v * above;
}

static double noise(const heights *f, double x, double y)
{
    double sum = 0.0, scale = 1.0 / f->length, weight = 1.0;
    for (int k = 0; k < f->octaves; k++, scale *= 2.0, weight *= 0.5) sum += weight * hills(f, k, x * scale, y * scale);
    return sum;
}

static double staircase(const heights *f, double s)
{
    double count = floor(f->way / f->length), step = floor((s + 0.5 * f->way) / f->length);
    return f->height * ff_min(ff_max(step, 0.0), count - 1.0) / (count - 1.0);
}

static double height_at(void *context, double x, double y)
{
    const heights *f = context;
    double s = x * f->along[0] + y * f->along[1];
    switch (f->function) {
    case SLOPE:
        return f->height * (s / f->way + 0.5);
    case WAVES:
        return 0.5 * f->height * (1.0 - ff_cos(2.0 * FF_PI * s / f->length));
    case STEPS:
        return staircase(f, s);
    default:
        return f->height * (noise(f, x, y) - f->low) / (f->high - f->low);
    }
}

/// Extremes of the noise over the grid, so that it can be scaled.
static void measure_noise(heights *f, const int cells[2])
{
    f->low = INFINITY;
    f->high = -INFINITY;
    for (int j = 0; j <= cells[1]; j++)
        for (int i = 0; i <= cells[0]; i++) {
            double z = noise(f, f->size[0] * ((double)i / cells[0] - 0.5), f->size[1] * ((double)j / cells[1] - 0.5));
            f->low = ff_min(f->low, z);
            f->high = ff_max(f->high, z);
        }
    if (!(f->high > f->low)) f->high = f->low + 1.0; // hills far wider than the field
}

// ------------------------------------------------------------------------------------------ heights

static bool read_cells(const ff_scene_reader *r, ff_yaml *node, int cells[2])
{
    double given[2] = {100, 100};
    if (ff_yaml_numbers(node, "cells", given, 2, 2, r->report) < 0) return false;
    for (int k = 0; k < 2; k++) cells[k] = (int)given[k];
    if ((given[0] + 1) * (given[1] + 1) <= MOST_POINTS) return true;
    ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "cells")->place, "%g x %g cells: a grid has at most %g points",
                  given[0], given[1], MOST_POINTS);
    return false;
}

static bool read_length(const ff_scene_reader *r, ff_yaml *node, heights *f)
{
    ff_yaml *length = ff_yaml_need(node, "length", r->report);
    if (!length || !ff_yaml_as_number(length, &f->length, r->report)) return false;
    if (f->length > 1e-6 * f->way && (f->function != STEPS || f->length <= 0.5 * f->way)) return true;
    ff_report_add(r->report, FF_ERROR, length->place, "'length' is %g m: it must be in proportion to the field%s",
                  f->length, f->function == STEPS ? " and fit twice into it" : "");
    return false;
}

static bool read_function(const ff_scene_reader *r, ff_yaml *node, heights *f)
{
    if (ff_yaml_is_null(node)) node->type = FF_YAML_MAP; // "slope:" alone
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{length: .., ..}", r->report)) return false;
    int errors = r->report->errors;
    if (f->function != NOISE) {
        double direction = ff_yaml_number(node, "direction", 0.0, r->report);
        ff_sincos(&direction, &f->along[1], &f->along[0], 1);
    }
    f->way = fabs(f->along[0]) * f->size[0] + fabs(f->along[1]) * f->size[1];
    if (f->function == NOISE) {
        f->octaves = ff_yaml_integer(node, "octaves", 4, r->report);
        f->way = ff_max(f->size[0], f->size[1]);
        f->seed = r->scene->options.seed;
        ff_scene_seed(r, node, &f->seed);
    }
    return r->report->errors == errors && (f->function == SLOPE || read_length(r, node, f));
}

static ff_field *read_picture(const ff_scene_reader *r, ff_yaml *picture, const heights *f, int cells[2])
{
    ff_error err = {0};
    const char *name = ff_yaml_as_string(picture, r->report);
    const char *path = name ? ff_text_beside(&r->scene->arena, r->file, name) : NULL;
    ff_field *field = path ? ff_store_picture(r->store, path, f->size, f->height, &err) : NULL;
    cells[0] = cells[1] = 1000; // more than are drawn
    if (path && !field) ff_report_add(r->report, FF_ERROR, picture->place, "\"%.200s\": %s", name, err.text);
    return field;
}

/// The field that `png`, `slope`, `waves`, `steps` or `noise` of a map describes; NULL after an error.
/// @param cells  out: number of cells for display
static ff_field *read_heights(ff_scene_reader *r, ff_yaml *node, const double size[2], int cells[2])
{
    heights f = {.function = -1, .size = {size[0], size[1]}, .along = {1, 0}};
    ff_yaml *picture = ff_yaml_get(node, "png"), *function = NULL;
    ff_yaml *height = ff_yaml_need(node, "height", r->report);
    int given = picture != NULL;
    for (int k = 0; k < FUNCTIONS; k++) {
        ff_yaml *found = ff_yaml_get(node, functions[k]);
        if (!found) continue;
        function = found;
        f.function = k;
        given++;
    }
    if (given != 1) {
        ff_report_add(r->report, FF_ERROR, node->place,
                      "a height field is given by exactly one of png, slope, waves, steps and noise");
        return NULL;
    }
    if (!height || !ff_yaml_as_number(height, &f.height, r->report)) return NULL;
    if (picture) return read_picture(r, picture, &f, cells);
    if (!read_cells(r, node, cells) || !read_function(r, function, &f)) return NULL;
    if (f.function == NOISE) measure_noise(&f, cells);
    ff_error err = {0};
    ff_field *field = ff_field_create_from(height_at, &f, cells[0] + 1, cells[1] + 1, size, &err);
    if (!field) ff_report_add_error(r->report, &err, node->place);
    return field;
}

// ------------------------------------------------------------------------------------------ height fields

/// Mesh of the surface for drawing: at most DRAWN_CELLS a side, whatever the grid.
static ff_mesh *draw_field(const ff_field *field, const double size[2], const int cells[2])
{
    int nx = (cells[0] < DRAWN_CELLS ? cells[0] : DRAWN_CELLS) + 1;
    int ny = (cells[1] < DRAWN_CELLS ? cells[1] : DRAWN_CELLS) + 1;
    ff_arena scratch = {0};
    double *points = FF_ARENA_NEW(&scratch, double, 3 * nx * ny);
    int *corners = FF_ARENA_NEW(&scratch, int, 6 * (nx - 1) * (ny - 1)), *at = corners;
    const double inside = 1.0 - 1e-12; // the edge itself may round to the outside
    for (int j = 0; points && j < ny; j++)
        for (int i = 0; i < nx; i++) {
            double x = (i / (nx - 1.0) - 0.5) * size[0], y = (j / (ny - 1.0) - 0.5) * size[1];
            ff_vec3_set(points + 3 * (j * nx + i), x, y, ff_field_height(field, x * inside, y * inside));
        }
    for (int j = 0; corners && j + 1 < ny; j++)
        for (int i = 0; i + 1 < nx; i++) {
            int a = j * nx + i, square[6] = {a, a + 1, a + nx + 1, a, a + nx + 1, a + nx};
            memcpy(at, square, sizeof square);
            at += 6;
        }
    ff_mesh *mesh = points && corners ? ff_mesh_create(points, nx * ny, corners, 2 * (nx - 1) * (ny - 1), NULL) : NULL;
    ff_arena_clear(&scratch);
    return mesh;
}

static void keep_field(ff_scene_reader *r, const piece *p, ff_field *field, const double size[2], const int cells[2])
{
    ff_scene_spec *scene = r->scene;
    ff_scene_field *kept = &scene->fields[scene->nfield++];
    kept->field = field;
    kept->name = ff_arena_strdup(&scene->arena, p->name);
    const char *png = ff_yaml_string(p->node, "png", NULL, r->report);
    kept->picture = png ? ff_text_beside(&scene->arena, r->file, png) : NULL;
    kept->material = p->material ? ff_arena_strdup(&scene->arena, p->material) : NULL;
    ff_quat_to_mat3(kept->pose.R, p->quat);
    ff_vec3_copy(kept->pose.p, p->pos);
    ff_spec_geom *geom = add_geom(r, p, FF_SHAPE_MESH); // its material is checked with those of the other shapes
    ff_spec_mesh *mesh = geom ? ff_spec_add_mesh(r->spec, p->name) : NULL;
    if (!mesh) return;
    geom->role = FF_GEOM_VISUAL;
    geom->mesh = r->spec->nmesh - 1;
    mesh->data = draw_field(field, size, cells);
    if (!mesh->data) r->spec->arena.failed = true;
}

static void read_field(ff_scene_reader *r, piece *p)
{
    double size[2];
    int cells[2];
    if (!read_size(r, p->node, size, 2)) return;
    ff_field *field = read_heights(r, p->node, size, cells);
    if (field) keep_field(r, p, field, size, cells);
}

// ------------------------------------------------------------------------------------------ the list

static const struct {
    const char *key;
    void (*read)(ff_scene_reader *r, piece *p);
    double rgba[4];
} kinds[] = {{"plane", read_plane, {0.75, 0.75, 0.72, 1}},       {"box", read_box, {0.62, 0.50, 0.38, 1}},
             {"stairs", read_stairs, {0.62, 0.50, 0.38, 1}},     {"blocks", read_blocks, {0.62, 0.50, 0.38, 1}},
             {"heightfield", read_field, {0.50, 0.58, 0.42, 1}}, {"mesh", read_mesh, {0.60, 0.60, 0.62, 1}}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void read_piece(ff_scene_reader *r, ff_yaml *item, int number)
{
    if (!ff_yaml_expect(item, FF_YAML_MAP, "a piece of terrain such as 'plane: {material: wood}'", r->report)) return;
    piece p = {0};
    int kind = -1, given = 0;
    for (int k = 0; k < KINDS; k++) {
        ff_yaml *found = ff_yaml_get(item, kinds[k].key);
        if (!found) continue;
        p.node = found;
        kind = k;
        given++;
    }
    if (given != 1) {
        ff_report_add(r->report, FF_ERROR, item->place,
                      "a piece of terrain is exactly one of plane, box, stairs, blocks, heightfield and mesh");
        return;
    }
    if (ff_yaml_is_null(p.node)) p.node->type = FF_YAML_MAP; // "plane:" alone
    if (!ff_yaml_expect(p.node, FF_YAML_MAP, "{pos: .., material: ..}", r->report)) return;
    memcpy(p.rgba, kinds[kind].rgba, sizeof p.rgba);
    read_common(r, &p, number);
    kinds[kind].read(r, &p);
}

void ff_scene_read_terrain(ff_scene_reader *r)
{
    ff_yaml *list = ff_yaml_get(r->root, "terrain");
    const int n = ff_scene_count(list);
    r->scene->fields = FF_ARENA_NEW(&r->scene->arena, ff_scene_field, n + 1);
    if (n == 0 || !r->scene->fields) return;
    int number = 0;
    for (ff_yaml *item = list->child; item; item = item->next) read_piece(r, item, ++number);
}
