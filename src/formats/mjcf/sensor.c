// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of MJCF, by their rows of model/sensor_kinds.h: each element is a type of sensor and an object. Most have
// the same word; MuJoCo's force and torque are what the parent exerts on the body, here called reaction. MuJoCo's
// `body` of a frame sensor is the centre of mass with the principal axes ("inertia" here), its `xbody` the frame of the
// body.
#include "mjcf/mjcf.h"
#include "model/edit.h"
#include "model/sensor_kinds.h"

/// An object that a sensor refers to.
typedef struct found {
    const mjcf_object_word *word;
    const char *name; // "" for the world
} found;

/// Finds an object. False where it does not exist, which is reported, or was left out, and the sensor with it.
static bool find_object(mjcf *m, ff_xml *node, const char *type, const char *name, found *out)
{
    *out = (found){mjcf_object_word_of(type), name};
    if (!out->word) {
        mjcf_leave_out(m, node, "it refers to a %.40s, which is not read", type);
        return false;
    }
    if (out->word->kind == MJCF_BODY && strcmp(name, "world") == 0) {
        out->name = "";
        return true;
    }
    return mjcf_find(m, node, out->word->kind, type, name) >= 0;
}

static ff_spec_setting setting(const ff_xml *node, const char *name)
{
    return (ff_spec_setting){.name = name, .place = node->place};
}

/// Adds the reference frame of a sensor. @return the number of settings that this takes, 0 for the world
static int add_reference(mjcf *m, ff_xml *node, ff_spec_setting *to)
{
    const char *type = ff_xml_get(node, "reftype"), *name = ff_xml_get(node, "refname");
    found reference;
    if (type && !name) mjcf_error(m, node->place, "<%s> has a reftype: it needs a refname", node->name);
    if (name && !type) mjcf_warn(m, node->place, "<%s>: a refname without reftype says nothing", node->name);
    if (!type || !name || !find_object(m, node, type, name, &reference) || !reference.name[0]) return 0;
    to[0] = setting(node, "reference");
    to[0].word = ff_spec_text(m->spec, reference.name);
    to[1] = setting(node, "reference_on");
    to[1].word = ff_spec_text(m->spec, reference.word->reference);
    return 2;
}

static int add_numbers(mjcf *m, const ff_xml *node, const char *name, const double *numbers, int count,
                       ff_spec_setting *to)
{
    double *kept = FF_ARENA_NEW(&m->spec->arena, double, count);
    if (!mjcf_has_memory(m, kept)) return 0;
    memcpy(kept, numbers, (size_t)count * sizeof *kept);
    *to = setting(node, name);
    to->values = kept;
    to->count = count;
    return 1;
}

/// Adds the volume of the site of a touch sensor. @return the number of settings that this takes
static int add_zone(mjcf *m, const ff_xml *node, const char *site, ff_spec_setting *to)
{
    const int frame = mjcf_name_find(m, MJCF_SITE, site);
    const mjcf_zone *zone = NULL;
    for (int i = 0; i < m->nzone && !zone; i++)
        if (m->zones[i].frame == frame) zone = &m->zones[i];
    if (!zone) return 0;
    static const char *const shapes[] = {[MJCF_SPHERE] = "sphere",
                                         [MJCF_CAPSULE] = "capsule",
                                         [MJCF_ELLIPSOID] = "ellipsoid",
                                         [MJCF_CYLINDER] = "cylinder",
                                         [MJCF_BOX] = "box"};
    to[0] = setting(node, "zone");
    to[0].word = ff_spec_text(m->spec, shapes[zone->type]);
    return 1 + add_numbers(m, node, "size", zone->size, 3, to + 1);
}

/// Type of the description: the element, unless that is the name of another kind.
static const char *type_of(const ff_sensor_words *row)
{
    return ff_sensor_find_kind(row->mjcf) == (int)(row - ff_sensor_kind_words) ? row->mjcf : row->name;
}

/// The object that the sensor is attached to. False when there is none, which is reported.
static bool read_object(mjcf *m, ff_xml *node, const ff_sensor_words *row, found *object)
{
    const bool frame = row->object && strcmp(row->object, "frame") == 0;
    if (!row->object) return true;
    const char *type = frame ? ff_xml_need(node, "objtype", m->report) : row->object;
    const char *name = type ? ff_xml_need(node, frame ? "objname" : row->object, m->report) : NULL;
    if (!name) return false;
    const mjcf_object_word *word = mjcf_object_word_of(type);
    if (frame && !(word && word->reference) && strcmp(type, "camera") != 0) {
        mjcf_error(m, node->place, "<%s>: objtype is '%.40s'; body, xbody, geom, site or camera is needed", node->name,
                   type);
        return false;
    }
    // the subtree of a body is given by its frame
    return find_object(m, node, !frame && strcmp(type, "body") == 0 ? "xbody" : type, name, object);
}

/// A sensor of a limit needs one.
static void check_limit(mjcf *m, const ff_xml *node, const found *object)
{
    const bool joint = strncmp(node->name, "jointlimit", 10) == 0;
    if (!joint && strncmp(node->name, "tendonlimit", 11) != 0) return;
    const int i = mjcf_name_find(m, object->word->kind, object->name);
    if (joint ? m->spec->joints[i].limited : m->spec->tendons[i].limited) return;
    mjcf_error(m, node->place, "<%s>: the %s \"%.100s\" has no limits: give it a range", node->name,
               joint ? "joint" : "tendon", object->name);
}

static void add_sensor(mjcf *m, ff_xml *node)
{
    const ff_sensor_words *row = ff_sensor_of_mjcf(node->name);
    found object = {0};
    ff_spec_setting settings[4];
    int n = 0;
    if (!row) {
        mjcf_leave_out(m, node, "this sensor is not modelled: it gives no reading");
        return;
    }
    if (strcmp(row->mjcf, "rangefinder") == 0 && ff_xml_peek(node, "camera")) {
        mjcf_leave_out(m, node, "it refers to a camera, which is not read");
        return;
    }
    if (!read_object(m, node, row, &object)) return;
    check_limit(m, node, &object);
    if (row->object && strcmp(row->object, "frame") == 0) n += add_reference(m, node, settings);
    if (!node->used || m->no_memory) return;
    if (strcmp(row->mjcf, "touch") == 0) n += add_zone(m, node, object.name, settings + n);
    if (strcmp(row->mjcf, "magnetometer") == 0) n += add_numbers(m, node, "flux", m->magnetic, 3, settings + n);
    const char *name = ff_xml_get(node, "name");
    ff_spec_sensor *sensor = ff_spec_add_sensor(m->spec, name, type_of(row));
    if (!mjcf_has_memory(m, sensor)) return;
    sensor->place = node->place;
    sensor->object_type = ff_spec_text(m->spec, object.word ? object.word->ours : "");
    sensor->object = ff_spec_text(m->spec, object.word ? object.name : "");
    sensor->noise = mjcf_not_negative(m, node, "noise", 0.0);
    sensor->cutoff = mjcf_not_negative(m, node, "cutoff", 0.0);
    sensor->settings = n > 0 ? ff_settings_copy(&m->spec->arena, settings, n) : NULL;
    sensor->nsetting = n;
    if (!sensor->object_type || !sensor->object || (n > 0 && !sensor->settings)) m->no_memory = true;
    mjcf_name_add(m, MJCF_SENSOR, name, m->spec->nsensor - 1, node->place);
}

void mjcf_sensors(mjcf *m, ff_xml *section)
{
    for (ff_xml *node = section->child; node && !m->no_memory; node = node->next) {
        node->used = true;
        add_sensor(m, node);
    }
}
