// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of native robots. The model room does not know what sensors measure: it keeps each number and word of a
// description with its place, and the sense room reads them. A pattern of joints, frames or bodies stands for a sensor
// on each of them, named NAME_OBJECT.
#include "model/settings.h"
#include "native/native.h"

#include <footfall/text.h>
#include <string.h>

static const char *const KEYS[] = {"joint", "frame", "body", "actuator", "tendon", "joints", "frames", "bodies"};
static const char *const OBJECTS[] = {"joint",  "site",  "body", "actuator",
                                      "tendon", "joint", "site", "body"}; // a frame is what MJCF calls a site
enum { NKEY = 8, FIRST_PATTERN = 5 };

static bool is_own(const char *key)
{
    for (int i = 0; i < NKEY; i++)
        if (strcmp(key, KEYS[i]) == 0) return true;
    return strcmp(key, "type") == 0;
}

/// Settings that are no numbers.
static bool is_word(const char *key)
{
    static const char *const words[] = {"preset", "shape", "zone", "reference", "reference_on"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(key, words[i]) == 0) return true;
    return false;
}

static void read_setting(const ff_native *n, ff_yaml *node, ff_spec_setting *to)
{
    *to = (ff_spec_setting){.name = ff_spec_text(n->spec, node->key), .place = ff_native_place(n, node->place)};
    if (is_word(node->key)) {
        to->word = ff_spec_text(n->spec, ff_yaml_as_string(node, n->report));
        return;
    }
    ff_native_setting_values(n, node, to);
}

static int read_settings(const ff_native *n, ff_yaml *node, ff_spec_setting *out)
{
    int count = 0;
    for (ff_yaml *item = node->child; item; item = item->next) {
        if (is_own(item->key)) continue;
        item->used = true;
        if (count >= FF_NATIVE_MAX_SETTINGS) {
            ff_report_add(n->report, FF_ERROR, item->key_place, "a sensor has at most %d settings",
                          FF_NATIVE_MAX_SETTINGS);
            break;
        }
        read_setting(n, item, &out[count++]);
    }
    return count;
}

/// What is written of a sensor, or of all that a pattern makes.
typedef struct written {
    const char *type; // NULL where a preset has it, or where it stays
    int key;          // what it sits on, of KEYS; -1: nothing, or where it was
    const char *object;
    ff_spec_setting settings[FF_NATIVE_MAX_SETTINGS];
    int nsetting;
} written;

static bool is_given(const char *name, const written *w)
{
    return ff_settings_find(w->settings, w->nsetting, name) != NULL;
}

/// A bound or a noise that is given as one number counts for the sensor as MJCF has it.
static void take_number(const written *w, const char *name, double *to)
{
    const ff_spec_setting *given = ff_settings_find(w->settings, w->nsetting, name);
    if (given) *to = given->count == 1 ? given->values[0] : 0.0;
}

/// A type or a preset replaces the description of the sensor; without them only what is given changes.
static void set(const ff_native *n, ff_yaml *node, ff_spec_sensor *sensor, const char *object, const written *w)
{
    if (w->type || is_given("preset", w)) {
        sensor->type = ff_spec_text(n->spec, w->type ? w->type : "");
        sensor->settings = NULL;
        sensor->nsetting = 0;
        sensor->noise = sensor->cutoff = 0.0;
    }
    sensor->place = ff_native_place(n, node->key_place);
    if (w->key >= 0) sensor->object_type = OBJECTS[w->key];
    if (object) sensor->object = ff_spec_text(n->spec, object);
    ff_native_merge_settings(n, "sensor", &sensor->settings, &sensor->nsetting, w->settings, w->nsetting,
                             node->key_place);
    take_number(w, "noise", &sensor->noise);
    take_number(w, "cutoff", &sensor->cutoff);
}

/// A sensor that an import or a part has brought under this name is replaced.
static void add(const ff_native *n, ff_yaml *node, const char *name, const char *object, const written *w)
{
    const int known = ff_spec_find_sensor(n->spec, name);
    ff_spec_sensor *sensor = known < 0 ? ff_spec_add_sensor(n->spec, name, "") : &n->spec->sensors[known];
    if (sensor) set(n, node, sensor, object, w);
}

/// Name of joint, frame or body i of the description; NULL past the end.
static const char *object_name(const ff_spec *spec, int key, int i, bool *end)
{
    *end = false;
    if (strcmp(OBJECTS[key], "joint") == 0 && i < spec->njoint)
        return ff_joint_is_scalar(spec->joints[i].type) ? spec->joints[i].name : NULL;
    if (strcmp(OBJECTS[key], "site") == 0 && i < spec->nframe) return spec->frames[i].name;
    if (strcmp(OBJECTS[key], "body") == 0 && i < spec->nbody) return spec->bodies[i].name;
    *end = true;
    return NULL;
}

static void add_by_pattern(const ff_native *n, ff_yaml *node, const char *pattern, const written *w)
{
    bool end = false;
    int found = 0;
    for (int i = 0; !end; i++) {
        const char *object = object_name(n->spec, w->key, i, &end);
        if (!object || !ff_text_matches(pattern, object)) continue;
        if (ff_native_too_large(n, node->key_place)) return;
        add(n, node, ff_arena_printf(&n->spec->arena, "%s_%s", node->key, object), object, w);
        found++;
    }
    if (found == 0)
        ff_report_add(n->report, FF_ERROR, node->place, "the pattern '%.60s' of '%s' finds nothing", pattern,
                      KEYS[w->key]);
}

/// False (reported) when it sits on several things.
static bool read_written(const ff_native *n, ff_yaml *node, written *w)
{
    int given = 0;
    *w = (written){.type = ff_yaml_string(node, "type", NULL, n->report), .key = -1};
    for (int i = 0; i < NKEY; i++) {
        const char *name = ff_yaml_string(node, KEYS[i], NULL, n->report);
        if (!name) continue;
        given++;
        w->key = i;
        w->object = name;
    }
    if (given > 1)
        ff_report_add(
            n->report, FF_ERROR, node->place,
            "a sensor needs exactly one of joint, frame, body, actuator and tendon, or a pattern under joints, "
            "frames or bodies");
    if (given <= 1) w->nsetting = read_settings(n, node, w->settings);
    return given <= 1;
}

static void change_sensor(ff_native *n, ff_yaml *node, int index)
{
    written w;
    if (!read_written(n, node, &w)) return;
    if (w.key >= FIRST_PATTERN)
        ff_report_add(n->report, FF_ERROR, ff_yaml_get(node, KEYS[w.key])->key_place,
                      "'%s' makes several new sensors: they need a name that no sensor has", KEYS[w.key]);
    else
        set(n, node, &n->spec->sensors[index], w.object, &w);
}

/// A sensor sits on exactly one joint, frame, body, actuator or tendon, or on all that a pattern finds. A force
/// plate and a clock may do without.
static void add_sensor(const ff_native *n, ff_yaml *node, const ff_native_map *map)
{
    written w;
    if (!read_written(n, node, &w)) return;
    const bool loose =
        is_given("shape", &w) || (w.type && (strcmp(w.type, "plate") == 0 || strcmp(w.type, "clock") == 0));
    const bool described = w.type || is_given("preset", &w);
    if (!described && map->before > 0)
        ff_native_report_missing(n, node, map);
    else if (w.key < 0 && !loose)
        ff_report_add(
            n->report, FF_ERROR, node->place,
            "a sensor needs exactly one of joint, frame, body, actuator and tendon, or a pattern under joints, "
            "frames or bodies");
    else if (!described)
        ff_yaml_need(node, "type", n->report);
    else if (w.key >= FIRST_PATTERN)
        add_by_pattern(n, node, w.object, &w);
    else
        add(n, node, node->key, w.object, &w);
}

void ff_native_sensors(ff_native *n, ff_yaml *sensors)
{
    if (!ff_yaml_expect(sensors, FF_YAML_MAP, "sensors as 'name: {type: ..}'", n->report)) return;
    const ff_native_map map = ff_native_map_of(n, FF_NATIVE_SENSOR, FF_NATIVE_ANYWHERE,
                                               "a new one has a 'type' or 'preset' and says where it sits");
    for (ff_yaml *node = sensors->child; node; node = node->next) {
        node->used = true;
        if (ff_native_too_large(n, node->key_place)) return;
        if (!ff_yaml_expect(node, FF_YAML_MAP, "{type: .., frame: ..}", n->report)) continue;
        if (!ff_native_change(n, node, &map, change_sensor)) add_sensor(n, node, &map);
    }
}
