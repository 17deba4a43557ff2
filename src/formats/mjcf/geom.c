// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Geoms and sites. A geom that names a mesh but has a primitive type is that primitive, fitted to the mesh.
#include "mjcf/mjcf.h"

#include <stdlib.h>

static const char *const geom_types[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                         "cylinder", "box",    "mesh",   "sdf",     NULL};

static const ff_shape_type shape_of[] = {
    [MJCF_PLANE] = FF_SHAPE_PLANE,         [MJCF_SPHERE] = FF_SHAPE_SPHERE,     [MJCF_CAPSULE] = FF_SHAPE_CAPSULE,
    [MJCF_ELLIPSOID] = FF_SHAPE_ELLIPSOID, [MJCF_CYLINDER] = FF_SHAPE_CYLINDER, [MJCF_BOX] = FF_SHAPE_BOX,
    [MJCF_MESH] = FF_SHAPE_MESH,           [MJCF_HFIELD] = FF_SHAPE_MESH,
};

/// Number of sizes that a type uses; these must be positive.
static const int size_count[] = {
    [MJCF_PLANE] = 0,    [MJCF_HFIELD] = 0, [MJCF_SPHERE] = 1, [MJCF_CAPSULE] = 2, [MJCF_ELLIPSOID] = 3,
    [MJCF_CYLINDER] = 2, [MJCF_BOX] = 3,    [MJCF_MESH] = 0,   [MJCF_SDF] = 0,
};

/// A solref without meaning in MuJoCo is replaced by its default; a time constant that steps of the file cannot
/// follow is raised to two of them, as MuJoCo does.
static void correct_solref(mjcf *m, const ff_xml *node, double solref[2])
{
    const bool standard = solref[0] > 0.0 && solref[1] > 0.0, direct = solref[0] < 0.0 && solref[1] <= 0.0;
    const double least = 2.0 * m->timestep;
    if (!standard && !direct) {
        mjcf_warn(
            m, node->place,
            "solref is %g %g: two positive numbers (time constant, damping ratio) or two negative ones (stiffness, "
            "damping) are needed; 0.02 1 is taken",
            solref[0], solref[1]);
        solref[0] = 0.02;
        solref[1] = 1.0;
    }
    if (standard && solref[0] < least) {
        mjcf_warn(m, node->place, "solref: the time constant %g s is raised to %g s, two time steps of the file",
                  solref[0], least);
        solref[0] = least;
    }
}

void mjcf_hardness_read(mjcf *m, ff_xml *node, ff_mjcf_contact *contact)
{
    double solimp[5] = {0.9, contact->impedance, 0.001, 0.5, 2.0};
    if (ff_xml_numbers(node, "solref", contact->solref, 1, 2, m->report) > 0) {
        contact->has_solref = true;
        correct_solref(m, node, contact->solref);
    }
    ff_xml_numbers(node, "solimp", solimp, 1, 5, m->report);
    contact->impedance = solimp[1];
}

void mjcf_geom_read(mjcf *m, ff_xml *node, mjcf_geom *geom)
{
    ff_report *report = m->report;
    geom->type = (mjcf_shape)ff_xml_choice(node, "type", geom_types, (int)geom->type, report);
    ff_xml_numbers(node, "size", geom->size, 1, 3, report);
    ff_xml_numbers(node, "pos", geom->pos, 3, 3, report);
    mjcf_orient_read(m, node, &geom->orient);
    if (ff_xml_numbers(node, "fromto", geom->fromto, 6, 6, report) == 6) geom->has_fromto = true;
    if (ff_xml_numbers(node, "mass", &geom->mass, 1, 1, report) == 1) geom->has_mass = true;
    geom->density = ff_xml_number(node, "density", geom->density, report);
    geom->fitscale = ff_xml_number(node, "fitscale", geom->fitscale, report);
    geom->shell = mjcf_flag(m, node, "shellinertia", geom->shell);
    mjcf_colour(m, node, geom->rgba);
    ff_xml_numbers(node, "friction", geom->friction, 1, 3, report);
    const char *material = ff_xml_get(node, "material"), *mesh = ff_xml_get(node, "mesh");
    const char *hfield = ff_xml_get(node, "hfield");
    if (hfield) geom->hfield = hfield;
    if (material) geom->material = material;
    if (mesh) geom->mesh = mesh;
    geom->group = ff_xml_integer(node, "group", geom->group, report);
    geom->contype = ff_xml_integer(node, "contype", geom->contype, report);
    geom->conaffinity = ff_xml_integer(node, "conaffinity", geom->conaffinity, report);
    geom->contact.priority = ff_xml_integer(node, "priority", geom->contact.priority, report);
    geom->contact.solmix = ff_xml_number(node, "solmix", geom->contact.solmix, report);
    mjcf_hardness_read(m, node, &geom->contact);
    static const char *const fluid_shapes[] = {"none", "ellipsoid", NULL};
    geom->ellipsoid = ff_xml_choice(node, "fluidshape", fluid_shapes, geom->ellipsoid, report) == 1;
    ff_xml_numbers(node, "fluidcoef", geom->fluid, 1, 5, report);
    geom->condim = ff_xml_integer(node, "condim", geom->condim, report);
}

void mjcf_site_read(mjcf *m, ff_xml *node, mjcf_site *site)
{
    ff_xml_numbers(node, "pos", site->pos, 3, 3, m->report);
    mjcf_orient_read(m, node, &site->orient);
    if (ff_xml_numbers(node, "fromto", site->fromto, 6, 6, m->report) == 6) site->has_fromto = true;
    site->zone.type = (mjcf_shape)ff_xml_choice(node, "type", geom_types, (int)site->zone.type, m->report);
    ff_xml_numbers(node, "size", site->zone.size, 1, 3, m->report);
    // how a site is drawn
    static const char *const looks[] = {"rgba", "material", "group", NULL};
    for (int i = 0; looks[i]; i++) ff_xml_get(node, looks[i]);
}

/// Sizes of a shape along a segment. False for shapes that have no length.
static bool size_along(mjcf_shape type, double size[3], double length)
{
    switch (type) {
    case MJCF_CAPSULE:
    case MJCF_CYLINDER:
        size[1] = 0.5 * length;
        return true;
    case MJCF_BOX:
    case MJCF_ELLIPSOID:
        size[1] = size[0];
        size[2] = 0.5 * length;
        return true;
    default:
        return false;
    }
}

/// Pose in the frame around the element; a segment replaces pos and orientation, and gives the length.
static void place_geom(mjcf *m, ff_xml *node, mjcf_geom *from, ff_spec_geom *geom)
{
    ff_vec3_copy(geom->size, from->size);
    if (!from->has_fromto) {
        ff_vec3_copy(geom->pos, from->pos);
        mjcf_orient_resolve(m, node, &from->orient, geom->quat);
        return;
    }
    double length = mjcf_orient_segment(m, node, from->fromto, geom->pos, geom->quat);
    if (length == 0.0) length = 1.0; // reported; a size of 0 would be reported again
    if (!size_along(from->type, geom->size, length))
        mjcf_error(m, node->place, "fromto fits a capsule, cylinder, box or ellipsoid; this geom is a %s",
                   geom_types[from->type]);
}

static void check_size(mjcf *m, const ff_xml *node, const mjcf_geom *from, const ff_spec_geom *geom)
{
    for (int i = 0; i < size_count[from->type]; i++) {
        if (geom->size[i] > 0.0) continue;
        mjcf_error(m, node->place, "a %s needs %d positive size%s; number %d is %g", geom_types[from->type],
                   size_count[from->type], size_count[from->type] > 1 ? "s" : "", i + 1, geom->size[i]);
        return;
    }
}

/// The geom's own colour, unless it is the default grey and its material has another.
static void colour_geom(mjcf *m, ff_xml *node, const mjcf_geom *from, ff_spec_geom *geom)
{
    static const double grey[4] = {0.5, 0.5, 0.5, 1.0};
    memcpy(geom->rgba, from->rgba, sizeof geom->rgba);
    if (!from->material) return;
    int material = mjcf_name_find(m, MJCF_MATERIAL, from->material);
    if (material < 0)
        mjcf_error(m, node->place, "<geom> names the material \"%.100s\", which does not exist", from->material);
    else if (memcmp(from->rgba, grey, sizeof grey) == 0)
        memcpy(geom->rgba, m->material_rgba[material], sizeof geom->rgba);
}

static void size_from_box(mjcf_shape type, const double half[3], double size[3])
{
    const double round = 0.5 * (half[0] + half[1]);
    switch (type) {
    case MJCF_SPHERE:
        size[0] = (half[0] + half[1] + half[2]) / 3.0;
        break;
    case MJCF_CAPSULE:
        size[0] = round;
        size[1] = ff_max(0.0, half[2] - 0.5 * round);
        break;
    case MJCF_CYLINDER:
        size[0] = round;
        size[1] = half[2];
        break;
    default:
        ff_vec3_copy(size, half);
    }
}

/// Sizes of the primitive from the box of equal inertia (or the bounds); its frame is given in that of the geom.
static void fit_primitive(mjcf *m, ff_xml *node, const mjcf_geom *from, ff_spec_geom *geom)
{
    double half[3], pos[3], quat[4];
    if (!mjcf_mesh_box(m, geom->mesh, half, pos, quat)) {
        mjcf_warn(m, node->place, "the %s cannot be fitted to mesh \"%.100s\", which has no volume here",
                  geom_types[from->type], from->mesh);
        geom->type = FF_SHAPE_MESH;
        return;
    }
    bool is_round = from->type == MJCF_SPHERE || from->type == MJCF_CAPSULE || from->type == MJCF_CYLINDER;
    if (m->fit_bounds && is_round)
        mjcf_mesh_wrap(m, geom->mesh, from->type, pos, quat, geom->size);
    else
        size_from_box(from->type, half, geom->size);
    ff_vec3_scale(geom->size, geom->size, from->fitscale);
    ff_pose_displace(pos, quat, geom->pos, geom->quat);
    ff_vec3_copy(geom->pos, pos);
    ff_quat_copy(geom->quat, quat);
    geom->mesh = -1;
}

/// Finds the mesh; false when the geom cannot be made.
static bool attach_mesh(mjcf *m, ff_xml *node, const mjcf_geom *from, ff_spec_geom *geom)
{
    if (from->type == MJCF_HFIELD) {
        geom->mesh = mjcf_name_find(m, MJCF_HFIELD_ASSET, from->hfield);
        geom->gives_mass = false;
        return true;
    }
    if (!from->mesh) {
        if (from->type == MJCF_MESH) mjcf_error(m, node->place, "a geom of type mesh must name its mesh");
        return from->type != MJCF_MESH;
    }
    int mesh = mjcf_name_find(m, MJCF_MESH_ASSET, from->mesh);
    if (mesh < 0) {
        mjcf_error(m, node->place, "<geom> names the mesh \"%.100s\", which does not exist", from->mesh);
        return false;
    }
    geom->mesh = mesh;
    if (from->type != MJCF_MESH) fit_primitive(m, node, from, geom);
    return true;
}

/// Parameters of drag in the medium.
static void set_fluid(mjcf *m, const ff_xml *node, const mjcf_geom *from, ff_spec_geom *geom)
{
    geom->ellipsoid = from->ellipsoid && from->type != MJCF_PLANE && from->type != MJCF_HFIELD;
    memcpy(geom->fluid, from->fluid, sizeof geom->fluid);
    if (from->ellipsoid && !geom->ellipsoid)
        ff_spec_ignore(m->spec, node->place,
                       "fluidshape=\"ellipsoid\" of a %s: only primitives and meshes become ellipsoids",
                       geom_types[from->type]);
}

static void fill_geom(mjcf *m, ff_xml *node, mjcf_geom *from, ff_spec_geom *geom)
{
    place_geom(m, node, from, geom);
    geom->has_mass = from->has_mass;
    geom->mass = from->has_mass ? from->mass : 0.0;
    geom->density = from->density;
    geom->group = from->group;
    geom->contype = m->no_contact ? 0 : from->contype;
    geom->conaffinity = m->no_contact ? 0 : from->conaffinity;
    geom->condim = from->condim;
    geom->has_friction = true; // MuJoCo's own numbers hold where the file has none
    geom->mjcf = from->contact;
    set_fluid(m, node, from, geom);
    if (geom->contype == 0 && geom->conaffinity == 0)
        geom->role = FF_GEOM_VISUAL;
    else // MuJoCo hides groups from 3 on by default
        geom->role = geom->group >= 3 ? FF_GEOM_COLLISION : FF_GEOM_BOTH;
    // MuJoCo 2.2.2 removes visual geoms before it computes masses; here they remain visible
    geom->gives_mass = !m->discard_visual || from->contype != 0 || from->conaffinity != 0;
    ff_vec3_copy(geom->friction, from->friction);
    colour_geom(m, node, from, geom);
    bool fitted = from->mesh && from->type != MJCF_MESH;
    if (attach_mesh(m, node, from, geom) && !fitted) check_size(m, node, from, geom);
    if (from->shell)
        ff_spec_ignore(m->spec, node->place, "shellinertia=\"true\" of a %s: %s", geom_types[from->type],
                       from->type == MJCF_MESH ? "its mesh says how it is filled (inertia=\"shell\")" : "it is filled");
    if (geom->has_mass && geom->mass < 0.0)
        mjcf_error(m, node->place, "the mass of the geom is %g kg; it must not be negative", geom->mass);
    if (geom->density < 0.0)
        mjcf_error(m, node->place, "the density of the geom is %g kg/m^3; it must not be negative", geom->density);
}

/// Has an element, or a <frame> in it, a joint, which may not have been read yet?
static bool has_joint(const ff_xml *element)
{
    for (const ff_xml *child = element->child; child; child = child->next) {
        if (strcmp(child->name, "joint") == 0 || strcmp(child->name, "freejoint") == 0) return true;
        if (strcmp(child->name, "frame") == 0 && has_joint(child)) return true;
    }
    return false;
}

/// The element of the body of a geom, around all frames.
static const ff_xml *body_around(const ff_xml *geom)
{
    const ff_xml *around = geom->parent;
    while (around->parent && strcmp(around->name, "frame") == 0) around = around->parent;
    return around;
}

/// Why a geom is left out, NULL: it is not. A height field that does not exist is an error.
static const char *why_left_out(mjcf *m, const ff_xml *node, const mjcf_geom *from, int body)
{
    const bool field = from->type == MJCF_HFIELD;
    const char *name = field ? from->hfield : from->mesh;
    const int asset = name ? mjcf_name_find(m, field ? MJCF_HFIELD_ASSET : MJCF_MESH_ASSET, name) : MJCF_NONE;
    if (from->type == MJCF_SDF) return "type sdf";
    if (field && asset == MJCF_NONE) {
        mjcf_error(m, node->place, "<geom> names the hfield \"%.100s\", which does not exist", name ? name : "");
        return "its hfield does not exist";
    }
    if (asset == MJCF_LEFT_OUT) return field ? "its hfield was left out" : "its mesh was left out";
    static const char moves[] = "height fields stand still, and joints move this one";
    if (field && has_joint(body_around(node))) return moves;
    for (int b = body; field && b >= 0; b = m->spec->bodies[b].parent)
        for (int i = 0; i < m->spec->njoint; i++)
            if (m->spec->joints[i].body == b) return moves;
    return NULL;
}

void mjcf_geom_add(mjcf *m, ff_xml *node, int body, const mjcf_class *class, const double pos[3], const double quat[4])
{
    mjcf_geom from = class->geom;
    mjcf_geom_read(m, node, &from);
    const char *name = ff_xml_get(node, "name");
    const char *reason = why_left_out(m, node, &from, body);
    if (reason) {
        mjcf_name_add(m, MJCF_GEOM, name, MJCF_LEFT_OUT, node->place);
        mjcf_leave_out(m, node, "%s", reason);
        if (from.mesh) mjcf_note_massless(m, body);
        return;
    }
    ff_spec_geom *geom = ff_spec_add_geom(m->spec, name, body, shape_of[from.type]);
    if (!mjcf_has_memory(m, geom)) return;
    geom->place = node->place;
    mjcf_name_add(m, MJCF_GEOM, name, m->spec->ngeom - 1, node->place);
    fill_geom(m, node, &from, geom);
    ff_pose_displace(geom->pos, geom->quat, pos, quat);
}

void mjcf_site_add(mjcf *m, ff_xml *node, int body, const mjcf_class *class, const double pos[3], const double quat[4])
{
    mjcf_site from = class->site;
    mjcf_site_read(m, node, &from);
    const char *name = ff_xml_get(node, "name");
    ff_spec_frame *frame = ff_spec_add_frame(m->spec, name, body);
    if (!mjcf_has_memory(m, frame)) return;
    frame->place = node->place;
    mjcf_name_add(m, MJCF_SITE, name, m->spec->nframe - 1, node->place);
    if (from.has_fromto) {
        const double length = mjcf_orient_segment(m, node, from.fromto, frame->pos, frame->quat);
        size_along(from.zone.type, from.zone.size, length);
    } else {
        ff_vec3_copy(frame->pos, from.pos);
        mjcf_orient_resolve(m, node, &from.orient, frame->quat);
    }
    ff_pose_displace(frame->pos, frame->quat, pos, quat);
    if (!mjcf_grow(m, &m->zones, m->nzone, &m->zone_capacity, sizeof *m->zones)) return;
    from.zone.frame = m->spec->nframe - 1;
    m->zones[m->nzone++] = from.zone;
}
