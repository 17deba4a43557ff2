// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The top level of native robot files: the version line, imports of other files, which this one changes, parts that are
// attached several times (legs), and the check of the total mass.
#include "native/native.h"
#include "model/cable.h"
#include "model/edit.h"
#include "native/keys.h"
#include "native/material.h"

#include <footfall/text.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREE_BYTES ((size_t)256 << 20) // of the YAML tree of one file

// ------------------------------------------------------------------------------------------ other files

/// Reads a robot file of any format into `spec`.
static bool load_file(const ff_native *n, ff_spec *spec, const char *name, const ff_load_options *options,
                      ff_place place)
{
    ff_robot_text from = {.options = options, .formats = n->from->formats, .importer = n->from};
    from.file = ff_text_beside(&n->spec->arena, n->file, name);
    if (from.file && ff_robot_is_open(n->from, from.file)) {
        ff_report_add(n->report, FF_ERROR, place, "\"%s\" imports itself, directly or through others", from.file);
        return false;
    }
    char *text = from.file ? ff_text_load(from.file, options->max_bytes, &from.length, place, n->report) : NULL;
    from.text = text;
    const bool read = text && ff_robot_read(spec, &from, n->report) == FF_OK;
    free(text);
    return read;
}

/// import: other.urdf, or {file, prefix, floating, pos, rpy, quat}.
static void read_import(ff_native *n, ff_yaml *node)
{
    double pos[3] = {0}, quat[4] = {1, 0, 0, 0};
    bool map = node->type == FF_YAML_MAP;
    ff_yaml *file = map ? ff_yaml_need(node, "file", n->report) : node;
    const char *name = file ? ff_yaml_as_string(file, n->report) : NULL;
    const char *prefix = map ? ff_yaml_string(node, "prefix", "", n->report) : "";
    ff_load_options options = *n->from->options;
    if (map) options.floating = ff_yaml_boolean(node, "floating", options.floating, n->report);
    const ff_yaml *legs = ff_yaml_get(n->root, "legs");
    if (legs && legs->type == FF_YAML_MAP) options.without_legs = true; // a list only orders the legs of the import
    if (map) ff_yaml_pose(node, pos, quat, n->report);
    ff_spec *other = name ? ff_spec_create(NULL) : NULL;
    if (!other) return;
    if (load_file(n, other, name, &options, node->place)) {
        ff_vec3_copy(n->spec->gravity, other->gravity);
        n->spec->name = ff_spec_text(n->spec, other->name);
        ff_spec_attach(n->spec, other, prefix, -1, pos, quat, n->report);
        n->nimported = n->spec->nbody;
        if (n->spec->nkey > 0) n->imported = ff_coordinates_note(n->spec);
    }
    ff_spec_destroy(other);
}

// ------------------------------------------------------------------------------------------ parts

static void read_contents(ff_native *n, ff_yaml *node)
{
    ff_yaml *part;
    if ((part = ff_yaml_get(node, "bodies"))) ff_native_bodies(n, part, -1);
    if ((part = ff_yaml_get(node, "shapes"))) ff_native_shapes(n, part, -1);
    if ((part = ff_yaml_get(node, "frames"))) ff_native_frames(n, part, -1);
    if ((part = ff_yaml_get(node, "loops"))) ff_native_loops(n, part); // before a joint that they name is locked
    if ((part = ff_yaml_get(node, "tendons"))) ff_native_tendons(n, part);
    if ((part = ff_yaml_get(node, "joints"))) ff_native_joint_changes(n, part);
    if ((part = ff_yaml_get(node, "drives"))) ff_native_drives(n, part);
    if ((part = ff_yaml_get(node, "actuators"))) ff_native_actuators(n, part); // also of motors that drives have made
    if ((part = ff_yaml_get(node, "sensors"))) ff_native_sensors(n, part);
    if ((part = ff_yaml_get(node, "contact"))) ff_native_contact(n, part);
    if ((part = ff_yaml_get(node, "leg"))) ff_native_leg(n, part, "");
    if ((part = ff_yaml_get(node, "legs"))) ff_native_legs(n, part);
    if ((part = ff_yaml_get(node, "hands"))) ff_native_hands(n, part);
}

static bool read_part(ff_native *n, ff_spec *spec, ff_yaml *entry, const char *name)
{
    ff_yaml *part = NULL;
    if (n->parts && n->parts->type == FF_YAML_MAP)
        for (part = n->parts->child; part && strcmp(part->key, name) != 0;) part = part->next;
    if (!part) {
        ff_report_add(n->report, FF_ERROR, entry->place, "no part '%.60s' under 'parts' at the top of this file", name);
        return false;
    }
    part->used = true;
    if (!ff_yaml_expect(part, FF_YAML_MAP, "a part as a map", n->report)) return false;
    ff_native inner = *n;
    inner.spec = spec;
    inner.parts = NULL; // parts do not nest
    inner.nimported = 0;
    int errors = n->report->errors;
    read_contents(&inner, part);
    return n->report->errors == errors;
}

/// {part | file, prefix, pos, rpy, quat, mirror}.
static void attach_one(ff_native *n, ff_yaml *entry, int body)
{
    static const char *const axes[] = {"x", "y", "z", NULL};
    double pos[3] = {0}, quat[4] = {1, 0, 0, 0};
    const char *part = ff_yaml_string(entry, "part", NULL, n->report);
    const char *file = ff_yaml_string(entry, "file", NULL, n->report);
    const char *prefix = ff_yaml_string(entry, "prefix", "", n->report);
    int mirror = ff_yaml_choice(entry, "mirror", axes, -1, n->report);
    ff_yaml_pose(entry, pos, quat, n->report);
    if (!part == !file) {
        ff_report_add(n->report, FF_ERROR, entry->place, "give exactly one of part and file");
        return;
    }
    ff_spec *other = ff_spec_create(NULL);
    if (!other) return;
    ff_load_options options = *n->from->options;
    options.floating = false;
    options.without_legs = true; // legs are searched in the whole robot
    bool read = part ? read_part(n, other, entry, part) : load_file(n, other, file, &options, entry->place);
    if (read) {
        if (mirror >= 0) ff_spec_mirror(other, mirror);
        // named states are fitted at the end of the file
        ff_spec_join(n->spec, other, prefix, NULL, body, pos, quat, n->report);
    }
    ff_spec_destroy(other);
}

void ff_native_attach(ff_native *n, ff_yaml *list, int body)
{
    if (!ff_yaml_expect(list, FF_YAML_LIST, "a list such as [{part: leg, prefix: left_}]", n->report)) return;
    for (ff_yaml *entry = list->child; entry; entry = entry->next) {
        if (!ff_yaml_expect(entry, FF_YAML_MAP, "{part: .., prefix: ..}", n->report)) continue;
        int errors = n->report->errors;
        if (ff_native_too_large(n, entry->place)) return;
        attach_one(n, entry, body);
        if (n->report->errors > errors) return; // a mistake is reported for one copy
    }
}

static void report_unused_parts(const ff_native *n)
{
    if (!n->parts || !ff_yaml_expect(n->parts, FF_YAML_MAP, "parts as 'name: {bodies: ..}'", n->report)) return;
    for (ff_yaml *part = n->parts->child; part; part = part->next) {
        if (part->used) continue;
        ff_report_add(n->report, FF_WARNING, part->key_place, "part '%.60s' is attached nowhere", part->key);
        ff_yaml_use(part);
    }
}

// ------------------------------------------------------------------------------------------ top level

/// total_mass is the sum that the masses of the bodies should have, as a check of the numbers of a file.
static void check_total_mass(const ff_native *n)
{
    ff_yaml *stated = ff_yaml_get(n->root, "total_mass");
    double mass, sum = 0.0;
    if (!stated || !ff_yaml_as_number(stated, &mass, n->report)) return;
    for (int i = 0; i < n->spec->nbody; i++) {
        if (n->spec->bodies[i].inertia_from_geoms) {
            ff_report_add(n->report, FF_WARNING, stated->place,
                          "total_mass is not checked: body '%.60s' weighs by its shapes", n->spec->bodies[i].name);
            return;
        }
        if (n->spec->bodies[i].has_inertial) sum += n->spec->bodies[i].mass;
    }
    if (fabs(sum - mass) <= 1e-9 * fabs(mass)) return;
    ff_report_add(n->report, FF_ERROR, stated->place, "total_mass is %.9g kg, but the bodies add up to %.9g kg", mass,
                  sum);
}

static void check_version(const ff_native *n)
{
    ff_yaml *version = ff_yaml_get(n->root, "footfall");
    if (!version) {
        ff_report_add(n->report, FF_ERROR, n->root->place, "a native robot file starts with 'footfall: 1'");
        return;
    }
    double number;
    if (!ff_yaml_as_number(version, &number, n->report) || number == 1.0) return;
    ff_report_add(n->report, FF_ERROR, version->place, "format version %g: this program reads version 1", number);
}

static void read_medium(const ff_native *n, ff_yaml *medium)
{
    if (!medium || !ff_yaml_expect(medium, FF_YAML_MAP, "{density: .., viscosity: ..}", n->report)) return;
    n->spec->density = ff_yaml_number(medium, "density", n->spec->density, n->report);
    n->spec->viscosity = ff_yaml_number(medium, "viscosity", n->spec->viscosity, n->report);
    ff_yaml_numbers(medium, "wind", n->spec->wind, 3, 3, n->report);
}

/// A constant that no expression of this file names was probably meant for the imported file, whose numbers it cannot
/// change.
static void report_unused_constants(const ff_native *n)
{
    ff_yaml *constants = ff_yaml_get(n->root, "constants");
    if (!constants || !ff_yaml_get(n->root, "import")) return;
    for (const ff_yaml *entry = constants->child; entry; entry = entry->next)
        if (!entry->named)
            ff_report_add(
                n->report, FF_ERROR, entry->key_place,
                "constant '%.60s' is named nowhere in this file, and those of the file it imports stay as they "
                "are: change what depends on it by name (docs/model-files.md), or leave it out",
                entry->key);
}

/// Reads all keys, each after those that it refers to.
static void read_keys(ff_native *n)
{
    ff_yaml *root = n->root, *part;
    ff_yaml_check_constants(root, n->report);
    ff_yaml_string(root, "description", NULL, n->report);
    if ((part = ff_yaml_get(root, "define"))) ff_yaml_use(part); // a place for anchors
    n->parts = ff_yaml_get(root, "parts");
    const int errors = n->report->errors;
    if ((part = ff_yaml_get(root, "import"))) read_import(n, part);
    if (n->report->errors > errors) return; // without the import the changes would fail, too
    if ((part = ff_yaml_get(root, "materials"))) ff_yaml_materials(part, n->spec, n->file, n->report);
    const char *name = ff_yaml_string(root, "name", NULL, n->report);
    if (name) n->spec->name = ff_spec_text(n->spec, name);
    ff_yaml_numbers(root, "gravity", n->spec->gravity, 3, 3, n->report);
    read_medium(n, ff_yaml_get(root, "medium"));
    read_contents(n, root);
    if ((part = ff_yaml_get(root, "battery"))) ff_native_battery(n, part);
    if ((part = ff_yaml_get(root, "biped"))) ff_native_biped(n, part);
    report_unused_parts(n);
    if (n->imported && n->report->errors == 0) ff_coordinates_fit(n->spec, n->imported);
    if ((part = ff_yaml_get(root, "poses")) && n->report->errors == 0) ff_native_poses(n, part);
    if (n->report->errors == 0) check_total_mass(n);
    if (n->spec->nbody == 0 && n->report->errors == 0)
        ff_report_add(n->report, FF_ERROR, root->place, "there is no robot here: neither 'bodies' nor 'import'");
    // After an earlier mistake readers skip keys, which are not reported as unused.
    if (n->report->errors == 0) ff_yaml_report_unused(root, FF_ERROR, n->report);
    if (n->report->errors == 0) report_unused_constants(n);
    if (n->report->errors == 0 && !n->from->importer)
        ff_cable_check(n->spec, n->report); // a file that imports this one may change it
}

static void read_robot(ff_native *n)
{
    check_version(n);
    ff_schema_check(n->root, &ff_keys_robot, n->report);
    const int first = n->report->count;
    read_keys(n);
    ff_schema_drop_consequences(n->root, n->report, first);
}

ff_status ff_native_read(ff_spec *spec, const ff_robot_text *from, ff_report *report)
{
#ifndef FF_WITH_YAML
    ff_report_add(report, FF_ERROR, (ff_place){from->file, 0, 0},
                  "this build of Footfall was made without libyaml; build it with FOOTFALL_WITH_YAML=ON");
    return FF_NOT_BUILT;
#endif
    ff_arena arena = {.limit = TREE_BYTES};
    double compared = 0.0;
    ff_report own = {0}; // counts the errors of this file alone
    ff_native n = {.spec = spec, .report = &own, .from = from, .compared = &compared};
    n.file = ff_spec_text(spec, from->file);
    n.root = n.file ? ff_yaml_parse(&arena, from->text, from->length, n.file, &own) : NULL;
    if (n.root && ff_yaml_expect(n.root, FF_YAML_MAP, "a robot as a map of keys", &own)) read_robot(&n);
    const bool ran_out = ff_yaml_out_of_memory(&arena) || spec->arena.failed;
    if (ran_out) ff_report_add(&own, FF_ERROR, (ff_place){n.file, 0, 0}, "%s", ff_status_text(FF_NO_MEMORY));
    ff_arena_clear(&arena);
    const bool failed = own.errors > 0;
    ff_yaml_hand_over(&own, report);
    return ran_out ? FF_NO_MEMORY : failed ? FF_BAD_FILE : FF_OK;
}
