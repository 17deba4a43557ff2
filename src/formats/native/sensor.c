// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of native robots. What they measure is known to the sense room (sense/describe.c, sense/set.c): here each
// number and word of a description is kept with its place. Defaults of the keys are those of a sensor without a preset.
// A pattern of joints, frames or bodies stands for a sensor on each of them, named NAME_OBJECT.
#include "model/edit.h"
#include "model/fields.h"
#include "model/sensor_kinds.h"
#include "native/keys.h"
#include "native/native.h"
#include "text/names.h"

#include <footfall/text.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ keys

static const char *const ZONES[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", NULL};
static const char *const REFERENCES[] = {"frame", "body", "inertia", "shape", NULL};

#define RATE        FF_ABOVE_UP_TO(0.0, 1e6) // [Hz]
#define MOST_VALUES 64                       // of a list

// clang-format off
const ff_key_group ff_keys_sensor = FF_GROUP(
    "sensor", "A sensor: its type or preset, exactly one place, and its errors.",
    FF_EITHER("type", FF_TAKES_WORD | FF_TAKES_TEXT, "", FF_ANY, 0, 0, NULL,
        "what it measures; a new sensor needs it or 'preset'; unknown types are accepted without a reading",
        ff_sensor_type_names, NULL),
    FF_TEXT("preset", NULL, "known device whose settings it has by default"),
    // where it sits: exactly one
    FF_TEXT("joint", NULL, "joint that it measures"),
    FF_TEXT("frame", NULL, "frame that it is at"),
    FF_TEXT("body", NULL, "body that it is on"),
    FF_TEXT("actuator", NULL, "actuator that it measures, or whose joint"),
    FF_TEXT("tendon", NULL, "tendon that it measures"),
    FF_TEXT("joints", NULL, "pattern of joints; a sensor NAME_JOINT on each hinge and slide"),
    FF_TEXT("frames", NULL, "pattern of frames; a sensor NAME_FRAME on each"),
    FF_TEXT("bodies", NULL, "pattern of bodies; a sensor NAME_BODY on each"),
    FF_TEXT("shape", NULL,
        "touch, switch, plate: this shape alone, or those that a pattern finds; none: all of the body"),
    FF_TEXT("reference", NULL, "framepos to frameangvel: what it is measured relative to; none: the world"),
    FF_WORD("reference_on", REFERENCES, "frame",
        "what `reference` names; inertia: a body, at its centre of mass on its principal axes"),
    // errors, in the order of the chain
    FF_NUMBER_OR_LIST("crosstalk", 1, MOST_VALUES, "", FF_ANY, "0",
        "largest random coefficient between channels, 0 to below 1; or the matrix of coefficients, row by row"),
    FF_NUMBER_OR_LIST("bandwidth", 1, MOST_VALUES, "Hz", FF_NOT_NEGATIVE, "0", "first-order low-pass; 0: none"),
    FF_NUMBER_OR_LIST("scale", 1, MOST_VALUES, "", FF_ANY, "0",
        "scale error g: the reading is (1 + g) times the value"),
    FF_NUMBER_OR_LIST("bias", 1, MOST_VALUES, FF_ANY_UNIT, FF_ANY, "0", "initial offset, in the unit of the channel"),
    FF_NUMBER_OR_LIST("bias_walk", 1, MOST_VALUES, FF_ANY_UNIT, FF_NOT_NEGATIVE, "0",
        "random walk of the offset, unit of the channel per sqrt(s)"),
    FF_NUMBER_OR_LIST("bias_slope", 1, MOST_VALUES, FF_ANY_UNIT, FF_ANY, "0",
        "steady drift of the offset, unit of the channel per s"),
    FF_NUMBER_OR_LIST("noise", 1, MOST_VALUES, FF_ANY_UNIT, FF_NOT_NEGATIVE, "0",
        "standard deviation of a sample, in the unit of the channel; camera: of colours, 0 to 1"),
    FF_NUMBER("rate", "Hz", RATE, NULL, "samples per second; 1000, camera 30"),
    FF_NUMBER("phase", "s", FF_NOT_NEGATIVE, "0", "time of the first sample, less than the period"),
    FF_NUMBER_OR_LIST("range", 1, MOST_VALUES, FF_ANY_UNIT, FF_ANY, NULL,
        "one number: +-; two: from and to (force6, plate: +- of forces and moments); more: +- of each channel; none: "
        "unlimited"),
    FF_NUMBER("cutoff", FF_ANY_UNIT, FF_NOT_NEGATIVE, "0",
        "range as MJCF has it, +- in the unit of the channel; 0: unlimited; range takes its place"),
    FF_SWITCH("centred", "false", "the range is centred on the middle of that of the joint"),
    FF_WHOLE("bits", FF_BETWEEN(1.0, 48.0), NULL,
        "resolution: steps of the range, absolute: of a turn; none: no rounding"),
    FF_NUMBER_OR_LIST("step", 1, MOST_VALUES, FF_ANY_UNIT, FF_POSITIVE, NULL,
        "rounding to multiples of it, in the unit of the channel; none: no rounding"),
    FF_WHOLES("fixed", 2, 2, FF_BETWEEN(0.0, 52.0), NULL,
        "rounding to fixed point: bits before and behind the point, together at most 52"),
    FF_SWITCH("single", "false", "rounding to single precision"),
    FF_COUNT("delay", "samples", FF_BETWEEN(0.0, 1000.0), "0", "samples between measurement and reading"),
    FF_NUMBER("latency", "s", FF_NOT_NEGATIVE, NULL,
        "the same as a time, rounded up to samples, at most 1000; in place of delay"),
    FF_NUMBER("jitter", "s", FF_NOT_NEGATIVE, "0", "random delay of a reading, at most half the period"),
    // by type
    FF_NUMBER("counts", "per turn", FF_AT_LEAST(1.0), NULL, "encoder: counts per turn of the motor; none: one per rad"),
    FF_NUMBER("gear", "", FF_NONZERO, NULL,
        "encoder: motor turns for one of the joint; otherwise that of the drive, or 1"),
    FF_WHOLE("axes", FF_BETWEEN(1.0, 3.0), "3", "gyro, accelerometer: number of axes, x first"),
    FF_NUMBER_OR_LIST("fusion", 1, 2, FF_ANY_UNIT, FF_NOT_NEGATIVE, NULL,
        "imu, attitude: gain of the estimate [1/s], above 0 and below the rate, and of the bias [1/s^2]; none: true "
        "angles"),
    FF_NUMBER("mass", "kg", FF_NOT_NEGATIVE, NULL,
        "force, force6: mass below the sensor inside the body; none: the sensor is at the joint"),
    FF_NUMBERS("com", 3, 3, "m", FF_ANY, "[0, 0, 0]", "force, force6: centre of that mass, in the frame of the sensor"),
    FF_NUMBERS("pos", 3, 3, "m", FF_ANY, NULL, "position in its body; otherwise that of its frame, or the origin"),
    FF_WORD("zone", ZONES, NULL,
        "touch: volume of the contacts that count, or that their outward normals meet; none: all of the body"),
    FF_NUMBERS("size", 1, 3, "m", FF_POSITIVE, NULL, "touch: size of the zone, as of a shape: radius, half lengths"),
    FF_NUMBERS("flux", 3, 3, FF_ANY_UNIT, FF_ANY, "[0, -0.5, 0]",
        "magnetometer: magnetic field of the world, any unit"),
    FF_NUMBER("threshold", "N", FF_NOT_NEGATIVE, "0", "touch, switch: force above which it reports a contact"),
    FF_NUMBER("inclination", "rad", FF_NOT_NEGATIVE, "90 deg",
        "switch: largest angle between its z axis and the surface normal"),
    FF_NUMBERS("reach", 2, 2, "m", FF_NOT_NEGATIVE, "[0, 10]", "distance: smallest and largest distance"),
    FF_NUMBER("cone", "rad", FF_FROM_BELOW(0.0, 0.5 * FF_PI), "0", "distance: half the opening angle; 0: a single ray"),
    FF_WHOLE("rays", FF_BETWEEN(1.0, 100000.0), "1", "distance: number of rays in the cone"),
    FF_WHOLE("rows", FF_BETWEEN(1.0, 100.0), "6", "tactile: rows of taxels; at most 600 taxels"),
    FF_WHOLE("columns", FF_BETWEEN(1.0, 100.0), "6", "tactile: columns of taxels"),
    FF_NUMBER("pitch", "m", FF_POSITIVE, "7 mm", "tactile: distance between taxels"),
    FF_WHOLE("scan", FF_BETWEEN(0.0, 10000.0), "0", "tactile: taxels read at each sample; 0: all"),
    FF_COUNT("width", "px", FF_BETWEEN(1.0, 4096.0), "320", "camera: columns of the picture"),
    FF_COUNT("height", "px", FF_BETWEEN(1.0, 4096.0), "240", "camera: rows of the picture"),
    FF_NUMBER("field", "rad", FF_STRICTLY_BETWEEN(0.0, FF_PI), "60 deg", "camera: vertical opening angle"),
    FF_NUMBER("far", "m", FF_POSITIVE, "100", "camera: largest distance that it sees"),
    FF_WHOLES("station", 1, 15, FF_ANY, NULL, "force, force6, inertial: EtherCAT station, as for drives"));

const ff_key_group ff_keys_sensors = FF_GROUP("sensors", "Sensors by name, and changes of sensors by name or pattern.",
    FF_MAP("*", &ff_keys_sensor, "a sensor by its name; a pattern changes those that are there"));
// clang-format on

// ------------------------------------------------------------------------------------------ reader

/// Keys for what a sensor sits on, patterns from FIRST_PATTERN on, and the objects that they name.
static const char *const KEYS[] = {"joint", "frame", "body", "actuator", "tendon", "joints", "frames", "bodies", NULL};
static const char *const OBJECTS[] = {"joint",  "site",  "body", "actuator",
                                      "tendon", "joint", "site", "body"}; // a frame is what MJCF calls a site
enum { NKEY = 8, FIRST_PATTERN = 5 };

static void read_setting(const ff_native *n, ff_yaml *node, ff_spec_setting *to)
{
    static const char *const words[] = {"preset", "shape", "zone", "reference", "reference_on", NULL};
    *to = (ff_spec_setting){.name = ff_spec_text(n->spec, node->key), .place = ff_native_place(n, node->place)};
    if (ff_word_find(words, node->key) >= 0)
        to->word = ff_spec_text(n->spec, ff_yaml_as_string(node, n->report));
    else
        ff_native_setting_values(n, node, to);
}

static int read_settings(const ff_native *n, ff_yaml *node, ff_spec_setting *out)
{
    int count = 0;
    for (ff_yaml *item = node->child; item; item = item->next) {
        if (ff_word_find(KEYS, item->key) >= 0 || strcmp(item->key, "type") == 0) continue;
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

/// A sensor as the file describes it, or all sensors of a pattern.
typedef struct description {
    const char *type; // NULL where a preset has it, or where it stays
    int key;          // what it sits on, of KEYS; -1: nothing, or where it was
    const char *object;
    ff_spec_setting settings[FF_NATIVE_MAX_SETTINGS];
    int nsetting;
} description;

static bool is_given(const char *name, const description *w)
{
    return ff_settings_find(w->settings, w->nsetting, name) != NULL;
}

/// Stores a cutoff or a noise that is given as one number as that of MJCF, too.
static void set_number(const description *w, const char *name, double *to)
{
    const ff_spec_setting *given = ff_settings_find(w->settings, w->nsetting, name);
    if (given) *to = given->count == 1 ? given->values[0] : 0.0;
}

/// A type or a preset replaces the description of the sensor; without them only what is given changes.
static void set(const ff_native *n, ff_yaml *node, ff_spec_sensor *sensor, const char *object, const description *w)
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
    set_number(w, "noise", &sensor->noise);
    set_number(w, "cutoff", &sensor->cutoff);
}

/// A sensor of the same name, of an import or a part, is replaced.
static void add(const ff_native *n, ff_yaml *node, const char *name, const char *object, const description *w)
{
    const int known = ff_spec_find_sensor(n->spec, name);
    ff_spec_sensor *sensor = known < 0 ? ff_spec_add_sensor(n->spec, name, "") : &n->spec->sensors[known];
    if (sensor) set(n, node, sensor, object, w);
}

/// Adds a sensor on each hinge and slide, frame or body whose name fits the pattern.
static void add_by_pattern(const ff_native *n, ff_yaml *node, const char *pattern, const description *w)
{
    static const ff_spec_item kinds[] = {FF_ITEM_JOINT, FF_ITEM_FRAME, FF_ITEM_BODY};
    const ff_spec_item kind = kinds[w->key - FIRST_PATTERN];
    int found = 0;
    for (int i = 0; i < ff_item_count(n->spec, kind); i++) {
        const char *object = ff_item_name(n->spec, kind, i);
        if (kind == FF_ITEM_JOINT && !ff_joint_is_scalar(n->spec->joints[i].type)) continue;
        if (!object || !ff_text_matches(pattern, object)) continue;
        if (ff_native_too_large(n, node->key_place)) return;
        add(n, node, ff_arena_printf(&n->spec->arena, "%s_%s", node->key, object), object, w);
        found++;
    }
    if (found == 0)
        ff_report_add(n->report, FF_ERROR, node->place, "the pattern '%.60s' of '%s' finds nothing", pattern,
                      KEYS[w->key]);
}

static void report_seat(const ff_native *n, const ff_yaml *node)
{
    ff_report_add(n->report, FF_ERROR, node->place,
                  "a sensor needs exactly one of joint, frame, body, actuator and tendon, or a pattern under joints, "
                  "frames or bodies");
}

/// False (reported) when it sits on several items.
static bool read_description(const ff_native *n, ff_yaml *node, description *w)
{
    int given = 0;
    *w = (description){.type = ff_yaml_string(node, "type", NULL, n->report), .key = -1};
    for (int i = 0; i < NKEY; i++) {
        const char *name = ff_yaml_string(node, KEYS[i], NULL, n->report);
        if (!name) continue;
        given++;
        w->key = i;
        w->object = name;
    }
    if (given > 1)
        report_seat(n, node);
    else
        w->nsetting = read_settings(n, node, w->settings);
    return given <= 1;
}

static void change_sensor(ff_native *n, ff_yaml *node, int index)
{
    description w;
    if (!read_description(n, node, &w)) return;
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
    description w;
    if (!read_description(n, node, &w)) return;
    const bool loose =
        is_given("shape", &w) || (w.type && (strcmp(w.type, "plate") == 0 || strcmp(w.type, "clock") == 0));
    const bool described = w.type || is_given("preset", &w);
    if (!described && map->before > 0)
        ff_native_report_missing(n, node, map);
    else if (w.key < 0 && !loose)
        report_seat(n, node);
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
