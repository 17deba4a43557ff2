// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// URDF, the Unified Robot Description Format of ROS: <robot> with <link> and <joint> elements side by side, joined by
// name. The frame of a link is the frame of the joint that holds it, so <origin> of a joint places the link in its
// parent link; <axis> is given in that frame; <inertia> is about the centre of mass in the axes of <inertial>'s origin.
// This file collects the named elements and lists those that were not read; urdf.h names the other parts.
#include "urdf/urdf.h"

#include <stdio.h>
#include <string.h>

#define ARENA_LIMIT ((size_t)1 << 30) // [byte] a million elements fit
#define MOST_LINKS  100000            // as many bodies as the compiler takes

// ------------------------------------------------------------------------------------------ collecting

static bool is(const ff_xml *node, const char *name)
{
    return strcmp(node->name, name) == 0;
}

/// Name of a link or joint, unique among its kind; NULL with an error otherwise.
static const char *unique_name(urdf_reader *r, ff_xml *node, ff_names *names, int index)
{
    const char *name = ff_xml_need(node, "name", r->report);
    if (!name) return NULL;
    int earlier = ff_names_put(names, name, index);
    if (earlier < 0) return name;
    const ff_xml *first = is(node, "link") ? r->links[earlier].node : r->joints[earlier].node;
    ff_report_add(r->report, FF_ERROR, node->place,
                  "%s \"%s\" is defined twice: the first is at line %d; names must differ", node->name, name,
                  first->place.line);
    return NULL;
}

static bool make_tables(urdf_reader *r)
{
    int nlink = 0, njoint = 0;
    for (ff_xml *node = r->root->child; node; node = node->next) {
        nlink += is(node, "link");
        njoint += is(node, "joint");
    }
    if (nlink > MOST_LINKS || njoint > MOST_LINKS) {
        ff_report_add(r->report, FF_ERROR, r->root->place, "%d links and %d joints: at most %d of each are read", nlink,
                      njoint, MOST_LINKS);
        return false;
    }
    r->links = FF_ARENA_NEW(&r->arena, urdf_link, nlink + 1);
    r->joints = FF_ARENA_NEW(&r->arena, urdf_joint, njoint + 1);
    return urdf_has_memory(r, r->links) && urdf_has_memory(r, r->joints) &&
           urdf_has_memory(r, ff_names_init(&r->link_names, &r->arena, nlink) ? r : NULL) &&
           urdf_has_memory(r, ff_names_init(&r->joint_names, &r->arena, njoint) ? r : NULL);
}

static void collect(urdf_reader *r)
{
    for (ff_xml *node = r->root->child; node; node = node->next) {
        if (is(node, "link")) {
            node->used = true;
            const char *name = unique_name(r, node, &r->link_names, r->nlink);
            if (name)
                r->links[r->nlink++] = (urdf_link){
                    .node = node, .name = name, .joint = -1, .first_child = -1, .last_child = -1, .body = -1};
        } else if (is(node, "joint")) {
            node->used = true;
            const char *name = unique_name(r, node, &r->joint_names, r->njoint);
            if (name) r->joints[r->njoint++] = (urdf_joint){node, name, -1, -1, -1, -1, 0, false};
        }
    }
    if (!ff_xml_child(r->root, "link"))
        ff_report_add(r->report, FF_ERROR, r->root->place, "<robot> has no <link>: a robot needs at least one");
}

/// The word by which an element shows that xacro of ROS has not been run; NULL: none.
static const char *macro_in(const ff_xml *node)
{
    if (strncmp(node->name, "xacro:", 6) == 0) return node->name;
    for (int i = 0; i < node->nattribute; i++)
        if (strstr(node->attributes[i].value, "${") || strstr(node->attributes[i].value, "$("))
            return node->attributes[i].value;
    return NULL;
}

/// True (reported) for a file of macros: elements of xacro, or ${..} and $(..) in names and numbers.
static bool is_macro(urdf_reader *r)
{
    const char *slash = r->file ? strrchr(r->file, '/') : NULL;
    for (const ff_xml *node = r->root; node; node = ff_xml_after(node, is(node, "gazebo"))) {
        const char *macro = is(node, "xacro:property") ? NULL : macro_in(node);
        if (!macro) continue;
        ff_report_add(r->report, FF_ERROR, node->place,
                      "\"%.60s\" is a macro: expand the file by xacro of ROS first, 'xacro %s > expanded.urdf'", macro,
                      slash     ? slash + 1
                      : r->file ? r->file
                                : "robot.xacro");
        return true;
    }
    return false;
}

static bool check_root(urdf_reader *r)
{
    ff_xml *root = r->root;
    root->used = true;
    if (!is(root, "robot")) {
        ff_report_add(r->report, FF_ERROR, root->place, "a URDF file starts with <robot>, this one with <%s>",
                      root->name);
        return false;
    }
    if (is_macro(r)) return false;
    ff_xml_get(root, "version");
    const char *name = ff_xml_get(root, "name");
    r->spec->name = ff_spec_text(r->spec, name ? name : "");
    return urdf_has_memory(r, r->spec->name);
}

// ------------------------------------------------------------------------------------------ unused elements

static void ignore(urdf_reader *r, const ff_xml *node, const char *reason, const char *format, const char *one,
                   const char *two)
{
    char what[160];
    snprintf(what, sizeof what, format, one, two);
    ff_spec_ignore(r->spec, node->place, "%s%s%s", what, reason ? ": " : "", reason ? reason : "");
}

static void list_attributes(urdf_reader *r, const ff_xml *node)
{
    for (int i = 0; i < node->nattribute; i++)
        if (!node->attributes[i].used)
            ignore(r, node, urdf_contact_reason(node->name, node->attributes[i].name), "attribute '%.60s' of <%.60s>",
                   node->attributes[i].name, node->name);
}

static void list_element(urdf_reader *r, const ff_xml *node)
{
    if (node->used)
        list_attributes(r, node);
    else if (node->parent == r->root && is(node, "transmission"))
        ff_spec_ignore(r->spec, node->place, "<transmission> that is not a SimpleTransmission");
    else if (node->parent == r->root)
        ff_spec_ignore(r->spec, node->place, "<%.80s>", node->name);
    else
        ignore(r, node, urdf_contact_reason(node->name, NULL), "<%.60s> in <%.60s>", node->name, node->parent->name);
}

/// Lists what was ignored in elements that were read.
static void list_ignored(urdf_reader *r)
{
    for (const ff_xml *node = r->root; node; node = ff_xml_after(node, !node->used)) {
        list_element(r, node);
        if (r->spec->nignored >= FF_REPORT_MAX) {
            ff_report_add(r->report, FF_WARNING, node->place,
                          "%d kinds of elements and attributes are not read up to here: the list ends",
                          r->spec->nignored);
            return;
        }
    }
}

// ------------------------------------------------------------------------------------------ the reader

/// Reads links that form no tree one by one, only to report their mistakes.
static void read_unconnected(urdf_reader *r)
{
    double pos[3], quat[4];
    for (int i = 0; i < r->nlink && !r->out_of_memory; i++) {
        if (urdf_has_memory(r, ff_spec_add_body(r->spec, r->links[i].name, -1))) urdf_read_link(r, i, i);
    }
    for (int i = 0; i < r->njoint && !r->out_of_memory; i++) {
        urdf_read_origin(r, r->joints[i].node, pos, quat);
        urdf_read_joint(r, i, 0);
    }
}

static void read_robot(urdf_reader *r)
{
    if (!check_root(r) || !make_tables(r)) return;
    int errors = r->report->errors;
    collect(r);
    bool tree = urdf_connect(r, errors);
    urdf_read_colours(r);
    urdf_read_contacts(r);
    if (r->out_of_memory) return;
    if (tree)
        urdf_add_tree(r);
    else
        read_unconnected(r);
    if (r->out_of_memory) return;
    urdf_read_mimics(r);
    urdf_read_transmissions(r);
    if (tree) urdf_drive_joints(r);
    urdf_read_filters(r);
    if (tree) urdf_read_sensors(r);
    list_ignored(r);
    if (!tree) r->spec->nbody = r->spec->njoint = r->spec->ngeom = r->spec->nactuator = r->spec->nexclude = 0;
}

ff_status urdf_read(ff_spec *spec, const ff_robot_text *from, ff_report *report)
{
    if (!ff_xml_available()) {
        ff_report_add(report, FF_ERROR, (ff_place){from->file, 0, 0},
                      "URDF is not read: this build was made without libxml2");
        return FF_NOT_BUILT;
    }
    urdf_reader r = {.spec = spec, .options = from->options, .report = report, .arena = {.limit = ARENA_LIMIT}};
    const int errors = report->errors;
    r.file = ff_spec_text(spec, from->file);
    if (!r.file) return FF_NO_MEMORY;
    r.root = ff_xml_parse(&r.arena, from->text, from->length, r.file, report);
    if (r.root) read_robot(&r);
    ff_arena_clear(&r.arena);
    return r.out_of_memory ? FF_NO_MEMORY : report->errors != errors ? FF_BAD_FILE : FF_OK;
}
