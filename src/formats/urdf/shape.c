// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a URDF link is made of: mass properties, and the shapes to draw and to collide with, with their colours and
// meshes. Mass comes from <inertial> alone, never from shapes; whether it can exist is checked by the compiler, after
// links that are fixed to each other are merged.
#include <stdio.h>
#include <string.h>

#include "files/paths.h"
#include "urdf/urdf.h"

// ------------------------------------------------------------------------------------------ inertial

static void read_moments(urdf_reader *r, const urdf_link *link, ff_xml *inertial, ff_spec_body *body)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    ff_xml *inertia = urdf_take(inertial, "inertia");
    if (!inertia) {
        if (body->mass != 0.0)
            ff_report_add(r->report, FF_WARNING, inertial->place,
                          "link \"%s\": <inertial> has no <inertia>: the mass is taken as a point", link->name);
        return;
    }
    for (int i = 0; i < 6; i++) {
        if (i < 3 && !ff_xml_peek(inertia, names[i]))
            ff_report_add(r->report, FF_ERROR, inertia->place, "link \"%s\": <inertia> lacks %s", link->name, names[i]);
        body->inertia[i] = ff_xml_number(inertia, names[i], 0.0, r->report);
    }
}

static void read_inertial(urdf_reader *r, const urdf_link *link, ff_spec_body *body)
{
    ff_xml *inertial = urdf_take(link->node, "inertial");
    if (!inertial) return;
    body->has_inertial = true;
    urdf_read_origin(r, inertial, body->com, body->inertia_quat);
    ff_xml *mass = urdf_take(inertial, "mass");
    if (!mass)
        ff_report_add(r->report, FF_ERROR, inertial->place, "link \"%s\": <inertial> has no <mass value=\"...\"/>",
                      link->name);
    else if (ff_xml_need(mass, "value", r->report))
        body->mass = ff_xml_number(mass, "value", 0.0, r->report);
    if (mass && body->mass < 0.0 && !r->options->repair)
        ff_report_add(r->report, FF_ERROR, mass->place, "link \"%s\": the mass is %g kg: it must not be negative",
                      link->name, body->mass);
    read_moments(r, link, inertial, body);
}

// ------------------------------------------------------------------------------------------ colours

static bool read_rgba(ff_xml *material, double rgba[4], ff_report *report)
{
    ff_xml *colour = urdf_take(material, "color");
    if (!colour) return false;
    rgba[3] = 1.0;
    const char *text = ff_xml_peek(colour, "rgba");
    if (text && ff_xml_next_word(&text) == 0) {
        ff_xml_get(colour, "rgba");
        if (report) ff_report_add(report, FF_WARNING, colour->place, "rgba is empty: the shape keeps its colour");
        return false;
    }
    if (ff_xml_numbers(colour, "rgba", rgba, 3, 4, report) < 3) return false;
    bool inside = true;
    for (int i = 0; i < 4; i++) {
        inside = inside && rgba[i] >= 0.0 && rgba[i] <= 1.0;
        rgba[i] = rgba[i] < 0.0 ? 0.0 : rgba[i] > 1.0 ? 1.0 : rgba[i];
    }
    if (!inside) ff_report_add(report, FF_WARNING, colour->place, "rgba goes from 0 to 1: values outside are clipped");
    return true;
}

static void note_colour(urdf_reader *r, ff_xml *material)
{
    material->used = true;
    const char *name = ff_xml_get(material, "name");
    if (!name || !*name || !ff_xml_child(material, "color")) return;
    urdf_colour colour = {.name = name};
    colour.known = read_rgba(material, colour.rgba, r->report);
    int earlier = ff_names_put(&r->colour_names, name, r->ncolour);
    if (earlier < 0) {
        r->colours[r->ncolour++] = colour;
    } else if (material->parent == r->root && memcmp(colour.rgba, r->colours[earlier].rgba, sizeof colour.rgba) != 0) {
        ff_report_add(r->report, FF_WARNING, material->place, "material \"%s\" has two colours: the first is used",
                      name);
    }
}

/// Calls note_colour, or counts, for global materials first, then those inside visuals: a visual may refer to both by
/// name.
static int each_material(urdf_reader *r, void (*visit)(urdf_reader *, ff_xml *))
{
    int count = 0;
    for (ff_xml *m = ff_xml_child(r->root, "material"); m; m = ff_xml_next(m), count++)
        if (visit) visit(r, m);
    for (int i = 0; i < r->nlink; i++)
        for (ff_xml *v = ff_xml_child(r->links[i].node, "visual"); v; v = ff_xml_next(v))
            for (ff_xml *m = ff_xml_child(v, "material"); m; m = ff_xml_next(m), count++)
                if (visit) visit(r, m);
    return count;
}

void urdf_read_colours(urdf_reader *r)
{
    int count = each_material(r, NULL);
    r->colours = FF_ARENA_NEW(&r->arena, urdf_colour, count + 1);
    if (urdf_has_memory(r, r->colours) &&
        urdf_has_memory(r, ff_names_init(&r->colour_names, &r->arena, count) ? r : NULL))
        each_material(r, note_colour);
}

static void paint(urdf_reader *r, ff_xml *visual, ff_spec_geom *geom)
{
    ff_xml *material = urdf_take(visual, "material");
    if (!material) return;
    double rgba[4];
    const char *name = ff_xml_get(material, "name");
    bool named = name && *name;
    int index = named ? ff_names_get(&r->colour_names, name) : -1;
    if (ff_xml_child(material, "color")) {
        // wrong numbers of a named colour were reported when the colours were collected
        if (read_rgba(material, rgba, named ? NULL : r->report)) memcpy(geom->rgba, rgba, sizeof rgba);
    } else if (index >= 0 && r->colours[index].known) {
        memcpy(geom->rgba, r->colours[index].rgba, sizeof geom->rgba);
    } else if (index < 0 && !ff_xml_child(material, "texture")) {
        ff_report_add(r->report, FF_WARNING, material->place, "material \"%s\" has no colour: grey is used",
                      name ? name : "");
        if (named) { // say so once
            ff_names_put(&r->colour_names, name, r->ncolour);
            r->colours[r->ncolour++] = (urdf_colour){.name = name};
        }
    }
}

// ------------------------------------------------------------------------------------------ meshes

/// A unique name for the mesh: the file's own name, with a number where that is used.
static const char *mesh_name(urdf_reader *r, const char *reference, int number)
{
    const char *slash = strrchr(reference, '/'), *base = slash ? slash + 1 : reference;
    size_t length = strcspn(base, ".");
    if (length == 0 || length > 100) return ff_arena_printf(&r->spec->arena, "mesh_%d", number);
    const char *name = ff_arena_strndup(&r->spec->arena, base, length);
    if (!name || ff_names_get(&r->mesh_names, name) < 0) return name;
    return ff_arena_printf(&r->spec->arena, "%s_%d", name, number);
}

static void load_mesh(urdf_reader *r, const char *reference, ff_spec_mesh *mesh)
{
    char problem[256];
    ff_error err = {0};
    mesh->path = ff_path_find(&r->spec->arena, reference, r->file, r->options, problem);
    mesh->data = mesh->path ? ff_mesh_load(mesh->path, mesh->scale, &err) : NULL;
    if (mesh->data) return;
    const char *why = mesh->path ? err.text : problem;
    mesh->problem = ff_spec_text(r->spec, *why ? why : "it cannot be read");
    ff_report_add(r->report, FF_WARNING, mesh->place, "mesh \"%.300s\" %s: %s", reference,
                  mesh->path ? "cannot be used" : "is missing", mesh->problem ? mesh->problem : "");
}

/// Index of the mesh in the description, loaded once for each pair of file and scale; -1 with an error.
static int find_mesh(urdf_reader *r, ff_xml *node)
{
    const char *reference = ff_xml_need(node, "filename", r->report);
    double scale[3] = {1, 1, 1};
    int given = reference ? ff_xml_numbers(node, "scale", scale, 1, 3, r->report) : -1;
    if (given == 1) scale[1] = scale[2] = scale[0];
    if (given == 2) ff_report_add(r->report, FF_ERROR, node->place, "<mesh>: scale holds 2 numbers: it needs 1 or 3");
    if (given >= 0 && given != 2 && (scale[0] == 0.0 || scale[1] == 0.0 || scale[2] == 0.0)) {
        ff_report_add(r->report, FF_ERROR, node->place, "<mesh>: scale (%g, %g, %g) makes the mesh flat", scale[0],
                      scale[1], scale[2]);
        return -1;
    }
    if (given < 0 || given == 2) return -1;
    const char *key = ff_arena_printf(&r->arena, "%.17g %.17g %.17g %s", scale[0], scale[1], scale[2], reference);
    if (!urdf_has_memory(r, key)) return -1;
    int number = r->spec->nmesh, known = ff_names_put(&r->mesh_keys, key, number);
    if (known >= 0) return known;
    const char *name = mesh_name(r, reference, number);
    ff_spec_mesh *mesh = urdf_has_memory(r, name) ? ff_spec_add_mesh(r->spec, NULL) : NULL;
    if (!urdf_has_memory(r, mesh)) return -1;
    mesh->name = name;
    ff_names_put(&r->mesh_names, name, number);
    mesh->place = node->place;
    ff_vec3_copy(mesh->scale, scale);
    load_mesh(r, reference, mesh);
    return number;
}

// ------------------------------------------------------------------------------------------ shapes

/// A shape as the file writes it: attributes in the order of `size`, each times `factor` gives ours.
typedef struct shape_form {
    const char *element;
    ff_shape_type type;
    const char *attributes[4];
    double factors[3];
} shape_form;

static const shape_form forms[] = {
    {"sphere", FF_SHAPE_SPHERE, {"radius"}, {1}},
    {"cylinder", FF_SHAPE_CYLINDER, {"radius", "length"}, {1, 0.5}},
    {"capsule", FF_SHAPE_CAPSULE, {"radius", "length"}, {1, 0.5}},
    {"drake:capsule", FF_SHAPE_CAPSULE, {"radius", "length"}, {1, 0.5}},
    {"drake:ellipsoid", FF_SHAPE_ELLIPSOID, {"a", "b", "c"}, {1, 1, 1}},
};

/// Sizes of a shape; false with an error (bad number) or a warning (nothing of it is left at size zero).
static bool read_sizes(urdf_reader *r, ff_xml *node, const shape_form *form, double size[3])
{
    int errors = r->report->errors;
    bool box = strcmp(node->name, "box") == 0, flat = false;
    const char *const *names = form ? form->attributes : NULL;
    int count = 3;
    if (box) {
        if (ff_xml_need(node, "size", r->report)) ff_xml_numbers(node, "size", size, 3, 3, r->report);
        ff_vec3_scale(size, size, 0.5);
    } else {
        for (count = 0; count < 3 && names[count]; count++)
            if (ff_xml_need(node, names[count], r->report))
                size[count] = form->factors[count] * ff_xml_number(node, names[count], 0.0, r->report);
    }
    if (r->report->errors != errors) return false;
    for (int i = 0; i < count; i++) {
        if (size[i] < 0.0) {
            ff_report_add(r->report, FF_ERROR, node->place, "<%s>: a size is negative (%g m)", node->name,
                          size[i] / (form ? form->factors[i] : 0.5));
            return false;
        }
        // a capsule of length zero is a sphere; other shapes are left out
        flat = flat || (size[i] == 0.0 && !(form && form->type == FF_SHAPE_CAPSULE && i == 1));
    }
    if (flat) ff_report_add(r->report, FF_WARNING, node->place, "<%s> has a size of zero: it is left out", node->name);
    return !flat;
}

/// First element of <geometry> that is a shape; gives its type, sizes and mesh.
static bool read_geometry(urdf_reader *r, ff_xml *geometry, ff_spec_geom *out)
{
    for (ff_xml *node = geometry->child; node; node = node->next) {
        const shape_form *form = NULL;
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
            if (strcmp(node->name, forms[i].element) == 0) form = &forms[i];
        bool box = strcmp(node->name, "box") == 0, mesh = strcmp(node->name, "mesh") == 0;
        if (!form && !box && !mesh) continue;
        node->used = true;
        out->type = form ? form->type : box ? FF_SHAPE_BOX : FF_SHAPE_MESH;
        if (!mesh) return read_sizes(r, node, form, out->size);
        out->mesh = find_mesh(r, node);
        return out->mesh >= 0;
    }
    ff_report_add(r->report, FF_WARNING, geometry->place,
                  "<geometry> holds no shape that is read (box, cylinder, sphere, capsule, mesh): it is left out");
    return false;
}

static void read_shape(urdf_reader *r, const urdf_link *link, ff_xml *node, int body, ff_geom_role role)
{
    node->used = true;
    const char *name = ff_xml_get(node, "name");
    ff_xml *geometry = urdf_take(node, "geometry");
    if (!geometry) {
        ff_report_add(r->report, FF_ERROR, node->place, "link \"%s\": <%s> has no <geometry>", link->name, node->name);
        return;
    }
    ff_spec_geom shape = {.mesh = -1};
    urdf_read_origin(r, node, shape.pos, shape.quat);
    if (!read_geometry(r, geometry, &shape)) return;
    ff_spec_geom *geom = ff_spec_add_geom(r->spec, name && *name ? name : NULL, body, shape.type);
    if (!urdf_has_memory(r, geom)) return;
    memcpy(geom->size, shape.size, sizeof geom->size);
    geom->mesh = shape.mesh;
    ff_vec3_copy(geom->pos, shape.pos);
    ff_quat_copy(geom->quat, shape.quat);
    geom->role = role;
    geom->gives_mass = false;
    geom->place = node->place;
    if (role == FF_GEOM_COLLISION) {
        urdf_give_material(r, link, node, geom);
        return;
    }
    geom->contype = geom->conaffinity = 0;
    geom->group = 1; // so that viewers can show either set
    paint(r, node, geom);
}

static bool make_mesh_tables(urdf_reader *r)
{
    if (r->mesh_keys.keys) return true;
    int count = 0;
    for (int i = 0; i < r->nlink; i++)
        for (ff_xml *node = r->links[i].node->child; node; node = node->next) count++;
    return urdf_has_memory(r, ff_names_init(&r->mesh_keys, &r->arena, count) ? r : NULL) &&
           urdf_has_memory(r, ff_names_init(&r->mesh_names, &r->arena, count) ? r : NULL);
}

void urdf_read_link(urdf_reader *r, int index, int body)
{
    const urdf_link *link = &r->links[index];
    read_inertial(r, link, &r->spec->bodies[body]);
    if (!make_mesh_tables(r)) return;
    for (ff_xml *node = link->node->child; node && !r->out_of_memory; node = node->next) {
        if (strcmp(node->name, "visual") == 0) read_shape(r, link, node, body, FF_GEOM_VISUAL);
        if (strcmp(node->name, "collision") == 0) read_shape(r, link, node, body, FF_GEOM_COLLISION);
    }
}
